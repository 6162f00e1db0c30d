"""Writes what was learnt as ordinary files: a map, a rules file and a game file, each with its evidence."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ochibot.calibrate.colors import ColorByte
from ochibot.calibrate.grid import Grid
from ochibot.calibrate.lab import Lab
from ochibot.calibrate.learn import Learnt
from ochibot.calibrate.rules import FAMILY_ROWS, rules_of
from ochibot.calibrate.yamlform import Flow, Hex, Row, dump, hexadecimal
from ochibot.leftovers import whole_file
from ochibot.wording import counted

if TYPE_CHECKING:
    from ochibot.calibrate.sketch import Sketch

COLORS: Final = ("red", "green", "blue", "yellow", "purple", "cyan")


@dataclass(frozen=True)
class Files:
    """What was written. game: None where the rules are unknown, so that nothing could play it."""

    game: Path | None
    map: Path
    rules: Path | None
    state: Path


def color_names(learnt: Learnt) -> dict[int, str]:
    """Names of the colours' cell codes, in the order of the codes; colours that no piece had come last."""
    extra = [code for code in (learnt.sort.colors if learnt.sort is not None else ()) if _likely(learnt, code)]
    codes = [*learnt.shape.colors, *extra][: len(COLORS)]
    return dict(zip(sorted(codes), COLORS, strict=False))


def _likely(learnt: Learnt, code: int) -> bool:
    """Whether a code that vanishes like a colour is one that the game may deal: many games let any number vanish."""
    values = _extrapolated(learnt.near, dict.fromkeys((*learnt.near.values, code), ""))
    if len(values) <= len(learnt.near.values):
        return False
    new = set(values) - set(learnt.near.values.values())
    known = learnt.near.values.values()
    step = min((b - a for a, b in pairwise(sorted(known))), default=1)
    return all(value + step > 0 and value <= max(known) + 2 * step for value in new)


def map_of(learnt: Learnt, lab: Lab, game: str) -> dict[str, Any]:
    """The map as a mapping."""
    base = lab.base
    basis, stance = learnt.basis, learnt.stance

    def at(offset: int) -> int:
        return hexadecimal(base + offset)

    entries: dict[str, Any] = {}
    names = color_names(learnt)
    tables: dict[str, Any] = {"cells": {"source": "calibrated", "values": _cell_codes(learnt, names)}}
    entries["field"] = _field(learnt, at)
    x, step = basis.x
    left = basis.columns[0]
    entries["x"] = _place(
        at(x),
        left,
        step,
        1,
        f"follows left and right; {counted(basis.followers[0], 'other byte follows', 'other bytes follow')} it",
    )
    y, _ = basis.y
    # raw y of the half that x and y denote, standing on the floor as it appears
    floor_row = FAMILY_ROWS - 1 - stance.near_row
    note = f"falls; {counted(basis.followers[1], 'other byte follows', 'other bytes follow')} it"
    entries["y"] = _place(at(y), basis.floor_y, -basis.cell_y, floor_row, note)
    place = stance.turning.place
    if place is not None:
        tables["orientations"] = {"source": "calibrated", "values": dict(sorted(stance.symbols.items()))}
        entries["orientation"] = Flow(address=at(place), symbols="orientations", source="calibrated")
    elif stance.partner is not None:
        _halves(learnt, at, entries)
    _colors(learnt, at, names, entries, tables)
    if learnt.score is not None:
        entries["score"] = _score(learnt, at)
    signs = _signs(learnt, at, entries)
    data: dict[str, Any] = {"game": game, "name": "player1", "system": lab.console.rom.system, "seat": 1}
    if stance.partner is not None:
        data["pair"] = {"denotes": "halves"}
    elif stance.denotes != "axis":
        data["pair"] = {"denotes": stance.denotes}
    return {**data, "entries": entries, "codes": tables, "signs": signs}


def _halves(learnt: Learnt, at: Any, entries: dict[str, Any]) -> None:
    """The places of both halves, for games that keep these and no orientation; x and y are the axis's then."""
    basis, stance = learnt.basis, learnt.stance
    assert stance.partner is not None
    px, py = stance.partner
    other_x = _place(at(px), basis.columns[0], basis.x[1], 1, "follows x as the piece turns")
    # a half that lies on the floor is in the last row, whichever it is
    floor_y = basis.floor_y - stance.near_row * basis.cell_y
    other_y = _place(at(py), floor_y, -basis.cell_y, FAMILY_ROWS - 1, "follows y as the piece turns")
    if stance.denotes == "axis":
        entries |= {"partner_x": other_x, "partner_y": other_y}
    else:
        entries |= {"partner_x": entries["x"], "partner_y": entries["y"], "x": other_x, "y": other_y}


