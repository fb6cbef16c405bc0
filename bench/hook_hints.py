#!/usr/bin/env python3
"""When does `recall hook` speak, what does it offer, and how long does it take?

    bench/hook_hints.py RECALL [--half tune|test|all] [--conversations DIR [--day]] [--time STORE]

Notes: a store of tests/memory_questions is asked each question as a prompt. Printed are the share of
the questions with an answer that get a hint, and the note which answers; the share of the hints that
are this note; and the share of the questions without an answer that get a hint. The same for prompts
that ask for nothing ("thanks, go on").

--conversations: a collection in BEIR format whose documents and questions have
metadata.conversation, the questions also metadata.category (BEAM, arXiv:2510.27246). Each conversation
is a store, and is asked its own questions, and those of the next conversation, which are foreign to
it. Questions of the category "abstention" have no answer. --day replays 200 prompts of its users instead:
the store has the first half of each conversation, and prompts are the turns of users that follow.

--time: the median and the 95th percentile of the time of a whole process in STORE, for the prompts of
tests/memory_questions in turn, and for events of the other kinds. If `recall serve` runs for STORE, it
answers.
"""

import argparse
import collections
import json
import pathlib
import re
import statistics
import subprocess
import tempfile
import time

from memory_quality import COLLECTION, in_half, lines, make_store

CITED = re.compile(r"^\[([^\]\s]+?)(?::\d+(?:-\d+)?)?\](?: |$)", re.MULTILINE)
CHATTER = [
    "thanks", "thank you!", "ok", "okay, go on", "go on", "yes", "yes please", "no", "continue", "looks good",
    "great, thanks", "perfect", "do it", "sounds good", "please try again", "hmm", "what do you think?", "nice work",
    "that is wrong", "stop", "wait", "keep going", "one more time please", "I see", "sure", "good morning", "hello",
    "can you explain?", "why?", "fix it", "/compact", "carry on", "let me think", "right", "yep", "undo that",
    "what now?", "show me", "good", "same as before",
]  # fmt: skip


def hook(recall, store, event):
    """The text that the assistant gets, or ""."""
    words = [recall, "hook", "--store", str(store), "--input", json.dumps(event)]
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"] if done.stdout else ""


def prompt(recall, store, text):
    return hook(recall, store, {"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": text})


def share(part, whole):
    return f"{part / whole:.3f}" if whole else "-"


def measure_notes(recall, half, directory):
    store = make_store(recall, directory)
    answers = collections.defaultdict(set)
    for line in (COLLECTION / "qrels.tsv").read_text().splitlines()[1:]:
        query, note, _ = line.split("\t")
        answers[query].add(note)
    count = collections.Counter()
    for question in lines("queries.jsonl") + lines("foreign.jsonl"):
        if not in_half(question, half):
            continue
        text = prompt(recall, store, question["text"])
        if not answers[question["_id"]]:
            count.update(none=1, none_told=bool(text))
            continue
        hints = [pathlib.PurePath(path).stem for path in CITED.findall(text)]
        right = [hint for hint in hints if hint in answers[question["_id"]]]
        count.update(asked=1, told=bool(text), found=bool(right), hints=len(hints), right=len(right))
    print(f"notes, {half}: told {share(count['told'], count['asked'])}, right note "
          f"{share(count['found'], count['asked'])}, hints that are right {share(count['right'], count['hints'])}, "
          f"without an answer {share(count['none_told'], count['none'])}")
    print(f"prompts without a subject: told {share(sum(bool(prompt(recall, store, t)) for t in CHATTER), len(CHATTER))}")


def read(directory, name):
    file = directory / f"{name}.jsonl"
    if file.exists():
        text = file.read_text()
    else:
        text = subprocess.run(["zstd", "-dcq", f"{file}.zst"], stdout=subprocess.PIPE, check=True, text=True).stdout
    return [json.loads(line) for line in text.splitlines()]


def conversation_store(recall, directory, name, documents):
    store = directory / f"{name}.db"
    subprocess.run([recall, "init", "--store", store, "--quiet"], check=True)
    texts = [{"path": f"{d['_id']}.txt", "text": d["text"]} for d in documents if d["text"].strip()]
    subprocess.run([recall, "add", "--jsonl", "-", "--store", store, "--quiet"], check=True, text=True,
                   input="".join(json.dumps(text) + "\n" for text in texts))
    return store


