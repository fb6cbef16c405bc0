"""What the methods of a store promise."""

import array
import copy
import ctypes
import dataclasses
import os
import pickle
import unittest
import unittest.mock

import numpy
import recall
from python_rig import InDirectory
from recall import _documents, _lazy_dataclasses, _vectors


class Opening(InDirectory):
    def test_a_missing_store_is_an_error_with_its_parts(self) -> None:
        with self.assertRaises(recall.UnavailableError) as raised:
            recall.open("none.db")
        self.assertEqual(raised.exception.code, "store_not_found")
        self.assertNotEqual(raised.exception.hint, "")
        self.assertEqual(raised.exception.answer["error"]["code"], "store_not_found")

    def test_a_file_of_others_is_no_store(self) -> None:
        self.directory.joinpath("text.db").write_bytes(b"x" * 100_000)
        with self.assertRaises(recall.CorruptError):
            recall.open("text.db")

    def test_wrong_options_are_named(self) -> None:
        for options in ({"settings": {"colour": 1}}, {"settings_from": "moon"}, {"scope": "doc.path ="}):
            with self.subTest(options), self.assertRaises(recall.UsageError):
                recall.open("birds.db", create=True, **options)

    def test_paths_may_be_objects_and_directories(self) -> None:
        with recall.open(self.directory, create=True) as store:
            self.assertEqual(store.call("stats")["stats"]["doc_count"], 0)
        self.assertTrue(self.directory.joinpath("recall.db").exists())
        with self.assertRaises(recall.UsageError):
            recall.open("a\0b")

    def test_a_scope_hides_documents(self) -> None:
        self.open()
        scoped = self.open(scope="doc.path = 'birds/heron'")
        self.assertEqual([hit.path for hit in scoped.search("birds fish pond")], ["birds/heron"])
        with self.assertRaises(recall.AbsentError):
            scoped.get("birds/kingfisher")

    def test_a_closed_store_says_so(self) -> None:
        store = self.open()
        store.close()
        store.close()
        store.cancel()
        self.assertIn("closed", repr(store))
        with self.assertRaisesRegex(recall.UsageError, "closed"):
            store.search("heron")

    def test_another_library_is_refused_once_one_is_loaded(self) -> None:
        self.open()
        recall.open("birds.db", library=os.environ["RECALL_LIBRARY"]).close()
        with self.assertRaisesRegex(recall.UnavailableError, "another library"):
            recall.open("birds.db", library="/usr/lib/libc.so.6")


