"""Where compiled kernels are kept, and what happens when they can't be kept."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns
from subprocess import run

import ochibot
import pytest
from ochibot.jit.library import KernelLibrary
from ochibot.puyo.kernels.engine import RESOLVE_KERNELS
from ochibot.puyo.search.engine import SEARCH_KERNELS
from ochibot.puyo.sim.engine import EXCURSION_KERNELS, SELF_PLAY_KERNELS

from tests.puyo import FAMICOM

CODE = """
import numpy as np
from ochibot.puyo import load_rules
from ochibot.puyo.kernels.engine import RESOLVE_KERNELS
from ochibot.puyo.rules.profile import score_table
from tests.puyo import FAMICOM
rules = load_rules("famicom")
resolve = RESOLVE_KERNELS.kernel("resolve_boards", rules)
boards = np.zeros((1, 6), np.uint64)
boards[0, 0] = 0x0001_0001_0001_0001  # four red ones on the floor
results = np.zeros((1, 3), np.int64)
resolve(boards, score_table(rules), results)
assert results.tolist() == [[40, 1, 4]], results
"""


def load_with_cache(folder: Path) -> str:
    """Loads a kernel and resolves a board with it, in a new process. Returns what that process wrote to stderr."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder)}
    return run([sys.executable, "-c", CODE], env=environment, check=True, capture_output=True, text=True).stderr


@pytest.mark.long
def test_first_load_compiles_aloud_and_the_second_is_silent(tmp_path: Path) -> None:
    assert load_with_cache(tmp_path).startswith("compiling the kernels of the rules, once\n")
    assert list((tmp_path / "ochibot").glob("puyo-kernels-*/*/*.code"))
    assert load_with_cache(tmp_path) == ""


@pytest.mark.long
def test_a_damaged_cache_is_mended(tmp_path: Path) -> None:
    """A truncated file once made every start fail until it was deleted by hand; a flipped bit killed the process."""
    load_with_cache(tmp_path)
    (damaged,) = (tmp_path / "ochibot").glob("puyo-kernels-*/*/*.code")
    data = bytearray(damaged.read_bytes())
    data[len(data) // 2] ^= 16
    damaged.write_bytes(data)
    damage, compiling, *_, compiled = load_with_cache(tmp_path).splitlines()
    assert damage.endswith("is damaged and can't be used: compiling anew")
    assert compiling.startswith("compiling the kernels of the rules, once (")
    assert compiled.startswith("compiled in ")
    assert load_with_cache(tmp_path) == ""  # the kernel compiled anew was kept


@pytest.mark.long
def test_a_cache_that_cannot_be_written(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("", encoding="utf-8")
    assert "can't keep them in" in load_with_cache(in_the_way)


def test_the_folder_follows_the_sources() -> None:
    library = RESOLVE_KERNELS.library
    folder = library.folder()
    assert folder.name.startswith("puyo-kernels-")
    assert folder == library.folder()
    others = KernelLibrary(library.name, library.what, SEARCH_KERNELS.library.kernels)
    assert others.folder() != folder


def test_a_loaded_kernel_is_at_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    first = RESOLVE_KERNELS.kernel("resolve_boards", FAMICOM)
    # The second call must open and check no file, since computing the digest of the sources takes long.
    monkeypatch.setattr(Path, "open", None)
    monkeypatch.setattr(Path, "stat", None)
    assert RESOLVE_KERNELS.kernel("resolve_boards", FAMICOM) is first


def test_copies_of_the_same_sources_share_their_kernels(tmp_path: Path) -> None:
    """Each new checkout once compiled all kernels anew."""
    package = Path(ochibot.__file__).parent
    copytree(package, tmp_path / "ochibot", ignore=ignore_patterns("static", "shipped", "__pycache__"))
    code = "from ochibot.puyo.search.engine import SEARCH_KERNELS as k; print(k.library.folder())"
    names = {
        run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONPATH": str(root)},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for root in (tmp_path, package.parent)
    }
    assert len(names) == 1


def test_kernels_know_no_room_above_theirs_and_no_files_of_rules() -> None:
    """The digest covers only files that the machine code depends on; a change elsewhere must not cause a recompile."""
    for kernels, above in (
        (RESOLVE_KERNELS, {"search", "sim"}),
        (SEARCH_KERNELS, {"sim"}),
        (SELF_PLAY_KERNELS, set()),
        (EXCURSION_KERNELS, set()),
    ):
        sources = kernels.library.sources()
        rooms = {path.parent.name for path in sources if path.parent.parent.name == "puyo"}
        assert {"rules", "kernels"} <= rooms
        assert not rooms & above
        assert not {"yamlfile.py", "file.py"} & {path.name for path in sources}
