"""Ctrl-C, SIGTERM and SIGHUP at many points of the commands: exit code 130, 143 or 129, one line, nothing left behind.

A command runs in its own process. The process sends itself the signal when it imports a given module or has called a
given function, so nothing depends on the clock.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import ochibot
import pytest
from ochibot import interrupts
from ochibot.cli.output import stopping
from ochibot.record import Record
from ochibot.record.dump import open_dump

from tests.record.making import make
from tests.record.movies.runs import ochibot as command

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals to oneself are another thing there")

EACH = [
    pytest.param(signal.SIGINT, id="SIGINT"),
    pytest.param(signal.SIGTERM, marks=pytest.mark.long, id="SIGTERM"),
    pytest.param(signal.SIGHUP, marks=pytest.mark.long, id="SIGHUP"),
]

PROGRAM = """
import functools, importlib, os, signal, sys
number, point, times = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
module, _, name = point.partition(":")

def strike():
    print("struck", file=sys.stderr, flush=True)
    os.kill(os.getpid(), number)

class OnImport:
    def find_spec(self, wanted, path=None, target=None):
        if wanted == module:
            sys.meta_path.remove(self)
            strike()

def wrap(owner, attribute, function):
    left = times
    @functools.wraps(function)
    def struck(*args, **options):
        nonlocal left
        left -= 1
        made = function(*args, **options)
        if not left:
            strike()
        return made
    setattr(owner, attribute, struck)

if name:
    owner = importlib.import_module(module)
    *path, attribute = name.split(".")
    for part in path:
        owner = getattr(owner, part)
    wrap(owner, attribute, getattr(owner, attribute))
else:
    sys.meta_path.insert(0, OnImport())
sys.argv[:] = ["ochibot", *sys.argv[4:]]
from ochibot.cli.main import script
script()
"""
"""Sends the signal just before a module is imported, or after a function (module:name) was called n times."""


OURS = {**os.environ, "PYTHONPATH": str(Path(ochibot.__file__).parent.parent)}


NO_SCREEN = {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}


def run(
    folder: Path, number: signal.Signals, point: str, *args: object, times: int = 1, before: str = ""
) -> subprocess.CompletedProcess[str]:
    """Runs a command that gets the signal at ``point``. Its temporary files go to ``folder / "tmp"``."""
    temporary = folder / "tmp"
    temporary.mkdir()
    return subprocess.run(
        [sys.executable, "-c", f"{before}\n{PROGRAM}", str(int(number)), point, str(times), *map(str, args)],
        capture_output=True,
        text=True,
        timeout=600,
        cwd=folder,
        env={**os.environ, "TMPDIR": str(temporary), **NO_SCREEN},
    )


def left(folder: Path) -> list[str]:
    """The paths of everything below a folder, except the folder for temporary files itself."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path != folder / "tmp")


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Record:
    return make(tmp_path_factory.mktemp("records") / "short", 60)


@pytest.fixture(scope="module")
def movie(record: Record) -> Path:
    path = record.path.parent / "short.fm2"
    code, _, err = command("movie", "export", record.path, "-o", path)
    assert code == 0, err
    return path


PLAY = ("play", "--seed", 1, "--pieces", 2, "--json", "report.json", "--screenshot", "deep/shot.png", "--record", "r")
VIDEO = ("video", "RECORD", "-o", "film.gif", "--json", "report.json")
IMPORT = ("movie", "import", "MOVIE", "-o", "r", "--json", "report.json")
EXPORT = ("movie", "export", "RECORD", "-o", "film.fm2", "--json", "report.json")
VERIFY = ("verify", "RECORD", "--json", "report.json")
WRITES = "ochibot.leftovers:_temporary"

