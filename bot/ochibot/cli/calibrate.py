"""``ochibot calibrate``: learns where a game keeps its state, by experiments on the user's own ROM.

``ochibot explore``: finds the way from power-on to play in a game whose menus nobody has described.
"""

from __future__ import annotations

import contextlib
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from ochibot.cli import completing, options
from ochibot.cli.options import OUTPUT
from ochibot.cli.output import StatusLine, report_stream
from ochibot.errors import ConsoleError, UsageError
from ochibot.quoting import brief, quoted
from ochibot.report import check_target, write_json
from ochibot.wording import counted

if TYPE_CHECKING:
    from ochibot.console import Rom
    from ochibot.experiments.run import Outcome


def calibrate(
    game: options.GameArgument = None,
    output: Annotated[
        Path, options.folder_option("The folder for the files; the same command resumes from them.", *OUTPUT)
    ] = Path("runs/calibrate"),
    blind: Annotated[
        bool, typer.Option("--blind", help="Use no documented address of GAME's, as without GAME and --map.")
    ] = False,
    ram_map: Annotated[
        Path | None,
        options.file_option(
            "The map to start from: a file, or a shipped one such as mean_bean/player1.",
            "--map",
            default="the public entries of GAME's",
        ),
    ] = None,
    rom: options.RomOption = None,
    machine: options.MachineOption = None,
    system: options.SystemOption = None,
    core: options.CoreOption = None,
    rules: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|FILE",
            help="Rules whose values the new rules file gets where nothing was measured, such as puyo1 or tsu.",
            show_default="the published rules that fit best",
            autocompletion=completing.rules,
        ),
    ] = None,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="The name for the game.", show_default="the ROM's name")
    ] = None,
    from_state: Annotated[
        Path | None,
        options.file_option(
            "A savestate in which the first piece falls on an empty field.", default="the menus are searched"
        ),
    ] = None,
    versus: Annotated[bool, typer.Option("--versus", help="Also learn the second seat and the game for two.")] = False,
    pieces: Annotated[int, options.number_option("Pieces to play in the exam at the end.")] = 300,
    effort: Annotated[str, options.effort_option("the experiments")] = "normal",
    json: options.JsonOption = None,
) -> None:
    """Learn a game's RAM and pad by experiment, and write a game file, a map and rules that play it.

    Each experiment starts from a savestate, changes one thing and compares what follows. With GAME or --map it tests
    the documented addresses first and lists those that are wrong; a ROM alone is learnt blind. DIR/report.html shows
    the evidence for each line. It ends with an exam: pieces played with nothing but the new files. The exit code is 0
    if the exam is passed, and 1 if the files are drafts.
    """
    from ochibot.experiments.assumed import check_profile
    from ochibot.experiments.effort import frames_of
    from ochibot.experiments.run import calibrate as run
    from ochibot.experiments.start import starting_map
    from ochibot.games import find_game
    from ochibot.games.choosing import resolve_game
    from ochibot.ramtools.opening import is_rom_file, open_rom

    check_target(json)
    if rules is not None:
        check_profile(rules)
    frames = frames_of(effort)
    if rom is None and game is not None and is_rom_file(game):
        rom, game = Path(game), None
    path = rom
    if path is None:
        title = resolve_game(game) if game is not None else find_game("puyo")
        path = title.shipped_rom()
        if path is None:
            raise UsageError(f"no ROM comes with the game {title.name}: give yours with --rom")
    documented = None
    if blind and ram_map is not None:
        raise UsageError("--blind uses no map: leave out one of --blind and --map")
    # a ROM alone has no documented addresses
    blind |= game is None and ram_map is None
    image = open_rom(path, machine=machine, system=system)
    if image.note:
        print(image.note, file=report_stream(json))
    if not blind:
        documented = starting_map(None if game is None else resolve_game(game), ram_map, image)
    state = None
    if from_state is not None:
        state = state_of(image, system, core, from_state)
    line = StatusLine()
    called = name or re.sub(r"\W+", "-", path.stem).strip("-_").lower()[:40] or "game"
    try:
        outcome = run(
            path,
            output,
            game=called,
            core=core,
            system=system,
            machine=machine,
            state=state,
            pieces=pieces,
            documented=documented,
            profile=rules,
            versus=versus,
            effort=frames,
            progress=lambda text, share: line.show(text, share) if line.due() else None,
        )
    finally:
        line.close()
    write_json(outcome.as_dict(), json)
    out = report_stream(json)
    _tell(outcome, out)
    if outcome.files.game is not None:
        words = ["ochibot", "play", str(outcome.files.game), "--rom", str(path)]
        words += ["--core", core] if core is not None and _elsewhere(core, image) else []
        words += ["--system", str(system)] if system is not None else []
        print(shlex.join(words), file=out)
    else:
        what = "no field was found" if outcome.learnt is None else "the rules are unknown"
        print(f"{what}, so nothing plays it yet; the map: {outcome.files.map}", file=out)
    print(f"the report: {output / 'report.html'}", file=out)
    if not outcome.exam.passed:
        raise typer.Exit(1)


def _tell(outcome: Outcome, out: TextIO) -> None:
    """Prints what the calibration has led to."""
    exam = outcome.exam
    verdict = "the files can be used" if exam.passed else "they are drafts"
    what = "agreed" if exam.kind == "play" else "landed where they should (no rules known)"
    if exam.pieces:
        print(f"{exam.agreed} of {counted(exam.pieces, 'piece')} {what}: {verdict}", file=out)
    else:
        print("no piece was examined: the files are drafts", file=out)
    if exam.broke:
        print(f"it broke here first: {brief(exam.broke, 300)}", file=out)
    if outcome.of_two is not None:
        two = outcome.of_two
        broke = f": {brief(two.broke, 200)}" if two.broke else ""
        print(f"two seats: {two.agreed} of {counted(two.pieces, 'piece')} agreed{broke}", file=out)
    for thing, why in outcome.failed.items():
        if not thing.startswith("NEXT"):
            print(f"not learnt: {thing}: {why}", file=out)
    if outcome.used_up:
        print(outcome.used_up, file=out)
    for entry, here, there, verdict in outcome.compared:
        if verdict == "CONTRADICTED":
            print(f"contradicted: {entry} is documented at {there}, but here: {here}", file=out)


