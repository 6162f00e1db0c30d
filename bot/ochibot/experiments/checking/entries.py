"""Compares single entries of a map with what they must read: where the pair is, its colours, those of NEXT."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from ochibot.experiments.checking.scenes import Fall, Place, Reading, Truth, half_of
from ochibot.experiments.rig import Bytes
from ochibot.falling.orientation import Orientation
from ochibot.games.piece import place_entries
from ochibot.ram import RamMap
from ochibot.ram.entry import Entry
from ochibot.ramtools.findings import Finding, Report
from ochibot.ramtools.kinds import Number, Symbols, fit_number, fit_symbols

ORIENTATIONS: Final = "orientation"
"""The name for a proposed table of orientation codes."""

PLACES: Final = ("x", "y", "partner_x", "partner_y")

Told = Sequence[tuple[Bytes, str]]
"""Moments, and the symbol that an entry must have had at each."""


class Entries:
    """Compares entries one by one. Findings, and the names of right entries, go into the report."""

    def __init__(
        self,
        reading: Reading,
        truth: Truth,
        report: Report,
        orientations: Mapping[int, str],
        offset: Callable[[int], int],
    ) -> None:
        """orientations: what the title's table takes orientation values for, for a map without a table. offset: the
        offset in RAM of an address.
        """
        self.reading = reading
        self.map: RamMap = reading.map
        self.truth = truth
        self.report = report
        self.orientations = orientations
        self.offset = offset

    # where the pair is

    def place(self, falls: Sequence[Fall]) -> None:
        """Compares x, y and orientation, or the places of both halves, as the map has them."""
        known = [
            (scene.ram, place)
            for fall in falls
            for scene in fall.scenes
            if scene.moving and (place := self.truth.place(scene.ram)) is not None
        ]
        said: str = self.map.pair.denotes
        names = place_entries(said)
        if "orientation" in names:
            self._orientation([(ram, place[2].name.lower()) for ram, place in known])
        if said == "halves":
            for name in names:
                self._number(name, known, "partner" if name.startswith("partner") else "axis", None)
            return
        for half in (said, *(one for one in ("axis", "partner", "box") if one != said)):
            forms = [self._form(name, known, half) for name in ("x", "y")]
            if None not in forms:
                break
        else:
            half, forms = str(self.truth.reading.map.pair.denotes), [None, None]
            half = "axis" if half == "halves" else half
            # one entry may be right, and then it tells which half the other must give
            half = next((one for one in (said, half) if any(self._form(name, known, one) for name in ("x", "y"))), half)
        if half != said:
            self._tell_half(half, said, known)
        for name, form in zip(("x", "y"), forms, strict=True):
            self._number(name, known, half, form)

    def _byte(self, name: str) -> int | None:
        """The offset of an entry's only byte; None when the entry has several, a pointer, or isn't there."""
        address = address_of(self.map, name)
        return None if address is None else self.offset(address)

    def _form(self, name: str, known: Sequence[tuple[Bytes, Place]], half: str) -> Number | None:
        """The form in which the map's byte holds the coordinate; None when there is none."""
        at = self._byte(name)
        axis = name.endswith("y")
        return None if at is None else fit_number([(int(ram[at]), half_of(place, half)[axis]) for ram, place in known])

    def _tell_half(self, half: str, said: str, known: Sequence[tuple[Bytes, Place]]) -> None:
        ram, place = next((one for one in known if one[1][2] is Orientation.RIGHT), known[0])
        at = self._byte("x")
        byte = f"{int(ram[at]):#04x}" if at is not None else "?"
        found = [address_of(self.map, name) for name in ("x", "y")]
        self.report.findings.append(
            Finding(
                "pair",
                tuple(each for each in found if each is not None),
                f"x and y are taken for the {said}'s",
                f"they follow the {half}: with the pair turned to the right, the axis in column {place[0]} and "
                f"the partner in column {half_of(place, 'partner')[0]}, x holds {byte}",
                f"pair: {{denotes: {half}}}",
                pair={"denotes": half},
            )
        )

    def _number(self, name: str, known: Sequence[tuple[Bytes, Place]], half: str, form: Number | None) -> None:
        """Compares a coordinate. ``form``: in which the map's byte holds it, if that is known already."""
        told = [(ram, half_of(place, half)[name.endswith("y")]) for ram, place in known]
        self.number(name, told, self._learnt_place(name, half), "its byte doesn't hold where the pair is", form)

    def number(
        self,
        name: str,
        told: Sequence[tuple[Bytes, int]],
        learnt: Mapping[str, Any] | None,
        elsewhere: str,
        form: Number | None = None,
    ) -> None:
        """Compares an entry with what it must read. learnt: the learnt entry, if the map's byte holds no such number.

        elsewhere: what is then wrong with the map's. form: in which its byte holds the number, if that is known.
        """
        wrong = next(((ram, value) for ram, value in told if self.reading.value(name, ram) != value), None)
        if wrong is None:
            self.report.holds.append(name)
            return
        at = self._byte(name)
        form = form or (None if at is None else fit_number([(int(ram[at]), value) for ram, value in told]))
        address = address_of(self.map, name)
        ram, value = wrong
        reads = self.reading.value(name, ram)
        if form is not None and address is not None:
            patch: dict[str, Any] | None = {"address": address, **form.patch()}
            plain = form == Number(form.offset) and reads is not None
            far = f": {abs(value - (reads or 0))} too {'small' if value > (reads or 0) else 'large'}" if plain else ""
            says = f"it reads {reads} where it must be {value}{far}"
        else:
            patch = None if learnt is None else dict(learnt)
            says = f"{elsewhere}: it reads {reads} where it must be {value}"
        self._moved(name, patch, says, [(ram, str(value)) for ram, value in told])

    def _learnt_place(self, name: str, half: str) -> dict[str, Any] | None:
        """The learnt entry for a coordinate of a half; None when it gives only the other half's."""
        entries, denotes = self.truth.data["entries"], self.truth.reading.map.pair.denotes
        plain = name.removeprefix("partner_")
        if denotes == "halves":
            return dict(entries[plain if half == "axis" else f"partner_{plain}"])
        return dict(entries[plain]) if half == denotes else None

    def _moved(self, name: str, patch: dict[str, Any] | None, says: str, told: Told) -> None:
        """Reports an entry, with its address (another, if it is moved) and form."""
        old = address_of(self.map, name)
        address = None if patch is None else patch.get("address")
        patch = (
            None if patch is None else {word: value for word, value in patch.items() if word not in ("note", "source")}
        )
        words = [] if patch is None else in_words({word: one for word, one in patch.items() if word != "address"})
        if address is not None and address != old:
            words.insert(0, f"address: {address:#06x}")
        at = address if address is not None else old
        self.report.findings.append(
            Finding(
                name,
                addresses(old, address),
                says,
                "nothing in RAM was found for it" if at is None else self._raw(told, at),
                None if patch is None else ", ".join(words) or "no offset and no scale",
                entries={} if patch is None else {name: {**plain(patch), "source": "calibrated"}},
            )
        )

    def _raw(self, told: Told, address: int) -> str:
        return raw_table([(int(ram[self.offset(address)]), word) for ram, word in told], address, 8)

    def _orientation(self, told: Told) -> None:
        table = table_of(self.map, "orientation", self.orientations)
        self._symbols("orientation", told, table, ORIENTATIONS, "symbols", "its byte doesn't hold how the pair lies")

    # colours

    def colors(self, name: str, told: Told, table: Mapping[int, str], tables: str) -> None:
        """Compares a colour's entry. table: the numbers' meanings, if the map gives the entry none. tables: the
        prefix for the name of a proposed table.
        """
        self._symbols(
            name, told, table_of(self.map, name, table), f"{tables}_{name}", "codes", "the colour is elsewhere"
        )

    def missing(self, name: str) -> None:
        """Reports a colour of NEXT that is nowhere in RAM."""
        old = address_of(self.map, name)
        where = () if old is None else (old,)
        seen = "the pairs that came were compared with every byte before they came"
        self.report.findings.append(Finding(name, where, "no byte foretold that pair's colour", seen, None))

    def _symbols(self, name: str, told: Told, table: Mapping[int, str], new: str, key: str, elsewhere: str) -> None:
        mask, shift = bits_of(self.map, name)
        said = Symbols(table, mask, shift)
        wrong = next(((ram, word) for ram, word in told if self._reads(name, ram, said) != word), None)
        if wrong is None:
            self.report.holds.append(name)
            return
        old, learnt = address_of(self.map, name), self.truth.data["entries"].get(name)
        place = old if old is not None and self._fits(told, old, said) is not None else None
        if place is None and learnt is not None:
            place = learnt.get("address")
        form = None if place is None else self._fits(told, place, said)
        ram, word = wrong
        if form is None or place is None:
            pointed = learnt if learnt is not None and "pointer" in learnt else None
            self._pointed(name, pointed, told, old)
            return
        patch: dict[str, Any] = dict(form.patch())
        words = in_words(patch)
        other = _other_half(name)
        exchanged = place != old and other is not None and address_of(self.map, other) == place
        if place != old:
            words.insert(
                0, f"exchange axis and partner: {name} is at {place:#06x}" if exchanged else f"address: {place:#06x}"
            )
        codes: dict[str, Any] = {}
        kept = getattr(self.map.entries.get(name), key, None)
        if form.own:
            values = dict(sorted(form.table.items()))
            codes[new] = {"source": "calibrated", "values": values}
            number = "{}" if key == "symbols" else "{:#04x}"
            words.append(f"{key}: {{{', '.join(f'{number.format(byte)}: {one}' for byte, one in values.items())}}}")
            patch[key] = new
        elif kept is not None:
            patch[key] = kept
        same = taken_for(said, int(ram[self.offset(place)]), word)
        says = "it is the other half's colour" if exchanged else elsewhere if place != old else same
        self.report.findings.append(
            Finding(
                name,
                addresses(old, place),
                says,
                self._raw(told, place),
                ", ".join(words),
                entries={name: {**patch, "address": place, "source": "calibrated"}},
                codes=codes,
            )
        )

    def _reads(self, name: str, ram: Bytes, said: Symbols) -> str | None:
        """An entry's symbol. An entry without a table of its own is read by ``said``."""
        entry, value = self.map.entries.get(name), self.reading.value(name, ram)
        if entry is None or value is None:
            return None
        return said.table.get(value) if entry.table is None else self.reading.bound.words(name).get(value)

    def _fits(self, told: Told, address: int, said: Symbols) -> Symbols | None:
        """The simplest form in which a byte holds the symbols; a new table must distinguish all of them."""
        at = self.offset(address)
        pairs = [(int(ram[at]), word) for ram, word in told]
        if len({byte for byte, _ in pairs}) < min(2, len({word for _, word in pairs})):
            return None
        return fit_symbols(pairs, said.table, said.mask, said.shift)

    def _pointed(self, name: str, learnt: Mapping[str, Any] | None, told: Told, old: int | None) -> None:
        """Reports an entry for which no single byte was found, or one that is in a table."""
        codes: dict[str, Any] = {}
        patch: dict[str, Any] = {}
        if learnt is not None:
            patch = {word: value for word, value in plain(learnt).items() if word != "note"}
            table = f"learnt_{learnt['codes']}"
            codes = {
                table: {"source": "calibrated", "values": dict(self.truth.data["codes"][learnt["codes"]]["values"])}
            }
            patch |= {"codes": table, "source": "calibrated"}
        self.report.findings.append(
            Finding(
                name,
                () if old is None else (old,),
                "no byte holds that colour" if learnt is None else "the colour is in a table",
                "nothing in RAM was found for it" if old is None else self._raw(told, old),
                None if learnt is None else f"pointer: {dict(patch['pointer'])}",
                entries={} if learnt is None else {name: patch},
                codes=codes,
            )
        )


