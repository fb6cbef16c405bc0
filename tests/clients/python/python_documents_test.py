"""Every example of docs/python.md and of the docstrings is run, and the example program is used."""

import doctest
import importlib
import os
import pkgutil
import subprocess
import sys
import tempfile
import unittest

import recall
from python_rig import BIRDS, PROGRAM, ROOT, InDirectory

PAGE = ROOT / "docs/python.md"
NEED_FRAMEWORKS = {"recall.langchain", "recall.llama_index", "recall.__main__"}


def in_directory(test: doctest.DocTest) -> None:
    """Examples are run in an empty directory, with a store of two birds."""
    directory = tempfile.TemporaryDirectory()
    before = os.getcwd()
    os.chdir(directory.name)
    store = recall.open("examples.db", create=True, settings={"embedding": "hash"}, program=PROGRAM)
    store.add({"path": path, "text": text} for path, text in BIRDS.items())
    test.globs.update(recall=recall, store=store, PROGRAM=PROGRAM, _clean=(directory, before, store))


def out_of_directory(test: doctest.DocTest) -> None:
    directory, before, store = test.globs["_clean"]
    store.close()
    os.chdir(before)
    directory.cleanup()


def load_tests(loader: unittest.TestLoader, tests: unittest.TestSuite, pattern: object) -> unittest.TestSuite:
    named = {"setUp": in_directory, "tearDown": out_of_directory, "optionflags": doctest.ELLIPSIS}
    for module in pkgutil.iter_modules(recall.__path__, "recall."):
        if module.name not in NEED_FRAMEWORKS:
            tests.addTests(doctest.DocTestSuite(importlib.import_module(module.name), **named))
    tests.addTests(doctest.DocTestSuite(recall, **named))
    # The end of a block is no output.
    lines = ["" if line.startswith("```") else line for line in PAGE.read_text().splitlines(keepends=False)]
    page = doctest.DocTestParser().get_doctest("\n".join(lines), {}, PAGE.name, str(PAGE), 0)
    tests.addTest(doctest.DocTestCase(page, **named))
    return tests


class Page(unittest.TestCase):
    def test_every_block_of_python_is_a_doctest(self) -> None:
        blocks = PAGE.read_text().split("```python\n")[1:]
        self.assertGreater(len(blocks), 8)
        for block in blocks:
            self.assertTrue(block.startswith((">>> ", "# not run: ")), block[:200])

    def test_every_public_name_is_described(self) -> None:
        page = PAGE.read_text()
        for name in recall.__all__:
            self.assertIn(name, page)
            self.assertTrue(getattr(recall, name).__doc__, name)


class NoteApp(InDirectory):
    def notes(self, *args: str, text: str = "", status: int = 0) -> str:
        done = subprocess.run(
            [sys.executable, str(ROOT / "cli/library/python/note_app.py"), *args],
            input=text,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            universal_newlines=True,
        )
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout + done.stderr

    def test_notes_are_written_found_read_changed_and_removed(self) -> None:
        self.assertIn("Herons", self.notes("new", "Herons", "#birds", text="They stand still at the pond.\n"))
        self.notes("new", "Boats", text="A heron is also a kind of boat.\n")
        self.assertIn("They stand still", self.notes("show", "herons"))
        found = self.notes("find", "who stands at the water?").splitlines()
        self.assertIn("Herons", found[0])
        self.assertEqual(self.notes("list", "#birds").count("\n"), 1)
        self.assertEqual(self.notes("list").count("\n"), 2)
        self.notes("edit", "herons", text="They wait in the reeds.\n")
        self.assertIn("reeds", self.notes("show", "herons"))
        self.assertIn("reeds", self.notes("ask", "where do herons wait?"))
        self.notes("remove", "herons")
        self.assertIn("no such", self.notes("show", "herons", status=1))
        self.assertIn("usage", self.notes("sing", status=2))

    def test_it_has_about_a_hundred_lines(self) -> None:
        self.assertLessEqual(len((ROOT / "cli/library/python/note_app.py").read_text().splitlines()), 100)


if __name__ == "__main__":
    unittest.main()
