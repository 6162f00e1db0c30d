"""Finds signs: bytes that show that a new piece is there, that it answers the pad, or that the game is over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from ochibot.console import Button
from ochibot.errors import CalibrationError
from ochibot.experiments.driver import Fallen
from ochibot.experiments.known import Ground
from ochibot.experiments.rig import Bytes, tap

MOST_VALUES = 40
"""A byte with more values than this during a sign is regarded as a counter and left out."""

MOST_SCATTERED = 4
"""A sign may have more values than this only if they lie close together, as those of a countdown do."""

MOST_PHASES = 16
"""A byte with more values than this can't hold the game's phase."""

LOCK_SLACK = 12
"""A game's phase may change at most this many frames before the locked piece is in the field."""

OVER_WAIT = 420
"""The game is over at most this many frames after the last lock."""


UNATTENDED = 4000
"""Frames in which a game that nobody plays ends by itself."""

LASTING = 60
MOST_LATER = 4


@dataclass(frozen=True)
class Watched:
    """A piece's fall. trace: RAM after each frame. final: the first frame on which the field, the next piece and NEXT
    have their final values. control: the first frame with the next piece under control.
    """

    trace: Bytes
    final: int
    control: int


@dataclass(frozen=True)
class SignByte:
    """A byte, its ``values`` while it gives a sign, and ``others``: its values at all other times."""

    offset: int
    values: tuple[int, ...]
    others: tuple[int, ...]
    early: int
    """The sign comes at most this many frames after everything is final."""
    gap: int
    """The sign ends at most this many frames before control begins."""


def watch(known: Sequence[int], falls: Sequence[Fallen]) -> list[Watched]:
    """Finds for each fall the frame on which the bytes at the ``known`` offsets became final."""
    found = []
    for fallen in falls:
        assert fallen.trace is not None
        trace = fallen.trace
        part = trace[:, list(known)]
        same = (part == part[-1]).all(axis=1)
        final = len(trace) - 1
        while final > 0 and same[final - 1]:
            final -= 1
        found.append(Watched(trace, max(final, fallen.reset - 1), len(trace)))
    return found


