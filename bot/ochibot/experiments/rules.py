"""The experiments on the rules, once field, piece and colours are known: what vanishes, which rows count, the score."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from ochibot.errors import CalibrationError
from ochibot.experiments.basis import ground_of
from ochibot.experiments.cap import measure_cap
from ochibot.experiments.documented import NO_HINTS, Hints
from ochibot.experiments.effects import (
    MOST_CLEAR,
    Event,
    Poker,
    clear_size,
    scoring_events,
    sort_codes,
)
from ochibot.experiments.facts import Above, Rows
from ochibot.experiments.formula import Formula
from ochibot.experiments.fraction import find_fraction
from ochibot.experiments.known import Ground
from ochibot.experiments.learnt import Learnt
from ochibot.experiments.measure import FAMILY_ROWS, measure_above, measure_between, measure_kicks, measure_rows
from ochibot.experiments.moments import known_places
from ochibot.experiments.needles import find_attack_score, find_needles
from ochibot.experiments.notebook import Notebook
from ochibot.experiments.owed import measure_owed
from ochibot.experiments.score import Score, find_score
from ochibot.experiments.strange import find_strange
from ochibot.experiments.trials import chain_events, measure_formula
from ochibot.experiments.views import with_plane

CODES_TRIED = 16
MOST_HIDDEN = 1
DOUBTED = 4
"""A formula that doesn't explain more than one in so many of its trials isn't the game's."""


def learn_rows(book: Notebook, learnt: Learnt, ground: Ground, poker: Poker) -> tuple[Ground, Poker]:
    """Learns how many equal cells vanish, and which rows count. Returns the ground and the poker with those rows."""
    learnt.size = size = book.page("what vanishes", lambda: _size(poker))
    rows = None if size is None else book.page("rows that count", lambda: measure_rows(poker, size))
    if rows is None:
        return ground, poker
    learnt.rows = rows
    basis = learnt.basis
    # where all rows count for groups, nothing tells the hidden ones but the place where pieces appear; no game has
    # FAMILY_ROWS visible rows
    most = MOST_HIDDEN if rows.kept < FAMILY_ROWS else rows.kept
    hidden = rows.grouping == rows.kept and 0 < rows.kept - basis.appears <= most
    visible = basis.appears if hidden else rows.grouping
    learnt.basis = replace(basis, visible=visible, place=replace(basis.place, rows=rows.kept))
    return _anew(learnt, ground, poker)


def _anew(learnt: Learnt, ground: Ground, poker: Poker) -> tuple[Ground, Poker]:
    """The ground and the poker with what is known of the field now."""
    ground = ground_of(ground.rig, ground.state, learnt.basis, learnt.stance, learnt.shape)
    return ground, replace(poker, ground=ground)


