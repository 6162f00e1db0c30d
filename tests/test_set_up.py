"""``make`` prints a line for each stage of the set-up, and pip's output. The pip here is a fake that only prints."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent
PIP = """#!/bin/sh
case "$*" in
  -c*) echo 3.13 ;;
  *--version*) ;;
  *--quiet*) exit 9 ;;
  *constraints*) echo "Requirement already satisfied: one"; echo "Downloading two (123.2 MB)"; exit $FAILS ;;
esac
"""

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")


def set_up(venv: Path, fails: int = 0) -> subprocess.CompletedProcess[str]:
    (venv / "bin").mkdir(parents=True)
    (venv / "bin/python").write_text(PIP)
    (venv / "bin/python").chmod(0o755)
    return subprocess.run(
        [REPOSITORY / "tools/set_up.sh", "python3", venv],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "FAILS": str(fails)},
    )


def test_each_stage_is_printed(tmp_path: Path) -> None:
    done = set_up(tmp_path / "venv")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert [line[:3] for line in lines if line[1:3] == "/3"] == ["1/3", "2/3", "3/3"]
    locked = (REPOSITORY / "constraints/py3.13.txt").read_text()
    packages = sum("==" in line and not line.startswith((" ", "#")) for line in locked.splitlines())
    assert f"up to {packages} packages" in done.stdout
    assert "Downloading two (123.2 MB)" in lines
    assert "already satisfied" not in done.stdout
    assert lines[-1].startswith(f"3/3 {tmp_path / 'venv'} is ready after ")


def test_a_pip_that_fails_ends_it(tmp_path: Path) -> None:
    done = set_up(tmp_path / "venv", fails=3)
    assert done.returncode == 3
    assert "is ready" not in done.stdout