class Reading(InDirectory):
    def test_sets_of_documents_restrict_a_search(self) -> None:
        store = self.open()
        everything = store.search("fish pond")
        self.assertEqual(len(everything), 2)
        for path in ("birds/heron", "birds/kingfisher"):
            self.assertEqual([hit.path for hit in store.search("fish pond", documents=[path])], [path])
        by_id = recall.DocumentSet(ids=[everything[0].document])
        for _ in range(2):
            self.assertEqual([hit.path for hit in store.search("fish pond", documents=by_id)], [everything[0].path])
        both = store.search("fish pond", documents=iter(["birds/heron", "it's none"]), filter="doc.path LIKE '%fisher'")
        self.assertEqual(both, [])

    def test_sets_that_cannot_be_are_errors(self) -> None:
        store = self.open()
        for documents in ([], recall.DocumentSet(str(number) for number in range(4097))):
            with self.assertRaises(recall.UsageError):
                store.search("fish", documents=documents)
        with self.assertRaises(recall.UsageError):
            recall.DocumentSet("birds/heron")
        with self.assertRaises(recall.UsageError):
            recall.DocumentSet(["a"], ids=["b"])

    def test_a_query_without_a_limit_gives_all_rows_of_one_commit(self) -> None:
        store = self.open(settings={"embedding": "hash", "max_limit": 3})
        store.add({"path": f"more/{number:02}", "text": f"Text {number}"} for number in range(10))
        rows = store.query("FROM doc FILTER doc.path LIKE 'more/%' ORDER BY doc.path ASC SELECT doc.path")
        paths = [next(rows)["doc.path"]]
        store.add_text("more/later", "Added meanwhile.")
        paths += [row["doc"]["path"] for row in rows]
        self.assertEqual(paths, [f"more/{number:02}" for number in range(10)])
        for rql, count in (
            ("FROM doc LIMIT 2 SELECT doc.path", 2),
            ("FROM doc FILTER doc.path != 'no LIMIT' SELECT doc.path", 13),
            ("FROM doc OFFSET 11 SELECT doc.path", 2),
        ):
            self.assertEqual(sum(1 for _ in store.query(rql)), count, rql)

    def test_fields_of_rows_have_the_names_of_the_query(self) -> None:
        store = self.open()
        store.add([{"path": "m", "text": "x", "metadata": {"a": 1, "b.c": 2}}])
        (row,) = store.query("FROM doc FILTER doc.path = 'm' SELECT doc.path, doc.meta.a, doc.meta.none")
        self.assertEqual((row["doc.path"], row["doc.meta.a"], row["doc.meta.none"]), ("m", 1, None))
        with self.assertRaises(KeyError):
            row["doc.size"]

    def test_errors_in_queries_have_a_place(self) -> None:
        store = self.open()
        with self.assertRaises(recall.UsageError) as raised:
            next(store.query("FROM doc\nFILTER doc.path ="))
        self.assertEqual(raised.exception.line, 2)
        self.assertGreater(raised.exception.column, 1)
        self.assertIn("^", raised.exception.excerpt)
        self.assertIn("^", str(raised.exception))
        again = pickle.loads(pickle.dumps(raised.exception))
        self.assertEqual(
            (type(again), str(again), again.json), (recall.UsageError, str(raised.exception), raised.exception.json)
        )

    def test_passages_are_documents_lines_and_citations(self) -> None:
        store = self.open()
        store.add_text("poem", "one\ntwo\nthree\n", metadata={"by": "Ann"})
        self.assertEqual(store.get("poem").text, "one\ntwo\nthree\n")
        self.assertTrue(store.get("poem").whole_document)
        self.assertEqual(store.get("poem").metadata, {"by": "Ann"})
        self.assertEqual(store.get("poem:2-3").text, "two\nthree\n")
        citation = store.search("two", documents=["poem"])[0].citation
        self.assertEqual(store.get(citation).text.strip(), "one\ntwo\nthree")
        with self.assertRaises(LookupError):
            store.get("none")
        with self.assertRaises(recall.UsageError):
            store.get("poem", lean=True)

    def test_requests_take_objects_of_python(self) -> None:
        store = self.open()
        self.assertEqual(store.call("search", query="fish", k=numpy.int64(1))["query"]["limit"], 1)
        self.assertEqual(store.search("fish", 1, filter=None, explain=None)[0].path, "birds/kingfisher")
        for wrong in (float("nan"), object(), {1: object()}):
            with self.subTest(wrong), self.assertRaises(recall.UsageError):
                store.call("search", query="fish", min_score=wrong)
        with self.assertRaises(recall.UsageError):
            store.call("search", query="fish", colour="red")
        with self.assertRaises(recall.UsageError):
            store.search("a\0b")


