"""Finds signs: bytes that show that a new piece is there, that it answers the pad, or that the game is over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from ochibot.console import Button
from ochibot.errors import CalibrationError
from ochibot.experiments.driver import Fallen
from ochibot.experiments.known import Ground
from ochibot.experiments.pad import Tap
from ochibot.experiments.rig import Bytes

MOST_VALUES = 40
"""A byte with more values than this during a sign is regarded as a counter and left out."""

MOST_SCATTERED = 4
"""A sign may have more values than this only if they lie close together, as those of a countdown do."""

MOST_PHASES = 16
"""A byte with more values than this can't hold the game's phase."""

MOST_CONTROL: Final = 8
"""A byte with more values than this while pieces answer doesn't show it."""

LOCK_SLACK = 12
"""A game's phase may change at most this many frames before the locked piece is in the field."""

EARLY: Final = 4
"""A piece may answer so many frames before it was seen to answer."""

PIECES_TO_ERR: Final = 14
"""One of so many pieces may contradict what all others show."""

OVER_WAIT = 420
"""The game is over at most this many frames after the last lock."""

UNATTENDED = 4000
"""Frames in which a game that nobody plays ends by itself."""

LASTING = 60
LONG: Final = 90
MOST_LATER = 4

Values = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Watched:
    """A piece's fall. trace: RAM after each frame. steered: until this frame the piece is sure to answer. locked: from
    this frame on it is sure not to. final: the first frame on which the field, the next piece and NEXT have their final
    values. control: the first frame with the next piece under control, or up to ``slack`` frames before it.
    """

    trace: Bytes
    steered: int
    locked: int
    final: int
    control: int
    slack: int = 0


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


def watch(
    known: Sequence[int],
    falls: Sequence[Fallen],
    cells: list[int],
    y: int,
    *,
    drawn: bool = False,
    tails: Sequence[Bytes] = (),
    slack: int = 0,
) -> list[Watched]:
    """Finds for each fall the frame on which the bytes at the ``known`` offsets became final.

    cells: the offsets of the field's cells; y: that of raw y. drawn: whether the falling piece is drawn into the cells.
    tails: RAM after each further frame.
    """
    found = []
    for number, fallen in enumerate(falls):
        assert fallen.trace is not None
        trace = fallen.trace
        part = trace[:, list(known)]
        same = (part == part[-1]).all(axis=1)
        control = final = len(trace)
        while final > 1 and same[final - 1]:
            final -= 1
        final = max(final if final > 1 else 0, fallen.reset - 1)
        # two frames before the next piece appears, the last one has locked
        locked = max(1, fallen.reset - 3) if drawn else int((trace[:, cells] != trace[0, cells]).any(axis=1).argmax())
        rests = int((trace[:, y] == fallen.lowest).argmax())
        steered = max(1, min(locked - LOCK_SLACK, rests))
        if tails:
            trace = np.vstack([trace, tails[number]])
        found.append(Watched(trace, steered, locked, min(final, control - 1), control, slack))
    return found


def spawn_signs(watched: Sequence[Watched], again: Sequence[Watched] = ()) -> list[SignByte]:
    """Bytes that have some values only between the moment when everything is final and control; the best first.

    Bytes with many values far apart are left out: bytes of the CPU's stack have such values. ``again``: further pieces
    on which the signs are checked, to drop those that were right by chance.
    """
    outside = times_of([part for one in watched for part in (one.trace[: one.final], one.trace[one.control :])])
    inside = times_of([one.trace[one.final : one.control] for one in watched])
    own = (inside > 0) & (outside == 0)
    places = np.flatnonzero(own.any(axis=0) & (own.sum(axis=0) <= MOST_VALUES))
    found = []
    for place in places:
        values = np.flatnonzero(own[:, place])
        if len(values) > MOST_SCATTERED and values[-1] - values[0] >= 2 * len(values):
            continue
        timed = _announced([*watched, *again], int(place), values)
        if timed is not None:
            others = tuple(int(v) for v in np.flatnonzero(outside[:, place]))
            found.append(SignByte(int(place), tuple(int(v) for v in values), others, *timed))
    return sorted(found, key=lambda sign: (sign.gap > 2, sign.early > 2, len(sign.values), sign.gap + sign.early))


def times_of(parts: Sequence[Bytes]) -> npt.NDArray[np.int16]:
    """A (256, size) table: in how many of the parts each byte has each value."""
    size = parts[0].shape[1]
    columns = np.arange(size)
    found = np.zeros((256, size), np.int16)
    for part in parts:
        seen = np.zeros((256, size), bool)
        for ram in part:
            seen[ram, columns] = True
        found += seen
    return found


def _announced(watched: Sequence[Watched], place: int, values: Values) -> tuple[int, int] | None:
    """(most frames from ``final`` to the sign, most from its end to control); None if the sign, which must rise once,
    fails for more than one piece of PIECES_TO_ERR.
    """
    early, gap, wrong = [], [], 0
    for one in watched:
        says = np.isin(one.trace[:, place], values)
        where = one.slack + np.flatnonzero(says[one.slack + 1 :] & ~says[one.slack : -1]) + 1
        ok = len(where) == 1 and one.final <= where[0] < one.control + one.slack + 1
        wrong += not ok
        if ok:
            early.append(int(where[0]) - one.final)
            # with slack, the sign may come some frames after control
            shown = np.flatnonzero(says[: one.control])
            gap.append(max(0, one.control - 1 - int(shown[-1])) if len(shown) and not says[0] else 0)
    return None if wrong > len(watched) // PIECES_TO_ERR else (max(early, default=0), max(gap, default=0))


