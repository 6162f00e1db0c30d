"""Records for tests: made quickly, in the real core, without a search."""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable
from pathlib import Path

from ochibot.console import Button, Console, find_core
from ochibot.games import find_game
from ochibot.ram import RamMap
from ochibot.record import About, Record, RecordedConsole, Recorder
from ochibot.record.blocks import FRAMES, MAGIC, Block, read_log
from ochibot.record.manifest import LOG
from ochibot.record.segment import Segment

from tests.titles import famicom_seat, open_console, open_rom

PUYO = find_game("puyo")
BUTTONS = (Button.NONE, Button.LEFT, Button.RIGHT, Button.A, Button.B, Button.DOWN)


def seat_map() -> RamMap:
    """The map of our Famicom game's solo mode."""
    return PUYO.load_map("player1")


def about() -> About:
    """The description of their run that these records contain."""
    return About(command="test", game=PUYO.name, mode=PUYO.solo_mode, seed=0, maps=(seat_map(),))


def opened(core: str | None = None) -> Console:
    """A console with our Famicom game in the core ``core`` (None: the system's default core)."""
    return open_console(core, open_rom(None))


def mash(machine: RecordedConsole | Console, frames: int, seed: int = 1) -> None:
    """Presses random buttons on both pads, each for 7 frames."""
    dice = random.Random(seed)
    pads = (Button.NONE, Button.NONE)
    for frame in range(frames):
        if frame % 7 == 0:
            pads = dice.choice(BUTTONS), dice.choice(BUTTONS)
        machine.step(*pads)


def make(
    folder: Path,
    frames: int = 300,
    *,
    core: str | None = None,
    every: int = 20,
    segment: int = 100,
    play: Callable[[RecordedConsole], None] | None = None,
) -> Record:
    """Makes a record from power-on: through the menus into the game, then ``play`` or ``frames`` frames of ``mash``."""
    with opened(core) as console, Recorder.begin(folder, console, about(), every=every, segment=segment) as recorder:
        machine = recorder.console
        seat = famicom_seat(seat_map(), machine.ram)
        PUYO.reach(machine, seat, PUYO.solo_mode, {})
        if play is not None:
            play(machine)
        else:
            mash(machine, frames)
        recorder.end = "frames"
    return Record.open(folder)


def rewrite(record: Record, change: Callable[[Segment], None], number: int) -> None:
    """Changes one segment of a record (``number`` counts from 0) and rewrites the log with correct checksums."""
    blocks, _ = read_log(record.path / LOG)
    at = [place for place, block in enumerate(blocks) if block.kind == FRAMES][number]
    block = blocks[at]
    segment = record._decode(number)
    segment.pads = segment.pads.copy()
    change(segment)
    payload = zlib.compress(segment.encode(record._references_of(number)))
    blocks[at] = Block(block.kind, block.number, block.first, block.count, payload)
    (record.path / LOG).write_bytes(MAGIC + b"".join(each.encoded() for each in blocks))


def core_file(name: str) -> Path:
    """The path of the NES core with this name."""
    return find_core(PUYO.system, name)