class Hits(InDirectory):
    def test_hits_are_frozen_dataclasses(self) -> None:
        hit = self.open().search("pond")[0]
        again = self.open().search("pond")[0]
        with self.assertRaises(dataclasses.FrozenInstanceError):
            hit.score = 1.0  # type: ignore[misc]
        self.assertEqual(hit, again)
        self.assertEqual(hash(hit), hash(again))
        self.assertEqual(len({hit, again}), 1)
        self.assertTrue(dataclasses.is_dataclass(recall.Hit))
        self.assertEqual(dataclasses.asdict(hit)["path"], "birds/heron")
        self.assertEqual(dataclasses.replace(hit, score=0.5).score, 0.5)
        self.assertEqual([field.name for field in dataclasses.fields(hit)][:3], ["score", "path", "citation"])
        self.assertIn("path='birds/heron'", repr(hit))
        self.assertEqual(pickle.loads(pickle.dumps(hit)), hit)
        self.assertEqual(copy.copy(hit), hit)

    def test_classes_have_their_methods_while_they_become_dataclasses(self) -> None:
        """Else another thread would compare hits as objects meanwhile."""

        @_lazy_dataclasses.dataclass(frozen=True)
        class Pair:
            first: int
            second: int

        real, missing = dataclasses.dataclass, []

        def observed(**options: bool) -> "object":
            methods = ("__eq__", "__hash__", "__repr__", "__init__", "__setattr__")
            missing.append([name for name in methods if getattr(Pair, name) is getattr(object, name)])
            return real(**options)

        with unittest.mock.patch("dataclasses.dataclass", observed):
            self.assertEqual(Pair(1, 2), Pair(1, 2))
        self.assertEqual(missing, [[]])
        self.assertNotEqual(Pair(1, 2), Pair(1, 3))

    def test_texts_keep_all_their_characters(self) -> None:
        store = self.open()
        text = "Größe, 鳥, \U0001f426\n"
        store.add_text("Vögel/鳥", text, metadata={"größe": "ß"})
        hit = store.search("Größe", documents=["Vögel/鳥"])[0]
        self.assertEqual((hit.path, hit.text, hit.metadata), ("Vögel/鳥", text.rstrip(), {"größe": "ß"}))
        self.assertEqual(store.get("Vögel/鳥").text, text)

    def test_files_that_changed_since_are_marked(self) -> None:
        self.directory.joinpath("owl.txt").write_text("Owls hunt at night.")
        store = self.open()
        store.add_files("owl.txt")
        self.assertEqual(store.search("owls night", 1)[0].stale, "")
        self.directory.joinpath("owl.txt").write_text("Owls sleep by day.")
        self.assertEqual(store.search("owls night", 1)[0].stale, "changed")
        self.directory.joinpath("owl.txt").unlink()
        self.assertEqual(store.search("owls night", 1)[0].stale, "deleted")


class Writing(InDirectory):
    def test_documents_have_all_their_fields(self) -> None:
        store = self.open()
        added = store.add(
            [
                recall.Document(
                    "d", "text", tag="t", source="s", mtime="2026-02-04T09:30:00Z", metadata={"a": [1]}, lang="none"
                )
            ]
        )
        self.assertEqual((added.found, added.added, added.failures), (1, 1, ()))
        passage = store.get("d")
        self.assertEqual((passage.tag, passage.source, passage.mtime), ("t", "s", "2026-02-04T09:30:00Z"))
        self.assertEqual(passage.metadata, {"a": [1]})
        self.assertEqual(store.add([recall.Document("d", "text")]).unchanged, 1)
        self.assertEqual(store.get("d").tag, "t", "what is None stays")
        store.add([{"path": "d", "text": "text", "tag": None}])
        self.assertEqual(store.get("d").tag, "", "a mapping with None removes it")

    def test_generators_are_added_in_batches(self) -> None:
        store = self.open()
        taken = []

        def documents() -> "object":
            for number in range(50):
                taken.append(store.call("stats")["stats"]["doc_count"])
                yield {"path": f"more/{number}", "text": f"Text {number}. " + "x" * 100}

        whole, _documents.BATCH_BYTES = _documents.BATCH_BYTES, 2_000
        try:
            self.assertEqual(store.add(documents()).added, 50)
        finally:
            _documents.BATCH_BYTES = whole
        self.assertEqual(taken[0], 2)
        self.assertGreater(taken[-1], 40, "what was read is committed while the generator goes on")
        self.assertEqual(store.add([]).found, 0)

    def test_documents_that_fail_are_named_and_the_others_are_added(self) -> None:
        store = self.open()
        with self.assertRaises(recall.AddError) as raised:
            store.add([{"path": "good", "text": "x"}, {"path": "bad", "text": "x", "mtime": "yesterday"}])
        self.assertEqual(raised.exception.added.added, 1)
        self.assertEqual([failure.path for failure in raised.exception.added.failures], ["bad"])
        self.assertIn("bad", str(raised.exception))
        self.assertEqual(store.get("good").text, "x")
        self.assertEqual(pickle.loads(pickle.dumps(raised.exception)).added, raised.exception.added)
        with self.assertRaises(recall.UsageError):
            store.add(["text"])  # type: ignore[list-item]

    def test_paths_that_are_not_utf_8_are_kept(self) -> None:
        store = self.open()
        path = os.fsdecode(b"birds/\xff")
        store.add([{"path": path, "text": "Latin heron"}])
        self.assertEqual(store.search("latin", 1)[0].path, path)

    def test_notes_and_removals(self) -> None:
        store = self.open()
        saved = store.save("lesson", "Herons wait", "They stand still.", tag=["birds"])
        self.assertEqual((saved.id, saved.path, saved.replaced), ("herons-wait", "notes/herons-wait.md", False))
        self.assertIn("They stand still.", store.get(saved.path).text)
        with self.assertRaises(recall.AbsentError):
            store.save("lesson", "Herons wait", "Again.", id="herons-wait")
        removed = store.remove("birds/heron", saved.path)["rm"]["removed"]
        self.assertEqual([document["path"] for document in removed], ["birds/heron", saved.path])

    def test_progress_is_told_and_may_end_a_call(self) -> None:
        store = self.open()
        told = []
        many = [{"path": f"more/{number}", "text": "x"} for number in range(3)]
        store.add(many, progress=told.append)
        self.assertIn("add", {progress.command for progress in told})
        self.assertEqual({type(progress) for progress in told}, {recall.Progress})
        self.assertIsNone(store.progress)

        def stop(progress: recall.Progress) -> None:
            raise KeyError("enough")

        store.progress = stop
        with self.assertRaisesRegex(KeyError, "enough"):
            store.search("pond")
        store.progress = lambda progress: store.search("pond")
        with self.assertRaisesRegex(recall.UsageError, "already"):
            store.search("pond")
        store.progress = lambda progress: store.cancel()
        with self.assertRaises(recall.CancelledError):
            store.search("pond")
        store.progress = None
        self.assertEqual(len(store.search("pond", 1)), 1)


