"""Signs are told by naive traces in which each byte does one thing: what it is a sign of is known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ochibot.experiments.driver import Fallen
from ochibot.experiments.rig import Bytes
from ochibot.experiments.signs import (
    LONG,
    Watched,
    change_signs,
    control_bytes,
    over_signs,
    phase_signs,
    spawn_signs,
    top_sign,
    watch,
)

(Y, CELL, NEXT, PHASE, FLAG, COUNT, TIMER, CLOCK, NOISE, CONST, COARSE, LATE, TWICE, RARE, DOWN) = range(15)
STEERED, LOCKED, POPS, ANNOUNCED, OVER = 3, 5, 6, 7, 0
DICE = np.random.default_rng(4)


def piece(number: int, *, announce: int = 8, pops: int | None = None, disturbed: bool = False) -> Fallen:
    """A piece that falls by a row every four frames, rests, locks, and after some pops the next one is announced."""
    falls, rests = 4 * (6 + number % 3), 6 + number % 2
    pops = 20 if pops is None else pops
    locked = falls + rests
    final = locked + pops
    size = final + announce
    trace = np.zeros((size, 15), np.uint8)
    frames = np.arange(size)
    trace[:, Y] = np.where(frames < final, np.minimum(frames // 4, falls // 4), 0)
    trace[locked:, CELL] = 1 + number % 3
    trace[:, NEXT] = np.where(frames < final, 10 + number % 4, 10 + (number + 1) % 4)
    trace[:, PHASE] = STEERED
    trace[locked:final, PHASE] = LOCKED
    trace[locked + 4 : final, PHASE] = POPS
    trace[final:, PHASE] = ANNOUNCED
    trace[final:, FLAG] = 1
    trace[:, COUNT] = np.where(frames < final, number, number + 1)
    trace[final:, TIMER] = announce - np.arange(announce)
    trace[:, CLOCK] = (frames + 37 * number) % 256
    trace[:, NOISE] = DICE.integers(0, 256, size)
    trace[:, CONST] = 9
    # announced and falling pieces look the same
    trace[:, COARSE] = np.where((frames < locked) | (frames >= final), 1, 2)
    trace[:, LATE] = np.where(frames >= min(final + 3, size - 1), 1, 0)
    # a flag that also comes as cells vanish
    trace[final:, TWICE] = trace[locked + 5 : locked + 8, TWICE] = 1
    trace[:, RARE] = 4
    trace[:, DOWN] = np.where(frames < locked, 1, 0)
    if disturbed:
        trace[locked + 5, FLAG] = 1
    trace[size - 1, [Y]] = 0
    return Fallen(b"", trace[-1], falls // 4, final + 1, 0, size, 0, trace[falls], trace)


def watched(pieces: int = 12, **said: Any) -> list[Watched]:
    return watch([CELL, NEXT], [piece(number, **said) for number in range(pieces)], [CELL], Y)


def test_the_moments_of_a_fall_are_found() -> None:
    for number, one in enumerate(watched()):
        falls, rests = 4 * (6 + number % 3), 6 + number % 2
        locked = falls + rests
        assert (one.locked, one.final, one.control) == (locked, locked + 20, locked + 28)
        # it rests only a few frames before it locks
        assert one.steered == max(1, locked - 12)
    (one,) = watched(1, pops=2)
    assert one.control - one.final == 8


def test_a_piece_that_is_drawn_into_the_field_locks_before_the_next_one_appears() -> None:
    (one,) = watch([CELL, NEXT], [piece(0)], [CELL], Y, drawn=True)
    assert one.locked == piece(0).reset - 3


def test_a_trace_goes_on_with_its_tail() -> None:
    fall = piece(1)
    tail = np.full((5, 15), 2, np.uint8)
    (one,) = watch([CELL, NEXT], [fall], [CELL], Y, tails=[tail], slack=2)
    assert (len(one.trace), one.control, one.slack) == (fall.frames + 5, fall.frames, 2)
    assert (one.trace[fall.frames :] == 2).all()


def test_bytes_with_values_for_announced_pieces_alone_are_signs() -> None:
    found = {sign.offset: sign for sign in spawn_signs(watched(8), watched(4))}
    assert found.keys() == {PHASE, FLAG, TIMER, LATE}
    assert (found[PHASE].values, found[PHASE].others) == ((ANNOUNCED,), (STEERED, LOCKED, POPS))
    assert (found[FLAG].values, found[FLAG].others) == ((1,), (0,))
    assert found[TIMER].values == tuple(range(1, 9))
    assert [(found[at].early, found[at].gap) for at in (PHASE, FLAG, LATE)] == [(0, 0), (0, 0), (3, 0)]
    order = [sign.offset for sign in spawn_signs(watched(8), watched(4))]
    # those that come at once, and have one value, come first
    assert order == [PHASE, FLAG, TIMER, LATE]


@pytest.mark.parametrize(("pieces", "kept"), [(13, False), (14, True), (20, True)])
def test_one_piece_of_fourteen_may_contradict_a_sign(pieces: int, kept: bool) -> None:
    usual = [piece(number) for number in range(pieces - 1)]
    odd = piece(pieces, pops=30)
    assert odd.trace is not None
    # here the byte also rises before everything is final
    some = watch([CELL, NEXT], [*usual, odd], [CELL], Y)
    some[-1].trace[some[-1].final - 12, FLAG] = 1
    found = {sign.offset for sign in spawn_signs(some[:-1], some[-1:])}
    assert (FLAG in found) is kept
    assert PHASE in found


def test_bytes_that_change_once_a_piece_count_pieces() -> None:
    found = change_signs(watched(8), watched(4))
    offsets = [sign.offset for sign in found]
    assert offsets == [NEXT, FLAG, COUNT, LATE]
    late = next(sign for sign in found if sign.offset == LATE)
    assert late.early == 3
    assert next(sign for sign in found if sign.offset == COUNT).early == 0


def tailed(pieces: int = 12) -> list[Watched]:
    """Each trace goes on as the next piece falls."""
    falls = [piece(number) for number in range(pieces)]
    tails = [one.trace[:16] for one in [*falls[1:], falls[0]] if one.trace is not None]
    return watch([CELL, NEXT], falls, [CELL], Y, tails=tails)


def test_bytes_that_tell_when_a_piece_answers() -> None:
    found = control_bytes(tailed())
    assert found[PHASE] == (STEERED,)
    assert found[COARSE] == (1,)
    assert found[DOWN] == (1,)
    # announced pieces have other values only in some of them
    exact = [place for place in found if place in (PHASE, DOWN, COARSE)]
    assert exact.index(COARSE) == 2
    # an empty field tells it as well
    assert found[CELL] == (0,)
    assert not {NOISE, CLOCK, CONST, NEXT, RARE, COUNT} & found.keys()


def test_a_coarse_phase_is_a_sign_too() -> None:
    found = {sign.offset: sign for sign in phase_signs(tailed())}
    assert COARSE in found
    assert (found[COARSE].values, found[COARSE].others, found[COARSE].early) == ((1,), (2,), 0)
    # in this one a piece that answers has a value of its own, which comes later
    assert (found[PHASE].values, found[PHASE].early) == ((STEERED,), 8)


def test_raw_y_goes_to_the_top_once_a_piece() -> None:
    sign = top_sign(watched(8), Y, watched(4))
    assert sign is not None
    assert (sign.offset, sign.values, sign.early) == (Y, (0,), 0)
    # a byte that has its first value again as cells vanish is no such sign
    assert top_sign(watched(8), TWICE) is None or top_sign(watched(8), TWICE).values == (1,)  # type: ignore[union-attr]
    assert top_sign(watched(8), NOISE) is None


def ended(*, begins: int = 20, lasts: int = 150, value: int = OVER) -> Bytes:
    """A game's end: the phase has a value of its own from some frame on, and a curtain falls over the field."""
    trace = np.zeros((180, 15), np.uint8)
    trace[:, PHASE] = STEERED
    trace[begins : begins + lasts, PHASE] = value
    trace[:, NEXT] = 10
    trace[:, COARSE] = 1
    trace[:, RARE] = 4
    trace[begins + 10 :, RARE] = 77
    trace[begins : begins + 5, CONST] = 0
    trace[begins + 5 :, CONST] = 9
    trace[:begins, CONST] = 9
    trace[:, CLOCK] = np.arange(180) % 200
    return trace


