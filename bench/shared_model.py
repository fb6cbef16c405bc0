#!/usr/bin/env python3
"""nDCG@10 of a young store with a model of its own and with that of a large one; docs/decisions/0102.

    bench/shared_model.py RECALL DIRECTORY... [--rounds N]

Each directory is a collection in BEIR layout. In each round a young store gets the documents that are
relevant to up to 40 queries, at most about 80, and 40 others; all other documents are in the large
store. So no document is in both. The choice depends on the round alone.
"""

import argparse
import json
import math
import os
import pathlib
import random
import subprocess
import tempfile

QUERIES = 40
RELEVANT = 80
OTHERS = 40


def lines(directory, names):
    for path in (directory / (name + end) for name in names for end in ("", ".zst")):
        if path.exists():
            opened = ["zstd", "-dcq", path] if path.suffix == ".zst" else ["cat", path]
            text = subprocess.run(opened, check=True, stdout=subprocess.PIPE, text=True).stdout
            return [line for line in text.splitlines() if line.strip()]
    raise SystemExit(f"{directory}: there is no {names[0]}")


class Collection:
    def __init__(self, directory):
        rows = [json.loads(line) for line in lines(directory, ["corpus.jsonl"])]
        self.texts = {str(row["_id"]): (row.get("title") or "") + "\n" + row["text"] for row in rows}
        rows = [json.loads(line) for line in lines(directory, ["queries.jsonl"])]
        self.queries = {str(row["_id"]): row["text"] for row in rows}
        self.gains = {}
        for line in lines(directory, ["qrels.tsv", "qrels/test.tsv"]):
            query, document, gain = line.split("\t")
            known = query in self.queries and document in self.texts
            if known and gain.isdigit() and int(gain) > 0:
                self.gains.setdefault(query, {})[document] = int(gain)

    def draw(self, seed):
        """The queries of a round, the documents of the young store, and those of the large one."""
        chosen = random.Random(seed)
        queries, young = [], set()
        for query in chosen.sample(sorted(self.gains), len(self.gains)):
            wanted = young | set(self.gains[query])
            if len(queries) < QUERIES and len(wanted) <= RELEVANT:
                queries.append(query)
                young = wanted
        others = chosen.sample(sorted(set(self.texts) - young), len(self.texts) - len(young))
        return queries, sorted(young | set(others[:OTHERS])), others[OTHERS:]


def ndcg(found, gains):
    gain = sum(gains.get(document, 0) / math.log2(i + 2) for i, document in enumerate(found[:10]))
    best = sorted(gains.values(), reverse=True)[:10]
    return gain / sum(value / math.log2(i + 2) for i, value in enumerate(best))


class Stores:
    def __init__(self, recall, scratch):
        self.recall, self.scratch = recall, scratch

    def run(self, *arguments, text=None):
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.scratch), "RECALL_SERVE": "never"}
        command = [self.recall, *arguments]
        done = subprocess.run(command, input=text, capture_output=True, text=True, env=environment)
        if done.returncode not in (0, 1):
            raise SystemExit(f"{command}: {done.stderr}{done.stdout}")
        return done.stdout

    def make(self, name, collection, documents, *options):
        place = str(self.scratch / name)
        pathlib.Path(place).unlink(missing_ok=True)
        self.run("init", *options, place)
        rows = ({"path": document, "text": collection.texts[document]} for document in documents)
        text = "".join(json.dumps(row) + "\n" for row in rows)
        self.run("add", "--jsonl", "-", "--store", place, "--quiet", text=text)
        return place

    def documents(self, store, question, *options):
        shape = ("-k", "10", "--json", "--lexical-mode", "literal")
        answer = json.loads(self.run("search", "--store", store, *shape, *options, "--", question))
        return list(dict.fromkeys(hit["doc"]["path"] for hit in answer["results"]))


def measure(stores, collection, rounds):
    measured = {}
    for seed in range(rounds):
        queries, young, large = collection.draw(seed)
        teacher = stores.make("large.db", collection, large)
        for model, options in (("own", ()), ("shared", ("--model", teacher))):
            store = stores.make("young.db", collection, young, *options)
            for mode, ranks in (("hybrid", ()), ("vector", ("--vector",))):
                for query in queries:
                    found = stores.documents(store, collection.queries[query], *ranks)
                    value = ndcg(found, collection.gains[query])
                    measured.setdefault((mode, model), []).append(value)
    return {key: sum(values) / len(values) for key, values in measured.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("recall", type=pathlib.Path)
    parser.add_argument("directories", type=pathlib.Path, nargs="+", metavar="directory")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    columns = [(mode, model) for mode in ("hybrid", "vector") for model in ("own", "shared")]
    print("| collection |" + "".join(f" {mode}, {model} model |" for mode, model in columns))
    print("| --- |" + " ---: |" * len(columns))
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        stores = Stores(str(arguments.recall.resolve()), pathlib.Path(scratch))
        for directory in arguments.directories:
            means = measure(stores, Collection(directory), arguments.rounds)
            rows.append([means[column] for column in columns])
            print(f"| {directory.name} |" + "".join(f" {value:.4f} |" for value in rows[-1]), flush=True)
    means = [sum(row[i] for row in rows) / len(rows) for i in range(len(columns))]
    print("| mean |" + "".join(f" {value:.4f} |" for value in means))


if __name__ == "__main__":
    main()
