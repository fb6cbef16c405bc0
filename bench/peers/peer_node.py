"""npm peers of part 4. Each runs in a long-lived Node process, peers.mjs."""

import json
import pathlib
import shutil
import subprocess

from common import Failed, Missing, Peer, size_of
from data import DIM

SCRIPT = pathlib.Path(__file__).with_name("peers.mjs")


class Node(Peer):
    parts = (4,)
    package = ""
    kind = ""  # its name in peers.mjs
    process = None

    def __init__(self, work):
        super().__init__(work)
        if not shutil.which("node"):
            raise Missing("there is no program node")
        manifest = work.package(f"{self.package}/package.json")
        self.version = json.loads(manifest.read_text())["version"]

    def build(self):
        self.close()
        self.work.vectors.tofile(self.work.scratch / "vectors.f32")
        self.work.questions.tofile(self.work.scratch / "questions.f32")
        place = self.work.place(self.kind)
        self.errors = open(self.work.scratch / f"{self.kind}.stderr", "w+", encoding="utf-8")
        self.process = subprocess.Popen(
            ["node", SCRIPT, self.kind, self.work.npm, self.work.scratch, place, str(DIM)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, text=True,
            env=self.work.environment,
        )  # fmt: skip
        seconds = self.answer()["seconds"]
        self.bytes = size_of(place) or None
        return seconds

    def answer(self):
        line = self.process.stdout.readline()
        if line:
            return json.loads(line)
        self.errors.seek(0)
        said = [x for x in self.errors.read().splitlines() if "Error" in x] or ["it says nothing"]
        raise Failed(f"node ended: {said[0][:200]}")

    def ask_inside(self, i):
        try:
            print(i, file=self.process.stdin, flush=True)
        except BrokenPipeError:
            pass  # answer() reports the reason
        answer = self.answer()
        return answer["ms"], answer["found"]

    def close(self):
        if self.process:
            self.process.stdin.close()
            self.process.wait()
            self.process = None
            self.errors.close()


class Usearch(Node):
    name = "usearch"
    label = "usearch, HNSW, connectivity 16, expansions 128 and 64"
    package = "usearch"
    kind = "usearch"


class UsearchExact(Usearch):
    label = "usearch, exact, one thread"
    kind = "usearch-exact"


class Lancedb(Node):
    name = "lancedb"
    label = "LanceDB, flat, its own threads"
    package = "@lancedb/lancedb"
    kind = "lancedb"


class Duckdb(Node):
    name = "duckdb"
    label = "DuckDB, `array_cosine_distance`, its own threads"
    package = "@duckdb/node-api"
    kind = "duckdb"