def test_the_end_has_a_value_that_lasts_and_that_play_never_has() -> None:
    every = [one.trace for one in watched()]
    found = over_signs(ended(), every, [], [ended(begins=33), ended(begins=28)])
    signs = {sign.offset: sign for sign in found}
    assert signs.keys() == {PHASE, RARE}
    assert (signs[PHASE].value, signs[PHASE].since) == (OVER, 33)
    assert (signs[RARE].value, signs[RARE].since) == (77, 43)
    assert [sign.offset for sign in found] == [PHASE, RARE]
    assert [sign.offset for sign in over_signs(ended(), every, [RARE])] == [RARE, PHASE]


@pytest.mark.parametrize(("lasts", "sign"), [(LONG - 1, False), (LONG, True), (LONG + 1, True)])
def test_what_doesn_t_last_is_no_sign_of_the_end(lasts: int, sign: bool) -> None:
    found = over_signs(ended(lasts=lasts), [one.trace for one in watched()], [])
    assert (PHASE in {one.offset for one in found}) is sign


def test_all_ends_must_have_the_same_value() -> None:
    every = [one.trace for one in watched()]
    found = over_signs(ended(), every, [], [ended(value=1)])
    assert {one.offset for one in found} == {RARE}
    # a value that play has is none of the end
    assert {one.offset for one in over_signs(ended(value=LOCKED), every, [])} == {RARE}
