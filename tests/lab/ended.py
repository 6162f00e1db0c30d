"""Runs of experiments that end themselves by a signal once their first shard is kept, so that no test needs a clock."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

by_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="lists the workers by Linux's /proc")

PROGRAM = """
import os
from pathlib import Path
from ochibot.lab.sharded.folder import ExperimentFolder
number, add = int(os.environ["OCHIBOT_TEST_SIGNAL"]), ExperimentFolder.add

def struck(self, shard, result):
    add(self, shard, result)
    ExperimentFolder.add = add
    pid = os.getpid()
    Path(f"{self.path}.workers").write_text(Path(f"/proc/{pid}/task/{pid}/children").read_text())
    os.kill(pid, number)

if number:
    ExperimentFolder.add = struck
from ochibot.cli import main
main.main()
"""


def start(*words: object, ended_by: int = 0, before: str = "") -> subprocess.Popen[str]:
    """Starts ``ochibot`` with these words. before: Python that runs first.

    ended_by: the signal that the process sends itself when its first shard is kept. Before that it writes the process
    numbers of its workers to a file beside the experiment's folder, ``FOLDER.workers``.
    """
    return subprocess.Popen(
        [sys.executable, "-c", before + PROGRAM, *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "OCHIBOT_TEST_SIGNAL": str(int(ended_by))},
    )
