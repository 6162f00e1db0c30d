"""``ochibot battle``: AI against AI, both at the seats of one running game."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ochibot.cli.options import (
    ClairvoyantOption,
    ColorsOption,
    CoreOption,
    GameArgument,
    GameModuleOption,
    JsonOption,
    KeepGoingOption,
    KeysOption,
    LevelOption,
    Map1Option,
    Map2Option,
    MenuOption,
    PlayerOption,
    PliesOption,
    RomOption,
    RulesOption,
    ShotsOption,
    SystemOption,
    WindowOption,
    find_title,
    menu_choices,
)
from ochibot.cli.output import StatusLine, report_stream, share_text, stopping
from ochibot.cli.recording import DumpOption, RecordOption, check_recording
from ochibot.cli.running import CLAIRVOYANT, connect, finish
from ochibot.errors import ContradictionError, OchibotError, UsageError
from ochibot.falling.player import AnyPlayer, foresees, name_of
from ochibot.report import check_target

if TYPE_CHECKING:
    from ochibot.play.battle import Battle
    from ochibot.session import Session


def battle(
    game: GameArgument = None,
    p1: PlayerOption = None,
    p2: PlayerOption = None,
    plies1: PliesOption = None,
    plies2: PliesOption = None,
    clairvoyant: ClairvoyantOption = False,
    clairvoyant1: Annotated[bool, typer.Option("--clairvoyant1", help="The same for the first player alone.")] = False,
    clairvoyant2: Annotated[bool, typer.Option("--clairvoyant2", help="The same for the second player alone.")] = False,
    rules: RulesOption = None,
    speed: Annotated[int, typer.Option(help="Both players' speed, 0 to 10.")] = 10,
    speed1: Annotated[int | None, typer.Option(help="The first player's speed.")] = None,
    speed2: Annotated[int | None, typer.Option(help="The second player's speed.")] = None,
    games: Annotated[int, typer.Option(min=1, help="How many games; the sides are swapped in every other one.")] = 2,
    max_pieces: Annotated[int, typer.Option(min=1, help="A game is a draw after so many pieces of each side.")] = 500,
    level: LevelOption = None,
    colors: ColorsOption = None,
    option: MenuOption = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Makes the battle reproducible.")] = None,
    rom: RomOption = None,
    system: SystemOption = None,
    core: CoreOption = None,
    map1: Map1Option = None,
    map2: Map2Option = None,
    keep_going: KeepGoingOption = False,
    json: JsonOption = None,
    record: RecordOption = None,
    dump: DumpOption = None,
    window: WindowOption = False,
    keys: KeysOption = None,
    shots: ShotsOption = Path(),
    game_module: GameModuleOption = None,
) -> None:
    """Two AIs in the game's 2-player mode. Equal players can go on almost for ever: see --max-pieces."""
    from ochibot.cli.setup import introduction, opened
    from ochibot.falling.player import prepare
    from ochibot.games.choosing import random_seed
    from ochibot.play.battle import Contestant
    from ochibot.play.speed import speed_of

    check_target(json)
    if not window and keys is not None:
        raise UsageError("--keys are the window's: give --window too, or leave them out")
    out = report_stream(json)
    speeds = [speed if own is None else own for own in (speed1, speed2)]
    for step in speeds:
        speed_of(step)
    title = find_title(game, game_module)
    mode = title.versus_mode
    if seed is None:
        seed = random_seed(title)
    sees = [clairvoyant or own for own in (clairvoyant1, clairvoyant2)]
    maps = {1: map1, 2: map2}
    with opened(title, rom=rom, system=system, core=core, rules=rules, maps=maps, mode=mode) as session:
        session.seed = seed
        sides = [
            Contestant(*_opened(session, wanted, seed + number, plies, seeing), step)
            for number, (wanted, plies, step, seeing) in enumerate(
                zip((p1, p2), (plies1, plies2), speeds, sees, strict=True)
            )
        ]
        names = sides[0].name, sides[1].name
        session.choose(menu_choices(option, level=level, colors=colors), mode)
        session.options = {**title.defaults("battle", session.maps(mode)[0]), **session.options}
        if window:
            from ochibot.ui import need_window

            need_window()
        kept = check_recording(record, dump)
        for side in sides:
            prepare(side.player)
        with stopping(gently=True) as stop:
            print(introduction(session), file=out)
            shown = [f"{name}, clairvoyant" if one else name for name, one in zip(names, sees, strict=True)]
            against = f"{shown[0]} (speed {speeds[0]}) against {shown[1]} (speed {speeds[1]})"
            print(f"seed {seed}; {against}", file=out, flush=True)
            status = StatusLine()
            if kept is not None:
                # in the first game; the sides are swapped in every other one
                players = [(name, seat, step) for seat, (name, step) in enumerate(zip(names, speeds, strict=True), 1)]
                seeing = [seat for seat, one in enumerate(sees, 1) if one]
                kept.begin(session, "battle", players, mode=mode, clairvoyant=seeing)
            if window:
                sides = [replace(side, player=session.thinking(side.player)) for side in sides]
                session.show(keys=keys, seats=(1, 2), folder=shots, mode=mode)

            def show_status(running: Battle) -> None:
                if running.frames & 63 == 0 and status.due():
                    status.show(_status(running))

            running = session.contest(
                (sides[0], sides[1]), seed=seed, max_pieces=max_pieces, keep_going=keep_going, on_frame=show_status
            )
            titles = {
                id(side.player): (side.name, *(["clairvoyant"] if one else []), f"speed {side.speed}")
                for side, one in zip(sides, sees, strict=True)
            }
            connect(
                session,
                stop,
                running.stop,
                lambda: [(hands, titles[id(hands.player)]) for hands in running.seats or ()],
            )
            failure: OchibotError | None = None
            try:
                running.run(games)
            except OchibotError as error:
                running.result.stopped_by = "contradiction" if isinstance(error, ContradictionError) else "error"
                failure = error
            status.close()
            if failure is not None and not running.result.pieces and running.seats is None:
                raise failure  # nothing has been played
            about = {
                "game": title.name,
                "players": names,
                "clairvoyant": sees,
                "speeds": speeds,
                "rules": session.rules.name,
            }
            report, summary = {**about, **running.result.as_dict()}, _summary(running, (shown[0], shown[1]))
            if any(sees):
                summary += f"\n{CLAIRVOYANT}"
            finish(session, running.result.stopped_by, report, summary, json=json, out=out, failure=failure)


