"""Checks nuisance by experiment: writes a number where the map counts pending nuisance; as many pieces must fall."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ochibot.ramtools.bench import Bench
from ochibot.ramtools.colorfits import COLORS
from ochibot.ramtools.counts import report_count
from ochibot.ramtools.evidence import filled
from ochibot.ramtools.findings import Finding
from ochibot.ramtools.image import Image
from ochibot.ramtools.needles import report_codes
from ochibot.ramtools.reading import Paper, address_of

AMOUNTS: Final = (3, 5)
"""How many pieces of nuisance are made to fall, in one experiment each."""

NEAR: Final = 48
"""Bytes up to this far from the map's address are tried as well."""


@dataclass(frozen=True, eq=False)
class Fall:
    """Nuisance that fell. byte: the value of its cells. end: RAM at the next spawn."""

    byte: int
    end: Image


class Nuisances:
    """Checks the entries ``pending`` and ``fallen``, and the code of nuisance. Findings go into the bench's report."""

    def __init__(self, bench: Bench, paper: Paper) -> None:
        self.bench = bench
        self.paper = paper
        self.report = bench.report

    def fit(self, state: bytes) -> int | None:
        """Runs all checks, from a state in which a pair answers the pad. Returns the address of ``pending``;
        None when no nuisance was seen to fall.
        """
        said = address_of(self.paper.map, "pending")
        if said is None:
            self.report.notes.append("nuisance: not checked, the map has no single byte that counts what is pending")
            return None
        found = next((place for place in self._near(said) if self._falls(state, place, AMOUNTS[0]) is not None), None)
        falls = [] if found is None else [self._falls(state, found, amount) for amount in AMOUNTS]
        seen = [fall for fall in falls if fall is not None]
        if found is None or len(seen) < len(AMOUNTS):
            self.report.notes.append(
                f"pending: not checked, nothing fell when a number was written there ({said:04X}) or within "
                f"{NEAR} bytes of it; where nuisance falls in games of two alone, check a map of such a game"
            )
            return None
        if found == said:
            self.report.holds.append("pending")
        else:
            self.report.findings.append(
                Finding(
                    "pending",
                    (said, found),
                    "nothing falls when a number is written there",
                    f"{AMOUNTS[0]} pieces of nuisance fall when {AMOUNTS[0]} is written to {found:04X}",
                    f"address: {found:#06x}",
                    entries={"pending": {"address": found, "source": "calibrated"}},
                )
            )
        byte = seen[0].byte
        if self.bench.colors.cell.of(byte) == "nuisance":
            self.report.holds.append("field's nuisance")
        else:
            report_codes(self.bench, self.paper, {byte: "nuisance"})
        quiet = self.bench.lab.drop(state, 0).end
        report_count(
            self.paper, self.report, "fallen", [*(fall.end for fall in seen), quiet], [*AMOUNTS[: len(seen)], 0]
        )
        return found

    def _near(self, said: int) -> Iterator[int]:
        """Yields the map's address, then the addresses around it, the nearest first, without those of known entries."""
        image = self.bench.lab.lab.look()
        others = {self.bench.pair.x[0], self.bench.pair.y[0], self.bench.pair.orientation[0]}
        others |= {place for place, _ in self.bench.colors.pair} | set(self.bench.grid.addresses())
        yield said
        for away in range(1, NEAR + 1):
            yield from (each for each in (said - away, said + away) if each in image and each not in others)

    def _falls(self, state: bytes, place: int, amount: int) -> Fall | None:
        """Writes ``amount`` to ``place``. Returns the nuisance that falls; None unless exactly ``amount`` falls."""
        bench, drops = self.bench, self.bench.lab
        drops.load(state)
        drops.lab.poke(place, amount)
        drop = drops.drop(None, 0)
        x, floor = bench.spawn.x, bench.grid.floor
        fresh = filled(bench.grid, drop.start, drop.end) - {(x, floor), (x, floor - 1)}
        bytes_ = {drop.end[bench.grid.cell(*cell)] for cell in fresh}
        colors = {bench.colors.raw[name] for name in COLORS if name in bench.colors.raw}
        if not drop.spawned or len(fresh) != amount or len(bytes_) != 1 or bytes_ & colors:
            return None
        return Fall(bytes_.pop(), drop.end)
