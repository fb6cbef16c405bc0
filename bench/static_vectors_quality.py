#!/usr/bin/env python3
"""Measures what pre-trained word vectors improve, for docs/decisions/0014-static-vectors.md.

    bench/static_vectors_quality.py RECALL MODEL DIRECTORY... [--sizes 0,15,50,100,300]

MODEL is a Model2Vec directory, for example of bench/static_vectors.py. Each DIRECTORY is a collection in BEIR layout.
Size 0 means all of its documents. For any other size, twenty samples of that many documents are measured, each with up
to forty queries that have a relevant document in the sample. Confidence intervals are those of the bootstrap, over
queries (size 0) or over samples.
"""

import argparse
import json
import os
import pathlib
import random
import subprocess
import tempfile

import numpy as np
from similar_quality import dcg, judgements, lines

PARTS, QUERIES, RELEVANT = 20, 40, 5


class Collection:
    def __init__(self, directory):
        documents = [json.loads(line) for line in lines(directory, "corpus.jsonl")]
        self.texts = {d["_id"]: d.get("title", "") + "\n" + d["text"] for d in documents}
        asked = {query["_id"]: query["text"] for query in map(json.loads, lines(directory, "queries.jsonl"))}
        self.gains = {}
        for query, gains in judgements(directory).items():
            known = {document: gain for document, gain in gains.items() if document in self.texts}
            if query in asked and known:
                self.gains[query] = known
        self.queries = {query: text for query, text in asked.items() if query in self.gains}

    def part(self, size, seed):
        """SIZE documents, half of them relevant to some query and the rest random; and queries that they answer."""
        draw = random.Random(f"{size} {seed}")
        chosen = {}
        for query in draw.sample(sorted(self.queries), len(self.queries)):
            relevant = sorted(self.gains[query])
            room = min(RELEVANT, len(relevant), (size + 1) // 2 - len(chosen))
            chosen.update(dict.fromkeys(draw.sample(relevant, max(room, 0))))
        for document in draw.sample(sorted(self.texts), len(self.texts)):
            if len(chosen) < size:
                chosen[document] = None
        answerable = [query for query in self.queries if chosen.keys() & self.gains[query].keys()]
        return sorted(chosen), sorted(draw.sample(answerable, min(QUERIES, len(answerable))))


def quality(found, gains):
    """nDCG@10 and recall@100 of a ranking of documents."""
    reached = [gains.get(document, 0) for document in found[:10]]
    recalled = sum(document in gains for document in found[:100]) / len(gains)
    return dcg(reached) / dcg(sorted(gains.values(), reverse=True)[:10]), recalled


def answers(run, names, queries, flags):
    for query in queries:
        hits = json.loads(run("search", "--json", "-k", "300", *flags, "--", query))["results"]
        yield list(dict.fromkeys(names[pathlib.Path(hit["doc"]["path"]).name] for hit in hits))


def measured(recall, model, collection, documents, queries):
    """The quality of each query: lexical, by default, and with the model's vectors instead of the store's own."""
    names = {f"{number:06}.txt": document for number, document in enumerate(documents)}
    with tempfile.TemporaryDirectory() as scratch:
        texts = pathlib.Path(scratch, "texts")
        settings = pathlib.Path(scratch, "settings.toml")
        texts.mkdir()
        settings.write_text(f'[embedders.static]\nkind = "model2vec"\npath = "{model}"\n')
        for name, document in names.items():
            (texts / name).write_text(collection.texts[document])
        here = {**os.environ, "RECALL_STORE": scratch, "RECALL_CONFIG": str(settings)}

        def run(command, *rest):
            asked = [recall, command, "--quiet", *rest]
            return subprocess.run(asked, check=True, env=here, stdout=subprocess.PIPE).stdout

        run("init")
        run("add", str(texts))
        asked = [collection.queries[query] for query in queries]
        found = [list(answers(run, names, asked, ["--bm25"])), list(answers(run, names, asked, []))]
        run("embed", "--as", "static")
        found.append(list(answers(run, names, asked, [])))
    there = set(documents)
    gains = [{d: gain for d, gain in collection.gains[query].items() if d in there} for query in queries]
    return np.array([[quality(*pair) for pair in zip(way, gains)] for way in found])


def difference(collections):
    """nDCG@10 with the model minus the default: the mean over the collections, each resampled separately."""
    draw = np.random.default_rng(7)
    apart = [rows[2, :, 0] - rows[1, :, 0] for rows in collections]
    means = [np.mean([draw.choice(d, len(d)).mean() for d in apart]) for _ in range(10000)]
    low, high = np.quantile(means, [0.025, 0.975])
    return f"{np.mean([d.mean() for d in apart]):+.4f} [{low:+.4f}, {high:+.4f}]"


def report(name, size, collections):
    figures = np.mean([rows.mean(1) for rows in collections], axis=0)
    words, default, static = (f"{ndcg:.4f} / {recalled:.3f}" for ndcg, recalled in figures)
    print(f"| {name} | {size or 'all'} | {words} | {default} | {static} | {difference(collections)} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recall", type=pathlib.Path)
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("directories", nargs="+", type=pathlib.Path)
    parser.add_argument("--sizes", default="0,15,50,100,300")
    options = parser.parse_args()
    recall, model = options.recall.resolve(), options.model.resolve()
    print("| | documents | words | default | static | static - default |\n| --- | ---: | --- | --- | --- | --- |")
    for size in map(int, options.sizes.split(",")):
        collections = []
        for directory in options.directories:
            collection = Collection(directory)
            whole = [(list(collection.texts), list(collection.queries))]
            parts = [collection.part(size, seed) for seed in range(PARTS)] if size else whole
            rows = [measured(recall, model, collection, *part) for part in parts]
            collections.append(np.stack([r.mean(1) for r in rows], axis=1) if size else rows[0])
            report(directory.name, size, collections[-1:])
        report("average", size, collections)


if __name__ == "__main__":
    main()
