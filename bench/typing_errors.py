#!/usr/bin/env python3
"""Measures how well questions with a typing error are answered.

One letter of the longest word of each question is dropped, or swapped with the next one; which, is
determined by SEED and the question's id. `recall eval` then answers the questions as they are and
with the errors. Prints nDCG@10 of hybrid search and the share that is kept.

    typing_errors.py [--seed SEED] [--most-words N] RECALL DIRECTORY...

A DIRECTORY is a collection in BEIR format, as for `recall eval`. Reads .zst files with the program
zstd. --most-words takes only questions of at most so many words.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

CORPUS = ("corpus.jsonl", "corpus.jsonl.zst")
QUESTIONS = ("queries.jsonl", "queries.jsonl.zst")
JUDGEMENTS = ("qrels.tsv", "qrels/test.tsv")
LEAST_LETTERS = 4


def existing(directory, names):
    for name in names:
        if os.path.exists(os.path.join(directory, name)):
            return name
    sys.exit(f"{directory}: there is no {names[0]}")


def read_questions(path):
    if path.endswith(".zst"):
        text = subprocess.run(["zstd", "-dcq", path], check=True, stdout=subprocess.PIPE).stdout.decode()
    else:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def with_error(text, choose):
    """The text with one error in its longest word, the first of several; None if all are short."""
    words = text.split()
    letters = [sum(letter.isalpha() for letter in word) for word in words]
    if not words or max(letters) < LEAST_LETTERS:
        return None
    at = letters.index(max(letters))
    word = words[at]
    places = [i for i in range(len(word)) if word[i].isalpha()]
    swaps = [i for i in places if i + 1 in places and word[i] != word[i + 1]]
    if swaps and choose.random() < 0.5:
        i = choose.choice(swaps)
        words[at] = word[:i] + word[i + 1] + word[i] + word[i + 2 :]
    else:
        i = choose.choice(places)
        words[at] = word[:i] + word[i + 1 :]
    return " ".join(words)


def make_collections(directory, temporary, options):
    """Writes two collections, one with errors, and returns their directories."""
    directory = os.path.abspath(directory)
    name = os.path.basename(directory)
    corpus, judgements = existing(directory, CORPUS), existing(directory, JUDGEMENTS)
    made = [os.path.join(temporary, name + suffix) for suffix in ("", "+errors")]
    files = []
    for path in made:
        os.makedirs(os.path.join(path, os.path.dirname(judgements)))
        for shared in (corpus, judgements):
            os.symlink(os.path.join(directory, shared), os.path.join(path, shared))
        files.append(open(os.path.join(path, "queries.jsonl"), "w", encoding="utf-8"))
    for question in read_questions(os.path.join(directory, existing(directory, QUESTIONS))):
        if options.most_words and len(question["text"].split()) > options.most_words:
            continue
        wrong = with_error(question["text"], random.Random(f"{options.seed} {question['_id']}"))
        if wrong is None:
            continue
        for file, text in zip(files, (question["text"], wrong)):
            file.write(json.dumps({"_id": question["_id"], "text": text}) + "\n")
    for file in files:
        file.close()
    return made


def evaluate(program, collections, temporary):
    """nDCG@10 of hybrid search, by collection and question."""
    table = os.path.join(temporary, "figures.tsv")
    subprocess.run(
        [program, "eval", "--quiet", *collections, "--per-query", table], check=True, stdout=subprocess.DEVNULL
    )
    figures = {}
    with open(table, encoding="utf-8") as file:
        next(file)
        for line in file:
            collection, question, retriever, ndcg = line.split("\t")[:4]
            if retriever == "hybrid":
                figures.setdefault(collection, {})[question] = float(ndcg)
    return figures


def mean(values):
    return sum(values) / len(values)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most-words", type=int)
    parser.add_argument("program", metavar="RECALL")
    parser.add_argument("directories", metavar="DIRECTORY", nargs="+")
    options = parser.parse_args()
    print(f"{'collection':<24}{'questions':>10}{'clean':>8}{'errors':>8}{'kept':>7}")
    kept = []
    for directory in options.directories:
        with tempfile.TemporaryDirectory() as temporary:
            clean, wrong = make_collections(directory, temporary, options)
            if os.path.getsize(os.path.join(clean, "queries.jsonl")) == 0:
                continue
            figures = evaluate(options.program, [clean, wrong], temporary)
        before = mean(figures[os.path.basename(clean)].values())
        after = mean(figures[os.path.basename(wrong)].values())
        name = os.path.basename(clean)
        count = len(figures[name])
        kept.append(after / before if before > 0 else 1.0)
        print(f"{name:<24}{count:>10}{before:>8.4f}{after:>8.4f}{kept[-1]:>7.3f}", flush=True)
    if kept:
        print(f"{'mean':<24}{'':>10}{'':>8}{'':>8}{mean(kept):>7.3f}")


if __name__ == "__main__":
    main()
