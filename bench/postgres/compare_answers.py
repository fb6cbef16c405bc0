#!/usr/bin/env python3
"""Do stores on servers answer as a local store does, and how long does that take?

  compare_answers.py RECALL LOCAL_STORE ADDRESS... [--questions N] [--seed S] [--by COMMAND]

ADDRESS: a copy of the local store, made by `recall backup ADDRESS`; several servers of one store are one argument, with
spaces. All stores are asked the same random questions by one `recall serve`, one question at a time: search in three
modes with filters, stages, pages and fusions; similar; context; RQL; get. The words of a question are of one document,
so most have results. Each member of the answers must be equal, but for the size of the store, which --stable omits.
Prints the medians, the slowest and the ratio to the local store for each command, and exits 1 if an answer differs.

With an empty cache (XDG_CACHE_HOME) the first questions fetch pages; --warm N questions are asked before the time counts.
"""
import argparse
import http.client
import json
import os
import random
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time


NOT_COMPARED = {"db_size_bytes"}


STAGES = ["mmr", "per-document", "proximity", "late-interaction", "near-duplicates", "rm3", "fields",
          "proximity,per-document:max=2"]


class Client(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost")
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self.path)

    def ask(self, store, command, body):
        begin = time.perf_counter()
        self.request("POST", "/v1/" + command, json.dumps(body),
                     {"X-Recall-Store": store, "Cache-Control": "no-cache", "Content-Type": "application/json"})
        answer = self.getresponse()
        text = answer.read()
        return (time.perf_counter() - begin) * 1000, answer.status, text


def differences(one, other, at=""):
    """The places where two answers differ."""
    if type(one) is not type(other):
        return [at]
    if isinstance(one, dict):
        keys = (one.keys() | other.keys()) - NOT_COMPARED
        return [place for key in sorted(keys) for place in
                (differences(one[key], other[key], f"{at}.{key}") if key in one and key in other else [f"{at}.{key}"])]
    if isinstance(one, list) and len(one) == len(other):
        return [place for i in range(len(one)) for place in differences(one[i], other[i], f"{at}[{i}]")]
    return [] if one == other else [at]


def questions(client, count, seed):
    """Yields (command, body). What they are about comes from the local store."""
    choose = random.Random(seed)
    paths = [row["doc"]["path"] for row in json.loads(client.ask("local", "ls", {"k": 10000})[2])["results"]]
    texts = []
    for path in choose.sample(paths, min(400, len(paths))):
        text = json.loads(client.ask("local", "get", {"target": path + ":1-200"})[2])
        texts.append((path, re.findall(r"[A-Za-z_]{3,20}", json.dumps(text))))
    texts = [(path, words) for path, words in texts if len(words) > 40]
    tags = [f"t{i}" for i in range(100)]

    def filters():
        path = choose.choice(paths)
        return choose.choice([
            None, None, None,
            f"doc.tag = '{choose.choice(tags)}'",
            f"doc.tag IN ('{choose.choice(tags)}', '{choose.choice(tags)}', '{choose.choice(tags)}')",
            f"doc.path GLOB '{path.rsplit('/', 1)[0]}/*'",
            f"doc.path LIKE '%{path[-6:]}'",
            f"chunk.tokens > {choose.randrange(20, 200)} AND doc.tag != '{choose.choice(tags)}'",
            f"doc.size < {choose.randrange(1000, 100000)} OR doc.path = '{path}'",
        ])

    for _ in range(count):
        path, words = choose.choice(texts)
        at = choose.randrange(len(words) - 8)
        query = " ".join(words[at:at + choose.randrange(1, 8)])
        body = {}
        chosen = filters()
        if chosen:
            body["filter"] = chosen
        kind = choose.random()
        if kind < .6:
            body |= {"query": query, "k": choose.choice([1, 8, 8, 20, 100])}
            mode = choose.choice([None, None, "bm25", "vector"])
            if mode:
                body[mode] = True
            if choose.random() < .2:
                body["offset"] = choose.choice([1, 10, 50])
            if not mode and choose.random() < .3:
                body["fusion"] = choose.choice(["legs", "weighted", "rrf", "parts", "grouped"])
            if choose.random() < .15:
                body["exact"] = True
            if choose.random() < .3:
                body["stages"] = choose.choice(STAGES)
            yield "search", body
        elif kind < .7:
            yield "similar", body | {"target": path, "k": 8}
        elif kind < .85:
            yield "context", body | {"query": query, "budget_tokens": choose.choice([200, 2000])}
        elif kind < .95:
            where = f" FILTER {body.pop('filter')}" if "filter" in body else ""
            body["rql"] = choose.choice([
                f"FROM doc{where} ORDER BY doc.size DESC, doc.path LIMIT 20 SELECT doc.path, doc.size",
                f"FROM chunk{where} ORDER BY doc.path, chunk.tokens LIMIT 10 SELECT doc.path, chunk.tokens"])
            yield "query", body
        else:
            body.pop("filter", None)
            yield "get", body | {"target": f"{path}:1-{choose.randrange(2, 40)}"}


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("recall")
    parser.add_argument("local")
    parser.add_argument("servers", nargs="+")
    parser.add_argument("--questions", type=int, default=2000)
    parser.add_argument("--warm", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    names = ["local"] + [f"server{i}" for i in range(1, len(args.servers) + 1)]
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "s")
        stores = [f"{name}={store}" for name, store in zip(names, [args.local] + args.servers)]
        server = subprocess.Popen([args.recall, "serve", *stores, "--socket", path], stdout=subprocess.DEVNULL,
                                  env=os.environ | {"RECALL_STABLE": "1"})
        try:
            while not os.path.exists(path):
                time.sleep(.05)
                if server.poll() is not None:
                    sys.exit("recall serve ended")
            client = Client(path)
            times = {}
            statuses = {}
            different = 0
            for i, (command, body) in enumerate(questions(client, args.warm + args.questions, args.seed)):
                answers = []
                for name in names:
                    millis, status, text = client.ask(name, command, body)
                    answers.append((status, text))
                    if i >= args.warm:
                        times.setdefault(command, {}).setdefault(name, []).append(millis)
                statuses[answers[0][0]] = statuses.get(answers[0][0], 0) + 1
                if answers[0][0] != 200:
                    print(f"{command} {json.dumps(body)}: {answers[0][1]}"[:600])
                for name, answer in zip(names[1:], answers[1:]):
                    places = differences(json.loads(answers[0][1]), json.loads(answer[1]))
                    if places or answer[0] != answers[0][0]:
                        different += 1
                        print(f"DIFFERENT: {name} {command} {json.dumps(body)}: {' '.join(places[:5])}")
        finally:
            server.terminate()
            server.wait()
    print(f"questions {args.questions}, statuses {statuses}, different {different}")
    for command, by_store in sorted(times.items()):
        local = statistics.median(by_store["local"])
        row = "  ".join(f"{name} {statistics.median(of):.1f} (slowest {max(of):.0f}) ms, "
                        f"x{statistics.median(of) / local:.2f}" for name, of in by_store.items())
        print(f"{command:8} {len(by_store['local']):5}  {row}")
    sys.exit(1 if different else 0)


main()