CASES = [
    # while the command's modules are imported
    (PLAY, "typer", 1),
    (PLAY, "ochibot.cli.play", 1),
    (PLAY, "ochibot.cli.nyaa", 1),
    (PLAY, "numpy", 1),
    (VERIFY, "ochibot.record.verify", 1),
    # while the command checks that it can write its files
    (PLAY, "ochibot.report:check_writable", 1),
    (PLAY, "ochibot.leftovers:_note", 1),
    (PLAY, "ochibot.leftovers:_note", 2),
    # while the console is opened, which makes a temporary folder
    (PLAY, "ochibot.leftovers:_temporary", 1),
    (PLAY, "ochibot.console.host:make_session", 1),
    (PLAY, "ochibot.console.cores:find_cores", 1),
    (PLAY, "ochibot.console.console:Console.open", 1),
    # while the folder of the record is made, and the search compiled
    (PLAY, "ochibot.record.recorder:prepare_folder", 1),
    (PLAY, "ochibot.jit.library:KernelLibrary.folder", 1),
    (PLAY, "numba", 1),
    (("battle", "--json", "report.json"), "ochibot.console.console:Console.open", 1),
    (("versus", "--json", "report.json"), "ochibot.console.console:Console.open", 1),
    (("dump", "RECORD", "--every", 1, "-o", "d"), "ochibot.record.dump", 1),
    # in the menus, where a signal was once lost in a callback of the core
    (("play", "--seed", 1, "--json", "report.json"), "ochibot.console.console:Console.step", 40),
    (VERIFY, "ochibot.console.console:Console.step", 30),
    (VERIFY, "ochibot.record.verify:identity", 1),
    (VERIFY, WRITES, 1),
    (VIDEO, "ochibot.console.console:Console.step", 30),
    (VIDEO, "ochibot.record.video.animation:Animation.add", 3),
    (VIDEO, "ochibot.record.video.animation:Animation.save", 1),
    (VIDEO, "PIL.Image:Image.putpalette", 2),
    (IMPORT, "ochibot.console.console:Console.step", 30),
    (IMPORT, "ochibot.record.recorder:Recorder.begin", 1),
    (IMPORT, "ochibot.record.recorder:Recorder.close", 1),
    (EXPORT, "ochibot.leftovers:_note", 3),
    (EXPORT, "pathlib:Path.write_bytes", 1),
    (("bench", "console", "--rounds", 1), "ochibot.console.console:Console.step", 30),
    (("bench", "record", "--rounds", 1, "--frames", 100), "ochibot.leftovers:_temporary", 2),
    (("doctor",), "ochibot.console.cores:find_cores", 1),
    (("nyaa", "best", "-"), "ochibot.nyaa.calculator.heat", 1),
    (("web", "--no-open", "--port", 0), "ochibot.ui.web.server:bind", 1),
]
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
ANYWHERE = (0, 8, 13, 18)
"""Of these cases (while modules are imported, a console opened, a search compiled, a core called back), each gets all
signals. The others get one each, in turn: how a signal is handled doesn't depend on which one it is.
"""
STRUCK_AT = [
    pytest.param(*case, number, id=f"{number.name}-{at}-{case[1]}")
    for at, case in enumerate(CASES)
    for number in (SIGNALS if at in ANYWHERE else SIGNALS[at % 3 : at % 3 + 1])
]


@pytest.mark.long
@pytest.mark.parametrize(("command", "point", "times", "number"), STRUCK_AT)
def test_at_once_and_nothing_is_left(
    command: tuple[object, ...],
    point: str,
    times: int,
    number: signal.Signals,
    record: Record,
    movie: Path,
    tmp_path: Path,
) -> None:
    names = {"RECORD": record.path, "MOVIE": movie}
    before = left(record.path.parent)
    done = run(tmp_path, number, point, *(names.get(str(word), word) for word in command), times=times)
    told = [line for line in done.stderr.splitlines() if not line.startswith("compil")]
    assert told == ["struck", "ochibot: interrupted"], done.stderr
    assert done.returncode == 128 + number
    assert left(tmp_path) == []
    assert left(record.path.parent) == before


def whole_report(folder: Path) -> dict[str, object]:
    report: dict[str, object] = json.loads((folder / "report.json").read_text())
    return report


@pytest.mark.parametrize("number", EACH)
@pytest.mark.parametrize("command", ["play", "battle", "versus"])
def test_in_the_menus(command: str, number: signal.Signals, tmp_path: Path) -> None:
    """Nothing has been played yet. What was recorded so far is a valid record of an interrupted run."""
    done = run(
        tmp_path,
        number,
        "ochibot.record.recorded:RecordedConsole.step",
        command,
        "--seed",
        1,
        "--record",
        "r",
        times=40,
    )
    assert done.stderr.splitlines()[-2:] == ["struck", "ochibot: interrupted"]
    assert done.returncode == 128 + number
    assert left(tmp_path) == ["r", "r/log.ochi", "r/run.json"]
    assert Record.open(tmp_path / "r").end == "interrupt"


@pytest.mark.long
@pytest.mark.parametrize("number", EACH)
@pytest.mark.parametrize("command", ["play", "battle"])
def test_a_run_ends_with_its_summary_and_its_files(command: str, number: signal.Signals, tmp_path: Path) -> None:
    kept = ("--record", "r", "--dump", "every=50", "--json", "report.json")
    done = run(tmp_path, number, "ochibot.play.seat:SeatPlayer.decide", command, "--seed", 1, *kept, times=6)
    assert done.returncode == 0, done.stderr
    assert "stopped by an interrupt" in done.stdout
    report = whole_report(tmp_path)
    assert (report["stopped_by"], report["agreement"]) == ("interrupt", 1.0)
    assert Record.open(tmp_path / "r").end == "interrupt"
    assert open_dump(tmp_path / "r/dump").ended
    assert [name for name in left(tmp_path) if "/" not in name] == ["r", "report.json"]


