"""Records of a simulated machine are compared with a plain journal of everything that happened to it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from ochibot.console import NES, Ram
from ochibot.errors import ConsoleError, RecordError
from ochibot.puyo import Field
from ochibot.record import About, Decided, Record, Recorder
from ochibot.record.events import Jump, Locked
from ochibot.record.recorded import NO_PICTURE, picture_hash, ram_check, ram_hash
from ochibot.record.verify import verify

from tests.titles import load_seat_map

SIZE = 0x800


class Counter:
    """A machine whose RAM depends on all pads and resets since power-on. Its picture is its first 24 bytes of RAM."""

    core_name, core_version, core_file, core_sha1 = "counter", "1", "counter_libretro.so", "1" * 40
    rom = SimpleNamespace(system="nes", name="nothing.nes", sha1="2" * 40)
    fps, sample_rate, picture_size = 60.0, 48_000.0, (4, 2)

    def __init__(self, *, blind: bool = False, saves: bool = True) -> None:
        self.ram = Ram(np.zeros(SIZE, np.uint8), NES.ram)
        self.frames_shown = 0
        self.tried: list[bytes] = []
        self.blind, self.saves = blind, saves

    def step(self, *pads: int) -> None:
        raw = self.ram.raw
        self.frames_shown += 1
        first, second = (*pads, 0, 0)[:2]
        raw[0] += 1
        raw[1] = (int(raw[1]) * 5 + int(first) + 3 * int(second) + int(raw[0]) + 1) & 255
        raw[2 + int(raw[1]) % 60] ^= raw[0]

    def frame(self) -> npt.NDArray[np.uint8]:
        if self.blind:
            raise ConsoleError("no picture yet")
        return self.ram.raw[:24].reshape(2, 4, 3).copy()

    def save(self) -> bytes:
        if not self.saves:
            raise ConsoleError("this core makes no savestates")
        return self.ram.raw[:64].tobytes()

    def load(self, state: bytes) -> None:
        self.ram.raw[:64] = np.frombuffer(state, np.uint8)

    def reset(self) -> None:
        self.ram.raw[:] = 0
        self.ram.raw[1] = 77

    def try_state(self, *states: bytes) -> None:
        self.tried += states

    def close(self) -> None:
        pass

    def __enter__(self) -> Counter:
        return self

    def __exit__(self, *_: object) -> None:
        pass


class Wanted:
    """A sink that notes which frames it gets pictures of."""

    def __init__(self, every: int | None, *, at_locks: bool) -> None:
        self.every, self.at_locks, self.frames = every, at_locks, list[int]()

    def put(self, frame: int, picture: npt.NDArray[np.uint8]) -> None:
        assert picture.shape == (2, 4, 3)
        self.frames.append(frame)


class Journal:
    """What happened in a run: the pads, RAM and picture hash of each frame, and the jumps."""

    def __init__(self) -> None:
        self.pads: list[tuple[int, int]] = []
        self.rams: list[bytes] = []
        self.pictures: list[bytes] = []
        self.jumps: list[tuple[int, str]] = []


def played(
    folder: Path, frames: int, seed: int, every: int, segment: int, machine: Counter | None = None, sink: Any = None
) -> tuple[Record, Journal]:
    """Records a run with random pads, resets, loads and changes of RAM. Returns the record and a journal of it."""
    dice, journal = random.Random(seed), Journal()
    console: Any = machine or Counter()
    about = About(command="test", game="puyo", mode="endless", seed=0, maps=(load_seat_map("player1"),))
    with Recorder.begin(folder, console, about, every=every, segment=segment) as recorder:
        if sink is not None:
            recorder.attach(sink)
        kept = b""
        for frame in range(frames):
            match dice.randrange(12):
                case 0:
                    recorder.console.reset()
                    journal.jumps.append((frame, "reset"))
                case 1 if kept:
                    recorder.console.load(kept)
                    journal.jumps.append((frame, "load"))
                case 2 if console.saves:
                    kept = recorder.console.save()
                case 3:
                    console.ram.raw[5 + dice.randrange(50)] ^= 0x55
                    journal.jumps.append((frame, "poke"))
            pads = (dice.choice((0, 1, 256)), dice.choice((0, 0, 2, 511)))
            recorder.console.step(*pads)
            journal.pads.append(pads)
            journal.rams.append(console.ram.raw.tobytes())
            journal.pictures.append(NO_PICTURE if console.blind else picture_hash(console.frame()))
        recorder.end = "frames"
    return Record.open(folder), journal


@pytest.mark.parametrize(
    ("frames", "every", "segment"), [(1, 1, 1), (23, 4, 10), (40, 4, 10), (41, 7, 5), (30, 60, 600), (60, 3, 20)]
)
def test_a_record_holds_what_happened(tmp_path: Path, frames: int, every: int, segment: int) -> None:
    record, journal = played(tmp_path / "record", frames, frames + every, every, segment)
    assert (record.frames, record.end, record.torn) == (frames, "frames", 0)
    assert [(jump.frame, jump.kind) for jump in record.jumps()] == journal.jumps
    for first in range(1, frames + 1, 1 + frames // 9):
        assert list(record.pads(first)) == journal.pads[first - 1 :]
        last = min(first + 4, frames)
        assert list(record.pads(first, last)) == journal.pads[first - 1 : last]
        assert list(record.pads(first, frames + 9)) == journal.pads[first - 1 :]
    begins = list(range(1, frames + 1, segment))
    assert [one.first for one in record.segments()] == begins
    assert [one.last for one in record.segments()] == [min(first + segment - 1, frames) for first in begins]
    checks = [check for one in record.segments() for check in one.checks.tolist()]
    assert checks == [ram_check(ram) for ram in journal.rams]
    # a sample at every multiple of ``every``, and at the end of each segment
    sampled = sorted({frame for frame in range(1, frames + 1) if not frame % every or not frame % segment} | {frames})
    for first in (1, frames // 2 + 1, frames):
        samples = list(record.samples(first))
        assert sorted({one.frame for one in samples}) == [frame for frame in sampled if frame >= first]
        for one in samples:
            ram = journal.rams[one.frame - 1]
            assert (one.ram, one.ram_hash) == (ram, ram_hash(ram))
            assert one.picture_hash == journal.pictures[one.frame - 1]
        shown = dict(record.pictures(first))
        assert sorted(shown) == [one.last for one in record.segments() if one.last >= first]
        assert all(picture_hash(picture) == journal.pictures[frame - 1] for frame, picture in shown.items())


@pytest.mark.parametrize("saves", [True, False])
def test_it_can_be_replayed_from_any_frame(tmp_path: Path, saves: bool) -> None:
    """The replay starts at the nearest savestate before the frame, or at power-on if the record has no savestates."""
    record, journal = played(tmp_path / "record", 45, 3, 5, 10, Counter(saves=saves))
    for first in (1, 2, 10, 11, 12, 20, 21, 45):
        for last in (None, min(first + 3, 45)):
            machine: Any = Counter()
            seen = []
            for frame in record.replay(machine, first, last):
                assert machine.ram.raw.tobytes() == journal.rams[frame - 1]
                seen.append(frame)
            assert seen == list(range(first, (last or 45) + 1))
            entered = (first - 1) // 10 * 10 if saves else 0
            # the replay runs one extra frame before it loads a savestate
            assert machine.frames_shown == (last or 45) - entered + (entered > 0)
    for wrong in (0, 46):
        with pytest.raises(RecordError, match=f"frame {wrong} isn't among them"):
            next(record.replay(Counter(), wrong))  # type: ignore[arg-type]
    used: Any = Counter()
    used.step()
    with pytest.raises(RecordError, match="nothing has run yet"):
        next(record.replay(used))
    asked: list[int] = []
    replay = record.replay(Counter(), stopped=lambda: len(asked) == 7)  # type: ignore[arg-type]
    with pytest.raises(KeyboardInterrupt):
        asked.extend(_noting(replay, asked))
    assert asked == list(range(1, 8))


def _noting(replay: Iterator[int], seen: list[int]) -> list[int]:
    for frame in replay:
        seen.append(frame)
    return []


def test_each_savestate_is_tried_once(tmp_path: Path) -> None:
    record, _ = played(tmp_path / "record", 45, 3, 5, 10)
    states = {jump.data for jump in record.jumps() if jump.kind == "load"}
    first: Any = Counter()
    list(record.replay(first))
    assert sorted(first.tried) == sorted(states)
    again: Any = Counter()
    list(record.replay(again))
    assert again.tried == []


@pytest.mark.parametrize(("every", "at_locks"), [(7, False), (None, True), (3, True)])
def test_a_sink_gets_its_pictures(tmp_path: Path, every: int | None, at_locks: bool) -> None:
    sink = Wanted(every, at_locks=at_locks)
    console: Any = Counter()
    seen = SimpleNamespace(field=Field.empty(), score=120)
    with Recorder.begin(tmp_path / "record", console, About(command="test"), every=5, segment=10) as recorder:
        recorder.attach(sink)
        for frame in range(1, 25):
            recorder.console.step()
            if frame in (8, 16):
                recorder.settled(1, frame // 8, seen, 2, None)
    wanted = [frame for frame in range(1, 25) if every and not frame % every]
    assert sorted(sink.frames) == sorted([*wanted, *([8, 16] if at_locks else [])])
    assert [lock.frame for lock in Record.open(tmp_path / "record").locks()] == [8, 16]


def test_decisions_and_locks_are_kept_as_they_were(tmp_path: Path) -> None:
    console: Any = Counter()
    snapshot = SimpleNamespace(field=Field.parse("R.....\nG....."), pair="RG", next_pair="BY")
    where = SimpleNamespace(x=3, y=12, orientation=2)
    bare = SimpleNamespace(placement=where)
    full = SimpleNamespace(
        placement=SimpleNamespace(x=1, y=2, orientation=1, needle=True), value=1 / 3, outcome=SimpleNamespace(score=70)
    )
    with Recorder.begin(tmp_path / "record", console, About(command="test")) as recorder:
        assert recorder.kept == 0
        recorder.decided(1, 0, snapshot, full, 4)
        recorder.console.step()
        assert recorder.kept == 1
        recorder.decided(2, 7, snapshot, bare, 0)
        recorder.settled(1, 0, SimpleNamespace(field=snapshot.field, score=90), 3, "the score")
    record = Record.open(tmp_path / "record")
    field = "/".join(["......"] * 12 + ["R.....", "G....."])
    assert list(record.decisions()) == [
        Decided(0, 1, 0, field, "RG", "BY", 1, 2, 1, 0.333333, 4, 70, True),
        Decided(1, 2, 7, field, "RG", "BY", 3, 12, 2, 0.0, 0, 0, False),
    ]
    assert list(record.locks()) == [Locked(1, 1, 0, field, 90, 3, "the score")]
    assert record.end == "closed"


def _fail(recorder: Recorder, error: BaseException) -> None:
    with recorder:
        raise error


@pytest.mark.parametrize(("error", "end"), [(KeyboardInterrupt(), "interrupt"), (ValueError(), "error")])
def test_how_a_run_ended_is_kept(tmp_path: Path, error: BaseException, end: str) -> None:
    console: Any = Counter()
    for number, said in enumerate((None, "my own")):
        recorder = Recorder.begin(tmp_path / str(number), console, About(command="test"))
        recorder.end = said
        recorder.console.step()
        with pytest.raises(type(error)):
            _fail(recorder, error)
        assert Record.open(tmp_path / str(number)).end == (said or end)
    assert Record.open(tmp_path / "0").frames == 1


def test_a_record_of_nothing_and_of_a_jump_alone(tmp_path: Path) -> None:
    console: Any = Counter()
    with Recorder.begin(tmp_path / "empty", console, About(command="test")) as recorder:
        pass
    assert (Record.open(tmp_path / "empty").frames, Record.open(tmp_path / "empty").jumps()) == (0, [])
    with Recorder.begin(tmp_path / "jump", console, About(command="test")) as recorder:
        recorder.console.reset()
    assert Record.open(tmp_path / "jump").jumps() == [Jump(0, "reset")]
    with pytest.raises(RecordError, match="holds no frames"):
        verify(Record.open(tmp_path / "empty"))
    with Recorder.begin(tmp_path / "blind", Counter(blind=True), About(command="test")) as recorder:  # type: ignore[arg-type]
        recorder.console.step()
    (sample,) = Record.open(tmp_path / "blind").samples()
    assert sample.picture_hash == NO_PICTURE
    assert list(Record.open(tmp_path / "blind").pictures()) == []


class Spoilt(Counter):
    """Flips a bit of RAM in frame ``at``, and flips it back in frame ``until``."""

    def __init__(self, at: int, until: int) -> None:
        super().__init__()
        self.at, self.until = at, until

    def step(self, *pads: int) -> None:
        super().step(*pads)
        if self.frames_shown == self.at:
            self.ram.raw[0x303] ^= 1
        if self.frames_shown == self.until:
            self.ram.raw[0x303] ^= 1


def verified(record: Record, machine: Counter, monkeypatch: pytest.MonkeyPatch, **more: Any) -> Any:
    monkeypatch.setattr(record, "console", lambda *_, **__: machine)
    return verify(record, **more)


def test_a_difference_is_found_at_its_frame_and_named_at_the_next_sample(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Samples are 5 frames apart. A byte that is right again at the next sample only counts as ``passing``."""
    record, _ = played(tmp_path / "record", 30, 8, 5, 10)
    base = {jump.frame for jump in record.jumps() if jump.kind != "poke"}
    at = next(frame for frame in range(11, 25) if frame % 5 == 2 and not base & set(range(frame - 1, frame + 5)))
    same = verified(record, Counter(), monkeypatch)
    assert (same.same, same.frames, same.difference, same.passing) == (True, 30, None, 0)
    assert same.samples == len(list(record.samples()))
    result = verified(record, Spoilt(at, 10**9), monkeypatch)
    found = result.difference
    assert (found.kind, found.frame, found.ram_frame) == ("RAM", at, at + 3)
    assert [(one.address, one.name) for one in found.ram] == [(0x303, "field[0,0]")]
    assert not result.same
    passing = verified(record, Spoilt(at, at + 2), monkeypatch)
    assert (passing.same, passing.passing, passing.first_passing) == (True, 2, at)
    strict = verified(record, Spoilt(at, at + 2), monkeypatch, strict=True)
    assert (strict.difference.kind, strict.difference.frame, strict.difference.ram) == ("RAM", at, ())
    assert not strict.same
    twice = verified(record, Counter(), monkeypatch, repeat=1, first=11)
    assert (twice.same, twice.frames) == (True, 20)
    for wrong in (0, 31):
        with pytest.raises(RecordError, match=f"frame {wrong} isn't among them"):
            verify(record, first=wrong)


