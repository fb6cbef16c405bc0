#!/usr/bin/env python3
"""Measures the bytes of answers in each form: what an agent pays to read them.

    bench/answer_bytes.py build/release/recall STORE QUERY...

Prints a Markdown table with the least, the median and the largest number of bytes over the queries.
The answers of one store are the same on every machine, so nothing is repeated.
"""

import statistics
import subprocess
import sys

FORMS = [
    ("search -k 10, text", ["search", "-k", "10"]),
    ("search -k 10 --lean", ["search", "-k", "10", "--lean"]),
    ("search -k 10 --json --fields path,lines,score", ["search", "-k", "10", "--json", "--fields", "path,lines,score"]),
    ("search -k 10 --json", ["search", "-k", "10", "--json"]),
    ("context of 500 tokens, text", ["context", "--budget-tokens", "500"]),
    ("the same --cite", ["context", "--budget-tokens", "500", "--cite"]),
    ("the same --json --fields cite,bytes", ["context", "--budget-tokens", "500", "--json", "--fields", "cite,bytes"]),
    ("the same --json", ["context", "--budget-tokens", "500", "--json"]),
]


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    recall, store, queries = sys.argv[1], sys.argv[2], sys.argv[3:]
    print(f"| answer, {len(queries)} queries | least | median | most |\n| --- | ---: | ---: | ---: |")
    for name, command in FORMS:
        sizes = []
        for query in queries:
            answer = subprocess.run(
                [recall, command[0], "--store", store, "--quiet", *command[1:], "--", query], capture_output=True, check=True)
            sizes.append(len(answer.stdout))
        print(f"| {name} | {min(sizes):,} | {int(statistics.median(sizes)):,} | {max(sizes):,} |")


if __name__ == "__main__":
    main()
