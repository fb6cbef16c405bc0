"""What the peers share: how they look from outside, and how a process is timed."""

import dataclasses
import json
import os
import pathlib
import shutil
import subprocess
import time

import numpy as np

from data import K


class Missing(Exception):
    """The peer is not installed."""


class Failed(Exception):
    """The peer is there and did not do its work."""


@dataclasses.dataclass
class Work:
    """What all peers are given, and where they may write."""

    recall: pathlib.Path
    scratch: pathlib.Path
    npm: pathlib.Path | None
    pieces: list = dataclasses.field(default_factory=list)
    vectors: np.ndarray | None = None
    questions: np.ndarray | None = None

    @property
    def environment(self):
        """Nothing of the user's own settings."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith("RECALL_")}
        return kept | {"RECALL_CONFIG": "/dev/null", "HOME": str(self.scratch), "LC_ALL": "C.UTF-8"}

    def place(self, name):
        """An empty directory for what a peer builds."""
        place = self.scratch / name
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        return place

    def package(self, pattern):
        """A file of the npm packages."""
        found = sorted(self.npm.glob(f"node_modules/{pattern}")) if self.npm else []
        if not found:
            raise Missing(f"{pattern} is not in the directory of --npm")
        return found[0]


class Peer:
    """One way to do the work.

    build() makes what is asked, from nothing, each time it is called. ask_process() asks in a new
    process, ask_inside() in one that stays; both give milliseconds and the rows found.
    """

    name = ""  # for --only
    label = ""  # for the tables
    parts = ()  # of README.md that it can do
    bytes = None  # that build() put on the disk
    version = ""

    def __init__(self, work):
        self.work = work

    def build(self):
        """Returns the seconds that it took, without what only this harness needs, or None."""
        raise NotImplementedError

    def ask_all_processes(self, questions):
        return [self.ask_process(question) for question in questions]

    def ask_all_inside(self, questions):
        return [self.ask_inside(question) for question in questions]

    def close(self):
        pass


class Nothing(Peer):
    """What a process costs that does nothing."""

    name = "nothing"
    label = "an empty process (`true`)"
    parts = (1, 3)

    def build(self):
        return None

    def ask_process(self, question):
        return timed(self.work, ["true"])[0], None


def timed(work, command, own=None):
    """Milliseconds and the standard output of a process; OWN are settings of its environment."""
    errors = work.scratch / "stderr"
    environment = work.environment | (own or {})
    with open(errors, "wb") as stderr:
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": stderr}
        start = time.perf_counter()
        try:
            done = subprocess.run(command, env=environment, check=False, **pipes)
        except FileNotFoundError as error:
            raise Missing(f"there is no program {command[0]}") from error
        milliseconds = (time.perf_counter() - start) * 1e3
    if done.returncode != 0:
        said = errors.read_text(errors="replace").strip().splitlines() or ["no word on stderr"]
        raise Failed(f"{command[0]} exited with {done.returncode}: {said[-1][:200]}")
    return milliseconds, done.stdout


def timed_json(work, command, own=None):
    milliseconds, answer = timed(work, command, own)
    return milliseconds, json.loads(answer)


def clocked(work):
    """Milliseconds of a call, and what it returned."""
    start = time.perf_counter()
    answer = work()
    return (time.perf_counter() - start) * 1e3, answer


def ids_of_lines(output, base=1):
    """Rows that a shell printed, one number a line; lines of text between are passed over."""
    return [int(line) - base for line in output.splitlines() if line.isdigit()]


def size_of(place):
    return sum(path.stat().st_size for path in place.rglob("*") if path.is_file())


def needs_ten(answers):
    """An answer counts when it is whole."""
    for found in answers:
        if found is not None and len(found) < K:
            raise Failed(f"an answer has {len(found)} results, not {K}")
