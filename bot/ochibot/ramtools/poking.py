"""Writes into RAM and shows the effect, by comparison with a run from the same state without writing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ochibot.console import Machine, Ram
from ochibot.errors import UsageError
from ochibot.quoting import quoted
from ochibot.ram import BoundMap, RamMap
from ochibot.ramtools.image import Camera, Image
from ochibot.ramtools.kinds import number_of
from ochibot.ramtools.mapping import AnySymbols, NamedPlace, Names, byte_addresses, check_inside, parse_place
from ochibot.ramtools.pads import Script, frames_of
from ochibot.ramtools.searching import Run, differences


@dataclass(frozen=True)
class Poke:
    """One value to write."""

    place: NamedPlace
    value: int

    def write(self, ram: Ram, bound: BoundMap | None) -> None:
        """Writes the value. Raises UsageError or MapError when it doesn't fit into the bytes."""
        if self.place.entry is not None:
            assert bound is not None
            bound.write(self.place.entry, self.value)
            return
        for number, byte in enumerate(self.place.kind.to_bytes(self.value)):
            ram[self.place.address + number] = byte

    def addresses(self, ram_map: RamMap | None) -> list[int]:
        """The CPU addresses of the bytes that ``write`` writes, lowest first."""
        if self.place.entry is not None:
            return sorted(byte_addresses(ram_map, self.place.entry))
        return list(range(self.place.address, self.place.address + self.place.kind.width))


def parse_poke(text: str, ram_map: RamMap | None = None) -> Poke:
    """Parses ``0x7A=5``, ``0x7A:u24le=12345`` or, with a map, ``score=1000``. Raises UsageError."""
    where, equals, value = text.partition("=")
    if not equals:
        raise UsageError(f"{quoted(text)} writes nothing: give ADDRESS=VALUE, such as 0x7A=5 or 0x7A:u16le=300")
    try:
        number = number_of(value)
    except ValueError:
        raise UsageError(f"{quoted(text)}: give a whole number after =, such as 5 or 0x1f") from None
    poke = Poke(parse_place(where, ram_map), number)
    if poke.place.entry is None:
        poke.place.kind.to_bytes(number)
    return poke


@dataclass(frozen=True)
class Poked:
    """What became of one poke: the bytes before, as written, and at the end. lasted: for how many frames they stayed as
    written; None if they stayed to the end.
    """

    name: str
    address: int
    before: bytes
    written: bytes
    after: bytes
    lasted: int | None

    def as_dict(self) -> dict[str, object]:
        """The fields as plain values, for JSON."""
        return {
            "name": self.name,
            "address": f"{self.address:#06x}",
            "before": self.before.hex(),
            "written": self.written.hex(),
            "after": self.after.hex(),
            "frames_until_overwritten": self.lasted,
        }


@dataclass(frozen=True)
class Effect:
    """The effect of all pokes. elsewhere: other bytes that differ from the run without writing."""

    frames: int
    pokes: tuple[Poked, ...]
    elsewhere: tuple[Run, ...]


def poke_and_run(
    machine: Machine,
    pokes: Sequence[Poke],
    ram_map: RamMap | None,
    script: Script,
    *,
    hold: bool = False,
    stopped: Callable[[], None] = lambda: None,
) -> Effect:
    """Writes, runs the presses, and compares with a run without writing. The machine is left as after the poked run.

    ``hold``: write again before every frame. ``stopped`` is called at every frame, and may raise to stop.
    """
    ram, camera = machine.ram, Camera(machine.ram)
    bound = None if ram_map is None else BoundMap(ram_map, ram, AnySymbols())
    state = machine.save()
    for poke in pokes:
        check_inside(poke.place, ram)
    frames = 0
    for pads in frames_of(script):
        stopped()
        machine.step(*pads)
        frames += 1
    plain = camera.take()
    machine.load(state)
    before = camera.take()
    for poke in pokes:
        poke.write(ram, bound)
    written = camera.take()
    places = [poke.addresses(ram_map) for poke in pokes]
    lasted: list[int | None] = [None] * len(pokes)
    for frame, pads in enumerate(frames_of(script)):
        stopped()
        if hold:
            for poke in pokes:
                poke.write(ram, bound)
        machine.step(*pads)
        for number, addresses in enumerate(places):
            if lasted[number] is None and any(ram[address] != written[address] for address in addresses):
                lasted[number] = frame
    after = camera.take()
    told = tuple(
        Poked(
            poke.place.name,
            addresses[0],
            _at(before, addresses),
            _at(written, addresses),
            _at(after, addresses),
            lasted[number],
        )
        for number, (poke, addresses) in enumerate(zip(pokes, places, strict=True))
        if addresses
    )
    own = np.zeros(len(after), bool)
    own[[address - after.base for addresses in places for address in addresses]] = True
    plain.cells[own] = after.cells[own]
    return Effect(frames, told, tuple(differences(plain, after, Names(ram_map))))


def _at(image: Image, addresses: Sequence[int]) -> bytes:
    return bytes(image[address] for address in addresses)