def test_a_second_signal_breaks_off_a_run_that_is_ending(tmp_path: Path) -> None:
    """SIGTERM comes first. Its handler calls ``Stop.ask``, which is wrapped here so that it then sends SIGINT."""
    point = "ochibot.cli.output:Stop.ask"
    first = "import os, signal; from ochibot.play.seat import SeatPlayer; d = SeatPlayer.decide\n"
    first += "SeatPlayer.decide = lambda self: (os.kill(os.getpid(), signal.SIGTERM), d(self))[1]\n"
    (tmp_path / "site").mkdir()
    (tmp_path / "site/first.py").write_text(first)
    done = run(
        *(tmp_path, signal.SIGINT, point, "play", "--seed", 1, "--record", "r", "--json", "report.json"),
        before="import sys; sys.path.insert(0, 'site'); import first",
    )
    assert done.stderr.splitlines()[-2:] == ["struck", "ochibot: interrupted"]
    assert done.returncode == 130
    assert not (tmp_path / "report.json").exists()
    assert list((tmp_path / "tmp").iterdir()) == []


@pytest.mark.parametrize("number", EACH)
def test_a_dump_is_whole_as_far_as_it_goes(number: signal.Signals, record: Record, tmp_path: Path) -> None:
    done = run(
        *(tmp_path, number, "ochibot.record.dump:DumpWriter.put", "dump", record.path, "--every", 1, "-o", "d"), times=9
    )
    assert done.stderr.splitlines() == ["struck", "ochibot: interrupted"]
    assert done.returncode == 128 + number
    dump = open_dump(tmp_path / "d")
    dump.check_listed()
    assert list(dump.entries) == list(range(1, 10))
    assert dump.ended
    assert list((tmp_path / "tmp").iterdir()) == []


def test_a_server_ends_by_itself(tmp_path: Path) -> None:
    done = run(tmp_path, signal.SIGTERM, "ochibot.ui.web.server:url_of", "web", "--no-open", "--port", 0)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("the server has ended\n")


def test_what_stands_in_the_way_of_a_video_stays_when_it_is_given_up(record: Record, tmp_path: Path) -> None:
    """Once, the existing file was overwritten with a part of the new video, and the exit code was 0."""
    (tmp_path / "film.gif").write_bytes(b"another film")
    point = "ochibot.record.video.animation:Animation.add"
    done = run(tmp_path, signal.SIGINT, point, "video", record.path, "-o", "film.gif", times=3)
    assert done.returncode == 130
    assert left(tmp_path) == ["film.gif"]
    assert (tmp_path / "film.gif").read_bytes() == b"another film"


def test_a_lab_command_ends_at_once(tmp_path: Path) -> None:
    program = """
import os, runpy, signal, sys
import numpy
save = numpy.savez
def struck(*args, **options):
    save(*args, **options)
    os.kill(os.getpid(), signal.SIGTERM)
numpy.savez = struck
sys.argv[1:] = ["--pieces", "20", "--state", "state.npz"]
runpy.run_module("ochibot.lab.selfplay", run_name="__main__")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=600, cwd=tmp_path)
    assert done.returncode == 143, done.stderr
    assert done.stderr.splitlines()[-1] == "ochibot: interrupted"
    assert left(tmp_path) == []


@pytest.mark.parametrize("number", EACH)
@pytest.mark.parametrize("gently", [False, True])
def test_where_nobody_is_in_charge_of_signals_the_blocks_end_reports(gently: bool, number: signal.Signals) -> None:
    """In a program without ``interrupts.install``, such as this test run, the end of a ``stopping`` block raises
    KeyboardInterrupt, unless ``gently`` is set.
    """
    before = [signal.getsignal(each) for each in interrupts.SIGNALS]
    interrupts.forget()
    with (
        contextlib.nullcontext() if gently else pytest.raises(KeyboardInterrupt),
        stopping(gently=gently) as stop,
    ):
        os.kill(os.getpid(), number)
        assert stop.asked()
    assert interrupts.exit_code() == 128 + number
    assert [signal.getsignal(each) for each in interrupts.SIGNALS] == before


def test_signals_are_listened_to_before_much_is_loaded() -> None:
    """Signals aren't handled until the handlers are installed, so little may be imported before."""
    program = "import sys, ochibot.cli.main; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-S", "-c", program], capture_output=True, text=True, check=True, env=OURS)
    loaded = set(done.stdout.split())
    assert not loaded & {"typing", "pathlib", "contextlib", "dataclasses", "typer", "numpy", "ochibot.leftovers"}
