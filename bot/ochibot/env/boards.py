"""What the environments need of each family: actions, observations and legal placements.

An action is a number: the place of a lock in the order of locks (``lock_order`` of the family). All fields of an
observation are arrays of numbers, the same for the simulator and for a console.
"""

from __future__ import annotations

from itertools import islice
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from ochibot.errors import UsageError
from ochibot.nyaa.rules import grid as grids
from ochibot.nyaa.rules.file import load_rules as load_nyaa_rules
from ochibot.nyaa.rules.lock import check_match_rules
from ochibot.nyaa.search.locks import lock_order as nyaa_locks
from ochibot.nyaa.search.locks import lock_positions
from ochibot.overlay.coaching import CoachLine, CoachView, draw_coach, size_of
from ochibot.overlay.duel import COLORS, NUISANCE
from ochibot.overlay.text import Color
from ochibot.puyo.rules import field as fields
from ochibot.puyo.rules.file import load_rules as load_puyo_rules
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.search.locks import lock_order as puyo_locks
from ochibot.puyo.search.placements import placements

Observation = dict[str, npt.NDArray[np.generic]]
"""field: the planes of the settled field, uint8 0 or 1, (colours + 1, rows, columns); the top row first, the plane of
nuisance last. pairs: the colours of the falling pair and of those shown next, (pairs, 2), the axis first; 0 where
nothing is shown. mask: which actions are legal, int8 0 or 1.
"""


class EnvBoard(Protocol):
    """A family by one rules profile. space: of its observations. actions: how many there are."""

    rules: Any
    actions: int
    space: spaces.Dict

    def begin(self) -> None:
        """Call it when a game begins."""

    def legal(self, snapshot: Any) -> dict[int, Any]:
        """The legal placements of the falling piece, by action. Different actions lead to different fields."""

    def seen(self, snapshot: Any, legal: dict[int, Any]) -> Observation:
        """The observation of a snapshot."""


def _space(planes: tuple[int, int, int], pairs: int, actions: int) -> spaces.Dict:
    return spaces.Dict(
        {
            "field": spaces.Box(0, 1, planes, np.uint8),
            "pairs": spaces.Box(0, planes[0] - 1, (pairs, 2), np.uint8),
            "mask": spaces.Box(0, 1, (actions,), np.int8),
        }
    )


def _observed(
    codes: npt.NDArray[np.uint8], known: tuple[int, ...], pairs: Any, mask: npt.NDArray[np.int8]
) -> Observation:
    planes = np.stack([codes == code for code in known]).astype(np.uint8)
    return {"field": planes, "pairs": np.array(pairs, np.uint8), "mask": mask}


class PuyoBoard:
    """Puyo Puyo. The planes have the rows that hold puyos (``rules.kept_rows``); row 0 may be out of sight.

    Colours are numbered anew in each game, in the order in which they are first seen: Tsu deals other four of its five
    colours in each game, which makes no difference to play.
    """

    def __init__(self, rules: str | Rules, colors: int, shown: int) -> None:
        """``rules``: a profile, or its name. ``colors``: how many the game deals, 3 to 5.

        ``shown``: how many next pairs are seen, 1 or 2.

        Raises ConfigError for unknown rules, UsageError for other numbers.
        """
        if not 3 <= colors <= 5 or shown not in (1, 2):
            raise UsageError(f"an environment has 3 to 5 colours and 1 or 2 next pairs, not {colors} and {shown}")
        self.rules = load_puyo_rules(rules) if isinstance(rules, str) else rules
        self.colors, self.shown = colors, shown
        self._locks = {lock: number for number, lock in enumerate(puyo_locks())}
        self.actions = len(self._locks)
        self._labels: dict[int, int] = {}
        rows = self.rules.kept_rows
        self.space = _space((colors + 1, rows, fields.COLUMNS), 1 + shown, self.actions)
        self._cut = (fields.ROWS - rows) * fields.COLUMNS
        self._shape = rows, fields.COLUMNS

    def legal(self, snapshot: Any) -> dict[int, Any]:
        """The legal placements."""
        found = placements(snapshot.field, snapshot.pair, self.rules, snapshot.state)
        return {self._locks[lock.x, lock.orientation]: lock for lock in found}

    def seen(self, snapshot: Any, legal: dict[int, Any]) -> Observation:
        """The observation."""
        mask = np.zeros(self.actions, np.int8)
        mask[list(legal)] = 1
        codes = np.frombuffer(snapshot.field.codes, np.uint8)[self._cut :].reshape(self._shape)
        labels = self._labels
        shown = []
        for pair in [snapshot.pair, *(snapshot.next_pair, *snapshot.foreseen)[: self.shown]]:
            shown.append([0 if pair.is_unknown else labels.setdefault(code, len(labels) + 1) for code in pair])
        # colours that haven't come yet have a plane of their own already, empty
        coming = (code for code in fields.COLORS if code not in labels)
        known = (*labels, *islice(coming, self.colors - len(labels)), fields.NUISANCE)
        return _observed(codes, known, [*shown, *[(0, 0)] * (1 + self.shown - len(shown))], mask)

    def begin(self) -> None:
        """Forgets the numbers of the colours."""
        self._labels.clear()


class NyaaBoard:
    """Pochi & Nyaa. An action also says whether the pair locks as needles; both next pairs are seen."""

    def begin(self) -> None:
        """A game changes nothing here."""

    def __init__(self, rules: str) -> None:
        """Raises ConfigError for unknown rules, and for those by which no match can be played."""
        self.rules = load_nyaa_rules(rules)
        check_match_rules(self.rules)
        self._locks = {lock: number for number, lock in enumerate(nyaa_locks())}
        self.actions = len(self._locks)
        self._known = (*grids.COLORS, grids.NUISANCE)
        self.space = _space((len(self._known), grids.ROWS, grids.COLUMNS), 3, self.actions)

    def legal(self, snapshot: Any) -> dict[int, Any]:
        """The legal placements."""
        found = lock_positions(snapshot.grid, snapshot.pair, snapshot.state)
        return {self._locks[lock.x, lock.orientation, lock.needle]: lock for lock in found}

    def seen(self, snapshot: Any, legal: dict[int, Any]) -> Observation:
        """The observation."""
        mask = np.zeros(self.actions, np.int8)
        mask[list(legal)] = 1
        codes = np.frombuffer(snapshot.grid.codes, np.uint8).reshape(grids.ROWS, grids.COLUMNS)
        return _observed(codes, self._known, [snapshot.pair, *snapshot.nexts], mask)


_SCALE: Final = 2


def drawn(board: EnvBoard, snapshot: Any, score: float) -> npt.NDArray[np.uint8]:
    """The picture of the field, with the falling and the next pairs as coloured lines of text beside it."""
    seen = board.seen(snapshot, {})
    planes = seen["field"]
    colors: list[Color] = [COLORS[code] for code in range(1, len(planes))] + [COLORS[NUISANCE]]
    rows = tuple(
        tuple(next((colors[p] for p in range(len(planes)) if planes[p, y, x]), None) for x in range(planes.shape[2]))
        for y in range(planes.shape[1])
    )
    lines = [CoachLine(f"score {score:,.0f}")]
    for name, pair in zip(("pair", "next", "then"), seen["pairs"].tolist(), strict=False):
        for half in pair:
            if half:
                lines.append(CoachLine(f"{name} ●", colors[half - 1]))
    view = CoachView(rows, (), tuple(lines))
    return draw_coach(view, size_of(len(rows), len(rows[0]), _SCALE), _SCALE)