def measure_conversations(recall, collection, half, directory):
    by_name = collections.defaultdict(list)
    for document in read(collection, "corpus"):
        by_name[document["metadata"]["conversation"]].append(document)
    questions = collections.defaultdict(list)
    for question in read(collection, "queries"):
        questions[question["metadata"]["conversation"]].append(question)
    names = sorted(by_name)
    relevant = collections.defaultdict(set)
    for line in (collection / "qrels.tsv").read_text().splitlines()[1:]:
        query, document, _ = line.split("\t")
        relevant[query].add(document)
    chosen = {"tune": names[::2], "test": names[1::2], "all": names}[half]
    told = collections.defaultdict(list)
    right = collections.defaultdict(list)
    for name in chosen:
        store = conversation_store(recall, directory, name, by_name[name])
        for question in questions[name]:
            category = question["metadata"]["category"]
            text = prompt(recall, store, question["text"])
            told[category].append(bool(text))
            hints = [path.removesuffix(".txt") for path in CITED.findall(text)]
            right[category] += [hint in relevant[question["_id"]] for hint in hints]
        for question in questions[names[(names.index(name) + 1) % len(names)]]:
            told["(foreign)"].append(bool(prompt(recall, store, question["text"])))
    for category in sorted(told):
        hits = right[category]
        print(f"{category}, {half}: told {share(sum(told[category]), len(told[category]))} of "
              f"{len(told[category])}; hints {len(hits)}, right {share(sum(hits), len(hits))}")


def measure_day(recall, collection, directory):
    by_name = collections.defaultdict(list)
    for document in read(collection, "corpus"):
        by_name[document["metadata"]["conversation"]].append(document)
    before, prompts = [], []
    for name in sorted(by_name):
        turns = sorted(by_name[name], key=lambda turn: turn["metadata"]["turn"])
        before += turns[: len(turns) // 2]
        asked = [turn["text"] for turn in turns[len(turns) // 2 :] if turn["metadata"]["role"] == "user"]
        prompts += asked[: -(-200 // len(by_name))]
    store = conversation_store(recall, directory, "day", before)
    tokens = [len(prompt(recall, store, text)) / 4 for text in prompts[:200]]
    print(f"{len(tokens)} prompts: told {share(sum(t > 0 for t in tokens), len(tokens))}; tokens added: median "
          f"{statistics.median(tokens):.0f}, mean {statistics.mean(tokens):.0f}, most {max(tokens):.0f}")


def measure_time(recall, store):
    events = {
        "prompt": [{"hook_event_name": "UserPromptSubmit", "prompt": q["text"]} for q in lines("queries.jsonl")[:100]],
        "session-start": [{"hook_event_name": "SessionStart", "source": "startup"}] * 30,
        "pre-edit": [{"hook_event_name": "PreToolUse", "tool_name": "Edit", "tool_input": {"file_path": f"src/a{n}.c"}}
                     for n in range(30)],
        "failure": [{"hook_event_name": "PostToolUseFailure", "tool_name": "Bash", "tool_input": {"command": "make"},
                     "error": f"error: undefined reference to symbol{n}"} for n in range(30)],
    }
    for name, list_of_events in events.items():
        taken = []
        for event in list_of_events:
            start = time.perf_counter()
            hook(recall, store, {"session_id": "s", **event})
            taken.append(1000 * (time.perf_counter() - start))
        print(f"{name}: median {statistics.median(taken):.1f} ms, 95 % {statistics.quantiles(taken, n=20)[-1]:.1f} ms")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recall")
    parser.add_argument("--half", choices=["tune", "test", "all"], default="all")
    parser.add_argument("--conversations", type=pathlib.Path)
    parser.add_argument("--day", action="store_true")
    parser.add_argument("--time", metavar="STORE")
    options = parser.parse_args()
    recall = str(pathlib.Path(options.recall).resolve())
    with tempfile.TemporaryDirectory() as directory:
        if options.time:
            measure_time(recall, options.time)
        elif options.conversations and options.day:
            measure_day(recall, options.conversations, pathlib.Path(directory))
        elif options.conversations:
            measure_conversations(recall, options.conversations, options.half, pathlib.Path(directory))
        else:
            measure_notes(recall, options.half, pathlib.Path(directory))


if __name__ == "__main__":
    main()
