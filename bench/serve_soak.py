#!/usr/bin/env python3
"""Does `recall serve` stay well for an hour of readers, writers and a watcher?

    bench/serve_soak.py build/release/recall [--minutes N] [--files N] [--readers N] [--writers N]

Makes a tree of files, and a server that watches a part of it. Readers ask searches, contexts,
queries and documents; writers add and remove files of their own; another one saves files in the
watched part and waits until a search finds them. Each answer is checked: its status, that its
filter holds, and that what a writer has added is found. Prints latencies, the longest answer, and
how memory and descriptors of the server have grown between the first and the last tenth of the
time. Exits with 1 if an answer was wrong.
"""

import argparse
import http.client
import json
import os
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

WORDS = [f"{a}{b}" for a in ("alder", "birch", "cedar", "elm", "fir", "hazel", "larch", "maple")
         for b in ("bark", "bough", "grove", "leaf", "root", "seed", "stem", "twig", "wood")]


class SocketConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost")
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(60)
        self.sock.connect(self.path)


class Soak:
    def __init__(self, options, directory):
        self.options = options
        self.tree = os.path.join(directory, "tree")
        self.store = os.path.join(directory, "recall.db")
        self.socket = os.path.join(directory, "s")
        self.ends = 0
        self.lock = threading.Lock()
        self.times = {}
        self.errors = []
        self.samples = []

    def write(self, name, text):
        path = os.path.join(self.tree, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path + ".new", "w") as file:
            file.write(text)
        os.rename(path + ".new", path)

    def text(self, random, words=60):
        return f"# {random.choice(WORDS)}\n\n" + " ".join(random.choices(WORDS, k=words)) + "\n"

    def running(self):
        return time.time() < self.ends

    def fail(self, what):
        with self.lock:
            self.errors.append(what)

    def ask(self, connection, command, body):
        began = time.perf_counter()
        connection.request("POST", f"/v1/{command}", json.dumps(body),
                           {"Content-Type": "application/json"})
        response = connection.getresponse()
        answer = json.loads(response.read())
        taken = time.perf_counter() - began
        with self.lock:
            self.times.setdefault(command, []).append(taken)
        return response.status, answer

    def read(self, number):
        rng = random.Random(number)
        connection = SocketConnection(self.socket)
        while self.running():
            words = " ".join(rng.choices(WORDS, k=2))
            kind = rng.randrange(5)
            if kind == 0:
                status, answer = self.ask(connection, "context",
                                          {"query": words, "budget_tokens": 300})
                if status == 200 and answer["context"]["used_tokens"] > 300:
                    self.fail(f"a context above its budget: {words}")
            elif kind == 1:
                status, answer = self.ask(connection, "get",
                                          {"target": f"tree/f{rng.randrange(self.options.files)}.md"})
            elif kind == 2:
                rql = f"FROM doc FILTER doc.path GLOB 'tree/f1*' LIMIT {rng.randrange(1, 20)} SELECT doc.path"
                status, answer = self.ask(connection, "query", {"rql": rql})
            else:
                status, answer = self.ask(connection, "search", {
                    "query": words, "filter": "doc.path GLOB 'tree/f*'", "k": 10})
                if status == 200 and not all(result["doc"]["path"].startswith("tree/f")
                                             for result in answer["results"]):
                    self.fail(f"a result outside the filter: {words}")
            if status != 200:
                self.fail(f"status {status}: {answer}")
            time.sleep(rng.random() * 0.05)

    def wait_for(self, connection, word, limit):
        began = time.perf_counter()
        while time.perf_counter() - began < limit:
            _, answer = self.ask(connection, "search", {"query": "+" + word, "bm25": True, "k": 1})
            if answer.get("results"):
                return time.perf_counter() - began
            time.sleep(0.02)
        return None

    def add_and_remove(self, number):
        rng = random.Random(100 + number)
        connection = SocketConnection(self.socket)
        turn = 0
        while self.running():
            turn += 1
            name = f"w{number}/{turn % 50}.md"
            word = f"writer{number}turn{turn}"
            self.write(name, self.text(rng) + word + "\n")
            status, answer = self.ask(connection, "add", {"path": name})
            if status != 200:
                self.fail(f"add: status {status}: {answer}")
            elif self.wait_for(connection, word, 0.001) is None:
                self.fail(f"{word} was added and is not found")
            if turn % 7 == 0:
                status, answer = self.ask(connection, "rm", {"target": f"tree/{name}"})
                if status != 200:
                    self.fail(f"rm: status {status}: {answer}")
            time.sleep(rng.random())

    def save(self):
        rng = random.Random(7)
        connection = SocketConnection(self.socket)
        turn = 0
        while self.running():
            turn += 1
            word = f"savedturn{turn}"
            self.write(f"watched/{turn % 100}.md", self.text(rng) + word + "\n")
            found = self.wait_for(connection, word, 30)
            if found is None:
                self.fail(f"{word} was saved and is not found")
            else:
                with self.lock:
                    self.times.setdefault("saved to found", []).append(found)
            time.sleep(rng.random() * 2)

    def sample(self, pid):
        while self.running():
            with open(f"/proc/{pid}/status") as status:
                fields = dict(line.split(":", 1) for line in status)
            self.samples.append((int(fields["RssAnon"].split()[0]) / 1024,
                                 len(os.listdir(f"/proc/{pid}/fd")), int(fields["Threads"])))
            time.sleep(2)

    def run(self):
        rng = random.Random(1)
        for i in range(self.options.files):
            self.write(f"f{i}.md", self.text(rng))
        os.makedirs(os.path.join(self.tree, "watched"))
        recall = self.options.recall
        for command in (["init"], ["add", self.tree]):
            subprocess.run([recall, *command, "--store", self.store, "--quiet"], check=True,
                           cwd=os.path.dirname(self.store), stdout=subprocess.DEVNULL)
        server = subprocess.Popen(
            [recall, "serve", "--store", self.store, "--socket", self.socket, "--allow-write",
             "--root", self.tree, "--watch", os.path.join(self.tree, "watched")],
            stdout=subprocess.PIPE)
        server.stdout.readline()
        self.ends = time.time() + self.options.minutes * 60
        threads = [threading.Thread(target=self.read, args=(i,))
                   for i in range(self.options.readers)]
        threads += [threading.Thread(target=self.add_and_remove, args=(i,))
                    for i in range(self.options.writers)]
        threads += [threading.Thread(target=self.save),
                    threading.Thread(target=self.sample, args=(server.pid,))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if server.poll() is not None:
            self.fail(f"the server has ended with {server.returncode}")
        server.terminate()
        if server.wait() != 0:
            self.fail(f"SIGTERM ended the server with {server.returncode}")
        check = subprocess.run([recall, "doctor", "--store", self.store], capture_output=True)
        if check.returncode != 0:
            self.fail(f"doctor: {check.stdout.decode()}")

    def report(self):
        print("| what | count | median ms | p99 ms | longest ms |")
        print("| --- | --- | --- | --- | --- |")
        for what, times in sorted(self.times.items()):
            times = sorted(value * 1000 for value in times)
            print(f"| {what} | {len(times)} | {statistics.median(times):.1f} | "
                  f"{times[int(len(times) * 0.99)]:.1f} | {times[-1]:.1f} |")
        tenth = max(len(self.samples) // 10, 1)
        print("\n| server | first tenth | last tenth |\n| --- | --- | --- |")
        for index, name in enumerate(("anonymous memory, MiB", "descriptors", "threads")):
            first = statistics.median(s[index] for s in self.samples[:tenth])
            last = statistics.median(s[index] for s in self.samples[-tenth:])
            print(f"| {name} | {first:.1f} | {last:.1f} |")
        print(f"\n{len(self.errors)} errors")
        for error in self.errors[:10]:
            print(error[:500])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("recall", type=os.path.abspath)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--files", type=int, default=5000)
    parser.add_argument("--readers", type=int, default=8)
    parser.add_argument("--writers", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        soak = Soak(options, directory)
        soak.run()
        soak.report()
        sys.exit(1 if soak.errors else 0)


if __name__ == "__main__":
    main()
