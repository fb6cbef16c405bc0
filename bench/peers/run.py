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
    sys.exit(
        f"run.py: {sys.executable} has no numpy; install python3-numpy and run /usr/bin/python3"
    )

import data  # noqa: E402
import peer_libraries as libraries  # noqa: E402
import peer_node as node  # noqa: E402
import peer_sqlite_vectors as sqlite_vectors  # noqa: E402
import peer_words as words  # noqa: E402
from common import Failed, Missing, Nothing, Work, needs_ten  # noqa: E402
from peer_recall import RecallLearntVectors, RecallVectors, RecallWords  # noqa: E402

CORPUS = ["/usr/share/doc", "/usr/share/perl", "/usr/lib/python3"]
QUESTIONS = 50
PROCESS_QUESTIONS = 20
LEAST_RECALL = 0.5  # what finds less does not answer, and its time is not told
WORD_PEERS = [RecallWords, words.Fts5, words.Xapian, words.Ripgrep, Nothing]
VECTOR_PEERS = [
    RecallVectors,
    RecallLearntVectors,
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
LABELS = {1: "label", 2: "inside_label", 3: "label", 4: "inside_label", 5: "build_label"}


class Run:
    def __init__(self, options):
        self.options = options
        self.failed = {}  # (part, label) -> reason
        self.missing = {}
        self.report = {"parts": []}

    def peers_of(self, kinds, work):
        """Those that were chosen and are installed. Recall is the first and always chosen."""
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
        """{peer: [figures of each turn]}. Each peer once, then each again: noise hits all alike."""
        measured = {peer: [] for peer in peers}
        for turn in range(repeats):
            first = turn % len(peers)
            for peer in peers[first:] + peers[:first]:
                if (part, peer.label) in self.failed:
                    continue
                progress(f"{PARTS[part]}: {turn + 1}/{repeats} {peer.label}")
                try:
                    measured[peer].append(measure(peer))
                except (Failed, Missing) as error:
                    self.failed[part, peer.label] = str(error)
                except Exception as error:  # whatever a library throws is its own failure
                    self.failed[part, peer.label] = f"{type(error).__name__}: {error}"[:200]
        progress("")
        if (part, peers[0].label) in self.failed:
            sys.exit(f"run.py: Recall failed: {self.failed[part, peers[0].label]}")
        return measured

    def tell(self, part, measured, columns):
        """Prints a table and keeps it. `columns`: name of the figure, title, has a ratio."""
        ours = next(iter(measured.values()))
        heads = []
        for _, title, has_ratio in columns:
            heads += [title, "times Recall's"] if has_ratio else [title]
        print(f"\n## {PARTS[part]}\n\n| | {' | '.join(heads)} |\n|{' --- |' * (len(heads) + 1)}")
        rows = []
        for peer, turns in measured.items():
            label = getattr(peer, LABELS[part], None) or peer.label
            row = {"peer": peer.name, "label": label, "version": peer.version, "figures": {}}
            rows.append(row)
            cells = []
            if (part, peer.label) in self.failed:
                row["failed"] = self.failed[part, peer.label]
                cells = [f"failed: {row['failed']}"] + [""] * (len(heads) - 1)
                columns_left = []
            else:
                columns_left = columns
            for column, _, has_ratio in columns_left:
                figure = summary([t.get(column) for t in turns], [t.get(column) for t in ours])
                row["figures"][column] = figure
                cells.append(written(figure))
                if has_ratio:
                    cells.append(f"{figure['ratio']:.3g}" if figure and figure["ratio"] else "")
            print(f"| {label} | {' | '.join(cells)} |", flush=True)
        self.report["parts"].append({"part": part, "title": PARTS[part], "rows": rows})


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def summary(values, ours):
    """Median, least and most, and the median of the ratios to Recall in the same turn."""
    if not values or None in values:
        return None
    ratios = [value / our for value, our in zip(values, ours) if our]
    return {
        "median": statistics.median(values),
        "least": min(values),
        "most": max(values),
        "ratio": statistics.median(ratios) if ratios else None,
        "values": values,
    }


def written(figure):
    """`median (least to most)`, three digits each."""
    if figure is None:
        return ""
    numbers = [figure[name] for name in ("median", "least", "most")]
    median, *ends = [f"{n:.0f}" if n >= 100 else f"{n:.3g}" for n in numbers]
    return median if ends == [median, median] else f"{median} ({ends[0]} to {ends[1]})"


def ask_words(work, ask_all, questions):
    """Milliseconds of the median question of each kind, after each answer was looked at."""
    figures = {}
    for kind, some in questions.items():
        answers = ask_all(some)
        needs_ten(found for _, found in answers)
        for wanted, (_, found) in zip(some, answers):
            for row in found or []:
                # Three letters, because an engine may find other forms of a word.
                if not any(word[:3] in work.pieces[row].lower() for word in wanted):
                    raise Failed(f"piece {row} has none of the words {' '.join(wanted)}")
        figures[kind] = statistics.median(milliseconds for milliseconds, _ in answers)
    return figures


def ask_vectors(ask_all, right):
    answers = ask_all(range(len(right)))
    found = [ids for _, ids in answers]
    needs_ten(found)
    figures = {"ms": statistics.median(milliseconds for milliseconds, _ in answers)}
    if None not in found:
        figures["recall"] = data.recall_at(found, right)
        if figures["recall"] < LEAST_RECALL:
            raise Failed(f"recall@10 is {figures['recall']:.3f}: no answer to the question")
    return figures


def run_words(run, work):
    peers = run.peers_of(WORD_PEERS, work)
    megabytes = sum(len(piece.encode()) for piece in work.pieces) / 1e6

    def build(peer):
        seconds = peer.build()
        if seconds is None:
            return {}
        on_disk = peer.bytes / 1e6
        return {
            "seconds": seconds,
            "speed": megabytes / seconds,
            "disk": on_disk,
            "share": on_disk / megabytes,
        }

    built = run.take_turns(
        5, peers, run.options.build_repeats if 5 in run.options.parts else 1, build
    )
    questions = data.choose_words(work.pieces)
    run.report["words"] = {kind: [" ".join(q) for q in some] for kind, some in questions.items()}
    for part in sorted(run.options.parts & {1, 2}):
        inside = part == 2

        def measure(peer):
            ask_all = peer.ask_all_inside if inside else peer.ask_all_processes  # noqa: B023
            return ask_words(work, ask_all, questions)

        asked = [p for p in peers if part in p.parts and (5, p.label) not in run.failed]
        run.take_turns(part, asked, 1, measure)  # the first time does not count
        measured = run.take_turns(part, asked, run.options.repeats, measure)
        titles = {"rare": "a rare word", "common": "a common word", "four": "four words"}
        run.tell(part, measured, [(kind, title, True) for kind, title in titles.items()])
    if 5 in run.options.parts:
        indexes = {peer: turns for peer, turns in built.items() if 5 in peer.parts}
        columns = [("seconds", "seconds", True), ("speed", "MB/s", False)]
        columns += [("disk", "MB on disk", True), ("share", "of the text", False)]
        run.tell(5, indexes, columns)
    for peer in peers:
        peer.close()


def run_vectors(run, work):
    peers = run.peers_of(VECTOR_PEERS, work)
    right = data.exact(work.vectors, work.questions)

    def build(peer):
        seconds = peer.build()
        return {"build": seconds, "disk": peer.bytes and peer.bytes / 1e6}

    built = run.take_turns(4, peers, 1, build)
    for peer in peers:
        if (4, peer.label) in run.failed:
            run.failed[3, peer.label] = run.failed[4, peer.label]
    for part in sorted(run.options.parts & {3, 4}):
        inside = part == 4

        def measure(peer):
            ask_all = peer.ask_all_inside if inside else peer.ask_all_processes  # noqa: B023
            # Whole processes are asked less: some take half a second.
            return ask_vectors(
                ask_all, right if inside else right[:PROCESS_QUESTIONS]
            )  # noqa: B023

        asked = [peer for peer in peers if part in peer.parts]
        run.take_turns(part, asked, 1, measure)
        measured = run.take_turns(part, asked, run.options.repeats, measure)
        columns = [("ms", "ms", True), ("recall", "recall@10", False)]
        if inside:
            measured = {p: [turn | built[p][0] for turn in turns] for p, turns in measured.items()}
            columns = [("build", "build, s", True), *columns, ("disk", "MB on disk", True)]
        run.tell(part, measured, columns)
    for peer in peers:
        peer.close()


def machine():
    info = pathlib.Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    model = next((line.split(":")[1].strip() for line in lines if "model name" in line), "")
    return {"processor": model, "cores": os.cpu_count(), "system": platform.platform()}


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.error = lambda message: sys.exit(f"run.py: {message}")
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
    options.only = set(options.only.split(",")) if options.only else set()
    unknown = options.only - set(NAMES)
    if unknown:
        sys.exit(
            f"run.py: no such peer: {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}"
        )
    try:
        options.parts = {int(part) for part in options.parts.split(",")}
    except ValueError:
        options.parts = {0}
    if options.parts - set(PARTS):
        sys.exit("run.py: --parts are numbers from 1 to 5")
    if (
        min(options.chunks, options.vectors) < 1000
        or min(options.repeats, options.build_repeats) < 1
    ):
        sys.exit("run.py: at least 1000 chunks and vectors, and one repeat, are wanted")
    if options.self_test:
        return options
    if not options.recall or not os.access(options.recall, os.X_OK) or options.recall.is_dir():
        sys.exit(f"run.py: not a program: {options.recall or 'RECALL is missing'}")
    given = [options.npm] if options.npm else []
    given += [options.json.absolute().parent] if options.json else []
    for directory in [*options.corpus, *given]:
        if not pathlib.Path(directory).is_dir():
            sys.exit(f"run.py: not a directory: {directory}")
    return options


def main():
    options = parse()
    if options.self_test:
        data.self_test()
        print("self-test: ok")
        return
    if options.scratch:
        scratch = options.scratch.resolve() / "recall-peers"
        scratch.mkdir(parents=True, exist_ok=True)
    else:
        scratch = pathlib.Path(tempfile.mkdtemp(prefix="recall-peers-"))
    work = Work(options.recall.resolve(), scratch, options.npm and options.npm.resolve())
    run = Run(options)
    run.report |= {"machine": machine(), "load_before": os.getloadavg()}
    try:
        if options.parts & {1, 2, 5}:
            work.pieces = data.make_pieces(options.corpus, options.chunks)
            if len(work.pieces) < options.chunks:
                print(f"there is text for {len(work.pieces)} pieces only, not {options.chunks}")
            run_words(run, work)
        if options.parts & {3, 4}:
            work.vectors, work.questions = data.make_vectors(options.vectors, QUESTIONS)
            run_vectors(run, work)
    finally:
        if not options.scratch:
            shutil.rmtree(scratch)
    for name, reason in sorted(run.missing.items()):
        print(f"\nnot installed: {name}: {reason}")
    run.report |= {"missing": run.missing, "load_after": os.getloadavg()}
    run.report |= {"pieces": len(work.pieces), "vectors": options.vectors}
    before, after = run.report["load_before"][0], run.report["load_after"][0]
    print(f"\nload average {before:.1f} before, {after:.1f} after")
    if options.json:
        options.json.write_text(json.dumps(run.report, indent=1) + "\n")


if __name__ == "__main__":
    main()
