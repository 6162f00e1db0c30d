"""Presses as text: ``start:6 wait:30 left:2 wait:3 a+down``. Each step is buttons, a colon and a number of frames.

Writes into RAM and shows the effect, by comparison with a run from the same state without writing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ochibot.console import Button, Machine, Ram
from ochibot.errors import UsageError
from ochibot.quoting import quoted
from ochibot.ram import BoundMap, RamMap
from ochibot.ramtools.image import Camera, Image
from ochibot.ramtools.kinds import number_of
from ochibot.ramtools.mapping import AnySymbols, NamedPlace, Names, byte_addresses, check_inside, parse_place
from ochibot.ramtools.searching import Run, differences

MOST_FRAMES: Final = 1_000_000
"""The most frames that a script may take (four and a half hours at 60 frames a second)."""

WAIT: Final = ("wait", "-", ".")
"""Words for a step without buttons."""


@dataclass(frozen=True)
class Press:
    """One step: the button masks of both pads, and for how many frames they are held."""

    pads: tuple[Button, Button]
    frames: int


Script = Sequence[Press]


def parse_pads(text: str) -> tuple[Press, ...]:
    """Parses a script: steps separated by spaces or commas. Raises UsageError with the wrong step.

    A step is ``left``, ``left:4`` (four frames), ``a+down:2``, ``wait:30``, and for both pads ``left/right:2``.
    """
    steps = [_press(word) for word in re.split(r"[\s,]+", text.strip()) if word]
    if sum(step.frames for step in steps) > MOST_FRAMES:
        raise UsageError(f"the presses take more than {MOST_FRAMES:,} frames; give fewer")
    return tuple(steps)


def _press(word: str) -> Press:
    names, colon, count = word.partition(":")
    if colon and not (count.isascii() and count.isdigit() and 0 < len(count) < 8 and int(count) > 0):
        raise UsageError(f"the step {quoted(word)} of the presses: give frames as in left:4")
    pads = [_mask(part, word) for part in names.split("/")]
    if len(pads) > 2:
        raise UsageError(f"the step {quoted(word)} of the presses: there are two pads, as in left/right:2")
    first, second = pads[0], pads[1] if len(pads) == 2 else Button.NONE
    return Press((first, second), int(count) if colon else 1)


def _mask(names: str, word: str) -> Button:
    mask = Button.NONE
    if names in WAIT:
        return mask
    for name in names.split("+"):
        button = Button.__members__.get(name.upper())
        if button is None or button is Button.NONE:
            known = ", ".join(each.lower() for each in Button.__members__ if each != "NONE")
            raise UsageError(
                f"the step {quoted(word)} of the presses: there is no button {quoted(name)}; give wait or "
                f"one of {known}, several as left+a"
            )
        mask |= button
    return mask


def frames_of(script: Script) -> Iterator[tuple[Button, Button]]:
    """Both pads' masks, frame by frame."""
    for step in script:
        for _ in range(step.frames):
            yield step.pads


def length(script: Script) -> int:
    """How many frames a script takes."""
    return sum(step.frames for step in script)


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
