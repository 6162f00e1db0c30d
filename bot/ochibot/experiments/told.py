"""Finds the bytes that tell what a piece is, as it falls or before: its shape, or the codes of its cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, permutations
from typing import Final

import numpy as np

from ochibot.console import Button
from ochibot.experiments.colors import ColorByte, candidates, in_tables, indices, usual_values
from ochibot.experiments.coordinates import on_stack
from ochibot.experiments.driver import EDGE, Driver
from ochibot.experiments.evidence import Evidence
from ochibot.experiments.facts import Basis
from ochibot.experiments.fields import Came, Spot, is_near
from ochibot.experiments.motion import Motion
from ochibot.experiments.rig import TURNERS, Bytes, Rig

MOST_NEXT: Final = 4
FEWEST_TOLD: Final = 6
MOST_POKED: Final = 8
KEPT_FRAMES: Final = 4
LOOKED: Final = 120
SPRITE: Final = 4
"""Bytes of a sprite in the tables of the NES and the Game Boy."""

FEWEST_OF_SIZE: Final = 0.15
"""Pieces with a number of cells that fewer have were disturbed by something."""

FEWEST_AGAIN: Final = 4
"""So many pieces must be of kinds that came before: each kind's first piece fits any value."""

THERE: Final = 0.9
"""The share of the pieces for which what tells them as they fall must tell it as they appear, to be used then."""

MASKS: Final = (0xFF, 0x0F, 0xF0, 0x07, 0x70, 0x3F)
CELL_MASKS: Final = (0x0F, 0x07, 0x3F, 0xF0, 0x70, 0xC0)
MOST_IDLE: Final = 3
"""How many of the bits that differ may tell nothing of a piece, beside those that CELL_MASKS leave out."""

MOST_EXCHANGED: Final = 4
EXCHANGES: Final = 12
"""The codes of at most so many cells may be exchanged by a button, as so many pieces show."""

Shape = tuple[tuple[Spot, int], ...]
"""The cells of a piece, from its own place, with their codes."""


@dataclass(frozen=True)
class Told:
    """A byte that tells a property of a piece.

    name: ``piece`` for its shape, ``cell1`` and so on for a cell's code. ahead: how many pieces earlier it tells it.
    byte: where it is, and its value for each kind. kinds: what each kind is.
    """

    name: str
    ahead: int
    byte: ColorByte
    kinds: dict[int, str]
    evidence: Evidence


def find_told(rig: Rig, basis: Basis, left: Sequence[Came], motion: Motion) -> list[Told]:
    """Bytes that tell a piece's shape, or its cells' codes, as it falls; then those that tell it one piece, two
    and three pieces before.
    """
    told: list[Told] = []
    for ahead in range(MOST_NEXT):
        found = _told(rig, basis, left, ahead, told, motion)
        if not found and ahead:
            break
        told += found
    return told


def clean(basis: Basis, one: Came) -> bool:
    """Whether nothing vanished, and all that came is near the piece."""
    return bool(one.cells) and not one.gone and is_near(basis.place, one)


def _told(
    rig: Rig, basis: Basis, left: Sequence[Came], ahead: int, before: Sequence[Told], motion: Motion
) -> list[Told]:
    """Bytes that tell a piece's shape, or its cells' codes, ``ahead`` pieces before it falls."""
    tell = [one for one in before if not one.ahead]
    if ahead and tell and (known := _by_the_piece(_Search(rig, basis, left, ahead, before, motion), left, tell)):
        return known
    pairs = [
        (one.landing.flying, later)
        for one, later in zip(left, left[ahead:], strict=False)
        if clean(basis, later) and later.landing.turns == 0 and one.landing.game == later.landing.game
    ]
    sizes = Counter(len(later.cells) for _, later in pairs)
    most = max(sizes, key=sizes.__getitem__, default=0)
    pairs = [(ram, later) for ram, later in pairs if len(later.cells) >= most or not _at_the_top(basis, later)]
    pairs = [(ram, later) for ram, later in pairs if sizes[len(later.cells)] >= FEWEST_OF_SIZE * len(pairs)]
    if len(pairs) < FEWEST_TOLD:
        return []
    search = _Search(rig, basis, left, ahead, before, motion)
    search.dealt = [search.number(later) for _, later in pairs]
    usual, times = Counter(level(later) for _, later in pairs).most_common(1)[0]
    if times < 0.8 * len(pairs):
        for kind_of in (_outline, lambda one: one.cells):
            names = sorted({kind_of(later) for _, later in pairs})
            kinds = [names.index(kind_of(later)) for _, later in pairs]
            found = search.find("piece", [ram for ram, _ in pairs], kinds, [_drawn(shape) for shape in names])
            if found is not None:
                return [found]
        return []
    alike = [(ram, later) for ram, later in pairs if level(later) == usual]
    rams = [ram for ram, _ in alike]
    search.dealt = [search.number(later) for _, later in alike]
    told: list[Told] = []
    masks = cell_masks([code for codes in map(_codes, (later for _, later in alike)) for code in codes])
    for mask in masks:
        # what was taken with bits that don't tell all cells is free again
        search.taken = set()
        told = []
        for number in range(len(usual)):
            codes = [later.cells[number][1] & mask for _, later in alike]
            words = {code: f"{code:#04x}" for code in codes}
            one = search.find(f"cell{number + 1}", rams, codes, words, tables=mask == 0xFF)
            told += [one] if one is not None else []
        if len(told) == len(usual):
            if not all(search.of_sprite(one.byte.offset) for one in told):
                return told
            break
    # one byte may stand for the whole piece
    for mask in masks:
        pieces = [tuple(code & mask for code in _codes(later)) for _, later in alike]
        wholes = {codes: number for number, codes in enumerate(sorted(set(pieces)))}
        labels = [wholes[codes] for codes in pieces]
        written = [" ".join(f"{code:#04x}" for code in codes) for codes in wholes]
        found = search.find("piece", rams, labels, written, tables=mask == 0xFF)
        # where sprites alone tell each cell, they may not tell all pieces
        if found is not None and not (told and search.of_sprite(found.byte.offset)):
            return [found]
    return told


