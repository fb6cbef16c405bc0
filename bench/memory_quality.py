#!/usr/bin/env python3
"""How well does a search find notes? Measures it with tests/memory_questions; see docs/PERFORMANCE.md.

    bench/memory_quality.py RECALL [--half tune|test|all] [--only 'NAME;...'] [--way NAME='FLAGS'] [--kinds]
                            [--cuts NAME]

Makes a store of the notes and of ten ordinary files, asks every question in each way (a list of
flags for `recall search`), and prints recall@1, MRR@10 and nDCG@10, and the difference of nDCG@10
and recall@1 to the first way, with 95 % intervals by the paired bootstrap (10,000 resamples with a
fixed seed). The answers are chunks; a note counts with its best one. A way that this RECALL does
not know is left out, and named. Questions are asked as of a day on which no note has aged, but for
those of the way "aged". `--cuts` prints what each floor of the score would keep of right
hits, and of the hits of questions that nothing answers. The same RECALL prints the same on every
machine.
"""

import argparse
import json
import math
import pathlib
import random
import shlex
import subprocess
import sys
import tempfile

COLLECTION = pathlib.Path(__file__).resolve().parent.parent / "tests" / "memory_questions"
NOTHING_AGED = "2026-01-01"
MANY_AGED = "2026-11-26"
NOTES = ["--filter", "doc.parser = 'note'"]
WEIGHTS = "trigger=5:title=4:tags=3:topic=2:summary=2:body=1"
PARTS = "parts:words=0.5:meaning=0.3:triggers=0.2"
WAYS = {
    "plain": [],
    "plain, lexical": ["--bm25"],
    "notes": NOTES,
    "notes, lexical": NOTES + ["--bm25"],
    "notes, rrf": NOTES + ["--fusion", "rrf"],
    "notes, parts": NOTES + ["--fusion", PARTS],
    "weights": NOTES + ["--field-weights", WEIGHTS],
    "weights, lexical": NOTES + ["--field-weights", WEIGHTS, "--bm25"],
    "weights, rrf": NOTES + ["--field-weights", WEIGHTS, "--fusion", "rrf"],
    "weights, parts": NOTES + ["--field-weights", WEIGHTS, "--fusion", PARTS],
    "view memory": ["--view", "memory", "--min-score", "0"],
    "view memory, aged": ["--view", "memory", "--min-score", "0", "--as-of", MANY_AGED],
    "view memory, rrf": ["--view", "memory", "--fusion", "rrf", "--min-score", "0"],
    "view entries": ["--view", "entries", "--min-score", "0"],
}


def lines(name):
    return [json.loads(line) for line in (COLLECTION / name).read_text().splitlines()]


def in_half(question, half):
    return half == "all" or (int(question["_id"][1:]) % 2 == 1) == (half == "tune")


def make_store(recall, directory):
    store = directory / "recall.db"
    run = lambda *words: subprocess.run([recall, *words, "--store", store, "--quiet"], check=True, cwd=directory)
    run("init")
    run("add", "--parser", "note", COLLECTION / "notes")
    run("add", COLLECTION / "files")
    return store


