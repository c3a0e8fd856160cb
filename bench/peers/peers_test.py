"""Tests of peers.py and what belongs to it, with sides, jobs and packages that are made up: nothing is measured."""
import contextlib
import io
import json
import pathlib
import tempfile
import types
import unittest
from unittest import mock
from xml.etree import ElementTree

import chart
import numpy as np
import peers
import rival
import sides
from jobs import Job, Unavailable

SVG = "{http://www.w3.org/2000/svg}"


def result(job, ratios, floors, remarks=None):
    return {"job": job, "samples": {}, "remarks": remarks or {}, "ratios": ratios, "floors": floors}


def job(name="job", floors=None):
    return Job(name, lambda path: None, dict, 1, floors or {})


def absent():
    raise Unavailable("not installed")


class Side:
    """Takes the times that it is given, round by round; None: it fails. Whoever is asked for anything is noted in `asked`."""

    def __init__(self, name, times=(), asked=None, version=lambda: "1", outputs=None):
        self.name, self.device, self.version = name, name.split("_")[1], version
        self.times, self.asked, self.given = list(times), asked if asked is not None else [], outputs or {}

    def info(self):
        return {"plugin": {"build": "commit 12ab, a compiler"},
                "devices": [{"kind": "software_gpu", "usable": True, "score": 3, "name": "painter", "driver": "2.1"},
                            {"kind": "cpu", "usable": True, "score": 9, "name": "processor", "driver": ""}]}

    def outputs(self, *_):
        self.asked.append(f"{self.name}?")
        if not self.times:
            absent()
        return self.given

    def figures(self, *_):
        self.asked.append(self.name)
        time = self.times.pop(0)
        if time is None:
            raise Unavailable("broken")
        return {"first_ms": 9 * time, "median_ms": time, "min_ms": time / 2}


def measure(measured, rounds, floors=None):
    return peers.measure(measured, job(floors=floors), rounds, pathlib.Path("."), "AVX2")


class Measuring(unittest.TestCase):
    def test_sides_take_turns(self):
        asked = []
        names = ["daybreak_gpu", "rival_gpu", "daybreak_cpu", "rival_cpu"]
        measure([Side(name, [1, 1, 1], asked) for name in names], 3)
        self.assertEqual(asked, [f"{name}?" for name in names] + 3 * names)

    def test_ratios_are_taken_within_rounds(self):
        """A busy second round, and a rival that was lucky in it, count for one round of three."""
        got = measure([Side("daybreak_gpu", [10, 100, 11]), Side("rival_gpu", [20, 110, 33]), Side("daybreak_cpu", [1, 2, 3]),
                       Side("rival_cpu", [4, 2, 9])], 3)
        self.assertEqual(got["ratios"], {"rival_gpu": 2.0, "rival_cpu": 3.0})
        self.assertEqual([each["median_ms"] for each in got["samples"]["rival_gpu"]], [20, 110, 33])
        self.assertEqual(got["samples"]["daybreak_gpu"][1], {"first_ms": 900, "median_ms": 100, "min_ms": 50})

    def test_who_cannot_take_part_is_remarked(self):
        asked = []
        got = measure([Side("daybreak_gpu", [1, 1], asked), Side("rival_gpu", [], asked), Side("other_gpu", [3, 3], asked)], 2)
        self.assertEqual(got["remarks"], {"rival_gpu": "not installed"})
        self.assertEqual(got["ratios"], {"other_gpu": 3.0})
        self.assertEqual(asked[3:], 2 * ["daybreak_gpu", "other_gpu"])

    def test_who_fails_later_has_no_ratio(self):
        asked = []
        got = measure([Side("daybreak_gpu", [1, 1, 1], asked), Side("rival_gpu", [2, None], asked), Side("other_gpu", [3, 3, 3], asked)], 3)
        self.assertEqual((got["ratios"], got["remarks"]), ({"other_gpu": 3.0}, {"rival_gpu": "round 2: broken"}))
        self.assertEqual(asked[-2:], ["daybreak_gpu", "other_gpu"])

    def test_another_result_is_remarked(self):
        ours, theirs, other = (Side(f"{name}_gpu", [1], outputs={"y": np.array(y)}) for name, y in
                               (("daybreak", [1.0, 2.0]), ("rival", [1.0, 2.0001]), ("wrong", [1.0, 2.1])))
        got = measure([ours, theirs, other], 1)
        self.assertEqual(list(got["remarks"]), ["wrong_gpu"])
        self.assertIn("its result is another one: y differs by 0.1", got["remarks"]["wrong_gpu"])
        self.assertEqual(got["ratios"], {"rival_gpu": 1.0, "wrong_gpu": 1.0})

    def test_a_job_that_cannot_be_had(self):
        with mock.patch.object(Job, "path", lambda *_: absent()):
            self.assertEqual(measure([Side("daybreak_gpu", [1])], 1)["remarks"], {"all": "not installed"})

    def test_promises_follow_the_instruction_set(self):
        self.assertEqual(peers.promised(job(floors={"rival": (6, 4)}), "AVX2"), {"rival": 6})
        self.assertEqual(peers.promised(job(floors={"rival": (6, 4)}), "AVX-512"), {"rival": 4})


