"""check_outputs.py accepts the references themselves and refuses what differs from them. Usage: check_test.py"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np

from cases import file_name

HERE = pathlib.Path(__file__).parent
REFERENCES = json.loads((HERE / "references.json").read_text())
CASE = "minilm-f32-ragged"


class CheckTest(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = pathlib.Path(place.name)

    def write(self, case, change=lambda name, array: array):
        """The outputs of a case, zero where the references do not tell."""
        for name, reference in REFERENCES[case]["outputs"].items():
            sample = np.load(HERE / "references" / reference["file"])
            array = np.zeros(reference["dims"], sample.dtype)
            array.reshape(-1)[::reference["stride"]] = sample
            np.save(self.place / f"{file_name(name)}.npy", change(name, array))

    def check(self, case):
        command = [sys.executable, "-B", str(HERE / "check_outputs.py"), case, str(self.place)]
        answer = subprocess.run(command, capture_output=True, text=True)
        self.assertNotIn("Traceback", answer.stderr)
        return answer.returncode, answer.stderr

    def assert_refused(self, message, change):
        self.write(CASE, change)
        status, text = self.check(CASE)
        self.assertEqual(1, status)
        self.assertRegex(text, message)

    def test_references_are_right(self):
        for case in REFERENCES:
            self.write(case)
            self.assertEqual((0, ""), self.check(case), case)

    def test_within_tolerance(self):
        self.write(CASE, lambda _, array: array * np.float32(1.0019))
        self.assertEqual((0, ""), self.check(CASE))

    def test_beyond_tolerance(self):
        self.assert_refused("elements are wrong", lambda _, array: array * np.float32(1.05))

    def test_one_element(self):
        def change(_, array):
            array.reshape(-1)[0] += 0.1
            return array
        self.assert_refused("1 of .* elements are wrong", change)

    def test_nan(self):
        self.assert_refused("elements are wrong", lambda _, array: array * np.float32("nan"))

    def test_shape(self):
        self.assert_refused(r"not float32 \[3, 384\]", lambda _, array: array[None])

    def test_dtype(self):
        self.assert_refused("float64", lambda _, array: array.astype(np.float64))

    def test_missing(self):
        self.write(CASE)
        (self.place / "sentence_embedding.npy").unlink()
        status, text = self.check(CASE)
        self.assertEqual(1, status)
        self.assertIn("is missing", text)


if __name__ == "__main__":
    unittest.main()
