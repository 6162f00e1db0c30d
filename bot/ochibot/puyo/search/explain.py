"""Explains a choice: lists every lock position of the current piece with the best field that it leads to.

This is plain Python, and slow. The kernel makes the choice itself; tests compare both.
"""

from __future__ import annotations

from dataclasses import dataclass

from ochibot.errors import FieldError
from ochibot.puyo.rules.field import Field
from ochibot.puyo.rules.pair import Pair, Placement
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.resolve import Outcome, place
from ochibot.puyo.search.engine import OVER_NEXT, OVER_NOW
from ochibot.puyo.search.evaluate import Evaluation, evaluate
from ochibot.puyo.search.locks import lock_positions
from ochibot.puyo.search.player import PlayerConfig


@dataclass(frozen=True, slots=True)
class Explained:
    """One lock position of the current piece.

    value: the search's value of this lock. outcome: the result of this lock alone. reply: the best lock of the next
    piece after it. leaf: the field after both locks. evaluation: the evaluation of ``leaf``. With one ply, reply is
    None, and leaf is the field after the current piece. If this lock or every reply ends the game, reply, leaf and
    evaluation are None.
    """

    placement: Placement
    value: float
    outcome: Outcome
    reply: Placement | None
    leaf: Field | None
    evaluation: Evaluation | None


def explain(field: Field, pair: Pair, following: Pair | None, config: PlayerConfig, rules: Rules) -> list[Explained]:
    """Every lock position, the best first. Ties go to the first in the order of lock positions, as in the search.

    ``following``: the next piece; None searches the current piece only. Raises FieldError when the piece can't appear.
    """
    found = [_explain(field, pair, lock, following, config, rules) for lock in lock_positions(field, pair, rules)]
    if not found:
        raise FieldError("the piece can't appear on this field: its cells at the top of column 3 aren't free")
    return sorted(found, key=lambda one: -one.value)


def _explain(
    field: Field, pair: Pair, lock: Placement, following: Pair | None, config: PlayerConfig, rules: Rules
) -> Explained:
    outcome = place(field, pair, lock, rules)
    if outcome.game_over:
        return Explained(lock, OVER_NOW, outcome, None, None, None)
    if following is None:
        seen = evaluate(outcome.field, config, rules)
        return Explained(lock, seen.total, outcome, None, outcome.field, seen)
    best = Explained(lock, OVER_NEXT, outcome, None, None, None)
    for reply in lock_positions(outcome.field, following, rules):
        after = place(outcome.field, following, reply, rules)
        if after.game_over:
            continue
        seen = evaluate(after.field, config, rules)
        if best.reply is None or seen.total > best.value:
            best = Explained(lock, seen.total, outcome, reply, after.field, seen)
    return best