class Vectors(InDirectory):
    def given(self) -> recall.Store:
        return self.open(settings={"embedding": "given", "embedding_dim": 8})

    def test_vectors_of_every_kind_are_found_again(self) -> None:
        store = self.given()
        unit = numpy.eye(8, dtype="float32")
        read_only = unit[1].copy()
        read_only.flags.writeable = False
        store.add_text("numpy", "a", embedding=unit[0])
        store.add_text("read-only", "b", embedding=read_only)
        store.add(
            [
                recall.Document("doubles", "c", embedding=unit[2].astype("float64")),
                recall.Document("array", "d", embedding=array.array("f", unit[3])),
                {"path": "list", "text": "e", "embedding": [float(component) for component in unit[4]]},
                recall.Document("column", "f", embedding=numpy.asfortranarray(unit)[:, 5]),
            ]
        )
        store.add_text("tuple", "g", embedding=tuple(unit[6]))
        for number, path in enumerate(("numpy", "read-only", "doubles", "array", "list", "column", "tuple")):
            for asked in (unit[number], list(unit[number])):
                hit = store.search("", 1, embedding=asked, vector=True)[0]
                self.assertEqual(hit.path, path)
                self.assertGreater(hit.score, 0.99)

    def test_wrong_vectors_are_errors(self) -> None:
        store = self.given()
        for wrong in (numpy.zeros((2, 4), "float32"), [1.0], ["a"] * 8, 3, [float("nan")] * 8):
            with self.subTest(wrong), self.assertRaises(recall.RecallError):
                store.add_text("wrong", "text", embedding=wrong)

    def test_memory_of_floats_is_not_copied(self) -> None:
        vector = numpy.arange(8, dtype="float32")
        self.assertEqual(_vectors.address_of(vector)[:2], (vector.ctypes.data, 8))
        vector.flags.writeable = False
        self.assertEqual(_vectors.address_of(vector)[:2], (vector.ctypes.data, 8))
        numbers = array.array("f", [1, 2, 3])
        self.assertEqual(_vectors.address_of(numbers)[:2], (numbers.buffer_info()[0], 3))
        address, size, held = _vectors.address_of(vector[::2])
        self.assertEqual(list((ctypes.c_float * size).from_address(address)), [0, 2, 4, 6])
        del held


if __name__ == "__main__":
    unittest.main()
