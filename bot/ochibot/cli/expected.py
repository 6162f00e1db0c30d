"""``ochibot explain`` for players of the kind ``beam``: shows the placements that the player expects to make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from ochibot.cli.explain import paint, with_piece
from ochibot.errors import FieldError, UsageError
from ochibot.wording import counted

if TYPE_CHECKING:
    from rich.text import Text

    from ochibot.players import PlayerFile
    from ochibot.puyo.rules.field import Field
    from ochibot.puyo.rules.pair import Pair
    from ochibot.puyo.rules.profile import Rules
    from ochibot.puyo.search.chain.line import Line, LineStep, Promise

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
    return report, _drawing(head, line)


def _drawing(head: str, line: Line | None) -> Text:
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
