#!/usr/bin/env python3
"""The same work done by Recall and by what people would use instead, in turns in one run.

    bench/peers/run.py RECALL [options] [CORPUS_DIRECTORY...]

bench/peers/README.md says what is compared with what, and how to install the peers.
"""

import argparse
import json
import os
import pathlib
import platform
import shutil
import statistics
import sys
import tempfile

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # read when numpy is loaded

try:
    import numpy
except ImportError:
    sys.exit(f"run.py: {sys.executable} has no numpy; install python3-numpy and run /usr/bin/python3")

import data  # noqa: E402
import peer_libraries as libraries  # noqa: E402
import peer_node as node  # noqa: E402
import peer_sqlite_vectors as sqlite_vectors  # noqa: E402
import peer_words as words  # noqa: E402
from common import Failed, Missing, Nothing, Work, needs_ten  # noqa: E402
from peer_recall import RecallVectors, RecallWords  # noqa: E402

CORPUS = ["/usr/share/doc", "/usr/share/perl", "/usr/lib/python3"]
QUESTIONS = 50
WORD_PEERS = [RecallWords, words.Fts5, words.Xapian, words.Ripgrep, Nothing]
VECTOR_PEERS = [
    RecallVectors,
    libraries.Scan,
    sqlite_vectors.SqliteVec,
    sqlite_vectors.SqliteVecInt8,
    sqlite_vectors.SqliteVector,
    sqlite_vectors.SqliteVectorQuantized,
    libraries.Faiss,
    libraries.FaissFastScan,
    libraries.FaissIvf,
    libraries.Hnswlib,
    node.UsearchExact,
    node.Usearch,
    node.Lancedb,
    node.Duckdb,
    Nothing,
]
NAMES = sorted({peer.name for peer in WORD_PEERS + VECTOR_PEERS} - {"nothing", "recall"})
PARTS = {
    1: "Words, as whole processes (ms)",
    2: "Words, in a process that stays (ms)",
    3: "Vectors, as whole processes",
    4: "Vectors, in a process that stays",
    5: "Building from text",
}


class Run:
    def __init__(self, options):
        self.options = options
        self.failed = {}  # (part, label) -> reason
        self.missing = {}
        self.report = {"parts": []}

    def peers_of(self, kinds, work):
        """Those that were chosen and are installed; Recall always is, it is first."""
        peers = []
        for kind in kinds:
            if kind.name in NAMES and self.options.only and kind.name not in self.options.only:
                continue
            try:
                peers.append(kind(work))
            except Missing as error:
                self.missing[kind.name] = str(error)
        return peers

    def take_turns(self, part, peers, repeats, measure):
        """Each peer once, then each once more, so that noise hits all alike: {peer: [measured]}."""
        measured = {peer: [] for peer in peers}
        for turn in range(repeats):
            for peer in peers[turn % len(peers) :] + peers[: turn % len(peers)]:
                if (part, peer.label) in self.failed:
                    continue
                print(f"\r\033[K{PARTS[part]}: {turn + 1}/{repeats} {peer.label}",
                      end="", file=sys.stderr, flush=True)  # fmt: skip
                try:
                    measured[peer].append(measure(peer))
                except (Failed, Missing) as error:
                    self.failed[part, peer.label] = str(error)
                except Exception as error:  # whatever a library throws is its own failure
                    self.failed[part, peer.label] = f"{type(error).__name__}: {error}"[:200]
        print("\r\033[K", end="", file=sys.stderr, flush=True)
        if (part, peers[0].label) in self.failed:
            raise SystemExit(f"run.py: Recall failed: {self.failed[part, peers[0].label]}")
        return measured

    def tell(self, part, measured, columns, label="label"):
        """Prints a table and keeps it; `columns` has (name, unit-less title, has a ratio)."""
        ours = next(iter(measured.values()))
        heads = [h for _, title, ratio in columns for h in ([title, "times Recall's"] if ratio else [title])]
        print(f"\n## {PARTS[part]}\n\n| | {' | '.join(heads)} |\n|{' --- |' * (len(heads) + 1)}")
        rows = []
        for peer, values in measured.items():
            name = getattr(peer, label, None) or peer.label
            row = {"peer": peer.name, "label": name, "version": peer.version, "figures": {}}
            rows.append(row)
            if (part, peer.label) in self.failed:
                row["failed"] = self.failed[part, peer.label]
                print(f"| {name} | failed: {row['failed']} |{' |' * (len(heads) - 1)}")
                continue
            cells = []
            for column, _, has_ratio in columns:
                figure = summary([v.get(column) for v in values], [v.get(column) for v in ours])
                row["figures"][column] = figure
                cells.append(written(figure))
                if has_ratio:
                    ratio = figure and figure["ratio"]
                    cells.append("" if ratio is None else f"{ratio:.3g}" if peer.name != "recall" else "")
            print(f"| {name} | {' | '.join(cells)} |", flush=True)
        self.report["parts"].append({"part": part, "title": PARTS[part], "rows": rows})


