"""Recall itself: what the others are compared with."""

import base64
import json

from common import Failed, Peer, size_of, timed, timed_json
from data import DIM, K, write_lines


class Recall(Peer):
    name = "recall"
    label = "Recall"
    lines = ""

    def fill(self, place, *init):
        """A new store of the lines; the time is that of the whole process that adds them."""
        self.store = place / "recall.db"
        say = ["--store", self.store, "--quiet"]
        timed(self.work, [self.work.recall, "init", place, "--quiet", *init])
        milliseconds, _ = timed(
            self.work, [self.work.recall, "add", "--jsonl", self.work.scratch / self.lines, *say]
        )
        self.bytes = size_of(place)
        self.version = timed_json(self.work, [self.work.recall, "version", "--json"])[1]["version"]
        return milliseconds / 1e3

    def search(self, *options):
        command = [self.work.recall, "search", "--json", "-k", str(K), "--store", self.store]
        milliseconds, answer = timed_json(self.work, [*command, *options])
        found = [int(hit["doc"]["path"].split(".")[0]) for hit in answer["results"]]
        return milliseconds, found, answer


class RecallWords(Recall):
    lines = "pieces.jsonl"
    label = "Recall, `--bm25`"
    build_label = "Recall: `add --jsonl`, with vectors learnt from the texts"

    def __init__(self, work):
        super().__init__(work)
        documents = ({"path": f"{i}.txt", "text": text} for i, text in enumerate(work.pieces))
        write_lines(work.scratch / self.lines, documents)

    def build(self):
        # One piece is one chunk, so that all peers have as many rows.
        seconds = self.fill(self.work.place("recall-words"), "--chunk-tokens", "2000")
        command = [self.work.recall, "stats", "--json", "--store", self.store]
        return seconds

    def ask_process(self, words):
        milliseconds, found, _ = self.search("--bm25", " ".join(words))
        return milliseconds, found

    ask_inside = ask_process  # says that it can; ask_all_inside is what is called

    def ask_all_inside(self, questions):
        """recall bench asks the whole list in one process; it tells percentiles, not each time."""
        path = self.work.scratch / "words.txt"
        path.write_text("".join(" ".join(words) + "\n" for words in questions))
        options = ["--only", "bm25", "--queries", path, "--rounds", "1", "-k", str(K)]
        command = [self.work.recall, "bench", "--json", "--store", self.store, *options]
        latency = timed_json(self.work, command)[1]["bench"]["latencies"][0]
        found = latency["results"]
        if found != K * len(questions):
            raise Failed(f"{len(questions)} questions have {found} results")
        return [(latency["ms"]["p50"], None)] * len(questions)


class RecallVectors(Recall):
    lines = "vectors.jsonl"
    label = "Recall, given vectors"
    inside_label = "Recall, the time that `--explain` tells of a new process"

    def __init__(self, work):
        super().__init__(work)
        vectors = (base64.b64encode(vector.tobytes()).decode() for vector in work.vectors)
        documents = (
            {"path": f"{i}.txt", "text": f"v{i}", "embedding": vector}
            for i, vector in enumerate(vectors)
        )
        write_lines(work.scratch / self.lines, documents)
        for i, question in enumerate(work.questions):
            (work.scratch / f"question{i}.json").write_text(json.dumps(question.tolist()))

    def build(self):
        place = self.work.place("recall-vectors")
        return self.fill(place, "--embedder", "given", "--dim", str(DIM))

    def asked(self, i):
        return ["--vector", "--embedding", f"@{self.work.scratch}/question{i}.json", "nothing"]

    def ask_process(self, i):
        milliseconds, found, _ = self.search(*self.asked(i))
        return milliseconds, found

    def ask_inside(self, i):
        _, found, answer = self.search("--explain", *self.asked(i))
        return answer["stats"]["timings"]["semantic_ms"], found