def ask(recall, store, text, flags):
    """[(score, note)] of the answer, best first; None where RECALL refuses the flags."""
    words = ["--identical", "keep", "-k", "50", "--json", "--lexical-mode", "literal"]
    if "--as-of" not in flags:
        words += ["--as-of", NOTHING_AGED]
    done = subprocess.run([recall, "search", "--store", store, *words, *flags, "--", text],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode == 2:
        return None, json.loads(done.stdout)["error"]["message"]
    if done.returncode != 0:
        raise SystemExit(done.stdout + done.stderr)
    ranked = {}
    for hit in json.loads(done.stdout)["results"]:
        path = pathlib.PurePath(hit["doc"]["path"])
        name = path.stem if path.parent.name == "notes" else path.name
        ranked.setdefault(name, hit["score"])
    return [(score, name) for name, score in ranked.items()], ""


def figures(ranked, relevant):
    """recall@1 (whether the first hit is an answer), MRR@10, nDCG@10."""
    gains = [1 if name in relevant else 0 for _, name in ranked[:10]]
    first = gains.index(1) if 1 in gains else None
    ideal = sum(1 / math.log2(i + 2) for i in range(min(10, len(relevant))))
    dcg = sum(gain / math.log2(i + 2) for i, gain in enumerate(gains))
    return (float(first == 0), 0 if first is None else 1 / (first + 1), dcg / ideal)


def mean(values):
    return sum(values) / len(values) if values else 0


def interval(differences):
    draw = random.Random(42)
    count = len(differences)
    means = sorted(mean(draw.choices(differences, k=count)) for _ in range(10000))
    return means[250], means[9749]


def print_cuts(name, answers, questions, relevant, foreign):
    """What a floor keeps, and what the band from a cut on is worth. Pages have five hits."""
    share = lambda values: mean([float(value) for value in values])
    quantiles = lambda scores: " / ".join(f"{sorted(scores)[int(q * len(scores))]:.3f}" for q in (.05, .5, .95))
    first = lambda answer: answer[0][0] if answer else 0
    right = [a for q, a in zip(questions, answers) if a and a[0][1] in relevant[q["_id"]]]
    print(f"\n{name}: score of the first hit, quantiles 5 % / 50 % / 95 %")
    print("  right first hits   " + quantiles([first(a) for a in right]))
    print("  foreign questions  " + quantiles([first(a) for a in foreign]))
    print("        right       answers     foreign        hits of a           right among\n"
          "   cut  first hits  in a page   without a hit  foreign question    first hits above")
    for step in range(5, 31):
        cut = step / 50
        page = lambda answer: [hit for hit in answer[:5] if hit[0] >= cut]
        above = [(q, a) for q, a in zip(questions, answers) if first(a) >= cut]
        print(f"  {cut:.2f}  {share(first(a) >= cut for a in right):10.3f}"
              f"  {share(any(n in relevant[q['_id']] for _, n in page(a)) for q, a in zip(questions, answers)):9.3f}"
              f"  {share(not page(a) for a in foreign):14.3f}  {mean([len(page(a)) for a in foreign]):16.2f}"
              f"  {share(a[0][1] in relevant[q['_id']] for q, a in above):16.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recall", type=pathlib.Path)
    parser.add_argument("--half", choices=["tune", "test", "all"], default="all")
    parser.add_argument("--only", help="names of ways, separated by semicolons; ways of --way are always asked")
    parser.add_argument("--way", action="append", default=[], help="a further way: NAME='FLAGS'")
    parser.add_argument("--kinds", action="store_true", help="also recall@1 of each kind of question")
    parser.add_argument("--cuts", help="also the shares above each cut, of this way")
    options = parser.parse_args()

    ways = dict(WAYS)
    if options.only is not None:
        ways = {name: WAYS[name] for name in options.only.split(";") if name}
    ways |= {name: shlex.split(flags) for name, flags in (way.split("=", 1) for way in options.way)}
    recall = options.recall.resolve()
    relevant = {}
    for line in (COLLECTION / "qrels.tsv").read_text().splitlines()[1:]:
        question, note, _ = line.split("\t")
        relevant.setdefault(question, set()).add(note)
    questions = [q for q in lines("queries.jsonl") if in_half(q, options.half)]
    foreign = [q for q in lines("foreign.jsonl") if in_half(q, options.half)]
    kinds = sorted({q["kind"] for q in questions})

    base = None
    with tempfile.TemporaryDirectory() as directory:
        store = make_store(recall, pathlib.Path(directory))
        print(f"{len(questions)} questions ({options.half})")
        print(f"{'':24}recall@1   MRR@10  nDCG@10    d recall@1 (95 %)           d nDCG@10 (95 %)"
              + ("".join(f"{kind:>12}" for kind in kinds) if options.kinds else ""))
        for name, flags in ways.items():
            first, refusal = ask(recall, store, questions[0]["text"], flags)
            if first is None:
                print(f"{name:24}not known: {refusal}")
                continue
            answers = [ask(recall, store, q["text"], flags)[0] for q in questions]
            each = [figures(a, relevant[q["_id"]]) for q, a in zip(questions, answers)]
            base = base or each
            row = f"{name:24}" + "".join(f"{mean([e[i] for e in each]):9.4f}" for i in range(3))
            for i in (0, 2):
                differences = [e[i] - b[i] for e, b in zip(each, base)]
                low, high = interval(differences)
                row += f"    {mean(differences):+.4f} ({low:+.4f} {high:+.4f})"
            if options.kinds:
                for kind in kinds:
                    row += f"{mean([e[0] for q, e in zip(questions, each) if q['kind'] == kind]):12.3f}"
            print(row)
            sys.stdout.flush()
            if name == options.cuts:
                print_cuts(name, answers, questions, relevant,
                           [ask(recall, store, q["text"], flags)[0] for q in foreign])


if __name__ == "__main__":
    main()
