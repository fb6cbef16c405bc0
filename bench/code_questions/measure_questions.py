#!/usr/bin/env python3
"""How well does a store answer questions about source code, and is another store better?

    measure_questions.py QUESTIONS NAME=RECALL,STORE... [--search OPTIONS] [--threads N] [--hits FILE]

QUESTIONS: questions.jsonl of make_questions.py. STORE: its folder `files`, added from the folder above it, so that the
paths agree: `cd OUT && recall init && recall add files`. RECALL: the program that searches in that store.

A hit is right if at least half of the lines of the shorter one of hit and definition are lines of both. Of
several right hits only the first counts, so that a definition in many pieces gains nothing by that.

    nDCG@10      1 / log2(1 + place of the first right hit), 0 without one in ten
    recall@1, 10 a right hit is the first; is among ten
    whole        the first hit shows the whole definition
    whole, right the share of right first hits that show the whole definition
    in 10        one of ten hits shows the whole definition
    lines        mean lines of the first hit
    exact        as nDCG@10, but a right hit counts 2 * common lines / (its lines + those of the definition): a long hit
                 that also shows other definitions counts less
    seen         the share of the definition that a reader has seen who reads the hits in order, up to 100 lines: fair to hits
                 of any length

For each store after the first: the mean difference of nDCG@10 to the first with its 95 % interval, by a paired
bootstrap (10,000 samples, fixed seed), in all and for each language, the same for "exact" and "seen", and the questions won and lost. --search gives options
of `recall search` to all, such as "--bm25". --hits writes nDCG@10 of each question, separated by tabs.
"""

import argparse
import json
import math
import random
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

HITS = 10
SEEN_LINES = 100
SAMPLES = 10_000


def judge(question, hits):
    """(nDCG, place of the first right hit or 0, first is whole, place of the first whole hit, lines of the first, exact,
    seen)"""
    right = whole = 0
    exact = 0.0
    seen = set()
    left = SEEN_LINES
    for place, hit in enumerate(hits, 1):
        start, end = hit["chunk"]["start_line"], hit["chunk"]["end_line"]
        shown = range(start, min(end, start + left - 1) + 1)
        left -= len(shown)
        if hit["doc"]["path"] != question["path"]:
            continue
        seen.update(line for line in shown if question["start"] <= line <= question["end"])
        common = min(end, question["end"]) - max(start, question["start"]) + 1
        shorter = min(end - start, question["end"] - question["start"]) + 1
        if 2 * common >= shorter:
            right = right or place
            both = end - start + 1 + question["end"] - question["start"] + 1
            exact = max(exact, 2 * common / both / math.log2(1 + place))
        if not whole and start <= question["start"] and end >= question["end"]:
            whole = place
    lines = hits[0]["chunk"]["end_line"] - hits[0]["chunk"]["start_line"] + 1 if hits else 0
    share = len(seen) / (question["end"] - question["start"] + 1)
    return 1 / math.log2(1 + right) if right else 0.0, right, whole == 1, whole, lines, exact, share


def interval(differences):
    generator = random.Random(1)
    count = len(differences)
    means = sorted(sum(generator.choices(differences, k=count)) / count for _ in range(SAMPLES))
    return means[int(0.025 * SAMPLES)], means[int(0.975 * SAMPLES) - 1]


def mean(values):
    values = list(values)
    return sum(values) / max(1, len(values))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("questions")
    parser.add_argument("stores", nargs="+", metavar="NAME=RECALL,STORE")
    parser.add_argument("--search", default="")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--hits")
    arguments = parser.parse_args()
    with open(arguments.questions, encoding="utf-8") as lines:
        questions = [json.loads(line) for line in lines]
    languages = sorted({question["language"] for question in questions})

    results = {}
    for item in arguments.stores:
        name, where = item.split("=", 1)
        recall, store = where.split(",", 1)

        def ask(question):
            answer = subprocess.run(
                [recall, "search", "--store", store, "--no-serve", "--json", "-k", str(HITS), "--snippet", "0", "--threads", "1",
                 *shlex.split(arguments.search), "--lexical-mode", "literal", "--", question["text"]],
                stdout=subprocess.PIPE, check=True)
            return judge(question, json.loads(answer.stdout)["results"])

        with ThreadPoolExecutor(arguments.threads) as pool:
            results[name] = list(pool.map(ask, questions))

    print(f"{len(questions)} questions\n\n"
          "| store | language | nDCG@10 | recall@1 | recall@10 | whole | whole, right | in 10 | lines | exact | seen |\n"
          "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name, judged in results.items():
        for language in ["all", *languages]:
            chosen = [j for j, q in zip(judged, questions) if language in ("all", q["language"])]
            first = [j for j in chosen if j[1] == 1]
            print(f"| {name} | {language} | {mean(j[0] for j in chosen):.4f} | {mean(j[1] == 1 for j in chosen):.3f} "
                  f"| {mean(j[1] > 0 for j in chosen):.3f} | {mean(j[2] for j in chosen):.3f} | {mean(j[2] for j in first):.3f} "
                  f"| {mean(j[3] > 0 for j in chosen):.3f} | {mean(j[4] for j in chosen):.1f} "
                  f"| {mean(j[5] for j in chosen):.4f} | {mean(j[6] for j in chosen):.4f} |")

    names = list(results)
    for name in names[1:]:
        for measure, field in (("nDCG@10", 0), ("exact", 5), ("seen", 6)):
            for language in ["all", *languages]:
                differences = [b[field] - a[field] for a, b, q in zip(results[names[0]], results[name], questions)
                               if language in ("all", q["language"])]
                low, high = interval(differences)
                print(f"{name} - {names[0]}, {measure}, {language}: {mean(differences):+.4f} ({low:+.4f} to {high:+.4f}), "
                      f"won {sum(d > 1e-9 for d in differences)}, lost {sum(d < -1e-9 for d in differences)}")
    if arguments.hits:
        with open(arguments.hits, "w", encoding="utf-8") as file:
            file.write("\t".join(["question", "language", "name", *names]) + "\n")
            for i, question in enumerate(questions):
                values = [f"{results[name][i][0]:.4f}" for name in names]
                file.write("\t".join([question["_id"], question["language"], question["name"], *values]) + "\n")


if __name__ == "__main__":
    sys.exit(main())
