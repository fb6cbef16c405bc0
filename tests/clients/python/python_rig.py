"""What the tests of the Python package share: directories, stores, and the program."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import recall

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = os.environ["RECALL_PROGRAM"]

BIRDS = {
    "birds/heron": "Herons stand still at the pond.",
    "birds/kingfisher": "Kingfishers dive for fish from a branch.",
}


class InDirectory(unittest.TestCase):
    """Each test is run in an empty directory."""

    def setUp(self) -> None:
        before = os.getcwd()
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.addCleanup(os.chdir, before)
        os.chdir(directory.name)
        self.directory = Path(directory.name)

    def program(self, *args: str, status: int = 0) -> bytes:
        """What the program prints."""
        done = subprocess.run([PROGRAM, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, status, done.stderr.decode() or done.stdout.decode())
        return done.stdout

    def open(self, **options: object) -> recall.Store:
        """A store of birds, unless it is there already."""
        options = {"create": True, "settings": {"embedding": "hash"}, "program": PROGRAM, **options}
        there = os.path.exists("birds.db")
        store = recall.open("birds.db", **options)
        self.addCleanup(store.close)
        if not there:
            store.add({"path": path, "text": text} for path, text in BIRDS.items())
        return store


def descriptors() -> int:
    """How many file descriptors this process has open."""
    return len(os.listdir("/proc/self/fd"))
