"""Compares where the falling pair was in every drop with the positions that the map reads from RAM."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ochibot.falling.orientation import STEP, Orientation
from ochibot.puyo.rules.pair import PairState
from ochibot.ramtools.evidence import Sample
from ochibot.ramtools.findings import Finding, Report
from ochibot.ramtools.fits import Number, Symbols, fit_everywhere, fit_number, fit_symbols
from ochibot.ramtools.image import Image
from ochibot.ramtools.reading import PairReading, Paper, address_of, bits_of, denotes, raw_table, table_of

ORIENTATIONS: Final = "orientation"
"""The name for a proposed table of orientation codes."""

HALVES: Final = ("axis", "partner")


@dataclass(frozen=True, eq=False)
class Moment:
    """RAM at a moment at which it is known where the pair is."""

    image: Image
    state: PairState

    def half(self, which: str) -> tuple[int, int]:
        """Where the axis or the partner is: (x, y)."""
        if which == "axis":
            return self.state.x, self.state.y
        dx, dy = STEP[self.state.orientation]
        return self.state.x + dx, self.state.y + dy


def moments(samples: Sequence[Sample], spawn: PairState | None) -> list[Moment]:
    """The moments of all samples: at rest and, unless ``spawn`` is None, at the spawn and at the start of control."""
    found = [Moment(sample.rest, PairState(*sample.axis, sample.orientation)) for sample in samples]
    if spawn is not None:
        found += [Moment(image, spawn) for sample in samples for image in (sample.spawn, sample.start)]
    return found


class PairFits:
    """Finds how the falling pair's x, y and orientation are stored."""

    def __init__(self, paper: Paper, codes: dict[int, str], report: Report) -> None:
        """``codes``: the title's orientation codes, for maps that have no table of them."""
        self.paper = paper
        self.codes = codes
        self.report = report

    def fit(self, known: Sequence[Moment]) -> PairReading | None:
        """Finds all three; None when one couldn't be found. Findings go into the report."""
        orientation = self._orientation(known)
        position = self._position(known)
        if orientation is None or position is None:
            return None
        half, x, y = position
        return PairReading(x, y, orientation, half)

    def _position(self, known: Sequence[Moment]) -> tuple[str, tuple[int, Number], tuple[int, Number]] | None:
        said = denotes(self.paper.map)
        for half in sorted(HALVES, key=lambda each: each != said):
            x, y = self._here("x", known, half), self._here("y", known, half)
            if x is not None and y is not None:
                self._tell_half(half, said, known)
                self._tell("x", x, known, half)
                self._tell("y", y, known, half)
                return half, x, y
        elsewhere = []
        for half in HALVES:
            x, y = self._here("x", known, half), self._here("y", known, half)
            x, y = x or self._anywhere("x", known, half), y or self._anywhere("y", known, half)
            if x is not None and y is not None:
                # positions in pixels (a large ``divide``) are mostly those of a sprite that follows the pair: last
                elsewhere.append((x[1].divide + y[1].divide, half != said, half, x, y))
        if elsewhere:
            _, _, half, x, y = min(elsewhere, key=lambda each: each[:2])
            self._tell_half(half, said, known)
            self._tell("x", x, known, half)
            self._tell("y", y, known, half)
            return half, x, y
        for name in ("x", "y"):
            if all(self._here(name, known, half) is None for half in HALVES):
                self._lost(name, known, "where the axis or the partner was")
        return None

    def _here(self, name: str, known: Sequence[Moment], half: str) -> tuple[int, Number] | None:
        """The map's address and the form that fits its byte; None when no form does."""
        address = address_of(self.paper.map, name)
        if address is None:
            return None
        form = fit_number([(moment.image[address], moment.half(half)[name == "y"]) for moment in known])
        return None if form is None else (address, form)

    def _anywhere(self, name: str, known: Sequence[Moment], half: str) -> tuple[int, Number] | None:
        """(address, form) of the byte with the simplest form; ties go to the byte nearest to the map's address."""
        wanted = address_of(self.paper.map, name) or 0
        found = fit_everywhere([moment.image for moment in known], [moment.half(half)[name == "y"] for moment in known])
        plain = [each for each in found if each[1].divide == found[0][1].divide] if found else []
        return min(plain, key=lambda each: abs(each[0] - wanted), default=None)

    def _tell_half(self, half: str, said: str, known: Sequence[Moment]) -> None:
        if half == said:
            return
        turned = next((moment for moment in known if moment.state.orientation is Orientation.RIGHT), known[0])
        address = address_of(self.paper.map, "x")
        byte = f"{turned.image[address]:#04x}" if address is not None else "?"
        self.report.findings.append(
            Finding(
                "pair",
                tuple(each for each in (address, address_of(self.paper.map, "y")) if each is not None),
                f"x and y are taken for the {said}'s",
                f"they follow the {half}: with the pair turned to the right, the axis in column {turned.state.x} and "
                f"the partner in column {turned.half('partner')[0]}, x holds {byte}",
                f"pair: {{denotes: {half}}}",
                pair={"denotes": half},
            )
        )

    def _tell(self, name: str, found: tuple[int, Number], known: Sequence[Moment], half: str) -> None:
        address, form = found
        same_place = address == address_of(self.paper.map, name)
        wrong = [moment for moment in known if self._reads(name, moment) != moment.half(half)[name == "y"]]
        if same_place and not wrong:
            self.report.holds.append(name)
            return
        moment = (wrong or known)[0]
        truth = moment.half(half)[name == "y"]
        old = address_of(self.paper.map, name)
        reads = self._reads(name, moment)
        if old is None:
            says = "the map has no such entry"
        elif not same_place:
            says = f"its byte doesn't hold where the pair is: it reads {reads} where it must be {truth}"
        elif form == Number(form.offset) and reads is not None and truth != reads:
            what = "too small" if truth > reads else "too large"
            says = f"it reads {reads} where it must be {truth}: {abs(truth - reads)} {what}"
        else:
            says = f"it reads {reads} where it must be {truth}"
        entry = {"address": address, **form.patch(), "source": "calibrated"}
        told = ", ".join(f"{word}: {value}" for word, value in form.patch().items()) or "no offset and no scale"
        self.report.findings.append(
            Finding(
                name,
                (address,) if old is None or same_place else (old, address),
                says,
                raw_table([(each.image[address], str(each.half(half)[name == "y"])) for each in known], address),
                told if same_place else f"address: {address:#06x}" + (f", {told}" if form.patch() else ""),
                entries={name: entry},
            )
        )

    def _reads(self, name: str, moment: Moment) -> int | None:
        return self.paper.value(name, moment.image) if name in self.paper else None

    def _orientation(self, known: Sequence[Moment]) -> tuple[int, Symbols] | None:
        table = table_of(self.paper.map, "orientation", self.codes)
        mask, shift = bits_of(self.paper.map, "orientation")
        address = address_of(self.paper.map, "orientation")
        if address is not None:
            form = fit_symbols(_lies(known, address), table, mask, shift)
            if form is not None and len({form.of(moment.image[address]) for moment in known}) == len(Orientation):
                self._tell_orientation(address, form, known, moved=False)
                return address, form
        for place in known[0].image.addresses():
            samples = _lies(known, place)
            if len({byte for byte, _ in samples}) < len(Orientation):
                continue
            form = fit_symbols(samples, table)
            if form is not None and form.mask == 0xFF:
                self._tell_orientation(place, form, known, moved=True)
                return place, form
        self._lost("orientation", known, "how the pair lay")
        return None

    def _tell_orientation(self, address: int, form: Symbols, known: Sequence[Moment], *, moved: bool) -> None:
        old = address_of(self.paper.map, "orientation")
        mask, shift = bits_of(self.paper.map, "orientation")
        if not moved and not form.own and (form.mask, form.shift) == (mask, shift):
            self.report.holds.append("orientation")
            return
        table = table_of(self.paper.map, "orientation", self.codes)
        wrong = next(
            (byte, lies)
            for byte, lies in _lies(known, address)
            if moved or Symbols(table, mask, shift).of(byte) != lies
        )
        reads = Symbols(table, mask, shift).of(wrong[0])
        values = dict(sorted(form.table.items())) if form.own else {}
        told = [f"address: {address:#06x}"] if moved else []
        told += [f"{word}: {value}" for word, value in form.patch().items()]
        if form.own:
            told.append("symbols: {" + ", ".join(f"{byte}: {symbol}" for byte, symbol in values.items()) + "}")
        entry = {"address": address, **form.patch(), "source": "calibrated"}
        if form.own:
            entry["symbols"] = ORIENTATIONS
        self.report.findings.append(
            Finding(
                "orientation",
                (address,) if old in (None, address) else (old or 0, address),
                f"{wrong[0]:#04x} is taken for {reads or 'nothing'} and means {wrong[1]}"
                if not moved
                else "its byte doesn't hold how the pair lies",
                raw_table(_lies(known, address), address),
                ", ".join(told),
                entries={"orientation": entry},
                codes={ORIENTATIONS: {"source": "calibrated", "values": values}} if form.own else {},
            )
        )

    def _lost(self, name: str, known: Sequence[Moment], what: str) -> None:
        address = address_of(self.paper.map, name)
        seen = (
            "the map has no such entry"
            if address is None
            else raw_table(
                [
                    (
                        moment.image[address],
                        f"{moment.state.x},{moment.state.y} {moment.state.orientation.name.lower()}",
                    )
                    for moment in known
                ],
                address,
            )
        )
        self.report.findings.append(
            Finding(
                name,
                () if address is None else (address,),
                f"no byte of RAM holds {what} in one of the known forms",
                seen,
                None,
            )
        )


def _lies(known: Sequence[Moment], address: int) -> list[tuple[int, str]]:
    return [(moment.image[address], moment.state.orientation.name.lower()) for moment in known]
