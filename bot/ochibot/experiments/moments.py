"""Watches pieces fall and chooses the bytes that show a new piece, control, and the end of the game (the signs)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ochibot.errors import CalibrationError
from ochibot.experiments.basis import on_stack
from ochibot.experiments.driver import Fallen
from ochibot.experiments.effects import staircase_of
from ochibot.experiments.facts import Moments
from ochibot.experiments.known import Ground
from ochibot.experiments.learnt import Learnt
from ochibot.experiments.signs import (
    OverByte,
    SignByte,
    Watched,
    change_signs,
    control_bytes,
    control_values,
    over_signs,
    over_trace,
    phase_signs,
    spawn_signs,
    top_sign,
    watch,
    with_later,
)

PIECES_WATCHED = 10
PIECES_CONFIRMED = 6
SIGNS_POKED = 24
VALUES_POKED = 6
KEPT_FRAMES = 3
"""At most SIGNS_POKED bytes are poked with up to VALUES_POKED values each, and read again KEPT_FRAMES frames later."""

MOST_CLEARING: Final = 4000
"""A piece that sets off a chain is down, and its chain over, within so many frames."""

CHAINS: Final = (1, 2, 1)
"""The lengths of the chains that are watched too, because what looks like a new piece may come while cells vanish."""

SignAndControl = tuple[SignByte, tuple[int, ...]]


def drop_some(ground: Ground, seed: int, pieces: int, state: bytes) -> list[Fallen]:
    """Pieces dropped one after another into columns chosen by ``seed``, each on an emptied field, with their traces."""
    dice = random.Random(seed)
    falls = []
    for _ in range(pieces):
        column = dice.randrange(len(ground.columns))
        try:
            fallen = ground.drop(state, column=column, keep=True)
        except CalibrationError:
            # in a game of two the other side, which nobody plays, may have lost by now
            fallen = ground.drop(column=column, keep=True)
        falls.append(fallen)
        state = fallen.state
    return falls


def clear_some(ground: Ground, learnt: Learnt, state: bytes, chains: Sequence[int] = CHAINS) -> list[Fallen]:
    """Pieces that set off a chain each, one after another, with their traces; none of games without such groups.

    The field is painted with cells of the piece's own colours, so that nothing has to be poked into the piece. Chains
    that don't come about are left out.
    """
    falls: list[Fallen] = []
    if learnt.size is None or len(ground.colors) < 3:
        return falls
    for steps in chains:
        ground.rig.load(state)
        ram = ground.rig.snap()
        near, far = (byte.kind(ram) for byte in (learnt.near, learnt.far))
        low, high = (near, far) if learnt.stance.near_row == 0 else (far, near)
        others = [kind for kind in ground.colors if kind not in (low, high)]
        if low is None or not others:
            continue
        cells = staircase_of(learnt.size, [low, *others[:1]] * steps, steps)
        try:
            fallen = ground.drop(state, cells, column=0, keep=True, most=MOST_CLEARING)
        except CalibrationError:
            continue
        falls.append(fallen)
        state = fallen.state
    return falls


def find_moments(ground: Ground, learnt: Learnt) -> Moments:
    """Finds the signs: ten pieces and three chains suggest them, and six others confirm them."""
    falls = drop_some(ground, 1, PIECES_WATCHED, ground.state)
    falls += clear_some(ground, learnt, falls[-1].state)
    more = drop_some(ground, 2, PIECES_CONFIRMED, falls[-1].state)
    cells = [ground.grid.cell(c, r) for c in range(ground.grid.columns) for r in range(ground.visible)]
    # y is left out, because a piece may sink before it answers the pad
    sinking = {learnt.basis.y[0], *(learnt.stance.partner or ())[1:]}
    known = sorted(known_places(ground, learnt) - sinking)
    watched, again = watch(known, falls), watch(known, more)
    locks = []
    for fallen in falls:
        assert fallen.trace is not None
        field_bytes = fallen.trace[:, cells]
        locks.append(int((field_bytes != field_bytes[0]).any(axis=1).argmax()))
    taken = of_field(ground)
    signs, phases = (
        [sign for sign in found if sign.offset not in taken]
        for found in (spawn_signs(watched, again), phase_signs(watched, locks, again))
    )
    kept = only_kept(ground, signs), only_kept(ground, phases)
    if any(kept):
        signs, phases = kept
    off_stack = [[sign for sign in found if not on_stack(ground.rig, sign.offset)] for found in (signs, phases)]
    if any(off_stack):
        signs, phases = off_stack
    likely = [sign.offset for sign in (*signs, *phases)]
    ends = [over_trace(ground, ground.colors), over_trace(ground, ground.colors[::-1], falls[0].state)]
    over = over_signs(ends[0], watched, likely, ends[1:])
    over = [sign for sign in over if sign.offset not in taken]
    over.sort(key=lambda sign: on_stack(ground.rig, sign.offset))
    chosen = _chosen(ground, watched, again, locks, signs, phases, over)
    return chosen if chosen.over is None else replace(chosen, over=with_later(ground, chosen.over, watched))


def only_kept(ground: Ground, signs: list[SignByte]) -> list[SignByte]:
    """The signs whose byte keeps a poked value.

    A scratch byte may follow the game's phase by chance, but the game writes over it on every frame.
    """
    rig = ground.rig
    rest = rig.after(ground.state, [0] * KEPT_FRAMES)

    def kept(sign: SignByte) -> bool:
        values = [value for value in (*sign.others, *sign.values) if value != int(rest[sign.offset])][:VALUES_POKED]
        after = [rig.after(ground.state, [0] * KEPT_FRAMES, {sign.offset: value}) for value in values]
        return any(ram[sign.offset] != rest[sign.offset] for ram in after)

    return [sign for sign in signs[:SIGNS_POKED] if kept(sign)]


def of_field(ground: Ground) -> set[int]:
    """Offsets of the field's cells, with those above the visible rows."""
    rows = range(max(ground.visible + 2, ground.place.rows))
    return {ground.grid.cell(column, row) for column in range(ground.grid.columns) for row in rows}


