"""Hashes, and differences of RAM and pictures, compared with plain loops over bytes and pixels."""

from __future__ import annotations

import hashlib
import itertools
import os
import struct
import zlib
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from ochibot.errors import OchibotError
from ochibot.record.blocks import END, FRAMES, MAGIC, MAX_COUNT, START, Block, LogWriter, read_log
from ochibot.record.difference import address_names, pixel_difference, ram_differences, side_by_side
from ochibot.record.events import Jump, pack_jumps, poke, poke_between, unpack_jumps
from ochibot.record.manifest import RamShape
from ochibot.record.recorded import NO_PICTURE, picture_hash, ram_check, ram_hash

from tests.titles import NYAA, PUYO, load_seat_map, maps_of

Picture = npt.NDArray[np.uint8]
pictures = st.tuples(st.integers(1, 5), st.integers(1, 6)).flatmap(
    lambda size: arrays(np.uint8, (*size, 3), elements=st.integers(0, 255))
)


@given(st.binary(max_size=64))
def test_hashes_of_ram_are_blake2b_and_the_lower_half_of_crc_32(ram: bytes) -> None:
    assert ram_hash(ram) == hashlib.blake2b(ram, digest_size=8).digest()
    assert ram_check(ram) == int.from_bytes(zlib.crc32(ram).to_bytes(4, "little")[:2], "little")


@given(pictures)
def test_a_picture_s_hash_is_of_its_size_and_its_bytes(picture: Picture) -> None:
    height, width, _ = picture.shape
    expected = hashlib.blake2b(f"{width}x{height}".encode() + picture.tobytes(), digest_size=8).digest()
    assert picture_hash(picture) == expected
    assert picture_hash(picture[:, ::1]) == expected
    assert picture_hash(np.asfortranarray(picture)) == expected
    assert expected != NO_PICTURE
    assert len(NO_PICTURE) == len(expected)


@given(pictures, st.data())
def test_the_first_pixel_that_differs_is_found_row_by_row(picture: Picture, data: st.DataObject) -> None:
    other = picture.copy()
    height, width, _ = picture.shape
    changed = set()
    for y, x in itertools.product(range(height), range(width)):
        if data.draw(st.integers(0, 4)) == 0:
            other[y, x, data.draw(st.integers(0, 2))] ^= 1
            changed.add((y, x))
    found = pixel_difference(picture, other)
    if not changed:
        assert found is None
        return
    assert found is not None
    assert (found.count, (found.y, found.x)) == (len(changed), min(changed))
    larger = np.zeros((height + 1, width, 3), np.uint8)
    whole = pixel_difference(picture, larger)
    assert whole is not None
    assert (whole.count, whole.x, whole.y) == ((height + 1) * width, 0, 0)
    assert pixel_difference(larger, picture) == whole


