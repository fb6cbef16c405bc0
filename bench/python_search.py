#!/usr/bin/env python3
"""What a search costs in Python, beside the same search in one process of the program.

    bench/python_search.py LIBRARY PROGRAM STORE [--turns N] [--samples N]

LIBRARY is librecall.so.1, of the same build as PROGRAM. `recall bench --only search` samples queries and times them
without printing. The same queries are then asked by the package `recall`, with all hits as objects, and by the
function of the library alone, whose hits are not read. The three take turns, and the least time of each query counts,
because other programs of the machine can only make it longer.

Then new processes: from their start to the first hit, beside `python3 -c pass` and `recall search`.
"""

import argparse
import ctypes
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

PACKAGE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli/library/python")
FIRST = """
import sys
sys.path.insert(0, {package!r})
import recall
store = recall.open({store!r})
print(store.search({query!r}, 10)[0].path, flush=True)
"""


def milliseconds(call):
    began = time.perf_counter()
    call()
    return (time.perf_counter() - began) * 1000


def bench(program, store, *options):
    command = [program, "bench", "--store", store, "--only", "search", "-k", "10", "--json", *options]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)["bench"]


def search_alone(store):
    """The function of the library, called as the package calls it."""
    native, hits = store._native, ctypes.c_void_p()

    def search(query):
        native.recall_search(store._handle, query.encode(), b'{"k":10}', None, ctypes.byref(hits), None)
        native.recall_hits_free(hits)

    return search


def compare(options):
    import recall

    queries = bench(options.program, options.store, "--samples", str(options.samples), "--rounds", "1")["questions"][
        "texts"
    ]
    with open("queries.txt", "w", encoding="utf-8") as file:
        file.writelines(query + "\n" for query in queries)
    program, alone, package = ([float("inf")] * len(queries) for _ in range(3))
    with recall.open(options.store, library=options.library) as store:
        raw = search_alone(store)
        for query in queries:
            assert store.search(query, 10), query
        for _ in range(options.turns):
            asked = bench(options.program, options.store, "--queries", "queries.txt", "--rounds", "1")
            keep_least(program, asked["latencies"][0]["query_ms"])
            keep_least(alone, [milliseconds(lambda: raw(query)) for query in queries])
            keep_least(package, [milliseconds(lambda: store.search(query, 10)) for query in queries])
    print(f"{asked['chunks']} chunks, {len(queries)} queries, the least of {options.turns} turns")
    print(f"{'recall bench':30} {statistics.mean(program):.3f} ms a query")
    for name, times in (("recall_search, hits not read", alone), ("Store.search", package)):
        of_each = [time / least for time, least in zip(times, program)]
        print(
            f"{name:30} {sum(times) / sum(program):.3f} of that; median of the queries {statistics.median(of_each):.3f}"
        )
    return queries[0]


def keep_least(least, times):
    least[:] = map(min, least, times)


def first_results(options, query):
    script = FIRST.format(package=PACKAGE, store=options.store, query=query)
    commands = {
        "python3 -c pass": [sys.executable, "-c", "pass"],
        "recall search": [options.program, "--store", options.store, "search", "-k", "10", "--jsonl", query],
        "python3: open, search": [sys.executable, "-c", script],
    }
    times = {name: [] for name in commands}
    environment = dict(os.environ, RECALL_LIBRARY=options.library, RECALL_SERVE="never")
    for _ in range(options.turns * 3):
        for name, command in commands.items():
            began = time.perf_counter()
            with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
                process.stdout.readline()
                times[name].append((time.perf_counter() - began) * 1000)
                process.stdout.read()
    print("from the start of a process to its first line, ms: least, median")
    for name, values in times.items():
        print(f"{name:30} {min(values):7.1f} {statistics.median(values):7.1f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("library", "program", "store"):
        parser.add_argument(name, type=os.path.realpath)
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--samples", type=int, default=100)
    options = parser.parse_args()
    sys.path.insert(0, PACKAGE)
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        first_results(options, compare(options))


if __name__ == "__main__":
    main()
