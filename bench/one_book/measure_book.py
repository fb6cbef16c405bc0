#!/usr/bin/env python3
"""Is the same passage found in one book, whatever the format of its file?

    measure_book.py RECALL [--show] [--directory DIR]

The book is Debian's live-manual in English: packages live-manual-txt, -html, -epub and -odf, as HTML once
in one page and once in 22 pages. Each format is added to a store of its own, with the settings of `recall
init`, and each question of questions.jsonl is searched for in each store.

How the questions were chosen: of the paragraphs of the text version with 25 words or more, 50 at equal
distances, and one question about each, written from the paragraph alone before any search was run. "paragraph"
is the number that the book gives the paragraph, "starts" its first words.

Text has no marks that make a heading, so it is cut into chunks elsewhere than the other formats. To tell
what that does from what extraction does, there are three comparisons:

    as added       each format by default; the text version in pieces of equal size, the others at headings
    marked         the headings of the text version, which are underlined, are marked as in Markdown; by default
    same cuts      --parser plain for all formats: pieces of equal size

Two texts are the same passage if at least half of the three-word sequences of the shorter one are in the other
one, without regard to case, punctuation and numbers (the book numbers its paragraphs).

    same     the first hit is the same passage as the first hit in the text version
    in 3     one of the first three hits is
    first    the first hit contains the paragraph asked about (at least half of its three-word sequences)
    3, 8     one of the first three, of the eight hits of a page does

--show prints the questions whose first hit is not the same passage. --directory reads the packages'
files from another root.
"""

import argparse
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unicodedata

HERE = os.path.dirname(os.path.abspath(__file__))
REQUIRED = 0.95


def shingles(text):
    words = [w for w in re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", text).casefold()) if not w.isdigit()]
    size = min(3, len(words))
    return {tuple(words[i : i + size]) for i in range(len(words) - size + 1)} if words else set()


def same(a, b):
    return bool(a) and bool(b) and 2 * len(a & b) >= min(len(a), len(b))


def contains(hit, passage):
    return bool(passage) and 2 * len(hit & passage) >= len(passage)


def with_marked_headings(text):
    """Underlined lines become headings of Markdown; the sign of the line tells the level."""
    lines = text.split("\n")
    out = []
    for i, line in enumerate(lines):
        following = lines[i + 1] if i + 1 < len(lines) else ""
        if line.strip() and re.fullmatch(r"([=*.~-])\1{2,}", following) and abs(len(following) - len(line)) <= 2:
            out.append("#" * (1 + "=*-.~".index(following[0])) + " " + line)
        elif not (out and out[-1].startswith("#") and re.fullmatch(r"([=*.~-])\1{2,}", line)):
            out.append(line)
    return "\n".join(out)


def make_books(root, target):
    """Copies the book into a folder per format. Returns the folders by name, and the text version."""
    def source(*parts):
        return os.path.join(root, "usr/share/doc/live-manual", *parts)

    for name in ("text", "marked", "html page", "html pages", "epub", "odt"):
        os.makedirs(os.path.join(target, name))
    text = gzip.open(source("txt/live-manual.en.txt.gz"), "rt", encoding="utf-8").read()
    with open(os.path.join(target, "text", "live-manual.txt"), "w", encoding="utf-8") as out:
        out.write(text)
    with open(os.path.join(target, "marked", "live-manual.md"), "w", encoding="utf-8") as out:
        out.write(with_marked_headings(text))
    shutil.copy(source("html/live-manual.en.html"), os.path.join(target, "html page"))
    for name in sorted(os.listdir(source("html/live-manual"))):
        if name.endswith(".en.html") and not os.path.islink(source("html/live-manual", name)):
            shutil.copy(source("html/live-manual", name), os.path.join(target, "html pages"))
    shutil.copy(source("epub/live-manual.en.epub"), os.path.join(target, "epub"))
    shutil.copy(source("odt/live-manual.en.odt"), os.path.join(target, "odt"))
    return text


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("recall")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--directory", default="/")
    arguments = parser.parse_args()
    recall = os.path.abspath(arguments.recall)
    with open(os.path.join(HERE, "questions.jsonl"), encoding="utf-8") as lines:
        questions = [json.loads(line) for line in lines]

    with tempfile.TemporaryDirectory() as directory:
        environment = {**os.environ, "HOME": directory, "XDG_CONFIG_HOME": directory, "RECALL_SERVE": "never"}

        def run(*command, cwd):
            return subprocess.run([recall, *command], cwd=cwd, env=environment, check=True, stdout=subprocess.PIPE).stdout

        def hits_in(name, parser):
            """The hits of each question: of the folder `name`, cut by `parser`."""
            folder = os.path.join(directory, name)
            store = os.path.join(directory, f"{name} {parser}.db")
            run("--quiet", "init", "--store", store, cwd=folder)
            run("--quiet", "add", "--store", store, "--parser", parser, ".", cwd=folder)
            answers = [run("search", "--store", store, "--json", "--snippet", "0", "--", question["text"], cwd=folder)
                       for question in questions]
            return [[hit["chunk"] for hit in json.loads(answer)["results"]] for answer in answers]

        text = make_books(arguments.directory, directory)
        # A paragraph of the text version is followed by its number.
        paragraphs = re.split("「[0-9]+」", text)
        for question in questions:
            paragraph = paragraphs[question["paragraph"] - 1]
            if not " ".join(paragraph.split()).startswith(question["starts"]):
                sys.exit(f"this is another edition of the book: paragraph {question['paragraph']}")
            question["passage"] = shingles(paragraph)

        formats = ("html page", "html pages", "epub", "odt")
        by_default = {name: hits_in(name, "auto") for name in ("text", "marked", *formats)}
        cut_alike = {name: hits_in(name, "plain") for name in ("text", *formats)}

    print(f"{len(questions)} questions; {REQUIRED:.0%} are {REQUIRED * len(questions):g}\n\n"
          "| comparison | format | same | in 3 | first | 3 | 8 |\n| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for comparison, hits, reference in (("as added", by_default, "text"), ("marked", by_default, "marked"),
                                        ("same cuts", cut_alike, "text")):
        missed = []
        for name in hits:
            if comparison == "marked" and name == "text" or comparison == "as added" and name == "marked":
                continue
            counts = [0] * 5
            for i, question in enumerate(questions):
                found = [shingles(hit["text"]) for hit in hits[name][i]]
                wanted = shingles(hits[reference][i][0]["text"])
                right = [contains(hit, question["passage"]) for hit in found]
                for column, value in enumerate((same(found[0], wanted), any(same(hit, wanted) for hit in found[:3]),
                                                right[0], any(right[:3]), any(right))):
                    counts[column] += value
                if not same(found[0], wanted):
                    missed.append((name, question, wanted, right[0], hits[reference][i][0], hits[name][i][0]))
            print(f"| {comparison} | {name} | {' | '.join(str(n) for n in counts)} |")
        if not arguments.show:
            continue
        for name, question, wanted, is_right, reference_hit, hit in missed:
            verdict = "right" if contains(wanted, question["passage"]) else "wrong"
            print(f"\n== {name}: {question['text']} ({reference} {verdict}, here {'right' if is_right else 'wrong'})")
            for chunk in (reference_hit, hit):
                print(f"  [{chunk['heading']}] {' '.join(chunk['text'].split())[:300]}")


main()
