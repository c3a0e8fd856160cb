"""host/models/fetch.py with a table of its own and a package that pip finds in a directory: what arrives, what is refused,
what is left behind, and two processes at once. Needs no network. Usage: fetch_test.py SOURCE_DIR"""
import hashlib
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import zipfile

SCRIPTS = pathlib.Path(sys.argv.pop(1)) / "host" / "models"
WEIGHTS = b"weights" * 1000
MAKER = "def write(source, target):\n  target.write_bytes(source.read_bytes()[::-1])\n"


def entry(name, data, where, sha256=None):
    return f'[package.files."{name}"]\n{where}\nbytes = {len(data)}\nsha256 = "{sha256 or hashlib.sha256(data).hexdigest()}"\n'


class FetchTest(unittest.TestCase):
    def setUp(self):
        self.place = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.place)
        self.scripts, self.wheels = self.place / "scripts", self.place / "wheels"
        shutil.copytree(SCRIPTS, self.scripts, ignore=shutil.ignore_patterns("__pycache__"))
        (self.scripts / "reverse.py").write_text(MAKER)
        self.wheels.mkdir()
        self.cache = self.place / "cache" / "daybreak" / "models"
        self.pack(WEIGHTS)
        self.write_table()

    def pack(self, weights):
        with zipfile.ZipFile(self.wheels / "tiny_model-1.0-py3-none-any.whl", "w", zipfile.ZIP_DEFLATED) as wheel:
            wheel.writestr("tiny_model/weights.bin", weights)
            wheel.writestr("tiny_model/unwanted.bin", b"x" * 100)
            wheel.writestr("tiny_model-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: tiny-model\nVersion: 1.0\n")
            wheel.writestr("tiny_model-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            wheel.writestr("tiny_model-1.0.dist-info/RECORD", "")

    def write_table(self, sha256=None, made_sha256=None, member="tiny_model/weights.bin"):
        (self.scripts / "models.toml").write_text(
            '[[package]]\nname = "tiny-model"\nversion = "1.0"\nlicence = "MIT"\ndownload_bytes = 1000\n'
            + entry("tiny.bin", WEIGHTS, f'member = "{member}"', sha256)
            + entry("tiny.made", WEIGHTS[::-1], 'made_by = "reverse"\nmade_from = "tiny.bin"', made_sha256)
            + entry("other.bin", WEIGHTS, f'member = "{member}"'))

    def start(self, *arguments, **settings):
        environment = {**os.environ, "XDG_CACHE_HOME": str(self.place / "cache"), "PIP_NO_INDEX": "1",
                       "PIP_FIND_LINKS": str(self.wheels), "PIP_CONFIG_FILE": os.devnull, **settings}
        return subprocess.Popen([sys.executable, "-B", str(self.scripts / "fetch.py"), *arguments], env=environment,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run_fetch(self, *arguments, **settings):
        process = self.start(*arguments, **settings)
        out, err = process.communicate(timeout=120)
        return process.returncode, out, err

    def assert_refused(self, message, *arguments, **settings):
        status, out, err = self.run_fetch(*arguments, **settings)
        self.assertEqual((1, ""), (status, out))
        self.assertRegex(err, message)
        self.assertNotIn("Traceback", err)
        return err

    def cached(self):
        return sorted(path.name for path in self.cache.iterdir()) if self.cache.exists() else []

    def test_files_arrive_and_no_others(self):
        status, out, err = self.run_fetch("tiny")
        self.assertEqual(0, status, err)
        self.assertEqual([str(self.cache / "tiny.bin"), str(self.cache / "tiny.made")], out.split())
        self.assertEqual([".lock", "tiny.bin", "tiny.made"], self.cached())
        self.assertEqual(WEIGHTS[::-1], (self.cache / "tiny.made").read_bytes())

    def test_afterwards_nothing_is_fetched(self):
        self.run_fetch("tiny")
        status, out, err = self.run_fetch("tiny", PIP_FIND_LINKS=str(self.place / "nowhere"))
        self.assertEqual((0, ""), (status, err))
        self.assertEqual(2, len(out.split()))

    def test_spoilt_files_are_replaced(self):
        self.run_fetch("tiny")
        (self.cache / "tiny.bin").write_bytes(WEIGHTS[:-1])
        (self.cache / "tiny.made").write_bytes(b"?" * len(WEIGHTS))
        self.assertEqual(0, self.run_fetch("tiny")[0])
        self.assertEqual(WEIGHTS, (self.cache / "tiny.bin").read_bytes())
        self.assertEqual(WEIGHTS[::-1], (self.cache / "tiny.made").read_bytes())

    def test_wrong_hash_keeps_nothing(self):
        self.write_table(sha256="0" * 64)
        self.assert_refused("tiny_model/weights.bin of tiny-model==1.0 is not the known one: its SHA-256 is", "tiny")
        self.assertEqual([".lock"], self.cached())

    def test_wrong_size_keeps_nothing(self):
        self.pack(WEIGHTS + b"!")
        self.assert_refused("it has 7001 bytes, not 7000", "tiny")
        self.assertEqual([".lock"], self.cached())

    def test_a_made_file_is_checked(self):
        self.write_table(made_sha256="0" * 64)
        self.assert_refused("tiny.made was not made as it should be: its SHA-256 is", "tiny")
        self.assertEqual([".lock", "tiny.bin"], self.cached())

    def test_a_missing_member_is_named(self):
        self.write_table(member="tiny_model/else.bin")
        self.assert_refused("tiny-model==1.0 has no tiny_model/else.bin", "tiny")

    def test_a_module_that_is_not_installed_is_named(self):
        (self.scripts / "reverse.py").write_text("import no_such_module\n")
        self.assert_refused("making tiny.made needs the Python module no_such_module", "tiny")

    def test_registry_without_the_package(self):
        (self.wheels / "tiny_model-1.0-py3-none-any.whl").unlink()
        self.assert_refused("could not fetch tiny-model==1.0 from the package registry", "tiny")

    def test_registry_out_of_reach(self):
        text = self.assert_refused("could not fetch tiny-model==1.0 from the package registry; is it reachable", "tiny",
                                   PIP_NO_INDEX="0", PIP_INDEX_URL="http://127.0.0.1:9/simple", PIP_FIND_LINKS="",
                                   PIP_DEFAULT_TIMEOUT="5")
        self.assertIn("refused", text)
        self.assertEqual([".lock"], self.cached())

    def test_damaged_archive(self):
        path = self.wheels / "tiny_model-1.0-py3-none-any.whl"
        whole = path.read_bytes()
        path.write_bytes(whole[:len(whole) // 2])
        self.assert_refused("tiny-model==1.0", "tiny")
        self.assertEqual([".lock"], self.cached())

    def test_a_cache_that_cannot_be_written(self):
        (self.place / "cache").write_text("a file")
        self.assert_refused("error: .*cache", "tiny")

    def test_unknown_model(self):
        self.assert_refused("no model 'big'; there are: other, tiny", "tiny", "big")

    def test_list(self):
        self.run_fetch("other")
        status, out, _ = self.run_fetch()
        self.assertEqual(0, status)
        self.assertRegex(out, r"(?m)^other +cached +0.0 MB  MIT +tiny-model==1.0$")
        self.assertRegex(out, r"(?m)^tiny +- ")

    def test_many_at_once_fetch_once(self):
        processes = [self.start("all") for _ in range(4)]
        answers = [process.communicate(timeout=120) for process in processes]
        self.assertEqual([0] * 4, [process.returncode for process in processes], answers)
        self.assertEqual(1, sum("models: fetching" in err for _, err in answers), answers)
        self.assertEqual([".lock", "other.bin", "tiny.bin", "tiny.made"], self.cached())

    def kill_while_making(self, signal_number):
        (self.scripts / "reverse.py").write_text("import time\ndef write(source, target):\n"
                                                 "  target.write_bytes(b'part')\n  time.sleep(60)\n")
        process = self.start("tiny")
        while not (self.cache / ".partial" / "tiny.made").exists():
            self.assertIsNone(process.poll())
            time.sleep(0.02)
        process.send_signal(signal_number)
        process.communicate(timeout=60)
        (self.scripts / "reverse.py").write_text(MAKER)
        return process.returncode

    def test_ended_half_way_leaves_nothing(self):
        self.assertEqual(143, self.kill_while_making(signal.SIGTERM))
        self.assertEqual([".lock", "tiny.bin"], self.cached())

    def test_ended_while_pip_waits_ends_pip(self):
        with socket.create_server(("127.0.0.1", 0)) as registry:
            registry.settimeout(60)
            process = self.start("tiny", PIP_NO_INDEX="0", PIP_FIND_LINKS="",
                                 PIP_INDEX_URL=f"http://127.0.0.1:{registry.getsockname()[1]}/simple")
            with registry.accept()[0] as pip:
                pip.settimeout(60)
                self.assertTrue(pip.recv(1 << 16))  # the request; it is never answered
                process.terminate()
                process.communicate(timeout=60)
                self.assertEqual(143, process.returncode)
                self.assertEqual(b"", pip.recv(1))  # closed, as pip is gone
        self.assertEqual([".lock"], self.cached())

    def test_what_a_killed_process_left_is_discarded(self):
        self.assertEqual(-signal.SIGKILL, self.kill_while_making(signal.SIGKILL))
        self.assertIn(".partial", self.cached())
        self.assertEqual(0, self.run_fetch("tiny")[0])
        self.assertEqual([".lock", "tiny.bin", "tiny.made"], self.cached())


if __name__ == "__main__":
    unittest.main()
