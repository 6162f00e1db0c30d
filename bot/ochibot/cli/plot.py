"""``ochibot plot``: draws the results in the folders of the lab's commands as one picture."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ochibot.cli.options import OUTPUT, JsonOption, file_option
from ochibot.cli.output import report_stream
from ochibot.errors import UsageError
from ochibot.report import check_target, check_writable, write_json

if TYPE_CHECKING:
    from ochibot.lab.plots.found import FoundResults
    from ochibot.lab.plots.panels import Gaussian
    from ochibot.lab.plots.style import Panel


class What(StrEnum):
    """The choices of --what."""

    CURVE = "curve"
    TAIL = "tail"
    CHAINS = "chains"
    HEIGHTS = "heights"
    TRAINING = "training"
    WEIGHTS = "weights"
    RATINGS = "ratings"
    CHANCES = "chances"
    ALL = "all"


_NEEDS = {
    What.CURVE: "a folder of ochibot selfplay",
    What.TAIL: "a folder of ochibot tail",
    What.CHAINS: "a folder of ochibot selfplay",
    What.HEIGHTS: "a folder of ochibot selfplay that counted heights",
    What.TRAINING: "a folder with a training's log.jsonl",
    What.WEIGHTS: "a folder with a training's log.jsonl",
    What.RATINGS: "a folder with an arena's summary.json",
    What.CHANCES: "a folder of ochibot chance",
}


def plot(
    folders: Annotated[
        list[Path],
        typer.Argument(metavar="DIR...", help="One or more folders of selfplay, tail, train, arena or chance."),
    ],
    output: Annotated[Path | None, file_option("The picture, .svg or .png.", *OUTPUT, default="none is drawn")] = None,
    what: Annotated[What, typer.Option(help="What to draw; all: everything that the folders hold.")] = What.ALL,
    json: JsonOption = None,
) -> None:
    """Draw results of the lab: curve with Gaussian and tail, chains, heights, training, ratings, chances of winning."""
    from ochibot.lab.plots.found import find
    from ochibot.lab.plots.panels import fitted
    from ochibot.lab.plots.style import check_ending, draw

    if output is None and json is None:
        raise UsageError("nothing says where the picture goes: give a file, such as -o curve.svg")
    if output is not None:
        check_ending(output)
        check_writable(output, "the picture")
    check_target(json)
    found = find(folders)
    fit = fitted(found.selfplay.histogram) if found.selfplay is not None else None
    panels = _panels(found, fit)
    chosen = [what]
    if what is What.ALL:
        # the tail's own panel is left out beside the curve, whose panels show the tail too
        chosen = [name for name in panels if name is not What.TAIL or What.CURVE not in panels]
    if what is not What.ALL and what not in panels:
        raise UsageError(f"these folders have nothing for --what {what.value}: give {_NEEDS[what]}")
    out = report_stream(json)
    if output is not None:
        draw([panel for name in chosen for panel in panels[name]], output)
        print(f"{output}: {', '.join(name.value for name in chosen)}", file=out)
    if fit is not None and {What.CURVE, What.TAIL} & set(chosen):
        print(_told(fit), file=out)
    write_json(_numbers(found, fit, chosen), json)


def _panels(found: FoundResults, fit: Gaussian | None) -> dict[What, list[Panel]]:
    """For each choice of --what that the results allow, its panels."""
    from ochibot.lab.plots import panels as draws

    panels: dict[What, list[Panel]] = {}
    run = found.selfplay
    if run is not None and fit is not None:
        panels[What.CURVE] = [draws.curve(run, fit), draws.log_curve(run, fit, found.tail)]
        panels[What.CHAINS] = [draws.chains(run)]
        if run.heights is not None:
            panels[What.HEIGHTS] = [draws.heights(run)]
    if found.tail is not None:
        panels[What.TAIL] = [draws.log_curve(run, fit, found.tail)]
    if found.training:
        panels[What.TRAINING] = [draws.training(found.training)]
        panels[What.WEIGHTS] = [draws.weights(found.training)]
    if found.arena is not None:
        panels[What.RATINGS] = [draws.ratings(found.arena)]
    if found.chances:
        panels[What.CHANCES] = [panel(run) for run in found.chances for panel in (draws.reliability, draws.stages)]
    return panels


def _told(fit: Gaussian) -> str:
    return (
        f"Gaussian: mean {fit.mean:.3f}, sigma {fit.sigma:.3f}; it says 1 in 10^{-fit.exponent(42):.1f} at 42 puyos, "
        f"1 in 10^{-fit.exponent(84):.1f} at 84 (article: 10^17, 10^89)"
    )


def _numbers(found: FoundResults, fit: Gaussian | None, chosen: list[What]) -> dict[str, Any]:
    from ochibot.lab.plots import panels as article

    numbers: dict[str, Any] = {}
    run = found.selfplay
    for name in chosen:
        if name is What.CURVE and run is not None and fit is not None:
            numbers["curve"] = {
                "pieces": run.pieces,
                "probabilities": [count / run.pieces for count in run.histogram],
                "fit": {"height": fit.height, "mean": fit.mean, "sigma": fit.sigma},
                "log10_at": {str(puyos): fit.exponent(puyos) for puyos in article.ARTICLE_ODDS},
                "most": run.most,
                "mode": run.mode,
                "field_clears_in_50_million": run.field_clears * article.ARTICLE_PIECES / run.pieces,
                "article": {
                    "most": article.ARTICLE_MOST,
                    "mode": article.ARTICLE_MODE,
                    "field_clears_in_50_million": article.ARTICLE_CLEARS,
                    "log10_at": {str(puyos): -odds for puyos, odds in article.ARTICLE_ODDS.items()},
                },
            }
        elif name is What.CHAINS and run is not None:
            numbers["chains"] = run.chains
        elif name is What.HEIGHTS and run is not None:
            numbers["heights"] = run.heights
        elif name in (What.TRAINING, What.WEIGHTS):
            numbers["training"] = [each.model_dump() for each in found.training]
        elif name is What.RATINGS and found.arena is not None:
            numbers["ratings"] = [each.model_dump() for each in found.arena.players]
        elif name is What.CHANCES:
            numbers["chances"] = [each.model_dump() for each in found.chances]
    if found.tail is not None and {What.CURVE, What.TAIL} & set(chosen):
        numbers["tail"] = found.tail.model_dump()
    return numbers
