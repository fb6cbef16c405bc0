#!/usr/bin/env python3
"""Requests per second and latencies of `recall serve` under load, and what its connections cost.

    bench/serve_load.py build/release/recall STORE [--seconds N] [--query TEXT] [--idle N]

Asks /livez, /v1/search with an answer that the server keeps, and /v1/search computed anew, with 1, 8 and 64 connections:
over the Unix socket with a client in this file, and over TCP with wrk (Debian's), if it is installed. A request may be
answered 429 or 503, as the server limits how many wait; these are counted apart. At last, the memory of the process with
idle connections.
"""

import argparse
import json
import os
import re
import resource
import selectors
import shutil
import socket
import subprocess
import tempfile
import time

TOKEN = "0123456789abcdef"


def http_request(method, path, body, headers=()):
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", *headers]
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return ("\r\n".join([*lines, "", ""]) + body).encode()


def over_socket(path, request, count, seconds):
    """One request in flight on each connection. Returns: the milliseconds of the good answers, and the number of others."""
    selector = selectors.DefaultSelector()
    began = {}
    read = {}
    for _ in range(count):
        client = socket.socket(socket.AF_UNIX)
        client.connect(path)
        selector.register(client, selectors.EVENT_READ)
        read[client] = b""
        began[client] = time.perf_counter()
        client.sendall(request)
    times, refused = [], 0
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        for key, _ in selector.select(1):
            client = key.fileobj
            read[client] += client.recv(1 << 20)
            head = read[client].find(b"\r\n\r\n")
            if head < 0:
                continue
            length = int(re.search(rb"Content-Length: (\d+)", read[client])[1])
            if len(read[client]) < head + 4 + length:
                continue
            now = time.perf_counter()
            if read[client].startswith(b"HTTP/1.1 200 "):
                times.append((now - began[client]) * 1000)
            else:
                refused += 1
            read[client] = b""
            began[client] = time.perf_counter()
            client.sendall(request)
    for client in read:
        client.close()
    return sorted(times), refused


def over_tcp(port, path, body, headers, count, seconds, directory):
    script = os.path.join(directory, "wrk.lua")
    with open(script, "w") as file:
        file.write(f'wrk.headers["Authorization"] = "Bearer {TOKEN}"\n')
        for header in headers:
            name, value = header.split(": ")
            file.write(f'wrk.headers["{name}"] = "{value}"\n')
        if body:
            file.write(f"wrk.method = 'POST'\nwrk.headers['Content-Type'] = 'application/json'\nwrk.body = [[{body}]]\n")
    out = subprocess.run(["wrk", "-t1", f"-c{count}", f"-d{seconds}s", "--latency", "-s", script,
                          f"http://127.0.0.1:{port}{path}"], check=True, capture_output=True, text=True).stdout
    refused = re.search(r"Non-2xx or 3xx responses: (\d+)", out)
    total = float(re.search(r"(\d+) requests in", out)[1])
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", out)[1])

    def at(share):
        value, unit = re.search(rf"\n\s+{share}%\s+([\d.]+)(us|ms|s)", out).groups()
        return float(value) * {"us": 0.001, "ms": 1, "s": 1000}[unit]

    bad = int(refused[1]) if refused else 0
    return rate * (1 - bad / total), at(50), at(99), bad / total


def memory(pid):
    with open(f"/proc/{pid}/status") as file:
        text = file.read()
    return [int(re.search(rf"{name}:\s+(\d+)", text)[1]) / 1024 for name in ("RssAnon", "RssFile")]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("recall")
    parser.add_argument("store")
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--query", default="how do I report a bug")
    parser.add_argument("--idle", type=int, default=10_000)
    options = parser.parse_args()
    body = json.dumps({"query": options.query, "k": 10})
    anew = ["Cache-Control: no-cache"]
    cases = [("livez", "GET", "/livez", "", []), ("search, kept", "POST", "/v1/search", body, []),
             ("search, anew", "POST", "/v1/search", body, anew)]
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "s")
        token = os.path.join(directory, "token")
        with open(token, "w") as file:
            file.write(TOKEN + "\n")
        os.chmod(token, 0o600)
        server = subprocess.Popen([options.recall, "serve", "--json", "--store", options.store, "--socket", path,
                                   "--http", "0", "--token-file", token], stdout=subprocess.PIPE)
        port = int(json.loads(server.stdout.readline())["serve"]["url"].rsplit(":", 1)[1])
        print("memory at first: %.1f MiB of its own, %.1f MiB of files" % tuple(memory(server.pid)))
        print("| request | connections | over | good per second | median ms | p99 ms | refused |")
        print("| --- | --- | --- | --- | --- | --- | --- |")
        for name, method, where, text, headers in cases:
            for count in (1, 8, 64):
                times, refused = over_socket(path, http_request(method, where, text, headers), count, options.seconds)
                print(f"| {name} | {count} | socket | {len(times) / options.seconds:.0f} | "
                      f"{times[len(times) // 2]:.2f} | {times[len(times) * 99 // 100]:.2f} | "
                      f"{refused / (len(times) + refused):.0%} |", flush=True)
                if not shutil.which("wrk"):
                    continue
                rate, median, worst, bad = over_tcp(port, where, text, headers, count, options.seconds, directory)
                print(f"| {name} | {count} | TCP, wrk | {rate:.0f} | {median:.2f} | {worst:.2f} | {bad:.0%} |", flush=True)
        print("memory after that: %.1f MiB of its own, %.1f MiB of files" % tuple(memory(server.pid)))
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        idle = []
        for _ in range(min(options.idle, hard - 100)):
            client = socket.socket(socket.AF_UNIX)
            client.connect(path)
            idle.append(client)
        time.sleep(1)
        print(f"memory after {len(idle)} connections that send nothing: %.1f MiB of its own" % memory(server.pid)[0])
        for client in idle:
            client.close()
        server.terminate()
        assert server.wait() == 0


if __name__ == "__main__":
    main()
