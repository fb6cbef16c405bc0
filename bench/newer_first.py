#!/usr/bin/env python3
"""Where two statements disagree, does the newer one stand first? See docs/decisions/0091-newer-statements.md.

    bench/newer_first.py RECALL COLLECTION [--half tune|test|all] [--way NAME='FLAGS'] [--list]

COLLECTION is in BEIR format; its documents and questions have metadata.conversation, the questions
also metadata.category (BEAM, arXiv:2510.27246). Asked are the questions of the category
"knowledge_update": people said something, and later something else, and the judgements are both. The
day of a turn is that of its batch, which begins with a title such as "March-15-2024".

notes     each turn of a person is a note, made on its day. Counted are the questions of which the
          newest judged note stands before all older ones in `search --view memory`, and those whose
          newest and an older one are both among the first ten.
sessions  each batch is a session. `recall sessions` shows each with its best turn. Counted are the
          questions for which a judged turn is shown, and those whose first one is the newest.

A question is asked on the day after the last turn of its conversation. Conversations are halves:
"tune" has every other one. `--way` adds flags to `search`. The same RECALL prints the same on every
machine.
"""

import argparse
import collections
import datetime
import json
import os
import pathlib
import shlex
import subprocess
import tempfile

from hook_hints import read, share

CATEGORY = "knowledge_update"
KEPT = 50
FIRST = 10


def run(recall, store, words, text=None):
    done = subprocess.run([recall, words[0], "--store", str(store), *words[1:]], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, input=text)
    if done.returncode != 0:
        raise SystemExit(" ".join(words[:2]) + ": " + done.stdout + done.stderr)
    return done.stdout


def add_times(documents):
    """Gives each turn a time: the day of its batch, and a minute for each turn before it."""
    days = {}
    for document in documents:
        meta = document["metadata"]
        key = (meta["conversation"], meta["batch"])
        if document["title"] and key not in days:
            days[key] = datetime.datetime.strptime(document["title"] + " +0000", "%B-%d-%Y %z")
        before = days.get(key) or days[(key[0], key[1] - 1)] + datetime.timedelta(days=7)
        days[key] = before
        meta["at"] = before + datetime.timedelta(minutes=meta["turn"])


def stamp(time):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


def note_store(recall, directory, name, documents):
    root = directory / f"notes-{name}"
    (root / "notes").mkdir(parents=True)
    for document in documents:
        meta = document["metadata"]
        if meta["role"] != "user" or not document["text"].strip():
            continue
        title = " ".join(document["text"].split())[:80]
        card = f"---\ntype: fact\ntitle: {json.dumps(title)}\ncreated: {stamp(meta['at'])}\nupdated: {stamp(meta['at'])}\n---\n"
        file = root / "notes" / f"t{meta['turn']:04d}.md"
        file.write_text(card + document["text"] + "\n")
        os.utime(file, times=(meta["at"].timestamp(),) * 2)
    store = root / "recall.db"
    run(recall, store, ["init", "--quiet"])
    run(recall, store, ["add", "--quiet", "--parser", "note", str(root / "notes")])
    return store


def session_store(recall, directory, name, documents):
    root = directory / f"sessions-{name}"
    root.mkdir()
    lines = []
    for document in documents:
        meta = document["metadata"]
        role = "human" if meta["role"] == "user" else "assistant"
        lines.append(json.dumps({"session": f"b{meta['batch']}", "role": role, "text": document["text"],
                                 "at": stamp(meta["at"])}))
    (root / "all.jsonl").write_text("\n".join(lines) + "\n")
    store = root / "recall.db"
    run(recall, store, ["init", "--quiet"])
    run(recall, store, ["capture", "--quiet", "--secrets", "keep", "--from", "jsonl", str(root / "all.jsonl")])
    return store


def rank_notes(recall, store, question, as_of, flags):
    words = ["search", "--view", "memory", "--min-score", "0", "-k", str(KEPT), "--json", "--lexical-mode", "literal",
             "--as-of", stamp(as_of), *flags, "--", question]
    hits = json.loads(run(recall, store, words))["results"]
    return [int(pathlib.PurePath(hit["doc"]["path"]).stem[1:]) for hit in hits]


def turns_shown(recall, store, question, turns_of):
    """The turns that `sessions` shows, as turns of the conversation, best first."""
    hits = json.loads(run(recall, store, ["sessions", "--json", "-n", "20", "--", question]))["results"]
    shown = []
    for hit in hits:
        session = hit["doc"]["path"].rsplit("/", 1)[-1]
        if "turn" in hit and hit["turn"] is not None:
            shown.append(turns_of[session][hit["turn"]])
    return shown


def measure(recall, collection, half, flags, listed, directory):
    by_name = collections.defaultdict(list)
    for document in read(collection, "corpus"):
        by_name[document["metadata"]["conversation"]].append(document)
    names = sorted(by_name)
    chosen = {"tune": names[::2], "test": names[1::2], "all": names}[half]
    judged = collections.defaultdict(set)
    for line in (collection / "qrels.tsv").read_text().splitlines()[1:]:
        query, document, _ = line.split("\t")
        judged[query].add(document)
    questions = collections.defaultdict(list)
    for question in read(collection, "queries"):
        if question["metadata"]["category"] == CATEGORY:
            questions[question["metadata"]["conversation"]].append(question)
    count = collections.Counter()
    for name in chosen:
        documents = by_name[name]
        add_times(documents)
        role = {document["_id"]: document["metadata"]["role"] for document in documents}
        turn = {document["_id"]: document["metadata"]["turn"] for document in documents}
        turns_of = collections.defaultdict(list)
        for document in documents:
            turns_of[f"b{document['metadata']['batch']}"].append(document["metadata"]["turn"])
        as_of = max(document["metadata"]["at"] for document in documents) + datetime.timedelta(days=1)
        notes = note_store(recall, directory, name, documents)
        sessions = session_store(recall, directory, name, documents)
        for question in questions[name]:
            said = sorted(turn[d] for d in judged[question["_id"]] if role[d] == "user")
            if len(said) < 2:
                continue
            newest, older = said[-1], said[:-1]
            ranked = rank_notes(recall, notes, question["text"], as_of, flags)
            place = {t: ranked.index(t) if t in ranked else KEPT for t in said}
            first = place[newest] < min(place[t] for t in older)
            both = place[newest] < FIRST and min(place[t] for t in older) < FIRST
            shown = [t for t in turns_shown(recall, sessions, question["text"], turns_of) if t in said]
            count.update(asked=1, first=first, both=both, both_first=both and first, shown=bool(shown),
                         shown_newest=bool(shown) and shown[0] == newest)
            if listed:
                print(question["_id"], {t: place[t] + 1 for t in said}, "newest", newest, "shown", shown[:3])
    print(f"notes, {half}: {count['asked']} questions, newest first {share(count['first'], count['asked'])}; of "
          f"{count['both']} with both among the first {FIRST}: {share(count['both_first'], count['both'])}")
    print(f"sessions, {half}: a judged turn {share(count['shown'], count['asked'])}, the first of them the newest "
          f"{share(count['shown_newest'], count['shown'])}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recall")
    parser.add_argument("collection", type=pathlib.Path)
    parser.add_argument("--half", choices=["tune", "test", "all"], default="tune")
    parser.add_argument("--way", default="", help="flags for `search`")
    parser.add_argument("--list", action="store_true", help="print the places of each question")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        measure(str(pathlib.Path(options.recall).resolve()), options.collection, options.half,
                shlex.split(options.way), options.list, pathlib.Path(directory))


if __name__ == "__main__":
    main()
