#!/usr/bin/env python3
"""How many words of two texts are the same, in the same order.

    words_in_order.py A B [--drop REGEX] [--drop-a REGEX] [--drop-b REGEX] [--show N]

A and B are UTF-8 texts, "-" is standard input. A word is a run of letters and digits after NFKC
and case folding. The length of the longest common subsequence of the words comes from `diff
--minimal`, one word a line. --drop removes what matches from both texts before they are cut into
words, --drop-a and --drop-b from one: what the other format does not contain. --show prints the
N longest runs of words that are in one text only.

Prints: the words of A and B, those in common, the shares of A and of B that are in common, and F1.
"""

import argparse
import re
import subprocess
import sys
import tempfile
import unicodedata


def read(path):
    data = sys.stdin.buffer.read() if path == "-" else open(path, "rb").read()
    return data.decode("utf-8", "replace")


def words(text, drops):
    for drop in drops:
        text = re.sub(drop, " ", text, flags=re.MULTILINE)
    return re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", text).casefold())


def runs(a, b):
    """Runs of words of one side only: (side, index of the first, words), in the order of diff."""
    with tempfile.NamedTemporaryFile("w") as fa, tempfile.NamedTemporaryFile("w") as fb:
        for f, w in ((fa, a), (fb, b)):
            f.write("".join(x + "\n" for x in w))
            f.flush()
        out = subprocess.run(["diff", "--minimal", fa.name, fb.name], stdout=subprocess.PIPE).stdout.decode()
    for line in out.splitlines():
        match = re.match(r"^(\d+)(?:,(\d+))?([acd])(\d+)(?:,(\d+))?$", line)
        if not match:
            continue
        a1, a2, kind, b1, b2 = match.groups()
        if kind in "cd":
            yield "<", int(a1) - 1, a[int(a1) - 1 : int(a2 or a1)]
        if kind in "ca":
            yield ">", int(b1) - 1, b[int(b1) - 1 : int(b2 or b1)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("a")
    parser.add_argument("b")
    parser.add_argument("--drop", action="append", default=[])
    parser.add_argument("--drop-a", action="append", default=[])
    parser.add_argument("--drop-b", action="append", default=[])
    parser.add_argument("--show", type=int, default=0)
    arguments = parser.parse_args()
    a = words(read(arguments.a), arguments.drop + arguments.drop_a)
    b = words(read(arguments.b), arguments.drop + arguments.drop_b)
    differences = list(runs(a, b))
    only_a = sum(len(w) for side, _, w in differences if side == "<")
    common = len(a) - only_a
    print(f"a {len(a)} b {len(b)} common {common} of-a {common / max(1, len(a)):.4f} "
          f"of-b {common / max(1, len(b)):.4f} f1 {2 * common / max(1, len(a) + len(b)):.4f}")
    for side, at, run in sorted(differences, key=lambda d: -len(d[2]))[: arguments.show]:
        print(f"{side} {at}: {len(run)} words: {' '.join(run[:20])}{' ...' if len(run) > 20 else ''}")


main()
