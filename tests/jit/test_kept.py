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
from typing import Any

import numpy as np
import pytest
from ochibot.jit.kept import KeptKernel, State
from ochibot.jit.native import MachineCode

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
one, other = (folder / f"tiny.{name}.code" for name in ("triple", "square"))
for name, damage in damages.items():
    damage(one)
    results.append((name, said("triple"), said("triple")))
ours, theirs = one.read_bytes(), other.read_bytes()
one.write_bytes(theirs), other.write_bytes(ours)
results.append(("swapped", said("triple"), said("triple")))
results.append(("swapped, the other", said("square"), said("square")))
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
    assert len(results) == 18 + 2
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
    state, code = kept.read()
    assert state is State.WHOLE
    data = kept.file.read_bytes()
    for number in range(0, 8 * len(data), max(1, 8 * len(data) // 1500)):
        flipped = bytearray(data)
        flipped[number // 8] ^= 1 << number % 8
        kept.file.write_bytes(flipped)
        assert kept.read() == (State.DAMAGED, None), number
    kept.file.write_bytes(data)
    assert kept.read() == (State.WHOLE, code)


@pytest.mark.long
def test_a_pipe_in_a_files_place_is_not_waited_for(cache: Path) -> None:
    said_by("ask('triple')", cache)
    file = LIBRARY.kept("triple").file
    file.unlink()
    os.mkfifo(file)
    out, said = said_by("print(ask('triple'))", cache)
    assert json.loads(out) == ANSWERS["triple"]
    assert "can't be used" in said


ENDED = """
import os, signal
from pathlib import Path
from ochibot import interrupts
interrupts.install()
replace = Path.replace
def struck(partial, target):
    if str(target).endswith(".code"):
        os.kill(os.getpid(), signal.SIGTERM)
    return replace(partial, target)
Path.replace = struck
ask("triple")
"""


@pytest.mark.long
def test_a_signal_while_a_kernel_is_written_leaves_nothing_half_written(cache: Path) -> None:
    with asking(cache, ENDED) as ended:
        _, said = ended.communicate(timeout=600)
    assert ended.returncode == 143, said
    assert said.endswith("ochibot: interrupted\n")
    assert {path.suffix for path in cache.rglob("*") if path.is_file()} <= {".code", ".lock", ".json"}
    assert json.loads(said_by("print(ask('triple'))", cache)[0]) == ANSWERS["triple"]


@pytest.mark.long
def test_the_lock_of_a_killed_process_ends_with_it(cache: Path) -> None:
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
@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"outside": ("numba_no_such_helper",)}, "numba_no_such_helper is missing"),
        ({"wrapper": "nobody"}, "a name of its own is missing"),
    ],
)
def test_code_that_this_numba_cannot_run_is_compiled_anew(
    change: dict[str, Any], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """LLVM ends the process when it lacks a name."""
    LIBRARY.load("triple")
    kept = LIBRARY.kept("triple")
    code = kept.read()[1]
    assert code is not None
    kept.write(code._replace(**change))
    LIBRARY.forget()
    capsys.readouterr()
    numbers = np.array([7])
    LIBRARY.load("triple")(numbers)
    assert numbers.tolist() == [21]
    assert f"can't be used ({why}): compiling anew" in capsys.readouterr().err
    LIBRARY.forget()
    LIBRARY.load("triple")
    assert capsys.readouterr().err == ""


@pytest.mark.long
def test_a_kept_kernel_runs_without_numba_and_beside_it() -> None:
    """The import of numba takes longer than the rest of a start."""
    code = (
        "import sys\nimport numpy as np\nfrom ochibot.puyo import load_rules\n"
        "from ochibot.puyo.kernels.engine import RESOLVE_KERNELS\nfrom ochibot.puyo.rules.profile import score_table\n"
        "rules = load_rules('famicom')\n"
        "def ask():\n"
        "    board, results = np.zeros((1, 6), np.uint64), np.zeros((1, 3), np.int64)\n"
        "    board[0, 0] = 0x0001_0001_0001_0001\n"
        "    RESOLVE_KERNELS.kernel('resolve_boards', rules)(board, score_table(rules), results)\n"
        "    assert results.tolist() == [[40, 1, 4]], results\n"
    )
    compiling = "import tests.jit.tiny\nnumbers = np.array([7])\ntests.jit.tiny.LIBRARY.load('triple')(numbers)\n"
    for more, printed in (
        ("", ""),
        ("print('numba' in sys.modules)", "False\n"),
        (compiling + "ask()\nprint(numbers, 'numba' in sys.modules)", "[21] True\n"),
    ):
        done = run([sys.executable, "-c", f"{code}ask()\n{more}"], capture_output=True, text=True)
        assert (done.stdout, done.returncode) == (printed, 0), done.stderr


@pytest.mark.long
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


@pytest.mark.skipif(os.geteuid() != 0, reason="only the administrator can give files away")
def test_machine_code_of_another_user_is_neither_run_nor_written_over(tmp_path: Path) -> None:
    """The folder for temporary files, where the cache is without a home, is everybody's."""
    kept = KeptKernel(tmp_path / "library", "stem", "identity")
    with kept.alone(contextlib.nullcontext) as keeps:
        assert keeps
    code = MachineCode("wrapper", "environment", (), b"code")
    kept.write(code)
    assert kept.read() == (State.WHOLE, code)
    for path in (kept.file, kept.folder):
        before = path.stat().st_uid
        os.chown(path, 12345, -1)
        assert kept.read() == (State.NOTHING, None)
        with kept.alone(contextlib.nullcontext) as keeps:
            assert keeps is (path != kept.folder)
        os.chown(path, before, -1)
    assert kept.read() == (State.WHOLE, code)