def summary(values, ours):
    """Median, least and most, and the median of the ratios to Recall in the same turn."""
    if not values or None in values:
        return None
    ratios = [v / o for v, o in zip(values, ours) if o]
    return {
        "median": statistics.median(values),
        "least": min(values),
        "most": max(values),
        "ratio": statistics.median(ratios) if ratios else None,
        "values": values,
    }


def written(figure):
    if figure is None:
        return ""
    median, least, most = (f"{figure[k]:.3g}" for k in ("median", "least", "most"))
    # Three digits, never 1e+03.
    median, least, most = (
        f"{float(text):.0f}" if float(text) >= 1000 else text for text in (median, least, most)
    )
    return median if least == most else f"{median} ({least} to {most})"


def ask_words(work, asked, questions):
    """Milliseconds of the median question of each kind, after each answer was looked at."""
    figures = {}
    for kind, some in questions.items():
        answers = asked(some)
        needs_ten(found for _, found in answers)
        for wanted, (_, found) in zip(some, answers):
            for row in found or []:
                text = work.pieces[row].lower()
                # Three letters, because an engine may find other forms of a word.
                if not any(word[:3] in text for word in wanted):
                    raise Failed(f"piece {row} has none of the words {' '.join(wanted)}")
        figures[kind] = statistics.median(ms for ms, _ in answers)
    return figures


def ask_vectors(asked, right):
    answers = asked(range(len(right)))
    found = [ids for _, ids in answers]
    needs_ten(found)
    figures = {"ms": statistics.median(ms for ms, _ in answers)}
    if None not in found:
        figures["recall"] = data.recall_at(found, right)
        if figures["recall"] < 0.5:
            raise Failed(f"recall@10 is {figures['recall']:.3f}: this is no answer to the question")
    return figures


def one_by_one(peer):
    return lambda questions: [peer.ask_process(question) for question in questions]


def run_words(run, work, repeats, parts):
    peers = run.peers_of(WORD_PEERS, work)
    megabytes = sum(len(piece.encode()) for piece in work.pieces) / 1e6

    def build(peer):
        seconds = peer.build()
        figures = {"seconds": seconds, "mb": peer.bytes / 1e6}
        if seconds:
            figures |= {"speed": megabytes / seconds, "share": peer.bytes / 1e6 / megabytes}
        return figures

    built = run.take_turns(5, peers, run.options.build_repeats if 5 in parts else 1, build)
    peers = [peer for peer in peers if (5, peer.label) not in run.failed]
    questions = data.choose_words(work.pieces)
    run.report["words"] = {kind: [" ".join(q) for q in some] for kind, some in questions.items()}
    kinds = [("rare", "a rare word", True), ("common", "a common word", True),
             ("four", "four words", True)]  # fmt: skip
    for part, way, label in ((1, one_by_one, "label"), (2, lambda p: p.ask_all_inside, "inside_label")):
        able = [p for p in peers if (p.ask_process if part == 1 else p.ask_inside)]
        if part in parts:
            measure = lambda peer: ask_words(work, way(peer), questions)  # noqa: B023, E731
            run.take_turns(part, able, 1, measure)  # the first time does not count
            run.tell(part, run.take_turns(part, able, repeats, measure), kinds, label)
    if 5 in parts:
        kept = {peer: b for peer, b in built.items() if peer.name not in ("nothing", "ripgrep")}
        columns = [("seconds", "seconds", True), ("speed", "MB/s", False), ("mb", "MB on disk", True),
                   ("share", "of the text", False)]  # fmt: skip
        run.tell(5, kept, columns, "build_label")
    for peer in peers:
        peer.close()


