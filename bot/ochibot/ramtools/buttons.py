"""Finds by experiment which buttons turn the pair, and in which direction."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ochibot.console import Button
from ochibot.puyo.rules.pair import PairState
from ochibot.ramtools.drops import DropLab
from ochibot.ramtools.evidence import Evidence, filled
from ochibot.ramtools.findings import Finding, Report
from ochibot.ramtools.grids import Grid

OTHERS: Final = (Button.A, Button.B, Button.X, Button.Y, Button.UP, Button.L, Button.R)
"""Buttons that are tried when those of the game's table fail. START and SELECT are left out: they may pause."""


def learn_turns(drops: DropLab, evidence: Evidence, grid: Grid, spawn: PairState) -> None:
    """Learns which way the turning buttons turn, from the columns into which the halves fall.

    Where the table's buttons don't turn both ways, others are tried. If a button for each way is found, ``drops``
    presses these two from then on.
    """

    def way(button: Button) -> int:
        """How the button turns a pair. 1: clockwise, -1: the other way, 0: not at all."""
        end = drops.drop_after(evidence.first, button).end
        columns = frozenset(x for x, _ in filled(grid, evidence.empty, end))
        return {frozenset({spawn.x, spawn.x + 1}): 1, frozenset({spawn.x - 1, spawn.x}): -1}.get(columns, 0)

    pads = drops.pads
    evidence.turns = way(pads.turn)
    if evidence.turns and way(pads.back) == -evidence.turns:
        return
    ways = {button: way(button) for button in dict.fromkeys((pads.turn, pads.back, *OTHERS))}
    turn = next((button for button, found in ways.items() if found == 1), None)
    back = next((button for button, found in ways.items() if found == -1), None)
    if turn is not None and back is not None:
        evidence.turns, evidence.turning = 1, {"rotate_cw": turn, "rotate_ccw": back}
        drops.pads = replace(pads, turn=turn, back=back)


def report_turns(report: Report, evidence: Evidence, said: tuple[Button, Button]) -> None:
    """Reports whether the buttons turn as the game's table says. ``said``: its clockwise button and the other one."""
    turn, back = said
    buttons = dict(evidence.turning)
    if buttons:
        seen = ", ".join(f"{str(button.name).lower()} turns by {name}" for name, button in buttons.items())
        mend: str | None = ", ".join(f"{name}: {str(button.name).lower()}" for name, button in buttons.items())
    elif evidence.turns == 1:
        report.holds.append("game.buttons")
        return
    elif evidence.turns == -1:
        seen, mend = "the partner goes to the left", "exchange rotate_cw and rotate_ccw"
        buttons = {"rotate_cw": back, "rotate_ccw": turn}
    else:
        seen, mend = "the halves fall into other columns than a turn would bring them to", None
    words = f"{turn.name} turns clockwise and {back.name} the other way".lower()
    report.findings.append(Finding("game.buttons", (), f"{words} by the game's table", seen, mend, buttons=buttons))