@given(pictures, pictures)
def test_side_by_side_are_both_and_the_second_dimmed_with_red_where_they_differ(a: Picture, b: Picture) -> None:
    height, width = max(len(a), len(b)), max(a.shape[1], b.shape[1])
    shown = side_by_side(a, b)
    assert shown.shape == (height, 3 * width + 16, 3)
    for y, x in itertools.product(range(height), range(width)):
        first = tuple(a[y, x].tolist()) if y < len(a) and x < a.shape[1] else (0, 0, 0)
        second = tuple(b[y, x].tolist()) if y < len(b) and x < b.shape[1] else (0, 0, 0)
        marked = tuple(value // 4 for value in second) if first == second else (255, 0, 0)
        columns = (x, x + width + 8, x + 2 * (width + 8))
        assert [tuple(shown[y, column].tolist()) for column in columns] == [first, second, marked]
    gap = shown[:, width : width + 8]
    assert (gap == gap[0, 0]).all()


def test_bytes_have_the_names_of_their_entries_with_cell_or_byte() -> None:
    names = address_names([load_seat_map("player1")])
    assert names[0x4A] == "spawning"
    assert [names[0x7A + at] for at in range(3)] == ["score[byte 0]", "score[byte 1]", "score[byte 2]"]
    for row, column in itertools.product(range(14), range(6)):
        assert names[0x303 + 16 * row + 2 * column] == f"field[{row},{column}]"
        assert names[0x302 + 16 * row + 2 * column] == f"marks[{row},{column}]"
    assert (names[0x695], names[0x699]) == ("blocks[byte 0]", "blocks[byte 1]")
    assert 0x7FF not in names
    both = address_names(maps_of(PUYO, "versus"))
    assert both[0x669].startswith("seat 1 ")
    assert both[0x303 + 16 + 2] == "seat 1 field[1,1]"
    # with two maps of the same seat, names needn't say which seat
    assert address_names([load_seat_map("player1")] * 2) == names
    assert any(name.endswith("field[11,6]") for name in address_names(maps_of(NYAA)).values())


@given(st.binary(min_size=16, max_size=16), st.binary(min_size=16, max_size=16), st.sampled_from([0, 1]))
def test_every_byte_that_differs_is_listed_those_with_a_name_first(old: bytes, new: bytes, swap: int) -> None:
    base = 0x60
    shape: Any = SimpleNamespace(base=base, swap=swap)
    maps = [load_seat_map("player1")]
    names = address_names(maps)
    found = ram_differences(old, new, shape, maps)
    expected = {base + (place ^ swap): (a, b) for place, (a, b) in enumerate(zip(old, new, strict=True)) if a != b}
    assert {one.address: (one.expected, one.actual) for one in found} == expected
    assert [one.address for one in found] == sorted(expected, key=lambda address: (address not in names, address))
    assert all(one.name == names.get(one.address, "(no name)") for one in found)


def test_a_difference_in_words() -> None:
    shape = RamShape(base=0x4A, size=1, swap=0) if "size" in RamShape.model_fields else None
    names: Any = shape or SimpleNamespace(base=0x4A, swap=0)
    (one,) = ram_differences(b"\x01", b"\xff", names, [load_seat_map("player1")])
    assert str(one) == "0x004a spawning: expected 0x01, is 0xff"
    black, white = np.zeros((2, 2, 3), np.uint8), np.full((2, 2, 3), 9, np.uint8)
    assert str(pixel_difference(black, white)) == "4 pixels differ, the first at x=0, y=0"
    white[0] = white[1, 0] = 0
    assert str(pixel_difference(black, white)) == "1 pixel differs, the first at x=1, y=1"


@given(st.binary(min_size=20, max_size=20), st.binary(min_size=20, max_size=20))
def test_a_poke_makes_one_ram_of_the_other(before: bytes, after: bytes) -> None:
    raw = np.frombuffer(before, np.uint8).copy()
    change = poke_between(before, after)
    assert len(change) == 5 * sum(a != b for a, b in zip(before, after, strict=True))
    poke(raw, change)
    assert raw.tobytes() == after
    if before[19] != after[19]:
        with pytest.raises(ValueError, match="outside RAM"):
            poke(raw[:19], change)
        poke(np.zeros(20, np.uint8), change)


@given(
    st.lists(
        st.one_of(
            st.builds(Jump, st.integers(0, 2**32 - 1), st.just("reset")),
            st.builds(Jump, st.integers(0, 2**32 - 1), st.sampled_from(["load", "poke"]), st.binary(max_size=9)),
        ),
        max_size=4,
    )
)
def test_packed_jumps_are_read_whole_or_not_at_all(jumps: list[Jump]) -> None:
    data = pack_jumps(jumps)
    assert unpack_jumps(data) == jumps
    ends = [len(pack_jumps(jumps[:count])) for count in range(len(jumps) + 1)]
    for cut in range(len(data)):
        if cut in ends:
            assert unpack_jumps(data[:cut]) == jumps[: ends.index(cut)]
        else:
            with pytest.raises((ValueError, struct.error)):
                unpack_jumps(data[:cut])


def test_a_closed_log_has_no_file_open(tmp_path: Any) -> None:
    writer = LogWriter(tmp_path / "log")
    number = writer._file
    assert os.fstat(number).st_size == len(MAGIC)
    writer.close()
    assert writer._file == -1
    with pytest.raises(OSError, match="Bad file"):
        os.fstat(number)
    writer.close()


def test_blocks_are_named_after_their_frames() -> None:
    assert Block(FRAMES, 3, 601, 600, b"").name == "block 3 (frames 601 to 1200)"
    assert Block(START, 0, 1, 0, b"").name == "block 0 (the start)"
    assert Block(END, 9, 1201, 0, b"").name == "block 9 (the end)"


@pytest.mark.parametrize(
    ("blocks", "words"),
    [
        ([(FRAMES, 1, 5)], "out of place as block 0"),
        ([(START, 2, 0)], "out of place as block 0, at frame 1"),
        ([(START, 1, 0), (START, 1, 0)], "out of place as block 1"),
        ([(START, 1, 0), (FRAMES, 2, 5)], "out of place as block 1, at frame 1"),
        ([(START, 1, 0), (FRAMES, 1, 5), (FRAMES, 5, 5)], "out of place as block 2, at frame 6"),
        ([(START, 1, 0), (FRAMES, 1, MAX_COUNT + 1)], "out of place as block 1"),
        ([(START, 1, 0), (b"what", 1, 0)], "out of place as block 1"),
        ([(START, 1, 0), (END, 1, 0), (END, 1, 0)], "bytes follow after block 1 [(]the end"),
    ],
)
def test_a_block_out_of_place_is_refused(tmp_path: Any, blocks: list[tuple[bytes, int, int]], words: str) -> None:
    writer = LogWriter(tmp_path / "log")
    for kind, first, count in blocks:
        writer.append(kind, first, count, b"x")
    writer.close()
    with pytest.raises(OchibotError, match=words):
        read_log(tmp_path / "log")


def test_the_most_frames_of_a_block_are_taken(tmp_path: Any) -> None:
    writer = LogWriter(tmp_path / "log")
    for kind, first, count in ((START, 1, 0), (FRAMES, 1, 60_000), (FRAMES, 60_001, 7), (END, 60_008, 0)):
        writer.append(kind, first, count, bytes(3))
    writer.close()
    writer.close()
    blocks, torn = read_log(tmp_path / "log")
    assert [(block.kind, block.number, block.first, block.count) for block in blocks] == [
        (START, 0, 1, 0),
        (FRAMES, 1, 1, 60_000),
        (FRAMES, 2, 60_001, 7),
        (END, 3, 60_008, 0),
    ]
    assert torn == 0
    assert [block.unpacked() for block in blocks] == [bytes(3)] * 4
    data = (tmp_path / "log").read_bytes()
    for cut in range(1, 30):
        (tmp_path / "cut").write_bytes(data[:-cut])
        blocks, torn = read_log(tmp_path / "cut")
        assert len(blocks) == 3
        assert torn == len(data) - cut - len(blocks_bytes(data))


def blocks_bytes(data: bytes) -> bytes:
    """The log without its last block, which consists of a header of 28 bytes and the packed payload."""
    return data[: -(28 + len(zlib.compress(bytes(3), 6)))]
