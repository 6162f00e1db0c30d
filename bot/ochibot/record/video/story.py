"""Follows an AI through a record: its plan, its evaluation and its results at each frame.

Replays a record and yields its pictures and sounds at the rate of a video.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ochibot.console import HostedConsole, Ram
from ochibot.data import is_file
from ochibot.errors import OchibotError, VideoError
from ochibot.falling.player import Judgement
from ochibot.games.protocols import AnySeat, Game
from ochibot.overlay.layout import Picture
from ochibot.overlay.standing import NO_CELLS, Cells, ShownDecision, Side, Standing, call_of
from ochibot.players import kind_of, players_folder
from ochibot.quoting import brief, quoted
from ochibot.ram import RamMap
from ochibot.record.events import Decided, Jump, Locked
from ochibot.record.machine import own_title
from ochibot.record.manifest import Manifest, PlayerInfo
from ochibot.record.reader import Record

Judge = Callable[[Any, Any], Judgement]
"""A function of a snapshot and a decision: returns the player's evaluation of the field after that decision."""


class Story:
    """Follows one seat through a record. Ask ``at`` for frames in rising order.

    A reset begins another game; in a battle the sides are swapped in every other game.
    """

    def __init__(
        self, record: Record, game: Game, rules: Any, players: dict[int, PlayerInfo], number: int, seat: AnySeat
    ) -> None:
        self.game = game
        self.rules = rules
        self.seat = seat
        self._number = number
        self._swaps = record.manifest.about.command == "battle"
        self._own, self._others = players[number], players.get(3 - number, players[number])
        self._judges = {player.name: judge_of(game, rules, player) for player in players.values()}
        self._player = self._own
        self._games = 0
        self._events = _events(record, number)
        self._next = next(self._events, None)
        self._decided: Decided | None = None
        self._plan: ShownDecision | None = None
        self._cells = NO_CELLS
        self._pieces = 0
        self._best = 0

    def at(self, frame: int) -> Side:
        """What to draw for the seat after a frame, which must be the last that the console has run."""
        # a jump happens after its frame, whose picture therefore doesn't show it yet
        while self._next is not None and self._next.frame + isinstance(self._next, Jump) <= frame:
            self._take(self._next)
            self._next = next(self._events, None)
        seat, player = self.seat, self._player
        over = seat.over() or seat.in_menus()
        standing = Standing(
            _title(player),
            self._pieces,
            self._best,
            seat.best,
            score=seat.score(),
            plan=None if over else self._plan,
            cells=NO_CELLS if over or seat.has_locked() else self._cells,
            call="" if over else call_of(seat, self._decided.chain if self._decided is not None else 0),
        )
        return Side(self._number, seat.look, standing)

    def _take(self, event: Decided | Locked | Jump) -> None:
        if isinstance(event, Jump):
            self._decided, self._plan, self._cells = None, None, NO_CELLS
            if event.kind == "reset":
                self._pieces = self._best = 0
                self._games += 1
                self._player = self._others if self._swaps and self._games % 2 == 0 else self._own
        elif isinstance(event, Locked):
            self._pieces += 1
            if self._decided is not None and event.difference is None:
                self._best = max(self._best, self._decided.chain)
            # the plan stays visible until there is a new one
            self._decided, self._cells = None, NO_CELLS
        else:
            self._decided = event
            self._plan, self._cells = self._plan_of(event)

    def _plan_of(self, decided: Decided) -> tuple[ShownDecision, Cells]:
        snapshot, decision = self.game.family.recall(decided, self.rules)
        look = self.seat.look
        judge = self._judges[self._player.name]
        thought = judge(snapshot, decision) if judge is not None else None
        return ShownDecision(tuple(look.in_words(decision)), decided.value, thought), look.planned(snapshot, decision)


def _title(player: PlayerInfo) -> tuple[str, ...]:
    """The lines that name a player."""
    lines = [player.name]
    if player.clairvoyant:
        lines.append("clairvoyant")
    if player.speed is not None:
        lines.append(f"speed {player.speed}")
    return tuple(lines)


def _events(record: Record, seat: int) -> Iterator[Decided | Locked | Jump]:
    """All resets and loads, and a seat's locks and decisions, in order of time.

    At the same frame, locks come first, then resets and loads, then decisions, because after a load the player decides
    about the falling piece again.
    """
    order = {Locked: 0, Jump: 1, Decided: 2}
    for segment in record.segments():
        mine: list[Decided | Locked | Jump] = [event for event in segment.events if event.seat == seat]
        mine += [jump for jump in segment.jumps if jump.kind != "poke"]
        yield from sorted(mine, key=lambda event: (event.frame, order[type(event)]))


