"""The watch of the fuzzing finds code that runs, files that are written elsewhere, and names taken for files."""

from __future__ import annotations

import ctypes
import importlib
import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fuzz import names


def _imports() -> None:
    sys.path.insert(0, str(Path.cwd()))
    try:
        importlib.invalidate_caches()
        importlib.import_module("mine")
    finally:
        sys.path.remove(str(Path.cwd()))
        sys.modules.pop("mine", None)


def _loads() -> None:
    try:
        ctypes.CDLL(str(Path("evil.so").absolute()))
    except OSError:
        return


def _writes() -> None:
    (Path(__file__).parents[3] / "ran-by-fuzz").open("a").close()


def _opens() -> None:
    Path("article").read_bytes()


def _reads() -> None:
    Path("/etc/passwd").read_bytes()


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (_imports, "runs the code"),
        (_loads, "loads the library"),
        (_writes, "writes"),
        (_opens, "a file of the"),
        (_reads, "reads /etc/passwd"),
    ],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_each_sort_of_fault_is_seen(
    act: Callable[[], None], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    # Python would write the module's bytecode before it runs it
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    # the checkout may lie in the temporary folder, where files may be written
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    names.trap()
    (tmp_path / "article").write_text("x: 1\n", encoding="utf-8")
    elsewhere = Path(__file__).parents[3] / "ran-by-fuzz"

    def acts() -> None:
        act()

    try:
        found = names.watched(acts, frozenset({"article"}))()
    finally:
        elsewhere.unlink(missing_ok=True)
    assert found is not None
    assert words in found


def test_what_is_allowed_is_not_taken_for_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names.trap()

    def act() -> None:
        Path("mine").write_text("made", encoding="utf-8")
        assert Path("mine.py").read_text(encoding="utf-8")

    assert names.watched(act)() is None


@pytest.mark.parametrize("make", [names.codes, names.paths])
def test_a_seed_repeats_its_inputs(
    make: Callable[..., object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    for number in range(2):
        place = tmp_path / str(number)
        place.mkdir()
        monkeypatch.chdir(place)
        trial = make(random.Random("1 codes 3"), tmp_path)
        files = {path.name: path.read_bytes() for path in place.iterdir() if path.is_file() and path.name != "zero"}
        made.append((getattr(trial, "told", None), files))
    assert made[0] == made[1]
