"""Runs of a program of Google Benchmark, and what they have measured."""

import dataclasses
import json
import os
import subprocess
import tempfile


class RunError(Exception):
    """A program could not be run, or its results not be read; the message says which and why."""


@dataclasses.dataclass(frozen=True)
class Program:
    path: str
    options: tuple = ()  # further arguments
    cpu: int = None  # the only CPU that it may use

    def run(self, pattern, min_time):
        """Runs the benchmarks whose names match the regular expression. Returns the JSON document."""
        with tempfile.TemporaryDirectory(prefix="recall-bench-") as folder:
            out = os.path.join(folder, "out.json")
            command = [self.path, f"--benchmark_filter={pattern}", f"--benchmark_out={out}",
                       "--benchmark_out_format=json", *self.options]
            if min_time is not None:
                command.append(f"--benchmark_min_time={min_time}")
            pin = None if self.cpu is None else lambda: os.sched_setaffinity(0, {self.cpu})
            try:
                done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                      preexec_fn=pin, check=False)
            except (OSError, subprocess.SubprocessError) as error:
                raise RunError(f"cannot run {self.path}: {error}") from error
            if done.returncode != 0:
                raise RunError(f"{self.path} ended with {done.returncode}: {done.stderr[-2000:].strip()}")
            try:
                with open(out, encoding="utf-8") as file:
                    document = json.load(file)
            except (OSError, ValueError) as error:
                raise RunError(f"{self.path}: no benchmark matches {pattern}") from error
        if not document.get("benchmarks"):
            raise RunError(f"{self.path}: no benchmark matches {pattern}")
        return document

    def names(self):
        done = subprocess.run([self.path, "--benchmark_list_tests=true"], stdout=subprocess.PIPE, text=True, check=True)
        return done.stdout.splitlines()


def time_field(name):
    """The field that is the time of a benchmark: processor time, unless the benchmark says that another counts."""
    return "real_time" if name.endswith(("/manual_time", "/real_time")) else "cpu_time"


def figures(document, of=None):
    """{name: value} of a JSON document; `of` is a counter, or None for the time in nanoseconds. Without what has no
    such counter, or 0."""
    scale = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
    found = {}
    for entry in document["benchmarks"]:
        if entry.get("run_type", "iteration") != "iteration" or entry.get("error_occurred"):
            continue
        name = entry["name"]
        if of is None:
            value = entry[time_field(name)] * scale[entry.get("time_unit", "ns")]
        else:
            value = entry.get(of, 0)
        if value > 0:
            found[name] = value
    return found


def in_turns(old, new, turns, one_run, progress=lambda turn: None):
    """Runs both in turns: old new, new old, old new... `one_run` takes a program and returns {name: value}. Returns
    ({name: [values of old]}, the same of new), of the names that every run has."""
    kept = ([], [])
    for turn in range(turns):
        progress(turn)
        order = (0, 1) if turn % 2 == 0 else (1, 0)
        for which in order:
            kept[which].append(one_run((old, new)[which]))
    names = [name for name in kept[1][0] if all(name in run for runs in kept for run in runs)]
    return tuple({name: [run[name] for run in runs] for name in names} for runs in kept)
