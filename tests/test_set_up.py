"""``make`` prints a line for each stage of the set-up, and pip's output; it refuses a Python that can't be used.

The pip here is a fake that only prints. The Pythons refused are this one, made to look like others.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
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
        [REPOSITORY / "tools/set_up.sh", "python3", venv, "dev"],
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
    assert "what dev needs, in the versions of constraints/py3.13.txt: a download of about 450 MB" in done.stdout
    assert "Downloading two (123.2 MB)" in lines
    assert "already satisfied" not in done.stdout
    assert lines[-1].startswith(f"3/3 {tmp_path / 'venv'} is ready after ")


def test_a_pip_that_fails_ends_it(tmp_path: Path) -> None:
    done = set_up(tmp_path / "venv", fails=3)
    assert done.returncode == 3
    assert "is ready" not in done.stdout


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make here")
@pytest.mark.parametrize(("target", "extras"), [("play", "cores,window"), ("pytest", "dev")])
def test_play_installs_only_what_it_needs(tmp_path: Path, target: str, extras: str) -> None:
    venv = f"VENV={tmp_path / 'venv'}"
    words = ["make", "-n", "--no-print-directory", "-C", str(REPOSITORY), target, "PYTHON=python3", venv]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=True)
    set_up = [line.split()[-1] for line in done.stdout.splitlines() if "tools/set_up.sh" in line]
    assert set_up == [extras]


def python_with(place: Path, before: str) -> Path:
    """A program ``python3`` in a folder: this Python, which first runs ``before`` and then what follows ``-c``."""
    place.mkdir()
    made = place / "python3"
    made.write_text(f"""#!/bin/sh\n[ "$1" = -c ] || exit 9\nexec '{sys.executable}' -c "import sys; {before}; $2"\n""")
    made.chmod(0o755)
    return made


OTHERS = {
    "lacks venv or ensurepip": "sys.modules['ensurepip'] = None",
    "is not Python 3.11, 3.12 or 3.13": "sys.version_info = (3, 10, 12, 'final', 0)",
}


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make here")
@pytest.mark.parametrize("how", ["named", "alone on the PATH"])
@pytest.mark.parametrize("what", [*OTHERS, "is not installed"])
def test_a_python_that_cannot_be_used_is_refused_in_one_line(tmp_path: Path, what: str, how: str) -> None:
    """Such as Debian's own Python without the package python3-venv."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("make", "sh", "bash", "env", "sed", "dirname"):
        (tools / name).symlink_to(str(shutil.which(name)))
    if what in OTHERS:
        python = python_with(tmp_path / "pythons", OTHERS[what])
    else:
        python = tmp_path / "pythons/python3"
    named = ["PYTHON=" + str(python)] if how == "named" else []
    done = subprocess.run(
        ["make", "--no-print-directory", "-C", REPOSITORY, "install", f"VENV={tmp_path / 'venv'}", *named],
        capture_output=True,
        text=True,
        timeout=60,
        env={"PATH": f"{python.parent}:{tools}", "HOME": str(tmp_path)},
    )
    assert (done.returncode, done.stdout) == (2, "")
    said, end = done.stderr.splitlines()
    assert said.startswith(f"{python if named else 'python3'} {what}. ")
    assert "sudo apt install python3-venv" in said
    assert end.startswith("make: *** ")
    assert not (tmp_path / "venv").exists()
