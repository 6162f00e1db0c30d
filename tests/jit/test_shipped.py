"""Shipped code of kernels: it is of the present sources, fits or is left alone, and plays as what numba compiles."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import sys
from importlib.metadata import version
from pathlib import Path
from subprocess import run

import pytest
from ochibot.jit.kept import FOLDER, find_shipped, machine_code, numba_version
from ochibot.jit.library import KernelLibrary, digest_of
from ochibot.nyaa.search.engine import LIBRARY
from ochibot.puyo.search.engine import SEARCH_KERNELS

LIBRARIES = {library.name: library for library in (SEARCH_KERNELS.library, LIBRARY)}
FILES = sorted(FOLDER.glob("*.bc"))
CONSTRAINTS = Path(__file__).resolve().parents[2] / "constraints"
elsewhere = (sys.platform, platform.machine()) != ("linux", "x86_64")


def library_of(file: Path) -> KernelLibrary:
    return LIBRARIES[file.name.partition("_")[0]]


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.stem))
def test_what_is_shipped_is_of_the_present_sources(file: Path) -> None:
    head = json.loads(file.read_bytes().partition(b"\n")[0])
    assert head["sources"] == digest_of(library_of(file).kernel_sources()), "a kernel has changed: run make kernels"


@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13"])
def test_what_is_shipped_fits_the_numba_that_make_installs(python: str) -> None:
    """Otherwise every machine would compile, and nobody would notice."""
    (locked,) = re.findall(
        r"^numba==(\S+)", (CONSTRAINTS / f"py{python}.txt").read_text(encoding="utf-8"), re.MULTILINE
    )
    heads = [json.loads(file.read_bytes().partition(b"\n")[0]) for file in FILES]
    assert {head["numba"] for head in heads} == {locked}, "run make kernels with this numba"


def test_each_title_s_search_is_shipped() -> None:
    """And that of all other geometries."""
    assert len(FILES) == 8
    assert sum("two_ply" in file.name for file in FILES) == 4


@pytest.mark.skipif(elsewhere, reason="the shipped code is for x86-64 Linux")
def test_code_that_does_not_fit_is_left_alone(tmp_path: Path) -> None:
    (original,) = (file for file in FILES if file.name.startswith("nyaa-search"))
    line, _, bitcode = original.read_bytes().partition(b"\n")
    head = json.loads(line) | {"numba": version("numba")}
    file = tmp_path / "code.bc"

    def found(code: bytes = bitcode, **change: object) -> bool:
        file.write_bytes(json.dumps(head | change).encode() + b"\n" + code)
        return find_shipped(file, head["sources"]) is not None

    assert found()
    assert not found(numba="another")
    assert not found(sources="another")
    assert not found(triple="another")
    assert find_shipped(tmp_path / "missing.bc", head["sources"]) is None
    file.write_bytes(b"no JSON\n")
    assert find_shipped(file, head["sources"]) is None
    assert found(bitcode[: len(bitcode) // 2])
    damaged = find_shipped(file, head["sources"])
    assert damaged is not None
    with pytest.raises(RuntimeError):
        machine_code(damaged)


PLAY = """
import sys
from ochibot.cli.main import script
sys.argv = ["ochibot", "play", sys.argv[1], "--pieces", "40", "--seed", "7", "--json", "-"]
try:
    script()
finally:
    print("numba" in sys.modules, file=sys.stderr)
"""


@pytest.mark.long
@pytest.mark.skipif(elsewhere, reason="the shipped code is for x86-64 Linux")
@pytest.mark.parametrize("game", ["puyo", *(pytest.param(game, marks=pytest.mark.proof) for game in ("tsu", "nyaa"))])
def test_shipped_code_plays_as_what_numba_compiles(tmp_path: Path, game: str) -> None:
    """NUMBA_OPT keeps shipped code from being used; 3 is numba's usual level."""
    played = []
    for name, more in (("shipped", {}), ("compiled", {"NUMBA_OPT": "3"})):
        env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / name), **more}
        done = run([sys.executable, "-c", PLAY, game], env=env, capture_output=True, text=True, check=True)
        report = json.loads(done.stdout[done.stdout.index("{") : done.stdout.rindex("}") + 1])
        played.append((report["ram_sha256"], report["score"], report["agreement"]))
        usual = report["pieces"] == 40 and done.stderr.rstrip().endswith("True" if more else "False")
        assert usual or version("numba") != json.loads(FILES[0].read_bytes().partition(b"\n")[0])["numba"]
    assert played[0] == played[1]


def test_numbas_version_is_told_without_reading_its_metadata() -> None:
    assert numba_version() == version("numba")


def test_copies_of_the_package_share_their_kernels(tmp_path: Path) -> None:
    """Once each checkout and each environment compiled kernels of its own, from equal sources."""
    program = "from ochibot.puyo.search.engine import SEARCH_KERNELS as kernels; print(kernels.library.folder())"
    shutil.copytree(FOLDER.parents[1], tmp_path / "ochibot", ignore=shutil.ignore_patterns("static", "*.bc", "*.pyc"))
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(SEARCH_KERNELS.library.folder())
