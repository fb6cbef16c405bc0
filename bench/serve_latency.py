#!/usr/bin/env python3
"""Latency of `recall serve` and `recall mcp` beside the same searches within one process.

    bench/serve_latency.py build/release/recall STORE [--rounds N] [--clients N] [--samples N]

`recall bench --only search` samples queries and times them in one process. The same queries are
then asked over the Unix socket on one connection, by several clients at a time, and as tool calls
of MCP over standard input and output. Prints medians, 99th percentiles and their ratio to the
median within one process, which is what counts on a shared machine. Also the time from the start
of `recall mcp` to its first answer.
"""

import argparse
import http.client
import json
import os
import socket
import statistics
import subprocess
import tempfile
import threading
import time


class SocketConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost")
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.connect(self.path)


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def ask(path, queries, rounds, times):
    connection = SocketConnection(path)
    for _ in range(rounds):
        for query in queries:
            body = json.dumps({"query": query, "k": 10})
            began = time.perf_counter()
            connection.request("POST", "/v1/search", body, {"Content-Type": "application/json"})
            response = connection.getresponse()
            text = response.read()
            times.append((time.perf_counter() - began) * 1000)
            assert response.status == 200, text


def over_socket(recall, store, queries, rounds, clients):
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "s")
        server = subprocess.Popen([recall, "serve", "--store", store, "--socket", path],
                                  stdout=subprocess.PIPE)
        server.stdout.readline()  # it listens
        ask(path, queries, 1, [])  # warm
        results = {}
        for count in (1, clients):
            times = [[] for _ in range(count)]
            threads = [threading.Thread(target=ask, args=(path, queries, rounds, times[i]))
                       for i in range(count)]
            began = time.perf_counter()
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            taken = time.perf_counter() - began
            merged = [value for own in times for value in own]
            results[count] = (merged, len(merged) / taken)
        server.terminate()
        assert server.wait() == 0
        return results


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
    parser.add_argument("--clients", type=int, default=8)
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
    print("| how | median ms | p99 ms | median / one process | p99 / median | per second |")
    print("| --- | --- | --- | --- | --- | --- |")
    print(f"| one process | {one_process:.2f} | {timed['p99']:.2f} | 1.00 | | |")

    def row(name, times, rate):
        median = statistics.median(times)
        worst = percentile(times, 0.99)
        print(f"| {name} | {median:.2f} | {worst:.2f} | {median / one_process:.2f} | "
              f"{worst / median:.2f} | {rate} |")

    for count, (times, rate) in over_socket(options.recall, options.store, queries,
                                            options.rounds, options.clients).items():
        row(f"socket, {count} client{'s' if count > 1 else ''}", times, f"{rate:.0f}")
    times, first = over_mcp(options.recall, options.store, queries, options.rounds)
    row("MCP tool calls", times, "")
    print(f"first answer of MCP after the start of the process: {first:.1f} ms")


if __name__ == "__main__":
    main()
