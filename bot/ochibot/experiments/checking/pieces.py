"""Compares a map of a family from outside with what play shows of any game: the field, the falling piece, what comes
next, and the score.

The rules aren't known here, so nothing but these entries is compared. An entry is right if its readings fit what was
learnt in every piece that was played: a place by one shift for all of them, a symbol by one table, a score by one
factor.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ochibot.errors import CalibrationError
from ochibot.experiments.checking.entries import address_of, addresses, bits_of, in_words, table_of
from ochibot.experiments.checking.scenes import Reading
from ochibot.experiments.draft import Draft
from ochibot.experiments.draftfile import map_of_draft
from ochibot.experiments.facts import driver_of
from ochibot.experiments.landings import Landing, play
from ochibot.experiments.rig import Bytes, Rig
from ochibot.games.filed.families import Piece
from ochibot.ram import RamMap
from ochibot.ramtools.findings import Finding, Report
from ochibot.ramtools.kinds import Number, Symbols, fit_number
from ochibot.wording import counted

LOOKED_AT: Final = 40
"""How many pieces are played to compare what a map reads as they fall."""

_WHERE: Final = ("address", "rows", "columns", "row_stride", "column_stride")
_PLACE: Final = ("address", "mask", "type", "digits", "count", "order", "zero", "pointer")


def _size(rows: int | None, columns: int | None) -> str:
    return f"{counted(rows or 0, 'row')} and {counted(columns or 0, 'column')}"


class PieceEntries:
    """Compares the entries that ``piece`` names. Findings, and the names of right entries, go into the report."""

    def __init__(self, ram_map: RamMap, piece: Piece, rig: Rig, made: Draft, report: Report) -> None:
        self.map = ram_map
        self.piece = piece
        self.rig = rig
        self.made = made
        self.report = report
        self.reading = Reading(ram_map, rig, {})
        self.learnt: dict[str, Any] = map_of_draft(made, rig, "learnt")
        self.truth = Reading(RamMap.model_validate(self.learnt), rig, {})
        self.symbols: dict[int, str] = {}
        """The map's word for each byte of a cell, as far as the field's entry has one for it."""

    def compare(self) -> None:
        """Plays LOOKED_AT pieces and compares everything."""
        made, driver = self.made, driver_of(self.rig, self.made.basis)
        button = None if made.turning is None else int(made.turning.button)
        seen = play(driver, made.route.state, driver.columns(made.route.state), button, LOOKED_AT, seed=5)
        if not seen:
            raise CalibrationError("no piece was played")
        self._field(seen)
        if not self.symbols:
            form = Symbols(table_of(self.map, "field", {}), *bits_of(self.map, "field"))
            kinds = (made.basis.place.grid.empty, *made.codes)
            self.symbols = {byte: word for byte in kinds if (word := form.of(byte)) is not None}
        flying = [one.flying for one in seen]
        self._place(self.piece.x, "x", [(ram, self._spot(ram)[0]) for ram in flying])
        self._place(self.piece.y, "y", [(ram, -self._spot(ram)[1]) for ram in flying])
        self._cells(self.piece.cells, 0, [one.flying for one in seen if not one.turns])
        self._cells(self.piece.following, 1, flying)
        self._score([one.after for one in seen])

    def _spot(self, ram: Bytes) -> tuple[int, int]:
        basis = self.made.basis
        return basis.place.spot(int(ram[basis.x[0]]), int(ram[basis.y[0]]))

    def _wrong(self, name: str, says: str, seen: str, learnt: Mapping[str, Any] | None, parts: Sequence[str]) -> None:
        """Reports an entry. learnt: the learnt entry, of which the correction takes ``parts``; None: there is none."""
        old = address_of(self.map, name)
        patch = {} if learnt is None else {part: learnt[part] for part in parts if part in learnt}
        self.report.findings.append(
            Finding(
                name,
                addresses(old, patch.get("address")),
                says,
                seen,
                ", ".join(in_words(patch)) or None,
                entries={name: {**patch, "source": "calibrated"}} if patch else {},
            )
        )

    # the field

    def _field(self, seen: Sequence[Landing]) -> None:
        entry, field = self.map.entries.get("field"), self.made.basis.place
        learnt = self.learnt["entries"]["field"]
        if entry is None or (entry.rows, entry.columns) != (field.rows, field.grid.columns):
            size = "the map has none" if entry is None else f"it has {_size(entry.rows, entry.columns)}"
            told = f"pieces come to rest in {_size(field.rows, field.grid.columns)}"
            self._wrong("field", size, told, learnt, _WHERE)
            return
        words: dict[int, set[str | None]] = {}
        for one in seen:
            rows = self.reading.cells("field", one.after)
            for column in range(field.grid.columns):
                for row in range(field.rows):
                    byte = int(one.after[field.grid.cell(column, row)])
                    words.setdefault(byte, set()).add(rows[field.rows - 1 - row][column])
        known = {byte: words.get(byte, {None}) for byte in (field.grid.empty, *self.made.codes)}
        torn = next((byte for byte, read in known.items() if len(read) > 1), None)
        if torn is not None:
            told = f"where a cell holds {torn:#04x}, the map reads {', '.join(sorted(map(str, known[torn])))}"
            self._wrong("field", "its cells are elsewhere", told, learnt, _WHERE)
            return
        self.symbols = {byte: str(word) for byte, read in known.items() for word in read if word is not None}
        lacking = [byte for byte, read in known.items() if read == {None}]
        if lacking or len(set(self.symbols.values())) < len(known) - len(lacking):
            names = ", ".join(f"{byte:#04x}: {self.symbols.get(byte, 'unknown')}" for byte in known)
            says = "different bytes of cells have one word, or none"
            self._wrong("field", says, f"the bytes of cells, with their words: {names}", None, ())
            return
        self.report.holds.append("field")

    # the piece

    def _place(self, name: str, kind: str, told: Sequence[tuple[Bytes, int]]) -> None:
        if name not in self.map.entries:
            return
        reads = [(self.reading.value(name, ram), value) for ram, value in told]
        shifts = {None if read is None else read - value for read, value in reads}
        learnt = self.learnt["entries"][kind]
        axis = 0 if kind == "x" else 1
        cells = {spot[axis] for shape in self.made.shapes.values() for spot in shape}
        # which of its cells the piece's place is of, only the family knows
        right = {self._first(kind) + (cell if kind == "x" else -cell) for cell in cells}
        steady = len(shifts) == 1 and None not in shifts
        if steady and shifts <= (right or shifts):
            self.report.holds.append(name)
            return
        place = int(learnt["address"])
        at = self.rig.offset(place)
        form: Number | None = fit_number([(int(ram[at]), value + self._first(kind)) for ram, value in told])
        patch = learnt if form is None else {"address": place, **form.patch()}
        read, value = reads[0]
        if steady:
            says = f"it reads {read} where it must be {' or '.join(str(value + one) for one in sorted(right))}"
            self._wrong(name, says, "it follows the piece, but counts from another number", patch, tuple(patch))
            return
        other = next((one for one in reads if one[0] is None or one[0] - one[1] != (read or 0) - value), reads[-1])
        says = f"its byte doesn't follow the piece: it reads {read} and {other[0]}"
        far = abs(other[1] - value)
        seen = f"the piece was {counted(far, 'column' if kind == 'x' else 'row')} apart"
        self._wrong(name, says, seen, patch, tuple(patch))

    def _first(self, kind: str) -> int:
        """What the map calls the first column, or, as rows count down from the top, the lowest row."""
        return self.piece.column if kind == "x" else self.piece.row + self.made.basis.place.rows - 1

    def _cells(self, names: Sequence[str], ahead: int, flying: Sequence[Bytes]) -> None:
        """Compares the colours of the piece's cells, or of a following piece's."""
        bytes_of = {one.name: one.byte for one in self.made.told if one.ahead == ahead}
        for number, name in enumerate(names, 1):
            if name not in self.map.entries:
                continue
            byte = bytes_of.get(f"cell{number}")
            if byte is None:
                self.report.notes.append(f"{name}: not checked, no byte tells that cell of the piece")
                continue
            told = [(self.reading.symbol(name, ram), kind) for ram in flying if (kind := byte.kind(ram)) is not None]
            wrong = next(((word, kind) for word, kind in told if word != self.symbols.get(kind, word)), None)
            if wrong is None and len({word for word, _ in told}) == len({kind for _, kind in told}):
                self.report.holds.append(name)
                continue
            word, kind = wrong or told[0]
            learnt = None if byte.index is not None else {"address": self.rig.address(byte.offset)}
            seen = f"that cell of the piece was {self.symbols.get(kind, f'{kind:#04x}')}"
            self._wrong(name, f"it reads {word}", seen, learnt, ("address",))

    def _score(self, rams: Sequence[Bytes]) -> None:
        if "score" not in self.map.entries:
            return
        if self.made.score is None:
            self.report.notes.append("score: not checked, no number in RAM grows as a score does")
            return
        reads = [(self.reading.value("score", ram), self.truth.value("score", ram)) for ram in rams]
        pairs = [(read, own) for read, own in reads if read is not None and own is not None]
        read, own = max(pairs, key=lambda one: one[1], default=(0, 0))
        if len(pairs) == len(reads) and read and all(one * own == other * read for one, other in pairs):
            self.report.holds.append("score")
            return
        seen = f"the number that grew as cells vanished was {own}"
        self._wrong("score", f"it read {read}", seen, self.learnt["entries"]["score"], _PLACE)
