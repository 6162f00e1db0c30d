"""The report of a calibration, for people: Markdown and HTML, with pictures."""

from __future__ import annotations

import html
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ochibot.errors import CalibrationError
from ochibot.experiments.draft import Draft
from ochibot.experiments.exam import Exam
from ochibot.experiments.explore import Route
from ochibot.experiments.formula import Formula
from ochibot.experiments.learnt import Learnt
from ochibot.experiments.mapfile import follows, where_of
from ochibot.experiments.notebook import Notebook
from ochibot.experiments.rig import Rig
from ochibot.experiments.versus import Seats
from ochibot.experiments.write import Files, rules_of, write
from ochibot.ram import RamMap
from ochibot.wording import counted
from ochibot.yamlfile import read_yaml

Table = tuple[str, tuple[str, ...], list[Any]]
"""(title, names of the columns, rows)."""

Content = tuple[list[str], list[Table]]
"""The first lines of a report, and its tables."""

BY_HAND = {
    "signs": "watch RAM at a spawn (ochibot ram watch) and name the byte under signs: in the map",
    "the score": "search the number on the screen (ochibot ram search) and add the entry score to the map",
    "what vanishes": "write a rules file by hand, if the game is of the puyo family at all",
    "the score's cap": "keep the one in the rules file: play hardly ever comes there",
    "needles": "write a rules file by hand: this game's rules are of no family known here",
}


WORDS = {
    "fall": "a row in",
    "soft": "a row with DOWN in",
    "lock": "on the floor",
    "lock_soft": "on the floor with DOWN",
    "lock_moved": "on the floor while it is moved",
    "repeat_first": "first repeat after",
    "repeat": "repeats every",
    "to_spawn": "from the lock to the next piece",
    "control": "from its appearance to the first press",
    "wall": "kicked from walls",
    "floor": "kicked from the floor",
    "quick_turn": "quick turn",
    "hidden_rows": "rows that keep cells",
    "ceiling": "ceiling",
    "hidden_clear": "they count for groups",
    "ceiling_seen": "the ceiling was seen",
}


