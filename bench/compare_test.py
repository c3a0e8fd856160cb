"""Tests of compare.py on files as Google Benchmark writes them."""
import contextlib
import io
import json
import os
import tempfile
import unittest

import compare


def row(name, time, unit="ms", **more):
    return {"name": name, "run_name": name, "run_type": "iteration", "real_time": time, "cpu_time": 2 * time, "time_unit": unit, **more}


def peers(times, **facts):
    """As peers.py writes it, of one job: milliseconds of rounds by side."""
    samples = {side: [{"first_ms": 99, "median_ms": each, "min_ms": 0} for each in rounds] for side, rounds in times.items()}
    return {"schema": "daybreak.peers/3", "machine": {"isa": "AVX2", "versions": {"rival": "1.0"}} | facts,
            "results": [{"job": "matmul", "samples": samples, "ratios": {}, "floors": {}, "remarks": {}}]}


class Compare(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)

    def file(self, name, content):
        """Of rows, or of a whole document."""
        path = os.path.join(self.directory.name, name)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(content if isinstance(content, dict) else {"context": {}, "benchmarks": content}, file)
        return path

    def run_on(self, before, after, *more):
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            status = compare.main([self.file("a.json", before), self.file("b.json", after), *more])
        return status, output.getvalue()

    def test_medians_count_and_units_are_equal(self):
        samples = [row("a", 1), row("a", 9), row("a", 2), row("a", 2000, "us")]
        self.assertEqual(compare.medians({"benchmarks": samples}), {"a": 2e6})

    def test_aggregates_and_failures_do_not_count(self):
        rows = [row("a", 1), row("a_mean", 50, run_name="a", run_type="aggregate"), row("a", 70, error_occurred=True), row("b", 1, error_occurred=True)]
        self.assertEqual(compare.medians({"benchmarks": rows}), {"a": 1e6})

    def test_table_has_ratios_and_their_mean(self):
        status, text = self.run_on([row("fast", 8), row("slow", 1)], [row("fast", 2), row("slow", 2000, "us")])
        self.assertEqual(status, 0)
        lines = [line.split() for line in text.splitlines()]
        self.assertEqual(lines[1], ["fast", "8", "ms", "2", "ms", "4.00"])
        self.assertEqual(lines[2], ["slow", "1", "ms", "2", "ms", "0.50"])
        self.assertEqual(lines[3], ["geometric", "mean", "1.41"])

    def test_names_of_one_file_only(self):
        _, text = self.run_on([row("a", 1), row("old", 1)], [row("a", 1), row("new", 1)])
        self.assertIn("only before: old", text)
        self.assertIn("only after: new", text)

    def test_limit(self):
        before, after = [row("a", 100), row("b", 100)], [row("a", 109), row("b", 112)]
        self.assertEqual(self.run_on(before, after)[0], 0)
        self.assertEqual(self.run_on(before, after, "--limit", "15")[0], 0)
        status, text = self.run_on(before, after, "--limit", "10")
        self.assertEqual(status, 1)
        self.assertIn("slower by more than 10 %: b", text)
        self.assertEqual(self.run_on(before, after, "--limit", "10", "--filter", "a")[0], 0)

    def test_cpu_time(self):
        rows = [row("a", 1, cpu_time=3)]
        self.assertIn("3 ms", self.run_on(rows, rows, "--cpu")[1])

    def test_files_of_peers(self):
        before, after = peers({"daybreak_gpu": [8, 2, 4], "gone": [1], "failed": []}), peers({"daybreak_gpu": [2]})
        status, text = self.run_on(before, after, "--limit", "1")
        self.assertEqual(status, 0)
        self.assertEqual(text.splitlines()[1].split(), ["matmul/daybreak_gpu", "4", "ms", "2", "ms", "2.00"])
        self.assertIn("only before: matmul/gone\n", text)
        self.assertNotIn("failed", text)
        self.assertNotIn("not the same", text)
        self.assertEqual(self.run_on(after, before, "--limit", "1")[0], 1)
        with self.assertRaises(SystemExit) as caught:
            self.run_on(before, after, "--cpu")
        self.assertIn("CPU times", str(caught.exception))

    def test_peers_of_another_machine(self):
        _, text = self.run_on(peers({"a": [1]}, tuned=False), peers({"a": [1]}, tuned=True, versions={"rival": "2.0"}))
        self.assertIn("not the same: tuned: False, now True", text)
        self.assertIn("not the same: rival: 1.0, now 2.0", text)
        self.assertNotIn("isa", text)

    def test_files_that_are_none(self):
        with self.assertRaises(SystemExit) as caught:
            compare.main([os.path.join(self.directory.name, "missing"), self.file("a.json", [])])
        self.assertIn("missing", str(caught.exception))
        with self.assertRaises(SystemExit) as caught:
            self.run_on([row("a", 1)], [row("b", 1)])
        self.assertIn("in common", str(caught.exception))
        path = self.file("list.json", [])
        with open(path, "w", encoding="utf-8") as file:
            file.write("[1]")
        with self.assertRaises(SystemExit):
            compare.load(path)


if __name__ == "__main__":
    unittest.main()
