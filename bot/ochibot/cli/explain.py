"""``ochibot explain``: shows the value of each placement of a Puyo Puyo pair on a field, metric by metric.

Of a player of the kind ``beam``, it shows the placements that the player expects to make.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from ochibot.cli.options import JsonOption, PuyoPlayerOption, PuyoRulesOption, file_option, find_title, number_option
from ochibot.cli.output import report_stream
from ochibot.data import read_typed
from ochibot.errors import FieldError, UsageError
from ochibot.report import check_target, write_json
from ochibot.wording import counted

if TYPE_CHECKING:
    from rich.text import Text

    from ochibot.players import PlayerFile
    from ochibot.puyo.rules.field import Field
    from ochibot.puyo.rules.pair import Pair, Placement
    from ochibot.puyo.rules.profile import Rules
    from ochibot.puyo.search.chain.line import Line, LineStep, Promise
    from ochibot.puyo.search.evaluate import Explained
    from ochibot.puyo.search.player import PlayerConfig


_BESIDE: Final = 5
"""How many fields are drawn side by side. These fit into a terminal of 80 columns."""
_WIDE: Final = 14
_COLORS: Final = 4


def explain_line(
    file: PlayerFile, rules: Rules, field: Field, pair: Pair, following: str | None
) -> tuple[Mapping[str, Any], Text]:
    """Explains a decision: (the report as plain values, its drawing).

    Raises UsageError when no next pair is given, FieldError when the pair can't appear on the field.
    """
    from ochibot.puyo.rules.pair import Pair
    from ochibot.puyo.rules.snapshot import Snapshot

    if following is None:
        raise UsageError(
            "a player of the kind beam needs the next pair: give --next, such as --next BB or --next BB,RY"
        )
    shown = [Pair.parse(one) for one in following.split(",")]
    seen = {code for one in (pair, *shown) for code in one if not one.is_item} | {
        int(code) for code in field.cells.flat
    }
    colors = max(_COLORS, len([code for code in seen if 1 <= code <= 6]))
    player: Any = file.kind.open(file.kind.load(file.path), rules, seed=None, **file.options)
    snapshot = Snapshot(field, pair, shown[0], 0, rules.spawn, colors=colors, foreseen=tuple(shown[1:]))
    decision, line = player.expect(snapshot)
    if decision is None:
        raise FieldError(f"the pair {pair} can't appear on this field: give another field")
    lock = decision.placement
    report = {
        "field": str(field).split("\n"),
        "pair": str(pair),
        "next": [str(one) for one in shown],
        "player": player.name,
        "rules": rules.name,
        "placement": _spot(lock),
        "line": [] if line is None else [_step(step) for step in line.steps],
        "promise": None if line is None or line.promise is None else _promise(line.promise),
    }
    head = (
        f"best: x={lock.x} y={lock.y} {lock.orientation.name.lower()}, {counted(decision.leaves, 'board')} looked at\n"
    )
    return report, _field_lines(head, line)


def _field_lines(head: str, line: Line | None) -> Text:
    """Draws the line: a field for each placement, five in a row, and the chain that the last field promises."""
    from rich.text import Text

    drawing = Text(head)
    if line is None:
        drawing.append("no line is expected: the field leaves no room to build\n")
        return drawing
    drawing.append("the line it expects (small letters: the pair at rest; *: a pair that isn't seen but drawn)\n")
    fields = [with_piece(step.before, step.pair, step.placement) for step in line.steps]
    top = min(y for rows in fields for y, row in enumerate(rows) if row.strip("."))
    for start in range(0, len(line.steps), _BESIDE):
        steps = line.steps[start : start + _BESIDE]
        titles = [f"{start + n}. {step.pair}{'' if step.seen else '*'}" for n, step in enumerate(steps, 1)]
        drawing.append("\n" + _row(titles) + "\n")
        for row in list(zip(*fields[start : start + _BESIDE], strict=True))[max(0, top - 1) :]:
            paint(drawing, _row(row) + "\n")
        fates = [f"{step.outcome.chain}-chain {step.outcome.score}" if step.outcome.chain else "" for step in steps]
        if any(fates):
            drawing.append(_row(fates) + "\n")
    if line.promise is not None:
        promise = _promise(line.promise)
        drawing.append(
            f"\nat its end {counted(line.promise.puyos, 'more puyo')} {promise['color']} in column {promise['column']} "
            f"would set off {counted(line.promise.chain, 'step')}: {line.promise.score:,} points\n"
        )
    return drawing


def _row(cells: Sequence[str]) -> str:
    return ("  " + "".join(f"{cell:<{_WIDE}}" for cell in cells)).rstrip()


def _spot(lock: Any) -> dict[str, Any]:
    return {"x": lock.x, "y": lock.y, "orientation": lock.orientation.name.lower()}


def _step(step: LineStep) -> dict[str, Any]:
    return {
        "pair": str(step.pair),
        "seen": step.seen,
        "placement": _spot(step.placement),
        "chain": step.outcome.chain,
        "score": step.outcome.score,
        "field": str(step.outcome.field).split("\n"),
    }


def _promise(promise: Promise) -> dict[str, Any]:
    from ochibot.puyo.rules.field import SYMBOLS

    return {
        "column": promise.column,
        "color": SYMBOLS[promise.color],
        "puyos": promise.puyos,
        "chain": promise.chain,
        "score": promise.score,
    }


COLORS: Final = {"R": "red", "G": "green", "B": "blue", "Y": "yellow", "P": "magenta", "C": "cyan", "o": "bright_black"}


def explain(
    pair: Annotated[
        str,
        typer.Option(
            metavar="PAIR", help="The pair, its axis first, such as RG; ** is the big puyo, && the carbuncle."
        ),
    ],
    following: Annotated[
        str | None,
        typer.Option(
            "--next",
            metavar="PAIR",
            help="The next pair; for a player of the kind beam also the one after it, as in BB,RY.",
            show_default="none: look one pair ahead",
        ),
    ] = None,
    field: Annotated[
        Path | None, file_option("A file with the field drawn in letters.", default="none: give --text")
    ] = None,
    text: Annotated[
        str | None,
        typer.Option(
            metavar="ROWS",
            help="The field itself: rows of RGBYPC, o (nuisance) and . (empty), separated by line breaks or /.",
            show_default="none: give --field",
        ),
    ] = None,
    player: PuyoPlayerOption = "article",
    rules: PuyoRulesOption = "famicom",
    top: Annotated[int | None, number_option("Show only the best N.", default="all")] = None,
    json: JsonOption = None,
) -> None:
    """Puyo Puyo: every placement of a pair on a field with its score, metric by metric; the best one drawn.

    For a player of the kind beam, it draws the placement and the line that the player expects, field by field.
    """
    from rich.console import Console

    from ochibot.players import find_file
    from ochibot.puyo.rules.file import load_rules
    from ochibot.puyo.rules.pair import Pair
    from ochibot.puyo.search.evaluate import explain as explain_all
    from ochibot.puyo.search.player import load_player

    check_target(json)
    game, file = load_rules(rules), find_file(player, find_title(None, None), options=True)
    here, piece = _read_field(field, text), Pair.parse(pair)
    out = Console(file=report_stream(json), highlight=False, soft_wrap=True)
    if file.kind.name == "beam":
        report, drawing = explain_line(file, game, here, piece, following)
        write_json(report, json)
        out.print(drawing)
        return
    if file.options:
        raise UsageError(f"explain takes no options of a player of the kind {file.kind.name}: leave the brackets out")
    config = load_player(file.path)
    after = Pair.parse(following) if following is not None else None
    found = explain_all(here, piece, after, config, game)
    write_json(_as_dict(here, piece, after, config, game, found), json)
    out.print(_table(found[:top]), markup=False)
    out.print(_drawing(here, piece, found[0]))


def _read_field(file: Path | None, text: str | None) -> Field:
    from ochibot.puyo.rules.field import Field

    if (file is None) == (text is None):
        raise UsageError("give the field: either --field FILE or --text ROWS, such as --text '...B../RGRG..'")
    if text is not None:
        return Field.parse(text.replace("/", "\n"))
    assert file is not None
    try:
        return Field.parse(read_typed(file, 1 << 20).decode("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not a text file"
        raise FieldError(f"can't read the field {file}: {reason}; give a text file with it") from None


def _where(lock: Placement | None) -> str:
    return f"x={lock.x} y={lock.y:<2} {lock.orientation.name.lower():<5}" if lock else "-"


def _fate(one: Explained) -> str:
    from ochibot.puyo.search.engine import OVER_NOW

    return "game over" if one.value == OVER_NOW else "game over next"


def _table(found: list[Explained]) -> str:
    """One line for each placement: where it is, its chain and score, its value, and the seven terms of that value."""
    from ochibot.puyo.search.metrics import METRICS

    names = "".join(f"{name:>12}" for name in METRICS)
    lines = [f"{'':3} {'placement':16}{'then':16}{'chain':>5}{'score':>8}{'value':>10} ={names}"]
    for number, one in enumerate(found, 1):
        start = f"{number:3} {_where(one.placement):16}{_where(one.reply):16}{one.outcome.chain:5}{one.outcome.score:8}"
        if one.evaluation is None:
            lines.append(f"{start}  {_fate(one)}")
            continue
        terms = "".join(f"{term + 0.0:+12.3f}" for term in one.evaluation.weighted)
        lines.append(f"{start}{one.value:+10.3f}  {terms}")
    return "\n".join(lines)


def _drawing(field: Field, pair: Pair, best: Explained) -> Text:
    """Draws the best placement: the field with the piece in small letters, and the field afterwards."""
    from rich.text import Text

    before, after = with_piece(field, pair, best.placement), str(best.outcome.field).split("\n")
    drawing = Text(f"\nbest: {_where(best.placement)}   (small letters: {pair}; right: what it leads to)\n")
    for left, right in zip(before, after, strict=True):
        paint(drawing, f"  {left}   {right}\n")
    return drawing


def paint(drawing: Text, row: str) -> None:
    """Adds a row of cells, in their colours, to the drawing; the small letters of a piece are highlighted."""
    for cell in row:
        style = COLORS.get(cell) or (COLORS.get(cell.upper()) if cell.isalpha() else None)
        drawing.append(cell, f"bold reverse {style}" if style and cell != cell.upper() and cell != "o" else style)


def with_piece(field: Field, pair: Pair, lock: Placement) -> list[str]:
    """The rows of a field with a piece drawn in: a pair at rest in small letters, an item in its own symbol."""
    from ochibot.puyo.rules.field import ROWS
    from ochibot.puyo.rules.pair import ITEM_SYMBOLS, shape

    rows = [list(row) for row in str(field).split("\n")]
    cells = list(zip(shape(pair, lock), (pair.axis,) * 4 if pair.is_item else pair, strict=False))
    if pair.is_item:
        for (x, y), code in cells:
            rows[y][x - 1] = ITEM_SYMBOLS[code]
        return ["".join(row) for row in rows]
    for (x, y), code in sorted(cells, key=lambda cell: -cell[0][1]):  # the lower half drops first
        while y + 1 < ROWS and rows[y + 1][x - 1] == ".":
            y += 1
        rows[y][x - 1] = "rgbypc"[code - 1]
    return ["".join(row) for row in rows]


def _as_dict(
    field: Field, pair: Pair, following: Pair | None, config: PlayerConfig, rules: Rules, found: list[Explained]
) -> dict[str, Any]:
    def spot(lock: Placement | None) -> dict[str, Any] | None:
        if lock is None:
            return None
        path = [action.name.lower() for action in lock.path]
        return {"x": lock.x, "y": lock.y, "orientation": lock.orientation.name.lower(), "path": path}

    placements = []
    for one in found:
        seen = one.evaluation
        placements.append(
            {
                "placement": spot(one.placement),
                "next": spot(one.reply),
                "value": one.value,
                "score": one.outcome.score,
                "chain": one.outcome.chain,
                "game_over": _fate(one) if seen is None else None,
                "field": str(one.outcome.field).split("\n"),
                "metrics": None
                if seen is None
                else {
                    name: {"raw": raw, "normalised": seen.normalised[i], "weighted": seen.weighted[i]}
                    for i, (name, raw) in enumerate(seen.raw._asdict().items())
                },
            }
        )
    return {
        "field": str(field).split("\n"),
        "pair": str(pair),
        "next": str(following) if following else None,
        "player": config.name,
        "rules": rules.name,
        "placements": placements,
    }
