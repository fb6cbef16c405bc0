#!/usr/bin/env python3
"""How often does `recall map` name the files that answer a question?

    map_files.py RECALL QUESTIONS [--budget-tokens 1000] [--plain | --context]

QUESTIONS has a line of JSON for each question: {"store", "text", "files"}: the directory of a store, the
question, and the files that answer it, as the store names them. --plain: the map without the question;
--context: `recall context` with as many tokens.

Prints the share of these files that are in the answer, a mean of the questions: of all, and of the even
and the odd half by the MD5 of store and text, of which one may choose constants and the other report.
"""

import argparse
import hashlib
import json
import os
import subprocess


def answered_files(arguments, question):
    command = [arguments.recall]
    if arguments.context:
        command += ["context", "--lexical-mode", "literal"]
    else:
        command += ["map"] + ([] if arguments.plain else ["--about", question["text"]])
    command += ["--budget-tokens", str(arguments.budget_tokens), "--json"]
    command += ["--", question["text"]] if arguments.context else []
    environment = dict(os.environ, RECALL_CONFIG="/dev/null")
    answer = json.loads(subprocess.run(command, cwd=question["store"], env=environment, check=True,
                                       capture_output=True).stdout)
    if arguments.context:
        return {piece["path"] for piece in answer["context"]["chunks"]}
    return {row["doc"]["path"] for row in answer["results"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recall", type=os.path.abspath)
    parser.add_argument("questions")
    parser.add_argument("--budget-tokens", type=int, default=1000)
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--context", action="store_true")
    arguments = parser.parse_args()
    shares = {"all": [], "even half": [], "odd half": []}
    with open(arguments.questions, encoding="utf-8") as lines:
        questions = [json.loads(line) for line in lines if line.strip()]
    for question in questions:
        found = answered_files(arguments, question)
        share = sum(file in found for file in question["files"]) / len(question["files"])
        digest = hashlib.md5((question["store"] + question["text"]).encode()).hexdigest()
        shares["all"].append(share)
        shares["odd half" if int(digest, 16) % 2 else "even half"].append(share)
    for name, values in shares.items():
        print(f"{name}: {len(values)} questions, {sum(values) / max(1, len(values)):.3f} of the files")


if __name__ == "__main__":
    main()
