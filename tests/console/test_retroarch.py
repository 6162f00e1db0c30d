"""Savestates of RetroArch: a file that it wrote itself, and containers that the tests make in the same format."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ochibot.console import find_cores
from ochibot.console.states import MOST_BYTES, load_state_file, unwrapped
from ochibot.errors import RomError

from tests.titles import open_console

WRITTEN = Path(__file__).parent / "data/ochidama.retroarch.state"
"""A savestate that RetroArch 1.14 wrote with FCEUmm, compressed (see the README beside it)."""

needs_fceumm = pytest.mark.skipif(not find_cores("fceumm"), reason="no fceumm core here")


def _inside(data: bytes) -> bytes:
    """The container in WRITTEN, unpacked with zlib only, because the file has a single chunk."""
    return zlib.decompress(data[24:])


def _container(*blocks: tuple[bytes, bytes]) -> bytes:
    made = b"RASTATE\x01"
    for name, held in (*blocks, (b"END ", b"")):
        made += name + struct.pack("<I", len(held)) + held + bytes(-len(held) % 8)
    return made


def _compressed(data: bytes, chunk: int = 0x20000) -> bytes:
    packed = [zlib.compress(data[at : at + chunk]) for at in range(0, len(data), chunk)]
    head = b"#RZIPv\x01#" + struct.pack("<IQ", chunk, len(data))
    return head + b"".join(struct.pack("<I", len(part)) + part for part in packed)


def test_what_retroarch_wrote_holds_the_cores_own_bytes() -> None:
    written = WRITTEN.read_bytes()
    container = _inside(written)
    assert (written[:8], container[:12], len(container)) == (b"#RZIPv\x01#", b"RASTATE\x01MEM ", 13_352)
    own = unwrapped(written)
    assert own == container[16 : 16 + 13_321] == unwrapped(container)
    assert own.startswith(b"FCS\xff")
    assert _container((b"MEM ", own)) == container


@needs_fceumm
@pytest.mark.parametrize("compressed", [True, False])
def test_play_goes_on_where_retroarch_was(compressed: bool, tmp_path: Path) -> None:
    path = tmp_path / "game.state"
    path.write_bytes(WRITTEN.read_bytes() if compressed else _inside(WRITTEN.read_bytes()))
    with open_console("fceumm") as console:
        load_state_file(console, path)
        # a game is running (3), the mode is Endless (0), and puyos lie on the floor (ram_maps/famicom_puyo)
        assert (console.ram[0x700], console.ram[0x6F]) == (3, 0)
        assert any(console.ram[0x303 + 16 * 13 + 2 * x] for x in range(6))


@pytest.mark.long
@needs_fceumm
def test_pieces_agree_from_a_state_of_retroarchs() -> None:
    import ochibot

    with ochibot.open("puyo", core="fceumm") as session:
        session.load_state(WRITTEN)
        run = session.endless(None, speed=10)
        run.player.rejoin()
        run.run(pieces=10)
        result = run.result()
    assert (result.pieces, result.misplaced, result.disagreements, result.contradictions) == (10, 0, 0, 0)


@given(st.binary(max_size=600), st.integers(1, 200), st.booleans())
@settings(max_examples=60, deadline=None)
def test_any_state_comes_out_as_it_went_in(own: bytes, chunk: int, others: bool) -> None:
    blocks = [(b"ACHV", b"abc"), (b"MEM ", own), (b"RPLY", b"")] if others else [(b"MEM ", own)]
    container = _container(*blocks)
    assert unwrapped(container) == unwrapped(_compressed(container, chunk)) == own


def test_older_versions_compressed_the_cores_bytes_alone() -> None:
    assert unwrapped(_compressed(b"FCS\xff and so on")) == b"FCS\xff and so on"
    assert unwrapped(b"FCS\xff and so on") == b"FCS\xff and so on"


def test_a_file_that_is_cut_off_anywhere_is_reported() -> None:
    for whole in (WRITTEN.read_bytes(), _inside(WRITTEN.read_bytes())[: 16 + 13_321]):
        for end in [*range(7, 60), len(whole) // 2, len(whole) - 1]:
            with pytest.raises(RomError, match=r"cut off|damaged|isn't known|no block MEM"):
                unwrapped(whole[:end])


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"#RZIPv\x02#" + bytes(12), r"in a form that isn't known here \(RZIP"),
        (b"RASTATE\x02" + bytes(12), r"in a form that isn't known here \(RASTATE"),
        (b"#RZIPv\x01#" + struct.pack("<IQ", 0x20000, MOST_BYTES + 1), "more than any savestate"),
        (b"#RZIPv\x01#" + struct.pack("<IQII", 0x20000, 100, 4, 1), "damaged"),
        (b"#RZIPv\x01#" + struct.pack("<IQI", 0, 100, 0), "cut off"),
        (_compressed(bytes(1000))[:12] + struct.pack("<Q", 2000) + _compressed(bytes(1000))[20:], "damaged"),
        (_container((b"ACHV", b"abc")), "no block MEM"),
    ],
)
def test_damaged_files_are_reported(data: bytes, reason: str) -> None:
    with pytest.raises(RomError, match=reason):
        unwrapped(data)


@needs_fceumm
@pytest.mark.parametrize(
    ("own", "reason"),
    [
        (
            b"NST\x1a" + bytes(5000),
            r"for this ROM: it is a savestate of Nestopia's; play it with --core nestopia, or give",
        ),
        (b"FCS\xff" + bytes(5000), r"it has 5,004 bytes where this core's have 13,321, so another version of the core"),
        (b"what is this", r"is no savestate of FCEUmm for this ROM; give one made by the same core"),
    ],
)
def test_a_state_of_another_core_is_explained(own: bytes, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "game.state"
    for data in (_container((b"MEM ", own)), _compressed(_container((b"MEM ", own)))):
        path.write_bytes(data)
        with open_console("fceumm") as console, pytest.raises(RomError, match=reason):
            load_state_file(console, path)
