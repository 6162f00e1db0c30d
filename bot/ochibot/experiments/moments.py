"""Watches pieces fall and chooses the bytes that show a new piece, control, and the end of the game (the signs)."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final

from ochibot.errors import CalibrationError
from ochibot.experiments.control import followed_end
from ochibot.experiments.coordinates import on_stack
from ochibot.experiments.driver import Fallen
from ochibot.experiments.effects import staircase_of
from ochibot.experiments.facts import Moments
from ochibot.experiments.known import Ground
from ochibot.experiments.learnt import Learnt
from ochibot.experiments.pad import USUAL
from ochibot.experiments.signs import (
    OverByte,
    SignByte,
    Watched,
    change_signs,
    control_bytes,
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

TAIL: Final = 12
"""So many frames of the next piece are watched, too."""

IDLE_PIECES: Final = 2
"""So many pieces of those that confirm the signs fall without a press."""

MOST_IDLE: Final = 3000
TOO_LONG: Final = 2
"""A piece that takes so many times as long as most has landed while it was steered."""

ABOVE: Final = 2
"""So many rows above the visible ones may hold cells, too."""

ENDS: Final = 4
"""So many games are ended."""

ENDINGS: Final = 12
"""At most so many bytes are poked to see whether they end a game."""


def drop_some(ground: Ground, seed: int, pieces: int, state: bytes, idle: int = 0) -> list[Fallen]:
    """Pieces dropped one after another into columns chosen by ``seed``, each on an emptied field, with their traces.
    The first ``idle`` of them fall without a press.
    """
    dice = random.Random(seed)
    falls: list[Fallen] = []
    for number in range(pieces):
        column = ground.columns[dice.randrange(len(ground.columns))]
        for here in (state, ground.state):
            try:
                if number < idle:
                    fallen = ground.driver.fall(here, pokes=ground.painted(), keep=True, pad=0, most=MOST_IDLE)
                else:
                    fallen = ground.driver.fall(here, column=column, pokes=ground.painted(), keep=True, about=True)
            except CalibrationError:
                # in a game of two the other side, which nobody plays, may have lost by now
                continue
            falls.append(fallen)
            state = fallen.state
            break
    if not falls:
        raise CalibrationError("no piece comes to rest")
    return falls


def clear_some(ground: Ground, learnt: Learnt, state: bytes) -> list[Fallen]:
    """Pieces that set off a chain each, one after another, with their traces; none of games without such groups.

    The field is painted with cells of the piece's own colours, so that nothing has to be poked into the piece. Chains
    that don't come about are left out.
    """
    falls: list[Fallen] = []
    if learnt.size is None or len(ground.colors) < 3:
        return falls
    for steps in CHAINS:
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


def find_moments(ground: Ground, learnt: Learnt, refused: Collection[int] = (), ends: Collection[int] = ()) -> Moments:
    """Finds the signs: ten pieces and three chains suggest them, and six others confirm them. refused: offsets that
    show no new piece; ends: those that show no end.
    """
    falls = _usual(drop_some(ground, 1, PIECES_WATCHED, ground.state))
    falls += clear_some(ground, learnt, falls[-1].state)
    more = drop_some(ground, 2, PIECES_CONFIRMED, falls[-1].state, IDLE_PIECES)
    cells = [ground.grid.cell(c, r) for c in range(ground.grid.columns) for r in range(ground.visible)]
    # y is left out, because a piece may sink before it answers the pad, and so may its cells, where it is drawn
    sinking = {learnt.basis.y[0], *(learnt.stance.partner or ())[1:], *(cells if learnt.basis.drawn else ())}
    known = sorted(known_places(ground, learnt) - sinking)
    # a game that reads the pad slowly may see a press that began before the piece answers
    slack = ground.driver.tap.on if ground.driver.tap.on > USUAL.on else 0
    watched, again = (
        watch(
            known, some, cells, learnt.basis.y[0], drawn=learnt.basis.drawn is not None, slack=slack,
            tails=[ground.rig.branch(one.state, [0] * (TAIL + 2 * slack)) for one in some],
        )
        for some in (falls, more)
    )  # fmt: skip
    every = [*watched, *again]
    taken = ground.of_field(ABOVE)

    def fit(found: Sequence[SignByte]) -> list[SignByte]:
        """Those outside the field: where there are some, only such that keep what is poked, and then no stack."""
        left = [sign for sign in found if sign.offset not in taken and sign.offset not in refused]
        left = only_kept(ground, left) or left
        return [sign for sign in left if not on_stack(ground.rig, sign.offset)] or left

    control = control_bytes(every)
    signs, phases = fit(spawn_signs(watched, again)), fit(phase_signs(every))
    elsewhere = [[one for one in some if not on_stack(ground.rig, one.offset)] for some in (signs, phases)]
    if any(elsewhere):
        # a byte of the stack may be right for some pieces by chance
        signs, phases = elsewhere
    changes = fit(change_signs(watched, again))
    shown = fit([SignByte(place, values, (), 0, 0) for place, values in list(control.items())[:SIGNS_POKED]])
    over = _overs(ground, falls, every, [sign.offset for sign in (*phases, *shown)])
    over = [one for one in over if one.offset not in ends]
    top = top_sign(watched, ground.driver.y.offset, again)
    chosen = _chosen(control, signs, phases, changes, shown, over, top, len(every))
    return chosen if chosen.over is None else replace(chosen, over=with_later(ground, chosen.over, every))


def _usual(falls: list[Fallen]) -> list[Fallen]:
    """The falls without those that took much longer than most."""
    usual = sorted(fallen.frames for fallen in falls)[len(falls) // 2]
    return [fallen for fallen in falls if fallen.frames < TOO_LONG * usual]


def _overs(
    ground: Ground, falls: Sequence[Fallen], watched: Sequence[Watched], likely: Sequence[int]
) -> list[OverByte]:
    """Signs of the end, from several ends with other colours and pieces."""
    rig, ends = ground.rig, []
    colors = ground.colors
    for number in range(ENDS):
        codes = [colors[(number + step) % len(colors)] for step in range(2)][:: 1 if number % 2 else -1]
        try:
            ends.append(over_trace(ground, codes, falls[number - 1].state if number else None))
        except CalibrationError:
            continue
    if len(ends) < 2:
        raise CalibrationError("a full column doesn't end the game")
    taken = ground.of_field(ABOVE)
    tall = watch([], _tall(ground), [], ground.driver.y.offset, drawn=True)
    traces = [one.trace for one in (*watched, *tall)]
    found = [one for one in over_signs(ends[0], traces, likely, ends[1:]) if one.offset not in taken]
    found.sort(key=lambda one: on_stack(rig, one.offset))
    if found and found[0].offset not in likely:
        # what the last search left behind may show full columns; what ends the game when it is poked is no such thing
        ending = {one.offset for one in found[:ENDINGS] if followed_end(ground.driver, ground.state, one, found) >= 0}
        found.sort(key=lambda one: one.offset not in ending)
    return found


def _tall(ground: Ground) -> list[Fallen]:
    """Falls beside high columns: so the field's copies have cells in rows that pieces rarely reach."""
    falls = []
    ground.rig.load(ground.state)
    _, row = ground.place.spot(ground.driver.x_now(), ground.driver.y_now())
    # a piece that appears inside the field needs room below it
    room = min(ground.visible - 1, row) - 3
    for shift in range(2):
        codes = [ground.colors[(shift + step) % len(ground.colors)] for step in range(2)]
        cells = {(c, r): codes[(c + r) % 2] for c in range(ground.grid.columns) for r in range(ground.visible)
                 if abs(c - ground.spawn_column) > 1}  # fmt: skip
        low = {(ground.spawn_column, row): codes[row % 2] for row in range(room)}
        for some in (cells, low):
            try:
                falls.append(ground.drop(cells=some, keep=True))
            except CalibrationError:
                continue
    return falls


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


