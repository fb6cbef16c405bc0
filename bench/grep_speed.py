#!/usr/bin/env python3
"""Compares `recall grep` with ripgrep: the same answers, and how long whole processes take.

Copies headers of the Debian package libboost-dev (or the directory TREE) until there are LINES lines
of code, adds them to a store, and runs both programs in turns with warm caches, after one round that
is not counted. Prints for each pattern the number of lines that both found, the medians in
milliseconds, and the ratios of the medians, of the processor times and of the least times.

    grep_speed.py RECALL [--tree TREE] [--lines 1000000] [--rounds 15]
"""

import argparse
import os
import resource
import statistics
import subprocess
import tempfile
import time

PATTERNS = [
    ("literal, rare", ["-F", "async_accept_impl"]),
    ("literal, some files", ["-F", "enable_if_t"]),
    ("literal, short", ["-F", "errno"]),
    ("literal, punctuation", ["-F", "]() mutable"]),
    ("literal, absent", ["-F", "xylophone_player"]),
    ("ignore case", ["-i", "-F", "deprecated"]),
    ("whole word", ["-w", "epoch"]),
    ("expression", [r"throw \w+_error\("]),
    ("alternatives", ["(mutex|semaphore)_lock"]),
    ("expression, no literal", [r"^\s+\w{30,}\("]),
    ("frequent", ["-F", "template"]),
]


def copy_tree(source, target, wanted):
    """Copies files by name until they have `wanted` lines."""
    lines = 0
    for directory, folders, names in os.walk(source):
        folders.sort()
        for name in sorted(names):
            if lines >= wanted:
                return lines
            path = os.path.join(directory, name)
            with open(path, "rb") as file:
                text = file.read()
            lines += text.count(b"\n")
            copy = os.path.join(target, os.path.relpath(path, source))
            os.makedirs(os.path.dirname(copy), exist_ok=True)
            with open(copy, "wb") as file:
                file.write(text)
    return lines


def run(command, directory):
    """Returns (wall seconds, processor seconds, output)."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    done = subprocess.run(command, cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    wall = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, used, done.stdout


def lines_of(output):
    """The places, path:line, of an output."""
    return {b":".join(line.split(b":", 2)[:2]) for line in output.splitlines()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("recall")
    parser.add_argument("--tree", default="/usr/include/boost")
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    recall = os.path.abspath(options.recall)
    with tempfile.TemporaryDirectory() as directory:
        lines = copy_tree(options.tree, os.path.join(directory, "tree"), options.lines)
        subprocess.run([recall, "init", "--embedder", "hash"], cwd=directory, check=True, stdout=subprocess.DEVNULL)
        subprocess.run([recall, "add", "tree", "--quiet", "--no-ignore-files"], cwd=directory, check=True)
        print(f"{lines} lines")
        for name, pattern in PATTERNS:
            commands = {
                "recall": [recall, "grep", "-k", "1000000", *pattern],
                "ripgrep": ["rg", "--no-ignore", "--with-filename", "-n", "--no-heading", *pattern, "tree"],
            }
            found = {who: lines_of(run(command, directory)[2]) for who, command in commands.items()}
            same = "same lines" if found["recall"] == found["ripgrep"] else "OTHER LINES"
            wall = {who: [] for who in commands}
            used = {who: [] for who in commands}
            for turn in range(options.rounds):
                for who in commands if turn % 2 else reversed(commands):
                    seconds, processor, _ = run(commands[who], directory)
                    wall[who].append(seconds)
                    used[who].append(processor)
            ratio = [
                statistics.median(values["recall"]) / statistics.median(values["ripgrep"]) for values in (wall, used)
            ] + [min(wall["recall"]) / min(wall["ripgrep"])]
            print(
                f"{name}: {len(found['recall'])} {same}, "
                f"{1000 * statistics.median(wall['recall']):.1f} ms of {1000 * statistics.median(wall['ripgrep']):.1f}, "
                + ", ".join(f"{value:.3f}" for value in ratio)
            )


if __name__ == "__main__":
    main()
