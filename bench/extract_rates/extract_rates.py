#!/usr/bin/env python3
"""How fast does `recall add` take in PDF files, HTML pages and DOCX files, on two threads?

    extract_rates.py RECALL [--pdf DIR] [--html DIR] [--docx DIR] [--runs N] [--threads N]

Each DIR is added to a new store, N times (3), with the embedder `hash`, so that what is measured is extraction,
cutting and the lexical index. PDF files that give no text are counted as well. The same with --no-extract is what
reading and finding the files costs; for HTML it is what indexing the source text of the pages costs.

Prints a row for each kind: the files, their MB, the pages of PDF files (of their last chunk's place), and the median
of wall time, of processor time (user and system, with the extraction processes), and the rates by both. The rate by
processor time is for the number of threads: what two cores would give that nothing else uses.

Documents: Debian's packages have many PDF files and pages (developers-reference, octave-doc, gnuplot-doc, ...;
cppreference-doc-en-html, postgresql-doc-15, ...). `make_docx.sh DIR [FILES]` makes DOCX files.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time


def size_of(directory, ending):
    files = bytes_ = 0
    for folder, _, names in os.walk(directory):
        for name in names:
            path = os.path.join(folder, name)
            if name.lower().endswith(ending) and not os.path.islink(path):
                files += 1
                bytes_ += os.path.getsize(path)
    return files, bytes_


def pages_of(directory):
    pages = 0
    for folder, _, names in os.walk(directory):
        for name in names:
            if not name.lower().endswith(".pdf") or os.path.islink(os.path.join(folder, name)):
                continue
            facts = subprocess.run(["pdfinfo", os.path.join(folder, name)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            for line in facts.stdout.decode("utf-8", "replace").splitlines():
                if line.startswith("Pages:"):
                    pages += int(line.split()[1])
    return pages


def add(recall, directory, patterns, threads):
    """(wall seconds, processor seconds, documents added) of one `recall add` to a new store."""
    with tempfile.TemporaryDirectory() as scratch:
        environment = {**os.environ, "HOME": scratch, "XDG_CONFIG_HOME": scratch, "RECALL_EMBEDDING": "hash",
                       "RECALL_SERVE": "never"}
        store = os.path.join(scratch, "recall.db")
        subprocess.run([recall, "--quiet", "init", "--store", store], env=environment, check=True)
        globs = [word for pattern in patterns for word in ("--glob", pattern)]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.monotonic()
        done = subprocess.run([recall, "add", directory, "--store", store, "--json", "--no-ignore-files", "--threads", str(threads), *globs],
                              env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        wall = time.monotonic() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode not in (0, 3):
            sys.exit(f"recall add: exit code {done.returncode}")
        processor = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
        return wall, processor, json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("recall")
    parser.add_argument("--pdf")
    parser.add_argument("--html")
    parser.add_argument("--docx")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    recall = os.path.abspath(arguments.recall)
    print(f"{arguments.threads} threads, {arguments.runs} runs, load {os.getloadavg()[0]:.1f}\n\n"
          "| kind | files | MB | units | wall | rate | processor time | rate of that |\n"
          "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for kind, directory, ending, patterns, unit in (
            ("PDF", arguments.pdf, ".pdf", ["*.pdf"], "pages/s"),
            ("HTML", arguments.html, (".html", ".htm"), ["*.html", "*.htm"], "MB/s"),
            ("DOCX", arguments.docx, ".docx", ["*.docx"], "files/s")):
        if directory is None:
            continue
        files, bytes_ = size_of(directory, ending)
        units = {"pages/s": lambda: pages_of(directory), "MB/s": lambda: bytes_ / 1e6, "files/s": lambda: files}[unit]()
        runs = [add(recall, directory, patterns, arguments.threads) for _ in range(arguments.runs)]
        wall = statistics.median(run[0] for run in runs)
        processor = statistics.median(run[1] for run in runs)
        print(f"| {kind} | {files:,} | {bytes_ / 1e6:.1f} | {units:.0f} | {wall:.2f} s | {units / wall:.0f} {unit} "
              f"| {processor:.2f} s | {units / processor * arguments.threads:.0f} {unit} |")


main()
