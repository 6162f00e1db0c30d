"""What a record tells of an AI at each frame: its plan, what it thought of it, how it has done so far."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bot.console import Ram
from bot.data import data_root, is_file
from bot.errors import OchibotError, VideoError
from bot.games import find_game
from bot.games.game import Seat
from bot.puyo import Field, Orientation, Pair, Placement, Snapshot, place
from bot.record.events import Decided, Locked
from bot.record.manifest import Manifest, PlayerInfo
from bot.record.reader import Record
from bot.search import Decision, load_player
from bot.search.evaluate import Evaluation, evaluate

PUYO = "puyo"

Judge = Callable[[Field], Evaluation]
"""What a player thinks of a field."""


@dataclass(frozen=True)
class Plan:
    """A decision that is being carried out. cells: (x, y, code) where the piece is meant to end. told: it in words.
    thought: of the field that the piece leads to, for players whose weights are known."""

    cells: frozenset[tuple[int, int, int]]
    told: tuple[tuple[str, str], ...]
    value: float
    thought: Evaluation | None


@dataclass(frozen=True)
class Standing:
    """What there is to tell at one frame. plan: None between a lock and the next decision."""

    title: tuple[str, str]
    pieces: int
    best_chain: int
    score: int
    plan: Plan | None


class Story:
    """Follows one seat through a record. Ask ``at`` for frames in rising order."""

    def __init__(self, record: Record, player: PlayerInfo, seat: Seat) -> None:
        self.seat = seat
        self._title = (player.name, "" if player.speed is None else f"speed {player.speed}")
        self._judge = judge_of(player)
        self._events = _events(record, player.seat)
        self._next = next(self._events, None)
        self._decided: Decided | None = None
        self._plan: Plan | None = None
        self._pieces = 0
        self._best = 0

    def at(self, frame: int) -> Standing:
        """The standing after a frame; the seat is looked at now."""
        while self._next is not None and self._next.frame <= frame:
            self._take(self._next)
            self._next = next(self._events, None)
        idle = self.seat.has_locked() or self.seat.over() or self.seat.in_menus()
        shown = None if idle else self._plan
        return Standing(self._title, self._pieces, self._best, self.seat.score(), shown)

    def _take(self, event: Decided | Locked) -> None:
        if isinstance(event, Locked):
            self._pieces += 1
            if self._decided is not None and event.difference is None:
                self._best = max(self._best, self._decided.chain)
            self._decided = self._plan = None
        else:
            self._decided, self._plan = event, self._plan_of(event)

    def _plan_of(self, decided: Decided) -> Plan:
        field, pair = Field.parse(decided.field.replace("/", "\n")), Pair.parse(decided.pair)
        where = Placement(decided.x, decided.y, Orientation(decided.orientation))
        decision = Decision(where, decided.value, place(field, pair, where), 0)
        snapshot = Snapshot(field, pair, Pair.parse(decided.next_pair), 0)
        look = self.seat.look
        thought = self._judge(decision.outcome.field) if self._judge is not None else None
        return Plan(look.planned(snapshot, decision), tuple(look.told(decision)), decided.value, thought)


def _events(record: Record, seat: int) -> Iterator[Decided | Locked]:
    """Locks and decisions of a seat in the order in which they came; of one frame the lock first."""
    for segment in record.segments():
        mine = [event for event in segment.events if event.seat == seat]
        yield from sorted(mine, key=lambda event: (event.frame, isinstance(event, Decided)))


def judge_of(player: PlayerInfo) -> Judge | None:
    """What a shipped player thinks of fields; None for any other, whose weights the record doesn't hold."""
    file = data_root() / "configs/players" / f"{player.name}.yaml"
    if not is_file(file):
        return None
    config = load_player(file)
    return lambda field: evaluate(field, config)


def stories(record: Record, ram: Ram) -> list[Story]:
    """One for each AI of the record; ``ram`` is that of the console that plays it again.

    Raises VideoError when the record holds no plans that can be shown.
    """
    about = record.manifest.about
    if about.game != PUYO:
        raise VideoError(
            f"{record.path} holds no plans to show ({_of(record.manifest)}): make the video without --overlay"
        )
    game = find_game(about.game)
    maps = {ram_map.seat: ram_map for ram_map in about.maps}
    try:
        found = [
            Story(record, player, game.seat(maps[player.seat], ram)) for player in about.players if player.seat in maps
        ]
    except OchibotError as error:
        raise VideoError(f"{record.path}: {error}; make the video without --overlay") from None
    if not found:
        raise VideoError(f"{record.path} tells of no AI: make the video without --overlay")
    return found


def _of(manifest: Manifest) -> str:
    return f"it is of {manifest.about.game}" if manifest.about.game else f"it was made by {manifest.about.command!r}"
