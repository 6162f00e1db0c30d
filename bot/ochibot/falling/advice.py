"""What a coach tells a person about the falling piece: the best places, what they lead to, what is dangerous.

A family that can be coached has ``adviser(rules)``, which makes an ``Adviser``. The best places come from a player
(``best_places``); the adviser says what they lead to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol

from ochibot.falling.player import AnyPlayer, chosen

NOTE: Final = 0
WARNING: Final = 1
DEADLY: Final = 2
"""How grave a danger is."""

PLACES: Final = 3
"""How many places a coach shows."""

FRAMES_A_SECOND: Final = 60

STONE: Final = -1
"""The code of nuisance in ``Adviser.rows``."""

Cells = frozenset[tuple[int, int, int]]
"""Cells of a field as (x, y, code)."""


@dataclass(frozen=True, slots=True)
class Danger:
    """Something that threatens the person. text: one line. grave: NOTE, WARNING or DEADLY. frames: those until it
    happens, about; None if that isn't known.
    """

    text: str
    grave: int = WARNING
    frames: int | None = None

    def __str__(self) -> str:
        if self.frames is None:
            return self.text
        return f"{self.text}, in about {self.frames / FRAMES_A_SECOND:.1f} s"


@dataclass(frozen=True, slots=True)
class Place:
    """One of the best places. decision: the player's. cells: where the piece comes to rest. now: what it sets off at
    once, in words; empty if nothing. towards: what it builds towards, in words; empty if that isn't known.
    """

    decision: Any
    cells: Cells
    now: str = ""
    towards: str = ""


@dataclass(frozen=True, slots=True)
class Advice:
    """The advice for one piece. snapshot: what it is about. places: the best first. fire: whether to set off a chain
    now, in one line; empty if there is none. dangers: the gravest first. chance: of winning the match, 0 to 1; None
    outside matches, and where it can't be said.
    """

    snapshot: Any
    places: tuple[Place, ...] = ()
    fire: str = ""
    dangers: tuple[Danger, ...] = ()
    chance: float | None = None


@dataclass(frozen=True, slots=True)
class Reach:
    """What a side can set off. steps, made: the chain's steps and its points; in games without chains 0 and the attack.
    sent: the nuisance that it makes.
    """

    steps: int
    made: int
    sent: int


class Adviser(Protocol):
    """What a family says about placements and dangers. Its types are opaque to the coach."""

    player: str
    """The shipped player whose places are shown unless another one is asked for, in a game of one person."""
    match_player: str
    """The same in a match."""

    @property
    def again(self) -> Mapping[str, int]:
        """Options with which this player names the other places, so that the advice is quick."""

    def prepare(self) -> None:
        """Loads or compiles what it needs, so that the first advice is quick."""

    @property
    def shape(self) -> tuple[int, int]:
        """How many rows and columns are visible."""

    def rows(self, snapshot: Any) -> Sequence[Sequence[int]]:
        """The codes of the visible cells, the top row first. Nuisance is ``STONE``, an empty cell 0."""

    def row_of(self, y: int) -> int:
        """The index in ``rows`` of a cell's y, as ``Look.planned`` gives it; negative for cells out of sight."""

    def effects(self, snapshot: Any, decisions: Sequence[Any]) -> Sequence[tuple[str, str]]:
        """For each decision, ``now`` and ``towards`` of its ``Place``."""

    def in_reach(self, snapshot: Any) -> Reach | None:
        """The best that the visible pieces can set off; None where that can't be said."""

    def fire(self, snapshot: Any, decision: Any) -> str:
        """Whether to set off a chain now (``Advice.fire``). ``decision``: the player's."""

    def dangers(self, snapshot: Any) -> Sequence[Danger]:
        """What threatens this side."""

    def chance(self, snapshot: Any) -> float | None:
        """The chance of winning the match, 0 to 1; None outside matches, and where it can't be said."""


@dataclass(frozen=True, slots=True)
class _Placed:
    """A bare placement in the form of a decision."""

    placement: Any


def best_places(
    player: AnyPlayer,
    again: AnyPlayer,
    snapshot: Any,
    cells_of: Callable[[Any, Any], Cells],
    most: int = PLACES,
) -> list[tuple[Any, Cells]]:
    """The decisions that a player makes for a snapshot, the best first, with their cells: first freely, then without
    the places that it has named already.

    player: makes the first decision. again: a second player of the same kind, which makes all others, so that asking
    again doesn't change what the first one remembers. cells_of(snapshot, decision): where the piece comes to rest. Two
    placements with equal cells are one place. Only one place comes from players that don't heed ``snapshot.hands``.
    """
    found: list[tuple[Any, Cells]] = []
    hands = getattr(snapshot, "hands", None)

    def is_new(placement: Any) -> bool:
        cells = cells_of(snapshot, _Placed(placement))
        return all(cells != known for _, known in found) and (hands is None or hands(placement))

    while len(found) < most:
        asked = replace(snapshot, hands=is_new) if found and hasattr(snapshot, "hands") else snapshot
        decision = chosen(again if found else player, asked)
        if decision is None or not hasattr(decision, "placement"):
            break
        cells = cells_of(snapshot, decision)
        if any(cells == known for _, known in found):
            break
        found.append((decision, cells))
    return found


def advise(
    player: AnyPlayer,
    again: AnyPlayer,
    adviser: Adviser | None,
    snapshot: Any,
    cells_of: Callable[[Any, Any], Cells],
) -> Advice:
    """The advice for a snapshot. ``adviser`` None: only the places, for families that have none. See ``best_places``.

    Raises PlayerError when the player fails, FieldError for a snapshot that it can't search.
    """
    found = best_places(player, again, snapshot, cells_of)
    if adviser is None:
        return Advice(snapshot, tuple(Place(decision, cells) for decision, cells in found))
    dangers = sorted(adviser.dangers(snapshot), key=lambda danger: -danger.grave)
    chance = adviser.chance(snapshot)
    if not found:
        return Advice(snapshot, dangers=tuple(dangers), chance=chance)
    effects = adviser.effects(snapshot, [decision for decision, _ in found])
    places = (Place(*place, *effect) for place, effect in zip(found, effects, strict=True))
    return Advice(snapshot, tuple(places), adviser.fire(snapshot, found[0][0]), tuple(dangers), chance)
