#!/usr/bin/env python3
"""Measures what a search pays for comparing pages with their checksums.

Whole processes in turns, with `verify = first_use` (the default) and `verify = doctor` (never), five
questions a round, after one round that is not counted. Prints the medians in milliseconds and three
ratios: of the processor times (the steadiest on a busy machine), of the medians, and of the least
times.

    verify_cost.py RECALL STORE [ROUNDS]
"""

import os
import resource
import statistics
import subprocess
import sys
import time

QUESTIONS = [
    "memory allocation failure in driver probe",
    "how are interrupts handled",
    "usb device descriptor parsing",
    "scheduler run queue lock",
    "file system journal commit",
]
MODES = {
    "hybrid": ["search"],
    "words": ["search", "--bm25"],
    "vectors": ["search", "--vector"],
    "filter": ["search", "--filter", "doc.path LIKE '%e%'"],
    "context": ["context", "--budget-tokens", "400"],
}
WAYS = ("first_use", "doctor")


def processor_time():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(program, store, verify, arguments, question):
    """Returns (wall seconds, processor seconds)."""
    command = [program, "--store", store, *arguments, question, "--json"]
    began, used = time.perf_counter(), processor_time()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True, env=dict(os.environ, RECALL_VERIFY=verify))
    return time.perf_counter() - began, processor_time() - used


def main():
    program, store = sys.argv[1:3]
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 20
    for mode, arguments in MODES.items():
        times = {way: [] for way in WAYS}
        for turn in range(rounds + 1):
            for question in QUESTIONS:
                for way in WAYS if turn % 2 else reversed(WAYS):
                    measured = run(program, store, way, arguments, question)
                    if turn > 0:
                        times[way].append(measured)
        wall = {way: [wall for wall, _ in times[way]] for way in WAYS}
        median = {way: statistics.median(wall[way]) for way in WAYS}
        processor = {way: sum(used for _, used in times[way]) for way in WAYS}
        first, never = WAYS
        print(
            f"{mode:8} {1e3 * median[first]:7.2f} ms, without {1e3 * median[never]:7.2f} ms; ratios: "
            f"processor {processor[first] / processor[never]:.3f}, "
            f"medians {median[first] / median[never]:.3f}, "
            f"least {min(wall[first]) / min(wall[never]):.3f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
