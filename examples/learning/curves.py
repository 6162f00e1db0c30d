"""Draws the curves of several runs of agent.py: python examples/learning/curves.py FILE… -o PICTURE.png."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from ochibot.lab.plots.style import draw


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    runs = [json.loads(file.read_text(encoding="utf-8")) for file in options.files]

    def panel(axes: Any) -> None:
        for run in runs:
            won = [100 * point["won"] for point in run["curve"]]
            axes.plot([point["round"] for point in run["curve"]], won, marker="o", label=f"seed {run['seed']}")
        axes.set(
            title="Matches won against greedy play", xlabel="round", ylabel="% of 256 held-out deals", ylim=(0, 100)
        )
        axes.legend(loc="lower right")

    draw([panel], options.output)


if __name__ == "__main__":
    main()