def _place(address: int, raw: int, step: int, value: int, note: str) -> dict[str, Any]:
    """An entry that reads ``value`` where the byte is ``raw``, and one more for each ``step``."""
    entry: dict[str, Any] = {"address": address}
    size = abs(step)
    if step < 0:
        entry["scale"] = -1
        raw = -raw
    if size == 1:
        offset = value - raw
    else:
        entry["divide"] = size
        # a piece that glides between two cells counts as in the one that it comes from
        entry["origin" if step > 0 else "offset"] = raw - value * size if step > 0 else value - raw // size
        offset = 0
    if offset:
        entry["offset"] = offset
    return Flow({**entry, "source": "calibrated", "note": note})


def _cell_codes(learnt: Learnt, names: dict[int, str]) -> dict[int, str]:
    shape = learnt.shape
    codes = {learnt.basis.grid.empty & shape.mask: "empty", **dict(sorted(names.items()))}
    if learnt.sort is not None and learnt.sort.nuisance:
        codes[learnt.sort.nuisance[0]] = "nuisance"
    return dict(sorted(codes.items()))


def _rows(learnt: Learnt) -> int:
    hidden = learnt.kicks.hidden_rows if learnt.kicks is not None else 0
    return min(learnt.basis.visible + hidden, FAMILY_ROWS)


def _field(learnt: Learnt, at: Any) -> dict[str, Any]:
    grid: Grid = learnt.basis.grid
    rows = _rows(learnt)
    entry: dict[str, Any] = {
        "address": at(grid.cell(0, rows - 1)),
        "rows": rows,
        "columns": grid.columns,
        "row_stride": -grid.up,
        "column_stride": grid.across,
        "codes": "cells",
    }
    if rows != FAMILY_ROWS:
        entry["top"] = FAMILY_ROWS - rows
    if learnt.shape.mask != 0xFF:
        entry["mask"] = Hex(learnt.shape.mask)
    return Flow({**entry, "source": "calibrated", "note": "pieces land on what is poked here"})


def _colors(learnt: Learnt, at: Any, names: dict[int, str], entries: dict[str, Any], tables: dict[str, Any]) -> None:
    """The pair and the NEXT pairs, with a code table of their own where they have other values than the cells."""
    axis_is_near = learnt.stance.denotes == "axis"
    halves = [("", (learnt.near, learnt.far))]
    halves += [(f"next{number if number > 1 else ''}_", pair) for number, pair in enumerate(learnt.following, 1)]
    known: dict[tuple[tuple[int, str], ...], str] = {}
    for prefix, (near, far) in halves:
        axis, partner = (near, far) if axis_is_near else (far, near)
        for name, byte in ((f"{prefix}axis", axis), (f"{prefix}partner", partner)):
            values = {value: names[kind] for kind, value in byte.values.items() if kind in names}
            extra = _extrapolated(byte, names)
            table = tuple(sorted({**extra, **values}.items()))
            if table not in known:
                cells = {code: word for code, word in tables["cells"]["values"].items() if word in COLORS}
                if all(cells.get(code) == word for code, word in values.items()) and byte.mask in (0xFF, None):
                    known[table] = "cells"
                else:
                    known[table] = f"colors{len(known) or ''}"
                    tables[known[table]] = {"source": "calibrated", "values": dict(table)}
            entry: dict[str, Any] = {"address": at(byte.offset), "codes": known[table]}
            if byte.mask != 0xFF:
                entry["mask"] = Hex(byte.mask)
            note = "the game obeys what is poked here" if byte.followed else "poking it changed nothing: a copy?"
            entries[name] = Flow({**entry, "source": "calibrated", "note": note})


def _extrapolated(byte: ColorByte, names: dict[int, str]) -> dict[int, str]:
    """The values of colours that no piece had, where the values go with the cell codes by one rule."""
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


def _score(learnt: Learnt, at: Any) -> dict[str, Any]:
    score = learnt.score
    assert score is not None
    form = score.form
    entry: dict[str, Any] = {"address": at(score.offset)}
    if form.digits == "decimal":
        entry |= {"digits": "decimal", "count": form.width, "order": "low_first" if form.little else "high_first"}
        if form.zero:
            entry["zero"] = form.zero
    else:
        entry["type"] = form.name
        if form.digits:
            entry["digits"] = "bcd"
    if score.scale != 1:
        entry["scale"] = score.scale
    note = "keeps what is poked and adds to it" if score.kept else "a copy: the number itself was not found"
    return Flow({**entry, "source": "calibrated", "note": note})


def _signs(learnt: Learnt, at: Any, entries: dict[str, Any]) -> dict[str, Any]:
    moments = learnt.moments
    if moments is None:
        return {}
    signs: dict[str, Any] = {}
    named: dict[int, str] = {}
    taken = {int(entry["address"]): name for name, entry in entries.items() if "rows" not in entry}

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
            # the map counts y in rows
            top = FAMILY_ROWS - learnt.stance.near_row - learnt.basis.visible
            signs["spawn"] = Flow({"entry": name, "is": Row([top])})
        else:
            signs["spawn"] = Flow({"entry": name, "is": Row(sign.values)})
        if moments.control:
            place = sign.offset if moments.control_at is None else moments.control_at
            signs["control"] = Flow({"entry": entry_of(place, "phase_byte"), "is": Row(moments.control)})
    if moments.over is not None:
        name = entry_of(moments.over.offset, "over_byte")
        signs["over"] = Flow({"entry": name, "is": Row([moments.over.value])})
    return signs


