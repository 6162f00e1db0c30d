"""Nuisance: how much a chain's points send, how much waits above a field, how much falls at once, and where it
lands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ochibot.errors import FieldError
from ochibot.puyo.rules.field import COLUMNS, NUISANCE, ROWS, Field
from ochibot.puyo.rules.profile import Rules


@dataclass(frozen=True, slots=True)
class Tray:
    """One player's part in the exchange of nuisance.

    waiting: nuisance that will fall on the player. points: a remainder too small for another nuisance puyo, kept for
    the next chain. all_clear: whether the last chain emptied the field.
    """

    waiting: int = 0
    points: int = 0
    all_clear: bool = False

    def after_chain(
        self, score: int, emptied: bool, rules: Rules, frame: int = 0, most: int | None = None
    ) -> tuple[Tray, int]:
        """Applies a chain of ``score`` points; 0 points change nothing. Returns (the new tray, nuisance to be sent).

        ``emptied``: whether the chain emptied the field; the reward for it comes with the next chain. In rules with
        ``offset``, the player's own waiting nuisance is cancelled first. ``frame``: the round's frame count, for margin
        time. ``most``: the most nuisance that a game can count at once (None: no limit); points beyond it are lost.
        """
        game = rules.nuisance
        if score <= 0 or not game.points_each:
            return self, 0
        bonus, each = game.all_clear_points if self.all_clear else 0, game.points_at(frame)
        points = self.points + score + bonus
        made, rest = divmod(points if most is None else min(points, (most + 1) * each - 1), each)
        against = min(made, self.waiting) if game.offset else 0
        return Tray(self.waiting - against, rest, emptied), made - against

    def receive(self, sent: int) -> Tray:
        """The tray with more nuisance waiting."""
        return replace(self, waiting=self.waiting + sent)

    def fall(self, rules: Rules) -> tuple[Tray, int]:
        """Lets at most ``most_per_fall`` of the waiting nuisance fall. Returns (the new tray, how much falls).

        The rules decide whether the rest waits or is lost.
        """
        falling = min(self.waiting, rules.nuisance.most_per_fall)
        left = self.waiting - falling if rules.nuisance.excess == "queue" else 0
        return replace(self, waiting=left), falling


def nuisance_by_column(count: int, order: Sequence[int], field: Field, rules: Rules) -> tuple[int, ...]:
    """How many of ``count`` nuisance puyos come to lie in each column 1..6 of a settled field.

    ``order``: all columns, in the order in which they are filled, one puyo each, again and again; each game has its own
    order. When a column is full, its puyo is lost or the column is skipped (``Nuisance.full_columns``). Raises
    FieldError when ``order`` isn't all columns.
    """
    if sorted(order) != list(range(1, COLUMNS + 1)):
        raise FieldError(f"nuisance falls in the order {list(order)}: give every column 1 to {COLUMNS} once")
    room = [ROWS - rules.kept_top - height for height in field.heights()]
    if rules.nuisance.full_columns == "lose":
        rows, rest = divmod(count, COLUMNS)
        wanted = {x: rows + (place < rest) for place, x in enumerate(order)}
        return tuple(max(0, min(wanted[x], room[x - 1])) for x in range(1, COLUMNS + 1))
    falls = [0] * COLUMNS
    left = min(count, sum(free for free in room if free > 0))
    while left:
        for x in order:
            if left and falls[x - 1] < room[x - 1]:
                falls[x - 1] += 1
                left -= 1
    return tuple(falls)


def with_nuisance(field: Field, falls: Sequence[int]) -> Field:
    """The settled field with ``falls[x - 1]`` nuisance puyos on top of each column x."""
    cells = field.cells.copy()
    for x, (height, number) in enumerate(zip(field.heights(), falls, strict=True)):
        cells[ROWS - height - number : ROWS - height, x] = NUISANCE
    return Field.from_cells(cells)


def drop_nuisance(field: Field, count: int, order: Sequence[int], rules: Rules) -> Field:
    """The field after ``count`` nuisance puyos fell: see ``nuisance_by_column``. The field must be settled."""
    return with_nuisance(field, nuisance_by_column(count, order, field, rules))