class Telling(unittest.TestCase):
    def test_promises(self):
        below, unknown = peers.missed([result("a", {"rival": 3.99}, {"rival": 4}), result("b", {"rival": 4.0}, {"rival": 4}),
                                       result("c", {"other": 0.1}, {"rival": 4})])
        self.assertEqual(below, ["a against rival: 3.99 instead of 4"])
        self.assertEqual(unknown, ["c against rival"])

    def test_what_figures_depend_on(self):
        facts = peers.machine([Side("daybreak_gpu", version=lambda: "0.1"), Side("rival_gpu", version=absent)], tuned=True)
        self.assertEqual(facts["versions"], {"daybreak_gpu": "0.1", "rival_gpu": "unavailable: not installed"})
        self.assertEqual((facts["gpu_adapter"], facts["gpu_driver"], facts["commit"], facts["tuned"]), ("painter", "2.1", "12ab", True))

    def test_table(self):
        with contextlib.redirect_stdout(io.StringIO()) as output:
            peers.print_table([result("one", {"fast": 2.0, "slow": 0.5}, {"fast": 3}, {"silent": "no device"}),
                               result("another", {"fast": 4.0}, {"fast": 3}, {"silent": "no device", "all": "no model"})])
        lines = [line.split() for line in output.getvalue().splitlines()[1:]]
        self.assertEqual(lines[0][4:], ["fast", "slow", "silent"])
        self.assertEqual(lines[1], ["one", "2.00!", "0.50", "-"])
        self.assertEqual(lines[2], ["another", "4.00", "-", "-"])
        self.assertEqual(lines[3:], [["silent:", "no", "device"]])


class Whole(unittest.TestCase):
    def run_main(self, times, floors, out):
        """Status, text and what is stored, of two jobs."""
        def all_sides(*_):
            return [Side(name, each, version=lambda: "1") for name, each in times.items()]
        with mock.patch.multiple(peers, all_sides=all_sides, JOBS=[job("product", floors), job("model")]), \
                mock.patch.dict(chart.COLOURS, {"rival_gpu": "#111", "absent_gpu": "#222"}), \
                mock.patch("sys.argv", ["peers.py", "--build", ".", "--rounds", "2", "--out", str(out)]), \
                contextlib.redirect_stdout(io.StringIO()) as output:
            status = peers.main()
        return status, output.getvalue(), json.loads((out / "peers.json").read_text()), (out / "peers.svg").read_text()

    def test_a_measurement(self):
        times = {"daybreak_gpu": [1, 2, 1, 1], "rival_gpu": [4, 8, 3, 3], "absent_gpu": []}
        with tempfile.TemporaryDirectory() as directory:
            status, text, stored, drawn = self.run_main(times, {"rival_gpu": (3, 3)}, pathlib.Path(directory) / "new")
        self.assertEqual(status, 0)
        self.assertIn("absent_gpu: not installed", text)
        self.assertEqual((stored["schema"], stored["machine"]["gpu_adapter"]), (peers.SCHEMA, "painter"))
        self.assertEqual(stored["machine"]["versions"], {"daybreak_gpu": "1", "rival_gpu": "1", "absent_gpu": "1"})
        first, second = stored["results"]
        self.assertEqual((first["job"], first["ratios"], first["floors"]), ("product", {"rival_gpu": 4.0}, {"rival_gpu": 3}))
        self.assertEqual((second["job"], second["ratios"], second["floors"]), ("model", {"rival_gpu": 3.0}, {}))
        self.assertEqual(first["remarks"], {"absent_gpu": "not installed"})
        self.assertEqual([each["median_ms"] for each in first["samples"]["rival_gpu"]], [4, 8])
        self.assertEqual(len(list(ElementTree.fromstring(drawn).iter(f"{SVG}title"))), 2)

    def test_status(self):
        for theirs, expected in ((3, 1), (5, 0)):
            with tempfile.TemporaryDirectory() as directory:
                status, text, *_ = self.run_main({"daybreak_gpu": [1] * 4, "rival_gpu": [theirs] * 4}, {"rival_gpu": (4, 4)}, pathlib.Path(directory))
            self.assertEqual(status, expected)
            self.assertEqual("below its promise: product against rival_gpu: 3.00 instead of 4" in text, expected == 1)


