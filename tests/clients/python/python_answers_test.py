"""Answers have the bytes that the program prints with --json --stable."""

import os
import shutil
import unittest

import recall
from python_rig import PROGRAM, ROOT, InDirectory

GOLDEN = ROOT / "tests/golden"
FIRST_DAY, DAY = 1_767_225_600, 86_400

# A command line without --json and --stable, and the same as a call. Texts of several words are one argument of both.
READS = [
    (["search", "-k", "2", "merge segments"], ("search", {"query": "merge segments", "k": 2})),
    (
        ["search", "--explain", "-k", "2", "--filter", "doc.tag = 'guide'", "retry header"],
        ("search", {"query": "retry header", "k": 2, "explain": True, "filter": "doc.tag = 'guide'"}),
    ),
    (
        ["search", "--bm25", "--offset", "1", '"merge" +runs'],
        ("search", {"query": '"merge" +runs', "bm25": True, "offset": 1}),
    ),
    (
        ["search", "--stages", "mmr:lambda=0.5", "--cite", "merge"],
        ("search", {"query": "merge", "stages": "mmr:lambda=0.5", "cite": True}),
    ),
    (
        ["search", "--exact", "--snippet", "0", "nothing of this kind: zebra"],
        ("search", {"query": "nothing of this kind: zebra", "exact": True, "snippet": 0}),
    ),
    (
        ["similar", "-k", "1", "--filter", "doc.tag = 'code'", "docs/guide.md"],
        ("similar", {"target": "docs/guide.md", "k": 1, "filter": "doc.tag = 'code'"}),
    ),
    (
        ["context", "--budget-tokens", "120", "--filter", "doc.tag = 'guide'", "merge segments"],
        ("context", {"query": "merge segments", "budget_tokens": 120, "filter": "doc.tag = 'guide'"}),
    ),
    (
        ["query", "--as-of", "2026-01-05T12:00:00Z", "FROM doc FILTER doc.mtime >= '-2d' SELECT doc.path, doc.mtime"],
        (
            "query",
            {"rql": "FROM doc FILTER doc.mtime >= '-2d' SELECT doc.path, doc.mtime", "as_of": "2026-01-05T12:00:00Z"},
        ),
    ),
    (
        ["query", "FROM chunk USING semantic('merge runs') LIMIT 2 SELECT score, chunk.text, doc.path"],
        ("query", {"rql": "FROM chunk USING semantic('merge runs') LIMIT 2 SELECT score, chunk.text, doc.path"}),
    ),
    (["get", "docs/merge.md:9:2"], ("get", {"target": "docs/merge.md:9:2"})),
    (
        ["get", "--cite", "docs/merge.md", "docs/guide.md:1"],
        ("get", {"target": ["docs/merge.md", "docs/guide.md:1"], "cite": True}),
    ),
    (["grep", "merge"], ("grep", {"pattern": "merge"})),
    (["symbols", "merge*"], ("symbols", {"name": "merge*"})),
    (["map"], ("map", {})),
    (["ls", "docs/*"], ("ls", {"path": "docs/*"})),
    (["stats"], ("stats", {})),
    (["links", "docs/guide.md"], ("links", {"target": "docs/guide.md"})),
    (["stale"], ("stale", {})),
]
ERRORS = [
    (1, ["get", "none.md"], ("get", {"target": "none.md"})),
    (2, ["search", "--filter", "doc.tag ==", "retry"], ("search", {"query": "retry", "filter": "doc.tag =="})),
    (2, ["query", "FROM doc\nSELECT doc.path\nLIMIT -1"], ("query", {"rql": "FROM doc\nSELECT doc.path\nLIMIT -1"})),
    (1, ["similar", "none.md"], ("similar", {"target": "none.md"})),
]
AT = "2026-02-03T10:00:00Z"
WRITES = [
    (
        ["save", "lesson", "Merge runs early", "--text", "Late merges cost more.", "--tag", "merging", "--at", AT],
        (
            "save",
            {"note": ["lesson", "Merge runs early"], "text": "Late merges cost more.", "tag": "merging", "at": AT},
        ),
    ),
    (
        ["link", "docs/guide.md", "docs/merge.md", "--weight", "0.5", "--at", AT],
        ("link", {"target": ["docs/guide.md", "docs/merge.md"], "weight": 0.5, "at": AT}),
    ),
    (["add", "docs", "--tag", "handbook"], ("add", {"path": "docs", "tag": "handbook"})),
    (["rm", "src/merge.c"], ("rm", {"target": "src/merge.c"})),
    (
        ["rm", "--filter", "doc.tag = 'handbook'", "--dry-run"],
        ("rm", {"filter": "doc.tag = 'handbook'", "dry_run": True}),
    ),
    (["compact"], ("compact", {})),
]


