"""Measures what recording costs: frames per second of play, recorded play, play with dumped pictures, and replay."""

from __future__ import annotations

import contextlib
import platform
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ochibot.bench.pilot import stopping_when
from ochibot.console import Console, PlayedConsole
from ochibot.errors import RecordError
from ochibot.falling.player import AnyPlayer
from ochibot.games import Game
from ochibot.leftovers import TemporaryFolder
from ochibot.play.endless import Endless
from ochibot.play.seat import SeatPlayer
from ochibot.play.speed import speed_of
from ochibot.record import About, Record, Recorder, verify
from ochibot.record.dump import DumpWriter
from ochibot.report import Reported
from ochibot.wording import counted

SEED = 1


@dataclass(frozen=True)
class RecordSpeed:
    """Frames per second by the clock, and per second of this process's own time (all its threads)."""

    wall: float
    own: float


class Stopwatch:
    """Measures time from its creation on."""

    def __init__(self) -> None:
        self._wall, self._own = time.perf_counter(), time.process_time()

    def speed(self, frames: int) -> RecordSpeed:
        """The speed, if ``frames`` frames have run since this stopwatch was created."""
        return RecordSpeed(frames / (time.perf_counter() - self._wall), frames / (time.process_time() - self._own))


@dataclass(frozen=True)
class RecordReport(Reported):
    """Medians of the rounds, in frames per second by the clock. Ratios to plain play are computed in each round.

    Ratios called ``…_own_…`` compare frames per second of the process's own time, the encoder's thread included; other
    programs on the machine don't affect them.
    """

    core: str
    machine: str
    frames: int
    rounds: int
    every: int
    play_fps: float
    record_fps: float
    dump_fps: float
    verify_fps: float
    record_ratio: float
    dump_ratio: float
    verify_ratio: float
    record_own_ratio: float
    dump_own_ratio: float
    verify_own_ratio: float
    bytes_per_minute: int

    def table(self) -> str:
        """The report as text for a terminal."""
        dumped = f"play, recorded, dumped every {self.every}"
        rows = (
            ("play, recorded", self.record_fps, self.record_ratio, self.record_own_ratio),
            (dumped, self.dump_fps, self.dump_ratio, self.dump_own_ratio),
            ("verify", self.verify_fps, self.verify_ratio, self.verify_own_ratio),
        )
        return "\n".join(
            (
                f"{self.core}, {self.machine}, {counted(self.rounds, 'round')} of "
                f"{counted(self.frames, 'frame')} from power-on",
                f"{'play':<32}{self.play_fps:9,.0f} frames/s",
                *(
                    f"{name:<32}{fps:9,.0f} frames/s {ratio:7.1%} ({own:.1%} in time of the process)"
                    for name, fps, ratio, own in rows
                ),
                f"a minute of the game takes {counted(self.bytes_per_minute, 'byte')}",
            )
        )


def measure(
    make: Callable[[], Console],
    game: Game,
    rules: Any,
    player: AnyPlayer,
    *,
    frames: int,
    rounds: int,
    every: int,
    stopped: Callable[[], bool] = lambda: False,
) -> RecordReport:
    """Times plain, recorded and dumped play and the replay in turns. ``make`` opens a console at power-on; ``player``
    plays the game. ``every``: in dumped play, one picture is written per this many frames.

    Raises RecordError when a record replays differently, and KeyboardInterrupt soon after ``stopped()`` returns true.
    """
    speeds: list[list[RecordSpeed]] = [[], [], [], []]
    with TemporaryFolder(prefix="ochibot-") as folder:
        for number in range(rounds):
            kept, dumped = Path(folder) / f"{number}", Path(folder) / f"{number}-dumped"
            speeds[0].append(_play(make, game, rules, player, frames, None, stopped=stopped))
            speeds[1].append(_play(make, game, rules, player, frames, kept, stopped=stopped))
            speeds[2].append(_play(make, game, rules, player, frames, dumped, every, stopped=stopped))
            record = Record.open(kept)
            watch = Stopwatch()
            if not verify(record, stopped=stopped).same:
                raise RecordError("a record made just now replays differently: the core isn't deterministic")
            speeds[3].append(watch.speed(record.frames))
        size = sum(path.stat().st_size for path in kept.iterdir())
        minutes = record.frames / record.manifest.fps / 60
        core = f"{record.manifest.core.name} {record.manifest.core.version}"
    fps = [round(statistics.median(speed.wall for speed in each), 1) for each in speeds]
    walls = [_ratio([s.wall for s in each], [s.wall for s in speeds[0]]) for each in speeds]
    owns = [_ratio([s.own for s in each], [s.own for s in speeds[0]]) for each in speeds]
    return RecordReport(
        core=core,
        machine=platform.machine(),
        frames=frames,
        rounds=rounds,
        every=every,
        play_fps=fps[0],
        record_fps=fps[1],
        dump_fps=fps[2],
        verify_fps=fps[3],
        record_ratio=walls[1],
        dump_ratio=walls[2],
        verify_ratio=walls[3],
        record_own_ratio=owns[1],
        dump_own_ratio=owns[2],
        verify_own_ratio=owns[3],
        bytes_per_minute=round(size / minutes),
    )


def _ratio(speeds: list[float], plain: list[float]) -> float:
    return round(statistics.median(speed / base for speed, base in zip(speeds, plain, strict=True)), 4)


def _play(
    make: Callable[[], Console],
    game: Game,
    rules: Any,
    player: AnyPlayer,
    frames: int,
    folder: Path | None,
    every: int | None = None,
    *,
    stopped: Callable[[], bool],
) -> RecordSpeed:
    """Plays ``frames`` frames and returns the speed, including the time to write all pictures."""
    with make() as console, contextlib.ExitStack() as stack:
        machine: PlayedConsole = console
        recorder = None
        if folder is not None:
            recorder = stack.enter_context(
                Recorder.begin(folder, console, About(command="bench"), options=game.core_options)
            )
            machine = recorder.console
        (name,) = game.map_names(game.solo_mode)
        seat = game.seat(game.load_map(name), machine.ram, rules)
        for _ in range(SEED):
            machine.step()
        game.reach(machine, seat, game.solo_mode, {}, stopped)
        hands = SeatPlayer(seat, player, speed_of(10), watcher=recorder)
        run = Endless(machine, hands, seed=SEED, speed=10, on_piece=stopping_when(stopped))
        if recorder is not None and every is not None:
            recorder.attach(stack.enter_context(DumpWriter(recorder.folder / "dump", recorder.manifest, every=every)))
        watch = Stopwatch()
        run.run(frames=frames)
        if stopped():
            raise KeyboardInterrupt
        stack.close()
        return watch.speed(run.frames)
