#!/usr/bin/env python3
"""Measures how the time of a search grows with the store.

    measure.py RECALL OUT [--store DIR]... [DIR]...

Makes stores of about 10,000, 100,000 and 1,000,000 chunks of the texts below DIR..., if there is
enough text, or uses those of --store. Searches each with the same questions, in new processes and
in a long-lived one. Writes OUT/curves.json and its plots (plot.py).
"""

import argparse
import datetime
import hashlib
import json
import os
import pathlib
import platform
import statistics
import subprocess
import tempfile
import time

import plot

CHUNKS = [10_000, 100_000, 1_000_000]
BYTES_PER_CHUNK = 2_400  # about, for documentation and sources
LARGEST_FILE = 16 << 20
SOME_FILES_FAILED = 3  # exit code: a file that disappears meanwhile is no reason to stop
QUESTIONS = [
    "thread safe memory allocation",
    "copyright notice",
    "how do I report a bug in this package",
    "EINVAL invalid argument",
    "network socket timeout retry",
]
MODES = {"hybrid": [], "words": ["--bm25"], "meaning": ["--vector"]}
INSIDE = {"hybrid": "search", "words": "bm25", "meaning": "vector"}


def environment():
    """The environment without the user's settings of Recall."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("RECALL_")}
    return kept | {"RECALL_CONFIG": "/dev/null", "LC_ALL": "C.UTF-8"}


def list_files(directories):
    """Regular files in the order of a hash of their paths, so that any prefix is a random sample."""
    found = {}
    for directory in directories:
        for parent, _, names in os.walk(directory):
            for name in names:
                path = os.path.join(parent, name)
                if os.path.isfile(path) and not os.path.islink(path):
                    found[path] = os.path.getsize(path)
    return sorted(
        ((path, size) for path, size in found.items() if size <= LARGEST_FILE),
        key=lambda file: hashlib.sha256(file[0].encode()).digest(),
    )


def build(recall, place, files, chunks):
    """Makes a store of about CHUNKS chunks. Returns: time and memory of the ingest, or None if text is short."""
    paths, bytes_left = [], chunks * BYTES_PER_CHUNK
    for path, size in files:
        if bytes_left <= 0:
            break
        paths.append(path)
        bytes_left -= size
    if bytes_left > chunks * BYTES_PER_CHUNK // 4:
        return None
    subprocess.run([recall, "init", place], check=True, stdout=subprocess.DEVNULL, env=environment())
    command = [recall, "add", "--store", place, "--files-from", "-", "--null", "--quiet"]
    start = time.perf_counter()
    adding = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=environment())
    with adding.stdin as names:
        names.write("\0".join(os.path.abspath(path) for path in paths).encode())
    _, status, usage = os.wait4(adding.pid, 0)
    adding.returncode = os.waitstatus_to_exitcode(status)
    if adding.returncode not in (0, SOME_FILES_FAILED):
        raise SystemExit(f"recall add ended with {adding.returncode}")
    return {"seconds": time.perf_counter() - start, "peak_bytes": usage.ru_maxrss * 1024}


def spread(milliseconds):
    return {
        "least": min(milliseconds),
        "median": statistics.median(milliseconds),
        "most": max(milliseconds),
        "runs": len(milliseconds),
    }


def ask_in_processes(recall, store, rounds):
    """The modes take turns, so that noise affects all alike."""
    times = {mode: [] for mode in MODES}
    for turn in range(rounds + 1):
        for question in QUESTIONS:
            for mode, flags in MODES.items():
                command = [recall, "search", "--store", store, "--json", *flags, question]
                start = time.perf_counter()
                subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment())
                if turn > 0:  # the first turn warms the page cache
                    times[mode].append((time.perf_counter() - start) * 1e3)
    return {mode: spread(of) for mode, of in times.items()}


def ask_inside(recall, store, rounds):
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as questions:
        questions.write("\n".join(QUESTIONS) + "\n")
        questions.flush()
        command = [recall, "bench", "--store", store, "--json", "--queries", questions.name]
        command += ["--rounds", str(rounds), "--only", ",".join(INSIDE.values())]
        answer = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment()).stdout)
    latencies = {of["what"]: of for of in answer["bench"]["latencies"]}
    return answer["bench"]["chunks"], {
        mode: {
            "least": latencies[what]["ms"]["least"],
            "median": latencies[what]["ms"]["p50"],
            "most": latencies[what]["ms"]["max"],
            "runs": latencies[what]["asked"],
        }
        for mode, what in INSIDE.items()
    }


def time_empty_process(rounds):
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        subprocess.run(["true"], check=True)
        times.append((time.perf_counter() - start) * 1e3)
    return spread(times)


def measure(recall, store, rounds, ingest):
    command = [recall, "stats", "--store", store, "--json"]
    stats = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment())
    chunks, inside = ask_inside(recall, store, rounds)
    size = os.path.getsize(store if os.path.isfile(store) else os.path.join(store, "recall.db"))
    return {
        "chunks": chunks,
        "text_bytes": json.loads(stats.stdout)["stats"]["corpus"]["bytes"],
        "store_bytes": size,
        "ingest": ingest,
        "process_ms": ask_in_processes(recall, store, rounds),
        "inside_ms": inside,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recall", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("directories", nargs="*")
    parser.add_argument("--store", action="append", default=[], help="a store that is there already")
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    recall = str(arguments.recall.resolve())

    points = [measure(recall, store, arguments.rounds, None) for store in arguments.store]
    with tempfile.TemporaryDirectory(prefix="recall-curves-") as scratch:
        files = list_files(arguments.directories)
        for chunks in CHUNKS if arguments.directories else []:
            place = os.path.join(scratch, f"{chunks}.db")
            ingest = build(recall, place, files, chunks)
            if ingest is None:
                print(f"too little text for {chunks} chunks")
                continue
            points.append(measure(recall, place, arguments.rounds, ingest))
            os.remove(place)

    curves = {
        "date": datetime.date.today().isoformat(),
        "machine": f"{os.cpu_count()} cores, {platform.machine()}",
        "empty_process_ms": time_empty_process(25),
        "questions": QUESTIONS,
        "stores": sorted(points, key=lambda point: point["chunks"]),
    }
    arguments.out.mkdir(parents=True, exist_ok=True)
    (arguments.out / "curves.json").write_text(json.dumps(curves, indent=1) + "\n")
    plot.draw(curves, arguments.out)
    plot.print_table(curves)


if __name__ == "__main__":
    main()
