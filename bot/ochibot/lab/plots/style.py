"""The look of the lab's pictures: light, and in colours that colour-blind people can tell apart (Okabe and Ito)."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from ochibot.errors import OutputError, UsageError
from ochibot.leftovers import whole_file
from ochibot.quoting import brief

INK: Final = "#222222"
GREY: Final = "#777777"
BLUE, ORANGE, GREEN, RED, PURPLE, SKY, YELLOW = (
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#D55E00",
    "#CC79A7",
    "#56B4E9",
    "#B8A600",
)
SERIES: Final = (BLUE, RED, GREEN, ORANGE, PURPLE, SKY, YELLOW)
"""The colours of lines, in order. Further lines repeat the colours with another dash pattern."""
DASHES: Final = ("-", "--", ":")
ENDINGS: Final = (".svg", ".png")
_SETTINGS: Final[dict[str, Any]] = {
    "font.family": "DejaVu Sans",
    "font.size": 10.5,
    "axes.edgecolor": GREY,
    "axes.labelcolor": INK,
    "axes.titlesize": 12,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlecolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.formatter.use_mathtext": True,
    "grid.color": "#E4E4E4",
    "xtick.color": INK,
    "ytick.color": INK,
    "text.color": INK,
    "legend.frameon": False,
    "legend.fontsize": 9.5,
    "figure.facecolor": "white",
    "axes.facecolor": "white",
    # with a fixed salt, the ids in an SVG aren't random, so equal pictures become equal files
    "svg.hashsalt": "ochibot",
    "svg.fonttype": "path",
}

Panel = Callable[[Any], None]
"""A function that draws one chart into matplotlib's Axes."""


def plain(text: str) -> str:
    """A text from a file, as matplotlib shows it unchanged: without control characters, and not read as a formula."""
    return brief(text).replace("$", r"\$")


def check_ending(path: Path) -> None:
    """Raises OutputError when the file's ending isn't that of a known format."""
    if path.suffix.lower() not in ENDINGS:
        raise OutputError(f"can't draw {path}: give a name that ends in {' or '.join(ENDINGS)}")


def draw(panels: Sequence[Panel], path: Path) -> None:
    """Draws the panels, two in a row, into one picture. Raises OutputError; UsageError without matplotlib."""
    check_ending(path)
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError:
        raise UsageError("pictures need matplotlib: pip install 'ochibot[lab]'") from None
    columns = min(len(panels), 2)
    rows = math.ceil(len(panels) / columns)
    with matplotlib.rc_context(_SETTINGS):
        figure = Figure(figsize=(7.0 * columns, 4.8 * rows), dpi=110)
        figure.set_layout_engine("constrained", w_pad=0.15, h_pad=0.15)
        # each panel is laid out separately, so that long labels in one don't make the others narrow
        parts = figure.subfigures(rows, columns, squeeze=False).flat
        for part, panel in zip(parts, panels, strict=False):
            panel(part.subplots())
        kind = path.suffix.lower().removeprefix(".")
        try:
            with whole_file(path) as partial, warnings.catch_warnings():
                # a sign that the font lacks becomes a box
                warnings.filterwarnings("ignore", "Glyph")
                figure.savefig(partial, format=kind, metadata={"Date": None} if kind == "svg" else None)
        except OSError as error:
            raise OutputError(f"can't write the picture {path}: {error.strerror or error}") from error