def run_vectors(run, work, repeats, parts):
    peers = run.peers_of(VECTOR_PEERS, work)
    right = data.exact(work.vectors, work.questions)
    built = run.take_turns(
        4, peers, 1, lambda peer: {"build": peer.build(), "mb": peer.bytes / 1e6}
    )
    for part, way, label in ((3, one_by_one, "label"), (4, lambda p: p.ask_all_inside, "inside_label")):
        able = [p for p in peers if (p.ask_process if part == 3 else p.ask_inside)]
        if part not in parts:
            continue
        for peer in able:
            if (4, peer.label) in run.failed:
                run.failed[part, peer.label] = run.failed[4, peer.label]
        # The questions of a whole process are fewer: each costs up to a second.
        some = right[: 10 if part == 3 else len(right)]
        measure = lambda peer: ask_vectors(way(peer), some)  # noqa: B023, E731
        run.take_turns(part, able, 1, measure)
        measured = run.take_turns(part, able, repeats, measure)
        columns = [("ms", "ms", True), ("recall", "recall@10", False)]
        if part == 4:
            columns = [("build", "build, s", True), *columns, ("mb", "MB on disk", True)]
            measured = {p: [v | b for v in values for b in built[p]] for p, values in measured.items()}
        run.tell(part, measured, columns, label)
    for peer in peers:
        peer.close()


def machine():
    info = pathlib.Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    model = next((line.split(":")[1].strip() for line in lines if "model name" in line), "")
    return {"processor": model, "cores": os.cpu_count(), "system": platform.platform()}


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("recall", type=pathlib.Path, nargs="?")
    parser.add_argument("corpus", nargs="*", default=CORPUS)
    parser.add_argument("--chunks", type=int, default=100_000, help="pieces of text")
    parser.add_argument("--vectors", type=int, default=100_000)
    parser.add_argument("--only", help=f"these peers beside Recall: {','.join(NAMES)}")
    parser.add_argument("--parts", default="1,2,3,4,5", help="of README.md, such as 3,4")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--build-repeats", type=int, default=3, help="of part 5")
    parser.add_argument("--scratch", type=pathlib.Path, help="keep what is built in this directory")
    parser.add_argument("--npm", type=pathlib.Path, help="where npm install was run")
    parser.add_argument("--json", type=pathlib.Path, help="write all figures to this file")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    parser.usage = None
    options.only = set(options.only.split(",")) if options.only else set()
    unknown = options.only - set(NAMES)
    if unknown:
        sys.exit(f"run.py: no such peer: {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}")
    try:
        options.parts = {int(part) for part in options.parts.split(",")}
    except ValueError:
        options.parts = {0}
    if options.parts - set(PARTS):
        sys.exit("run.py: --parts are numbers from 1 to 5")
    if min(options.chunks, options.vectors) < 1000 or min(options.repeats, options.build_repeats) < 1:
        sys.exit("run.py: at least 1000 chunks and vectors, and one repeat, are wanted")
    if options.self_test:
        return options
    if not options.recall or not os.access(options.recall, os.X_OK) or options.recall.is_dir():
        sys.exit(f"run.py: not a program: {options.recall or 'RECALL is missing'}")
    for directory in options.corpus:
        if not pathlib.Path(directory).is_dir():
            sys.exit(f"run.py: not a directory: {directory}")
    if options.npm and not options.npm.is_dir():
        sys.exit(f"run.py: not a directory: {options.npm}")
    return options


def main():
    options = parse()
    if options.self_test:
        data.self_test()
        print("self-test: ok")
        return
    scratch = options.scratch or pathlib.Path(tempfile.mkdtemp(prefix="recall-peers-"))
    scratch.mkdir(parents=True, exist_ok=True)
    work = Work(options.recall.resolve(), scratch.resolve(), options.npm and options.npm.resolve())
    run = Run(options)
    run.report |= {"machine": machine(), "load_before": os.getloadavg()}
    try:
        if options.parts & {1, 2, 5}:
            work.pieces = data.make_pieces(options.corpus, options.chunks)
            print(f"{len(work.pieces)} pieces of text, {sum(map(len, work.pieces)) / 1e6:.1f} MB")
            run_words(run, work, options.repeats, options.parts)
        if options.parts & {3, 4}:
            work.vectors, work.questions = data.make_vectors(options.vectors, QUESTIONS)
            run_vectors(run, work, options.repeats, options.parts)
    finally:
        if not options.scratch:
            shutil.rmtree(scratch)
    for name, reason in sorted(run.missing.items()):
        print(f"\nnot installed: {name}: {reason}")
    run.report |= {"missing": run.missing, "load_after": os.getloadavg(), "numpy": numpy.__version__}
    print(f"\nload average {run.report['load_before'][0]:.1f} before, {run.report['load_after'][0]:.1f} after")
    if options.json:
        options.json.write_text(json.dumps(run.report, indent=1) + "\n")


if __name__ == "__main__":
    main()
