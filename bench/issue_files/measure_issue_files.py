#!/usr/bin/env python3
"""How often the text of an issue finds the file that its fix changes.

Reads the issues and fixes of SWE-bench Lite (CSV with the columns instance_id, problem_statement and
patch) and Git repositories of the projects. For each issue it finds the commit with the fix, adds the
tree before it to a store of the project (`add --sync`, so the store has one tree at a time), and asks
`recall search` for the text of the issue as it is. Prints how many first 1, 3, 5 and 10 files have a
file of the fix, among all documents and among those that end with .py. Issues whose fix is not found,
or whose commit is much later than those of their neighbours, are left out and named.

    measure_issue_files.py RECALL CSV REPOSITORIES [--half 0|1] [--keep DIRECTORY] [-- SEARCH OPTIONS]

REPOSITORIES has a Git directory OWNER+NAME/repo for each project. --half 0 and 1 are the issues whose
identifiers have an even and an odd first byte of SHA-256: choose with one, report the other. --keep
keeps the stores, and uses those that are there.
"""

import argparse
import concurrent.futures
import csv
import hashlib
import itertools
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

RANKS = (1, 3, 5, 10)
MOST_DAYS_APART = 300
NEIGHBOURS = 3


def git(repository, *arguments, **options):
    command = ["git", "--git-dir", repository, *arguments]
    return subprocess.run(command, capture_output=True, text=True, errors="replace", **options).stdout


def changed_lines(patch):
    """The changed lines of each file of a patch."""
    files = {}
    lines = []
    for line in patch.splitlines():
        if line.startswith("+++ b/"):
            lines = files.setdefault(line[6:], [])
        elif line[:1] in ("+", "-") and not line.startswith("---"):
            lines.append(line.rstrip())
    return files


def parent_of_fix(repository, patch):
    """Returns (commit, time) of the parent of the oldest commit with these changes; None if there is none."""
    wanted = changed_lines(patch)
    added = {line[1:].strip() for lines in wanted.values() for line in lines if line[0] == "+" and len(line) > 8}
    for text in sorted(added, key=lambda line: (-len(line), line))[:3]:
        log = git(repository, "log", "--all", "--no-merges", "--reverse", "--format=%H", "-S", text, "--", *wanted)
        for commit in log.split():
            parent = git(repository, "log", "-1", "--format=%H %ct", commit + "^1").split()
            found = changed_lines(git(repository, "show", "--format=", commit, "--", *wanted))
            if parent and all(set(lines) <= set(found.get(file, [])) for file, lines in wanted.items()):
                return parent[0], int(parent[1])
    return None


def read_tasks(path, repositories, half):
    csv.field_size_limit(1 << 30)
    tasks = []
    names = {name.split("+")[0]: name for name in os.listdir(repositories) if "+" in name}
    for row in csv.DictReader(open(path, newline="")):
        identifier = row["instance_id"]
        owner = identifier.split("__")[0]
        if hashlib.sha256(identifier.encode()).digest()[0] % 2 == 1 - half or owner not in names:
            continue
        repository = os.path.join(repositories, names[owner], "repo")
        parent = parent_of_fix(repository, row["patch"])
        if parent is None:
            print("left out: no fix found for", identifier, file=sys.stderr)
            continue
        files = list(changed_lines(row["patch"]))
        tasks.append(
            {"id": identifier, "repository": repository, "commit": parent[0], "time": parent[1], "files": files,
             "text": row["problem_statement"]}
        )  # fmt: skip
    return without_late_ones(tasks)


def without_late_ones(tasks):
    """A fix may be found in a copy that was made years later. Numbers of issues ascend with time."""
    kept = []
    tasks.sort(key=lambda task: (task["repository"], int(task["id"].rsplit("-", 1)[1])))
    for _, group in itertools.groupby(tasks, key=lambda task: task["repository"]):
        group = list(group)
        for i, task in enumerate(group):
            before = [other["time"] for other in group[max(i - NEIGHBOURS, 0) : i]]
            after = [other["time"] for other in group[i + 1 : i + 1 + NEIGHBOURS]]
            limit = MOST_DAYS_APART * 86400
            is_early = len(before) == NEIGHBOURS and task["time"] < statistics.median(before) - limit
            is_late = len(after) == NEIGHBOURS and task["time"] > statistics.median(after) + limit
            if is_early or is_late:
                print("left out: its fix is of another time:", task["id"], file=sys.stderr)
            else:
                kept.append(task)
    return sorted(kept, key=lambda task: (task["repository"], task["time"]))


def make_stores(recall, tasks, directory):
    """Makes the store ID.db of each task."""
    tree = os.path.join(directory, "tree")
    index = os.path.join(directory, "index")
    repository = None
    for task in tasks:
        store = os.path.join(directory, task["id"] + ".db")
        if os.path.exists(store):
            continue
        is_new = task["repository"] != repository
        repository = task["repository"]
        if is_new:
            shutil.rmtree(tree, ignore_errors=True)
            os.makedirs(tree)
            if os.path.exists(index):
                os.remove(index)
        environment = {**os.environ, "GIT_INDEX_FILE": index}
        arguments = ("--work-tree", tree, "read-tree", "-u", "--reset", task["commit"])
        git(repository, *arguments, env=environment, cwd=tree)
        if is_new:
            subprocess.run([recall, "init"], cwd=tree, check=True, stdout=subprocess.DEVNULL)
        subprocess.run([recall, "add", ".", "--sync", "--quiet"], cwd=tree, stderr=subprocess.DEVNULL)
        shutil.copy(os.path.join(tree, "recall.db"), store)


def files_of_search(recall, store, text, options):
    command = [recall, "search", "--store", store, "--no-check", "--json", "-k", "50", *options, "--", text]
    answer = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)
    return list(dict.fromkeys(hit["doc"]["path"] for hit in answer["results"]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("recall")
    parser.add_argument("csv")
    parser.add_argument("repositories")
    parser.add_argument("--half", type=int, choices=(0, 1))
    parser.add_argument("--keep")
    arguments = sys.argv[1:]
    split = arguments.index("--") if "--" in arguments else len(arguments)
    options = parser.parse_args(arguments[:split])
    recall = os.path.abspath(options.recall)
    # Without --half neither parity is left out.
    tasks = read_tasks(options.csv, options.repositories, options.half if options.half is not None else 2)
    with tempfile.TemporaryDirectory() as temporary:
        directory = options.keep or temporary
        os.makedirs(directory, exist_ok=True)
        make_stores(recall, tasks, directory)
        for name, scope in (("all documents", []), ("*.py", ["--filter", "doc.path GLOB '**.py'"])):

            def places(task):
                store = os.path.join(directory, task["id"] + ".db")
                found = files_of_search(recall, store, task["text"], [*scope, *arguments[split + 1 :]])
                return [any(file in task["files"] for file in found[:rank]) for rank in RANKS]

            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                hits = list(pool.map(places, tasks))
            shares = [sum(each) / len(hits) for each in zip(*hits)]
            print(f"{name}, {len(hits)} issues:", ", ".join(f"@{k} {share:.3f}" for k, share in zip(RANKS, shares)))


if __name__ == "__main__":
    main()
