"""``ochibot ram diff`` lists the bytes of RAM that differ between savestates; ``ram search`` finds where a value is.

``ochibot ram poke``: writes into RAM and shows what follows.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from ochibot.cli.commands import taking
from ochibot.cli.options import file_option, number_option
from ochibot.cli.output import check_picture, report_stream, save_picture, stopping
from ochibot.cli.ram_options import RomOptions, check_state, print_runs, save_state, stopper
from ochibot.errors import UsageError
from ochibot.report import check_target, check_writable, write_json
from ochibot.wording import counted

if TYPE_CHECKING:
    from ochibot.ramtools.mapping import Names
    from ochibot.ramtools.searching import RamSearch

MOST_SHOWN = 40


@dataclass(frozen=True, kw_only=True)
class DiffOptions(RomOptions):
    """The options of ``ochibot ram diff``."""

    first: Annotated[Path, typer.Argument(metavar="STATE", help="A savestate of the core.")]
    second: Annotated[Path, typer.Argument(metavar="STATE2", help="Another savestate of the core.")]
    most: Annotated[int, number_option("Print at most this many.", "--most")] = MOST_SHOWN


@taking(DiffOptions, "first second rom machine system core ram_map most json")
def diff(given: DiffOptions) -> None:
    """Load two savestates in the core and list the bytes of RAM that differ, with the map's names for them."""
    from ochibot.console.states import load_state_file
    from ochibot.ramtools.image import image_of
    from ochibot.ramtools.mapping import Names
    from ochibot.ramtools.searching import differences

    check_target(given.json)
    with given.opened() as opened:
        images = []
        for path in (given.first, given.second):
            load_state_file(opened.console, path)
            images.append(image_of(opened.console.ram))
        runs = differences(images[0], images[1], Names(opened.ram_map))
    out = report_stream(given.json)
    count = sum(len(run.before) for run in runs)
    write_json({"bytes": count, "differences": [run.as_dict() for run in runs]}, given.json)
    print(f"{counted(count, 'byte')} differ in {counted(len(runs), 'place')}", file=out)
    print_runs(runs, given.most, "--most N, or --json FILE", out)


@dataclass(frozen=True, kw_only=True)
class SearchOptions(RomOptions):
    """The options of ``ochibot ram search``."""

    found: Annotated[Path, typer.Argument(metavar="FILE", help="The file of the search; an existing one is continued.")]
    steps: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="STEPS",
            help="look, anew (begin again with all addresses), equal 3, between 2 9, changed, unchanged, increased, "
            "decreased 2, press PADS, load FILE.",
            show_default="show what is left",
        ),
    ] = None
    kind: Annotated[
        str | None,
        typer.Option("--type", metavar="KIND", help="u8, u16le, u16be, u24le, …, bcd8, bcd16be, ….", show_default="u8"),
    ] = None
    aligned: Annotated[bool, typer.Option("--aligned", help="Only addresses that are a multiple of the width.")] = False
    most: Annotated[int, number_option("Print at most this many.", "--most")] = MOST_SHOWN


@taking(SearchOptions, "found steps kind aligned rom machine system core ram_map state play saved most json")
def search(given: SearchOptions) -> None:
    """Find where a game keeps a value: look, change it in the game, and keep the addresses that did the same.

    Each look compares with the one before, in this run or the last.
    """
    from ochibot.ramtools.image import image_of
    from ochibot.ramtools.mapping import Names, read_map
    from ochibot.ramtools.poking import frames_of, parse_pads
    from ochibot.ramtools.searching import parse_question

    check_target(given.json)
    check_writable(given.found, "the search")
    check_state(given.saved)
    search, known = _begun(given.found, given.kind, given.aligned)
    out = report_stream(given.json)
    words = [step.strip() for step in given.steps or ()]
    # all steps are read before the game runs, so that a wrong one is reported at once
    for word in words:
        if word.startswith("press "):
            parse_pads(word.removeprefix("press "))
        elif word not in ("look", "anew") and not word.startswith("load "):
            parse_question(word)
    names = Names(None if given.ram_map is None else read_map(given.ram_map))
    if words:
        with stopping() as stop, given.opened() as opened:
            console, check = opened.console, stopper(stop.asked)
            _check_rom(search, console.rom.sha1, known=known)
            search.rom = console.rom.sha1
            for word in words:
                check()
                if word.startswith("press "):
                    for pads in frames_of(parse_pads(word.removeprefix("press "))):
                        check()
                        console.step(*pads)
                elif word.startswith("load "):
                    from ochibot.console.states import load_state_file

                    load_state_file(console, Path(word.removeprefix("load ").strip()))
                else:
                    if word == "anew":
                        search.forget()
                        continue
                    search.look(image_of(console.ram), None if word == "look" else parse_question(word))
                    print(f"{word}: {counted(len(search), 'candidate')}", file=out)
            save_state(console, given.saved)
        search.save(given.found)
    write_json(_report(search, names), given.json)
    _print(search, names, given.most, out)