def plain(data: Mapping[str, Any]) -> dict[str, Any]:
    """The data of a map's entry as plain numbers, words and mappings."""
    return {
        word: plain(value)
        if isinstance(value, Mapping)
        else list(value)
        if isinstance(value, list | tuple)
        else int(value)
        if isinstance(value, int)
        else value
        for word, value in data.items()
    }


def _other_half(name: str) -> str | None:
    if name.endswith("axis"):
        return name.replace("axis", "partner")
    return name.replace("partner", "axis") if name.endswith("partner") else None


def address_of(ram_map: RamMap, name: str) -> int | None:
    """The address of an entry's only byte; None when it has several, a pointer, or isn't in the map."""
    entry: Entry | None = ram_map.entries.get(name)
    addresses = [] if entry is None or entry.pointer is not None else entry.byte_addresses()
    return addresses[0] if len(addresses) == 1 else None


def table_of(ram_map: RamMap, name: str, otherwise: Mapping[int, str]) -> Mapping[int, str]:
    """The table of an entry: symbols by number; ``otherwise`` when it has no table."""
    entry = ram_map.entries.get(name)
    return otherwise if entry is None or entry.table is None else ram_map.codes[entry.table].values


def bits_of(ram_map: RamMap, name: str) -> tuple[int, int]:
    """The bit field that an entry reads: (mask, shift)."""
    entry = ram_map.entries.get(name)
    return (0xFF, 0) if entry is None else (0xFF if entry.mask is None else entry.mask, entry.shift)


def addresses(*found: int | None) -> tuple[int, ...]:
    """The addresses that are known, each once."""
    return tuple(dict.fromkeys(int(each) for each in found if each is not None))


def in_words(patch: Mapping[str, Any]) -> list[str]:
    """The parts of an entry as they stand in a map."""
    forms = {"address": "#06x", "mask": "#04x"}
    return [f"{word}: {value:{forms[word]}}" if word in forms else f"{word}: {value}" for word, value in patch.items()]


def taken_for(said: Symbols, byte: int, symbol: str) -> str:
    """What a map says of a byte, and what it was."""
    reads = said.of(byte)
    return f"the byte {byte:#04x} is {'unknown' if reads is None else f'taken for {reads}'}; it was {symbol}"


def raw_table(samples: Sequence[tuple[int, str]], address: int, most: int) -> str:
    """A text that lists bytes (at most ``most``) and what each must mean, in the order of the bytes."""
    pairs = sorted(set(samples))
    told = ", ".join(f"{byte:#04x} is {meaning}" for byte, meaning in pairs[:most])
    more = f", and {len(pairs) - most} more" if len(pairs) > most else ""
    return f"at {address:04X} {told}{more}"
