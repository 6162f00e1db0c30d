"""Finds the bytes that hold the colours of the falling piece and of the next ones.

Pieces fall one after another on an emptied field, so the cells that each one leaves are known. A byte that stands for a
colour has equal values where the cells are equal, and different ones where they differ. Poking separates the game's own
byte from its copies.

If there is no such byte, the colours may be in a table, and another byte is the index into it. The table is a ring of
pairs that is refilled during play, or a list that was dealt before the game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ochibot.errors import CalibrationError
from ochibot.experiments.known import Cells, Ground
from ochibot.experiments.rig import Bytes

PIECES = 28
FEWEST_PIECES = 14
SAMPLES_TO_ERR = 14
"""One of so many pieces may contradict what all others show."""

MASKS = (0xFF, 0x0F, 0xF0, 0x07, 0x70, 0x38, 0x1F, 0xE0, 0x03, 0x0C, 0x30, 0xC0)
"""Masks tried: the bits of a byte that may hold a colour. A byte may hold several colours."""

TABLE_STEPS = (1, 2, 3, 4, 8, 16)
"""Distances tried between two pieces in a table, in bytes."""

FEWEST_SHARED = 2
"""Halves that share fewer colours may have different codes."""

MOST_INDEX = 128
"""The highest value that an index into a table of pieces may have."""

FEWEST_PLACES = 4
"""A byte with fewer different values than this isn't regarded as an index."""


@dataclass(frozen=True)
class Sample:
    """A piece: a savestate at its first frame under control, RAM as it fell, and the kinds of cell that its halves
    left.
    """

    state: bytes
    ram: Bytes
    near: int
    """The kind of cell of the half whose position x and y give; ``far``: that of the other half."""
    far: int
    near_row: int = 0
    """The row, 0 or 1, of the near half as the piece lay."""


@dataclass(frozen=True)
class ColorByte:
    """Where a colour is kept: the byte's offset, the bits of it that hold the colour, and their value for each kind."""

    offset: int
    mask: int
    values: dict[int, int]
    followed: bool
    """Whether a piece took on the colour that was poked here. It doesn't if the byte is a copy for the picture."""
    index: int | None = None
    """For a colour in a table: the offset of the byte that holds the index. ``offset`` is then the table's byte for an
    index of 0."""
    step: int = 0
    """The number of bytes that the offset grows by when the index grows by 1."""
    more: dict[int, int] = field(default_factory=dict)
    """The kind of each value, where several values stand for one kind."""
    begun: dict[int, int] = field(default_factory=dict)
    """The value for each kind as the piece appears, where it is another one when the piece is turned."""

    @property
    def table(self) -> dict[int, int]:
        """The kind of each value that is known."""
        return self.more or {value: kind for kind, value in self.values.items()}

    def place(self, ram: Bytes) -> int:
        """The offset of the byte that holds the colour. In a table, the index in ``ram`` decides."""
        return self.offset if self.index is None else self.offset + self.step * int(ram[self.index])

    def kind(self, ram: Bytes) -> int | None:
        """The kind of cell that the byte stands for now; None if it is none of those known."""
        return self.table.get(int(ram[self.place(ram)]) & self.mask)

    @property
    def steady(self) -> int:
        """The offset of a byte that changes only as the next piece is dealt: the byte itself, or the table's index."""
        return self.offset if self.index is None else self.index


def sample(ground: Ground, near_row: int, pieces: int = PIECES) -> list[Sample | None]:
    """Drops pieces upright in the middle. ``near_row``: the row, 0 or 1, of the half whose position x and y give.

    Bits of cells that turn out to mean nothing are taken out of the ground's mask. None stands for a piece that left no
    two cells there: something else was written into the field, or cells vanished.
    Raises CalibrationError when most pieces do so.
    """
    found: list[Sample | None] = []
    state = ground.state
    problem = ""
    for _ in range(pieces):
        try:
            fallen = ground.drop(state)
        except CalibrationError:
            if len(found) < FEWEST_PIECES:
                raise
            # in a game of two the other side, which nobody plays, may have lost by now
            break
        # before a piece rests, RAM is sure to hold it and what comes next; when it appears, this may still be moved up
        ram = fallen.flying[: ground.rig.own]
        cells = ground.kinds(fallen.ram)
        upright = [c for c, row in cells if not row and (c, 1) in cells]
        # some games let pieces appear in two columns by turns
        column = ground.spawn_column if ground.spawn_column in upright or len(upright) != 1 else upright[0]
        if column in upright:
            found.append(Sample(state, ram, cells[column, near_row], cells[column, 1 - near_row], near_row))
        else:
            problem = problem or f"a piece left the cells {sorted(cells)}, not two above each other"
            found.append(None)
        state = fallen.state
    if found.count(None) > pieces // 3:
        raise CalibrationError(problem)
    ground.mask &= ~_common(found)
    kept = ground.mask
    return [None if one is None else replace(one, near=one.near & kept, far=one.far & kept) for one in found]


