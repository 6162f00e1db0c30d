"""``ochibot nyaa …``: values ignitions of Pochi & Nyaa, finds the best one, and makes boards to practise on."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from ochibot.cli.commands import example
from ochibot.cli.options import JsonOption, SeedOption, number_option
from ochibot.cli.output import report_stream
from ochibot.data import read_typed
from ochibot.errors import FieldError, OutputError, UsageError
from ochibot.quoting import brief_path, quoted
from ochibot.report import check_target, write_json, write_lines
from ochibot.wording import counted

if TYPE_CHECKING:
    from rich.console import Console

    from ochibot.nyaa.calculator.ignition import Ignition
    from ochibot.nyaa.rules.grid import Grid
    from ochibot.nyaa.rules.profile import Ruleset

app = typer.Typer(no_args_is_help=True)

_BULK: Final = 5_000
"""From this many boards on, loading (or even compiling) the kernel saves time."""
_MOST_DRAWN: Final = 100
"""With --json, the boards are also drawn if there are at most this many; otherwise none is."""


class LineFormat(StrEnum):
    """The choices of --format."""

    DRAWN = "drawn"
    CSV = "csv"
    JSON = "json"


class WhichRuleset(StrEnum):
    """The choices of --ruleset."""

    MVS = "mvs"
    PS2 = "ps2"
    BOTH = "both"


FileArgument = Annotated[
    str,
    typer.Argument(metavar="FILE", help="Boards (- for stdin): . r g b y, o nuisance, R G B Y needles; top row first."),
]
RulesetOption = Annotated[WhichRuleset, typer.Option(help="The version of the game: mvs, ps2 or both.")]
AnywhereOption = Annotated[
    bool, typer.Option("--anywhere", help="Consider every empty cell, not only those that a needle can reach.")
]


@app.callback(epilog=example("nyaa practice --seed 5 --answer"))
def _nyaa() -> None:
    """The calculator of Pochi & Nyaa: ignition values, MVS and PS2."""


@app.command("value", epilog=example("nyaa value needle.txt --steps"))
def value(
    file: FileArgument = "-",
    ruleset: RulesetOption = WhichRuleset.BOTH,
    steps: Annotated[bool, typer.Option("--steps", help="Draw the waves step by step.")] = False,
    form: Annotated[
        LineFormat,
        typer.Option("--format", help="csv and json write a line for each board to stdout and draw nothing."),
    ] = LineFormat.DRAWN,
    json: JsonOption = None,
) -> None:
    """Value the needles on a board: every tail, the attack, and where the known rules leave the result open.

    Separate several boards by empty lines. The JSON report has one object per line, one for each board; with --json -
    nothing is drawn, unless --steps asks for it.
    """
    from ochibot.nyaa.calculator.ignition import ignite, summary
    from ochibot.nyaa.rules.grid import parse_boards

    check_target(json)
    if form is not LineFormat.DRAWN:
        if steps or json is not None:
            raise UsageError(f"--format {form} writes to stdout and draws nothing: leave out --steps and --json")
        _write_bulk(file, form, _chosen(ruleset))
        return
    out = _console(json)
    text = read_text(file)
    if json is not None and not steps and len(text) > _BULK * 20:
        from ochibot.nyaa import bulk

        codes = bulk.read_codes(text)
        if len(codes) >= _BULK:
            write_lines(bulk.json_lines(codes, _chosen(ruleset)), json)
            if json != "-":
                out.print(f"the boards are not drawn: beside --json up to {_MOST_DRAWN} are")
            return
    grids = parse_boards(text)
    chosen = _chosen(ruleset)
    found = ([(one, ignite(grid, one)) for one in chosen] for grid in grids)
    if json is not None:
        wanted = steps or json != "-"
        kept: list[list[tuple[Ruleset, Ignition]]] = []

        def summaries() -> Iterator[str]:
            for each in found:
                if wanted and len(grids) <= _MOST_DRAWN:
                    kept.append(each)
                yield dumps({str(one): summary(ignition) for one, ignition in each}) + "\n"

        # the report is written before the drawing, because a pipe (head, less) may close before the drawing's end
        write_lines(summaries(), json)
        if wanted and not kept:
            out.print(f"the {counted(len(grids), 'board')} are not drawn: beside --json up to {_MOST_DRAWN} are")
        _print_values(out, grids, kept, steps)
    else:
        _print_values(out, grids, found, steps)


@app.command("best", epilog=example("nyaa best board.txt --pair RB --top 3"))
def best(
    file: FileArgument = "-",
    pair: Annotated[
        str | None,
        typer.Option(
            metavar="PAIR",
            help="The falling pair, such as RB: needles of its colours only.",
            show_default="any",
        ),
    ] = None,
    ruleset: RulesetOption = WhichRuleset.MVS,
    anywhere: AnywhereOption = False,
    top: Annotated[int, number_option("List the best N blocks to add.")] = 5,
    json: JsonOption = None,
) -> None:
    """Find a board's best ignition now, map the value of every ignition, and list the best blocks to add."""
    from ochibot.cli import nyaa_text as drawn
    from ochibot.nyaa.calculator.heat import best_additions, best_ignition, best_of_pairs, best_pair, heat_map
    from ochibot.nyaa.rules.grid import COLORS, parse_boards

    check_target(json)
    colors = _pair(pair) if pair is not None else None
    grids = parse_boards(read_text(file))
    if len(grids) > 1:
        raise UsageError(f"there are {counted(len(grids), 'board')}: give best one board")
    (grid,) = grids
    wanted = sorted(set(colors)) if colors else list(COLORS)
    report: dict[str, Any] = {"board": str(grid).split("\n"), "pair": pair, "anywhere": anywhere}
    out = _console(json)
    for one in _chosen(ruleset):
        single = best_ignition(grid, one, wanted, anywhere=anywhere)
        if colors:
            single_pair = best_pair(grid, colors, one, anywhere=anywhere)
            found_pair = (colors, single_pair) if single_pair is not None else None
        else:
            found_pair = best_of_pairs(grid, one, anywhere=anywhere)
        both = found_pair[1] if found_pair else None
        found = heat_map(grid, one, anywhere=anywhere)
        additions = best_additions(grid, one, anywhere=anywhere, count=top)
        out.print(drawn.side_by_side([drawn.heat(grid, found, wanted, f"{one.upper()} attack")], out.width), end="")
        out.print("B16: the best needle there, and its attack; !: something dropped comes to rest there", style="dim")
        if not found.complete[[color - 1 for color in wanted]].all():
            out.print("+: perhaps more, there are too many open ties to try them all", style="dim")
        out.print(f"best needle now: {drawn.needle(single)}")
        spots = " and ".join(drawn.spot(*half, needle=True) for half in both.halves) if both else "nothing attacks"
        asked = "both halves as needles" if colors else "best pair of all colours, as needles"
        out.print(f"{asked}: {spots}{f': {drawn.attack(both)}' if both else ''}")
        out.print("blocks to add:" if additions else "blocks to add: no single block gains anything")
        for block in additions:
            gain = f"+{block.gain}, then {drawn.needle(block.best)}"
            out.print(f"  {drawn.spot(block.x, block.y, block.color)}  {gain}")
        out.print()
        report[str(one)] = {
            "best": drawn.needle_dict(single) if single else None,
            "pair": drawn.pair_dict(*found_pair) if found_pair else None,
            "additions": [
                drawn.half(block.x, block.y, block.color) | {"gain": block.gain, "best": drawn.needle_dict(block.best)}
                for block in additions
            ],
            "heat": {
                drawn.letter(color, needle=True): {
                    "low": found.low[color - 1].tolist(),
                    "high": found.high[color - 1].tolist(),
                    "complete": found.complete[color - 1].tolist(),
                }
                for color in COLORS
            },
        }
    write_json(report, json)