def _by_the_piece(search: _Search, left: Sequence[Came], tell: Sequence[Told]) -> list[Told]:
    """What tells a piece before it falls, by the bytes that tell it as it falls (``tell``): pieces that were turned, or
    of which cells vanished, say as much as the others. Empty where these bytes aren't there when a piece appears.
    """

    def values(ram: Bytes) -> tuple[int, ...]:
        return tuple(int(ram[one.byte.place(ram)]) & one.byte.mask for one in tell)

    still = [values(one.landing.before) == values(one.landing.flying) for one in left if not one.landing.turns]
    if sum(still) < THERE * len(still):
        return []
    pairs = [
        (one, later)
        for one, later in zip(left, left[search.ahead :], strict=False)
        if one.landing.game == later.landing.game
    ]
    rams = [one.landing.flying for one, _ in pairs]
    search.dealt = [search.number(later) for _, later in pairs]
    coming = [values(later.landing.before) for _, later in pairs]
    named = [{value: one.kinds.get(kind, "") for value, kind in one.byte.table.items()} for one in tell]
    # a piece that leaves nothing has values, too
    words = [{value: names.get(value) or f"{value:#04x}" for value in column}
             for names, column in zip(named, zip(*coming, strict=True), strict=True)]  # fmt: skip
    found: list[Told] = []
    for at, one in enumerate(tell):
        told = search.find(one.name, rams, [kinds[at] for kinds in coming], words[at])
        found += [told] if told is not None else []
    if len(found) == len(tell) and not all(search.of_sprite(one.byte.offset) for one in found):
        return found
    wholes = {kinds: number for number, kinds in enumerate(sorted(set(coming)))}
    names = [" ".join(words[at][value] for at, value in enumerate(kinds)) for kinds in wholes]
    whole = search.find("piece", rams, [wholes[kinds] for kinds in coming], names)
    if whole is not None and not (len(found) == len(tell) and search.of_sprite(whole.byte.offset)):
        return [whole]
    return found if len(found) == len(tell) else []


def cell_masks(codes: Sequence[int]) -> list[int]:
    """Bits of cells that may tell what a piece is, those that leave out the fewest first: the others may tell something
    else, such as links, or nothing.
    """
    differ = [bit for bit in range(8) if len({code >> bit & 1 for code in codes}) > 1]
    without = [0xFF - sum(1 << bit for bit in bits) for number in range(min(MOST_IDLE, len(differ) - 2) + 1)
               for bits in combinations(differ, number)]  # fmt: skip
    kept = sum(1 << bit for bit in differ)
    every = {mask & kept: mask for mask in reversed([*(without or [0xFF]), *CELL_MASKS]) if mask & kept}
    return sorted(every.values(), key=lambda mask: (-(mask & kept).bit_count(), mask not in CELL_MASKS))


def _at_the_top(basis: Basis, one: Came) -> bool:
    """Whether a piece rests in the highest row, so that it may have cells above the field."""
    return any(row >= basis.place.rows - 1 for _, row in one.spots)


def _outline(one: Came) -> Shape:
    """A piece's cells without their codes, some bits of which may mean nothing."""
    return tuple((spot, 0) for spot in one.shape)


def level(one: Came) -> tuple[Spot, ...]:
    """A piece's shape; of cells side by side, each of which may fall on by itself, all on one row."""
    columns = [column for column, _ in one.shape]
    return tuple((column, 0) for column in columns) if len(set(columns)) == len(columns) else one.shape


