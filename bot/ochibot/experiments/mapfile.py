"""Makes the map of a learnt game, each entry with its evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from ochibot.experiments.colors import ColorByte
from ochibot.experiments.digits import Form
from ochibot.experiments.facts import Basis
from ochibot.experiments.families import family_of, floor_row, rows_of
from ochibot.experiments.grid import Grid
from ochibot.experiments.learnt import Learnt
from ochibot.experiments.numbered import entries_of
from ochibot.experiments.rig import Rig
from ochibot.experiments.score import Score
from ochibot.experiments.views import with_row
from ochibot.experiments.yamlform import Flow, Hex, Row
from ochibot.wording import counted

ABOVE: Final = -1
"""The highest row in which a falling piece may be, where a byte's values wrap."""

COLORS: Final = ("red", "green", "blue", "yellow", "purple", "cyan")


def color_names(learnt: Learnt) -> dict[int, str]:
    """Names for the colours' cell codes, in the order of the codes. Includes likely colours that no piece had."""
    extra = [code for code in (learnt.sort.colors if learnt.sort is not None else ()) if _likely(learnt, code)]
    codes = [*learnt.shape.colors, *extra][: len(COLORS)]
    return dict(zip(sorted(codes), COLORS, strict=False))


def _likely(learnt: Learnt, code: int) -> bool:
    """Whether the game probably deals this code, which vanishes like a colour. Many games let undealt codes vanish."""
    if len(learnt.shape.colors) > 2 and not any(one & (one - 1) for one in learnt.shape.colors) and code & (code - 1):
        # each colour is a bit of its own
        return False
    values = _extrapolated(learnt.near, dict.fromkeys((*learnt.near.values, code), ""))
    if len(values) <= len(learnt.near.values):
        return False
    new = set(values) - set(learnt.near.values.values())
    known = learnt.near.values.values()
    step = min((b - a for a, b in pairwise(sorted(known))), default=1)
    return all(value + step > 0 and value <= max(known) + 2 * step for value in new)


def map_of(learnt: Learnt, rig: Rig, game: str) -> dict[str, Any]:
    """The content of the map file for the learnt game, as a mapping."""
    basis, stance = learnt.basis, learnt.stance

    def at(offset: int) -> int:
        return Hex(rig.address(offset))

    entries: dict[str, Any] = {}
    names = color_names(learnt)
    cells = _cell_codes(learnt, names)
    tables: dict[str, Any] = {"cells": {"source": "calibrated", "values": cells}}
    if list(cells.values()).count("nuisance") > 1:
        tables["cells"]["several"] = Row(["nuisance"])
    entries["field"] = _field(learnt, at)
    x, step = basis.x
    left = basis.columns[0]
    entries["x"] = _place(at(x), left, step, 1, f"follows left and right; {follows(basis.followers[0])} it")
    y, _ = basis.y
    # the row of the half at x and y, when the piece stands upright on the floor
    row = floor_row(learnt) - stance.near_row
    note = f"falls; {follows(basis.followers[1])} it"
    note += "; between two rows it takes the lower one" if learnt.lower else ""
    half = stance.partner is not None
    entries["y"] = _place(at(y), basis.floor_y, -basis.cell_y, row, note, lower=bool(learnt.lower), half=half)
    if learnt.fraction is not None and basis.cell_y == -1:
        # a number of two bytes; the lower one holds parts of a row
        kind = "u16be" if learnt.fraction > 0 else "u16le"
        entries["y"] = Flow({**entries["y"], "address": at(y + min(0, learnt.fraction)), "type": kind, "divide": 256})
        if learnt.lower:
            # exactly in a row it is in that one, and one part further in the next
            entries["y"] |= {"origin": 1, "offset": entries["y"].get("offset", 0) + 1}
    if (numbered := learnt.numbered) is not None:
        places = entries_of(numbered, at(numbered.offset), floor_row(learnt))
        for name, where in zip(("x", "y"), places, strict=True):
            entries[name] = Flow(
                {**where, "source": "calibrated", "note": "of the number of a cell, which the game obeys"}
            )
    if stance.turning.places:
        tables["orientations"] = _table(dict(sorted(stance.symbols.items())))
        entries["orientation"] = Flow(
            **bytes_of(stance.turning.places, at), symbols="orientations", source="calibrated"
        )
    elif stance.partner is not None:
        _halves(learnt, at, entries)
    _colors(learnt, at, names, entries, tables)
    if learnt.needles is not None:
        before, after = learnt.needles.values
        note = f"{learnt.needles.button.name} turns the piece into needles, and the game obeys what is poked here"
        entries["needle"] = _place(at(learnt.needles.place), before, after - before, 0, note)
    if learnt.score is not None and not doubted_score(learnt):
        entries["score"] = score_entry(learnt.score, at)
    signs = _signs(learnt, at, entries)
    data: dict[str, Any] = {"game": game, "name": "player1", "system": rig.console.rom.system, "seat": 1}
    if stance.partner is not None:
        data["pair"] = {"denotes": "halves"}
    elif stance.denotes != "axis":
        data["pair"] = {"denotes": stance.denotes}
    if basis.drawn:
        data["pair"] = {**data.get("pair", {}), "in_field": True}
    return {**data, "entries": entries, "codes": tables, "signs": signs}


