"""Kernels in the cache folder: damaged files are never loaded, and only one of several processes compiles."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from subprocess import PIPE, Popen, run

import numpy as np
import pytest
from ochibot.jit.kept import KeptKernel, State

from tests.jit.tiny import LIBRARY

ANSWERS = {"triple": [6, -15], "square": [4, 25]}

ASK = """
import numpy as np
from tests.jit.tiny import LIBRARY

def ask(name):
    LIBRARY.forget()
    numbers = np.array([2, -5])
    LIBRARY.load(name)(numbers)
    return numbers.tolist()
"""

DAMAGE = """
import contextlib, io, json, sys
from pathlib import Path

def said(name):
    with contextlib.redirect_stderr(io.StringIO()) as told:
        assert ask(name) == {"triple": [6, -15], "square": [4, 25]}[name], name
    return told.getvalue()

folder = LIBRARY.folder()
said("triple"), said("square")

def flip(place):
    def damage(file):
        data = bytearray(file.read_bytes())
        data[int(place * (len(data) - 1))] ^= 1 << int(place * 64) % 8
        file.write_bytes(data)
    return damage

def folder_in_place(file):
    file.unlink()
    file.mkdir()

damages = {f"bit at {place}": flip(place) for place in (0, 0.01, 0.03, 0.1, 0.3, 0.5, 0.6, 0.7, 0.85, 0.95, 0.99, 1)}
damages["truncated"] = lambda file: file.write_bytes(file.read_bytes()[:20])
damages["half"] = lambda file: file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
damages["empty"] = lambda file: file.write_bytes(b"")
damages["longer"] = lambda file: file.write_bytes(file.read_bytes() + b" ")
damages["not text"] = lambda file: file.write_bytes(bytes(range(256)))
damages["a folder"] = folder_in_place
results = []
for kind in ("nbc", "nbi", "sums"):
    for name, damage in damages.items():
        (file,) = folder.rglob(f"tiny.triple*.{kind}")
        damage(file)
        results.append((f"{kind}: {name}", said("triple"), said("triple")))
for kinds in (["nbc"], ["nbi"], ["nbc", "nbi"], ["sums"], ["nbc", "nbi", "sums"]):
    for kind in kinds:
        (one,), (other,) = folder.rglob(f"tiny.triple*.{kind}"), folder.rglob(f"tiny.square*.{kind}")
        ours, theirs = one.read_bytes(), other.read_bytes()
        one.write_bytes(theirs), other.write_bytes(ours)
    results.append((f"{kinds} swapped", said("triple"), said("triple")))
    results.append((f"{kinds} swapped, the other", said("square"), said("square")))
