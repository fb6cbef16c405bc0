#!/usr/bin/env python3
"""Latency of `recall mcp` beside the same searches within one process.

    bench/mcp_latency.py build/release/recall STORE [--rounds N] [--samples N]

`recall bench --only search` samples queries and times them in one process, without printing. The
same queries are then asked as tool calls over standard input and output. Prints medians, 99th
percentiles and their ratio to the median within one process, which is what counts on a shared
machine. Also the time from the start of `recall mcp` to its first answer.
"""

import argparse
import json
import statistics
import subprocess
import time


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def over_mcp(recall, store, queries, rounds):
    began = time.perf_counter()
    server = subprocess.Popen([recall, "mcp", "--store", store], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True)

    def call(number, method, params):
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        server.stdin.write(json.dumps(message) + "\n")
        server.stdin.flush()
        return json.loads(server.stdout.readline())

    call(0, "initialize", {"protocolVersion": "2025-11-25", "capabilities": {},
                           "clientInfo": {"name": "bench", "version": "1"}})
    first = (time.perf_counter() - began) * 1000
    times = []
    for turn in range(rounds + 1):
        for number, query in enumerate(queries):
            began = time.perf_counter()
            answer = call(number + 1, "tools/call",
                          {"name": "search", "arguments": {"query": query, "k": 10}})
            if turn > 0:
                times.append((time.perf_counter() - began) * 1000)
            assert "isError" not in answer["result"], answer
    server.stdin.close()
    assert server.wait() == 0
    return times, first


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("recall")
    parser.add_argument("store")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--samples", type=int, default=50)
    options = parser.parse_args()
    bench = json.loads(subprocess.run(
        [options.recall, "bench", "--store", options.store, "--only", "search", "--k", "10",
         "--samples", str(options.samples), "--rounds", str(options.rounds), "--json"],
        check=True, capture_output=True).stdout)["bench"]
    queries = bench["questions"]["texts"]
    timed = bench["latencies"][0]["ms"]
    one_process = timed["p50"]
    print(f"{bench['chunks']} chunks, {len(queries)} queries, {options.rounds} rounds")
    print("| how | median ms | p99 ms | median / one process |")
    print("| --- | --- | --- | --- |")
    print(f"| one process | {one_process:.2f} | {timed['p99']:.2f} | 1.00 |")
    times, first = over_mcp(options.recall, options.store, queries, options.rounds)
    median = statistics.median(times)
    print(f"| MCP tool calls | {median:.2f} | {percentile(times, 0.99):.2f} | "
          f"{median / one_process:.2f} |")
    print(f"first answer of MCP after the start of the process: {first:.1f} ms")


if __name__ == "__main__":
    main()
