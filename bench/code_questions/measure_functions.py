#!/usr/bin/env python3
"""Questions about a collection of functions, each a file of its own: nDCG@10 of documents in two stores.

    measure_functions.py COLLECTION --write DIR      writes the documents as DIR/ID.py
    measure_functions.py COLLECTION OLD,STORE NEW,STORE

COLLECTION: a directory with corpus.jsonl, queries.jsonl and qrels.tsv, as `recall eval` reads them, such as cosqa. `recall
eval` names documents by their ids, without a suffix, so they are no source code for it. OLD, NEW: programs; STORE: DIR,
added by that program. Prints the means, and the mean difference with its 95 % interval (paired bootstrap, 10,000 samples).
"""

import json
import math
import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor


def lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def gain(grades):
    return sum((2**grade - 1) / math.log2(place + 2) for place, grade in enumerate(grades))


def ndcg(recall, store, query, relevant):
    answer = subprocess.run([recall, "search", "--store", store, "--json", "-k", "10", "--", query],
                            capture_output=True, text=True, check=True).stdout
    found = list(dict.fromkeys(os.path.basename(hit["doc"]["path"])[:-len(".py")]
                               for hit in json.loads(answer)["results"]))
    best = gain(sorted(relevant.values(), reverse=True)[:10])
    return gain([relevant.get(document, 0) for document in found]) / best if best else 0.0


def main():
    collection, rest = sys.argv[1], sys.argv[2:]
    if rest[0] == "--write":
        os.makedirs(rest[1], exist_ok=True)
        for document in lines(f"{collection}/corpus.jsonl"):
            with open(f"{rest[1]}/{document['_id']}.py", "w", encoding="utf-8") as file:
                file.write(document["text"].rstrip("\n") + "\n")
        return
    queries = lines(f"{collection}/queries.jsonl")
    relevant = {}
    with open(f"{collection}/qrels.tsv", encoding="utf-8") as file:
        for row in file.read().splitlines()[1:]:
            query, document, grade = row.split("\t")
            relevant.setdefault(query, {})[document] = int(grade)
    means = []
    with ThreadPoolExecutor(2) as pool:
        for recall, store in (pair.split(",") for pair in rest):
            means.append(list(pool.map(
                lambda query: ndcg(recall, store, query["text"], relevant.get(query["_id"], {})), queries)))
    old, new = means
    differences = [b - a for a, b in zip(old, new)]
    count = len(differences)
    random.seed(1)
    samples = sorted(sum(random.choices(differences, k=count)) / count for _ in range(10_000))
    print(f"{count} questions, nDCG@10 {sum(old) / count:.4f} and {sum(new) / count:.4f}, "
          f"difference {sum(differences) / count:+.4f} ({samples[250]:+.4f} to {samples[9749]:+.4f})")


main()
