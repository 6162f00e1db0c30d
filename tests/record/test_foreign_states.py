"""Records from other people may hold bad savestates. A core that crashes on one must not crash the command."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest
from ochibot.console import find_core, find_cores
from ochibot.errors import ConsoleError
from ochibot.games import find_game
from ochibot.record import About, Record, Recorder, verify
from ochibot.record.blocks import MAGIC, START, Block, read_log
from ochibot.record.events import Jump
from ochibot.record.manifest import LOG
from ochibot.record.segment import Segment, join_sections, split_sections

from tests.commands import ochibot
from tests.record.making import rewrite
from tests.titles import open_console

CORES = {"puyo": "fceumm", "nyaa": "fbneo"}
TITLES = [
    pytest.param(name, marks=pytest.mark.skipif(not find_cores(core), reason=f"no {core} core here"))
    for name, core in CORES.items()
]


def recorded(folder: Path, name: str) -> Record:
    """Records 50 frames from a savestate on. After frame 40, the savestate made after frame 10 is loaded."""
    game = find_game(name)
    about = About(command="test", game=name, mode=game.solo_mode, seed=0, maps=(game.load_map("player1"),))
    with open_console(str(find_core(game.system, CORES[name])), game.open_rom(None), game) as console:
        for _ in range(60):
            console.step()
        with Recorder.begin(folder, console, about, every=10, segment=30, from_here=True) as recorder:
            state = b""
            for frame in range(50):
                if frame == 10:
                    state = recorder.console.save()
                if frame == 40:
                    recorder.console.load(state)
                recorder.console.step(1 << frame % 8)
            recorder.end = "frames"
    return Record.open(folder)


def zero_start(record: Record) -> None:
    """Replaces the bytes of the savestate at the record's start by zeros, and corrects the checksums."""
    blocks, _ = read_log(record.path / LOG)
    parts = split_sections(blocks[0].unpacked())
    parts[b"S"] = bytes(len(parts[b"S"]))
    blocks[0] = Block(START, 0, blocks[0].first, 0, zlib.compress(join_sections(parts)))
    (record.path / LOG).write_bytes(MAGIC + b"".join(block.encoded() for block in blocks))


def zero_jump(record: Record) -> None:
    def change(segment: Segment) -> None:
        (jump,) = segment.jumps
        segment.jumps = [Jump(jump.frame, "load", bytes(len(jump.data)))]

    rewrite(record, change, 1)


def zero_entry(record: Record) -> None:
    def change(segment: Segment) -> None:
        assert segment.state is not None
        segment.state = bytes(len(segment.state))

    rewrite(record, change, 1)


@pytest.mark.long
@pytest.mark.parametrize("name", TITLES)
def test_a_sound_record_is_verified_and_each_state_tried_once(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ochibot.console import Console

    record = recorded(tmp_path / "run", name)
    tried: list[int] = []
    real = Console.try_state

    def counted(console: Console, *states: bytes) -> None:
        tried.append(len(states))
        real(console, *states)

    monkeypatch.setattr(Console, "try_state", counted)
    assert verify(record, repeat=2).same
    assert tried == [2], "the start and the jump, together"
    assert verify(record, first=35).same
    assert tried == [2, 1], "the second block is entered by its own savestate"


@pytest.mark.long
@pytest.mark.parametrize("name", TITLES)
def test_what_the_core_refuses_is_said_with_the_record(name: str, tmp_path: Path) -> None:
    record = recorded(tmp_path / "run", name)

    def change(segment: Segment) -> None:
        segment.jumps = [Jump(segment.jumps[0].frame, "load", b"no state")]

    rewrite(record, change, 1)
    with pytest.raises(ConsoleError, match=r"a savestate in the record .*run can't be used: the core refuses it; give"):
        verify(Record.open(record.path))


@pytest.mark.long
@pytest.mark.skipif(not find_cores("fbneo"), reason="no fbneo core here")
@pytest.mark.parametrize(
    ("spoil", "command"),
    [
        (zero_start, ("verify", "run")),
        (zero_jump, ("dump", "run", "--every", "5", "-o", "dump")),
        (zero_entry, ("verify", "run", "--from", "35")),
        (zero_start, ("video", "run", "-o", "film.gif")),
    ],
)
def test_a_state_that_the_core_dies_of(spoil: object, command: tuple[str, ...], tmp_path: Path) -> None:
    """FBNeo divides by a number in the savestate, so it crashes if all bytes are zeros."""
    assert callable(spoil)
    spoil(recorded(tmp_path / "run", "nyaa"))
    done = ochibot(*command, cwd=tmp_path)
    assert done.returncode == 2, (done.returncode, done.stderr)
    (line,) = done.stderr.strip().splitlines()
    assert "ochibot: a savestate in the record run can't be used: the core crashes on it (SIGFPE); give" in line
    assert not (tmp_path / "film.gif").exists()