def _elsewhere(core: str, image: Rom) -> bool:
    """Whether a core is another file than its name, which the game file has, leads to."""
    from ochibot.console import find_core, named_core

    name = Path(core).stem.removesuffix("_libretro")
    try:
        return named_core(image.system, name).resolve() != find_core(image.system, core).resolve()
    except ConsoleError:
        return True


def state_of(image: Rom, system: Path | None, core: str | None, file: Path) -> bytes:
    """A savestate from a file, as the ROM's console saves it. Raises ConsoleError, also when it is of another ROM."""
    from ochibot.console.states import load_state_file
    from ochibot.experiments.run import open_rig

    lab = open_rig(image, core, system)
    try:
        load_state_file(lab.console, file)
        return lab.save()
    finally:
        lab.console.close()


def explore(
    rom: Annotated[
        Path | None,
        typer.Argument(metavar="ROM", help="Your ROM, of any system known here.", show_default="our own game"),
    ] = None,
    output: Annotated[
        Path, options.folder_option("The folder for the route, a savestate and pictures.", *OUTPUT)
    ] = Path("runs/explore"),
    mode: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="A mode's name, and the value of the mode byte in it; may be repeated.",
            show_default="none",
        ),
    ] = None,
    mode_byte: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="The documented address of the byte that holds the mode, such as 0x006F; all modes are searched.",
            show_default="any play",
        ),
    ] = None,
    from_state: Annotated[
        Path | None,
        options.file_option("A savestate to begin at, such as one behind a title screen.", default="power-on"),
    ] = None,
    effort: Annotated[str, options.effort_option("the search")] = "normal",
    machine: options.MachineOption = None,
    system: options.SystemOption = None,
    core: options.CoreOption = None,
    json: options.JsonOption = None,
) -> None:
    """Find the way to play: tap buttons from power-on, or from a savestate, until a piece falls that obeys the pad.

    DIR/route.yaml has the taps and the pad frame by frame, DIR/play.state is a savestate of play. With a documented
    mode byte it searches for each mode, and DIR/NAME has the way to it.
    """
    from ochibot.experiments.effort import frames_of
    from ochibot.experiments.run import explore_modes, explore_rom, open_rig
    from ochibot.games import find_game
    from ochibot.ramtools.opening import open_rom

    check_target(json)
    names = _modes(mode_byte, mode or [])
    frames = frames_of(effort)
    path = rom if rom is not None else find_game("puyo").shipped_rom()
    assert path is not None
    out = report_stream(json)
    image = open_rom(path, machine=machine, system=system)
    if image.note:
        print(image.note, file=out)
    state = None if from_state is None else state_of(image, system, core, from_state)
    with contextlib.ExitStack() as stack:
        lab = open_rig(image, core, system)
        stack.callback(lab.console.close)
        line = StatusLine()
        stack.callback(line.close)

        def told_of(text: str, share: float) -> None:
            if line.due():
                line.show(text, share)

        if mode_byte is not None:
            found, used_up = explore_modes(lab, output, int(mode_byte, 0), names, told_of, frames, state)
            line.close()
            write_json({"modes": {name: list(route.buttons) for name, route in found.items()}}, json)
            for name, route in found.items():
                print(f"{name}: {', '.join(route.buttons) or 'nothing to press'}; {output / name}/route.yaml", file=out)
            for name in names.values():
                if name not in found:
                    print(f"{name}: not reached", file=out)
            if used_up:
                print(used_up, file=out)
            return
        route = explore_rom(lab, output, told_of, frames, state)
        line.close()
        report = {
            "taps": list(route.buttons),
            "frames": route.frames,
            "screens": route.screens,
            "across": {lab.address(place): step for place, step in route.motion.across.items()},
            "falls": {lab.address(place): step for place, step in route.motion.fall.items()},
            "folder": str(output),
        }
        write_json(report, json)
        begin = "power-on" if state is None else "the savestate"
        print(
            f"play is {counted(route.frames, 'frame')} from {begin}: {', '.join(route.buttons) or 'nothing to press'} "
            f"({counted(route.screens, 'screen')} tried); {output}/route.yaml has the way",
            file=out,
        )


def _modes(address: str | None, given: list[str]) -> dict[int, str]:
    """Reads the --mode options: the mode's name by the byte's value. Raises UsageError, also for a wrong address."""
    if (address is None) != (not given):
        raise UsageError("--mode-byte and --mode go together: --mode-byte 0x006F --mode endless=0")
    found: dict[int, str] = {}
    try:
        if address is not None:
            int(address, 0)
    except ValueError:
        raise UsageError(f"--mode-byte is an address, as 0x006F, not {quoted(str(address))}") from None
    for one in given:
        name, _, value = one.partition("=")
        try:
            number = int(value, 0)
        except ValueError:
            number = -1
        if not re.fullmatch(r"[\w-]+", name) or not 0 <= number <= 255:
            raise UsageError(f"--mode is NAME=VALUE with a value from 0 to 255, as endless=0, not {quoted(one)}")
        if number in found or name in found.values():
            raise UsageError(f"--mode {quoted(one)}: this name or value has been given already")
        found[number] = name
    return found