def follows(number: int) -> str:
    """How many other bytes follow one, in words."""
    return counted(number, "other byte follows", "other bytes follow")


def _halves(learnt: Learnt, at: Any, entries: dict[str, Any]) -> None:
    """Adds entries for games that keep the places of both halves, but no orientation. There, x and y give the axis."""
    basis, stance = learnt.basis, learnt.stance
    assert stance.partner is not None
    px, py = stance.partner
    other_x = _place(at(px), basis.columns[0], basis.x[1], 1, "follows x as the piece turns")
    # either half, when it lies on the floor, is in the last row
    floor_y = basis.floor_y - stance.near_row * basis.cell_y
    other_y = _place(at(py), floor_y, -basis.cell_y, floor_row(learnt), "follows y as the piece turns",
                     lower=bool(learnt.lower), half=True)  # fmt: skip
    if stance.denotes == "axis":
        entries |= {"partner_x": other_x, "partner_y": other_y}
    else:
        entries |= {"partner_x": entries["x"], "partner_y": entries["y"], "x": other_x, "y": other_y}


def _place(
    address: int, raw: int, step: int, value: int, note: str, *, lower: bool = False, half: bool = False
) -> dict[str, Any]:
    """An entry whose value is ``value`` when the byte is ``raw``, and grows by 1 when the byte grows by ``step``.

    lower: a piece that glides between two rows counts as in the lower one, rather than in the upper one. half: the
    entry is of one half, which may be above the first row.
    """
    entry: dict[str, Any] = {"address": address}
    size = abs(step)
    if lower:
        raw -= (size - 1) * (1 if step > 0 else -1)
    highest = raw - (value - ABOVE) * step
    if (half or size > 1 or step < 0) and 256 % size == 0 and not 0 <= highest <= 255:
        # the byte wraps on the piece's way down
        entry |= {
            "origin": highest & 255,
            **({"scale": -1} if step < 0 else {}),
            **({"divide": size} if size > 1 else {}),
        }
        entry |= {"modulo": 256 // size, "offset": ABOVE}
        return Flow({**entry, "source": "calibrated", "note": note})
    if step < 0:
        entry["scale"] = -1
    if size == 1:
        offset = value - raw * step
    else:
        entry |= {"origin": raw - value * step, "divide": size}
        offset = 0
    if offset:
        entry["offset"] = offset
    return Flow({**entry, "source": "calibrated", "note": note})


def _cell_codes(learnt: Learnt, names: dict[int, str]) -> dict[int, str]:
    shape = learnt.shape
    codes = {learnt.basis.grid.empty & shape.mask: "empty", **dict(sorted(names.items()))}
    for code in learnt.sort.nuisance if learnt.sort is not None else ():
        codes.setdefault(code, "nuisance")
    if learnt.needles is not None and learnt.needles.nuisance:
        codes[learnt.needles.nuisance[0]] = "nuisance"
    return dict(sorted(codes.items()))


def _rows(learnt: Learnt) -> int:
    hidden = learnt.above.hidden_rows if learnt.above is not None else 0
    return min(learnt.basis.visible + hidden, rows_of(learnt))


def _field(learnt: Learnt, at: Any) -> dict[str, Any]:
    rows, above, view = _rows(learnt), learnt.above, learnt.basis.view
    if view is not None and above is not None and above.apart is not None:
        taller = with_row(view, rows - 1, *above.apart)
        rows -= taller is None
        where = (taller or view).entry(rows, view.columns, at)
    else:
        where = where_is(learnt.basis, rows, at)
    entry = {**where, "codes": "cells"}
    if family_of(learnt) != "nyaa" and rows != rows_of(learnt):
        entry["top"] = rows_of(learnt) - rows
    if above is not None and above.apart is not None and view is None:
        first, stride = above.apart
        entry |= {
            "address": at(learnt.basis.grid.cell(0, rows - 2)),
            "above": Flow(address=at(first), column_stride=stride),
        }
    if learnt.shape.mask != 0xFF:
        entry["mask"] = Hex(learnt.shape.mask)
    return Flow({**entry, "source": "calibrated", "note": "pieces land on what is poked here"})


def where_is(basis: Basis, rows: int, at: Callable[[int], int]) -> dict[str, Any]:
    """Where the lowest ``rows`` rows of the field are, in the map language. at: the address of an offset."""
    grid: Grid = basis.grid
    if basis.view is not None:
        return basis.view.entry(rows, grid.columns, at)
    return {
        "address": at(grid.cell(0, rows - 1)),
        "rows": rows,
        "columns": grid.columns,
        "row_stride": -grid.up,
        "column_stride": grid.across,
    }


def _colors(learnt: Learnt, at: Any, names: dict[int, str], entries: dict[str, Any], tables: dict[str, Any]) -> None:
    """Adds the entries of the pair and the NEXT pairs, and code tables for them if their values aren't the cells'."""
    axis_is_near = learnt.stance.denotes != "partner"
    halves = [("", (learnt.near, learnt.far))]
    halves += [(f"next{number if number > 1 else ''}_", pair) for number, pair in enumerate(learnt.following, 1)]
    known: dict[tuple[tuple[int, str], ...], str] = {}
    for prefix, (near, far) in halves:
        axis, partner = (near, far) if axis_is_near else (far, near)
        for name, byte in ((f"{prefix}axis", axis), (f"{prefix}partner", partner)):
            values = {value: names[kind] for value, kind in byte.table.items() if kind in names}
            extra = {} if byte.more else _extrapolated(byte, names)
            table = tuple(sorted({**extra, **values}.items()))
            if table not in known:
                cells = {code: word for code, word in tables["cells"]["values"].items() if word in COLORS}
                if all(cells.get(code) == word for code, word in values.items()) and byte.mask in (0xFF, None):
                    known[table] = "cells"
                else:
                    known[table] = f"colors{len(known) or ''}"
                    tables[known[table]] = _table(dict(table))
            entry: dict[str, Any] = {**whereabouts(byte, at), "codes": known[table]}
            if byte.mask != 0xFF:
                entry["mask"] = Hex(byte.mask)
            note = "the game obeys what is poked here" if byte.followed else "poking it changed nothing: a copy?"
            entries[name] = Flow({**entry, "source": "calibrated", "note": note})


def _table(values: dict[int, str]) -> dict[str, Any]:
    """A table of codes; words that several numbers mean are listed as such."""
    several = sorted(word for word, times in Counter(values.values()).items() if times > 1)
    return {"source": "calibrated", "values": values, **({"several": Row(several)} if several else {})}


def whereabouts(byte: ColorByte, at: Any) -> dict[str, Any]:
    """Where a colour is, in the map language: an address, or a pointer into a table."""
    if byte.index is None:
        return {"address": at(byte.offset)}
    return {"pointer": Flow(address=at(byte.index), type="u8", scale=byte.step, offset=at(byte.offset))}


def where_of(entry: Mapping[str, Any]) -> str:
    """Where an entry of a learnt map is, for people: ``0375``, or ``0311 + 2 x [0321]`` in a table."""
    if "pointer" not in entry:
        return f"{int(entry['address']):04X}" if "address" in entry else "-"
    pointer = entry["pointer"]
    return f"{int(pointer['offset']):04X} + {pointer['scale']} x [{int(pointer['address']):04X}]"


def _extrapolated(byte: ColorByte, names: dict[int, str]) -> dict[int, str]:
    """The value of each named colour, dealt or not, if the known values follow the cell codes by one linear rule."""
    kinds = sorted(byte.values)
    if len(kinds) < 3:
        return {}
    (a, b), *_ = pairwise(kinds)
    if (byte.values[b] - byte.values[a]) == 0 or (b - a) % (byte.values[b] - byte.values[a]):
        return {}
    ratio = (b - a) // (byte.values[b] - byte.values[a])
    start = a - ratio * byte.values[a]
    if any(start + ratio * byte.values[kind] != kind for kind in kinds):
        return {}
    return {
        (kind - start) // ratio: name
        for kind, name in names.items()
        if (kind - start) % ratio == 0 and 0 <= (kind - start) // ratio <= 0xFF
    }


def doubted_score(learnt: Learnt) -> str:
    """Why the score's formula isn't known, if its place is: a map with it would be contradicted by the rules."""
    return "" if learnt.score is None or learnt.formula is None else learnt.formula.doubt


def score_entry(score: Score, at: Callable[[int], int]) -> dict[str, Any]:
    """The entry of a score. at: the address of an offset."""
    entry = number_entry(score.offset, score.form, at)
    if score.scale != 1:
        entry["scale"] = score.scale
    note = "keeps what is poked and adds to it" if score.kept else "a copy: the number itself was not found"
    return Flow({**entry, "source": "calibrated", "note": note})


def bytes_of(places: Sequence[int], at: Callable[[int], int]) -> dict[str, Any]:
    """Where one byte is, or the bytes of a number, lowest first."""
    if len(places) == 1:
        return {"address": at(places[0])}
    return {"addresses": Row([at(place) for place in places])}


def number_entry(offset: int, form: Form, at: Callable[[int], int]) -> dict[str, Any]:
    """Where a number is, and its form, in the map language."""
    entry: dict[str, Any] = {"address": at(offset)}
    if form.digits == "decimal":
        entry |= {"digits": "decimal", "count": form.width, "order": "low_first" if form.little else "high_first"}
        return entry | ({"zero": form.zero} if form.zero else {})
    entry["type"] = form.name
    return entry | ({"digits": "bcd"} if form.digits else {})


def _signs(learnt: Learnt, at: Any, entries: dict[str, Any]) -> dict[str, Any]:
    moments = learnt.moments
    if moments is None:
        return {}
    signs: dict[str, Any] = {}
    named: dict[int, str] = {}
    single = {name: entry for name, entry in entries.items() if "address" in entry and "rows" not in entry}
    taken = {int(entry["address"]): name for name, entry in single.items()}

    def entry_of(offset: int, name: str) -> str:
        address = int(at(offset))
        if address in taken:
            return taken[address]
        if offset not in named:
            named[offset] = name
            entries[name] = Flow(address=at(offset), source="calibrated", note=True)
        return named[offset]

    sign = moments.spawn
    if sign is not None:
        own_control = bool(moments.control) and moments.control_at is None
        many = own_control or (moments.over is not None and moments.over.offset == sign.offset)
        name = entry_of(sign.offset, "phase_byte" if many else "spawn_byte")
        if moments.kind == "changes":
            signs["spawn"] = Flow(entry=name, changes=True)
        elif sign.others == (0,) and len(sign.values) > 1:
            signs["spawn"] = Flow(entry=name, is_not=Row([0]))
        elif sign.offset == learnt.basis.y[0]:
            # raw y is the sign here, but the map gives y in rows: the row in which pieces appear
            top = floor_row(learnt) + 1 - learnt.stance.near_row - learnt.basis.appears
            signs["spawn"] = Flow({"entry": name, "is": Row([top])})
        else:
            signs["spawn"] = Flow({"entry": name, "is": Row(sign.values)})
        if moments.control:
            place = sign.offset if moments.control_at is None else moments.control_at
            signs["control"] = Flow({"entry": entry_of(place, "phase_byte"), "is": Row(moments.control)})
    if moments.over is not None:
        name = entry_of(moments.over.offset, "over_byte")
        signs["over"] = Flow({"entry": name, "is": Row([moments.over.value, *moments.over.later])})
    return signs
