"""The log's blocks and segments are read back as they were written, and damage is noticed."""

from __future__ import annotations

import contextlib
import random
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ochibot.errors import OutputError, RecordError
from ochibot.record.blocks import END, FRAMES, MAGIC, START, LogWriter, read_log
from ochibot.record.events import Decided, Jump, Locked, Sample, poke, poke_between
from ochibot.record.segment import DECODE_ERRORS, References, Segment, xor

payloads = st.lists(st.tuples(st.integers(0, 500), st.binary(max_size=60)), max_size=5)


def written(path: Path, parts: list[tuple[int, bytes]], end: bool) -> None:
    log = LogWriter(path)
    log.append(START, 1, 0, b"the start")
    first = 1
    for count, payload in parts:
        log.append(FRAMES, first, count, payload)
        first += count
    if end:
        log.append(END, first, 0, b"{}")
    log.close()


@settings(max_examples=40, deadline=None)
@given(payloads, st.booleans(), st.data())
def test_a_cut_log_is_its_valid_beginning_or_refused(
    parts: list[tuple[int, bytes]], end: bool, data: st.DataObject
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log"
        written(path, parts, end)
        whole = path.read_bytes()
        blocks, torn = read_log(path)
        assert torn == 0
        assert [block.unpacked() for block in blocks if block.kind == FRAMES] == [payload for _, payload in parts]
        ends = [len(MAGIC)]
        for block in blocks:
            ends.append(ends[-1] + len(block.encoded()))
        cut = data.draw(st.integers(0, len(whole)))
        path.write_bytes(whole[:cut])
        if cut < ends[1]:
            with pytest.raises(RecordError, match="log"):
                read_log(path)
            return
        kept, torn = read_log(path)
        assert kept == blocks[: sum(at <= cut for at in ends[1:])]
        assert torn == cut - max(at for at in ends if at <= cut)


def test_every_flipped_bit_is_noticed_and_named(tmp_path: Path) -> None:
    path = tmp_path / "log"
    written(path, [(3, b"abcdef" * 4), (0, b""), (2, b"ghi")], True)
    whole = path.read_bytes()
    for place in range(len(whole)):
        changed = bytearray(whole)
        changed[place] ^= 1 << place % 8
        path.write_bytes(changed)
        with pytest.raises(RecordError, match=r"block \d|doesn't begin as one"):
            read_log(path)


def test_bytes_after_the_end_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "log"
    written(path, [(1, b"x")], True)
    for more in (b"\0", bytes(100)):
        path.write_bytes(path.read_bytes() + more)
        with pytest.raises(RecordError, match="bytes follow after block 2"):
            read_log(path)


def test_blocks_out_of_order_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "log"
    written(path, [(1, b"x"), (2, b"y")], True)
    blocks, _ = read_log(path)
    for order in ([0, 2, 1, 3], [0, 1, 1, 3], [1, 2, 3], [0, 1, 3]):
        path.write_bytes(MAGIC + b"".join(blocks[number].encoded() for number in order))
        with pytest.raises(RecordError, match="out of place"):
            read_log(path)


def test_a_log_is_never_written_over(tmp_path: Path) -> None:
    LogWriter(tmp_path / "log").close()
    with pytest.raises(OutputError, match="can't write the record"):
        LogWriter(tmp_path / "log")


@st.composite
def segments(draw: st.DrawFn) -> tuple[Segment, References]:
    size = draw(st.integers(1, 40))
    count = draw(st.integers(0, 30))
    first = draw(st.integers(1, 1000))
    frames = st.integers(first - 1, first + count - 1)
    ram = st.binary(min_size=size, max_size=size)
    text = st.text("RGB./", max_size=8)
    number = st.integers(0, 99)
    u32 = st.integers(0, 2**32 - 1)
    decided = st.builds(
        Decided, frames, number, number, text, text, text, number, number, number, st.floats(-9, 9), number, number
    )
    locked = st.builds(Locked, frames, number, number, text, number, number, st.none() | text)
    jumps = draw(st.lists(st.builds(Jump, frames, st.sampled_from(["reset", "load", "poke"]), st.binary(max_size=9))))
    made = Segment(
        first=first,
        pads=np.array(draw(st.lists(st.sampled_from([0, 1, 2**32 - 1]) | u32, min_size=count, max_size=count)), "u4"),
        checks=np.array(draw(st.lists(st.integers(0, 65535), min_size=count, max_size=count)), "u2"),
        state=draw(st.none() | st.binary(max_size=50)),
        jumps=sorted(jumps, key=lambda jump: jump.frame),
        events=draw(st.lists(decided | locked, max_size=4)),
        samples=draw(st.lists(st.builds(Sample, frames, st.just(b"12345678"), st.just(b"abcdefgh"), ram), max_size=4)),
    )
    if draw(st.booleans()):
        made.picture = np.array(draw(st.lists(st.integers(0, 255), min_size=18, max_size=18)), "u1").reshape(2, 3, 3)
        made.picture_frame = draw(frames)
    references = References(draw(ram), draw(st.binary(max_size=60)), draw(st.binary(max_size=30)))
    return made, references


@settings(max_examples=30, deadline=None)
@given(segments())
def test_a_segment_comes_back_as_it_was(made: tuple[Segment, References]) -> None:
    segment, references = made
    read = Segment.decode(segment.first, len(segment.pads), segment.encode(references), references)
    assert (read.pads == segment.pads).all()
    assert (read.checks == segment.checks).all()
    assert (read.state, read.jumps, read.events) == (segment.state, segment.jumps, segment.events)
    assert read.samples == segment.samples
    if segment.picture is None:
        assert read.picture is None
    else:
        assert read.picture is not None
        assert (read.picture == segment.picture).all()
        assert read.picture_frame == segment.picture_frame


@settings(max_examples=25, deadline=None)
@given(segments(), st.integers(0, 2**32))
def test_damaged_payloads_raise_nothing_but_what_is_caught(made: tuple[Segment, References], seed: int) -> None:
    """Damage may come with a matching checksum, so decoding must raise only DECODE_ERRORS, which the callers catch."""
    segment, references = made
    payload = bytearray(segment.encode(references))
    dice = random.Random(seed)
    for _ in range(dice.randint(1, 4)):
        payload[dice.randrange(len(payload))] = dice.randrange(256)
    with contextlib.suppress(*DECODE_ERRORS):
        Segment.decode(segment.first, len(segment.pads), bytes(payload[: dice.randint(0, len(payload))]), references)


@given(st.binary(max_size=40), st.binary(max_size=40))
def test_exclusive_or_twice_is_nothing(new: bytes, old: bytes) -> None:
    once = xor(new, old)
    assert len(once) == len(new)
    assert list(once) == [byte ^ (old[at] if at < len(old) else 0) for at, byte in enumerate(new)]
    assert xor(once, old) == new


@given(st.binary(min_size=30, max_size=30), st.binary(min_size=30, max_size=30))
def test_a_poke_brings_ram_from_one_to_the_other(before: bytes, after: bytes) -> None:
    raw = np.frombuffer(before, np.uint8).copy()
    data = poke_between(before, after)
    poke(raw, data)
    assert raw.tobytes() == after
    assert len(data) == 5 * sum(a != b for a, b in zip(before, after, strict=True))
    if data:
        with pytest.raises(ValueError, match="outside RAM"):
            poke(raw[:0], data)


def test_a_payload_that_unpacks_to_more_than_any_segment_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ochibot.record.blocks.MAX_PAYLOAD", 1 << 16)
    path = tmp_path / "log"
    written(path, [(1, bytes(1 << 16)), (1, bytes((1 << 16) + 1))], False)
    _, fits, bomb = read_log(path)[0]
    assert fits.unpacked() == bytes(1 << 16)
    with pytest.raises(ValueError, match="packed wrongly"):
        bomb.unpacked()
