"""Finds which bytes are the piece's x and y, by some pieces that are dropped into one column.

Bytes of x go by equal steps between two walls. Bytes of y come to rest higher with each piece.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from ochibot.console import Button
from ochibot.errors import CalibrationError
from ochibot.experiments.documented import NO_HINTS, Hints
from ochibot.experiments.driver import Driver, Place
from ochibot.experiments.motion import ALONE, Motion, aside, drop, falls, followers, roots
from ochibot.experiments.pad import Tap, measure_tap, signed_byte
from ochibot.experiments.rig import TURNERS, Rig

MOST_PAIRS = 6
NEAR_BYTES = 8
FEWEST_PIECES = 3
PIECES = 6
"""So many pieces are dropped beside the column in which they appear."""

SIDEWAYS = 3
TURN_FRAMES = 10
"""After so many frames a turn is done."""

_END = range(0xDF00, 0xE000)
_STACKS = {"nes": range(0x100, 0x200), "gameboy": _END, "mastersystem": _END, "gamegear": _END}

MOST_DELAY = 240
"""A piece answers presses at most this many frames after it appeared."""


def coordinates(
    rig: Rig, state: bytes, moves: Motion, hints: Hints = NO_HINTS
) -> Iterator[tuple[Driver, tuple[int, ...], tuple[int, int], int]]:
    """Pairs of x and y to try, each as a driver, with raw x of the columns, with how many other bytes follow x and y,
    and how many of both keep what is poked. Raises CalibrationError when nothing comes to rest on a grid.

    Bytes that keep what is poked come first, then their copies; of each, bytes that stand near each other.
    """
    across = _walked(rig, state, moves)
    steps = {x: signed_byte(columns[1] - columns[0]) for x, (_, columns) in across.items()}
    x, (tap, _) = next(iter(across.items()))
    anew = piled(rig, state, moves, x, tap)
    # a pointer to a cell, or its number, goes down with the piece and sideways, too
    sides = [rig.after(state, tap.pads(side, SIDEWAYS)) for side in (Button.LEFT, Button.RIGHT)]
    fall = {y: moves.fall[y] for y in anew if sides[0][y] == sides[1][y]} or {y: moves.fall[y] for y in anew}
    if not fall:
        raise CalibrationError("nothing that falls with the piece comes to rest higher on another piece")
    # a piece that is hurried may go by other steps, and some copies are renewed only when it moves
    follow_x, follow_y = (
        {place: others | hurried[place] for place, others in followers(rig, state, among).items()}
        for among, hurried in ((one, followers(rig, state, one, moves.hurry)) for one in (steps, fall))
    )
    kept_x, kept_y = sorted(roots(follow_x)), sorted(roots(follow_y))
    sooner = {y for y in kept_y if ends_sooner(rig, state, x, y, moves.hurry)}
    # while a piece stands, x of its other half may look like a copy of x
    turns = _turned(rig, state, list(across), kept_y, tap) if len(across) > 1 else {}
    tried = _tried(rig, state, across)
    first = hints.places
    ranked = []
    for x in across:
        for y in fall:
            key = (
                (x != first.get("x")) + (y != first.get("y")),
                x in tried,
                (x not in kept_x) + (y not in sooner),
                on_stack(rig, x) + on_stack(rig, y),
                # another seat's pieces begin anew at other times
                -anew[y],
                not follow_y[y] - {y},
                # of two halves, x and y of the same one change with a turn; else the first x belongs to the first y
                turns.get(x) != turns.get(y),
                abs(kept_x.index(x) - kept_y.index(y)) if x in kept_x and y in sooner else 0,
                abs(x - y) // NEAR_BYTES,
                -len(follow_x[x]) - len(follow_y[y]),
                abs(x - y),
            )
            ranked.append((key, x, y))
    ranked.sort()
    for _, x, y in ranked[:MOST_PAIRS]:
        tap, columns = across[x]
        driver = Driver(rig, Place(x, steps[x]), Place(y, fall[y]), tap=tap)
        yield driver, columns, (len(follow_x[x] - {x}), len(follow_y[y] - {y})), (x in kept_x) + (y in sooner)


def _tried(rig: Rig, state: bytes, across: Mapping[int, tuple[Tap, tuple[int, ...]]]) -> set[int]:
    """The bytes of x that hold the place which was tried last: those that go back by themselves from a wall."""
    tap, columns = next(iter(across.values()))
    rig.load(state)
    for _ in columns:
        rig.run(tap.pads(Button.LEFT))
    seen = rig.trace([*tap.pads(Button.LEFT), *[0] * ALONE])
    found = {x for x in across if (seen[:, x] != seen[0, x]).any()}
    # where most have changed, the next piece has come
    return found if 2 * len(found) < len(across) else set()


def _turned(rig: Rig, state: bytes, across: Sequence[int], down: Sequence[int], tap: Tap) -> dict[int, list[bool]]:
    """For each byte whether taps change it, of the buttons that change some of ``across`` only: they turn a piece whose
    halves have places of their own.
    """
    found: dict[int, list[bool]] = {place: [] for place in (*across, *down)}
    for button in TURNERS:
        pads = tap.pads(button) + [0] * TURN_FRAMES
        changed = rig.after(state, pads) != rig.after(state, [0] * len(pads))
        if len({bool(changed[x]) for x in across}) > 1:
            for place, seen in found.items():
                seen.append(bool(changed[place]))
    return found


def _walked(rig: Rig, state: bytes, moves: Motion) -> dict[int, tuple[Tap, tuple[int, ...]]]:
    """The bytes that may be x, with how buttons are tapped, and with their values in each column.

    Raises CalibrationError when none goes by equal steps between two walls.
    """
    found = {}
    problem: CalibrationError | None = None
    y = next(iter(moves.fall))
    for x, step in moves.across.items():
        tap = measure_tap(rig, state, x)
        try:
            columns = Driver(rig, Place(x, step), Place(y, moves.fall[y]), tap=tap).columns(state)
        except CalibrationError as error:
            problem = problem or error
            continue
        found[x] = tap, columns
    if not found:
        assert problem is not None
        raise problem
    return found


def piled(rig: Rig, state: bytes, moves: Motion, x: int, tap: Tap) -> dict[int, int]:
    """Drops pieces into one column. Returns the bytes that come to rest higher on another piece, and how many times
    they began anew together with x. Other seats' bytes never do.
    """
    others: dict[int, int] = {}
    for side in (Button.LEFT, Button.RIGHT):
        rig.load(state)
        rests: dict[int, list[dict[int, int]]] = {}
        together: Counter[int] = Counter()
        for number in range(PIECES):
            if not _beside(rig, x, tap, side):
                break
            column = rig.peek(x)
            seen = drop(rig, moves.hurry, sorted(moves.across))
            if seen is None:
                break
            fell = falls(seen)
            rests.setdefault(column, []).append({place: one.rest for place, one in fell.items()})
            together.update(place for place, one in fell.items() if seen.together(one))
            found = {y: together[y] for y, step in moves.fall.items() if stacks(rests.values(), y, step)}
            if any(found.values()) and number + 1 >= FEWEST_PIECES:
                # what never begins anew with x is another seat's, or a cell through which pieces fall
                return {y: times for y, times in found.items() if times}
            others = found or others
    return others


def _beside(rig: Rig, x: int, tap: Tap, side: Button) -> bool:
    """Taps a button until the piece moves. Returns whether it ever does."""
    rig.run([0] * tap.off)
    before = rig.peek(x)
    for _ in range(MOST_DELAY // tap.frames):
        rig.run(tap.pads(side))
        if rig.peek(x) != before:
            return True
    return False


def stacks(rests: Iterable[Sequence[dict[int, int]]], y: int, step: int) -> bool:
    """Whether pieces come to rest on each other, by the values of a byte at rest in each column. Some may vanish."""
    higher = deeper = 0
    for column in rests:
        seen = [one[y] for one in column if y in one]
        for before, after in pairwise(seen):
            further = signed_byte(after - before) * step
            higher, deeper = higher + (further < 0), deeper + (further > 0)
    return higher > 0 and higher >= deeper


def ends_sooner(rig: Rig, state: bytes, x: int, y: int, hurry: int) -> bool:
    """Whether the next piece comes sooner when the byte ``y`` is poked to be further on its way. A clock does nothing.

    The piece is moved aside first; the next one has come when the byte ``x`` changes by itself.
    """
    rig.load(state)
    aside(rig)
    here = rig.save()
    ends: list[int] = []
    further = 0
    for _ in range(2):
        rig.load(here)
        rig.poke({y: rig.peek(y) + further & 255})
        seen = drop(rig, hurry, [x])
        if seen is None:
            return False
        ends.append(seen.until)
        fell = falls(seen).get(y)
        if fell is not None:
            further = (fell.depth // fell.step + 2) // 3 * fell.step
    return ends[1] < ends[0]


def on_stack(rig: Rig, place: int) -> bool:
    """Whether a byte may be on the stack, where chance leaves all kinds of values: the 6502's page 1, or the end of the
    work RAM, where programs for other consoles usually put it.
    """
    return rig.address(place) in _STACKS.get(rig.console.rom.system, range(0))
