"""``ochibot versus``: you against the AI, in a window."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ochibot.cli.options import (
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
    SeedOption,
    ShotsOption,
    SpeedOption,
    SystemOption,
    find_game_and_rom,
    menu_choices,
)
from ochibot.cli.output import misplaced_text, report_stream, share_text, stopping
from ochibot.cli.recording import DumpOption, RecordOption, check_recording
from ochibot.cli.running import connect, ending, finish
from ochibot.errors import OchibotError
from ochibot.report import check_target
from ochibot.wording import counted

if TYPE_CHECKING:
    from ochibot.play.versus import Round, Versus


def versus(
    game: GameArgument = None,
    player: PlayerOption = None,
    speed: SpeedOption = 3,
    plies: PliesOption = None,
    rules: RulesOption = None,
    level: LevelOption = None,
    colors: ColorsOption = None,
    option: MenuOption = None,
    rounds: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Leave after this many rounds.", show_default="never")
    ] = None,
    seed: SeedOption = None,
    keys: KeysOption = None,
    shots: ShotsOption = Path(),
    rom: RomOption = None,
    system: SystemOption = None,
    core: CoreOption = None,
    map1: Map1Option = None,
    map2: Map2Option = None,
    keep_going: KeepGoingOption = False,
    json: JsonOption = None,
    record: RecordOption = None,
    dump: DumpOption = None,
    game_module: GameModuleOption = None,
) -> None:
    """You (keyboard or gamepad, seat 1) against the AI (seat 2). F1 shows the keys; START begins the next round."""
    from ochibot.cli.setup import introduction, opened
    from ochibot.falling.player import name_of, prepare
    from ochibot.games.choosing import random_seed
    from ochibot.play.seat import SeatPlayer
    from ochibot.play.speed import speed_of
    from ochibot.play.versus import Versus
    from ochibot.ui import need_window
    from ochibot.ui.watch import PersonWatch

    check_target(json)
    out = report_stream(json)
    pace = speed_of(speed)
    title, rom = find_game_and_rom(game, game_module, rom, system)
    mode = title.versus_mode
    if seed is None:
        seed = random_seed(title)
    maps = {1: map1, 2: map2}
    with opened(title, rom=rom, system=system, core=core, rules=rules, maps=maps, mode=mode) as session:
        session.seed = seed
        mind = session.open_player(player, seed=seed, plies=plies)
        name = name_of(mind)
        session.choose(menu_choices(option, level=level, colors=colors), mode)
        session.options = {**title.defaults("versus", session.maps(mode)[0]), **session.options}
        kept = check_recording(record, dump)
        need_window()
        prepare(mind)
        with stopping(gently=True) as stop:
            if kept is not None:
                kept.begin(session, "versus", [("a person", 1, None), (name, 2, speed)], mode=mode)
            person, seat = session.seats(mode)
            brain = session.thinking(mind)
            screen = session.show(keys=keys, seats=(1, 2), person_seat=1, folder=shots, mode=mode)
            print(introduction(session), file=out)
            print(f"seed {seed}; you against {name} (speed {speed})", file=out, flush=True)

            def announce(played: Round) -> None:
                you, ai = running.result.wins
                who = "You win" if played.winner == 1 else "The AI wins"
                screen.window.say(f"{who} · {you} : {ai} · START for the next round", screen.now(), seconds=8)

            hands = SeatPlayer(seat, brain, pace, keep_going=keep_going, watcher=session.recorder)
            running = Versus(screen, person, hands, on_round=announce)
            connect(session, stop, running.stop, lambda: [(hands, (name, f"speed {speed}"))])
            failure: OchibotError | None = None
            session.wait()
            session.reach(person, mode, stop.asked)
            seat.resync()
            # the person's panel is shown only from here on, because RAM may hold anything before the game begins
            you = PersonWatch(person, lambda: running.result.wins[0], ("you", "seat 1"))
            screen.beside(lambda: [] if person.in_menus() else [you.side()])
            screen.hurries = False
            try:
                running.run(rounds)
            except OchibotError as error:
                failure = error
            about = {"game": title.name, "player": name, "seed": seed, "window": screen.report().as_dict()}
            report, summary = {**about, **running.result.as_dict()}, _summary(running)
            finish(session, running.result.stopped_by, report, summary, json=json, out=out, failure=failure)


def _summary(running: Versus) -> str:
    result = running.result
    elsewhere = misplaced_text(result.misplaced, result.given_up)
    other = f", other contradictions {result.contradictions}" if result.contradictions else ""
    cut = f", cut off {result.cut_off}" if result.cut_off else ""
    return (
        f"you {result.wins[0]}, the AI {result.wins[1]} of {counted(result.rounds, 'round')} ("
        f"{ending(result.stopped_by)})\n"
        f"the AI's locks {result.pieces:,}, compared {result.compared:,}, misplaced {elsewhere}, "
        f"disagreements {result.disagreements}{other}{cut}, agreement {share_text(result.agreement)}, "
        f"best {running.ai.seat.best} {result.best_chain}"
    )
