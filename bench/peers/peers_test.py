"""Tests of peers.py without anything to measure."""
import contextlib
import io
import unittest
from unittest import mock

import peers
from jobs import Unavailable


def result(job, ratios, floors):
    return {"job": job, "samples": {}, "remarks": {}, "ratios": ratios, "floors": floors}


class Side:
    def __init__(self, name, device, version):
        self.name, self.device, self.version = name, device, version

    def info(self):
        return {"plugin": {"build": "commit 12ab, a compiler"},
                "devices": [{"kind": "software_gpu", "usable": True, "score": 3, "name": "painter", "driver": "2.1"},
                            {"kind": "cpu", "usable": True, "score": 9, "name": "processor", "driver": ""}]}


def absent():
    raise Unavailable("not installed")


class Peers(unittest.TestCase):
    def test_promises(self):
        below, unknown = peers.missed([result("a", {"rival": 3.99}, {"rival": 4}), result("b", {"rival": 4.0}, {"rival": 4}),
                                       result("c", {"other": 0.1}, {"rival": 4})])
        self.assertEqual(below, ["a against rival: 3.99 instead of 4"])
        self.assertEqual(unknown, ["c against rival"])

    def test_what_figures_depend_on(self):
        facts = peers.machine([Side("daybreak_gpu", "gpu", lambda: "0.1"), Side("rival", "gpu", absent)], tuned=True)
        self.assertEqual(facts["versions"], {"daybreak_gpu": "0.1", "rival": "unavailable: not installed"})
        self.assertEqual((facts["gpu_adapter"], facts["gpu_driver"], facts["commit"], facts["tuned"]), ("painter", "2.1", "12ab", True))

    def test_status(self):
        for ratio, status in ((3.0, 1), (5.0, 0)):
            measured = result("job", {"rival": ratio}, {"rival": 4})
            with mock.patch.multiple(peers, all_sides=lambda *_: [Side("side", "gpu", lambda: "1")], measure=lambda *_: measured,
                                     store=mock.DEFAULT), \
                    mock.patch("sys.argv", ["peers.py", "--build", "."]), contextlib.redirect_stdout(io.StringIO()) as output:
                self.assertEqual(peers.main(), status)
            self.assertEqual("below its promise: job against rival: 3.00 instead of 4" in output.getvalue(), status == 1)


if __name__ == "__main__":
    unittest.main()
