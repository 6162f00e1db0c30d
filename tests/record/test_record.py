"""Records of the homebrew in real cores are read back as they were written, and replay the same."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from ochibot.console import Button, find_cores
from ochibot.errors import OutputError, RecordError
from ochibot.play.endless import Endless
from ochibot.play.seat import SeatPlayer
from ochibot.play.speed import speed_of
from ochibot.puyo import Field
from ochibot.puyo.search import TwoPly
from ochibot.record import Record, RecordedConsole, Recorder, verify
from ochibot.record.blocks import FRAMES, START, LogWriter, read_log
from ochibot.record.manifest import LOG, MANIFEST

from tests import nesrom
from tests.puyo import FAMICOM
from tests.record.making import PUYO, about, make, mash, opened, seat_map
from tests.titles import famicom_seat, open_console, open_rom


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Record:
    return make(tmp_path_factory.mktemp("records") / "mashed", 330)


def test_the_pads_alone_bring_a_bare_console_to_the_same_ram_and_pictures(record: Record) -> None:
    samples = {sample.frame: sample for sample in record.samples()}
    pictures = dict(record.pictures())
    assert set(pictures) <= set(samples)
    assert {frame % 20 for frame in samples} == {0, record.frames % 20}
    with opened() as console:
        for frame, pads in enumerate(record.pads(), 1):
            console.step(*pads)
            sample = samples.get(frame)
            if sample is None:
                continue
            ram, picture = console.ram.snapshot(), console.frame()
            assert sample.ram == ram
            assert sample.ram_hash == hashlib.blake2b(ram, digest_size=8).digest()
            told = b"240x224" + picture.tobytes()
            assert sample.picture_hash == hashlib.blake2b(told, digest_size=8).digest()
            if frame in pictures:
                assert (pictures[frame] == picture).all()
    assert frame == record.frames > 400
    assert list(record.pads(150, 160)) == list(record.pads())[149:160]


@pytest.mark.long
def test_any_frame_can_be_gone_to(record: Record) -> None:
    seen = {}
    with record.console() as console:
        for frame in record.replay(console):
            seen[frame] = console.ram.snapshot(), console.frame().tobytes()
    assert list(seen) == list(range(1, record.frames + 1))
    with record.console() as console:
        for first in (250, 101, 200, 399, record.frames):
            for frame in record.replay(console, first, first + 3):
                assert (console.ram.snapshot(), console.frame().tobytes()) == seen[frame], (first, frame)
            assert frame == min(first + 3, record.frames)
        with pytest.raises(RecordError, match="frames 1 to"):
            next(record.replay(console, record.frames + 1))
        with pytest.raises(RecordError, match="nothing has run yet"):
            next(record.replay(console, 50))


@pytest.mark.long
@pytest.mark.parametrize("core", ["fceumm", "nestopia"])
def test_resets_loads_and_changes_of_ram_are_part_of_it(core: str, tmp_path: Path) -> None:
    if not find_cores(core):
        pytest.skip(f"no {core} core here (apt package libretro-nestopia; see docs/install.md)")

    def play(machine: RecordedConsole) -> None:
        mash(machine, 60)
        state = machine.save()
        mash(machine, 50, 2)
        machine.load(state)
        mash(machine, 40, 3)
        machine.ram[0x303] = 3
        machine.ram[0x07FF] ^= 0xFF
        machine.step(Button.LEFT)
        machine.reset()
        machine.ram[0x10] ^= 0x55
        mash(machine, 30, 4)
        machine.load(state)
        machine.load(state)

    made = make(tmp_path / "jumps", core=core, play=play)
    kinds = [jump.kind for jump in made.jumps()]
    assert kinds == ["load", "poke", "reset", "poke", "load", "load"]
    assert made.jumps()[1].data[4::5].hex() != ""
    result = verify(made, core=core)
    assert result.same, result
    assert result.frames == made.frames


def test_a_change_of_ram_just_before_a_reset_is_part_of_it(tmp_path: Path) -> None:
    """This program keeps its RAM at a reset, so a byte written just before the reset is still there after it."""
    path = tmp_path / "pads.nes"
    path.write_bytes(nesrom.image())
    with (
        open_console(None, open_rom(path)) as console,
        Recorder.begin(tmp_path / "r", console, about(), every=5, segment=20) as recorder,
    ):
        machine = recorder.console
        mash(machine, 12)
        machine.ram[0x100] ^= 0xFF
        machine.reset()
        written = machine.ram[0x100]
        mash(machine, 12, 2)
        assert machine.ram[0x100] == written
        recorder.end = "frames"
    record = Record.open(tmp_path / "r")
    assert [(jump.kind, jump.frame) for jump in record.jumps()] == [("poke", 12), ("reset", 12)]
    result = verify(record, rom=path, strict=True)
    assert result.same, result
    assert result.frames == 24


@pytest.mark.long
def test_a_record_from_a_savestate(tmp_path: Path) -> None:
    with opened() as console:
        seat = famicom_seat(seat_map(), console.ram)
        PUYO.reach(console, seat, PUYO.solo_mode, {"level": 3})
        with Recorder.begin(tmp_path / "r", console, about(), every=30, segment=60, from_here=True) as recorder:
            mash(recorder.console, 150)
        recorder.close()  # ``with`` has closed the recorder already, so this call does nothing
    record = Record.open(tmp_path / "r")
    assert (record.manifest.start, record.frames, record.end) == ("savestate", 150, "closed")
    assert record.start_ram[0x70] == 3
    assert verify(record).same
    assert verify(record, first=100).same


def test_decisions_and_locks_are_what_the_game_shows(tmp_path: Path) -> None:
    from tests.titles import find_player

    with opened() as console, Recorder.begin(tmp_path / "r", console, about(), segment=500) as recorder:
        machine = recorder.console
        seat = famicom_seat(seat_map(), machine.ram)
        PUYO.reach(machine, seat, PUYO.solo_mode, {"level": 4})
        hands = SeatPlayer(seat, TwoPly(find_player("article"), FAMICOM), speed_of(10), watcher=recorder)
        Endless(machine, hands, seed=0, speed=10).run(pieces=12)
    record = Record.open(tmp_path / "r")
    locks, decisions = list(record.locks()), list(record.decisions())
    assert [lock.piece for lock in locks] == list(range(12))
    assert [decision.piece for decision in decisions] == list(range(13))
    assert {(decision.seat, decision.needle) for decision in decisions} == {(1, False)}
    assert [decision.next_pair for decision in decisions[:-1]] == [decision.pair for decision in decisions[1:]]
    shown, wanted = {}, {lock.frame for lock in locks}
    with record.console() as again:
        seat = famicom_seat(seat_map(), again.ram)
        for frame in record.replay(again):
            if frame in wanted:
                shown[frame] = seat.settled()
    for lock in locks:
        seen = shown[lock.frame]
        assert Field.parse(lock.field.replace("/", "\n")) == seen.field
        assert (lock.score, lock.level, lock.seat, lock.difference) == (seen.score, 4, 1, None)
    for decision, lock in zip(decisions, locks, strict=False):
        assert decision.frame < lock.frame
        field = Field.parse(lock.field.replace("/", "\n"))
        if not decision.chain and decision.orientation in (0, 2):
            # a vertical pair that clears nothing lies where it was meant to
            assert field.cells[decision.y, decision.x - 1] != 0
    assert verify(record).same


def test_a_killed_run_leaves_a_valid_record(tmp_path: Path) -> None:
    """SIGKILL in the middle of a run: everything up to the last flush can be verified."""
    script = (
        "import sys; from pathlib import Path; from tests.record.making import make, mash\n"
        "make(Path(sys.argv[1]), segment=50, play=lambda machine: mash(machine, 10**7))"
    )
    folder = tmp_path / "killed"
    running = subprocess.Popen([sys.executable, "-c", script, str(folder)])
    try:
        deadline = time.monotonic() + 600
        while not (folder / LOG).exists() or (folder / LOG).stat().st_size < 20_000:
            assert running.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.02)
    finally:
        running.kill()
    assert running.wait() == -signal.SIGKILL
    record = Record.open(folder)
    assert record.end is None
    assert record.frames >= 50
    assert record.frames % 50 == 0
    assert verify(record).same


@pytest.mark.long
def test_a_full_disk_ends_the_run_and_what_is_written_is_valid(tmp_path: Path) -> None:
    """A limit on the file size simulates the full disk: a write fails in the middle of a block, as it would there."""
    script = (
        "import resource, sys; from pathlib import Path; from ochibot.errors import OutputError\n"
        "from tests.record.making import make\n"
        "import ochibot.play.battle\n"
        "try:\n"
        "    from tests.record.making import opened; opened().close()\n"
        "    resource.setrlimit(resource.RLIMIT_FSIZE, (130_000, 130_000))\n"
        "    make(Path(sys.argv[1]), 10**7, segment=50)\n"
        "except OutputError as error:\n"
        "    print(error); sys.exit(2)"
    )
    folder = tmp_path / "full"
    done = subprocess.run([sys.executable, "-c", script, str(folder)], capture_output=True, text=True, timeout=600)
    assert done.returncode == 2, done.stderr
    assert "what is in it so far is valid" in done.stdout
    record = Record.open(folder)
    assert (record.end, record.torn) == (None, 0)
    assert 129_000 - 10_000 < (folder / LOG).stat().st_size <= 130_000
    assert verify(record).same


def test_after_an_error_of_the_disk_nothing_more_is_taken(tmp_path: Path) -> None:
    """After a failed write, the log refuses all blocks: a later one would leave a gap in the log."""
    log = LogWriter(tmp_path / "log")
    log.append(START, 1, 0, b"")
    full = os.open("/dev/full", os.O_WRONLY)
    os.dup2(full, log._file)
    os.close(full)
    with pytest.raises(OutputError, match="No space left on device; what is in it so far is valid"):
        log.append(FRAMES, 1, 1, b"x")
    with pytest.raises(OutputError, match="nothing more can be written"):
        log.append(FRAMES, 1, 1, b"x")
    log.close()
    assert len(read_log(tmp_path / "log")[0]) == 1


def test_of_a_run_whose_first_block_cannot_be_written_nothing_is_kept(tmp_path: Path) -> None:
    with opened() as console:
        recorder = Recorder.begin(tmp_path / "record", console, about())
        recorder.console.step()
        assert recorder.kept == 1
        full = os.open("/dev/full", os.O_WRONLY)
        os.dup2(full, recorder._log._file)
        os.close(full)
        for _ in range(2):
            with pytest.raises(OutputError, match="No space left"):
                recorder.close()
        assert recorder.kept == 0


def test_nothing_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/notes.txt").write_text("keep me")
    with opened() as console:
        with pytest.raises(OutputError, match="something is in it already"):
            Recorder.begin(tmp_path / "mine", console, about())
        with pytest.raises(OutputError, match="can't write the record"):
            Recorder.begin(tmp_path / "mine/notes.txt", console, about())


def test_a_changed_manifest_is_noticed(record: Record, tmp_path: Path) -> None:
    for file in (MANIFEST, LOG):
        (tmp_path / file).write_bytes((record.path / file).read_bytes())
    assert Record.open(tmp_path).frames == record.frames
    text = (tmp_path / MANIFEST).read_text()
    (tmp_path / MANIFEST).write_text(text.replace('"seed": 0', '"seed": 1'))
    with pytest.raises(RecordError, match=r"run\.json is damaged or of another record"):
        Record.open(tmp_path)
    for bad, what in (("{", "run.json"), ("[]", "run.json"), (text.replace('"every": 20', '"every": 0'), "every")):
        (tmp_path / MANIFEST).write_text(bad)
        with pytest.raises(RecordError, match=what):
            Record.open(tmp_path)
    (tmp_path / MANIFEST).unlink()
    with pytest.raises(RecordError, match="is not a record"):
        Record.open(tmp_path)


def test_every_flipped_byte_of_a_real_log_is_refused_with_a_blocks_name(record: Record, tmp_path: Path) -> None:
    whole = (record.path / LOG).read_bytes()
    blocks, _ = read_log(record.path / LOG)
    assert len(blocks) == 7
    for place in np.linspace(8, len(whole) - 1, 60).astype(int).tolist():
        changed = bytearray(whole)
        changed[place] ^= 0x10
        (tmp_path / LOG).write_bytes(changed)
        with pytest.raises(RecordError, match=r"block \d"):
            read_log(tmp_path / LOG)