class Chart(unittest.TestCase):
    def test_a_bar_for_each_side(self):
        names = ["onnxruntime_webgpu", "onednn"]
        drawn = ElementTree.fromstring(chart.svg([result("a < b", {names[0]: 2.0, names[1]: 0.5}, {names[0]: 4}), result("c", {names[0]: 8.0}, {}),
                                                  result("nobody", {}, {})]))
        bars = [rect for rect in drawn.iter(f"{SVG}rect") if rect.find(f"{SVG}title") is not None]
        self.assertEqual([rect.find(f"{SVG}title").text for rect in bars], ["onnxruntime_webgpu: 2.00", "onednn: 0.50", "onnxruntime_webgpu: 8.00"])
        self.assertEqual([rect.get("fill") for rect in bars], [chart.COLOURS[name] for name in [*names, names[0]]])
        begins, widths = ([float(rect.get(key)) for rect in bars] for key in ("x", "width"))
        self.assertAlmostEqual(begins[0], begins[2])
        self.assertAlmostEqual(begins[1] + widths[1], begins[0], delta=0.2)
        self.assertAlmostEqual(widths[2], 3 * widths[0], delta=0.5)
        self.assertEqual(len({rect.get("y") for rect in bars}), 3)
        texts = [each.text for each in drawn.iter(f"{SVG}text")]
        self.assertTrue({"a < b", "c", *names} <= set(texts))
        self.assertNotIn("nobody", texts)

    def test_everybody_has_a_colour_and_room(self):
        names = [side.name for side in sides.all_sides(pathlib.Path("."), False) if not side.name.startswith("daybreak")]
        self.assertEqual(set(chart.COLOURS), set(names))
        self.assertEqual(len(set(chart.COLOURS.values())), len(names))
        drawn = ElementTree.fromstring(chart.svg([result("a", {name: 2.0 for name in names}, {})]))
        promised = next(each for each in drawn.iter(f"{SVG}text") if each.text == "promised")
        self.assertLess(float(promised.get("x")) + 60, float(drawn.get("width")))


class Plugin(unittest.TestCase):
    """ONNX Runtime's plugin through packages that stand in for it."""

    def session_on(self, devices):
        ort, ep, options = mock.MagicMock(), mock.MagicMock(), mock.MagicMock()
        ep.get_ep_name.return_value, ep.get_library_path.return_value = "Plugin", "plugin.so"
        ort.get_ep_devices.return_value = [types.SimpleNamespace(ep_name=name) for name in devices]
        ort.SessionOptions.return_value = options
        session = ort.InferenceSession.return_value
        session.get_providers.return_value = ["Plugin", "CPUExecutionProvider"]
        session.get_outputs.return_value = [types.SimpleNamespace(name="y")]
        session.run.side_effect = lambda names, inputs: [inputs["x"] + 1 for _ in names]
        with mock.patch.dict("sys.modules", {"onnxruntime": ort, "onnxruntime_ep_webgpu": ep}):
            run = rival.RIVALS["onnxruntime_webgpu_plugin"]("model.onnx")
        return run, ort, options

    def test_it_runs_on_its_device(self):
        run, ort, options = self.session_on(["CPUExecutionProvider", "Plugin", "Plugin"])
        ort.register_execution_provider_library.assert_called_once_with(mock.ANY, "plugin.so")
        options.add_provider_for_devices.assert_called_once_with([ort.get_ep_devices()[1]], {})
        ort.InferenceSession.assert_called_once_with("model.onnx", options)
        self.assertEqual(run({"x": 2}), {"y": 3})

    def test_it_lists_no_device(self):
        with self.assertRaises(SystemExit) as caught:
            self.session_on(["CPUExecutionProvider"])
        self.assertIn("lists no device", str(caught.exception))


class Programs(unittest.TestCase):
    def test_packages_that_cannot_be_had(self):
        with tempfile.TemporaryDirectory() as directory, mock.patch.object(sides, "cache_directory", lambda: pathlib.Path(directory) / "models"), \
                mock.patch.object(sides.subprocess, "run", side_effect=sides.subprocess.CalledProcessError(1, "pip")) as run, \
                contextlib.redirect_stderr(io.StringIO()):
            sides.installed.cache_clear()
            self.addCleanup(sides.installed.cache_clear)
            one = sides.Rival("onnxruntime_webgpu_plugin", sides.GPU, "plugin", "onnxruntime-ep-webgpu")
            for _ in range(2):
                with self.assertRaisesRegex(Unavailable, "onnxruntime-ep-webgpu.* could not be installed"):
                    one.version()
            self.assertEqual(run.call_count, 1)

    def test_products_alone(self):
        one = sides.Product("onednn", sides.CPU, "oneDNN", pathlib.Path("/nonexistent"))
        with self.assertRaisesRegex(Unavailable, "the build found no oneDNN"):
            one.version()
        with mock.patch.object(pathlib.Path, "exists", lambda _: True), mock.patch.object(sides, "answer") as answer:
            with self.assertRaisesRegex(Unavailable, "no model of this job"):
                one.outputs(job(), None, None, {})
            one.figures(Job("product", None, dict, 7, {}, product=(2, 3, 4)), None, None, {})
            answer.assert_called_once_with(pathlib.Path("/nonexistent"), 2, 3, 4, 7)


if __name__ == "__main__":
    unittest.main()