def _codes(one: Came) -> tuple[int, ...]:
    return tuple(code for _, code in one.cells)


def _like(before: Sequence[Told], name: str, ahead: int, names: dict[int, str]) -> dict[int, int] | None:
    """The values by kind of the byte that tells this one piece later: what comes after NEXT is kept as NEXT is."""
    other = next((one for one in before if one.name == name and one.ahead == ahead - 1), None)
    if other is None or ahead < 2:
        return None
    values = {other.kinds[kind]: value for kind, value in other.byte.values.items()}
    return {kind: values[words] for kind, words in names.items() if words in values}


def _drawn(shape: Shape) -> str:
    return " ".join(f"{column:+d}{row:+d}" for (column, row), _ in shape)


class _Search:
    """Looks for the bytes that tell what a piece is, ``ahead`` pieces before it falls."""

    def __init__(
        self, rig: Rig, basis: Basis, left: Sequence[Came], ahead: int, before: Sequence[Told], motion: Motion
    ) -> None:
        self.rig, self.basis, self.ahead, self.before = rig, basis, ahead, before
        self.cells = set(basis.place.offsets())
        self.taken: set[tuple[int, int]] = set()
        self.state = left[0].landing.state
        self._kept: dict[int, bool] = {}
        self.dealt: Sequence[int] = ()
        games = [one.landing.game for one in left]
        self._numbers = {one.landing.state: games[:at].count(games[at]) for at, one in enumerate(left)}
        # where the place is kept in another way, x and y are those of a sprite, too; one copy of them shows no sprite
        places = {*motion.across, *motion.fall}
        copies = places - {basis.x[0], basis.y[0]}
        self.sprites = {at for at in places if {at - SPRITE, at + SPRITE} & copies}
        longest = Counter(one.landing.game for one in left).most_common(1)[0][0]
        rams = [one.landing.flying for one in left if one.landing.game == longest]
        self.counters = [at for at in indices(rams) if at not in self.cells] if len(rams) >= FEWEST_TOLD else []

    def number(self, one: Came) -> int:
        """Which piece of its game a piece was, from 0."""
        return self._numbers[one.landing.state]

    def of_sprite(self, place: int) -> bool:
        """Whether a byte stands beside copies of x or y, as a sprite's number does: such copies don't tell all
        pieces.
        """
        return any(abs(place - other) < SPRITE for other in self.sprites)

    @cached_property
    def changes(self) -> list[int]:
        """How often each byte changes while a piece lands and the next ones come. A buffer in which a game prepares
        what it draws tells a piece at times, and other things at others.
        """
        seen = self.rig.branch(self.state, [0] * EDGE + [int(Button.DOWN)] * LOOKED)
        return list(np.count_nonzero(seen[1:] != seen[:-1], axis=0).tolist())

    def _keeps(self, place: int) -> bool:
        if place not in self._kept:
            rig, state = self.rig, self.state
            rig.load(state)
            value = rig.peek(place) ^ 1
            rig.poke({place: value})
            rig.run([0] * KEPT_FRAMES)
            self._kept[place] = rig.peek(place) == value
        return self._kept[place]

    def find(
        self,
        name: str,
        rams: Sequence[Bytes],
        kinds: Sequence[int],
        words: Sequence[str] | dict[int, str],
        *,
        tables: bool = True,
    ) -> Told | None:
        """The byte that tells the kinds: the one that the fewest pieces contradict, then the one that changes least
        often, then the nearest to x. ``tables``: whether tables are searched too, if no byte tells them.
        """
        if len(set(kinds)) < 2:
            return None
        names = dict(words) if isinstance(words, dict) else dict(enumerate(words))
        like = _like(self.before, name, self.ahead, names) or {}
        # where all games deal the same pieces, one that comes again in the same place says nothing more
        again = len(set(zip(self.dealt, kinds, strict=True))) - len(set(kinds))
        best: list[tuple[tuple[int, ...], ColorByte, Evidence]] = []
        for rank, mask in enumerate(MASKS):
            # some bits of a byte fit by chance more easily than the whole byte, so nothing may contradict them
            for place in candidates(rams, kinds, mask):
                if place in self.cells or (place, mask) in self.taken:
                    continue
                values = _values(rams, kinds, place, mask)
                against = sum(int(ram[place]) & mask != values.get(kind) for ram, kind in zip(rams, kinds, strict=True))
                if (against and mask != 0xFF) or any(like.get(kind, value) != value for kind, value in values.items()):
                    continue
                evidence = Evidence(again - against, against)
                if evidence.supported < FEWEST_AGAIN or evidence.grade == "unknown":
                    continue
                key = (against, on_stack(self.rig, place), self.of_sprite(place), rank)
                best.append((key, ColorByte(place, mask, values, followed=False), evidence))
            if not all(self.of_sprite(byte.offset) for _, byte, _ in best):
                break
        if not best and name == "piece" and (several := self._several(rams, kinds, names)):
            return several
        if not best:
            found = in_tables(rams, kinds, self.counters) if tables and len(kinds) >= 2 * FEWEST_TOLD else ()
            for table in found:
                # after games that began alike, the same entry was read again: that says nothing more
                read = {(table.place(ram), int(ram[table.place(ram)]) & table.mask) for ram in rams}
                # a constant would tell the most usual kind as well, and each kind's first entry fits any value
                values = Counter(value for _, value in read)
                seen = len(read) - max(len(values), values.most_common(1)[0][1])
                if seen >= FEWEST_TOLD and len(read) >= 2 * FEWEST_TOLD:
                    against = sum(table.kind(ram) != kind for ram, kind in zip(rams, kinds, strict=True))
                    return Told(name, self.ahead, table, names, Evidence(seen - against, against))
            return None
        if len(best) > 1:
            near = self.basis.x[0]
            best.sort(key=lambda item: (item[0], self.changes[item[1].offset], abs(item[1].offset - near)))
        # the game's own byte keeps what is written into it; of its copies some don't tell all pieces apart
        _, byte, evidence = next((one for one in best[:MOST_POKED] if self._keeps(one[1].offset)), best[0])
        self.taken.add((byte.offset, byte.mask))
        names = {kind: words for kind, words in names.items() if kind in byte.values}
        return Told(name, self.ahead, byte, names, replace(evidence, others=len(best) - 1))

    def _several(self, rams: Sequence[Bytes], kinds: Sequence[int], names: dict[int, str]) -> Told | None:
        """The byte of which several values tell one shape, as where shapes have numbers and some look alike."""
        stack, usual = np.stack(rams), Counter(kinds).most_common(1)[0][0]
        best: list[tuple[tuple[int, ...], ColorByte, int]] = []
        for place in np.flatnonzero((stack != stack[0]).any(axis=0)).tolist():
            # where all games deal the same pieces, one that comes again in the same place says nothing more
            dealt = set(zip(self.dealt, stack[:, place].tolist(), kinds, strict=True))
            read = Counter((value, kind) for _, value, kind in dealt)
            table = dict(list(read))
            # a value tells something when it comes again, and a constant would tell the most usual kind as well
            seen = sum(times - 1 for (_, kind), times in read.items() if kind != usual)
            if place in self.cells or not len(read) == len(table) <= 2 * len(set(kinds)) or seen < FEWEST_AGAIN:
                continue
            values = {kind: value for (value, kind), _ in reversed(read.most_common())}
            key = self.of_sprite(place), on_stack(self.rig, place), len(table), abs(place - self.basis.x[0])
            best.append((key, ColorByte(place, 0xFF, values, followed=False, more=table), seen))
        if not best:
            return None
        _, byte, seen = min(best, key=lambda item: item[0])
        return Told("piece", self.ahead, byte, names, Evidence(seen, 0, len(best) - 1))


