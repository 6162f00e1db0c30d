"""Where compiled kernels are kept, and what happens when they can't be."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from subprocess import run

from ochibot.jit.library import KernelLibrary
from ochibot.puyo.search.engine import LIBRARY, kernel

CODE = """
import time, numpy as np
started = time.process_time()
from ochibot.puyo.search.engine import kernel
from ochibot.puyo.rules.profile import FAMICOM, score_table
resolve = kernel("resolve_boards")
print(time.process_time() - started)
boards = np.zeros((1, 6), np.uint64)
boards[0, 0] = 0x0001_0001_0001_0001  # four red ones on the floor
results = np.zeros((1, 3), np.int64)
resolve(boards, score_table(FAMICOM), results)
assert results.tolist() == [[40, 1, 4]], results
"""


def load_with_cache(folder: Path) -> tuple[float, str]:
    """(seconds to load a kernel in a new process, what it said)."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder)}
    done = run([sys.executable, "-c", CODE], env=environment, check=True, capture_output=True, text=True)
    return float(done.stdout), done.stderr


def test_first_load_compiles_aloud_and_the_second_is_quick_and_silent(tmp_path: Path) -> None:
    _, said = load_with_cache(tmp_path)
    assert said.startswith("compiling the search kernels, once (about ")
    assert list((tmp_path / "ochibot").glob("kernels-*/*/*/*.nbi"))
    seconds, said = load_with_cache(tmp_path)
    assert said == ""
    assert seconds < 1.5  # measured 0.2 to 0.3; room for a busy machine


def test_a_damaged_cache_is_mended(tmp_path: Path) -> None:
    """A truncated file once made every start fail until it was deleted by hand."""
    load_with_cache(tmp_path)
    for pattern in ("*.nbi", "*.nbc"):
        (damaged, *_) = (tmp_path / "ochibot").glob(f"kernels-*/*/*/{pattern}")
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
    folder = LIBRARY.folder()
    assert folder.name.startswith("kernels-")
    assert folder == LIBRARY.folder()
    fewer = KernelLibrary(LIBRARY.name, LIBRARY.what, ("puyo/field.py",), LIBRARY.kernels)
    assert fewer.folder() != folder


def test_a_loaded_kernel_is_at_hand() -> None:
    first = kernel("resolve_boards")
    started = time.process_time()
    assert kernel("resolve_boards") is first
    assert time.process_time() - started < 0.01