def _begun(path: Path, kind: str | None, aligned: bool) -> tuple[RamSearch, bool]:
    """Opens a search. Returns (the search in the file, or else a new one; whether it came from the file)."""
    from ochibot.ramtools.kinds import find_kind
    from ochibot.ramtools.searching import RamSearch, load_search

    if path.exists() and path.stat().st_size:
        search = load_search(path)
        if kind is not None and kind != search.kind.name:
            raise UsageError(f"{path} is a search for {search.kind.name}, not for {kind}; give another file")
        return search, True
    return RamSearch(find_kind(kind or "u8"), aligned), False


def _check_rom(search: RamSearch, sha1: str, *, known: bool) -> None:
    if known and search.rom not in (None, sha1):
        raise UsageError(f"the search was begun with another ROM (SHA-1 {search.rom}); give that one, or another file")


def _report(search: RamSearch, names: Names) -> dict[str, object]:
    return {
        "kind": search.kind.name,
        "questions": search.questions,
        "count": len(search),
        "candidates": [
            {"address": f"{address:#06x}", "value": value, "name": names.of(address) or None}
            for address, value in search.candidates()
        ],
    }


def _print(search: RamSearch, names: Names, most: int, out: TextIO) -> None:
    print(f"{counted(len(search), 'candidate')} ({search.kind.name})", file=out)
    for address, value in search.candidates(most):
        print(f"  {address:04X}  {value:<12} {names.of(address)}".rstrip(), file=out)
    if len(search) > most:
        print(f"  and {len(search) - most:,} more (--most N, or --json FILE)", file=out)


MOST_ELSEWHERE = 20


@dataclass(frozen=True, kw_only=True)
class PokeOptions(RomOptions):
    """The options of ``ochibot ram poke``."""

    pokes: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ADDRESS=VALUE", help="0x7A=5, 0x7A:u24le=1234, or with a map score=1000.", show_default="none"
        ),
    ] = None
    frames: Annotated[int | None, number_option("Run this many frames.", default="those of the presses, or 60")] = None
    hold: Annotated[bool, typer.Option("--hold", help="Write again before every frame.")] = False
    screenshot: Annotated[Path | None, file_option("Save the last picture in this file.", default="nowhere")] = None


@taking(PokeOptions, "pokes rom machine system core ram_map state play pads frames hold saved screenshot json")
def poke(given: PokeOptions) -> None:
    """Write values into RAM, run some frames, and report how long they stayed and which other bytes changed.

    A byte counts as changed if it differs from a run of the same frames without the writing.
    """
    from ochibot.console import Button
    from ochibot.ramtools.poking import Press, length, parse_pads, parse_poke, poke_and_run

    check_target(given.json)
    check_picture(given.screenshot)
    check_state(given.saved)
    script = list(parse_pads(given.pads or ""))
    wanted = given.frames if given.frames is not None else (length(script) or 60)
    rest = wanted - length(script)
    if rest > 0:
        script.append(Press((Button.NONE, Button.NONE), rest))
    out = report_stream(given.json)
    with stopping() as stop, given.opened() as opened:
        console = opened.console
        if given.state is None and not given.play:
            # some cores load a savestate reliably only after they have run one frame
            console.step()
        wishes = [parse_poke(text, opened.ram_map) for text in given.pokes or ()]
        effect = poke_and_run(console, wishes, opened.ram_map, script, hold=given.hold, stopped=stopper(stop.asked))
        save_state(console, given.saved)
        if given.screenshot is not None:
            save_picture(console, given.screenshot)
    report = {
        "frames": effect.frames,
        "hold": given.hold,
        "pokes": [poked.as_dict() for poked in effect.pokes],
        "elsewhere": [run.as_dict() for run in effect.elsewhere],
        "state": None if given.saved is None else str(given.saved),
        "screenshot": None if given.screenshot is None else str(given.screenshot),
    }
    write_json(report, given.json)
    for poked in effect.pokes:
        stayed = (
            f"stayed for all {counted(effect.frames, 'frame')}"
            if poked.lasted is None
            else f"overwritten in frame {poked.lasted + 1}, {poked.after.hex(' ')} at the end"
        )
        print(f"{poked.name}  {poked.before.hex(' ')} → {poked.written.hex(' ')}: {stayed}", file=out)
    count = sum(len(run.before) for run in effect.elsewhere)
    verb = "is" if count == 1 else "are"
    print(
        f"{counted(count, 'other byte')} {verb} otherwise after {counted(effect.frames, 'frame')}",
        file=out,
    )
    print_runs(effect.elsewhere, MOST_ELSEWHERE, "--json FILE", out)
