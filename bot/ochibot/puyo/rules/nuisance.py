"""Nuisance: what a chain's points send, what waits above a field, how much falls at once, and where it lands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ochibot.errors import FieldError
from ochibot.puyo.rules.field import COLUMNS, EMPTY, NUISANCE, ROWS, Field
from ochibot.puyo.rules.profile import Rules


@dataclass(frozen=True, slots=True)
class Tray:
    """One player's side of the exchange. waiting: nuisance that is to fall on the player. points: points too few to
    make another nuisance puyo, kept for the next time. all_clear: whether the field became empty since the last chain.
    """

    waiting: int = 0
    points: int = 0
    all_clear: bool = False

    def after_chain(self, score: int, emptied: bool, rules: Rules) -> tuple[Tray, int]:
        """(the tray, nuisance sent to the opponent) after a chain of that many points; nothing for 0 points.

        ``emptied``: whether the chain emptied the field; its reward comes with the next chain. Nuisance that
        waits above the player is taken away first where the rules have ``offset``.
        """
        game = rules.nuisance
        if score <= 0 or not game.points_each:
            return self, 0
        bonus = game.all_clear_points if self.all_clear else 0
        made, rest = divmod(self.points + score + bonus, game.points_each)
        against = min(made, self.waiting) if game.offset else 0
        return Tray(self.waiting - against, rest, emptied), made - against

    def receive(self, sent: int) -> Tray:
        """The tray with more nuisance waiting."""
        return replace(self, waiting=self.waiting + sent)

    def fall(self, rules: Rules) -> tuple[Tray, int]:
        """(the tray, nuisance that falls now): at most so many at once; the others wait, or are gone."""
        falling = min(self.waiting, rules.nuisance.most_per_fall)
        left = self.waiting - falling if rules.nuisance.excess == "queue" else 0
        return replace(self, waiting=left), falling


def drop_nuisance(field: Field, count: int, order: Sequence[int], rules: Rules) -> Field:
    """The field after ``count`` nuisance puyos fell: full rows first, the rest one each in the columns of ``order``.

    ``order``: all columns 1..6, in any order; which ones a game takes is its own affair. What finds its column full is
    gone. The field must be settled. Raises FieldError when ``order`` isn't all columns.
    """
    if sorted(order) != list(range(1, COLUMNS + 1)):
        raise FieldError(f"nuisance falls in the order {list(order)}: give every column 1 to {COLUMNS} once")
    cells = field.cells.copy()
    rows, rest = divmod(count, COLUMNS)
    for place, x in enumerate(order):
        column = cells[:, x - 1]
        height = int((column != EMPTY).sum())
        for y in range(ROWS - height - 1, ROWS - height - 1 - rows - (place < rest), -1):
            if y >= rules.kept_top:
                column[y] = NUISANCE
    return Field.from_cells(cells)
