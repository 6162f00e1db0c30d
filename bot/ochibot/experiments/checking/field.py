"""Compares the field: where its cells are, what their bytes mean, and whether its hidden row is among them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from ochibot.experiments.checking.entries import addresses, bits_of, in_words, plain, raw_table, table_of, taken_for
from ochibot.experiments.checking.scenes import Fall, Reading, Truth
from ochibot.experiments.families import PUYO_ROWS, family_of
from ochibot.experiments.grid import Grid
from ochibot.experiments.known import Ground
from ochibot.experiments.rig import Bytes
from ochibot.ram import RamMap
from ochibot.ramtools.findings import Finding, Report
from ochibot.ramtools.kinds import Symbols, fit_symbols

EMPTY: Final = "empty"

MEANING: Final = ("codes", "mask", "shift", "source", "note")
"""The parts of an entry that don't say where its cells are."""

Known = list[tuple[Bytes, dict[tuple[int, int], str]]]
"""Moments, and the symbols of the cells that are known: by (column from the left, row from the floor)."""


class Cells:
    """Compares the entry ``field``. Findings go into the report."""

    def __init__(
        self, reading: Reading, truth: Truth, report: Report, ground: Ground, codes: Mapping[int, str]
    ) -> None:
        """codes: the symbol of each kind of cell that is known."""
        self.reading = reading
        self.map: RamMap = reading.map
        self.truth = truth
        self.report = report
        self.ground = ground
        self.codes = codes
        self.form: Symbols | None = None
        """In which form cells hold their symbols; None when none was found."""

    def more(self, found: Mapping[int, str], about: str) -> None:
        """Compares the meaning of further bytes of the field. about: what ``holds`` calls them, if they are right."""
        form = self.form
        if form is None:
            return
        wrong = {byte: symbol for byte, symbol in found.items() if form.of(byte) != symbol}
        if not wrong:
            self.report.holds.append(about)
            return
        values = {(each & form.mask) >> form.shift: name for each, name in wrong.items()}
        kept = {value: name for value, name in form.table.items() if name not in values.values()}
        merged = dict(sorted({**kept, **values}.items()))
        self.form = replace(form, table=merged)
        words = ", ".join(f"{value:#04x}: {name}" for value, name in sorted(values.items()))
        self.report.findings.append(
            Finding(
                "field",
                (self._address(self.ground.grid),),
                taken_for(form, *min(wrong.items())),
                raw_table(sorted(wrong.items()), self._address(self.ground.grid), 12),
                f"codes: {{{words}}}",
                codes={self._table(own=form.own): {"source": "calibrated", "values": merged}},
            )
        )
        self.report.holds = [name for name in self.report.holds if name != "field"]

    def _table(self, *, own: bool) -> str:
        """The name of the field's table, or of a proposed one."""
        entry = self.map.entries.get("field")
        name = str((entry.table if entry is not None else None) or "colors")
        return f"{name}_field" if own else name

    def compare(self, falls: Sequence[Fall]) -> None:
        """Compares the field as a whole."""
        rams = [scene.ram for fall in falls for scene in fall.scenes]
        known = self._known(rams)
        entry = self.map.entries.get("field")
        if self._reads(known) and not self._short():
            self.report.holds.append("field")
            self.form = Symbols(table_of(self.map, "field", {}), *bits_of(self.map, "field"))
            return
        patch: dict[str, Any] = {}
        words: list[str] = []
        says = ""
        if entry is None or not self._same_bytes(rams) or self._short():
            patch, words, says = self._geometry(rams)
        pairs = sorted(
            {(int(ram[self.ground.grid.cell(*cell)]), symbol) for ram, cells in known for cell, symbol in cells.items()}
        )
        form, codes = self._codes(pairs, patch, words)
        self.form = form
        if not says:
            said = Symbols(table_of(self.map, "field", {}), *bits_of(self.map, "field"))
            says = taken_for(said, *next(((byte, word) for byte, word in pairs if said.of(byte) != word), pairs[0]))
        old = None if entry is None else entry.address
        address = patch.get("address", old)
        self.report.findings.append(
            Finding(
                "field",
                addresses(old, address),
                says,
                self._seen(pairs),
                ", ".join(words) if form is not None else None,
                entries={"field": {**patch, "source": "calibrated"}},
                codes=codes,
            )
        )

    def _seen(self, pairs: Sequence[tuple[int, str]]) -> str:
        """Where the lowest cells are, and what their bytes meant."""
        grid = self.ground.grid
        if self.truth.learnt.basis.view is not None:
            return "each cell is made of several bytes, or of a part of one"
        return (
            f"the floor of column 1 is at {self._at(grid.cell(0, 0)):04X}, that of column 2 at "
            f"{self._at(grid.cell(1, 0)):04X}, the cell above the first at {self._at(grid.cell(0, 1)):04X}; "
            + raw_table(pairs, self._at(grid.cell(0, 0)), 12)
        )

    def _at(self, offset: int) -> int:
        # a cell that is made of several bytes has no address of its own
        return 0 if self.truth.learnt.basis.view is not None else self.ground.rig.address(offset)

    def _address(self, grid: Grid) -> int:
        return self._at(grid.cell(0, self.ground.visible - 1))

    def _known(self, rams: Sequence[Bytes]) -> Known:
        """The cells whose code is known: nobody knows what a vanishing cell shows."""
        ground, codes = self.ground, self.codes
        spots = [(column, row) for column in range(ground.grid.columns) for row in range(ground.visible)]
        kinds = [(ram, {spot: int(ram[ground.grid.cell(*spot)]) & ground.mask for spot in spots}) for ram in rams]
        return [(ram, {spot: codes[kind] for spot, kind in cells.items() if kind in codes}) for ram, cells in kinds]

    def _reads(self, known: Known) -> bool:
        """Whether the map reads all known cells as they are, and its rows above the visible ones as cells."""
        entry = self.map.entries.get("field")
        if entry is None or not entry.is_grid or entry.columns != self.ground.grid.columns:
            return False
        for ram, cells in known:
            rows = self.reading.cells("field", ram)
            for (column, row), symbol in cells.items():
                if row >= len(rows) or rows[-1 - row][column] != symbol:
                    return False
        return True

    def _plain(self) -> list[int] | None:
        """The offsets of the map's cells, row by row; None unless each cell is a byte."""
        entry = self.map.entries.get("field")
        if entry is None or not entry.is_grid or entry.address is None or entry.cells_per_byte != 1 or entry.width != 1:
            return None
        rig = self.ground.rig
        return [rig.offset(address) for address in entry.byte_addresses()]

    def _same_bytes(self, rams: Sequence[Bytes]) -> bool:
        """Whether the map's cells have the bytes of the field, in all moments."""
        places, entry, ground = self._plain(), self.map.entries["field"], self.ground
        if places is None or entry.columns != ground.grid.columns or (entry.rows or 0) < ground.visible:
            return False
        wide, rows = ground.grid.columns, entry.rows or 0
        pairs = [
            (places[(rows - 1 - row) * wide + column], ground.grid.cell(column, row))
            for column in range(wide)
            for row in range(ground.visible)
        ]
        mine, theirs = [one for one, _ in pairs], [other for _, other in pairs]
        return all((ram[mine] == ram[theirs]).all() for ram in rams)

    def _short(self) -> bool:
        """Whether the map takes bytes for the hidden row in which the hidden row isn't."""
        entry, above = self.map.entries.get("field"), self.truth.learnt.above
        if entry is None or above is None or above.apart is None or family_of(self.truth.learnt) != "puyo":
            return False
        hidden = PUYO_ROWS - 1 - self.ground.visible
        if (entry.top or 0) > hidden:
            return False
        return entry.above is None or self.ground.rig.offset(entry.above.address) != above.apart[0]

    def _geometry(self, rams: Sequence[Bytes]) -> tuple[dict[str, Any], list[str], str]:
        """(The learnt field's part of the entry, the same in words, what is wrong with the map's)."""
        entry = self.map.entries.get("field")
        learnt = dict(self.truth.data["entries"]["field"])
        patch = plain({word: value for word, value in learnt.items() if word not in MEANING})
        if entry is not None and entry.top and "top" not in patch:
            patch["top"] = 0
        if entry is not None and (entry.width != 1 or entry.cells_per_byte != 1):
            patch |= {"type": "u8", "cells_per_byte": 1}
        other = {word: value for word, value in patch.items()
                 if word == "above" or entry is None or (getattr(entry, word, None) or 0) != value}  # fmt: skip
        words = in_words(
            {word: f"{{{', '.join(in_words(value))}}}" if word == "above" else value for word, value in other.items()}
        )
        places = self._plain()
        floor = None if places is None or entry is None else places[-(entry.columns or 1)]
        if places is not None and self._same_bytes(rams):
            says = "its first row isn't the field's: a half that comes to lie in the hidden row isn't seen there"
        elif floor in self.truth.learnt.basis.decoys:
            says = "its cells are a copy: what is written there holds nothing up"
        else:
            says = "pairs that fell into each column aren't in the cells that the map says"
        return patch, words, says

    def _codes(
        self, pairs: Sequence[tuple[int, str]], patch: dict[str, Any], words: list[str]
    ) -> tuple[Symbols | None, dict[str, Any]]:
        """Finds the form of the cells' bytes: adds to ``patch`` and ``words``, and returns it with a new table."""
        table = table_of(self.map, "field", {})
        form = fit_symbols(pairs, table, *bits_of(self.map, "field"))
        if form is None:
            return None, {}
        # an entry at another address loses its bits, and one that stays there keeps them
        said = {"mask": (form.mask, 0xFF), "shift": (form.shift, 0)}
        kept_bits = dict(zip(said, bits_of(self.map, "field"), strict=True))
        bits = {word: value for word, (value, usual) in said.items()
                if value != kept_bits[word] or (value != usual and "address" in patch)}  # fmt: skip
        words += in_words(bits)
        patch |= bits
        if not form.own:
            patch["codes"] = self._table(own=False)
            return form, {}
        kept: dict[int, str] = {}
        if (form.mask, form.shift) == bits_of(self.map, "field"):
            # nuisance and other symbols that no piece has: nothing has contradicted them
            words_of = form.table.values()
            kept = {value: name for value, name in table.items() if value not in form.table and name not in words_of}
        values = dict(sorted({**kept, **form.table}.items()))
        words.append(f"codes: {{{', '.join(f'{byte:#04x}: {symbol}' for byte, symbol in values.items())}}}")
        patch["codes"] = self._table(own=True)
        return form, {patch["codes"]: {"source": "calibrated", "values": values}}
