#!/usr/bin/env python3
"""Measures how long a server works on for a client that has left: leaving.py RECALL STORE.

Each question is asked once to its end, and then left after a part of that time. The server works as long as its threads
use the processor. The store should be large, so that the questions take long. Prints milliseconds: the whole question,
then the work after each leave.
"""
import json
import os
import socket
import subprocess
import sys
import tempfile
import time

PARTS = (0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95)
LONGEST = 5.0  # seconds before a leave
TEXT = "how do I install a kernel module"
LETTERS = "abcdefghijklmnopqrstuvwxyz"
QUESTIONS = {
    "all texts": ("query", {"rql": "FROM chunk LIMIT 500000 SELECT chunk.text"}),
    "order by text": ("query", {"rql": "FROM chunk ORDER BY chunk.text ASC LIMIT 100 SELECT chunk.text"}),
    "like": ("query", {"rql": "FROM chunk FILTER chunk.text LIKE '%a%b%c%d%e%f%' LIMIT 500000 SELECT chunk.text"}),
    "regexp": ("query", {"rql": "FROM chunk FILTER chunk.text REGEXP '(a|b)*c.*d.*e' LIMIT 10 SELECT chunk.text"}),
    "10,000 words": ("search", {"query": " ".join(f"word{i} install{i}" for i in range(5000))}),
    "450 phrases": ("search", {"query": " ".join(f'"the of {w}"' for w in "a to in is for and file use if".split() * 50)}),
    "500 prefixes": ("search", {"query": " ".join(f"{LETTERS[i % 26]}{LETTERS[i // 26]}*" for i in range(500))}),
    "exact vectors": ("search", {"query": TEXT, "exact": True, "k": 1000}),
    "context": ("context", {"query": TEXT, "budget_tokens": 200000}),
    "ls": ("ls", {}),
    "stats": ("stats", {}),
}


def ask(path, command, body):
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(60)
    client.connect(path)
    data = json.dumps(body).encode()
    client.sendall(f"POST /v1/{command} HTTP/1.1\r\nHost: recall\r\nContent-Type: application/json\r\n"
                   f"Content-Length: {len(data)}\r\n\r\n".encode() + data)
    return client


def busy_nanos(pid):
    tasks = f"/proc/{pid}/task"
    return sum(int(open(f"{tasks}/{task}/schedstat").read().split()[0]) for task in os.listdir(tasks))


def work_after_leave(pid):
    """Milliseconds until the server has used no processor for a quarter of a second."""
    began = last = time.monotonic()
    before = busy_nanos(pid)
    while time.monotonic() - last < 0.25 and time.monotonic() - began < 10:
        time.sleep(0.005)
        now = busy_nanos(pid)
        if now - before > 1_500_000:
            last = time.monotonic()
        before = now
    return (last - began) * 1000


def main():
    recall, store = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "socket")
        server = subprocess.Popen([recall, "serve", "--json", "--store", store, "--socket", path], stdout=subprocess.PIPE)
        server.stdout.readline()
        for name, (command, body) in QUESTIONS.items():
            began = time.monotonic()
            with ask(path, command, body) as client:
                status = client.recv(65536)[9:12].decode()
            whole = time.monotonic() - began
            assert status == "200", f"{name}: {status}"
            time.sleep(0.3)
            left = []
            for part in PARTS:
                with ask(path, command, body):
                    time.sleep(min(whole, LONGEST) * part)
                left.append(work_after_leave(server.pid))
            print(f"{name:14} {whole * 1000:7.0f}  " + " ".join(f"{ms:5.0f}" for ms in left), flush=True)
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
