"""Jobs of tests of the package: models are texts, since a process can open one session only."""
import os
import subprocess
import sys

import pytest


class Job:
    def __init__(self, folder):
        self.folder = folder

    def run(self, model, iodef, processes=1, servers=0, expect=0):
        """Runs the text `model` and returns what it printed; the job must end with status `expect` (None: not 0)."""
        (self.folder / "model.py").write_text("import epios\nimport numpy as np\n" + model)
        (self.folder / "iodef.xml").write_text(iodef)
        command = [os.environ["EPIOS_MPIEXEC"], "-n", str(processes), sys.executable, "model.py"]
        if servers:
            command += [":", "-n", str(servers), os.environ["EPIOS_SERVER"]]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=50, check=False)
        good = done.returncode != 0 if expect is None else done.returncode == expect
        assert good, f"status {done.returncode}:\n{done.stdout}\n{done.stderr}"
        return done.stdout + done.stderr


@pytest.fixture
def job(tmp_path):
    return Job(tmp_path)
