#!/usr/bin/env python3
"""nDCG@10 of `recall similar` on collections in BEIR layout; see docs/RETRIEVAL.md.

    bench/similar_quality.py RECALL DIRECTORY... [--embedding lsa|hash]

Takes 400 pairs of a query and a document judged relevant to it from each collection, in the order
of the SHA-256 of their ids, of queries with at least two such documents. `recall similar` is run
with the document of the pair; the other documents judged relevant to the query count as relevant.
"""

import argparse
import hashlib
import json
import math
import os
import pathlib
import subprocess
import tempfile

PAIRS = 400


def lines(directory, name):
    for path in (directory / name, directory / (name + ".zst")):
        if path.exists():
            opened = ["zstd", "-dcq", path] if path.suffix == ".zst" else ["cat", path]
            return subprocess.run(opened, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    raise SystemExit(f"{directory}: there is no {name}")


def judgements(directory):
    gains = {}
    for line in lines(directory, "qrels.tsv"):
        query, document, gain = line.split("\t")
        if gain.isdigit() and int(gain) > 0:
            gains.setdefault(query, {})[document] = int(gain)
    return gains


def draw(gains):
    pairs = [(q, d) for q, documents in gains.items() if len(documents) > 1 for d in documents]
    return sorted(pairs, key=lambda pair: hashlib.sha256("\t".join(pair).encode()).digest())[:PAIRS]


def fill(recall, directory, store, embedding):
    texts = store.parent / "texts"
    texts.mkdir()
    names = {}
    for number, line in enumerate(lines(directory, "corpus.jsonl")):
        document = json.loads(line)
        path = texts / f"{number}.txt"
        path.write_text(document.get("title", "") + "\n" + document["text"])
        names[document["_id"]] = path
    with_embedding = {**os.environ, "RECALL_EMBEDDING": embedding}
    subprocess.run([recall, "init", "--store", store, "--quiet"], check=True, env=with_embedding)
    subprocess.run([recall, "add", texts, "--store", store, "--quiet"], check=True)
    return names


def dcg(gains):
    return sum(gain / math.log2(place + 2) for place, gain in enumerate(gains))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("recall", type=pathlib.Path)
    parser.add_argument("directories", nargs="+", type=pathlib.Path)
    parser.add_argument("--embedding", default="lsa")
    options = parser.parse_args()
    for directory in options.directories:
        with tempfile.TemporaryDirectory() as scratch:
            store = pathlib.Path(scratch) / "recall.db"
            names = fill(options.recall.resolve(), directory, store, options.embedding)
            ids = {path.name: name for name, path in names.items()}
            gains = judgements(directory)
            scores = []
            for query, document in draw(gains):
                asked = [options.recall.resolve(), "similar", names[document], "--k", "10", "--json", "--store", store]
                answer = json.loads(subprocess.run(asked, check=True, stdout=subprocess.PIPE).stdout)
                right = {d: g for d, g in gains[query].items() if d != document}
                found = [right.get(ids[pathlib.Path(hit["doc"]["path"]).name], 0) for hit in answer["results"]]
                scores.append(dcg(found) / dcg(sorted(right.values(), reverse=True)[:10]))
            print(f"{directory.name}: {sum(scores) / len(scores):.3f} ({len(scores)} pairs)")


if __name__ == "__main__":
    main()
