#!/usr/bin/env python3
"""The command `./x bench`, but for building: runs benchmarks, and compares them with those of an earlier program.

bench/README.md says what the figures mean, and how to keep noise away.
"""

import argparse
import glob
import json
import os
import subprocess
import sys

import intervals
import tables
from old_program import TARGET, program_of
from runs import Program, RunError, figures, in_turns

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILT = os.path.join(ROOT, "build", "release", "bench")


def turns(text):
    count = int(text)
    if count < intervals.FEWEST_TURNS:
        raise argparse.ArgumentTypeError(f"{count} turns are too few: {intervals.FEWEST_TURNS} at least")
    return count


def arguments():
    parser = argparse.ArgumentParser(
        prog="./x bench", description="Without arguments: runs all benchmarks of docs/PERFORMANCE.md, for an hour.",
        epilog=f"What follows -- is given to the program: --large to {TARGET}, or directories to ingest_bench.")
    parser.add_argument("name", nargs="?", metavar="NAME",
                        help=f"an area of {TARGET}, such as kernels, or another program, such as ingest_bench")
    parser.add_argument("--list", action="store_true", help="list the benchmarks and the other programs")
    parser.add_argument("--filter", metavar="RE", help="only benchmarks whose names match")
    parser.add_argument("--json", metavar="OUT", help="write the measurements to a file")
    parser.add_argument("--page", metavar="OUT", help="write a page of tables (Markdown) to a file")
    parser.add_argument("--min-time", type=float, metavar="SECONDS", help="of each benchmark in each run")
    parser.add_argument("--cpu", type=int, metavar="N", help="use only this CPU")
    against = parser.add_argument_group("comparing")
    against.add_argument("--against", metavar="OLD", help="compare with a commit, or with a program that was kept")
    against.add_argument("--runs", type=turns, default=11, metavar="N", help="turns of both programs (11)")
    against.add_argument("--of", metavar="COUNTER", help="compare a counter, such as instructions, and not the time")
    against.add_argument("--least", type=float, default=0.01, metavar="SHARE",
                         help="differences below are not called faster or slower (0.01)")
    against.add_argument("--fail-above", type=float, metavar="RATIO",
                         help="exit with 1 if a benchmark is slower than that: its whole interval is above")
    against.add_argument("--benchmarks", choices=("new", "old"), default="new",
                         help="build a commit with the benchmarks of this tree (new) or its own (old)")
    own, rest = sys.argv[1:], []
    if "--" in own:
        cut = own.index("--")
        own, rest = own[:cut], own[cut + 1:]
    given = parser.parse_args(own)
    given.rest = rest
    if given.fail_above is not None and not given.against:
        parser.error("--fail-above needs --against")
    if given.page and given.against:
        parser.error("--page is for a run of its own: a comparison prints its table")
    return given


def pattern(given):
    """The regular expression of the asked benchmarks, for Google Benchmark (POSIX extended)."""
    area = f"^{given.name}/" if given.name else ""
    if not given.filter:
        return area or "."
    return f"{area}.*({given.filter})" if area else given.filter


def other_programs():
    names = (os.path.basename(path)[:-3] for path in glob.glob(os.path.join(ROOT, "bench", "*_bench.cc")))
    return sorted(names)


def list_all(program):
    print(f"# {TARGET}: ./x bench [AREA] [--filter RE]")
    print("\n".join(program.names()))
    print("\n# Other programs: ./x bench NAME -- ARGUMENTS (bench/README.md)")
    print("\n".join(other_programs()))


def run_alone(program, given):
    """Prints what the program prints, and keeps its measurements."""
    if given.json or given.page:
        document = program.run(pattern(given), given.min_time)
        if given.json:
            write(given.json, json.dumps(document, indent=1) + "\n")
        if given.page:
            write(given.page, tables.page(document))
        print(tables.page(document), end="")
        return 0
    command = [program.path, f"--benchmark_filter={pattern(given)}", *program.options]
    if given.min_time is not None:
        command.append(f"--benchmark_min_time={given.min_time}")
    if given.cpu is not None:
        os.sched_setaffinity(0, {given.cpu})
    return subprocess.run(command, check=False).returncode


def run_against(program, given):
    old_path = program_of(ROOT, given.against, given.benchmarks)
    old = Program(old_path, program.options, program.cpu)
    min_time = 0.1 if given.min_time is None else given.min_time
    before, after = in_turns(
        old, program, given.runs, lambda which: figures(which.run(pattern(given), min_time), given.of),
        lambda turn: print(f"\rturn {turn + 1} of {given.runs} ", end="", file=sys.stderr, flush=True))
    print(file=sys.stderr)
    if not before:
        raise RunError("no benchmark that both programs have measured" + (f" has {given.of}" if given.of else ""))
    rows = tables.compared(before, after, given.least)
    print(f"old: {old_path}\nnew: {program.path}\n{given.of or 'time'}, {given.runs} turns, "
          "Hodges-Lehmann estimate of new/old and its interval by Wilcoxon's signed-rank test\n")
    print(tables.comparison(rows, "" if given.of else "ns"))
    print(f"\nOf {len(rows)} benchmarks that no change touches, {0.05 * len(rows):.1f} are outside their intervals by "
          "chance: repeat what surprises.")
    if given.json:
        write(given.json, json.dumps({"old": before, "new": after}, indent=1) + "\n")
    return verdict_of(rows, given.fail_above)


def verdict_of(rows, bound):
    """The exit status: 1 if an interval is above the bound."""
    above = [name for name, _, _, ratio, _ in rows if bound is not None and ratio.low > bound]
    for name in above:
        print(f"slower than {bound} times: {name}", file=sys.stderr)
    return 1 if above else 0


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def main():
    given = arguments()
    if given.name in other_programs():
        return subprocess.run([os.path.join(BUILT, given.name), *given.rest], check=False).returncode
    program = Program(os.path.join(BUILT, TARGET), tuple(given.rest), given.cpu)
    try:
        if given.list:
            list_all(program)
            return 0
        return run_against(program, given) if given.against else run_alone(program, given)
    except RunError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