def game_of(learnt: Learnt, lab: Lab, game: str, *, rules: str, core: str) -> dict[str, Any]:
    """The game file as a mapping."""
    basis, stance = learnt.basis, learnt.stance
    near_row = FAMILY_ROWS - stance.near_row - basis.visible
    # as it stands upright: the axis doesn't move when the piece turns
    across, down = {"up": (0, -1), "right": (1, 0), "down": (0, 1), "left": (-1, 0)}[stance.ways[0]]
    axis_row = near_row if stance.denotes == "axis" else near_row - down
    axis_column = basis.spawn_column + 1 if stance.denotes == "axis" else basis.spawn_column + 1 - across
    buttons = {"left": "left", "right": "right", "down": "down"}
    if stance.clockwise:
        buttons["rotate_cw"] = stance.clockwise
    if stance.counter:
        buttons["rotate_ccw"] = stance.counter
    timing = learnt.timing
    facts = {} if timing is None else {k: v for k, v in vars(timing).items() if v is not None}
    data: dict[str, Any] = {
        "game": game,
        "system": lab.console.rom.system,
        "family": "puyo",
        "core": core,
        "sha1": Row([lab.console.rom.sha1]),
        "rules": rules,
        "modes": {"solo": {"maps": Row([f"{game}-p1.yaml"])}},
        "solo": "solo",
        "spawn": Flow(x=axis_column, y=axis_row, orientation=stance.start),
        "buttons": Flow(buttons),
    }
    if facts:
        data["timing"] = Flow(facts)
    return data


def route_of(learnt: Learnt) -> list[str]:
    """The way through the menus, for the game file."""
    from ochibot.calibrate.explore import BOOT, SETTLE

    steps = [f"wait {BOOT}"]
    for number, button in enumerate(learnt.route.buttons):
        if button == "wait":
            steps.append(f"wait {SETTLE}")
            continue
        steps.append(button)
        if number < len(learnt.route.buttons) - 1:
            steps.append(f"wait {SETTLE}")
    return [*steps, "wait until spawn"]


def write(path: Path, text: str) -> None:
    """A whole file or none."""
    with whole_file(path) as partial:
        partial.write_text(text, encoding="utf-8")


def write_files(folder: Path, learnt: Learnt, lab: Lab, game: str, *, core: str, use_state: bool, draft: str) -> Files:
    """All files. ``use_state``: the game file begins from a savestate, not by the menu. ``draft``: why they are drafts
    (empty: they aren't).
    """
    head = f"# {game}: learnt by ochibot calibrate from the ROM {lab.console.rom.sha1} in {lab.console.core_name}.\n"
    if draft:
        head += f"# DRAFT: {draft}\n"
    map_path, game_path, state_path = folder / f"{game}-p1.yaml", folder / f"{game}.yaml", folder / f"{game}.state"
    write(map_path, head + dump(map_of(learnt, lab, game)))
    made = rules_of(learnt, game)
    rules_path = None
    if made is not None:
        rules, taken = made
        rules_path = folder / f"{game}-rules.yaml"
        told = "".join(f"# Not measured here: {line}.\n" for line in taken)
        write(rules_path, head + told + dump(rules))
    with whole_file(state_path) as partial:
        partial.write_bytes(learnt.route.state)
    if rules_path is None:
        game_path.unlink(missing_ok=True)
        return Files(None, map_path, None, state_path)
    data = game_of(learnt, lab, game, rules=rules_path.name, core=core)
    if use_state or not learnt.route.buttons:
        data["state"] = state_path.name
    else:
        data["menu"] = route_of(learnt)
    write(game_path, head + dump(data))
    return Files(game_path, map_path, rules_path, state_path)


def write_sketch(folder: Path, made: Sketch, lab: Lab, game: str, draft: str) -> Files:
    """The map and the savestate of a game whose rules are unknown."""
    from ochibot.calibrate.sketch import map_of_sketch

    head = f"# {game}: learnt by ochibot calibrate from the ROM {lab.console.rom.sha1} in {lab.console.core_name}.\n"
    map_path, state_path = folder / f"{game}-p1.yaml", folder / f"{game}.state"
    write(map_path, f"{head}# DRAFT: {draft}\n" + dump(map_of_sketch(made, lab, game)))
    with whole_file(state_path) as partial:
        partial.write_bytes(made.route.state)
    for left in (folder / f"{game}.yaml", folder / f"{game}-rules.yaml"):
        left.unlink(missing_ok=True)
    return Files(None, map_path, None, state_path)
