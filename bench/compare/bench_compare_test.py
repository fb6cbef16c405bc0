"""Tests of the statistics and the tables of ./x bench:

    python3 -m unittest discover -s bench/compare -p '*_test.py'
"""

import contextlib
import io
import itertools
import os
import random
import stat
import tempfile
import unittest

import intervals
import tables
from bench import verdict_of
from old_program import program_of
from runs import Program, RunError, figures, in_turns


class IntervalsTest(unittest.TestCase):
    def test_tail_is_that_of_the_tables_of_wilcoxon(self):
        # Critical values of the two-sided test at 5 %, Wilcoxon 1945 and any later table.
        known = {6: 0, 7: 2, 8: 3, 9: 5, 10: 8, 11: 10, 12: 13, 15: 25, 20: 52, 25: 89}
        self.assertEqual({turns: intervals.signed_rank_tail(turns) for turns in known}, known)
        self.assertIsNone(intervals.signed_rank_tail(5))

    def test_tail_is_that_of_counting_every_sign(self):
        for turns in range(6, 13):
            sums = sorted(sum(rank for rank, positive in enumerate(signs, 1) if positive)
                          for signs in itertools.product((False, True), repeat=turns))
            tail = intervals.signed_rank_tail(turns)
            self.assertLessEqual(sum(s <= tail for s in sums) / len(sums), 0.025)
            self.assertGreater(sum(s <= tail + 1 for s in sums) / len(sums), 0.025)

    def test_interval_has_the_true_ratio_in_95_of_100_cases(self):
        chance = random.Random(1)
        hit = 0
        for _ in range(2000):
            speed = [chance.lognormvariate(0, 0.3) for _ in range(9)]  # of the machine, in each turn
            old = [s * chance.lognormvariate(0, 0.02) for s in speed]
            new = [1.1 * s * chance.lognormvariate(0, 0.02) for s in speed]
            ratio = intervals.compare(old, new)
            hit += ratio.low <= 1.1 <= ratio.high
        self.assertGreater(hit / 2000, 0.94)
        self.assertLess(hit / 2000, 0.975)

    def test_one_wild_turn_does_not_decide(self):
        old = [100.0] * 11
        new = [110.0, 111, 109, 110, 112, 108, 110, 111, 109, 110, 900]
        ratio = intervals.compare(old, new)
        self.assertAlmostEqual(ratio.ratio, 1.1, delta=0.01)
        self.assertEqual(ratio.verdict(0.01), "slower")

    def test_swapped_programs_give_the_reciprocal(self):
        old, new = [10.0, 12, 11, 13, 10, 14, 12], [9.0, 11, 11, 12, 10, 12, 11]
        one, other = intervals.compare(old, new), intervals.compare(new, old)
        self.assertAlmostEqual(one.ratio * other.ratio, 1)
        self.assertAlmostEqual(one.low * other.high, 1)

    def test_the_same_times_show_no_difference(self):
        ratio = intervals.compare([5.0] * 7, [5.0] * 7)
        self.assertEqual((ratio.ratio, ratio.low, ratio.high), (1, 1, 1))
        self.assertEqual(ratio.verdict(0.01), "no difference shown")

    def test_verdicts(self):
        self.assertEqual(intervals.Ratio(0.9, 0.85, 0.95).verdict(0.01), "faster")
        self.assertEqual(intervals.Ratio(1.1, 0.99, 1.2).verdict(0.01), "no difference shown")
        self.assertEqual(intervals.Ratio(1.005, 1.001, 1.009).verdict(0.01), "no difference shown")
        self.assertEqual(intervals.Ratio(1.005, 1.001, 1.009).verdict(0.001), "slower")

    def test_too_few_or_unpaired_turns_are_refused(self):
        with self.assertRaisesRegex(ValueError, "5 turns are too few"):
            intervals.compare([1.0] * 5, [1.0] * 5)
        with self.assertRaisesRegex(ValueError, "7 old and 6 new"):
            intervals.compare([1.0] * 7, [1.0] * 6)

    def test_median(self):
        self.assertEqual(intervals.median([3, 1, 2]), 2)
        self.assertEqual(intervals.median([4, 1, 2, 3]), 2.5)


def entry(name, **fields):
    return {"name": name, "run_type": "iteration", "real_time": 4.0, "cpu_time": 2.0, "time_unit": "us", **fields}


