"""Measures frames per second of five loops: bare ``retro_run``, our Console, the loop of ``play``, the loop of ``play``
with a snapshot in every frame, and our Console with the buttons that ``play`` presses. A clock inside a sixth loop
shows what ``play``'s own code takes.

The loops take turns in stretches of a few hundred frames from one savestate. So a machine that changes its speed
affects all of them alike.
"""

from __future__ import annotations

import platform
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ochibot.console import Button, Console
from ochibot.errors import GameError
from ochibot.games.protocols import AnySeat, Game
from ochibot.play.endless import Endless
from ochibot.play.seat import SeatPlayer
from ochibot.play.speed import Speed, speed_of
from ochibot.ram import RamMap
from ochibot.report import Reported
from ochibot.wording import counted

STRETCH = 500
"""Frames played from the savestate before the next loop's turn: some eight pairs."""


@dataclass(frozen=True)
class ConsoleReport(Reported):
    """Frames per second of processor time. made: whether the core made pictures and sound.

    bare: ``retro_run`` in a native loop. console: ``Console.step``. play: everything that ``play`` does except the
    search, with a snapshot for each piece. snapshots: the same with a snapshot in every frame. pads: ``Console.step``
    with play's buttons, because a game may take longer for a moving piece. ``…_ratio``: a loop's speed divided by that
    of bare. Speeds and ratios are medians of the rounds; ``fastest_…`` is the speed of a loop in its fastest stretch.
    python_us: microseconds a frame that play takes longer than pads, which cores with long frames blur. frame_us:
    microseconds that play's own code takes in a frame, by a clock around it: the mean of the stretch's frames, each of
    them the median of its turns; ``fastest_frame_us``: the fastest of them.
    """

    core: str
    machine: str
    made: str
    frames: int
    rounds: int
    stretch: int
    bare_fps: float
    console_fps: float
    play_fps: float
    snapshots_fps: float
    console_ratio: float
    play_ratio: float
    snapshots_ratio: float
    fastest_bare_fps: float
    fastest_console_fps: float
    fastest_play_fps: float
    fastest_snapshots_fps: float
    fastest_console_ratio: float
    fastest_play_ratio: float
    fastest_snapshots_ratio: float
    pads_fps: float
    pads_ratio: float
    fastest_pads_fps: float
    fastest_pads_ratio: float
    python_us: float
    fastest_python_us: float
    frame_us: float
    fastest_frame_us: float

    def table(self) -> str:
        """The report as text for a terminal."""
        rows = (
            ("bare retro_run loop", "bare"),
            ("Console.step", "console"),
            ("play's loop: a snapshot a piece", "play"),
            ("the same, a snapshot a frame", "snapshots"),
            ("Console.step with play's buttons", "pads"),
        )
        lines = [
            f"{self.core}, {self.machine}; the core makes {self.made}; nothing is searched",
            f"{counted(self.rounds, 'round')} of {counted(self.frames, 'frame')} each, in turns of {self.stretch}; "
            "processor time",
            f"{'frames/s':<33}{'medians':>17}{'fastest turns':>21}",
        ]
        values = self.as_dict()
        for title, name in rows:
            median, fastest = values[f"{name}_fps"], values[f"fastest_{name}_fps"]
            first, second = (
                ("", "")
                if name == "bare"
                else (f"{values[f'{name}_ratio']:.1%}", f"{values[f'fastest_{name}_ratio']:.1%}")
            )
            lines.append(f"{title:<33}{median:>9,.0f}{first:>8}{fastest:>13,.0f}{second:>8}")
        lines.append(
            f"play's loop takes {self.python_us:.1f} microseconds a frame more than its buttons alone; "
            f"by fastest turns {self.fastest_python_us:.1f}"
        )
        lines.append(
            f"play's own code takes {self.frame_us:.1f} microseconds a frame, by a clock around it; by fastest turns "
            f"{self.fastest_frame_us:.1f}"
        )
        return "\n".join(lines)