def test_a_core_of_another_version_is_said_to_be_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record, _ = played(tmp_path / "record", 6, 1, 3, 6)
    machine = Counter()
    machine.core_version = "2"
    result = verified(record, machine, monkeypatch)
    assert (result.same, result.other_rom) == (True, None)
    assert result.other_core == "the core is another one: counter 2, not counter 1"
    machine = Counter()
    machine.core_sha1 = "9" * 40
    assert "another build of that version" in (verified(record, machine, monkeypatch).other_core or "")
    machine = Counter()
    machine.rom = SimpleNamespace(system="nes", name="other.nes", sha1="3" * 40)
    result = verified(record, machine, monkeypatch)
    assert not result.same
    assert result.other_rom == f"the ROM is another one: other.nes, SHA-1 {'3' * 40}, not {'2' * 40}"


@pytest.mark.parametrize("at", [12, 18])
def test_where_no_picture_is_kept_what_differs_is_looked_at_within_its_segment(
    at: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record, _ = played(tmp_path / "record", 20, 4, 5, 10, Counter(blind=True))
    machine = Spoilt(at, 10**9)
    machine.blind = True
    found = verified(record, machine, monkeypatch, strict=True).difference
    assert (found.kind, found.frame) == ("RAM", at)
    assert (found.picture_frame, found.pixels, found.expected) == (None, None, None)
    assert machine.frames_shown == 20, "to the end of the segment and no further"


def test_once_ram_and_a_picture_are_seen_no_more_frames_are_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a difference in frame 12, the replay runs to the sample of frame 15 and the picture of frame 20."""
    record, _ = played(tmp_path / "record", 40, 4, 5, 10)
    machine = Spoilt(12, 10**9)
    found = verified(record, machine, monkeypatch, strict=True).difference
    assert (found.ram_frame, found.picture_frame) == (15, 20)
    assert machine.frames_shown == 20


def test_of_several_replays_each_goes_on_to_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only whole replays show whether they differ from each other. A single replay stops soon after a difference."""
    record, _ = played(tmp_path / "record", 40, 4, 5, 10)
    monkeypatch.setattr(record, "console", lambda *_, **__: Spoilt(12, 10**9))
    alone, twice = verify(record, strict=True), verify(record, strict=True, repeat=2)
    assert (alone.frames, twice.frames) == (12, 40)
    assert (len(alone.digests), len(twice.digests)) == (1, 2)
    assert twice.deterministic
    assert not twice.same
    machines = iter((Counter(), Spoilt(30, 10**9)))
    monkeypatch.setattr(record, "console", lambda *_, **__: next(machines))
    assert not verify(record, repeat=2).deterministic
