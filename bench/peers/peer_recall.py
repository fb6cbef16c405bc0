"""Recall itself, which the others are compared with."""

import base64
import json

from common import Failed, Missing, Peer, size_of, timed, timed_json
from data import DIM, K, write_lines


class Recall(Peer):
    name = "recall"
    lines = ""  # the file that `add --jsonl` reads

    def run(self, command, *options):
        return timed_json(self.work, [self.work.recall, command, "--json", *options])

    def fill(self, place, *init):
        """Makes a new store of the lines. The time is that of the whole process that adds them."""
        self.store = place / "recall.db"
        timed(self.work, [self.work.recall, "init", place, "--quiet", *init])
        lines = self.work.scratch / self.lines
        milliseconds, _ = self.run("add", "--jsonl", lines, "--store", self.store)
        self.bytes = size_of(place)
        self.version = self.run("version")[1]["version"]["program"]
        return milliseconds / 1e3

    def search(self, *options):
        milliseconds, answer = self.run("search", "-k", str(K), "--store", self.store, *options)
        found = [int(hit["doc"]["path"].split(".")[0]) for hit in answer["results"]]
        return milliseconds, found, answer

    def bench(self, only, least_found, *options):
        """The median of many questions in one process, each after one run that is not counted."""
        options = ["--only", only, "--rounds", "1", "-k", str(K), *options]
        bench = self.run("bench", "--store", self.store, *options)[1]["bench"]
        latency, count = bench["latencies"][0], bench["questions"]["count"]
        if latency["results"] < least_found * K * count:
            raise Failed(f"{count} questions have {latency['results']} results")
        return [(latency["ms"]["p50"], None)]


class RecallWords(Recall):
    label = "Recall, `search --bm25`"
    parts = (1, 2, 5)
    inside_label = "Recall, `bench --only bm25`"
    build_label = "Recall, `add --jsonl`, vectors learnt from the texts"
    lines = "pieces.jsonl"

    def __init__(self, work):
        super().__init__(work)
        documents = ({"path": f"{i}.txt", "text": text} for i, text in enumerate(work.pieces))
        write_lines(work.scratch / self.lines, documents)

    def build(self):
        # A piece is one chunk, so that all peers have the same number of rows.
        seconds = self.fill(self.work.place("recall-words"), "--chunk-tokens", "2000")
        chunks = self.run("stats", "--store", self.store)[1]["stats"]["corpus"]["chunks"]
        if chunks != len(self.work.pieces):
            raise Failed(f"{chunks} chunks of {len(self.work.pieces)} pieces")
        return seconds

    def ask_process(self, words):
        milliseconds, found, _ = self.search("--bm25", " ".join(words))
        return milliseconds, found

    def ask_all_inside(self, questions):
        path = self.work.scratch / "words.txt"
        path.write_text("".join(" ".join(words) + "\n" for words in questions))
        return self.bench("bm25", 1, "--queries", path)


class RecallVectors(Recall):
    label = "Recall, given vectors"
    parts = (3, 4)
    inside_label = "Recall, given vectors: what `--explain` tells of a new process"
    lines = "vectors.jsonl"

    def __init__(self, work):
        super().__init__(work)
        documents = (
            {"path": f"{i}.txt", "text": f"v{i}", "embedding": base64.b64encode(row).decode()}
            for i, row in enumerate(work.vectors)
        )
        write_lines(work.scratch / self.lines, documents)
        for i, question in enumerate(work.questions):
            self.question(i).write_text(json.dumps(question.tolist()))

    def question(self, i):
        return self.work.scratch / f"question{i}.json"

    def build(self):
        place = self.work.place("recall-vectors")
        return self.fill(place, "--embedder", "given", "--dim", str(DIM))

    def search_vector(self, i, *options):
        embedding = f"@{self.question(i)}"
        return self.search("--vector", "--embedding", embedding, *options, "nothing")

    def ask_process(self, i):
        milliseconds, found, _ = self.search_vector(i)
        return milliseconds, found

    def ask_inside(self, i):
        _, found, answer = self.search_vector(i, "--explain")
        return answer["stats"]["timings"]["semantic_ms"], found


class RecallInside(Recall):
    """A process that stays, in the store of RecallVectors: the vector search alone."""

    label = "Recall, given vectors, in one process: the vector search"
    parts = (4,)
    figure = "semantic_ms"

    def __init__(self, work):
        super().__init__(work)
        self.program = work.recall.parent / "bench" / "given_vectors_bench"
        if not self.program.exists():
            raise Missing("given_vectors_bench was not built (-DRECALL_BUILD_BENCH=ON)")

    def build(self):
        return None

    def ask_all_inside(self, questions):
        store = self.work.scratch / "recall-vectors" / "recall.db"
        path = self.work.scratch / "questions.f32"
        self.work.questions[list(questions)].astype("<f4").tofile(path)
        _, output = timed(self.work, [self.program, store, path, str(DIM)])
        answers = [json.loads(line) for line in output.splitlines()]
        return [
            (answer[self.figure], [int(path.split(".")[0]) for path in answer["paths"]])
            for answer in answers
        ]


class RecallInsideWhole(RecallInside):
    label = "Recall, given vectors, in one process: the whole search"
    figure = "ms"


class RecallLearntVectors(Recall):
    """`bench` can time a long-lived process only with its own queries, so in the store of texts."""

    label = "Recall, `bench --only vector` in the store of the texts: other vectors"
    parts = (4,)

    def __init__(self, work):
        super().__init__(work)
        self.store = work.scratch / "recall-words" / "recall.db"
        if not self.store.exists():
            raise Missing("the store of the texts is made by parts 1, 2 and 5")

    def build(self):
        return None

    def ask_all_inside(self, questions):
        # Queries without a word of the model's vocabulary have no results.
        return self.bench("vector", 0.9, "--samples", str(len(questions)))