def judge_of(game: Game, rules: Any, player: PlayerInfo) -> Judge | None:
    """A function that evaluates fields as the record's player does.

    None if it isn't a shipped player, because the record doesn't keep its weights, and for players that need more than
    a record keeps of a decision.
    """
    file = players_folder() / f"{player.name}.yaml"
    if not is_file(file):
        return None
    kind = kind_of(file)
    if kind is None or kind.family != game.family.name or not kind.from_records:
        return None
    judge: Judge | None = getattr(kind.open(kind.load(file), rules, seed=None), "judge", None)
    return judge


def stories(record: Record, ram: Ram) -> list[Story]:
    """One story for each AI of the record; ``ram`` is that of the console that replays it.

    Raises VideoError when the record holds no plans that can be shown.
    """
    about = record.manifest.about
    own = own_title(record.manifest, record.path)
    if own is None:
        raise VideoError(
            f"{record.path} holds no plans to show ({_of(record.manifest)}): make the video without --overlay"
        )
    game, rules = own
    maps: dict[int, RamMap] = {ram_map.seat: ram_map for ram_map in about.maps}
    players: dict[int, PlayerInfo] = {player.seat: player for player in about.players if player.seat in maps}
    try:
        found = [Story(record, game, rules, players, number, game.seat(maps[number], ram, rules)) for number in players]
    except OchibotError as error:
        raise VideoError(f"{record.path}: {error}; make the video without --overlay") from None
    if not found:
        raise VideoError(f"{record.path} shows no AI: make the video without --overlay")
    return found


def _of(manifest: Manifest) -> str:
    return (
        f"it is of {brief(manifest.about.game)}"
        if manifest.about.game
        else f"it was made by {quoted(manifest.about.command)}"
    )


@dataclass(frozen=True)
class Span:
    """A range of a record's frames, counted from 1, both ends included. ratio: frames per picture."""

    first: int
    last: int
    ratio: Fraction

    @property
    def pictures(self) -> int:
        """The number of pictures. Picture n, from 0, shows the frame first + floor(n * ratio)."""
        return -(-(self.last - self.first + 1) * self.ratio.denominator // self.ratio.numerator)


@dataclass(frozen=True)
class Shot:
    """One frame. times: how often the video shows it; if 0, ``picture`` is None. sound: (N, 2) int16."""

    frame: int
    times: int
    picture: Picture | None
    sound: npt.NDArray[np.int16]


def span_of(record: Record, first: int | None, last: int | None, ratio: Fraction) -> Span:
    """The span from ``first`` to ``last`` (None: the record's ends). Raises VideoError when they aren't
    in the record.
    """
    if not record.frames:
        raise VideoError(f"{record.path} holds no frames to make a video of")
    begin, end = 1 if first is None else first, record.frames if last is None else last
    if begin > end:
        raise VideoError(f"--from {begin} comes after --to {end}: there are no frames between")
    if not 1 <= begin <= end <= record.frames:
        raise VideoError(f"{record.path} holds the frames 1 to {record.frames:,}; choose --from and --to among them")
    return Span(begin, end, ratio)


def shots(record: Record, console: HostedConsole, span: Span, *, sound: bool) -> Iterator[Shot]:
    """Replays the record and yields a shot for each frame of the span. The console must not have run yet."""
    due = 0
    console.keep_audio(sound)
    # the replay begins a frame earlier, and the sound until the end of that frame is dropped
    for frame in record.replay(console, max(span.first - 1, 1), span.last):
        heard = console.audio()
        if frame < span.first:
            continue
        if frame == span.first:
            # a start from a savestate runs one extra frame, whose sound is cut off here
            heard = heard[max(len(heard) - round(console.sample_rate / console.fps), 0) :]
        since = frame - span.first + 1
        # this frame is shown by all pictures n with floor(n * ratio) = since - 1
        times = -(-since * span.ratio.denominator // span.ratio.numerator) - due
        due += times
        yield Shot(frame, times, _shown(console, record) if times else None, heard)


def _shown(console: HostedConsole, record: Record) -> Picture:
    """The present picture; black before the core has made its first one."""
    if console.frames_shown:
        return console.frame()
    width, height = record.manifest.picture
    return np.zeros((height, width, 3), np.uint8)
