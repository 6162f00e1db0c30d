"""A command's process ends without destroying its objects, but does all else that Python does at the end."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import ochibot

PLACE = str(Path(ochibot.__file__).parent.parent)


def python(code: str, stdout: int = subprocess.PIPE) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": PLACE}
    environment.pop("PYTHONUNBUFFERED", None)
    return subprocess.run(
        [sys.executable, "-c", f"from ochibot.cli import main\nmain.begin()\n{code}"],
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        timeout=60,
        check=False,
    )


LATE = """
import atexit, threading, time, tempfile, sys
class Global:
    def __del__(self):
        print("taken apart")
kept = Global()
kept.itself = kept
folder = tempfile.TemporaryDirectory()
print(folder.name)
atexit.register(print, "registered")
def late():
    time.sleep(0.2)
    print("the thread's")
threading.Thread(target=late).start()
sys.stdout.write("not flushed ")
"""


def test_threads_handlers_and_output_come_to_their_end() -> None:
    done = python(f"{LATE}\nmain._ends_with(7)\nraise SystemExit(7)")
    folder, rest = done.stdout.split("\n", 1)
    assert rest == "not flushed the thread's\nregistered\n"  # objects aren't destroyed, so __del__ printed nothing
    assert not Path(folder).exists()
    assert (done.returncode, done.stderr.count("Error")) == (7, 0)


def test_an_error_that_nobody_caught_ends_as_ever() -> None:
    done = python("raise ValueError('not caught')")
    assert done.returncode == 1
    assert done.stderr.endswith("ValueError: not caught\n")


def test_output_that_cannot_be_written_is_reported() -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = python("print('x')\nmain._ends_with(0)", full.fileno())
    assert done.returncode == 120  # Python's own exit code when it can't flush stdout
    assert "No space left" in done.stderr


def test_garbage_is_looked_for_as_usual_after_the_first_time() -> None:
    done = python(
        "import gc\n"
        "first = gc.get_threshold()\n"
        "heap = [[] for _ in range(main.FIRST_SEARCH + 10_000)]\n"
        "print(first[0], gc.get_threshold()[0], len(gc.callbacks))\n"
    )
    usual = subprocess.run(
        [sys.executable, "-c", "import gc; print(gc.get_threshold()[0])"], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["400000", usual.stdout.strip(), "0"]
