"""The API of the Pochi & Nyaa calculator, for programs. The page computes the values itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi import APIRouter
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from ochibot.ui.web.features import Feature

if TYPE_CHECKING:
    from ochibot.nyaa.calculator.ignition import Ignition, Tail, WaveOutcome

MAX_TEXT = 2_000
"""The most characters of a board's text. A board needs 95."""
MAX_OUTCOMES = 6
"""The most outcomes that an answer describes one by one. The values include all outcomes."""
MAX_BURNS = 128
"""The most ways to settle ties that are tried in each part of a board, so that answers come soon. If a part has more,
the answer is incomplete."""

router = APIRouter()


class AskedBoard(BaseModel):
    """A board as text, in the letters ``.rgbyoRGBY``."""

    model_config = ConfigDict(extra="forbid", strict=True)
    board: str = Field(max_length=MAX_TEXT)


@router.post("/value", response_model=None)
def value(asked: AskedBoard) -> JSONResponse:
    """Values a board: ``{"board": 12 lines, "mvs": {…}, "ps2": {…}}``. A text that isn't a board gets a 422."""
    from ochibot.nyaa.calculator.ignition import ignite
    from ochibot.nyaa.rules.grid import Grid
    from ochibot.nyaa.rules.profile import Ruleset

    grid = Grid.parse(asked.board)
    values = {
        ruleset.value: ignition_json(ignite(grid, ruleset, most_burns=MAX_BURNS, most_outcomes=MAX_OUTCOMES))
        for ruleset in Ruleset
    }
    # returned as a finished response, because FastAPI would check every value again
    return JSONResponse({"board": str(grid), **values})


def ignition_json(ignition: Ignition) -> dict[str, Any]:
    """The answer for one ruleset: the attack and the described outcomes. Sums and ``tails`` are the first outcome's."""
    from ochibot.nyaa.calculator.ignition import numbers

    return {
        **numbers(ignition),
        "complete": ignition.complete,
        "open_ties": ignition.open_ties,
        "after": str(ignition.after),
        "outcomes": [_outcome(outcome) for outcome in ignition.outcomes],
        "outcomes_total": ignition.total,
    }


def _outcome(outcome: WaveOutcome) -> dict[str, Any]:
    return {
        "attack": outcome.attack,
        "s0": outcome.s0,
        "s1": outcome.s1,
        "t": outcome.t,
        "bonus": outcome.bonus,
        "tails": [_tail(tail) for tail in outcome.tails],
        "steps": outcome.steps.tolist(),
        "owner": outcome.owner.tolist(),
    }


def _tail(tail: Tail) -> dict[str, Any]:
    return {"x": tail.x, "y": tail.y, "value": tail.value, "owner": tail.owner, "path": tail.path}


def _prepare() -> None:
    from ochibot.nyaa.calculator.ignition import ignite
    from ochibot.nyaa.rules.grid import Grid
    from ochibot.nyaa.rules.profile import Ruleset

    for ruleset in Ruleset:
        ignite(Grid.parse("R......\nr......"), ruleset)


FEATURE = Feature("nyaa", router, _prepare)
