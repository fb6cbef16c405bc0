#!/usr/bin/env python3
"""How many of the links and patterns that `recall suggest` proposes are right?

    suggested_notes.py RECALL [--show] [--terse]

Makes stores of the notes of tests/memory_questions: of all, and of two halves, which are divided by the SHA-256
of the first word of the id, so that groups of near notes stay whole. Constants were chosen on `tune`. Compares
what is suggested with suggestions_judged.tsv, in which a person has judged each: would they want the link, or
the pattern? Others are counted as not judged; --show prints them, and the wrong ones.

--terse: the notes are reduced to title and first sentence, and saved one by one; all pairs that are suggested
then are printed. Also prints how many of the notes that are saved one by one are said to contradict another one.
"""

import argparse
import collections
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

BENCH = pathlib.Path(__file__).resolve().parent
NOTES = BENCH.parent / "tests" / "memory_questions" / "notes"
AS_OF = "2026-11-26"


def half_of(note):
    group = note.stem.split("-")[0]
    return "test" if int(hashlib.sha256(group.encode()).hexdigest(), 16) & 1 else "tune"


def run(recall, directory, *words):
    environment = dict(os.environ, RECALL_CONFIG="/dev/null")
    done = subprocess.run([recall, *words], cwd=directory, env=environment, check=True, capture_output=True)
    return done.stdout


def suggestions(recall, directory):
    words = ["suggest", "--limit", "1000000", "--as-of", AS_OF, "--json"]
    found = json.loads(run(recall, directory, *words))["suggest"]["suggestions"]
    for each in found:
        notes = " ".join(sorted(pathlib.PurePath(note["path"]).stem for note in each["notes"]))
        yield each["kind"], notes, each


def save_terse(recall, directory, notes):
    """Returns: the number of notes that are said to contradict another one."""
    contradicting = 0
    for note in notes:
        whole = note.read_text(encoding="utf-8")
        card, text = whole.split("\n---\n", 1)
        on_card = dict(re.findall(r'(?m)^(\w+): "?(.*?)"?$', card))
        sentence = re.split(r"\. |\n", text.strip())[0]
        answer = run(recall, directory, "save", on_card["type"], on_card["title"], "--text", sentence, "--at",
                     "2026-09-01", "--json")
        contradicting += len(json.loads(answer)["save"]["contradicts"]) > 0
    return contradicting


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recall", type=os.path.abspath)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--terse", action="store_true")
    arguments = parser.parse_args()
    with open(BENCH / "suggestions_judged.tsv", encoding="utf-8") as lines:
        judged = {(kind, notes): verdict for kind, verdict, notes in (line.rstrip("\n").split("\t") for line in lines)}
    all_notes = sorted(NOTES.glob("*.md"))
    for name in ["tune", "test", "all"]:
        notes = [note for note in all_notes if name in ("all", half_of(note))]
        with tempfile.TemporaryDirectory() as directory:
            run(arguments.recall, directory, "init")
            if arguments.terse:
                alarms = save_terse(arguments.recall, directory, notes)
                print(f"{name}: {len(notes)} notes saved, {alarms} said to contradict another one")
            else:
                shutil.copytree(NOTES, pathlib.Path(directory) / "notes",
                                ignore=lambda _, files: set(files) - {note.name for note in notes})
                run(arguments.recall, directory, "add", "--parser", "note", "notes")
            counts = collections.Counter()
            for kind, about, each in suggestions(arguments.recall, directory):
                if kind not in ("link", "pattern"):
                    continue
                verdict = judged.get((kind, about), "not judged")
                counts[kind, verdict] += 1
                if arguments.terse or (arguments.show and verdict != "right"):
                    print(f"  {verdict} {kind}: {about} ({', '.join(each['shared'])})")
            for kind in ("pattern", "link"):
                parts = ", ".join(f"{counts[kind, verdict]} {verdict}" for verdict in ("right", "wrong", "not judged"))
                print(f"{name}: {kind}: {parts}")


if __name__ == "__main__":
    main()
