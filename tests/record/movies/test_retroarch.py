"""RetroArch's .replay files: written here by the description of the format, in all its forms, and read."""

from __future__ import annotations

import contextlib
import struct
import zlib
from pathlib import Path

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ochibot.errors import MovieError
from ochibot.record.movies.replay import read_replay

Pads = list[tuple[int, int]]
BLOCK, SUPERBLOCK = 16, 4


def deduplicated(state: bytes) -> bytes:
    """A savestate as RetroArch's stream of blocks: each block and each row of blocks stands once; 0 is all zeros."""
    packed: list[object] = [0, 7]
    blocks, rows = {bytes(BLOCK): 0}, {(0,) * SUPERBLOCK: 0}
    sequence = []
    for first in range(0, len(state), BLOCK * SUPERBLOCK):
        row = []
        for at in range(first, first + BLOCK * SUPERBLOCK, BLOCK):
            block = state[at : at + BLOCK].ljust(BLOCK, b"\0")
            if block not in blocks:
                blocks[block] = len(blocks)
                packed += [1, blocks[block], block]
            row.append(blocks[block])
        if tuple(row) not in rows:
            rows[tuple(row)] = len(rows)
            packed += [2, rows[tuple(row)], row]
        sequence.append(rows[tuple(row)])
    return b"".join(msgpack.packb(one, use_bin_type=True) for one in [*packed, 3, sequence])


def checkpoint(state: bytes, compression: int, encoding: int) -> bytes:
    encoded = deduplicated(state) if encoding else state
    packed = zlib.compress(encoded) if compression else encoded
    return struct.pack("<BBIII", compression, encoding, len(state), len(encoded), len(packed)) + packed


def inputs(pads: tuple[int, int], masks: bool) -> list[bytes]:
    """What a core asked for in a frame: whole masks, or one button after the other."""
    found = []
    for port, held in enumerate(pads):
        if masks:
            value = held - 0x10000 if held & 0x8000 else held
            found.append(struct.pack("<BBBxHh", port, 1, 0, 256, value))
        else:
            found += [struct.pack("<BBBxHh", port, 1, 0, button, held >> button & 1) for button in range(16)]
    found.append(struct.pack("<BBBxHh", 0, 5, 0, 0, -3000))  # an analog stick
    found.append(struct.pack("<BBBxHh", 3, 1, 0, 8, 1))  # a fourth pad
    return found


def replay_of(
    pads: Pads,
    state: bytes,
    version: int,
    *,
    crc: int = 0,
    compression: int = 0,
    encoding: int = 0,
    masks: bool = True,
    at: int | None = None,
) -> bytes:
    """A replay with one checkpoint of the first state, after so many frames (``at``)."""
    start = state if version == 1 else checkpoint(state, compression, encoding)
    data = struct.pack("<IIIIq", 0x42535632, version, crc, len(start), 1_700_000_000)
    if version == 2:
        data += struct.pack("<IIII", len(pads), BLOCK, SUPERBLOCK, 0x04020000)
    data += start
    if version == 1:
        # it is written before each frame: the first record is of no frame
        data += b"\0\0\0f"
    for number, both in enumerate(pads):
        events = inputs(both, masks)
        data += struct.pack("<I", 30) if version == 2 else b""
        data += struct.pack("<B", 1) + bytes(12) + struct.pack("<H", len(events)) + b"".join(events)
        if number + 1 == at:
            more = checkpoint(state, compression, encoding)
            data += b"C" + more if version == 2 else b"c" + struct.pack("<Q", len(state)) + state
        else:
            data += b"f"
    return data


WIDE = st.integers(257, 40_000).map(lambda number: bytes(number % 251 for number in range(number)) * 3)
PADS = st.lists(st.tuples(st.integers(0, 0xFFFF), st.integers(0, 0xFFFF)), max_size=12)
FORMS = st.sampled_from([(1, 0, 0), (2, 0, 0), (2, 1, 0), (2, 0, 1), (2, 1, 1)])


@given(PADS, st.binary(max_size=300) | WIDE, FORMS, st.booleans())
@settings(max_examples=60)
def test_all_forms_are_read(
    tmp_path_factory: pytest.TempPathFactory, pads: Pads, state: bytes, form: tuple[int, int, int], masks: bool
) -> None:
    version, compression, encoding = form
    path = tmp_path_factory.mktemp("replay") / "one.replay"
    at = len(pads) // 2
    data = replay_of(pads, state, version, crc=77, compression=compression, encoding=encoding, masks=masks, at=at)
    path.write_bytes(data)
    found = read_replay(path)
    assert list(found.states()) == ([(at - 1, state)] if at else [])
    assert (found.version, found.crc, found.state, found.whole) == (version, 77, state, True)
    assert list(found.pads) == pads
    if pads:
        path.write_bytes(data[:-1])
        cut = read_replay(path)
        assert (list(cut.pads), cut.whole) == (pads[:-1], False)


@given(st.binary(max_size=200), FORMS, st.integers(0, 400))
@settings(max_examples=80)
def test_damage_is_told_and_nothing_else_happens(
    tmp_path_factory: pytest.TempPathFactory, noise: bytes, form: tuple[int, int, int], at: int
) -> None:
    version, compression, encoding = form
    data = replay_of([(1, 2), (3, 4)], bytes(range(200)), version, compression=compression, encoding=encoding, at=1)
    path = tmp_path_factory.mktemp("replay") / "one.replay"
    path.write_bytes(data[:at] + noise + data[at + len(noise) :])
    with contextlib.suppress(MovieError):
        found = read_replay(path)
        assert all(0 <= pad <= 0xFFFF for both in found.pads for pad in both)
        list(found.states())


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "cut short"),
        (b"RIFF" + bytes(40), "no replay"),
        (struct.pack("<IIIIq", 0x42535631, 0, 0, 0, 0) + bytes(9), ".bsv of an old RetroArch"),
        (struct.pack("<IIIIq", 0x42535632, 0, 0, 0, 0), "a RetroArch before 1.20 wrote it"),
        (struct.pack("<IIIIq", 0x42535632, 3, 0, 0, 0), "version 3"),
        (struct.pack("<IIIIq", 0x42535632, 1, 0, 1 << 31, 0), "more than any has"),
        (struct.pack("<IIIIq", 0x42535632, 1, 0, 0, 0) + b"\0\0\0?", "unknown token"),
    ],
)
def test_other_files(tmp_path: Path, data: bytes, said: str) -> None:
    path = tmp_path / "x.replay"
    path.write_bytes(data)
    with pytest.raises(MovieError, match=said):
        read_replay(path)


def test_nested_lists_do_not_exhaust_the_stack(tmp_path: Path) -> None:
    path = tmp_path / "x.replay"
    encoded = b"\0\7\3" + b"\x91" * 100_000
    start = struct.pack("<BBIII", 0, 1, 5, len(encoded), len(encoded)) + encoded
    path.write_bytes(struct.pack("<IIIIqIIII", 0x42535632, 2, 0, len(start), 0, 0, BLOCK, SUPERBLOCK, 0) + start)
    with pytest.raises(MovieError, match="unknown kind"):
        read_replay(path)
