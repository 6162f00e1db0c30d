"""Finds which bytes hold NEXT, the colours of the pairs to come.

NEXT shows at a spawn the pair that spawns next; a second NEXT shows the pair after that.
"""

from __future__ import annotations

from collections.abc import Sequence

from ochibot.ramtools.colorfits import MOST_TRIED, ColorFits, ColorReading, nearest_pairs, tells_apart
from ochibot.ramtools.findings import Finding
from ochibot.ramtools.fits import Symbols, fit_symbols
from ochibot.ramtools.image import Image
from ochibot.ramtools.reading import address_of
from ochibot.wording import counted

Truth = Sequence[tuple[Image, str]]
"""Samples: RAM at a spawn, and the symbol of the colour that one half of a later pair then had."""


class NextFits:
    """Finds the entries of the pairs to come. Findings go into the report of ``fits``."""

    def __init__(self, fits: ColorFits, reading: ColorReading) -> None:
        self.fits = fits
        self.reading = reading
        self.map = fits.paper.map
        self.lab = fits.lab

    def fit(self, names: tuple[str, str], ahead: int) -> None:
        """Finds the bytes of both halves of the pair ``ahead`` pieces later. names: the halves' entries, axis first."""
        walk = self.fits.walk
        pairs = [
            (sample.spawn, self.reading.of_pair(walk[number + ahead].start))
            for number, sample in walk.items()
            if number + ahead in walk
        ]
        said = [address_of(self.map, name) for name in names]
        truths: list[Truth] = [[(image, str(symbols[half])) for image, symbols in pairs] for half in (0, 1)]
        found: tuple[int, int] | None = None
        for places in (said, said[::-1]):
            if all(
                place is not None and self._form(name, place, truth)
                for name, place, truth in zip(names, places, truths, strict=True)
            ):
                found = places[0], places[1]  # type: ignore[assignment]
                break
        if found is None and pairs:
            found = self._anywhere(names, truths, said[0], ahead)
        for half, name in enumerate(names):
            form = None if found is None else self._form(name, found[half], truths[half])
            if found is None or form is None:
                old = said[half]
                when = "the spawn before" if ahead == 1 else f"the spawn {counted(ahead, 'piece')} before"
                seen = f"the pairs that came were compared with every byte at {when}"
                where = () if old is None else (old,)
                self.fits.report.findings.append(
                    Finding(name, where, "no byte foretold that pair's colour", seen, None)
                )
            else:
                known = [(image[found[half]], symbol) for image, symbol in truths[half]]
                self.fits.tell(name, found[half], form, known)

    def _anywhere(
        self, names: tuple[str, str], truths: Sequence[Truth], said: int | None, ahead: int
    ) -> tuple[int, int] | None:
        spots = []
        for name, truth in zip(names, truths, strict=True):
            places = tells_apart([image for image, _ in truth], [symbol for _, symbol in truth])
            spots.append([place for place in places if self._form(name, place, truth)])
        ways = nearest_pairs(spots[0], spots[1], said)
        acting = next((each for each in ways[:MOST_TRIED] if self._foretells(each, truths, ahead)), None)
        return acting or (ways[0] if ways else None)

    def _form(self, name: str, place: int, truth: Truth) -> Symbols | None:
        said = self.fits.form(name)
        known = [(image[place], symbol) for image, symbol in truth]
        if len({byte for byte, _ in known}) < min(2, len({symbol for _, symbol in truth})):
            return None
        form = fit_symbols(known, said.table, said.mask, said.shift) if known else None
        return form if form is not None and (not form.own or form.mask == 0xFF) else None

    def _foretells(self, places: tuple[int, int], truths: Sequence[Truth], ahead: int) -> bool:
        """Pokes other colours into both bytes. Returns whether the pair ``ahead`` pieces later has these colours."""
        self.lab.load(self.fits.first)
        now = self.lab.lab.look()
        wanted = []
        for half, place in enumerate(places):
            other = next(((image[place], symbol) for image, symbol in truths[half] if image[place] != now[place]), None)
            if other is None:
                return False
            self.lab.lab.poke(place, other[0])
            wanted.append(other[1])
        for _ in range(ahead):
            self.lab.drop(None, 0)
            self.lab.to_control()
        return list(self.reading.of_pair(self.lab.lab.look())) == wanted