def known_places(ground: Ground, learnt: Learnt) -> set[int]:
    """Offsets of all bytes that are known to belong to the field, the piece or NEXT."""
    known = {ground.grid.cell(c, r) for c in range(ground.grid.columns) for r in range(ground.visible)}
    known |= {learnt.basis.x[0], learnt.basis.y[0], learnt.near.steady, learnt.far.steady}
    known |= {byte.steady for pair in learnt.following for byte in pair}
    known |= {*(learnt.stance.partner or ())}
    return known | {*learnt.stance.turning.places}


def _chosen(
    control: Mapping[int, tuple[int, ...]],
    signs: Sequence[SignByte],
    phases: Sequence[SignByte],
    changes: Sequence[SignByte],
    shown: Sequence[SignByte],
    over: Sequence[OverByte],
    top: SignByte | None,
    pieces: int,
) -> Moments:
    """Chooses the signs of a piece, of control and of the end.

    The best is a byte with a value for announced pieces that shows control, too, then one that shows control alone.
    Without either: a counter of pieces, or whatever else shows new pieces, and another byte that shows control.
    """
    ends = {one.offset for one in over}

    def made(sign: SignByte | None, own: tuple[int, ...], place: int | None, kind: str = "is") -> Moments:
        byte = place if place is not None else sign.offset if sign is not None else None
        end = next((one for one in over if one.offset == byte), over[0] if over else None)
        return Moments(sign, own, end, pieces, kind, place)

    both = [sign for sign in signs if len(sign.values) == 1 and sign.offset in control]
    # what shows the end as well is the game's phase; a scratch byte may follow it while pieces fall
    if both and (not ends & {sign.offset for sign in phases} or ends & {sign.offset for sign in both}):
        sign = max(both, key=lambda sign: sign.offset in ends)
        return made(sign, control[sign.offset], None)
    if phases:
        sign = max(phases, key=lambda sign: sign.offset in ends)
        return made(sign, sign.values, None)
    at, own = (shown[0].offset, shown[0].values) if shown else (None, ())
    if changes:
        return made(changes[0], own, at, "changes")
    for sign in (*signs[:1], *([] if top is None else [top])):
        return made(sign, own, None if at == sign.offset else at)
    return made(None, (), None)
