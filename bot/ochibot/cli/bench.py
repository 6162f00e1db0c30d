"""``ochibot bench …``: measures strength, and speeds beside other speeds measured in the same run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ochibot.cli import options
from ochibot.cli.bench_review import live, review, tell
from ochibot.cli.commands import example
from ochibot.cli.options import OUTPUT, find_title
from ochibot.cli.output import report_stream, stopping
from ochibot.quoting import quoted
from ochibot.report import check_target, write_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ochibot.games import Game

app = typer.Typer(no_args_is_help=True)


@app.callback(epilog=example("bench search --rounds 3"))
def _bench() -> None:
    """Measure speed and strength, each beside something to compare it with."""


@app.command("console", epilog=example("bench console --frames 1000 --rounds 3"))
def console(
    game: options.GameArgument = None,
    frames: options.FramesOption = 2000,
    rounds: options.RoundsOption = 7,
    core: options.CoreOption = None,
    rom: options.RomOption = None,
    system: options.SystemOption = None,
    rules: options.RulesOption = None,
    av: options.AvOption = None,
    stretch: Annotated[
        int, typer.Option(min=50, max=1000, help="Frames that each loop runs before the next one takes its turn.")
    ] = 500,
    consoles: Annotated[
        int | None,
        options.number_option(
            "Measure N consoles side by side instead, in processes and in threads.",
            most=64,
            default="one console's loops",
        ),
    ] = None,
    game_module: options.GameModuleOption = None,
    json: options.JsonOption = None,
) -> None:
    """Frames per second of a bare retro_run loop, of our Console, and of play's whole loop without its search.

    The loops take turns. Picture and sound are made as in a headless play.
    """
    from contextlib import contextmanager

    from ochibot.bench import consoles as side_by_side
    from ochibot.bench.console import measure
    from ochibot.cli.running import leave_out_av
    from ochibot.console import Console
    from ochibot.games.choosing import core_opener, find_rules
    from ochibot.session import Session

    check_target(json)
    title = find_title(game, game_module)
    profile = find_rules(title, rules)
    image = title.open_rom(rom, system)

    @contextmanager
    def opened() -> Iterator[Console]:
        with core_opener(title, core)(image) as machine:
            leave_out_av(Session(title, image, profile, machine), av)
            yield machine

    with stopping() as stop:
        if consoles is not None:
            many = side_by_side.measure(opened, title, profile, consoles, frames, rounds, stop.asked, stretch)
            tell(many, json)
            return
        with opened() as machine:
            report = measure(machine, title, profile, frames, rounds, stop.asked, stretch)
    tell(report, json)


@app.command("pilot", epilog=example("bench pilot --speeds 3,10 --pieces 30"))
def pilot(
    pieces: Annotated[int, options.number_option("Pieces to play at each speed.", least=5)] = 100,
    speeds: Annotated[
        str, typer.Option(metavar="N,N", help="Speeds to measure, from 0 to 10, separated by commas.")
    ] = "0,5,10",
    level: Annotated[int, options.number_option("The level chosen on the menu.", most=4)] = 4,
    colors: Annotated[int, options.colors_option(True)] = 4,
    seed: Annotated[int, options.number_option("Makes the run reproducible.", least=0)] = 1,
    rules: options.RulesOption = None,
    core: options.CoreOption = None,
    json: options.JsonOption = None,
) -> None:
    """Puyo Puyo: frames per piece under control at several speeds, beside those of the shortest button path."""
    from ochibot.bench.pilot import measure, table
    from ochibot.errors import UsageError
    from ochibot.session import open_session

    check_target(json)
    try:
        steps = [int(step) for step in speeds.split(",")]
    except ValueError:
        raise UsageError(
            f"--speeds takes whole numbers with commas between, such as 0,5,10; not {quoted(speeds)}"
        ) from None
    options = {"level": level, "colors": colors}
    with stopping() as stop:
        rows = [
            measure(
                lambda: open_session(core=core, rules=rules, seed=seed, options=options),
                step,
                pieces=pieces,
                stopped=stop.asked,
            )
            for step in steps
        ]
    write_json({"seed": seed, "level": level, "colors": colors, "rows": [row.as_dict() for row in rows]}, json)
    print(table(rows), file=report_stream(json))


@app.command("search", epilog=example("bench search --rounds 3"))
def search(
    colors: Annotated[int, options.number_option("Colours of the pairs in the games that are searched.", most=6)] = 4,
    pieces: Annotated[int, options.number_option("Pieces of each game in a round.", least=100)] = 5000,
    rounds: options.RoundsOption = 7,
    threads: Annotated[int, options.number_option("Also measure N threads at the same time.", most=1024)] = 1,
    dealer: options.DealerOption = options.DealerName.UNIFORM,
    rules: options.PuyoRulesOption = "famicom",
    player: options.PuyoPlayerOption = "article",
    json: options.JsonOption = None,
) -> None:
    """Puyo Puyo: leaves, decisions and resolved boards per second, beside the same work in C (if a compiler exists)."""
    from ochibot.bench.search import measure
    from ochibot.players import find_file
    from ochibot.puyo.rules.file import load_rules
    from ochibot.puyo.search.player import load_player

    check_target(json)
    file = find_file(player, find_title(None, None))
    report = measure(load_player(file.path), load_rules(rules), colors, pieces, rounds, threads, dealer.value)
    tell(report, json)


@app.command("record", epilog=example("bench record --frames 600 --rounds 1"))
def record(
    frames: options.FramesOption = 3000,
    rounds: options.RoundsOption = 5,
    every: Annotated[int, typer.Option(min=1, metavar="K", help="Dump every Kth frame.")] = 60,
    rules: options.RulesOption = None,
    core: options.CoreOption = None,
    json: options.JsonOption = None,
) -> None:
    """Puyo Puyo: frames per second of play, of play recorded and dumped, and of verifying a record."""
    from ochibot.bench.record import measure
    from ochibot.falling.player import prepare
    from ochibot.games.choosing import core_opener, find_rules
    from ochibot.players import open_player

    check_target(json)
    game = find_title(None, None)
    profile = find_rules(game, rules)
    player = open_player(None, game, profile)
    prepare(player)
    image = game.open_rom(None)
    with stopping() as stop:
        report = measure(
            lambda: core_opener(game, core)(image),
            game,
            profile,
            player,
            frames=frames,
            rounds=rounds,
            every=every,
            stopped=stop.asked,
        )
    tell(report, json)


@app.command("env", epilog=example("bench env --games 64 --rounds 1"))
def env(
    games: Annotated[int, options.number_option("Games in a batch.", most=1_000_000)] = 1024,
    rounds: options.RoundsOption = 7,
    colors: Annotated[int, options.colors_option(True)] = 4,
    dealer: options.DealerOption = options.DealerName.UNIFORM,
    rules: options.PuyoRulesOption = "tsu",
    json: options.JsonOption = None,
) -> None:
    """Environments: placements per second of batches, of Gymnasium's vector, of a peer's environment, of self-play."""
    check_target(json)
    from ochibot.bench.env import measure

    report = measure(rules, colors, dealer.value, games, rounds)
    tell(report, json)


@app.command("nyaa", epilog=example("bench nyaa --rounds 1"))
def nyaa(
    rounds: options.RoundsOption = 5,
    json: options.JsonOption = None,
) -> None:
    """Ignitions of Pochi & Nyaa per second on random boards, beside the same in plain Python."""
    from ochibot.bench.nyaa import measure

    check_target(json)
    report = measure(rounds)
    tell(report, json)


@app.command("strength", epilog=example("bench strength --games 2 --nodes 300"))
def strength(
    games: Annotated[int, options.number_option("Games to play.", most=65536)] = 100,
    player: Annotated[
        str,
        typer.Option(
            metavar="NAME|FILE|CLASS|ENGINE",
            help="The player: a shipped one, a YAML file, a class as file.py:Class, or engine:COMMAND.",
        ),
    ] = "chain",
    budget_ms: Annotated[
        int | None,
        typer.Option(min=1, max=600_000, metavar="MS", help="Processor time for each decision.", show_default="300"),
    ] = None,
    nodes: Annotated[
        int | None,
        options.nodes_option("Boards examined for each decision, instead of a time limit.", "by the time"),
    ] = None,
    first_seed: Annotated[int, options.number_option("The first game's seed.", least=0, most=65535)] = 0,
    following: Annotated[
        int, options.number_option("Visible pairs besides the falling one; the Famicom has 1.", "--next", most=2)
    ] = 2,
    colors: Annotated[int, options.number_option("Colours of the pairs.", least=3, most=5)] = 4,
    beside: Annotated[
        Path | None,
        options.file_option(
            "Another engine's games with the same pairs, a line of JSON each, such as games.jsonl of -o.",
            default="none",
        ),
    ] = None,
    rules: options.PuyoRulesOption = "tsu",
    output: Annotated[
        Path | None,
        options.folder_option(
            "Save each game in this folder, so that an interrupted run can be resumed.", *OUTPUT, default="nowhere"
        ),
    ] = None,
    json: options.JsonOption = None,
) -> None:
    """Puyo Puyo: the best chain of each game of 50 pairs, by the protocol of docs/strength.md."""
    import time

    from ochibot.bench.beside import fitting, read_games
    from ochibot.bench.strength import measure
    from ochibot.engines.player import EnginePlayer
    from ochibot.errors import UsageError
    from ochibot.falling.player import prepare
    from ochibot.players import open_player
    from ochibot.puyo.rules.file import load_rules

    check_target(json)
    if nodes is not None and budget_ms is not None:
        raise UsageError("give --nodes or --budget-ms, not both")
    if first_seed + games > 65536:
        raise UsageError("the modern dealer has the seeds 0 to 65535: give fewer games or a lower first seed")
    if beside is not None and colors != 4:
        raise UsageError("games of other engines are of the protocol's four colours: leave --colors or --beside out")
    seeds = range(first_seed, first_seed + games)
    others = [] if beside is None else fitting(read_games(beside), beside, seeds, 1 + following)
    game, profile = find_title(None, None), load_rules(rules)
    budget = _budget(player, game, nodes, budget_ms)
    made = open_player(player, game, profile, seed=0, options=budget)
    budget = {**_named(player, game), **budget}
    if isinstance(made, EnginePlayer):
        budget = made.budget
    if hasattr(made, "clock"):
        made.clock = time.thread_time  # processor time, so that a busy machine doesn't weaken the player
    prepare(made)
    out = report_stream(json)
    with stopping() as stop:
        report = measure(
            made,
            profile,
            seeds,
            budget,
            shown=following,
            colors=colors,
            others=others,
            folder=output,
            stopped=stop.asked,
            on_game=lambda one: print(
                f"seed {one.seed}: {one.chain}-chain, {one.score:,} points, pair {one.at}{', dead' * one.dead}",
                file=out,
                flush=True,
            ),
        )
    tell(report, json)


def _budget(player: str | None, game: Game, nodes: int | None, budget_ms: int | None) -> dict[str, int]:
    """The budget of a decision as keyword arguments for ``open_player``: the option given, otherwise 300 ms.

    Without an option, it is empty if no player is named, for classes, for kinds of players without ``budget_ms``, and
    if the budget stands after the player's name. Raises UsageError for two budgets.
    """
    from ochibot.errors import UsageError
    from ochibot.players import find_file

    named = _named(player, game)
    if nodes is not None or budget_ms is not None:
        if {"nodes", "budget_ms"} & set(named):
            raise UsageError(f"{player} has a budget already: leave --nodes and --budget-ms out")
        return {"nodes": nodes} if nodes is not None else {"budget_ms": budget_ms or 0}
    if player is None or ":" in player or {"nodes", "budget_ms"} & set(named):
        return {}
    return {"budget_ms": 300} if "budget_ms" in find_file(player, game, options=True).kind.options else {}


def _named(player: str | None, game: Game) -> Mapping[str, int]:
    """The options that stand in brackets after a player's name."""
    from ochibot.players import find_file

    return {} if player is None or ":" in player else find_file(player, game, options=True).options


app.command("live", epilog=example("bench live --frames 3000 --rounds 5"))(live)
app.command("review", epilog=example("bench review --games 1 --players random -o runs/words"))(review)


@app.command("start", epilog=example("bench start --runs 3"))
def start(
    runs: Annotated[int, options.number_option("How often each command is started; the report has medians.")] = 10,
    json: options.JsonOption = None,
) -> None:
    """Measure how long the help and a start of play take, beside a small typer app and ``import numba``.

    Run ochibot warm first, so that no kernel is compiled meanwhile.
    """
    from ochibot.bench.start import measure
    from ochibot.games import find_game, game_names

    check_target(json)
    with stopping() as stop:
        titles = tuple(name for name in game_names() if find_game(name).shipped_rom() is not None)
        report = measure(titles, runs, stop.asked)
    tell(report, json)