class Answers(InDirectory):
    def setUp(self) -> None:
        super().setUp()
        files = sorted(path for path in (GOLDEN / "corpus").rglob("*") if path.is_file())
        for number, path in enumerate(files):
            copy = self.directory / path.relative_to(GOLDEN / "corpus")
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
            os.utime(copy, (FIRST_DAY + number * DAY,) * 2)
        for line in (GOLDEN / "store.sh").read_text().splitlines():
            words = line.split()
            if words[:1] == ["recall"]:
                self.program(*words[1:])

    def opened(self) -> recall.Store:
        store = recall.open("recall.db", program=PROGRAM, stable=True)
        self.addCleanup(store.close)
        return store

    def printed(self, line: "list[str]", status: int = 0) -> bytes:
        return self.program(line[0], "--json", "--stable", *line[1:], status=status)

    def test_commands_that_read_answer_with_the_bytes_of_the_program(self) -> None:
        store = self.opened()
        for line, (command, request) in READS:
            with self.subTest(line):
                self.assertEqual(store.call(command, **request).json, self.printed(line))

    def test_errors_have_the_bytes_of_the_program(self) -> None:
        store = self.opened()
        for status, line, (command, request) in ERRORS:
            with self.subTest(line), self.assertRaises(recall.RecallError) as raised:
                store.call(command, **request)
            self.assertEqual(raised.exception.json, self.printed(line, status))
            self.assertEqual(raised.exception.status, status)

    def test_commands_that_write_answer_with_the_bytes_of_the_program(self) -> None:
        for line, (command, request) in WRITES:
            with self.subTest(line):
                shutil.copyfile("recall.db", "kept")
                printed = self.printed(line)
                os.replace("kept", "recall.db")
                for file in ("recall.db-wal", "recall.db-shm"):
                    if os.path.exists(file):
                        os.remove(file)
                with recall.open("recall.db", program=PROGRAM, stable=True) as store:
                    self.assertEqual(store.call(command, **request).json, printed)

    def test_typed_methods_have_the_values_of_the_program(self) -> None:
        store = self.opened()
        results = store.call("search", query="merge segments", k=5, cite=True)["results"]
        hits = store.search("merge segments", 5)
        self.assertGreater(len(hits), 2)
        self.assertEqual(len(hits), len(results))
        for hit, result in zip(hits, results):
            doc, chunk, snippet = result["doc"], result["chunk"], result["snippet"]
            self.assertEqual((hit.score, hit.citation), (result["score"], result["cite"]))
            self.assertEqual((hit.path, hit.document, hit.metadata), (doc["path"], doc["id"], doc.get("meta", {})))
            self.assertEqual((hit.tag, hit.source), (doc["tag"] or "", doc["source"] or ""))
            self.assertEqual((hit.chunk, hit.text, hit.heading), (chunk["id"], chunk["text"], chunk["heading"]))
            self.assertEqual((hit.first_line, hit.last_line), (chunk["start_line"], chunk["end_line"]))
            self.assertEqual((hit.start_byte, hit.end_byte), (chunk["start_byte"], chunk["end_byte"]))
            self.assertEqual((hit.snippet, hit.snippet_first_line), (snippet["text"], snippet["start_line"]))
        context = store.context("merge segments", 120)
        answer = store.call("context", query="merge segments", budget_tokens=120)["context"]
        self.assertEqual(context.text, answer["text"])
        self.assertEqual([piece.text for piece in context.pieces], [chunk["text"] for chunk in answer["chunks"]])
        self.assertEqual(
            store.get("docs/merge.md:9:2").text, store.call("get", target="docs/merge.md:9:2")["get"]["chunk"]["text"]
        )


if __name__ == "__main__":
    unittest.main()
