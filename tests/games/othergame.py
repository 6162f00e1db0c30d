"""Falling-pair games that keep their state in other forms: each is a ``FakeGame`` with a layout.

A layout is plain Python that writes the state into RAM. A test's map describes the same RAM independently of it, in the
map language.
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
    """A game's state on a frame. cells: codes by [row][column] from the top. partner: its (x, y)."""

    cells: list[list[int]]
    pair: Pair
    following: Pair
    state: PairState
    partner: tuple[int, int]
    score: int
    announced: bool
    over: bool
    pairs: int
    """How many pairs have been dealt."""


Layout = Callable[[Ram, Moment], None]


@dataclass
class OtherGame(FakeGame):
    """A game that writes its state into RAM by its layout."""

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
    """The famicom rules with other numbers of visible and hidden rows, and another ceiling."""
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
    """A map of an ``OtherGame``. The source is ``calibrated`` of code tables, and of entries that give no other."""
    entries = {name: {"source": "calibrated", **entry} for name, entry in content["entries"].items()}
    codes = {name: {"source": "calibrated", "values": values} for name, values in content.get("codes", {}).items()}
    head = {"game": "other", "name": "one", "system": "nes", "seat": 1}
    return RamMap.model_validate({**head, **content, "entries": entries, "codes": codes})


def seat_of(ram_map: RamMap, ram: Ram, rules: Rules, orientations: dict[int, Orientation] | None = None) -> PuyoSeat:
    """A seat of an ``OtherGame``."""
    return PuyoSeat(table_of(rules, orientations), PuyoLook(None, 0), ram_map, ram, rules)