def _inside(watched: Sequence[Watched]) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Two (256, size) tables: which values each byte has before everything is final, and which from then to control."""
    size = watched[0].trace.shape[1]
    outside = np.zeros((256, size), bool)
    inside = np.zeros((256, size), bool)
    columns = np.arange(size)
    for one in watched:
        for number, ram in enumerate(one.trace):
            (outside if number < one.final else inside)[ram, columns] = True
    return outside, inside


def spawn_signs(watched: Sequence[Watched], again: Sequence[Watched] = ()) -> list[SignByte]:
    """Bytes that have some values only between the moment when everything is final and control; the best first.

    Bytes with many values far apart are left out: bytes of the CPU's stack have such values. ``again``: further pieces
    on which the signs are checked, to drop those that were right by chance.
    """
    outside, inside = _inside(watched)
    own = inside & ~outside
    places = np.flatnonzero(own.any(axis=0) & (own.sum(axis=0) <= MOST_VALUES))
    found = []
    for place in places:
        values = np.flatnonzero(own[:, place])
        if len(values) > MOST_SCATTERED and values[-1] - values[0] >= 2 * len(values):
            continue
        timed = _announced(watched, int(place), values)
        if timed is None or _announced(again, int(place), values) is None:
            continue
        others = tuple(int(v) for v in np.flatnonzero(outside[:, place]))
        found.append(SignByte(int(place), tuple(int(v) for v in values), others, *timed))
    return sorted(found, key=lambda sign: (sign.gap > 2, sign.early > 2, len(sign.values), sign.gap + sign.early))


def _announced(watched: Sequence[Watched], place: int, values: npt.NDArray[np.int64]) -> tuple[int, int] | None:
    """(most frames from ``final`` to the sign, most from its end to control); None if the sign fails for a piece."""
    early = gap = 0
    for one in watched:
        says = np.isin(one.trace[one.final :, place], values)
        edges = np.flatnonzero(says[1:] != says[:-1])
        if np.isin(one.trace[: one.final, place], values).any():
            return None
        if not says.any() or says[:1].sum() + (says[1:] & ~says[:-1]).sum() != 1 or len(edges) > 2:
            return None
        where = np.flatnonzero(says)
        early = max(early, int(where[0]))
        gap = max(gap, len(says) - 1 - int(where[-1]))
    return early, gap


def phase_signs(watched: Sequence[Watched], locks: Sequence[int], again: Sequence[Watched] = ()) -> list[SignByte]:
    """Bytes that have one value from about when everything is final until the piece locks, and at no other time.

    Such a byte gives the sign of a new piece when it takes that value, and the sign of control while it keeps it.
    """
    value = watched[0].trace[0]
    good = np.ones(len(value), bool)
    early = np.zeros(len(value), np.int64)
    others = np.zeros((256, len(value)), bool)
    columns = np.arange(len(value))
    for number, one in enumerate((*watched, *again)):
        holds = one.trace == value
        edges = holds[1:] != holds[:-1]
        good &= holds[0] & holds[-1] & (edges.sum(axis=0) == 2)
        fall = edges.argmax(axis=0) + 1
        rise = len(edges) - edges[::-1].argmax(axis=0)
        good &= rise >= one.final
        if number < len(locks):
            good &= fall >= locks[number] - LOCK_SLACK
        early = np.maximum(early, rise - one.final)
        for ram in one.trace:
            others[ram, columns] = True
    found = []
    for place in np.flatnonzero(good & (others.sum(axis=0) <= MOST_PHASES)):
        rest = others[:, place].copy()
        rest[value[place]] = False
        unlike = tuple(int(v) for v in np.flatnonzero(rest))
        found.append(SignByte(int(place), (int(value[place]),), unlike, int(early[place]), 0))
    return sorted(found, key=lambda sign: (sign.early, sign.offset))


def change_signs(watched: Sequence[Watched], again: Sequence[Watched] = ()) -> list[SignByte]:
    """Bytes that change once per piece, after everything is final: counters of pieces, or indices into a list.

    Those that usually grow by the same amount come first: a random number may stay the same by chance.
    """
    size = watched[0].trace.shape[1]
    good = np.ones(size, bool)
    early = np.zeros(size, np.int64)
    steps = np.stack([one.trace[-1] - one.trace[0] for one in (*watched, *again)])
    usual = np.sort(steps, axis=0)[len(steps) // 2]
    odd = (steps != usual).sum(axis=0) > len(steps) // 4
    for one in (*watched, *again):
        changes = one.trace[1:] != one.trace[:-1]
        frame = changes.argmax(axis=0) + 1
        good &= (changes.sum(axis=0) == 1) & (frame >= one.final)
        early = np.maximum(early, frame - one.final)
    found = [SignByte(int(place), (), (), int(early[place]), 0) for place in np.flatnonzero(good)]
    return sorted(found, key=lambda sign: (bool(odd[sign.offset]), sign.early, sign.offset))


def top_sign(watched: Sequence[Watched], place: int, again: Sequence[Watched] = ()) -> SignByte | None:
    """Raw y as the sign of a new piece. None unless it goes to the top once per piece, after everything is final."""
    value = int(watched[0].trace[watched[0].final, place])
    early = 0
    for one in (*watched, *again):
        holds = one.trace[:, place] == value
        rises = np.flatnonzero(holds[1:] & ~holds[:-1]) + 1
        if len(rises) != 1 or rises[0] < one.final:
            return None
        early = max(early, int(rises[0]) - one.final)
    return SignByte(place, (value,), (), early, 0)


def control_bytes(watched: Sequence[Watched], locks: Sequence[int]) -> dict[int, tuple[int, ...]]:
    """Bytes with values that they have only while pieces answer the pad; those with the fewest values come first."""
    size = watched[0].trace.shape[1]
    steady = np.ones(size, bool)
    for one, lock in zip(watched, locks, strict=True):
        steady &= (one.trace[: max(1, lock - LOCK_SLACK)] == one.trace[0]).all(axis=0)
    found = {int(place): control_values(watched, int(place), locks) for place in np.flatnonzero(steady)}
    return dict(sorted(((place, own) for place, own in found.items() if own), key=lambda item: (len(item[1]), item[0])))


def control_values(watched: Sequence[Watched], place: int, locks: Sequence[int]) -> tuple[int, ...]:
    """The values that a byte has only while pieces answer the pad; empty when there are none."""
    during: set[int] = set()
    else_: set[int] = set()
    for one, lock in zip(watched, locks, strict=True):
        column = one.trace[:, place]
        during |= {int(v) for v in column[:lock]}
        else_ |= {int(v) for v in column[lock : one.final]}
    own = during - else_
    covered = all(int(v) in own for one in watched for v in one.trace[: max(1, len(one.trace) // 8), place])
    return tuple(sorted(own)) if own and covered and len(own) <= 8 else ()


@dataclass(frozen=True)
class OverByte:
    """A byte and the value that it has only when the game is over. since: how many frames after the last
    fall began the value appeared. later: values that followed it and that it never has in play either.
    """

    offset: int
    value: int
    since: int
    later: tuple[int, ...] = ()


def over_trace(ground: Ground, codes: Sequence[int], state: bytes | None = None) -> Bytes:
    """RAM after each frame while a piece locks on a full column. Raises CalibrationError if play goes on after it.

    ``state``: a savestate of another piece; None: the first piece.
    """
    column = ground.spawn_column
    cells = {(column, row): codes[row % 2] for row in range(ground.visible - 1)}
    rig = ground.rig
    rig.load(ground.state if state is None else state)
    rig.poke(ground.painted(cells))
    seen = rig.trace([int(Button.DOWN)] * 60 + [0] * OVER_WAIT)
    here = rig.save()
    x = ground.driver.x.offset
    still = rig.after(here, [0] * 10)[x]
    moved = [rig.after(here, tap(b, on=4, off=6))[x] != still for b in (Button.LEFT, Button.RIGHT)]
    if all(moved):
        raise CalibrationError("a full column doesn't end the game")
    return seen


def with_later(ground: Ground, over: OverByte, watched: Sequence[Watched]) -> OverByte:
    """The sign with the values that follow it while nobody presses anything, as many as make sense for a phase."""
    rig, place = ground.rig, over.offset
    normal = {int(value) for one in watched for value in one.trace[:, place]}
    column = ground.spawn_column
    stack = {(column, row): ground.colors[row % 2] for row in range(ground.visible - 1)}
    later: list[int] = []
    # the second time nothing is poked: the pieces pile up by themselves, on both sides of a game of two
    for pokes in (ground.painted(stack), {}):
        rig.load(ground.state)
        rig.poke(pokes)
        tail = []
        for _ in range(UNATTENDED):
            rig.step()
            tail.append(rig.peek(place))
        last = max((number for number, value in enumerate(tail) if value in normal), default=-1)
        after = tail[last + 1 :]
        if len(after) >= LASTING:
            later += [value for value in dict.fromkeys(after) if value != over.value and after.count(value) >= LASTING]
    fresh = tuple(sorted(set(later)))
    return replace(over, later=fresh) if len(fresh) <= MOST_LATER else over


def over_signs(
    trace: Bytes, watched: Sequence[Watched], first: Sequence[int], again: Sequence[Bytes] = ()
) -> list[OverByte]:
    """Bytes that keep, for 90 frames, a value which they have in none of the ``watched`` traces. ``first`` come first.

    ``again``: further ends of games, which must show the same value.
    """
    size = trace.shape[1]
    normal = np.zeros((256, size), bool)
    columns = np.arange(size)
    for one in watched:
        for ram in one.trace:
            normal[ram, columns] = True
    strange = ~normal[trace, columns]
    found = []
    for place in np.flatnonzero(strange.any(axis=0)):
        where = np.flatnonzero(strange[:, place])
        begin = int(where[0])
        value = int(trace[begin, place])
        long = 0
        while begin + long < len(trace) and trace[begin + long, place] == value:
            long += 1
        if long >= 90 and all((other[:, place] == value).sum() >= 90 for other in again):
            found.append(OverByte(int(place), value, begin))
    few = {sign.offset: int(normal[:, sign.offset].sum()) for sign in found}
    return sorted(
        found, key=lambda sign: (sign.offset not in first, few[sign.offset] > MOST_PHASES, sign.since, sign.offset)
    )