print(json.dumps(results))
"""


def environment(cache: Path) -> dict[str, str]:
    return {**os.environ, "XDG_CACHE_HOME": str(cache), "PYTHONDONTWRITEBYTECODE": "1"}


def said_by(code: str, cache: Path) -> tuple[str, str]:
    """(stdout, stderr) of a Python program: the definition of ``ask``, then ``code``."""
    done = run([sys.executable, "-c", ASK + code], env=environment(cache), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


@contextlib.contextmanager
def asking(cache: Path, code: str = "print(ask('triple'))") -> Iterator[Popen[str]]:
    words = [sys.executable, "-c", ASK + code]
    with Popen(words, env=environment(cache), stdin=PIPE, stdout=PIPE, stderr=PIPE, text=True) as one:
        try:
            yield one
        finally:
            one.kill()


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    LIBRARY.forget()
    return tmp_path


@pytest.mark.long
def test_damaged_and_swapped_files_are_said_and_compiled_anew(cache: Path) -> None:
    """Runs in a process of its own, which a damaged file could kill."""
    results = json.loads(said_by(DAMAGE, cache)[0])
    assert len(results) == 3 * 18 + 2 * 5
    for damage, first, second in results:
        lines = first.splitlines()
        assert len(lines) == 3, (damage, first)
        assert lines[0].endswith("is damaged and can't be used: compiling anew"), damage
        assert lines[1].startswith("compiling tiny kernels, once ("), damage
        assert second == "", damage  # the new kernel was loaded from the cache


@pytest.mark.usefixtures("cache")
def test_every_flipped_bit_is_seen_before_loading() -> None:
    LIBRARY.load("triple")
    kept = LIBRARY.kept("triple")
    assert kept.state() is State.WHOLE
    for file in (path for path in LIBRARY.folder().rglob("tiny.triple*") if path.suffix in (".nbc", ".nbi", ".sums")):
        data = file.read_bytes()
        for number in range(0, 8 * len(data), max(1, 8 * len(data) // 500)):
            flipped = bytearray(data)
            flipped[number // 8] ^= 1 << number % 8
            file.write_bytes(flipped)
            assert kept.state() is State.DAMAGED, (file, number)
        file.write_bytes(data)
    assert kept.state() is State.WHOLE


@pytest.mark.long
def test_a_pipe_in_a_files_place_is_not_waited_for(cache: Path) -> None:
    said_by("ask('triple')", cache)
    for kind in ("nbc", "sums"):
        (file,) = LIBRARY.folder().rglob(f"tiny.triple*.{kind}")
        file.unlink()
        os.mkfifo(file)
        out, said = said_by("print(ask('triple'))", cache)
        assert json.loads(out) == ANSWERS["triple"]
        assert "can't be used" in said


ENDED = """
import os, signal
from ochibot import interrupts
interrupts.install()
replace = os.replace
def struck(partial, target):
    if str(target).endswith(ENDING):
        os.kill(os.getpid(), signal.SIGTERM)
    replace(partial, target)
os.replace = struck
ask("triple")
"""


@pytest.mark.long
@pytest.mark.parametrize("ending", [".nbi", ".nbc"])
def test_a_signal_while_numba_writes_leaves_nothing_half_written(cache: Path, ending: str) -> None:
    with asking(cache, ENDED.replace("ENDING", repr(ending))) as ended:
        _, said = ended.communicate(timeout=600)
    assert ended.returncode == 143, said
    assert said.endswith("ochibot: interrupted\n")
    assert [path.name for path in cache.rglob("*.tmp.*")] == []
    assert json.loads(said_by("print(ask('triple'))", cache)[0]) == ANSWERS["triple"]


def test_what_a_killed_process_left_is_compiled_anew(cache: Path) -> None:
    """The process is killed before it writes the checksums. Its lock ends with it."""
    LIBRARY.load("triple")
    for file in LIBRARY.folder().glob("*.sums"):
        file.unlink()
    (machine_code,) = LIBRARY.folder().rglob("tiny.triple*.nbc")
    machine_code.write_bytes(machine_code.read_bytes()[:1000])
    hold = (
        "with LIBRARY.kept('triple').alone(None):\n    print('held', flush=True)\n    import time\n    time.sleep(600)"
    )
    with asking(cache, hold) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        holder.send_signal(signal.SIGKILL)
        holder.wait()
    out, said = said_by("print(ask('triple'))", cache)
    assert json.loads(out) == ANSWERS["triple"]
    assert said.startswith("compiling tiny kernels, once")
    assert said_by("ask('triple')", cache)[1] == ""


@pytest.mark.usefixtures("cache")
def test_a_touched_source_is_compiled_anew_aloud(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """numba compiles anew when the source's time stamp changes. It once did this without a message."""
    LIBRARY.load("triple")
    source = LIBRARY.sources()[0].stat()
    assert LIBRARY.kept("triple").state() is State.WHOLE
    monkeypatch.setattr("ochibot.jit.kept.KeptKernel._stamp", lambda _: f"{source.st_mtime_ns + 1} {source.st_size}")
    assert LIBRARY.kept("triple").state() is State.STALE
    capsys.readouterr()
    LIBRARY.forget()
    LIBRARY.load("triple")
    assert capsys.readouterr().err.startswith("compiling tiny kernels, once (")
    assert LIBRARY.kept("triple").state() is State.WHOLE