@app.command("practice", epilog=example("nyaa practice --seed 5 --answer"))
def practice(
    seed: SeedOption = None,
    colors: Annotated[int, number_option("Colours on the board.", most=4)] = 4,
    ruleset: RulesetOption = WhichRuleset.MVS,
    answer: Annotated[bool, typer.Option("--answer", help="Show the value at once instead of asking.")] = False,
    json: JsonOption = None,
) -> None:
    """Show a random board with a needle: guess its value, then see it.

    Without a terminal, the guess is read from the input, one line for each question.
    """
    from ochibot.cli import nyaa_text as drawn
    from ochibot.nyaa.calculator.ignition import both, ignite
    from ochibot.nyaa.calculator.practice import practice_board

    check_target(json)
    out = _console(json)
    seed = random.SystemRandom().randrange(1_000_000) if seed is None else seed
    grid = practice_board(seed, colors)
    chosen = _chosen(ruleset)
    found = [(one, ignite(grid, one)) for one in chosen]
    write_json({"seed": seed, "colors": colors, "board": str(grid).split("\n"), **both(grid)}, json)
    out.print(f"board of seed {seed}")
    if not answer and json is None:
        out.print(drawn.side_by_side([drawn.board(grid)], out.width), end="")
        for one, ignition in found:
            out.print(_verdict(out, one, ignition.low))
    _print_value(out, grid, found, steps=False)