def _values(rams: Sequence[Bytes], kinds: Sequence[int], place: int, mask: int) -> dict[int, int]:
    """The usual value of each kind. Of two kinds with one value, the rarer one was taken for another one by chance."""
    found: dict[int, int] = {}
    usual = usual_values(rams, kinds, place, mask)
    for kind, _ in Counter(kinds).most_common():
        if usual[kind] not in found.values():
            found[kind] = usual[kind]
    return found


def exchanges(driver: Driver, left: Sequence[Came], told: Sequence[Told]) -> dict[str, tuple[int, ...]]:
    """The buttons that exchange the codes of a piece's cells, each with the cells whose codes the first, the second
    one and so on have after a tap. Some pieces have equal cells, so several are looked at.
    """
    bytes_ = [one.byte for one in told if not one.ahead and one.name.startswith("cell")]
    found: dict[str, tuple[int, ...]] = {}
    for button in TURNERS if 1 < len(bytes_) <= MOST_EXCHANGED else ():
        orders = [*permutations(range(len(bytes_)))]
        for one in left[:: max(1, len(left) // EXCHANGES)]:
            pads = driver.tap.pads(button)
            rams = [driver.rig.after(one.landing.state, some) for some in ([0] * len(pads), pads)]
            before, after = ([int(ram[byte.place(ram)]) & byte.mask for byte in bytes_] for ram in rams)
            orders = [order for order in orders if [before[at] for at in order] == after]
        if len(orders) == 1 and list(orders[0]) != sorted(orders[0]):
            found[str(button.name).lower()] = orders[0]
    return found