class FiguresTest(unittest.TestCase):
    def test_the_time_is_processor_time_unless_the_name_says_otherwise(self):
        document = {"benchmarks": [entry("a/b"), entry("a/c/manual_time"), entry("a/d/real_time"),
                                   entry("a/b_mean", run_type="aggregate"), entry("a/e", error_occurred=True)]}
        self.assertEqual(figures(document), {"a/b": 2e3, "a/c/manual_time": 4e3, "a/d/real_time": 4e3})

    def test_counters(self):
        document = {"benchmarks": [entry("a/b", instructions=7.0), entry("a/c")]}
        self.assertEqual(figures(document, "instructions"), {"a/b": 7.0})


class TurnsTest(unittest.TestCase):
    def test_programs_alternate_and_begin_in_turns(self):
        order = []

        def one_run(program):
            order.append(program)
            return {"a": len(order)}

        old, new = in_turns("A", "B", 3, one_run)
        self.assertEqual("".join(order), "ABBAAB")
        self.assertEqual((old, new), ({"a": [1, 4, 5]}, {"a": [2, 3, 6]}))

    def test_only_what_both_have_is_compared(self):
        old, new = in_turns({"a": 1, "b": 1}, {"c": 1, "a": 1}, 2, dict)
        self.assertEqual((list(old), list(new)), (["a"], ["a"]))


class TablesTest(unittest.TestCase):
    def test_comparison(self):
        old = {"area/same": [1000.0] * 7, "area/worse": [2e6] * 7}
        new = {"area/same": [1000.0] * 7, "area/worse": [3e6] * 7}
        rows = tables.compared(old, new, 0.01)
        self.assertEqual(
            tables.comparison(rows),
            "| benchmark  |     old |     new | new/old |  95 % interval |                     |\n"
            "| ---------- | ------: | ------: | ------: | -------------: | ------------------- |\n"
            "| area/same  | 1.00 us | 1.00 us |   1.000 | 1.000 to 1.000 | no difference shown |\n"
            "| area/worse | 2.00 ms | 3.00 ms |   1.500 | 1.500 to 1.500 | slower              |")

    def test_only_an_interval_above_the_bound_fails(self):
        rows = [("a", 1, 1, intervals.Ratio(1.2, 1.04, 1.4), "slower"),
                ("b", 1, 1, intervals.Ratio(1.2, 1.06, 1.4), "slower")]
        told = io.StringIO()
        with contextlib.redirect_stderr(told):
            self.assertEqual(verdict_of(rows, None), 0)
            self.assertEqual(verdict_of(rows[:1], 1.05), 0)
            self.assertEqual(verdict_of(rows, 1.05), 1)
        self.assertEqual(told.getvalue(), "slower than 1.05 times: b\n")

    def test_page(self):
        context = {"date": "2026-01-02", "num_cpus": 2, "mhz_per_cpu": 3000, "load_avg": [0.5],
                   "no counters of": "cycles"}
        benchmarks = [entry("bm25/words:1", bytes_per_second=2.5e9, recall=0.875, label="a|b")]
        text = tables.page({"context": context, "benchmarks": benchmarks})
        self.assertIn("no counters of: cycles.", text)
        self.assertIn("## bm25\n", text)
        self.assertIn("| words:1   | 4.00 us |   2.00 us | 2.50 GB/s | a\\|b, recall 0.875 |", text)

    def test_quantities_have_three_digits(self):
        self.assertEqual([tables.quantity(v) for v in (0.5, 12.34, 123456, 7.8e9)],
                         ["0.50 ns", "12.3 ns", "123 us", "7.80 s"])
        self.assertEqual(tables.quantity(4.56e6, "B"), "4.56 MB")


class ProgramsTest(unittest.TestCase):
    def script(self, folder, text):
        path = os.path.join(folder, "program")
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + text)
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
        return path

    def test_a_failed_check_is_told_with_its_words(self):
        with tempfile.TemporaryDirectory() as folder:
            path = self.script(folder, "echo 'bench: recall is 0.3' >&2; exit 1\n")
            with self.assertRaisesRegex(RunError, "ended with 1: bench: recall is 0.3"):
                Program(path).run(".", 0.1)

    def test_a_filter_that_matches_nothing_is_told(self):
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(RunError, "no benchmark matches x"):
                Program(self.script(folder, "exit 0\n")).run("x", 0.1)

    def test_old_is_a_program_or_a_commit(self):
        with tempfile.TemporaryDirectory() as folder:
            path = self.script(folder, "exit 0\n")
            self.assertEqual(program_of(folder, path, "new"), path)
            with self.assertRaisesRegex(RunError, "neither a program nor a commit"):
                program_of(folder, "no-such-thing", "new")


if __name__ == "__main__":
    unittest.main()
