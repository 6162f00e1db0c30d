"""Mechanisms of the falling piece, and of what comes next."""

from __future__ import annotations

from random import Random

from tests.strangers.maker.mechanism import Changes, Mechanism, setting
from tests.strangers.maker.spec import Spec


def _pixels(rng: Random, spec: Spec) -> Changes:
    cell = 8 if spec.height > 14 or spec.width > 12 or rng.random() < 0.4 else 16
    up = spec.count_up
    origin = rng.choice((0, 8, 16, 24, 40)), rng.choice((0, 8, 15, 24, 32)) + (180 if up else 0)
    return {"cell": cell, "origin": origin, "sub": rng.choice(("pixels", "pixels", "timer"))}


def _bounce(rng: Random, spec: Spec) -> Changes:
    made = _pixels(rng, spec) if spec.cell < 8 else {}
    return made | {"bounce": 2 * rng.randint(1, 5), "sub": "pixels"}


def _spawn_lying(rng: Random, spec: Spec) -> Changes:
    column, row, _ = spec.spawn
    turn = rng.choice((1, 3)) if spec.rules not in ("tetrominoes", "capsules") else 1
    return {"spawn": (min(max(column, 1), spec.width - 2), max(row, 1), turn)}


def _spawn_inside(rng: Random, spec: Spec) -> Changes:  # noqa: ARG001
    column, row, turn = spec.spawn
    return {"spawn": (column, max(row, spec.hidden + (3 if spec.rules == "triplets" else 2)), turn)}


def _spawn_above(rng: Random, spec: Spec) -> Changes:  # noqa: ARG001
    column, _, turn = spec.spawn
    if spec.kind == "family":
        return {"spawn": (column, max(0, spec.hidden - 1), turn), "ceiling": 1}
    return {"spawn": (column, 0, turn), "ceiling": 2}


def _sides(rng: Random) -> tuple[int, int, int, int]:
    """Numbers for up, right, down, left: another start, the other way round, in steps."""
    start, way = rng.randrange(4), rng.choice((1, 3))
    step, first = rng.choice((1, 1, 1, 2, 4, 64)), rng.choice((0, 0, 0, 1, 4))
    sides = [(first + (start + way * side) % 4 * step) & 255 for side in range(4)]
    if sides == [0, 1, 2, 3]:
        sides = [0, 3, 2, 1]
    return sides[0], sides[1], sides[2], sides[3]


_PAIRS = "pairs detonators bombs"
_TURNING = "pairs detonators bombs capsules tetrominoes"
_FALLING = "pairs detonators bombs tiles triplets bars"

