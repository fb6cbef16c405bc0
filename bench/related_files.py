#!/usr/bin/env python3
"""Does `recall related` name the files that the next commit changes together with a file?

    related_files.py RECALL REPOSITORY [--commits 200] [--newest 30] [--formula]

For each of the last commits with 2 to 10 files, merges left out, one of its files is asked for, in a clone
that is at the parent of the commit, so that nothing later is known. Which file is chosen follows from a
hash of the commit and the names. The store is empty, so git alone answers. The baseline names the files of
the same folder that were changed most often before. Both name files that are still there.

--formula: the formula in this script instead of the program, to try others. Then RECALL is not started.

Prints for each half of the commits, by the last digit of their ids, how often one of the other files is
among the first five (hit@5), and which share of the other files is. Constants may be chosen with the even
half; the odd half tells how good they are.
"""

import argparse
import collections
import hashlib
import json
import os
import subprocess
import tempfile

FEWEST_FILES, MOST_FILES = 2, 10
SHOWN = 5
MOST_FILES_OF_A_SET = 50


def git(repository, *arguments):
    output = subprocess.run(["git", "-C", repository, *arguments], check=True, capture_output=True)
    return output.stdout.decode("utf-8", "surrogateescape")


def commits_of(repository):
    """[(id, files)], the newest first."""
    log = git(repository, "log", "--no-merges", "--no-renames", "--name-only", "-z", "--format=%x00%H")
    fields = log.split("\0")
    commits = []
    at = 0
    while at < len(fields):
        if not fields[at] and at + 1 < len(fields):
            commits.append((fields[at + 1], []))
            at += 2
            continue
        if fields[at]:
            commits[-1][1].append(fields[at].removeprefix("\n"))
        at += 1
    return commits


def asked_file(commit, files):
    return min(files, key=lambda name: hashlib.md5((commit + name).encode("utf-8", "surrogateescape")).digest())


def best(scores, present):
    names = [name for name in scores if name in present]
    return sorted(names, key=lambda name: (-scores[name], name))[:SHOWN]


def by_formula(earlier, file, present, newest):
    scores = collections.Counter()
    sets = [files for _, files in earlier if file in files][:newest]
    for files in sets:
        if 2 <= len(files) <= MOST_FILES_OF_A_SET:
            for other in files:
                if other != file:
                    scores[other] += 1 / (len(files) - 1)
    return best(scores, present)


def by_folder(earlier, file, present):
    scores = collections.Counter()
    for _, files in earlier:
        scores.update(other for other in files
                      if other != file and os.path.dirname(other) == os.path.dirname(file))
    return best(scores, present)


def by_program(arguments, clone, store, file):
    command = [arguments.recall, "related", "--store", store, "--json", "--stable", "--limit", str(SHOWN),
               "--newest", str(arguments.newest), "--", file]
    environment = dict(os.environ, RECALL_CONFIG="/dev/null")
    answer = json.loads(subprocess.run(command, cwd=clone, env=environment, check=True,
                                       capture_output=True).stdout)
    return [row["path"] for row in answer["results"]]


def measure(arguments, scratch):
    clone, store = os.path.join(scratch, "clone"), os.path.join(scratch, "recall.db")
    subprocess.run(["git", "clone", "-q", "--shared", "--no-tags", arguments.repository, clone], check=True)
    if not arguments.formula:
        subprocess.run([arguments.recall, "init", store], check=True, stdout=subprocess.DEVNULL)
    commits = commits_of(clone)
    figures = collections.defaultdict(list)
    taken = 0
    for place, (commit, files) in enumerate(commits):
        if taken == arguments.commits:
            break
        if not FEWEST_FILES <= len(files) <= MOST_FILES or place + 1 == len(commits):
            continue
        taken += 1
        parent = commit + "^"
        file = asked_file(commit, files)
        others = set(files) - {file}
        # Commits of other branches may stand between a commit and its parent.
        earlier_ids = set(git(clone, "rev-list", parent).split())
        earlier = [known for known in commits[place + 1:] if known[0] in earlier_ids]
        present = set(git(clone, "ls-tree", "-r", "--name-only", "-z", parent).split("\0"))
        answers = {"same folder": by_folder(earlier, file, present)}
        if arguments.formula:
            answers["formula"] = by_formula(earlier, file, present, arguments.newest)
        else:
            git(clone, "checkout", "-q", "--detach", parent)
            answers["recall related"] = by_program(arguments, clone, store, file)
        half = "odd half" if int(commit[-1], 16) % 2 else "even half"
        for name, answer in answers.items():
            found = len(others & set(answer))
            figures[half, name].append((found > 0, found / len(others)))
    for (half, name), values in sorted(figures.items()):
        hits = sum(hit for hit, _ in values) / len(values)
        share = sum(share for _, share in values) / len(values)
        print(f"{half}: {len(values)} commits, {name}: hit@{SHOWN} {hits:.3f}, {share:.3f} of the files")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recall", type=os.path.abspath)
    parser.add_argument("repository", type=os.path.abspath)
    parser.add_argument("--commits", type=int, default=200)
    parser.add_argument("--newest", type=int, default=30)
    parser.add_argument("--formula", action="store_true")
    with tempfile.TemporaryDirectory() as scratch:
        measure(parser.parse_args(), scratch)


if __name__ == "__main__":
    main()
