"""Finds the needle button, the pair's needle byte and the needles' codes by experiment, in games of the family nyaa.

A pair of needles that falls onto a block of the axis's colour lights the block, which vanishes. No other effect of a
button makes it vanish. So the field shows whether the pair has become needles, whatever the map says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ochibot.console import Button
from ochibot.ramtools.bench import Bench, mixed
from ochibot.ramtools.buttons import OTHERS
from ochibot.ramtools.colorfits import COLORS
from ochibot.ramtools.findings import Finding
from ochibot.ramtools.fits import Number, fit_everywhere, fit_number
from ochibot.ramtools.image import Image
from ochibot.ramtools.laboratory import taps
from ochibot.ramtools.reading import Paper, address_of, field_table, raw_table

MOST_TRIED: Final = 24
"""The most bytes that are tried by poking."""

PAIRS: Final = 8
"""How many pairs are dropped as needles to see their codes in the field."""


class Needles:
    """Finds the button, the entry ``needle`` and the codes of needles that lie in the field."""

    def __init__(self, bench: Bench, paper: Paper, needle: Button) -> None:
        """``needle``: the button that makes needles according to the game's table."""
        self.bench = bench
        self.paper = paper
        self.report = bench.report
        self.button = needle

    def fit(self) -> bytes | None:
        """Finds all three. Returns a state in which a pair of two colours answers the pad; None when the button isn't
        found or no such pair came.
        """
        state = mixed(self.bench)
        if state is None:
            self.report.notes.append("needles: not checked, no pair of two colours came")
            return None
        if not self._find_button(state):
            return None
        self._find_byte(state)
        self._find_codes(state)
        return state

    def pressed(self, state: bytes, times: int = 1) -> None:
        """Loads a state and taps the button ``times`` times: the pair turns into needles, then back, and so on."""
        drops = self.bench.lab
        drops.load(state)
        for pad in taps([self.button] * times):
            drops.lab.step(pad)
            drops.sign.update()

    # the button

    def _lights(self, state: bytes, button: Button | None = None, poked: tuple[int, int] | None = None) -> bool:
        """Whether a block of the axis's colour below the pair vanishes when the pair falls on it.

        Before the pair falls, ``button`` is tapped. ``poked``: an address, and the byte that is written there first.
        """
        bench, drops = self.bench, self.bench.lab
        drops.load(state)
        cell = bench.spawn.x, bench.grid.floor
        axis, partner = bench.colors.of_pair(drops.lab.look())
        bench.put([cell], str(axis))
        if poked is not None:
            drops.lab.poke(*poked)
        for pad in taps([] if button is None else [button]):
            drops.lab.step(pad)
            drops.sign.update()
        end = drops.drop(None, 0).end
        seen = bench.colors.cell.of(end[bench.grid.cell(*cell)])
        above = bench.colors.cell.of(end[bench.grid.cell(cell[0], cell[1] - 1)])
        return seen == partner and above == "empty"

    def _find_button(self, state: bytes) -> bool:
        said = self.button
        pads = self.bench.lab.pads
        rest = [each for each in OTHERS if each not in (said, pads.turn, pads.back)]
        found = next((button for button in (said, *rest) if self._lights(state, button)), None)
        if found is said:
            return True
        word = str(said.name).lower()
        name = None if found is None else str(found.name).lower()
        self.report.findings.append(
            Finding(
                "game.buttons.needle",
                (),
                f"{word} turns the pair into needles by the game's table",
                f"after {word} a block of the axis's colour stays below the pair"
                + ("" if name is None else f"; after {name} it goes"),
                None if name is None else f"buttons: {{needle: {name}}}",
                buttons={} if found is None else {"needle": found},
            )
        )
        if found is not None:
            self.button = found
        return found is not None

    # the byte

    def _find_byte(self, state: bytes) -> None:
        known = self._moments(state)
        address = address_of(self.paper.map, "needle")
        if address is not None:
            if "needle" in self.paper and all(self.paper.value("needle", image) == needle for image, needle in known):
                self.report.holds.append("needle")
                return
            form = fit_number([(image[address], needle) for image, needle in known])
            if form is not None:
                self._tell(address, form, known)
                return
        wanted = address or 0
        everywhere = fit_everywhere([image for image, _ in known], [needle for _, needle in known])
        # plain flags (0 and 1) first, then the addresses nearest to the map's
        ways = sorted(everywhere, key=lambda each: (each[1] != Number(), abs(each[0] - wanted)))[:MOST_TRIED]
        on = known[-1][0]
        acting = next((each for each in ways if self._lights(state, poked=(each[0], on[each[0]]))), None)
        found = acting or next(iter(ways), None)
        if found is None:
            where = () if address is None else (address,)
            seen = "no byte of RAM changes with the button, and back with the next tap"
            self.report.findings.append(Finding("needle", where, "it is the same for needles and blocks", seen, None))
            return
        self._tell(*found, known)

    def _moments(self, state: bytes) -> list[tuple[Image, int]]:
        """Some images of RAM, each with 1 if the pair was needles at that moment, else 0. The last is one with 1."""
        lab = self.bench.lab.lab
        found = []
        for times in (0, 1, 2, 3):
            self.pressed(state, times)
            found.append((lab.look(), times % 2))
        self.pressed(state)
        for pad in taps([self.bench.lab.pads.right, self.bench.lab.pads.turn]):
            lab.step(pad)
        found.append((lab.look(), 1))
        return found

    def _tell(self, address: int, form: Number, known: Sequence[tuple[Image, int]]) -> None:
        old = address_of(self.paper.map, "needle")
        told = [f"address: {address:#06x}"] if old != address else []
        told += [f"{word}: {value}" for word, value in form.patch().items()]
        self.report.findings.append(
            Finding(
                "needle",
                (address,) if old in (None, address) else (old or 0, address),
                "its byte is the same for needles and blocks" if old != address else "it reads needles as blocks",
                raw_table([(image[address], "needles" if needle else "blocks") for image, needle in known], address),
                ", ".join(told) or "no offset and no scale",
                entries={"needle": {"address": address, **form.patch(), "source": "calibrated"}},
            )
        )

    # the codes in the field

    def _find_codes(self, state: bytes) -> None:
        """Checks the codes of needles in the field. They show while the block burns that the lower needle has lit."""
        bench, drops = self.bench, self.bench.lab
        x, floor = bench.spawn.x, bench.grid.floor
        known: dict[int, str] = {}
        for _ in range(PAIRS):
            drops.load(state)
            colors = bench.colors.of_pair(drops.lab.look())
            bench.put([(x, floor)], str(colors[0]))
            drop = drops.drop_after(drops.lab.save(), self.button)
            if not drop.spawned:
                break
            fill = drop.trace.first_change([bench.grid.cell(x, floor - 2)])
            for row, color in zip((floor - 1, floor - 2), colors, strict=True):
                place = bench.grid.cell(x, row)
                byte = drop.start[place] if fill is None else drop.trace.at(fill)[place]
                # a needle that has lit a block may vanish at once, and some games may show needles as blocks
                if byte not in (drop.start[place], bench.colors.raw[str(color)]):
                    known.setdefault(byte, f"{color}_needle")
            if len(known) == len(self._colors()):
                break
            state = drops.after(state, 1 - bench.spawn.x)
        wrong = {byte: symbol for byte, symbol in known.items() if bench.colors.cell.of(byte) != symbol}
        if known and not wrong:
            self.report.holds.append("field's needles")
        elif wrong:
            report_codes(bench, self.paper, wrong)

    def _colors(self) -> list[str]:
        return [name for name in self.bench.colors.raw if name in COLORS]


def report_codes(bench: Bench, paper: Paper, found: dict[int, str]) -> None:
    """Reports in one finding the field's bytes that the map reads wrong or not at all, and adds them to the colours."""
    cell = bench.colors.cell
    byte, symbol = min(found.items())
    reads = cell.of(byte)
    values = {(each & cell.mask) >> cell.shift: name for each, name in found.items()}
    kept = {value: name for value, name in cell.table.items() if name not in values.values()}
    table = field_table(paper.map) + ("_field" if cell.own else "")
    merged = dict(sorted({**kept, **values}.items()))
    bench.colors.cell = replace(cell, table=merged)
    bench.colors.raw.update({name: (value << cell.shift) & 0xFF for value, name in values.items()})
    told = ", ".join(f"{value:#04x}: {name}" for value, name in sorted(values.items()))
    bench.report.findings.append(
        Finding(
            "field",
            (bench.grid.address,),
            f"the byte {byte:#04x} is {'unknown' if reads is None else f'taken for {reads}'}; it was {symbol}",
            raw_table(sorted(found.items()), bench.grid.address, 12),
            f"codes: {{{told}}}",
            codes={table: {"source": "calibrated", "values": merged}},
        )
    )
