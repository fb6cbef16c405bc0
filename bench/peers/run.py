#!/usr/bin/env python3
"""Runs the same work with Recall and with other programs, in turns.

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

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # must be set before numpy is loaded

try:
    import numpy  # noqa: F401
except ImportError:
    sys.exit(f"run.py: {sys.executable} has no numpy: install python3-numpy, run /usr/bin/python3")

import data  # noqa: E402
import peer_libraries as libraries  # noqa: E402
import peer_node as node  # noqa: E402
import peer_programs as programs  # noqa: E402
import peer_recall as recall  # noqa: E402
import peer_sqlite_vectors as sqlite_vectors  # noqa: E402
import peer_words as words  # noqa: E402
from common import Failed, Nothing, Work, needs_ten  # noqa: E402
from turns import PARTS, Turns  # noqa: E402

CORPUS = ["/usr/share/doc", "/usr/share/perl", "/usr/lib/python3"]
QUESTIONS = 50
PROCESS_QUESTIONS = 20  # fewer, because some take half a second
LEAST = 5000  # pieces and vectors: Recall has no segment of vectors below 4096
LEAST_RECALL = 0.5  # a peer with a lower recall has failed
WORD_PEERS = [
    *(recall.RecallWords, words.Fts5, words.Xapian, words.Ripgrep),
    *(programs.Qmd, programs.Memvid, Nothing),
]
VECTOR_PEERS = [
    *(recall.RecallVectors, recall.RecallInside, recall.RecallInsideWhole),
    *(recall.RecallLearntVectors, libraries.Scan),
    *(sqlite_vectors.SqliteVec, sqlite_vectors.SqliteVecInt8),
    *(sqlite_vectors.SqliteVector, sqlite_vectors.SqliteVectorQuantized),
    *(libraries.Faiss, libraries.FaissFastScan, libraries.FaissIvf, libraries.Hnswlib),
    *(node.UsearchExact, node.Usearch, node.Lancedb, node.Duckdb, Nothing),
]
NAMES = sorted({peer.name for peer in WORD_PEERS + VECTOR_PEERS} - {"nothing", "recall"})


def ask_words(work, ask_all, questions):
    """Median milliseconds of the questions of each kind. Checks each answer first."""
    figures = {}
    for kind, some in questions.items():
        answers = ask_all(some)
        needs_ten(found for _, found in answers)
        for wanted, (_, found) in zip(some, answers):
            for row in found or []:
                # Three letters, because an engine may match other forms of a word.
                if not any(word[:3] in work.pieces[row].lower() for word in wanted):
                    raise Failed(f"piece {row} has none of the words {' '.join(wanted)}")
        figures[kind] = statistics.median(milliseconds for milliseconds, _ in answers)
    return figures


def ask_vectors(ask_all, right):
    answers = ask_all(range(len(right)))
    found = [rows for _, rows in answers]
    needs_ten(found)
    figures = {"ms": statistics.median(milliseconds for milliseconds, _ in answers)}
    if None not in found:
        figures["recall"] = data.recall_at(found, right)
        if figures["recall"] < LEAST_RECALL:
            raise Failed(f"recall@10 is {figures['recall']:.3f}: no answer to the question")
    return figures


def run_words(turns, work, options):
    peers = turns.install(WORD_PEERS, work, options.only)
    text = sum(len(piece.encode()) for piece in work.pieces) / 1e6

    def build(peer):
        seconds = peer.build()
        if seconds is None:
            return {}
        disk = peer.bytes / 1e6
        return {"seconds": seconds, "speed": text / seconds, "disk": disk, "share": disk / text}

    repeats = options.build_repeats if 5 in options.parts else 1
    built = turns.build(5, peers, repeats, build, askers=(1, 2))
    questions = data.choose_words(work.pieces)
    turns.report["words"] = {kind: [" ".join(q) for q in some] for kind, some in questions.items()}
    columns = [("rare", "a rare word", True), ("common", "a common word", True)]
    columns += [("four", "four words", True)]
    if 1 in options.parts:
        measured = turns.ask(
            1, peers, options.repeats, lambda p: ask_words(work, p.ask_all_processes, questions)
        )
        turns.tell(1, measured, columns)
    if 2 in options.parts:
        measured = turns.ask(
            2, peers, options.repeats, lambda p: ask_words(work, p.ask_all_inside, questions)
        )
        turns.tell(2, measured, columns)
    if 5 in options.parts:
        columns = [("seconds", "seconds", True), ("speed", "MB/s", False)]
        columns += [("disk", "MB on disk", True), ("share", "of the text", False)]
        turns.tell(5, {peer: b for peer, b in built.items() if 5 in peer.parts}, columns)
    for peer in peers:
        peer.close()


def run_vectors(turns, work, options):
    peers = turns.install(VECTOR_PEERS, work, options.only)
    right = data.exact(work.vectors, work.questions)

    def build(peer):
        return {"build": peer.build(), "disk": peer.bytes and peer.bytes / 1e6}

    built = turns.build(4, peers, 1, build, askers=(3,))
    columns = [("ms", "ms", True), ("recall", "recall@10", False)]
    if 3 in options.parts:
        some = right[:PROCESS_QUESTIONS]
        measured = turns.ask(
            3, peers, options.repeats, lambda p: ask_vectors(p.ask_all_processes, some)
        )
        turns.tell(3, measured, columns)
    if 4 in options.parts:
        measured = turns.ask(
            4, peers, options.repeats, lambda p: ask_vectors(p.ask_all_inside, right)
        )
        columns = [("build", "build, s", True), *columns, ("disk", "MB on disk", True)]
        turns.tell(4, {p: [m | built[p][0] for m in some] for p, some in measured.items()}, columns)
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
    parser.add_argument("recall", type=pathlib.Path, nargs="?", help="the program")
    parser.add_argument("corpus", nargs="*", default=CORPUS, help="directories of text")
    parser.add_argument("--chunks", type=int, default=100_000, help="pieces of text")
    parser.add_argument("--vectors", type=int, default=100_000)
    parser.add_argument("--only", help=f"these peers beside Recall: {','.join(NAMES)}")
    parser.add_argument("--parts", default="1,2,3,4,5", help="of README.md, such as 3,4")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--build-repeats", type=int, default=3, help="of part 5")
    parser.add_argument("--scratch", type=pathlib.Path, help="keep what is built in this directory")
    parser.add_argument("--npm", type=pathlib.Path, help="where npm install was run")
    parser.add_argument("--json", type=pathlib.Path, help="write all figures to this file")
    parser.add_argument("--self-test", action="store_true", help="check the harness, not the peers")
    options = parser.parse_intermixed_args()
    options.only = set(options.only.split(",")) if options.only else set()
    parts = options.parts.split(",")
    options.parts = {int(part) for part in parts if part.isdigit()}
    unknown = options.only - set(NAMES)
    if unknown:
        parser.error(f"no such peer: {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}")
    if not all(part.isdigit() for part in parts) or options.parts - set(PARTS):
        parser.error("--parts are numbers from 1 to 5")
    if min(options.chunks, options.vectors) < LEAST:
        parser.error(f"at least {LEAST} chunks and vectors are wanted")
    if min(options.repeats, options.build_repeats) < 1:
        parser.error("at least one repeat is wanted")
    if options.self_test:
        return options
    if not options.recall or not os.access(options.recall, os.X_OK) or options.recall.is_dir():
        parser.error(f"not a program: {options.recall or 'RECALL is missing'}")
    directories = [*options.corpus, *filter(None, [options.npm])]
    directories += [options.json.absolute().parent] if options.json else []
    for directory in directories:
        if not pathlib.Path(directory).is_dir():
            parser.error(f"not a directory: {directory}")
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
    turns = Turns()
    turns.report |= {"machine": machine(), "load_before": os.getloadavg()}
    try:
        if options.parts & {1, 2, 5}:
            work.pieces = data.make_pieces(options.corpus, options.chunks)
            if len(work.pieces) < options.chunks:
                print(f"there is text for {len(work.pieces)} pieces only, not {options.chunks}")
            run_words(turns, work, options)
        if options.parts & {3, 4}:
            work.vectors, work.questions = data.make_vectors(options.vectors, QUESTIONS)
            run_vectors(turns, work, options)
    finally:
        if not options.scratch:
            shutil.rmtree(scratch)
    for label, reason in turns.left_out.items():
        print(f"\nleft out: {label}: {reason}")
    turns.report |= {"left_out": turns.left_out, "load_after": os.getloadavg()}
    turns.report |= {"pieces": len(work.pieces), "vectors": options.vectors}
    before, after = turns.report["load_before"][0], turns.report["load_after"][0]
    print(f"\nload average {before:.1f} before, {after:.1f} after")
    if options.json:
        options.json.write_text(json.dumps(turns.report, indent=1) + "\n")


if __name__ == "__main__":
    main()