def learn_rules(book: Notebook, learnt: Learnt, ground: Ground, poker: Poker, hints: Hints = NO_HINTS) -> None:
    """Learns kicks, the hidden rows, other codes and the score; or needles, where no group vanishes by its size."""
    learnt.kicks = book.page("kicks", lambda: measure_kicks(ground, learnt.stance))
    learnt.lower = book.page("between rows", lambda: measure_between(ground, learnt.stance))
    size = learnt.size
    if size is None:
        _learn_needles(book, learnt, poker, ground)
        return
    learnt.above = book.page("hidden rows", lambda: _above(learnt, ground, poker))
    _hide_top(learnt)
    learnt.strange = book.page("what falls by itself", lambda: find_strange(ground))
    seen = () if learnt.strange is None else tuple(learnt.strange.codes)
    if learnt.strange is not None and learnt.strange.plane is not None:
        assert learnt.basis.view is not None
        learnt.basis = replace(learnt.basis, view=with_plane(learnt.basis.view, learnt.strange.plane))
        ground, poker = _anew(learnt, ground, poker)
    learnt.sort = book.page("other codes", lambda: sort_codes(poker, size, _untried(ground), seen))
    events: list[Event] = []

    def made() -> list[Event]:
        # the notebook may have the score already, and these frames with it
        events.extend([] if events else [*scoring_events(poker, size), *chain_events(poker, size)])
        return events

    refused = book.refused("the score")
    score = book.page("the score", lambda: _score(poker, size, made(), known_places(ground, learnt) | refused, hints))
    learnt.score = score
    if score is not None:
        learnt.cap = cap = book.page("the score's cap", lambda: measure_cap(poker, score, size))
        learnt.formula = book.page("the formula", lambda: _formula(poker, score, made(), size, cap))
        failed = "the formula" in book.failed and "the formula" not in book.untried
        if failed or (learnt.formula is not None and learnt.formula.other_form):
            # only by the published formula a cell is worth 10 points or more
            learnt.score = replace(score, scale=1)
            learnt.cap = None if cap is None else cap // score.scale
            learnt.formula = None if learnt.formula is None else learnt.formula.divided(score.scale)
        fall = None if learnt.timing is None else learnt.timing.fall
        if learnt.formula is not None and learnt.formula.drop_bonus and fall:
            # such points are counted anywhere between two rows
            y = learnt.basis.y[0]
            learnt.fraction = book.page("parts of a row", lambda: find_fraction(ground.rig, ground.state, y, fall))
            if learnt.fraction is not None and learnt.lower is None:
                parts = "between rows, by their parts"
                learnt.lower = book.page(parts, lambda: measure_between(ground, learnt.stance, learnt.fraction))
        learnt.owed = (
            book.page("a bonus that is paid later", lambda: measure_owed(poker, learnt.score or score, size)) or 0
        )


def _learn_needles(book: Notebook, learnt: Learnt, poker: Poker, ground: Ground) -> None:
    """Learns the rules of the nyaa family, in which blocks vanish only when needles set them off."""
    needles = book.page("needles", lambda: find_needles(poker, _untried(ground)))
    if needles is None:
        return
    learnt.needles = needles
    # no failure: in this game no group vanishes by its size alone, so there is no clear size to learn
    book.excuse("what vanishes")
    found = book.page("the score by attack", lambda: find_attack_score(poker, needles))
    if found is not None:
        learnt.score, learnt.attack_each, _ = found


def _above(learnt: Learnt, ground: Ground, poker: Poker) -> Above:
    rows = learnt.rows or Rows(ground.visible, ground.visible)
    return measure_above(ground, learnt.stance, poker, rows, learnt.basis.appears)


def _hide_top(learnt: Learnt) -> None:
    """Takes the highest row for a hidden one that counts for groups, where nothing is above it: no other shows, and
    rules have a row for the upper half of a pair.
    """
    above = learnt.above
    if above is not None and (above.hidden_rows, above.ceiling) == (0, "solid"):
        learnt.above = replace(above, hidden_rows=1, hidden_clear=True)
        learnt.basis = replace(learnt.basis, visible=learnt.basis.visible - 1)


def _size(poker: Poker) -> int:
    found = clear_size(poker)
    if found is None:
        raise CalibrationError(f"no groups of up to {MOST_CLEAR} equal cells vanish by themselves")
    return found


def _untried(ground: Ground) -> list[int]:
    """Up to CODES_TRIED codes that no piece had: multiples of the smallest difference between known codes."""
    low = ground.mask & -ground.mask
    known = {*ground.colors, ground.grid.empty & ground.mask}
    steps = [b - a for a, b in zip(sorted(known), sorted(known)[1:], strict=False)]
    step = max(low, min(steps)) if steps else low
    return [code for code in range(0, 256, step) if not code & ~ground.mask and code not in known][:CODES_TRIED]


def _formula(poker: Poker, score: Score, events: list[Event], size: int, cap: int | None) -> Formula:
    """The formula. Where it doesn't explain what groups are worth, nothing tells which zeros the screen adds."""
    found = measure_formula(poker, score, events, size, cap)
    if score.scale > 1 and found.wrong * DOUBTED > found.trials:
        raise CalibrationError("no formula that is known explains what groups are worth; the score is written unscaled")
    return found


def _score(poker: Poker, size: int, events: list[Event], taken: Collection[int], hints: Hints) -> Score:
    score = find_score(poker, events, size, taken, hints.score)
    if score is None:
        raise CalibrationError("no number grows as groups and chains vanish")
    return score