def known_places(ground: Ground, learnt: Learnt) -> set[int]:
    """Offsets of all bytes that are known to belong to the field, the piece or NEXT."""
    known = {ground.grid.cell(c, r) for c in range(ground.grid.columns) for r in range(ground.visible)}
    known |= {learnt.basis.x[0], learnt.basis.y[0], learnt.near.steady, learnt.far.steady}
    known |= {byte.steady for pair in learnt.following for byte in pair}
    known |= {*(learnt.stance.partner or ())}
    return known if learnt.stance.turning.place is None else known | {learnt.stance.turning.place}


def _chosen(
    ground: Ground,
    watched: list[Watched],
    again: list[Watched],
    locks: list[int],
    signs: list[SignByte],
    phases: list[SignByte],
    over: list[OverByte],
) -> Moments:
    """Chooses the signs of a piece, of control and of the end.

    Prefers ``signs``, or ``phases`` if none of ``signs`` shows control. Without either: a counter of pieces, or else y
    when it is at the top.
    """

    def ended(place: int | None) -> OverByte | None:
        return next((one for one in over if one.offset == place), over[0] if over else None)

    best: tuple[tuple[bool, bool], SignAndControl] | None = None
    for sign in signs[:8]:
        control = control_values(watched, sign.offset, locks)
        # prefer a byte that also shows control and the end of the game: it is likely to be the game's own phase
        rank = (bool(control), any(one.offset == sign.offset for one in over))
        if best is None or rank > best[0]:
            best = rank, (sign, control)
    if best is not None and (best[0][0] or not phases):
        sign, control = best[1]
        return Moments(sign, control, ended(sign.offset), len(watched))
    for sign in sorted(phases, key=lambda sign: not any(one.offset == sign.offset for one in over)):
        return Moments(sign, sign.values, ended(sign.offset), len(watched))
    place, own = next(iter(control_bytes(watched, locks).items()), (None, ()))
    for sign in change_signs(watched, again):
        return Moments(sign, own, ended(place), len(watched), "changes", place)
    top = top_sign(watched, ground.driver.y.offset, again)
    if top is not None:
        return Moments(top, own, ended(place), len(watched), "is", place)
    return Moments(None, (), ended(None), len(watched))
