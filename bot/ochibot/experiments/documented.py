"""Uses the addresses of a published map as hypotheses: experiments try them first, and each gets a verdict."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from ochibot.experiments.digits import Form
from ochibot.experiments.driver import Fallen
from ochibot.experiments.effects import Poker
from ochibot.experiments.grid import Grid
from ochibot.experiments.known import Ground
from ochibot.experiments.rig import Bytes, Rig
from ochibot.experiments.score import Score
from ochibot.ram import Entry, RamMap
from ochibot.wording import counted

SINGLE = (
    *("x", "y", "orientation", "axis", "partner"),
    *(f"next{number}_{half}" for number in ("", 2, 3) for half in ("axis", "partner")),
)
"""One-byte entries that the experiments find even without a documented map (blind)."""

IDLE = 34


@dataclass(frozen=True)
class Hints:
    """A map's addresses as offsets. Entries that the map lacks, or that lie behind a pointer, are left out.

    mode: the mode byte's offset, and its value in the mode that the map is for. names: the map's words for cell codes.
    """

    places: dict[str, int] = field(default_factory=dict)
    grid: Grid | None = None
    score: Score | None = None
    mode: tuple[int, int] | None = None
    names: dict[int, str] = field(default_factory=dict)

    def halves(self, ahead: int) -> tuple[int, ...]:
        """The offsets of the axis's and the partner's colour, for the piece that falls after ``ahead`` others."""
        prefix = "" if ahead == 0 else f"next{ahead if ahead > 1 else ''}_"
        found = (self.places.get(f"{prefix}{half}") for half in ("axis", "partner"))
        return tuple(place for place in found if place is not None)


NO_HINTS = Hints()


def hints_of(ram_map: RamMap, rig: Rig) -> Hints:
    """Those entries of a map that experiments can try."""

    def plain(entry: Entry | None) -> bool:
        return entry is not None and entry.pointer is None and entry.cells_per_byte == 1 and entry.address is not None

    entries = {name: entry for name, entry in ram_map.entries.items() if plain(entry)}
    places = {name: _offset(entries[name], rig) for name in SINGLE if name in entries}
    mode = None
    if ram_map.mode is not None and "mode" in entries:
        mode = (_offset(entries["mode"], rig), ram_map.mode)
    names = {}
    table = entries["field"].codes if "field" in entries else None
    if table is not None and ram_map.codes[table].source != "homebrew":
        names = dict(ram_map.codes[table].values)
    return Hints(places, _grid(entries.get("field"), rig), _score(entries.get("score"), rig), mode, names)


def _offset(entry: Entry, rig: Rig) -> int:
    assert entry.address is not None
    return rig.offset(entry.address)


def _grid(entry: Entry | None, rig: Rig) -> Grid | None:
    if entry is None or None in (entry.rows, entry.columns, entry.row_stride, entry.column_stride):
        return None
    assert entry.rows is not None
    assert entry.columns is not None
    assert entry.row_stride is not None
    assert entry.column_stride is not None
    floor = _offset(entry, rig) + (entry.rows - 1) * entry.row_stride
    return Grid(floor, entry.column_stride, -entry.row_stride, entry.columns, 0)


def _score(entry: Entry | None, rig: Rig) -> Score | None:
    if entry is None or entry.addresses is not None:
        return None
    if entry.digits == "decimal":
        form = Form(entry.count or 1, entry.order == "low_first", "decimal", entry.zero)
    else:
        form = Form(int(entry.type[1:3].rstrip("lb")) // 8, entry.type.endswith("le"), entry.digits or "")
    return Score(_offset(entry, rig), form, entry.scale, kept=False)


Verdict = tuple[str, str, str, str]
"""(entry, what was seen, the documented address, verdict). The verdict is one of: confirmed, not contradicted,
CONTRADICTED, not tried.
"""


def judge_others(
    ground: Ground, poker: Poker, ram_map: RamMap, size: int | None, falls: Sequence[Fallen]
) -> list[Verdict]:
    """Judges the documented entries that the blind experiments don't look for. ``falls``: pieces with their traces."""
    judge = _Judge(ground, poker, size, falls)
    rows: list[Verdict] = []
    for name, entry in ram_map.entries.items():
        if name in SINGLE or name in ("field", "score") or entry.source == "homebrew":
            continue
        addresses = entry.byte_addresses()
        where = " ".join(f"{address:04X}" for address in (addresses if entry.addresses else addresses[:1])) or "-"
        tried = judge.trials.get(name)
        if tried is None or entry.pointer is not None:
            rows.append((name, "no experiment is about it", where, "not tried"))
            continue
        good, seen = tried(entry)
        yes = "not contradicted" if tried == judge.still else "confirmed"
        rows.append((name, seen, where, yes if good else "CONTRADICTED"))
    return rows


