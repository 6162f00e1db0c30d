"""A terminal that is closed (SIGHUP), signals to a whole process group, and standard files that are closed."""

from __future__ import annotations

import json
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from ochibot.record import Recorder

from tests.lab.ended import PROGRAM, by_proc
from tests.record.making import about, opened
from tests.test_interrupts import left, run

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="this system has no SIGHUP")


def test_a_run_whose_terminal_is_closed_writes_its_report(tmp_path: Path) -> None:
    """The command is in the foreground of a terminal, which is closed while it plays. Once, it wrote no report and left
    its temporary folder.
    """
    (tmp_path / "tmp").mkdir()
    words = [sys.executable, "-m", "ochibot", "play", "--seed", "1", "--record", "r", "--json", "report.json"]
    process, terminal = pty.fork()
    if not process:
        os.chdir(tmp_path)
        os.execve(words[0], words, {**os.environ, "TERM": "xterm", "TMPDIR": str(tmp_path / "tmp")})
    told = b""
    while not re.search(rb"pieces [1-9]", told):  # the status line, once a piece has locked
        told += os.read(terminal, 65536)
    os.close(terminal)
    _, status = os.waitpid(process, 0)
    # the summary can't be printed any more: that is an error, like a full disk
    assert os.waitstatus_to_exitcode(status) in (0, 2), told.decode()
    report = json.loads((tmp_path / "report.json").read_text())
    assert (report["stopped_by"], report["agreement"]) == ("interrupt", 1.0)
    assert left(tmp_path) == ["r", "r/log.ochi", "r/run.json", "report.json"]


@pytest.mark.long
def test_a_second_hangup_does_not_break_off_a_run_that_is_ending(tmp_path: Path) -> None:
    """When a terminal is closed, its shell and the system may both send SIGHUP."""
    first = "import os, signal; from ochibot.play.seat import SeatPlayer; d = SeatPlayer.decide\n"
    first += "SeatPlayer.decide = lambda self: (os.kill(os.getpid(), signal.SIGHUP), d(self))[1]\n"
    (tmp_path / "site").mkdir()
    (tmp_path / "site/first.py").write_text(first)
    done = run(
        *(tmp_path, signal.SIGHUP, "ochibot.cli.output:Stop.ask", "play", "--seed", 1, "--json", "report.json"),
        before="import sys; sys.path.insert(0, 'site'); import first",
    )
    assert done.returncode == 0, done.stderr
    assert "stopped by an interrupt" in done.stdout
    assert json.loads((tmp_path / "report.json").read_text())["stopped_by"] == "interrupt"


@pytest.mark.long
def test_nohup_keeps_a_command_alive(tmp_path: Path) -> None:
    point = "ochibot.play.seat:SeatPlayer.decide"
    words = (tmp_path, signal.SIGHUP, point, "play", "--seed", 1, "--pieces", 3, "--json", "report.json")
    done = run(*words, before="import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)")
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "report.json").read_text())["stopped_by"] == "pieces"


@pytest.mark.long
def test_nothing_is_left_when_a_savestate_is_being_tried(tmp_path: Path) -> None:
    """Once, the trial's temporary folder stayed."""
    with opened() as console:
        for _ in range(30):
            console.step()
        with Recorder.begin(tmp_path / "r", console, about(), from_here=True) as recorder:
            recorder.console.step()
            recorder.end = "frames"
    done = run(tmp_path, signal.SIGTERM, "subprocess:run", "verify", "r")
    assert (done.returncode, done.stderr) == (143, "struck\nochibot: interrupted\n")
    assert left(tmp_path) == ["r", "r/log.ochi", "r/run.json"]


@pytest.mark.long
def test_a_server_ends_by_itself(tmp_path: Path) -> None:
    done = run(tmp_path, signal.SIGHUP, "uvicorn:Server.startup", "web", "--no-open", "--port", 0)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("the server has ended\n")


ARENA = ("arena", "article", "article", "--games", "40", "--max-pieces", "20", "--workers", "2", "-o")


@by_proc
@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_to_the_whole_group_stops_an_experiment(number: int, tmp_path: Path) -> None:
    """Once, the signal killed the workers, and the command said that they were gone."""
    program = PROGRAM.replace("os.kill(pid, number)", "os.killpg(pid, number)")
    assert program != PROGRAM
    done = subprocess.run(
        [sys.executable, "-c", program, *ARENA, str(tmp_path / "run")],
        capture_output=True,
        text=True,
        start_new_session=True,
        env={**os.environ, "OCHIBOT_TEST_SIGNAL": str(int(number))},
        timeout=600,
    )
    assert done.returncode == 128 + number, done.stderr
    assert "run it again to resume" in done.stdout
    assert done.stderr.splitlines()[-1] == "ochibot: interrupted"
    assert "the workers are gone" not in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("--help",),
        *(
            pytest.param(words, marks=pytest.mark.long)
            for words in (("doctor",), ("nyaa", "--help"), ("play", "--pieces", "1", "--json", "-"))
        ),
    ],
)
def test_without_a_stdout_nothing_succeeds(words: tuple[str, ...], tmp_path: Path) -> None:
    """Once, these ended with exit code 0, and what they had found out was lost."""
    shell = shlex.join([sys.executable, "-m", "ochibot", *words])
    done = subprocess.run(f"{shell} >&-", shell=True, stderr=subprocess.PIPE, text=True, cwd=tmp_path, timeout=600)
    assert done.returncode == 2
    assert done.stderr == "ochibot: there is no stdout to write to: open one, or give --json FILE\n"


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="lists open files by Linux's /proc")
@pytest.mark.parametrize(
    "target", [("--json", "report.json"), pytest.param(("--json=report.json",), marks=pytest.mark.long)]
)
def test_a_report_in_a_file_needs_no_stdout(target: tuple[str, ...], tmp_path: Path) -> None:
    """None of the three standard files is open. No file of ours may take their places: a core prints there."""
    program = (
        "import os, sys; from ochibot.session import Session; old = Session.reach\n"
        "def reach(*args, **options):\n"
        "    open('files', 'w').write(' '.join(os.readlink(f'/proc/self/fd/{n}') for n in range(3)))\n"
        "    return old(*args, **options)\n"
        "Session.reach = reach\n"
        "from ochibot.cli.main import script; script()\n"
    )
    words = [sys.executable, "-c", program, "play", "--pieces", "1", "--seed", "1", "--record", "r", *target]
    done = subprocess.run(f"{shlex.join(words)} <&- >&- 2>&-", shell=True, cwd=tmp_path, timeout=600)
    assert done.returncode == 0
    assert json.loads((tmp_path / "report.json").read_text())["pieces"] == 1
    assert (tmp_path / "files").read_text() == " ".join(["/dev/null"] * 3)
