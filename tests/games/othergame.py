"""Falling-pair games that keep their state in other ways: ``FakeGame``, written into RAM as each layout says.

A layout is plain Python that writes the state into RAM; the map that a test gives describes the same RAM in the map
language. Neither uses the other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from ochibot.console import Button, Ram
from ochibot.falling.orientation import STEP, Orientation
from ochibot.games.puyolook import PuyoLook
from ochibot.games.puyoseat import PuyoSeat
from ochibot.games.table import Phases, Table
from ochibot.puyo.rules.pair import Action, Pair, PairState
from ochibot.puyo.rules.profile import Rules
from ochibot.ram import RamMap

from tests.fakegame import FakeGame
from tests.puyo import FAMICOM
from tests.titles import TABLE

NEVER = -1 << 40


@dataclass(frozen=True)
class Moment:
    """What a game shows in a frame: the field's codes [row][column] from the top, pairs, positions, score, ..."""

    cells: list[list[int]]
    pair: Pair
    following: Pair
    state: PairState
    partner: tuple[int, int]
    score: int
    announced: bool
    over: bool
    pairs: int
    """Pairs dealt."""


Layout = Callable[[Ram, Moment], None]


@dataclass
class OtherGame(FakeGame):
    """A game that writes its state as a layout says."""

    layout: Layout = lambda *_: None

    def _write(self) -> None:
        dx, dy = STEP[self._state.orientation]
        moment = Moment(
            self.field.cells.tolist(),
            self._pair,
            self._next,
            self._state,
            (self._state.x + dx, self._state.y + dy),
            self.score,
            self._delay > 0,
            self.over,
            self.locks + 1,
        )
        self.layout(self.ram, moment)


def with_rows(visible: int, hidden: int, ceiling: str = "solid") -> Rules:
    """The famicom rules with these numbers of visible and hidden rows, and this ceiling."""
    return replace(FAMICOM, name=f"{visible}+{hidden}", visible_rows=visible, hidden_rows=hidden, ceiling=ceiling)  # type: ignore[arg-type]


def table_of(rules: Rules, orientations: dict[int, Orientation] | None = None) -> Table:
    """The table of a game that only its map describes."""
    return replace(
        TABLE,
        name="other",
        map_games=(),
        rules=rules.name,
        phases=Phases(NEVER, NEVER, NEVER),
        playing=None,
        over=None,
        spawn_signs=(),
        spawn=rules.spawn,
        orientations=orientations or {},
        buttons={**TABLE.buttons, Action.DOWN: Button.DOWN},
    )


def map_of(content: dict[str, Any]) -> RamMap:
    """A map of an ``OtherGame``; entries and code tables count as calibrated unless they say otherwise."""
    entries = {name: {"source": "calibrated", **entry} for name, entry in content["entries"].items()}
    codes = {name: {"source": "calibrated", "values": values} for name, values in content.get("codes", {}).items()}
    head = {"game": "other", "name": "one", "system": "nes", "seat": 1}
    return RamMap.model_validate({**head, **content, "entries": entries, "codes": codes})


def seat_of(ram_map: RamMap, ram: Ram, rules: Rules, orientations: dict[int, Orientation] | None = None) -> PuyoSeat:
    """A seat of an ``OtherGame``."""
    return PuyoSeat(table_of(rules, orientations), PuyoLook(None, 0), ram_map, ram, rules)
