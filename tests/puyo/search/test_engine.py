"""Where compiled kernels are kept, and what happens when they can't be."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from subprocess import run

from ochibot.jit.library import KernelLibrary
from ochibot.puyo.kernels.engine import RESOLVE_KERNELS
from ochibot.puyo.search.engine import SEARCH_KERNELS
from ochibot.puyo.sim.engine import SELF_PLAY_KERNELS

from tests.puyo import FAMICOM

CODE = """
import time, numpy as np
started = time.process_time()
from ochibot.puyo import load_rules
from ochibot.puyo.kernels.engine import RESOLVE_KERNELS
from ochibot.puyo.rules.profile import score_table
from tests.puyo import FAMICOM
rules = load_rules("famicom")
resolve = RESOLVE_KERNELS.kernel("resolve_boards", rules)
print(time.process_time() - started)
boards = np.zeros((1, 6), np.uint64)
boards[0, 0] = 0x0001_0001_0001_0001  # four red ones on the floor
results = np.zeros((1, 3), np.int64)
resolve(boards, score_table(rules), results)
assert results.tolist() == [[40, 1, 4]], results
"""


def load_with_cache(folder: Path) -> tuple[float, str]:
    """(seconds to load a kernel in a new process, what it said)."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder)}
    done = run([sys.executable, "-c", CODE], env=environment, check=True, capture_output=True, text=True)
    return float(done.stdout), done.stderr


def test_first_load_compiles_aloud_and_the_second_is_quick_and_silent(tmp_path: Path) -> None:
    _, said = load_with_cache(tmp_path)
    assert said.startswith("compiling the kernels of the rules, once (about ")
    assert list((tmp_path / "ochibot").glob("puyo-kernels-*/*/*/*.nbi"))
    seconds, said = load_with_cache(tmp_path)
    assert said == ""
    assert seconds < 1.5  # measured 0.2 to 0.3; room for a busy machine


def test_a_damaged_cache_is_mended(tmp_path: Path) -> None:
    """A truncated file once made every start fail until it was deleted by hand."""
    load_with_cache(tmp_path)
    for pattern in ("*.nbi", "*.nbc"):
        (damaged, *_) = (tmp_path / "ochibot").glob(f"puyo-kernels-*/*/*/{pattern}")
        damaged.write_bytes(damaged.read_bytes()[:20])
        _, said = load_with_cache(tmp_path)
        assert "can't be used" in said
        load_with_cache(tmp_path)  # kept anew
    assert load_with_cache(tmp_path)[1] == ""


def test_a_cache_that_cannot_be_written(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("", encoding="utf-8")
    _, said = load_with_cache(in_the_way)
    assert "can't keep them in" in said


def test_the_folder_follows_the_sources() -> None:
    library = RESOLVE_KERNELS.library
    folder = library.folder()
    assert folder.name.startswith("puyo-kernels-")
    assert folder == library.folder()
    others = KernelLibrary(library.name, library.what, SEARCH_KERNELS.library.kernels)
    assert others.folder() != folder


def test_a_loaded_kernel_is_at_hand() -> None:
    first = RESOLVE_KERNELS.kernel("resolve_boards", FAMICOM)
    started = time.process_time()
    assert RESOLVE_KERNELS.kernel("resolve_boards", FAMICOM) is first
    assert time.process_time() - started < 0.01


def test_kernels_know_no_room_above_theirs_and_no_files_of_rules() -> None:
    """What the machine code depends on: a change of anything else must not make everybody compile again."""
    for kernels, above in ((RESOLVE_KERNELS, {"search", "sim"}), (SEARCH_KERNELS, {"sim"}), (SELF_PLAY_KERNELS, set())):
        sources = kernels.library.sources()
        rooms = {path.parent.name for path in sources if path.parent.parent.name == "puyo"}
        assert {"rules", "kernels"} <= rooms
        assert not rooms & above
        assert not {"yamlfile.py", "file.py"} & {path.name for path in sources}