class Foreknown:
    """Plays without a search: it drops pairs into the columns in turn, so the field fills slowly.

    It decides during the first stretch, which isn't timed. All later stretches begin with the same savestate and deal
    the same pairs, so it repeats its decisions.
    """

    def __init__(self, game: Game, rules: Any) -> None:
        self._game, self._rules = game, rules
        self._known: list[Any] = []
        self._at = 0

    def again(self) -> None:
        """Starts again with the first pair."""
        self._at = 0

    def choose(self, snapshot: Any) -> Any:
        """The decision for the next pair."""
        if self._at == len(self._known):
            self._known.append(self._decide(snapshot))
        self._at += 1
        return self._known[self._at - 1]

    def _decide(self, snapshot: Any) -> Any:
        upright: dict[int, Any] = {}
        family = self._game.family
        for placement in family.placements(snapshot, self._rules):
            # the placements come in an order in which a column's first one needs the fewest presses
            upright.setdefault(placement.x, placement)
        upright.pop(snapshot.state.x, None)
        columns = sorted(upright)
        last = len(columns) - 1
        order = [columns[at // 2] if at % 2 == 0 else columns[last - at // 2] for at in range(len(columns))]
        return family.decide(snapshot, upright[order[self._at % len(order)]], self._rules)


class _Clocked(SeatPlayer[Any, Any, Any, Any, Any]):
    """A player at a seat that notes how long it takes in each frame, in nanoseconds."""

    def __init__(self, seat: AnySeat, player: Foreknown, speed: Speed) -> None:
        super().__init__(seat, player, speed)
        self.took: list[int] = []

    def frame(self) -> Button:
        began = time.perf_counter_ns()
        pad = super().frame()
        self.took.append(time.perf_counter_ns() - began)
        return pad


def easiest(game: Game, ram_map: RamMap) -> dict[str, int]:
    """The easiest game: the lowest value of each menu option that the map knows."""
    return {
        option: choice.values[0]
        for option, choice in game.options.items()
        if option in ram_map.entries and not choice.names
    }


def measure(
    console: Console,
    game: Game,
    rules: Any,
    frames: int,
    rounds: int,
    stopped: Callable[[], bool] = lambda: False,
    stretch: int = STRETCH,
) -> ConsoleReport:
    """Times the loops in turns on this thread, each turn over the same stretch of a running game.

    Each turn runs ``stretch`` frames from the same savestate. Raises GameError when the game ends within a turn, and
    KeyboardInterrupt when ``stopped()`` returns true between two turns.
    """
    (name,) = game.map_names(game.solo_mode)
    ram_map = game.load_map(name, console.rom)
    seat = game.seat(ram_map, console.ram, rules)
    game.reach(console, seat, game.solo_mode, easiest(game, ram_map), stopped)
    state = console.save()
    player = Foreknown(game, rules)

    clocks: list[list[int]] = []

    def played(count: int, on_frame: Callable[[Button], None] | None, *, clocked: bool = False) -> Callable[[], None]:
        player.again()
        hands = (_Clocked if clocked else SeatPlayer)(seat, player, speed_of(10))
        hands.spawn()
        if isinstance(hands, _Clocked):
            clocks.append(hands.took)
        run = Endless(console, hands, seed=None, speed=10, on_frame=on_frame)

        def play() -> None:
            run.run(frames=count)
            if run.stopped_by != "frames":
                raise GameError(
                    f"the benchmark's game ended within a stretch ({run.stopped_by}): the figures would not be of a "
                    "game in play"
                )

        return play

    pads: list[Button] = []

    def pressed(count: int) -> Callable[[], None]:
        def press() -> None:
            for pad in pads[:count]:
                console.step(pad)

        return press

    loops: tuple[Callable[[int], Callable[[], None]], ...] = (
        lambda count: lambda: console.run_bare(count),
        lambda count: lambda: _console_loop(console, count),
        lambda count: played(count, None),
        lambda count: played(count, lambda _: seat.snapshot()),
        pressed,
        lambda count: played(count, None, clocked=True),
    )
    turns = [stretch] * (frames // stretch) + [frames % stretch] * (frames % stretch > 0)

    def timed(number: int, count: int) -> float:
        if stopped():
            raise KeyboardInterrupt
        console.load(state)
        seat.resync()
        loop = loops[number](count)
        began = time.thread_time()
        loop()
        return time.thread_time() - began

    # an untimed turn of each loop: the player makes its decisions, and lazily loaded things get loaded
    seat.resync()
    played(max(turns), pads.append)()
    # each pad is that of the next frame
    pads.insert(0, Button.NONE)
    for number in range(len(loops)):
        timed(number, max(turns))
    clocks.clear()
    speeds: list[list[float]] = [[] for _ in loops]
    fastest = [0.0 for _ in loops]
    for _ in range(rounds):
        seconds = [0.0 for _ in loops]
        for count in turns:
            for number in range(len(loops)):
                took = timed(number, count)
                seconds[number] += took
                # a round's last turn may be shorter; a shorter one doesn't count for the fastest stretch
                if count == max(turns):
                    fastest[number] = max(fastest[number], count / took)
        for kept, took in zip(speeds, seconds, strict=True):
            kept.append(frames / took)
    bare = speeds[0]
    middle = [round(statistics.median(kept), 1) for kept in speeds]
    ratios = [round(statistics.median(f / b for f, b in zip(kept, bare, strict=True)), 4) for kept in speeds]
    best = [round(one, 1) for one in fastest]
    best_ratios = [round(one / fastest[0], 4) for one in fastest]
    python = statistics.median(1e6 / one - 1e6 / alone for one, alone in zip(speeds[2], speeds[4], strict=True))
    whole = [took for took in clocks if len(took) == max(turns)]
    frames_of = list(zip(*whole, strict=True))
    own = [round(statistics.mean(of(each) for each in frames_of) / 1000, 2) for of in (statistics.median, min)]
    of_pads = [middle[4], ratios[4], best[4], best_ratios[4]]
    longer = [round(python, 2), round(1e6 / fastest[2] - 1e6 / fastest[4], 2)]
    return ConsoleReport(
        f"{console.core_name} {console.core_version}",
        platform.machine(),
        console.made.value,
        frames,
        rounds,
        max(turns),
        *middle[:4],
        *ratios[1:4],
        *best[:4],
        *best_ratios[1:4],
        *of_pads,
        *longer,
        *own,
    )


def _console_loop(console: Console, frames: int) -> None:
    for _ in range(frames):
        console.step(Button.NONE)
