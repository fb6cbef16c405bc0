"""Shared by the peers: their interface, and the timing of processes."""

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
    """The peer is installed but did not do its work."""


@dataclasses.dataclass
class Work:
    """The input of all peers, and the directory for their output."""

    recall: pathlib.Path
    scratch: pathlib.Path
    npm: pathlib.Path | None
    pieces: list = dataclasses.field(default_factory=list)
    vectors: np.ndarray | None = None
    questions: np.ndarray | None = None

    @property
    def environment(self):
        """The environment without the user's settings of Recall."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith("RECALL_")}
        return kept | {"RECALL_CONFIG": "/dev/null", "HOME": str(self.scratch), "LC_ALL": "C.UTF-8"}

    def place(self, name):
        """Makes an empty directory for the index of a peer."""
        place = self.scratch / name
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        return place

    def package(self, pattern):
        """The first file of the npm packages that matches PATTERN."""
        found = sorted(self.npm.glob(f"node_modules/{pattern}")) if self.npm else []
        if not found:
            raise Missing(f"{pattern} is not in the directory of --npm")
        return found[0]


class Peer:
    """A program or library that is compared with Recall.

    Each call of build() makes the index from scratch. ask_process() searches in a new process,
    ask_inside() in a long-lived one; both return milliseconds and the rows found.
    """

    name = ""  # the name that --only takes
    label = ""  # the label in the tables
    parts = ()  # the parts of README.md that it takes part in
    bytes = None  # the size on disk of what build() made
    version = ""

    def __init__(self, work):
        self.work = work

    def build(self):
        """Returns the seconds of the build without the overhead of this harness, or None."""
        raise NotImplementedError

    def ask_all_processes(self, questions):
        return [self.ask_process(question) for question in questions]

    def ask_all_inside(self, questions):
        return [self.ask_inside(question) for question in questions]

    def close(self):
        pass


class Nothing(Peer):
    """The cost of a process that does nothing."""

    name = "nothing"
    label = "an empty process (`true`)"
    parts = (1, 3)

    def build(self):
        return None

    def ask_process(self, question):
        return timed(self.work, ["true"])[0], None


def timed(work, command, own=None):
    """Returns the milliseconds and the standard output of a process. OWN: its environment variables."""
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
    """Returns the milliseconds of a call and its result."""
    start = time.perf_counter()
    answer = work()
    return (time.perf_counter() - start) * 1e3, answer


def ids_of_lines(output, base=1):
    """Row numbers of a shell's output: the lines that are numbers. Other lines are skipped."""
    return [int(line) - base for line in output.splitlines() if line.isdigit()]


def size_of(place):
    return sum(path.stat().st_size for path in place.rglob("*") if path.is_file())


def needs_ten(answers):
    """Requires ten results of each answer, so that no peer is faster by finding less."""
    for found in answers:
        if found is not None and len(found) < K:
            raise Failed(f"an answer has {len(found)} results, not {K}")