def phase_signs(watched: Sequence[Watched]) -> list[SignByte]:
    """Bytes that show control, and take a value of control once per piece, when everything is final; the best first.

    Such a byte gives the sign of a new piece, too.
    """
    found = []
    for place, values in control_bytes(watched).items():
        timed = _announced(watched, place, np.array(values))
        if timed is not None:
            others = {int(v) for one in watched for v in one.trace[:, place]} - set(values)
            found.append(SignByte(place, values, tuple(sorted(others)), timed[0], 0))
    return found


def change_signs(watched: Sequence[Watched], again: Sequence[Watched] = ()) -> list[SignByte]:
    """Bytes that change once per piece, after everything is final: counters of pieces, or indices into a list.

    Those that change by the same amount each time come first.
    """
    every = (*watched, *again)
    wrong = np.zeros(watched[0].trace.shape[1], np.int64)
    early = np.zeros(len(wrong), np.int64)
    steps = []
    for one in every:
        changes = one.trace[1:] != one.trace[:-1]
        frame = changes.argmax(axis=0) + 1
        good = (changes.sum(axis=0) == 1) & (frame >= one.final)
        wrong += ~good
        early = np.where(good, np.maximum(early, frame - one.final), early)
        steps.append(one.trace[-1] - one.trace[0])
    usual = np.median(np.array(steps), axis=0)
    odd = (np.array(steps) != usual).sum(axis=0) > len(steps) // 4
    found = [SignByte(int(place), (), (), int(early[place]), 0)
             for place in np.flatnonzero(wrong <= len(every) // PIECES_TO_ERR)]  # fmt: skip
    return sorted(found, key=lambda sign: (bool(odd[sign.offset]), sign.early, sign.offset))


def top_sign(watched: Sequence[Watched], place: int, again: Sequence[Watched] = ()) -> SignByte | None:
    """Raw y as the sign of a new piece. None unless it goes to the top once per piece, after everything is final."""
    value = int(watched[0].trace[watched[0].final, place])
    timed = _announced([*watched, *again], place, np.array([value]))
    return None if timed is None else SignByte(place, (value,), (), timed[0], 0)


def control_bytes(watched: Sequence[Watched]) -> dict[int, tuple[int, ...]]:
    """Bytes with values that they have only while pieces answer the pad; those that tell announced pieces from such
    that answer come first, then those with the fewest values.
    """
    inside = times_of([np.vstack([one.trace[min(one.slack, one.steered - 1) : one.steered],
                                one.trace[one.control + one.slack :]]) for one in watched])  # fmt: skip
    most = len(watched) // PIECES_TO_ERR
    found: dict[int, tuple[int, ...]] = {}
    for exact in (True, False):
        parts = [one.trace[one.locked : max(one.final, one.control - EARLY) if exact else one.final]
                 for one in watched]  # fmt: skip
        if not any(map(len, parts)):
            continue
        outside = times_of(parts)
        own = (inside > most) & (outside <= most)
        # all values of most pieces must be its own
        strange = np.where(own, 0, inside).max(axis=0)
        good = (strange <= most) & (own.sum(axis=0) <= MOST_CONTROL) & own.any(axis=0) & (outside.max(axis=0) > most)
        values = {place: tuple(np.flatnonzero(own[:, place]).tolist()) for place in np.flatnonzero(good).tolist()}
        for place in sorted(values, key=lambda place: (_leaves(watched, place, values[place]), len(values[place]))):
            found.setdefault(place, values[place])
    return found


def _leaves(watched: Sequence[Watched], place: int, values: Sequence[int]) -> int:
    """How long before a lock a byte mostly has none of these values any more. A count of the frames that a piece has
    lain leaves them while the piece still answers.
    """
    away = []
    for one in watched:
        says = np.isin(one.trace[: one.locked, place], values)
        away.append(int(np.argmax(says[::-1])) if says.any() else one.locked)
    return sorted(away)[len(away) // 2]


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
    moved = [rig.after(here, Tap(4, 6).pads(b))[x] != still for b in (Button.LEFT, Button.RIGHT)]
    if all(moved):
        raise CalibrationError("a full column doesn't end the game")
    rig.load(here)
    # the end may just have come
    return np.vstack([seen, rig.trace([0] * LONG)])


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
    trace: Bytes, play: Sequence[Bytes], first: Sequence[int], again: Sequence[Bytes] = ()
) -> list[OverByte]:
    """Bytes that keep, for LONG frames, a value which they have in none of the traces of ``play``. ``first`` come
    first.

    ``again``: further ends of games, which must show the same value.
    """
    normal = times_of(play) > 0
    columns = np.arange(trace.shape[1])
    strange = ~normal[trace, columns]
    found = []
    for place in np.flatnonzero(strange.any(axis=0)):
        # what comes at the end may give way to another value, as where a curtain falls first
        for value in dict.fromkeys(trace[strange[:, place], place].tolist()):
            begins = [_lasting(one[:, place] == value) for one in (trace, *again)]
            if all(begin is not None for begin in begins):
                # the field's copies may have the value by chance before a curtain falls over them
                found.append(OverByte(int(place), value, max(begin or 0 for begin in begins)))
                break
    few = {sign.offset: int(normal[:, sign.offset].sum()) for sign in found}
    return sorted(
        found, key=lambda sign: (sign.offset not in first, few[sign.offset] > MOST_PHASES, sign.since, sign.offset)
    )


def _lasting(holds: npt.NDArray[np.bool_]) -> int | None:
    """The first frame of LONG ones in a row on which something holds; None if there are none."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], holds.astype(np.int8), [0]])))
    return next((int(begin) for begin, end in zip(edges[::2], edges[1::2], strict=True) if end - begin >= LONG), None)
