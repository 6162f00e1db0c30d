"""Frames per second: a bare ``retro_run`` loop, our Console, and the whole play loop without decisions."""

from __future__ import annotations

import platform
import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from ochibot.console import Button, Console
from ochibot.errors import GameError
from ochibot.games.protocols import AnySeat, Game
from ochibot.play.pilot import Pilot
from ochibot.play.speed import speed_of
from ochibot.wording import counted

STRETCH = 1000
"""Frames played from the savestate before it is loaded again: some fifteen pairs, which don't fill the field."""


def _turns(game: Game, snapshot: Any, rules: Any) -> tuple[Any, ...]:
    """Placements to take in turn, as the piece appears, in the outer columns first, so that the field fills slowly."""
    upright: dict[int, Any] = {}
    for placement in game.family.placements(snapshot, rules):
        # the first of a column in the order of placements needs the fewest presses
        upright.setdefault(placement.x, placement)
    del upright[snapshot.state.x]
    columns = sorted(upright)
    last = len(columns) - 1
    order = [columns[at // 2] if at % 2 == 0 else columns[last - at // 2] for at in range(len(columns))]
    return tuple(upright[column] for column in order)


@dataclass(frozen=True)
class ConsoleReport:
    """Medians of the rounds, in frames per second of processor time; ratios are medians of the rounds' own ratios."""

    core: str
    machine: str
    frames: int
    rounds: int
    bare_fps: float
    console_fps: float
    loop_fps: float
    console_ratio: float
    loop_ratio: float

    def as_dict(self) -> dict[str, object]:
        """The fields as plain values."""
        return asdict(self)

    def table(self) -> str:
        """The report for people."""
        return "\n".join(
            (
                f"{self.core}, {self.machine}, {counted(self.rounds, 'round')} of "
                f"{counted(self.frames, 'frame')}; processor time",
                f"bare retro_run loop                 {self.bare_fps:9,.0f} frames/s",
                f"Console (picture kept)              {self.console_fps:9,.0f} frames/s  {self.console_ratio:7.1%}",
                f"whole loop (snapshot, pads)         {self.loop_fps:9,.0f} frames/s  {self.loop_ratio:7.1%}",
            )
        )


def measure(
    console: Console, game: Game, rules: Any, frames: int, rounds: int, stopped: Callable[[], bool] = lambda: False
) -> ConsoleReport:
    """Time the three loops in turn, each over the same stretches of a game in play, on this thread.

    A stretch is at most STRETCH frames from one savestate, so that the game is never over within it. ``stopped`` is
    asked between them; raises KeyboardInterrupt when it says yes.
    """
    (name,) = game.map_names(game.solo_mode)
    ram_map = game.load_map(name, console.rom)
    seat = game.seat(ram_map, console.ram, rules)
    # the least of each option that the map knows: the quietest game
    chosen = {
        option: choice.values[0]
        for option, choice in game.options.items()
        if option in ram_map.entries and not choice.names
    }
    game.reach(console, seat, game.solo_mode, chosen, stopped)
    turns = _turns(game, seat.snapshot(), rules)
    state = console.save()
    stretches = [STRETCH] * (frames // STRETCH) + [frames % STRETCH] * (frames % STRETCH > 0)
    loops: tuple[Callable[[int], None], ...] = (
        console.run_bare,
        lambda count: _console_loop(console, count),
        lambda count: _whole_loop(console, seat, turns, count),
    )
    speeds: list[list[float]] = [[], [], []]
    for _ in range(rounds):
        for loop, kept in zip(loops, speeds, strict=True):
            seconds = 0.0
            for stretch in stretches:
                if stopped():
                    raise KeyboardInterrupt
                console.load(state)
                seat.resync()
                began = time.thread_time()
                loop(stretch)
                seconds += time.thread_time() - began
            kept.append(frames / seconds)
    if seat.over():
        raise GameError(
            "the game was over within a stretch of the benchmark: the figures would not be of a game in play"
        )
    bare, plain, whole = speeds
    return ConsoleReport(
        core=f"{console.core_name} {console.core_version}",
        machine=platform.machine(),
        frames=frames,
        rounds=rounds,
        bare_fps=round(statistics.median(bare), 1),
        console_fps=round(statistics.median(plain), 1),
        loop_fps=round(statistics.median(whole), 1),
        console_ratio=round(statistics.median(p / b for p, b in zip(plain, bare, strict=True)), 4),
        loop_ratio=round(statistics.median(w / b for w, b in zip(whole, bare, strict=True)), 4),
    )


def _console_loop(console: Console, frames: int) -> None:
    for _ in range(frames):
        console.step(Button.NONE)


def _whole_loop(console: Console, seat: AnySeat, turns: tuple[Any, ...], frames: int) -> None:
    """All that play does every frame, and a whole snapshot at every frame instead of one a piece; no search.

    The pairs go to the columns in turn, by presses that are known beforehand.
    """
    pilot: Pilot[Any, Any] = Pilot(speed_of(10))
    column = 0
    pilot.start(seat.course(seat.snapshot(), turns[column]))
    pad = Button.NONE
    for _ in range(frames):
        console.step(pad)
        spawned = seat.update()
        snapshot = seat.snapshot()
        if spawned:
            column = (column + 1) % len(turns)
            pilot.start(seat.course(snapshot, turns[column]))
        action = pilot.press(snapshot.state, seat.ready())
        pad = Button.NONE if action is None else seat.button(action)
