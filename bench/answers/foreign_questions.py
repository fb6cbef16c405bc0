#!/usr/bin/env python3
"""Measures how often answers say that possibly nothing is relevant, rightly and wrongly.

    foreign_questions.py RECALL CORPORA [--half even|odd] [--fill COLLECTION...] [--stores DIR]

CORPORA is the directory that make_corpora.sh made. Stores of three sizes are asked:

    9       for each corpus, the nine documents that answer most of its questions
    corpus  each corpus: 25 to 785 documents
    fill    five corpora and all documents of the collections in BEIR format after --fill

Each store is asked the questions that it answers, where the warning is a false alarm, and those of
the corpora that it does not have, where it should come. The latter are at most 40 for each store of
the first two sizes, the same in every run. A few of them have an answer all the same, because
manuals speak of each other's subjects.

Prints for each size and command the share of questions with the warning. Reads .zst files with the
program zstd.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

WARNING = "possibly nothing relevant"
KEPT = ["git", "headers", "node", "policy", "rust"]  # the corpora of the filled store
MOST_FOREIGN = 40
SMALL = 9


def run(*arguments):
    done = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(arguments)}: {done.stderr.decode()}")
    return done.stdout.decode()


def single_spaces(text):
    return re.sub(r"\s+", " ", text)


def answers(text, question):
    text = single_spaces(text)
    for answer in question["answers"]:
        forms = [answer] if isinstance(answer, str) else answer
        if not any(single_spaces(form) in text for form in forms):
            return False
    return True


class Stores:
    def __init__(self, recall, directory):
        self.recall = recall
        self.directory = directory

    def make(self, name, fill):
        """The store of this name, which `fill` adds to if it is new."""
        store = os.path.join(self.directory, name)
        if not os.path.exists(os.path.join(store, "recall.db")):
            os.makedirs(store, exist_ok=True)
            run(self.recall, "init", "--store", store)
            fill(store)
        return store

    def add(self, store, root, paths):
        run(self.recall, "add", *paths, "--root", root, "--store", store)

    def ask(self, command, store, question):
        return json.loads(run(self.recall, command, "--json", "--store", store, "--", question))

    def warns(self, command, store, question):
        answer = self.ask(command, store, question["question"])
        return any(warning.startswith(WARNING) for warning in answer.get("warnings", []))


def documents_with_answers(stores, store, questions):
    """The path of a document with the answer, for each question that has one among ten hits."""
    found = {}
    for question in questions:
        for hit in stores.ask("search", store, question["question"])["results"]:
            if answers(hit["chunk"]["text"], question):
                found[question["_id"]] = hit["doc"]["path"]
                break
    return found


def add_collection(stores, store, collection):
    lines = os.path.join(collection, "corpus.jsonl")
    if os.path.exists(lines + ".zst"):
        text = subprocess.run(["zstd", "-dcq", lines + ".zst"], check=True, stdout=subprocess.PIPE).stdout.decode()
    else:
        with open(lines, encoding="utf-8") as file:
            text = file.read()
    name = os.path.basename(os.path.normpath(collection))
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as documents:
        for line in text.splitlines():
            document = json.loads(line)
            body = (document.get("title", "") + "\n\n" + document["text"]).strip()
            if body:
                json.dump({"path": f"{name}/{document['_id']}.txt", "text": body + "\n"}, documents)
                documents.write("\n")
        documents.flush()
        run(stores.recall, "add", "--jsonl", documents.name, "--store", store)


def groups_of(stores, corpora, questions, fill):
    """(size, store, questions that it answers, questions of other subjects)"""
    names = sorted({question["corpus"] for question in questions})
    groups = []
    for name in names:
        root = os.path.join(corpora, name)
        own = [question for question in questions if question["corpus"] == name]
        foreign = [question for question in questions if question["corpus"] != name]
        foreign = foreign[:: max(1, len(foreign) // MOST_FOREIGN)][:MOST_FOREIGN]
        store = stores.make(name, lambda store, root=root: stores.add(store, root, [root]))
        found = documents_with_answers(stores, store, own)
        groups.append(("corpus", store, [q for q in own if q["_id"] in found], foreign))
        paths = sorted(found.values())
        best = sorted(set(paths), key=lambda path: (-paths.count(path), path))[:SMALL]
        small = stores.make(
            f"{name}-{SMALL}",
            lambda store, root=root, best=best: stores.add(store, root, [os.path.join(root, path) for path in best]),
        )
        groups.append(("9", small, [q for q in own if found.get(q["_id"]) in best], foreign))
    if fill:

        def add_all(store):
            for collection in fill:
                add_collection(stores, store, collection)
            for name in KEPT:
                stores.add(store, corpora, [os.path.join(corpora, name)])

        store = stores.make("fill", add_all)
        own = [question for question in questions if question["corpus"] in KEPT]
        found = documents_with_answers(stores, store, own)
        foreign = [question for question in questions if question["corpus"] not in KEPT]
        groups.append(("fill", store, [q for q in own if q["_id"] in found], foreign))
    return groups


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recall")
    parser.add_argument("corpora")
    parser.add_argument("--half", choices=["even", "odd"], default="even")
    parser.add_argument("--fill", nargs="*", default=[])
    parser.add_argument("--stores", help="keep the stores of this half here, and use those that are there")
    options = parser.parse_args()
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "answered_questions.jsonl")
    with open(path, encoding="utf-8") as file:
        questions = [json.loads(line) for line in file]
    questions = [q for q in questions if int(q["_id"]) % 2 == (options.half == "odd")]
    with tempfile.TemporaryDirectory() as temporary:
        stores = Stores(os.path.abspath(options.recall), options.stores or temporary)
        counts = {}
        for size, store, own, foreign in groups_of(stores, os.path.abspath(options.corpora), questions, options.fill):
            for kind, asked in (("answered", own), ("foreign", foreign)):
                for command in ("search", "context"):
                    count = counts.setdefault((size, kind, command), [0, 0])
                    count[0] += sum(stores.warns(command, store, question) for question in asked)
                    count[1] += len(asked)
        for (size, kind, command), (warned, asked) in counts.items():
            print(f"{size:7} {kind:9} {command:8} {warned:4} of {asked:4}  {warned / max(1, asked):.3f}")


if __name__ == "__main__":
    main()