@pytest.mark.usefixtures("cache")
def test_whole_files_that_numba_cannot_read(capsys: pytest.CaptureFixture[str]) -> None:
    LIBRARY.load("triple")
    (index,) = LIBRARY.folder().rglob("tiny.triple*.nbi")
    index.write_bytes(b"no index of numba's")
    LIBRARY.kept("triple").seal()
    LIBRARY.forget()
    capsys.readouterr()
    numbers = np.array([7])
    LIBRARY.load("triple")(numbers)
    assert numbers.tolist() == [21]
    assert "can't be used (UnpicklingError): compiling anew" in capsys.readouterr().err
    assert LIBRARY.kept("triple").state() is State.WHOLE


def test_of_processes_started_together_one_compiles(cache: Path) -> None:
    with asking(cache) as one, asking(cache) as other:
        told = [process.communicate() for process in (one, other)]
    assert [json.loads(out) for out, _ in told] == [ANSWERS["triple"]] * 2
    assert "".join(said for _, said in told).count("compiling tiny kernels, once") == 1


def test_the_others_wait_aloud_and_then_load(cache: Path) -> None:
    """The test's process holds the lock, so both processes have to wait, whichever of them starts first."""
    with contextlib.ExitStack() as both, contextlib.ExitStack() as held:
        assert held.enter_context(LIBRARY.kept("triple").alone(contextlib.nullcontext))
        processes = [both.enter_context(asking(cache)) for _ in range(2)]
        for process in processes:
            assert process.stderr is not None
            assert process.stderr.readline() == "another process is compiling tiny kernels: waiting for it\n"
        held.close()
        told = [process.communicate() for process in processes]
    assert [json.loads(out) for out, _ in told] == [ANSWERS["triple"]] * 2
    assert sorted(said.count("compiling tiny kernels, once") for _, said in told) == [0, 1]


def test_a_full_disk_costs_no_second_compile(cache: Path) -> None:
    limit = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\nprint(ask('triple'))"
    out, said = said_by(limit, cache)
    assert json.loads(out) == ANSWERS["triple"]
    assert said.count("compiling") == 1
    assert "can't keep what was compiled in" in said


def test_what_cannot_be_kept_in_our_folder_is_kept_nowhere(cache: Path) -> None:
    """numba would fall back to the folder beside the source, where nothing would check the files."""
    said_by("ask('triple')", cache)
    (machine_code,) = LIBRARY.folder().rglob("tiny.triple*.nbc")
    inside = machine_code.parent
    for file in inside.iterdir():
        file.unlink()
    inside.rmdir()
    inside.write_text("in the way", encoding="utf-8")
    out, said = said_by("print(ask('triple'))", cache)
    assert json.loads(out) == ANSWERS["triple"]
    assert "can't keep it in" in said
    assert not list(LIBRARY.sources()[0].parent.rglob("*.nbi"))


@pytest.mark.skipif(os.geteuid() != 0, reason="only the administrator can give files away")
def test_machine_code_of_another_user_is_neither_run_nor_written_over(tmp_path: Path) -> None:
    """The folder for temporary files, where the cache is without a home, is everybody's."""
    kept = KeptKernel(tmp_path / "library", "stem", "identity", Path(__file__))
    with kept.alone(contextlib.nullcontext) as keeps:
        assert keeps
    (kept.folder / "inner").mkdir()
    (kept.folder / "inner/stem-1.nbi").write_bytes(b"code")
    kept.seal()
    assert kept.state() is State.WHOLE
    for path in (tmp_path / "library/stem.sums", kept.folder):
        before = path.stat().st_uid
        os.chown(path, 12345, -1)
        assert kept.state() is State.NOTHING
        with kept.alone(contextlib.nullcontext) as keeps:
            assert keeps is (path != kept.folder)
        os.chown(path, before, -1)
    assert kept.state() is State.WHOLE