def _opened(
    session: Session, wanted: str | None, seed: int, plies: int | None, clairvoyant: bool
) -> tuple[str, AnyPlayer]:
    """A player and what it is called: as the user has called it, but a class by its own name."""
    mind = session.open_player(wanted, seed=seed, plies=plies, clairvoyant=clairvoyant)
    word = wanted or session.game.default_player
    return (name_of(mind) if ":" in word else word), mind


def _status(running: Battle) -> str:
    assert running.seats is not None
    result = running.result
    sides = "  |  ".join(
        f"{player.tally.pieces:,} pieces, score {player.seat.score():,}, "
        f"best {player.seat.best} {player.tally.best_chain}, pending {player.seat.pending()}"
        + (", clairvoyant" if foresees(player.player) else "")
        for player in running.seats
    )
    return f"game {result.games + 1}: {sides}  |  wins {result.wins[0]}-{result.wins[1]}, draws {result.draws}"


def _summary(running: Battle, names: tuple[str, str]) -> str:
    result = running.result
    cut = f", cut off {result.cut_off}" if result.cut_off else ""
    low, high = result.win_rate_interval
    best = running.seats[0].seat.best if running.seats else "chain"
    lines = [
        f"stopped by {result.stopped_by} after {result.games} games ({result.mean_frames:,.0f} frames each on average)",
        f"wins {result.wins[0]} ({names[0]}) to {result.wins[1]} ({names[1]}), draws {result.draws}; "
        f"the first wins {low:.1%} to {high:.1%} of decided games (95 %)",
        f"best {best} {result.best_chain[0]} and {result.best_chain[1]}, nuisance sent {result.nuisance_sent[0]} and "
        f"{result.nuisance_sent[1]}",
        f"locks {result.pieces:,}, compared {result.compared:,}, misplaced {result.misplaced}, "
        f"disagreements {result.disagreements}{cut}, agreement {share_text(result.agreement)}",
    ]
    return "\n".join(lines)