PIECE: tuple[Mechanism, ...] = (
    Mechanism("pixels", "x and y are in pixels", "cell sub", lambda s: s.cell >= 8, _pixels, 0.25),
    Mechanism(
        "sinking",
        "y sinks pixel by pixel while one steers",
        "cell sub",
        lambda s: s.sub == "pixels",
        lambda r, s: _pixels(r, s) | {"sub": "pixels"},
        0.25,
    ),
    Mechanism(
        "bounces",
        "a piece bounces by some pixels when it lands",
        "cell sub bounce",
        lambda s: s.bounce > 0,
        _bounce,
        0.3,
    ),
    Mechanism(
        "fraction", "y is a row and a fraction", "sub", lambda s: s.sub == "fraction", setting(sub="fraction"), 0.3
    ),
    Mechanism(
        "cell_index",
        "the place is the number of a cell",
        "place cell",
        lambda s: s.place == "cell",
        lambda r, s: {"place": "cell", "row_extra": r.choice((0, 1, 2, 16 - s.width))},
        0.35,
        f"{_FALLING} capsules",
    ),
    Mechanism(
        "place_pointer",
        "the place is a pointer into the field",
        "place cell area form",
        lambda s: s.place == "pointer",
        setting(place="pointer"),
        0.85,
        f"{_FALLING} capsules",
    ),
    Mechanism(
        "halves",
        "each half has a place of its own, and there is no orientation",
        "place",
        lambda s: s.place == "halves",
        setting(place="halves"),
        0.3,
        _PAIRS,
    ),
    Mechanism(
        "turns_in_a_box",
        "pairs turn within a box of 2 x 2 cells",
        "boxed place orientation",
        lambda s: s.boxed,
        setting(boxed=True, quick_turn=False),
        0.3,
        _PAIRS,
        since=1000,
    ),
    Mechanism(
        "other_sides",
        "orientations have other numbers",
        "sides",
        lambda s: s.sides != (0, 1, 2, 3) and s.orientation == "byte" and s.place != "halves",
        lambda r, _: {"sides": _sides(r)},
        0.5,
        _TURNING,
    ),
    Mechanism(
        "codes_turn",
        "the piece's codes turn with it, and there is no orientation",
        "orientation piece_codes",
        lambda s: s.orientation == "codes",
        setting(orientation="codes"),
        0.4,
        "pairs capsules tetrominoes",
    ),
    Mechanism(
        "origin",
        "columns and rows count from other numbers",
        "origin",
        lambda s: s.origin != (0, 0) and s.cell == 1 and s.place in ("axis", "halves"),
        lambda r, s: {"origin": (r.choice((1, 1, 3, 10)), r.choice((1, 2, 5, 0x20)) + 12 * s.count_up)},
        0.3,
    ),
    Mechanism(
        "y_up",
        "y counts from the floor up",
        "y_up",
        lambda s: s.count_up,
        lambda r, s: {
            "count_up": True,
            "origin": (s.origin[0], (s.height - 1) * s.cell + s.cell % 8 + r.choice((0, 1, 7))),
        },
        0.25,
    ),
    Mechanism(
        "lying",
        "pieces appear lying",
        "spawn",
        lambda s: s.spawn[2] in (1, 3),
        _spawn_lying,
        0.25,
        f"{_PAIRS} tetrominoes",
    ),
    Mechanism(
        "appears_inside",
        "pieces appear inside the field",
        "spawn",
        lambda s: s.spawn[1] >= s.hidden + (3 if s.rules == "triplets" else 2),
        _spawn_inside,
        0.25,
    ),
    Mechanism(
        "appears_above",
        "pieces appear above the visible field",
        "spawn ceiling",
        lambda s: s.spawn[1] < s.hidden or s.spawn[1] == 0,
        _spawn_above,
        0.25,
    ),
    Mechanism(
        "piece_any",
        "the piece's codes are not the field's",
        "piece_codes",
        lambda s: s.piece_codes == "any",
        setting(piece_codes="any"),
        0.3,
    ),
    Mechanism(
        "piece_nibbles",
        "the piece's colours are packed",
        "piece_codes",
        lambda s: s.piece_codes == "nibbles",
        setting(piece_codes="nibbles"),
        0.3,
        f"{_PAIRS} capsules triplets bars",
    ),
    Mechanism(
        "piece_index",
        "the piece is an index into a table",
        "piece_codes",
        lambda s: s.piece_codes == "index",
        setting(piece_codes="index"),
        0.3,
        f"{_PAIRS} capsules triplets bars",
    ),
    Mechanism("no_next", "there is no NEXT", "next", lambda s: s.next == 0, setting(next=0), 0.3),
    Mechanism("two_next", "NEXT shows two pieces", "next", lambda s: s.next == 2, setting(next=2), 0.25),
    Mechanism(
        "next_ring",
        "what comes is in a ring",
        "next_form",
        lambda s: s.next_form == "ring",
        setting(next_form="ring"),
        0.35,
    ),
    Mechanism(
        "next_nibbles",
        "what comes is packed in nibbles",
        "next_form",
        lambda s: s.next_form == "nibbles",
        setting(next_form="nibbles"),
        0.35,
    ),
    Mechanism(
        "next_index",
        "what comes is an index into a table",
        "next_form",
        lambda s: s.next_form == "index",
        setting(next_form="index"),
        0.35,
    ),
    Mechanism("bag", "pieces come from a bag", "bag", lambda s: s.bag, setting(bag=True), 0.5, "tetrominoes"),
    Mechanism(
        "late_place",
        "the place is written only when the piece begins to answer",
        "late_place announce",
        lambda s: s.late_place,
        setting(late_place=True, announce=[6, 12, 24]),
        0.3,
    ),
    Mechanism(
        "angle",
        "a byte runs after the orientation in small steps",
        "angle",
        lambda s: s.angle,
        setting(angle=True),
        0.4,
        _TURNING,
    ),
    Mechanism(
        "tested", "the last place that was tried lies in RAM", "tested", lambda s: s.tested, setting(tested=True), 0.3
    ),
)