def _word(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def rows_of(learnt: Learnt, rig: Rig) -> list[tuple[str, str, str]]:
    """The rows of the table of results: (what, value, evidence)."""
    basis, stance, shape = learnt.basis, learnt.stance, learnt.shape
    grid = basis.grid

    def at(offset: int) -> str:
        return f"{rig.address(offset):04X}"

    rows = [
        ("x", at(basis.x[0]), f"{follows(basis.followers[0])} it when it is poked; the field's columns are "
         f"{', '.join(map(str, basis.columns))}"),
        ("y", at(basis.y[0]), f"{follows(basis.followers[1])} it; {basis.top} at the top, "
         f"{basis.floor_y} on the floor"),
        ("field", f"{at(grid.cell(0, basis.visible - 1))} to {at(grid.cell(grid.columns - 1, 0))}",
         f"{grid.columns} columns {grid.across:+d} bytes apart, {basis.visible} visible rows {-grid.up:+d}; pieces "
         f"land on a cell that is poked there; {len(basis.decoys)} copies on which they don't: "
         f"{', '.join(map(at, basis.decoys)) or 'none'}"),
        ("x and y are of", f"the {stance.denotes}{' in which it turns' * (stance.denotes == 'box')}",
         f"{stance.trials} drops, one in each way of standing"),
        ("cells", ", ".join(f"{code:#04x}" for code in shape.colors), f"{counted(shape.pieces, 'piece')}; "
         f"bits of a kind {shape.mask:#04x}, of equal neighbours {shape.links:#04x}"),
    ]  # fmt: skip
    if (number := learnt.numbered) is not None:
        steps = f"{number.right:+d} for a column to the right, {number.lower:+d} for a row down"
        rows.append(("the number of its cell", at(number.offset), f"{steps}; the map reads x and y from it"))
    if stance.turning.places:
        values = ", ".join(f"{raw} {word}" for raw, word in sorted(stance.symbols.items()))
        rows.append(("orientation", ", ".join(map(at, stance.turning.places)), values))
    ways = f"{stance.clockwise or 'none'} clockwise, {stance.counter or 'none'} counter-clockwise"
    rows.append(("buttons", ways, "four taps of each"))
    halves = [("pair", learnt.near, learnt.far)]
    halves += [(f"NEXT {number}", *pair) for number, pair in enumerate(learnt.following, 1)]
    for name, near, far in halves:
        for word, byte in (("near", near), ("far", far)):
            kept = "poking it changed what fell" if byte.followed else "poking it changed nothing: a copy?"
            values = ", ".join(f"{value:#04x} → {kind:#04x}" for kind, value in sorted(byte.values.items()))
            where = at(byte.offset)
            if byte.index is not None:
                where += f" + {byte.step} x [{at(byte.index)}]"
            rows.append((f"{name}, {word} half", where, f"{kept}; {values}"))
    rows += _later_rows(learnt, at)
    return rows


def _later_rows(learnt: Learnt, at: Any) -> list[tuple[str, str, str]]:
    rows = []
    moments = learnt.moments
    if moments is not None:
        if moments.spawn is not None:
            rows.append(("spawn", at(moments.spawn.offset), f"{_some(moments.spawn.values)} from when all is final to "
                         f"control, in {moments.watched} of {counted(moments.watched, 'piece')}"))  # fmt: skip
        if moments.control:
            rows.append(("control", _some(moments.control), "of the same byte"))
        if moments.over is not None:
            rows.append(("game over", f"{at(moments.over.offset)} = {moments.over.value}", "in no other trace"))
    if learnt.size is not None:
        rows.append(("vanish", f"{learnt.size} equal cells", "groups of 2 to 6 were painted"))
    if learnt.sort is not None:
        rows.append(("nuisance", _some(learnt.sort.nuisance), "goes with a group beside it, never by itself"))
        rows.append(("colours not dealt", _some(learnt.sort.colors), "vanish in groups of their own"))
    needles = learnt.needles
    if needles is not None:
        rows.append(("needles", f"{needles.button.name}; {at(needles.place)} is {needles.values[1]}", "equal blocks "
                     f"beside one pop; {needles.values[0]} otherwise; one that lights nothing: {needles.idle}; "
                     f"{counted(needles.trials, 'lock')}"))  # fmt: skip
        rows.append(("nuisance", _some(needles.nuisance), "goes with blocks that pop beside it, never by itself"))
        if learnt.score is not None:
            rows.append(("score", f"{at(learnt.score.offset)}, {learnt.score.form.name}", "keeps what is poked; "
                         f"{learnt.attack_each} for each point of attack"))  # fmt: skip
    if learnt.score is not None and needles is None:
        form, formula = learnt.score.form, learnt.formula
        kept = "keeps what is poked" if learnt.score.kept else "a copy"
        rows.append(("score", f"{at(learnt.score.offset)}, {form.name}{' ' + form.digits if form.digits else ''} "
                     f"x {learnt.score.scale}",
                     kept if formula is None else f"{kept}; {counted(len(formula.seen), 'lock')}"))  # fmt: skip
        if formula is not None:
            rows.append(("chain power", ", ".join(map(str, formula.chain_power)), "from chains that were set off"))
            if formula.doubt:
                rows.append(("formula", "unknown", formula.doubt))
            elif formula.other_form:
                tested = f"{counted(formula.tests, 'more trial')}, {formula.wrong} not explained"
                rows.append(("other points", _other_points(formula), tested))
            if formula.all_clear:
                what = "the lowest row" if formula.lowest_row else "the field"
                more = ", times the chain's step" if formula.all_clear_per == "step" else ""
                rows.append(
                    ("emptied", f"{formula.all_clear} for {what}{more}", "a group vanished that was alone there")
                )
            rows.append(("drop points", f"{formula.drop_bonus} a row", "with DOWN held and without"))
        if learnt.cap is not None:
            rows.append(("highest score", f"{learnt.cap:,}", "poked to just below it, and a group vanished"))
    for name, part, how in (
        ("timing", learnt.timing, "frames"),
        ("turns", learnt.kicks, "tried at wall, floor and in a shaft"),
        ("rows above", learnt.above, "locked on a stack up to the top visible row"),
    ):
        if part is not None:
            known = [(WORDS.get(key, key), _word(value)) for key, value in vars(part).items() if value is not None]
            rows.append((name, ", ".join(f"{word} {value}" for word, value in known), how))
    return rows


def _other_points(formula: Formula) -> str:
    """What the published form of a formula doesn't have, in words."""
    said = ["bonuses are multiplied"] if formula.product else []
    if any(formula.group_bonus.values()):
        said.append("bonus by size " + ", ".join(f"{size}: {bonus}" for size, bonus in formula.group_bonus.items()))
    if formula.per_cell:
        said.append(f"{formula.per_cell} for each cell beyond a {'step' if formula.per == 'step' else 'group'}'s least")
    if formula.by_size:
        said.append("by size " + ", ".join(f"{size}: {points}" for size, points in formula.by_size.items()))
    if formula.by_step:
        said.append("by step " + ", ".join(map(str, formula.by_step)))
    if formula.multiplied:
        said.append("these times the bonuses")
    if formula.per_group:
        times = ", times the bonuses" if formula.groups_multiplied else ""
        said.append(f"{formula.per_group} for each further group of a step{times}")
    return "; ".join(said)


def _some(values: tuple[int, ...]) -> str:
    return ", ".join(f"{value:#04x}" for value in values[:12]) + (" …" if len(values) > 12 else "") or "none"


def compared_rows(learnt: Mapping[str, Any], documented: RamMap) -> list[tuple[str, str, str, str]]:
    """The learnt map beside the documented one: (entry, learnt, documented, verdict).

    ``learnt``: the new map as a mapping. The verdict on an entry that only this map has is ``new``.
    """
    rows = []
    mine = {name: entry for name, entry in learnt["entries"].items() if not name.endswith("_byte")}
    for name, entry in mine.items():
        other = documented.entries.get(name)
        if other is None:
            rows.append((name, where_of(entry), "-", "new"))
            continue
        if "address" not in entry or other.pointer is not None:
            theirs = where_of(other.model_dump(exclude_none=True))
            rows.append((name, where_of(entry), theirs, "confirmed" if where_of(entry) == theirs else "CONTRADICTED"))
            continue
        there = other.byte_addresses()[0] if not other.is_grid else other.address
        here = int(entry["address"])
        shift = 0 if other.row_stride is None else (entry.get("top", 0) - (other.top or 0)) * other.row_stride
        same = there is not None and here == there + shift
        verdict = "confirmed" if same else "CONTRADICTED"
        rows.append((name, f"{here:04X}", "-" if there is None else f"{there:04X}", verdict))
    return rows


def missing_rows(book: Notebook, *, seats: bool = False) -> list[tuple[str, str]]:
    """The rows of the table of what wasn't learnt: (what; why, and how to add it by hand)."""
    expected = {f"NEXT {number}, {half} half" for number in (2, 3) for half in ("near", "far")}
    rows = [
        (name, f"{why}. By hand: {BY_HAND.get(name, 'add the entry to the map when you know it')}")
        for name, why in book.failed.items()
        if name not in expected
    ]
    if not seats:
        rows.append(("seat 2, nuisance sent", "not tried: ask with --versus, or extend the files by hand"))
    return [*rows, ("pause", "not tried: add the sign paused to the map by hand")]


def _seat_rows(seats: Seats | None, rig: Rig) -> list[tuple[str, str, str]]:
    """The rows of the table of a game of two: (what, where seat 1 keeps it, where seat 2 keeps it)."""
    if seats is None:
        return []
    first, second = (made["entries"] for made in seats.maps(rig, "x"))
    rows = [("the way there", ", ".join(seats.route.buttons), "")]
    for name in dict.fromkeys((*first, *second)):
        here, there = (where_of(one[name]) if name in one else "-" for one in (first, second))
        rows.append((name, here, there))
    return rows


def report_of(
    learnt: Learnt,
    rig: Rig,
    book: Notebook,
    exam: Exam,
    compared: list[tuple[str, str, str, str]],
    seats: Seats | None = None,
    of_two: Exam | None = None,
) -> Content:
    """What the report of a game with known rules says. compared: the rows of its map beside a documented one."""
    made = rules_of(learnt, "x", None if seats is None else seats.pending[0])
    verdict = (
        f"{exam.agreed} of {counted(exam.pieces, 'piece')} went as predicted (agreement {exam.agreement:.4f})"
        if exam.kind == "play"
        else f"{exam.agreed} of {counted(exam.pieces, 'piece')} landed where they should; the rules are unknown"
    )
    state = "The files can be used." if exam.passed else "The files are DRAFTS."
    head = [f"Exam: {verdict}. {state}", *_broke(exam), _way(learnt.route)]
    if of_two is not None:
        head.append(f"Exam of two seats: {of_two.agreed} of {counted(of_two.pieces, 'piece')} did what was predicted. "
                    f"{of_two.broke}".strip())  # fmt: skip
    tables: list[Table] = [
        ("What was learnt", ("what", "where or which", "evidence"), rows_of(learnt, rig)),
        ("A game of two", ("what", "seat 1", "seat 2"), _seat_rows(seats, rig)),
        ("What was not", ("what", "why, and what to do"), missing_rows(book, seats=seats is not None)),
        ("Taken from published rules, not measured", ("what",), [(line,) for line in (made[1] if made else [])]),
        ("Beside the documented map", ("entry", "learnt", "documented", "verdict"), list(compared)),
    ]
    return head, tables


def draft_report_of(made: Draft, book: Notebook, files: Files, exam: Exam) -> Content:
    """What the report of a game whose rules are unknown says."""
    basis = made.basis
    head = [f"The rules are unknown: {made.why}. The map is a DRAFT."]
    head.append(f"Exam: {exam.agreed} of {counted(exam.pieces, 'piece')} landed where they should.")
    head += [*(_broke(exam) if exam.broke != made.why else []), _way(made.route)]
    rows = _entry_rows(files)
    rows.append(("cells", _some(tuple(made.codes)), f"of {counted(made.pieces, 'piece')}"))
    shape = ", ".join(f"({column}, {row})" for column, row in basis.cells)
    rows.append(("the first piece", shape, "(column, row) of its cells, from its left and its lowest"))
    missing = [*book.failed.items()]
    missing.append(("rules", "write a family of rules for it (docs/architecture.md), or use the map with ochibot ram"))
    return head, _known_and_not(rows, missing)


def bare_report_of(route: Route, book: Notebook, files: Files, why: str) -> Content:
    """What the report of a game whose field was not found says."""
    head = [f"Something follows left and right and falls, but no field was found: {why}."]
    head += ["The map is a DRAFT: it has only bytes that may be x and y.", _way(route)]
    missing = [*book.failed.items()]
    missing.append(("the field", f"{why}. By hand: give a savestate of play with --from-state, or add it to the map"))
    return head, _known_and_not(_entry_rows(files), missing)


def _known_and_not(rows: list[Any], missing: list[Any]) -> list[Table]:
    return [
        ("What was learnt", ("what", "where or which", "evidence"), rows),
        ("What was not", ("what", "why, and what to do"), missing),
    ]


def _broke(exam: Exam) -> list[str]:
    return [f"It broke here first: {' '.join(exam.broke.split())[:600]}"] if exam.broke else []


def _way(route: Route) -> str:
    buttons = ", ".join(route.buttons) or "nothing to press"
    return f"The way to play: {buttons}; {counted(route.screens, 'screen was', 'screens were')} tried."


def _entry_rows(files: Files) -> list[tuple[str, str, str]]:
    """The entries of the map that was written: (name, where it is, its note)."""
    entries: Any = read_yaml(files.map, "a map", CalibrationError)["entries"]
    return [(name, where_of(entry), entry["note"]) for name, entry in entries.items()]


def write_report(
    folder: Path, rig: Rig, book: Notebook, files: Files, said: Content, pictures: Mapping[str, str], used_up: str = ""
) -> None:
    """Writes report.md and report.html. Tables without rows are left out. ``pictures``: file names with their captions.
    used_up: in words, that the frames were used up; empty when they weren't.
    """
    head, tables = said
    rom, game = rig.console.rom, files.map.stem.removesuffix("-p1")
    head = [f"{rom.source.name}, SHA-1 {rom.sha1}, in {rig.console.core_name} {rig.console.core_version}.", *head]
    head += [f"{used_up[0].upper()}{used_up[1:]}."] if used_up else []
    frames = [(name, f"{took:,}") for name, took in book.frames.items() if took]
    down = ("Tried, and turned down", ("what", "candidate", "why"), [row[:3] for row in book.turned_down])
    tables = [table for table in (*tables, down, ("Experiments", ("name", "emulated frames"), frames)) if table[2]]
    lines = [f"# Calibration of {game}", "", *(f"{line}\n" for line in head)]
    for name, caption in pictures.items():
        lines.append(f"![{caption}]({name})\n")
    for title, names, rows in tables:
        lines += [f"## {title}", "", "| " + " | ".join(names) + " |", "|" + " --- |" * len(names)]
        lines += ["| " + " | ".join(str(cell).replace("|", "/") for cell in row) + " |" for row in rows] + [""]
    write(folder / "report.md", "\n".join(lines))
    write(folder / "report.html", _page(game, head, tables, pictures))


def _page(name: str, head: list[str], tables: list[Any], pictures: Mapping[str, str]) -> str:
    def cells(row: Any, tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(str(cell))}</{tag}>" for cell in row) + "</tr>"

    body = [f"<h1>Calibration of {html.escape(name)}</h1>", *(f"<p>{html.escape(line)}</p>" for line in head)]
    shown = "".join(
        f'<figure><img src="{html.escape(file)}" alt="{html.escape(caption)}">'
        f"<figcaption>{html.escape(caption)}</figcaption></figure>"
        for file, caption in pictures.items()
    )
    body.append(f'<div class="pictures">{shown}</div>')
    for title, names, rows in tables:
        inner = cells(names, "th") + "".join(cells(row, "td") for row in rows)
        body.append(f"<h2>{html.escape(title)}</h2><table>{inner}</table>")
    style = (
        "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}"
        "table{border-collapse:collapse;width:100%}td,th{border:1px solid #ccc;padding:.3rem .5rem;text-align:left;"
        "vertical-align:top}th{background:#f2f2f2}.pictures{display:flex;flex-wrap:wrap;gap:1rem}"
        "figure{margin:0;max-width:24rem}img{width:100%;image-rendering:pixelated}figcaption{color:#555;font-size:13px}"
    )
    title = f"<title>Calibration of {html.escape(name)}</title>"
    return f'<!doctype html><html lang="en"><meta charset="utf-8">{title}<style>{style}</style>{"".join(body)}</html>\n'