def _common(samples: Sequence[Sample | None]) -> int:
    """The bits that are the same in both halves of each piece, but not in all pieces: they tell when it landed."""
    left = [one for one in samples if one is not None]
    alike, varied = 0xFF, 0
    for one in left:
        alike &= ~(one.near ^ one.far)
        varied |= one.near ^ left[0].near
    colors = {kind & ~alike for one in left for kind in (one.near, one.far)}
    return alike & varied if len(left) >= FEWEST_PIECES // 2 and len(colors) > 1 else 0


def candidates(samples: Sequence[Bytes], kinds: Sequence[int], mask: int) -> list[int]:
    """Offsets whose masked values are equal in samples of equal kinds, and different in those of different kinds.

    One sample of SAMPLES_TO_ERR may contradict, whatever its kind: something else may have happened. Those without
    contradiction come first.
    """
    most = len(kinds) // SAMPLES_TO_ERR
    every = np.stack(samples)
    # most bytes never change
    moving = np.flatnonzero((every != every[0]).any(axis=0))
    stack = every[:, moving] & mask
    labels = np.array(kinds)
    least = np.zeros(len(moving), np.int64)
    for kind in sorted(set(kinds)):
        part = stack[labels == kind]
        # the middle one is the value of the majority, wherever there is one
        least += (part != np.sort(part, axis=0)[len(part) // 2]).sum(axis=0)
    places = np.flatnonzero(least <= most)
    several = 1 + (np.diff(np.sort(stack[:, places], axis=0), axis=0) != 0).sum(axis=0)
    places = places[np.abs(several - len(set(kinds))) <= most]
    part = stack[:, places]
    wrong = (part[:, None] == part[None]) != (labels[:, None] == labels)[..., None]
    errors = np.zeros(len(places), np.int64)
    for _ in range(most):
        # the sample that most others contradict is left out
        against = wrong.sum(axis=0)
        bad = np.flatnonzero(against.any(axis=0))
        worst = against.argmax(axis=0)[bad]
        wrong[worst, :, bad] = wrong[:, worst, bad] = False
        errors[bad] += 1
    good = ~wrong.any(axis=(0, 1))
    return [int(place) for place in moving[places[good][np.argsort(errors[good], kind="stable")]]]


def usual_values(samples: Sequence[Bytes], kinds: Sequence[int], place: int, mask: int) -> dict[int, int]:
    """For each kind the value that the byte usually has with it."""
    found = {}
    for kind in dict.fromkeys(kinds):
        seen = Counter(int(ram[place]) & mask for ram, one in zip(samples, kinds, strict=True) if one == kind)
        found[kind] = seen.most_common(1)[0][0]
    return found


def find_byte(
    ground: Ground,
    samples: Sequence[Sample | None],
    half: str,
    ahead: int,
    first: Sequence[int] = (),
    like: ColorByte | None = None,
    refused: Collection[int] = (),
) -> ColorByte | None:
    """The byte that holds the colour of a half (``near`` or ``far``), ``ahead`` pieces before that piece falls.

    Prefers a byte that the game obeys when it is poked. ``first``: offsets to try before all others. ``like``: the byte
    that has the colour a piece later; of bytes that the game doesn't obey, the nearest one with its values is taken.
    refused: offsets that don't.
    Returns None when no byte corresponds to the colours, or the pieces had fewer than three colours.
    """
    both = [(one, fell) for one, fell in zip(samples, samples[ahead:], strict=False) if one and fell]
    rams = [one.ram for one, _ in both]
    kinds = [getattr(fell, half) for _, fell in both]
    if len(set(kinds)) < 3:
        return None
    weak: list[ColorByte] = []
    taken = ground.of_field() | {*refused}
    for mask in MASKS:
        places = [place for place in candidates(rams, kinds, mask) if place not in taken]
        for place in sorted(places, key=lambda place: place not in first):
            found = ColorByte(place, mask, usual_values(rams, kinds, place, mask), followed=True)
            if _obeyed(ground, both, found, half, ahead):
                return found
            weak.append(found)
    for found in in_tables(rams, kinds):
        if found.offset not in taken and _to_its_end(found, rams, kinds) and _obeyed(ground, both, found, half, ahead):
            return found
    if like is not None:
        weak.sort(key=lambda one: (one.table != like.table, one.mask != like.mask, abs(one.offset - like.offset)))
    return replace(weak[0], followed=False) if weak else None


def _to_its_end(byte: ColorByte, rams: Sequence[Bytes], kinds: Sequence[int]) -> bool:
    """Whether a table has the colours also where its index is highest: what lies ahead in a ring begins anew there."""
    assert byte.index is not None
    last = max(int(ram[byte.index]) for ram in rams)
    return all(byte.kind(ram) == kind for ram, kind in zip(rams, kinds, strict=True) if ram[byte.index] == last)


def indices(rams: Sequence[Bytes]) -> list[int]:
    """Offsets of bytes that grow by the same amount with every piece, and may jump back where a table ends. rams: of
    two pieces at least.
    """
    stack = np.stack(rams)
    steps = np.diff(stack.astype(np.int16), axis=0)
    usual = np.median(steps, axis=0).astype(np.int16)
    regular = steps == usual
    # the index of a ring jumps back by the same amount each time
    back = np.where(regular, 0, steps).min(axis=0)
    again = np.where(regular, 0, steps).max(axis=0)
    same = (regular | (steps == back)).all(axis=0) & (again <= 0)
    good = same & (usual > 0) & (stack.max(axis=0) <= MOST_INDEX)
    return [int(place) for place in np.flatnonzero(good) if len(set(stack[:, place].tolist())) >= FEWEST_PLACES]


def in_tables(
    rams: Sequence[Bytes], kinds: Sequence[int], counters: Sequence[int] | None = None
) -> Iterator[ColorByte]:
    """Table entries whose bytes correspond to the kinds, each with the byte that is the table's index.

    Each sample reads a table at that sample's index. The table itself may begin at any offset. ``counters``: offsets of
    bytes that may be the index (None: those that grow regularly from sample to sample).
    """
    size = len(rams[0])
    for index in indices(rams) if counters is None else counters:
        at = [int(ram[index]) for ram in rams]
        for step in TABLE_STEPS:
            span = size - step * max(at)
            if span <= 0:
                break
            moved = [ram[step * number : step * number + span] for ram, number in zip(rams, at, strict=True)]
            for mask in MASKS:
                for place in candidates(moved, kinds, mask):
                    values = usual_values(moved, kinds, place, mask)
                    yield ColorByte(place, mask, values, followed=True, index=index, step=step)


def joined(near: ColorByte, far: ColorByte) -> tuple[ColorByte, ColorByte]:
    """Both bytes, each with the colours that only the other half had while pieces were watched, if both halves have
    the same codes, or all of one half are so much more than those of the other.
    """
    both = near, far
    units = [byte.mask & -byte.mask for byte in both]
    codes = [
        {kind: value // unit for kind, value in byte.values.items()} for byte, unit in zip(both, units, strict=True)
    ]
    if near.more or far.more:
        return both
    near, far = (
        replace(byte, values={kind: code * unit for kind, code in every.items() if 0 <= code * unit <= byte.mask})
        for byte, unit, every in zip(both, units, (with_missing(*codes), with_missing(*reversed(codes))), strict=True)
    )
    return near, far


def with_missing(codes: dict[int, int], others: dict[int, int]) -> dict[int, int]:
    """The codes of kinds, with those of kinds that ``others`` alone have, if all codes in both are equal, or so much
    more here.
    """
    away = {codes[kind] - others[kind] for kind in codes.keys() & others.keys()}
    fewest = FEWEST_SHARED + (away != {0})
    known = len(away) == 1 and len(codes.keys() & others.keys()) >= fewest
    return {kind: code + min(away) for kind, code in others.items()} | codes if known else codes


def _obeyed(ground: Ground, both: Sequence[tuple[Sample, Sample]], byte: ColorByte, half: str, ahead: int) -> bool:
    """Pokes another colour. Returns whether the half then falls with it, and the other half with its own colour."""
    one, fell = both[0]
    before = getattr(fell, half)
    other_half = "far" if half == "near" else "near"
    for kind, value in byte.values.items():
        if kind in (before, getattr(fell, other_half)):
            continue
        place = byte.place(one.ram)
        old = int(one.ram[place])
        cells = cells_ahead(ground, one.state, {place: old & ~byte.mask & 0xFF | value}, ahead)
        changed = [place for place, value in cells.items() if value == kind]
        kept = [place for place, value in cells.items() if value == getattr(fell, other_half)]
        return len(changed) == 1 and len(kept) == 1
    return False


def cells_ahead(ground: Ground, state: bytes, pokes: dict[int, int], ahead: int) -> Cells:
    """The kinds of cells that a piece leaves when bytes are poked ``ahead`` pieces earlier; none if one can't fall."""
    for number in range(ahead + 1):
        try:
            fallen = ground.drop(state, pokes=pokes if number == 0 else None)
        except CalibrationError:
            return {}
        state = fallen.state
    return ground.kinds(fallen.ram)


def pokes_for(near: ColorByte, far: ColorByte, kinds: tuple[int, int], ram: Bytes) -> dict[int, int]:
    """Pokes that give a piece, whose RAM as it appears is given, these kinds: (of the near half, of the far half).

    Raises CalibrationError when no value of a byte stands for both.
    """
    places = near.place(ram), far.place(ram)
    if places[0] == places[1] and near.mask & far.mask:
        value = next((one for one, kind in near.table.items() if (kind, far.table.get(one)) == kinds), None)
        if value is None:
            raise CalibrationError("no value is known that stands for these two colours")
        return {places[0]: int(ram[places[0]]) & ~near.mask & 0xFF | value}
    pokes: dict[int, int] = {}
    for byte, place, kind in zip((near, far), places, kinds, strict=True):
        # both halves may be in different bits of one byte
        old = pokes.get(place, int(ram[place]))
        pokes[place] = old & ~byte.mask & 0xFF | byte.begun.get(kind, byte.values[kind])
    return pokes