def _write_bulk(file: str, form: LineFormat, chosen: Sequence[Ruleset]) -> None:
    from ochibot.nyaa import bulk

    if sys.stdout is None:
        raise OutputError("there is no stdout to write to: open one, or give --json FILE")
    codes = bulk.read_codes(read_text(file))
    make = bulk.csv_lines if form is LineFormat.CSV else bulk.json_lines
    write_lines(make(codes, chosen), "-")


def _verdict(out: Console, ruleset: Ruleset, attack: int) -> str:
    """Asks the user for an attack and returns the reply to that answer."""
    out.print(f"What is its attack ({ruleset.upper()})? ", end="")
    line = sys.stdin.readline(100) if sys.stdin is not None else ""
    at_terminal = sys.stdin is not None and sys.stdin.isatty()
    if not at_terminal:
        out.print()
        if not line:
            raise UsageError("the input ended before a guess: give one line for each question, or --answer")
    guess = line.strip()
    if not guess.isdecimal():
        return f"It is {attack}."
    return f"Right, it is {attack}." if int(guess) == attack else f"Not {int(guess)}: it is {attack}."


def _chosen(which: WhichRuleset) -> list[Ruleset]:
    from ochibot.nyaa.rules.profile import Ruleset

    return list(Ruleset) if which is WhichRuleset.BOTH else [Ruleset(which.value)]


def _console(json: str | None) -> Console:
    """The console for text: stdout, or stderr when stdout carries JSON. Raises OutputError when it can't be written."""
    from rich.console import Console

    if sys.stdout is None and json in (None, "-"):
        raise OutputError("there is no stdout to write to: open one, or give --json FILE")
    stream = report_stream(json)
    quiet = stream is None
    return Console(file=stream, quiet=quiet, highlight=False, markup=False, emoji=False, soft_wrap=True)


def _print_values(
    out: Console, grids: Sequence[Grid], found: Iterable[Sequence[tuple[Ruleset, Ignition]]], steps: bool
) -> None:
    for number, (grid, each) in enumerate(zip(grids, found, strict=False), 1):
        if len(grids) > 1:
            out.print(f"board {number} of {len(grids)}", style="bold")
        _print_value(out, grid, each, steps)


def _print_value(out: Console, grid: Grid, found: Sequence[tuple[Ruleset, Ignition]], steps: bool) -> None:
    from ochibot.cli import nyaa_text as drawn

    panels = [drawn.board(grid)]
    for ruleset, ignition in found:
        title = f"{ruleset.upper()} {drawn.attack_range(ignition.low, ignition.high)}"
        panels.append(drawn.outcome(grid, ignition, ignition.outcomes[0], title))
    out.print(drawn.side_by_side(panels, out.width), end="")
    for ruleset, ignition in found:
        out.print(drawn.numbers(ruleset, ignition))
    out.print()
    if steps:
        for ruleset, ignition in found:
            shown = drawn.waves(grid, ignition.outcomes[0], ruleset.upper())
            if shown:
                out.print(drawn.side_by_side(shown, out.width), end="")


def _pair(text: str) -> tuple[int, int]:
    letters = "rgby"
    if len(text) != 2 or any(letter not in letters for letter in text.lower()):
        raise UsageError(f"--pair takes two of the letters RGBY, such as RB, not {quoted(text)}")
    first, second = (letters.index(letter) + 1 for letter in text.lower())
    return first, second


MOST_BYTES: Final = 64 << 20
"""The largest file of boards that is read, in bytes."""


def read_text(file: str) -> str:
    """The text of a file, or of stdin (-). Raises FieldError."""
    name = "standard input" if file == "-" else file
    try:
        if file != "-":
            data = read_typed(Path(file), MOST_BYTES + 1)
        elif sys.stdin is None:
            data = b""
        else:
            if sys.stdin.isatty():
                print("draw the board, top row first, and end it with Ctrl-D:", file=sys.stderr)
            data = sys.stdin.buffer.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FieldError(
            f"can't read the board {brief_path(name)}: {reason}; give a text file with it, or - for stdin"
        ) from None
    if len(data) > MOST_BYTES:
        raise FieldError(f"{name} is larger than {MOST_BYTES >> 20} MiB: give fewer boards at a time")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FieldError(f"{name} is not a text file: give boards drawn in letters") from None
