"""Watches values of RAM, frame by frame: what each reads as, and when each of its bytes last changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ochibot.console import Ram
from ochibot.errors import OchibotError
from ochibot.ram import BoundMap, RamMap
from ochibot.ramtools.image import Camera, Image
from ochibot.ramtools.kinds import KINDS
from ochibot.ramtools.mapping import AnySymbols, NamedPlace, byte_addresses, check_inside, shown

KIND = KINDS["u8"]

NEVER = 1 << 30
"""The age of a byte that hasn't changed."""

MOST_CHANGES = 10_000
"""The most changes that a report lists."""


@dataclass(frozen=True)
class WatchedRow:
    """One value as it is now. raw: its bytes, each with the frames since it last changed. grid_rows: how many rows a
    grid has (``value`` shows them with ``/`` between them); 1 for a single value.
    """

    name: str
    address: int | None
    value: str
    raw: tuple[tuple[int, int], ...]
    changes: int
    grid_rows: int = 1

    @property
    def age(self) -> int:
        """Frames since the value's bytes last changed; NEVER when they haven't."""
        return min((age for _, age in self.raw), default=NEVER)


@dataclass
class _Watched:
    place: NamedPlace
    addresses: tuple[int, ...]
    changed_at: list[int]
    before: bytes = b""
    changes: int = 0
    first: str = ""
    last: str = ""
    least: int | None = None
    most: int | None = None
    log: list[tuple[int, str]] = field(default_factory=list)


class RamWatch:
    """Watches places of RAM; call ``look`` after each frame. Without places all entries of the map are watched."""

    def __init__(self, ram: Ram, ram_map: RamMap | None, places: Sequence[NamedPlace] = ()) -> None:
        self._symbols = AnySymbols()
        self._bound = None if ram_map is None else BoundMap(ram_map, ram, self._symbols)
        self._camera = Camera(ram)
        self.frame = 0
        self._listed = 0
        if not places and ram_map is not None:
            places = [NamedPlace(name, 0, KIND, name) for name in ram_map.entries]
        for place in places:
            check_inside(place, ram)
        self._watched = [self._begin(place) for place in places]
        self.look(count=False)

    def _begin(self, place: NamedPlace) -> _Watched:
        if place.entry is None:
            addresses = tuple(range(place.address, place.address + place.kind.width))
        else:
            assert self._bound is not None
            addresses = tuple(byte_addresses(self._bound.map, place.entry))
        return _Watched(place, addresses, [-NEVER] * len(addresses))

    def look(self, *, count: bool = True) -> None:
        """Reads RAM and notes what has changed since the last call. ``count``: whether a frame has run since then."""
        self.frame += count
        image = self._camera.take()
        for each in self._watched:
            now = bytes(image[address] for address in each.addresses)
            if now == each.before and each.first and each.addresses:
                continue
            value = self._value(each, image)
            if not each.first:
                each.before, each.first, each.last = now, value, value
                self._range(each, value)
                continue
            if value == each.last and now == each.before:
                continue
            for number, (old, new) in enumerate(zip(each.before, now, strict=True)):
                if old != new:
                    each.changed_at[number] = self.frame
            each.before = now
            each.changes += 1
            each.last = value
            self._range(each, value)
            if self._listed < MOST_CHANGES:
                each.log.append((self.frame, value))
                self._listed += 1

    @staticmethod
    def _range(each: _Watched, value: str) -> None:
        try:
            number = int(value)
        except ValueError:
            return
        each.least = number if each.least is None else min(each.least, number)
        each.most = number if each.most is None else max(each.most, number)

    def _value(self, each: _Watched, image: Image) -> str:
        place = each.place
        if place.entry is None:
            return str(place.kind.of_bytes(bytes(image[address] for address in each.addresses)))
        assert self._bound is not None
        try:
            return shown(self._bound, self._symbols, place.entry)
        except OchibotError:
            return "nowhere"

    def rows(self) -> list[WatchedRow]:
        """A row for each watched value, as it is now."""
        return [
            WatchedRow(
                each.place.name,
                each.addresses[0] if each.addresses else None,
                each.last,
                tuple(
                    (byte, self.frame - at if at >= 0 else NEVER)
                    for byte, at in zip(each.before, each.changed_at, strict=True)
                ),
                each.changes,
                self._rows_of(each.place),
            )
            for each in self._watched
        ]

    def _rows_of(self, place: NamedPlace) -> int:
        if place.entry is None or self._bound is None:
            return 1
        return self._bound.map.entries[place.entry].rows or 1

    def report(self) -> dict[str, object]:
        """Plain values: each value's first, last, least and greatest reading, how often it changed, and when."""
        return {
            "frames": self.frame,
            "all_changes_listed": self._listed < MOST_CHANGES,
            "watched": [
                {
                    "name": each.place.name,
                    "address": f"{each.addresses[0]:#06x}" if each.addresses else None,
                    "first": each.first,
                    "last": each.last,
                    "least": each.least,
                    "most": each.most,
                    "changes": each.changes,
                    "log": [[frame, value] for frame, value in each.log],
                }
                for each in self._watched
            ],
        }