class _Judge:
    """One experiment for each kind of entry. A trial returns whether the entry is what its name says, and what was
    seen.
    """

    def __init__(self, ground: Ground, poker: Poker, size: int | None, falls: Sequence[Fallen]) -> None:
        self.ground = ground
        self.poker = poker
        self.size = size
        self.falls = falls
        self.idle = ground.rig.branch(ground.state, [0] * IDLE, ground.painted())
        self.trials: dict[str, Callable[[Entry], tuple[bool, str]]] = {
            **dict.fromkeys(("spawning", "spawn_phase", "spawn_delay"), self._at_spawns),
            "drop_timer": self._timer,
            "sprite_x": lambda entry: self._follows(entry, "x"),
            "sprite_y": lambda entry: self._follows(entry, "y"),
            "blocks": self._blocks,
            "marks": self._marks,
            "mode": self.still,
            "level": self.still,
        }

    def _offsets(self, entry: Entry) -> list[int]:
        return [self.ground.rig.offset(address) for address in entry.byte_addresses()]

    def _at_spawns(self, entry: Entry) -> tuple[bool, str]:
        place = self._offsets(entry)[0]
        rises = still = 0
        for fall in self.falls:
            assert fall.trace is not None
            begun = fall.trace[: max(1, fall.reset // 3), place]
            after = fall.trace[fall.reset - 1 :, place]
            still += int(not begun.any())
            rises += int(bool(after.any()))
        count = len(self.falls)
        good = rises == count and still == count
        return good, f"other than 0 at {rises} of {counted(count, 'spawn')}, 0 in {still} of {counted(count, 'fall')}"

    def _timer(self, entry: Entry) -> tuple[bool, str]:
        column = self.idle[:, self._offsets(entry)[0]].astype(np.int16)
        steps = np.diff(column)
        ones = int((np.abs(steps) == 1).sum())
        good = ones >= len(steps) * 3 // 4
        return good, f"goes by 1 on {ones} of {counted(len(steps), 'frame')} in which the piece sinks by itself"

    def _follows(self, entry: Entry, which: str) -> tuple[bool, str]:
        ground, place = self.ground, self._offsets(entry)[0]
        leader = getattr(ground.driver, which)
        amount = leader.step if which == "x" else -abs(ground.cell_y) * (1 if leader.step < 0 else -1)
        old = int(self.idle[0, leader.offset])
        seen = ground.rig.after(ground.state, [0] * 8, {**ground.painted(), leader.offset: old + amount & 255})
        moved = int(seen[place]) != int(self.idle[7, place])
        return moved, f"{'follows' if moved else 'does not follow'} a poked {which}"

    def _number(self, ram: Bytes, entry: Entry) -> int:
        if entry.addresses is not None or entry.type != "u8":
            return sum(int(ram[place]) << 8 * n for n, place in enumerate(self._offsets(entry)))
        return int(ram[self._offsets(entry)[0]])

    def _blocks(self, entry: Entry) -> tuple[bool, str]:
        if self.size is None:
            return False, "nothing was seen to vanish"
        kind = self.ground.colors
        before = self._number(self.idle[0], entry)
        cells = {(0, row): kind[0] for row in range(self.size - 1)}
        after = self._number(self.poker.lock(cells, 0, kind[0], kind[1]).ram, entry)
        return after - before == self.size, f"grew by {after - before} as {counted(self.size, 'cell')} vanished"

    def _marks(self, entry: Entry) -> tuple[bool, str]:
        ground, kind = self.ground, self.ground.colors[0]
        rows, across = entry.rows or 1, entry.column_stride or 0
        floor = ground.rig.offset(entry.address or 0) + (rows - 1) * (entry.row_stride or 0)
        ram = ground.drop(cells={(0, 0): kind, (1, 0): kind, (ground.grid.columns - 1, 0): kind}, column=2).ram
        values = [int(ram[floor + column * across]) for column in (0, 1, ground.grid.columns - 1)]
        good = values[0] != values[2] or values[1] != values[2]
        shown = ", ".join(f"{value:#04x}" for value in values)
        return good, f"two equal neighbours and a cell alone have {shown}"

    def still(self, entry: Entry) -> tuple[bool, str]:
        """Whether a value that was set in the menu stays the same while pieces fall: weak evidence, because many bytes
        do. Returns this, and what was seen.
        """
        place = self._offsets(entry)[0]
        values = {int(value) for fall in self.falls if fall.trace is not None for value in fall.trace[:, place]}
        return len(values) == 1, f"{', '.join(str(value) for value in sorted(values)[:6])} throughout play"
