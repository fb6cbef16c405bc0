#!/usr/bin/env python3
"""Compares programs by the time of a search as a whole process, in turns.

    compare.py [--rounds N] [--cold] [--questions FILE] [--similar] PROGRAM=STORE...

Runs each question N times with every pair in turns: by hybrid, lexical and semantic search. Prints
a table of medians, with the minimum in brackets, and the ratio to the first pair: the median of the
ratios for the same question in the same round. --cold evicts the store from the page cache before
each search. --similar runs `recall similar` with the documents whose paths are the lines of FILE.
"""

import argparse
import os
import statistics
import subprocess
import time

from measure import MODES, QUESTIONS, environment


def forget(store):
    """Evicts the store from the page cache, unless another process maps its pages."""
    for name in (store, store + "-wal"):
        if os.path.exists(name):
            file = os.open(name, os.O_RDONLY)
            os.fdatasync(file)
            os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(file)


def milliseconds(program, store, command, mode, question, cold):
    if cold:
        forget(store)
    command = [program, command, "--json", "--store", store, *MODES[mode], question]
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment())
    return (time.perf_counter() - start) * 1e3


def measure(pairs, command, questions, rounds, cold):
    """{(pair, mode): [ms]}; all lists have the same order of rounds and questions."""
    times = {(pair, mode): [] for pair in pairs for mode in MODES}
    for turn in range(rounds + (0 if cold else 1)):  # the first round warms the page cache
        for mode in MODES:
            for question in questions:
                for pair in pairs:
                    took = milliseconds(*pair, command, mode, question, cold)
                    if cold or turn > 0:
                        times[pair, mode].append(took)
    return times


def cell(times, first):
    ratio = statistics.median(took / other for took, other in zip(times, first))
    return f"{statistics.median(times):.1f} ms ({min(times):.1f}), {ratio:.2f}"


def pair(text):
    program, equals, store = text.partition("=")
    if not equals or not os.path.isfile(store):
        raise argparse.ArgumentTypeError(f"{text}: want PROGRAM=STORE, and STORE is a file")
    return program, store


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--cold", action="store_true")
    parser.add_argument("--questions", metavar="FILE", help="one a line")
    parser.add_argument("--similar", action="store_true")
    parser.add_argument("pairs", nargs="+", type=pair, metavar="PROGRAM=STORE")
    given = parser.parse_args()
    questions = [] if given.similar else QUESTIONS
    if given.questions:
        with open(given.questions, encoding="utf-8") as lines:
            questions = lines.read().splitlines()
    if not questions or given.rounds < 1:
        parser.error("there is nothing to ask")
    pairs = given.pairs
    command = "similar" if given.similar else "search"
    times = measure(pairs, command, questions, given.rounds, given.cold)
    print(f"| program, store | {' | '.join(MODES)} |\n|{' --- |' * (len(MODES) + 1)}")
    for program, store in pairs:
        cells = [cell(times[(program, store), mode], times[pairs[0], mode]) for mode in MODES]
        print(f"| {program} {store} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
