"""``ochibot ram check``: tries a map on a game, lists the contradictions, and proposes corrections."""

from __future__ import annotations

import contextlib
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from ochibot.cli import options
from ochibot.cli.options import OUTPUT, find_title, menu_choices
from ochibot.cli.output import StatusLine, report_stream, share_text, stopping
from ochibot.cli.ram_options import StateOption, stopper, title_of
from ochibot.data import lies_in
from ochibot.errors import UsageError
from ochibot.quoting import brief_path
from ochibot.report import check_target, check_writable, write_json
from ochibot.wording import counted

if TYPE_CHECKING:
    from ochibot.console import Rom
    from ochibot.experiments.checking.checker import Checked
    from ochibot.ram import RamMap

CONTRADICTED = 1
"""The exit code when the game contradicts the map."""

WIDE = 110
"""The width in characters of lines that list names."""


def check(
    checked: Annotated[
        str, typer.Argument(metavar="MAP|GAME", help="A RAM map, a shipped one's name, a game, or a game file.")
    ],
    rom: options.RomOption = None,
    system: options.SystemOption = None,
    core: options.CoreOption = None,
    rules: options.RulesOption = None,
    state: StateOption = None,
    option: options.MenuOption = None,
    pieces: Annotated[
        int, options.number_option("Pieces to play at the end with all proposals applied.", least=0)
    ] = 50,
    output: Annotated[
        Path | None, options.file_option("Write the map with all proposals to this file.", *OUTPUT, default="nowhere")
    ] = None,
    game_module: options.GameModuleOption = None,
    json: options.JsonOption = None,
) -> int:
    """Try a map on a game: drops into every column, turns, chains. Exit code 1 when something contradicts the map.

    -o writes a map that extends the checked one and, where needed, a rules file and a game file beside it. If the
    checked file is yours, it must lie in the same folder as the new ones, or below.
    """
    from ochibot.console import Console, find_core
    from ochibot.experiments.checking.checker import FAMILIES, Checker, piece_of
    from ochibot.games.choosing import checked_options, find_rules

    check_target(json)
    if output is not None:
        if output.suffix not in (".yaml", ".yml"):
            raise UsageError(f"-o {brief_path(output)}: give a name that ends in .yaml")
        check_writable(output, "the map")
    title, ram_map, named = _found(checked, game_module)
    file = getattr(title, "path", None)
    base = title.name if file is None else str(Path(file).resolve())
    if output is not None:
        _check_beside(output, named, base)
    if title.family.name not in FAMILIES:
        piece_of(title)
    elif not hasattr(title, "table"):
        raise UsageError(f"{title.name} has no table of its game: only games with one can be checked")
    profile = find_rules(title, rules)
    choices = checked_options(title, menu_choices(option))
    image = title.open_rom(rom, system)
    line = StatusLine(plain_every=0.0)
    out = report_stream(json)
    with (
        stopping() as stop,
        contextlib.closing(line),
        Console.open(find_core(title.system, core), image, options=title.core_options) as console,
    ):
        begin = None
        if state is not None:
            from ochibot.console.states import load_state_file

            load_state_file(console, state)
            begin = console.save()
        tell = Checker(
            title,
            ram_map,
            console,
            profile,
            options=choices,
            tell=lambda text: line.show(text) if line.due() else None,
            stopped=stopper(stop.asked),
        )
        found = tell.run(pieces=pieces, state=begin)
        about = {
            "map": named,
            "game": title.name,
            "core": f"{console.core_name} {console.core_version}",
            "rom": image.name,
            "rom_sha1": image.sha1,
        }
    written: list[str] = []
    if output is not None:
        written = _write(output, named, ram_map, profile, found, base=base, rom=image, solo=title.solo_mode)
    write_json({**about, **found.report.as_dict(), "written": written}, json)
    _print(found, written, out)
    return CONTRADICTED if found.report.findings else 0


def _check_beside(output: Path, *extended: str) -> None:
    """Raises UsageError for a file of the user that the new files couldn't extend, because it lies elsewhere."""
    for name in extended:
        file = Path(name)
        if file.is_absolute() and not lies_in(file, output.parent):
            beside = file.with_name(f"{output.stem}.yaml")
            raise UsageError(
                f"-o {brief_path(output)}: what is written there extends {brief_path(file)}, and a file reaches none "
                f"outside its folder: give a path beside that file, such as {brief_path(beside)}"
            )


def _found(checked: str, module: Path | None) -> tuple[Any, RamMap, str]:
    """Finds what is to be checked: (the title, its map, the map's name for ``extends:``). Raises an OchibotError."""
    from ochibot.games import game_names
    from ochibot.ramtools.mapping import map_path, read_map

    if module is not None or checked in game_names():
        title = find_title(None if module is not None else checked, module)
        return _solo(title)
    path = Path(checked)
    if path.suffix in (".yaml", ".yml") and _is_game_file(path):
        return _solo(find_title(checked, None))
    ram_map = read_map(path)
    title = title_of(ram_map)
    # read again with the title's code names, so that an unknown one is reported
    return title, read_map(path, title.table.codes), str(path if path.suffix == "" else map_path(path).resolve())


def _solo(title: Any) -> tuple[Any, RamMap, str]:
    (name,) = title.map_names(title.solo_mode)
    folder = Path(title.table.map_folder)
    return title, title.load_map(name), str(name if isinstance(name, Path) else folder / name)


def _is_game_file(path: Path) -> bool:
    from ochibot.errors import ConfigError
    from ochibot.yamlfile import read_yaml

    data = read_yaml(path, "a map or a game file", ConfigError)
    return "modes" in data and "entries" not in data


def _write(
    output: Path,
    named: str,
    before: RamMap,
    rules: Any,
    found: Checked,
    *,
    base: str,
    rom: Rom,
    solo: str,
) -> list[str]:
    from ochibot.ramtools.proposals import game_text, map_text, rules_text, write_text

    findings = found.report.findings
    write_text(output, map_text(named, before, found.ram_map, findings), "the map")
    written = [str(output)]
    beside: Path | None = None
    if any(finding.rules for finding in findings):
        beside = output.with_name(f"{output.stem}-rules.yaml")
        write_text(beside, rules_text(rules, findings), "the rules")
        written.append(str(beside))
    if any(finding.rules or finding.buttons or finding.timing or "mode" in finding.entries for finding in findings):
        game = output.with_name(f"{output.stem}-game.yaml")
        files = output.name, None if beside is None else beside.name
        write_text(game, game_text(base, _rom_of(rom, output), solo, files, findings), "the game file")
        written.append(str(game))
    return written


def _rom_of(rom: Rom, output: Path) -> dict[str, str]:
    """The entries of a game file that name the ROM: its path if the file may reach it, otherwise its hash."""
    source = rom.source.resolve()
    return {"rom": str(source)} if lies_in(source, output.parent) else {"sha1": rom.sha1}


def _print(found: Checked, written: list[str], out: TextIO) -> None:
    report = found.report
    for finding in report.findings:
        print(finding.text(), file=out)
    count = counted(len(report.findings), "contradiction")
    print(count, file=out)
    measured = [f"{name} {frames}" for name, frames in report.measured.items()]
    for title, words in (
        ("holds", report.holds or ["nothing"]),
        ("not looked at", report.unchecked),
        ("measured, in frames", measured),
    ):
        if words:
            print(textwrap.fill(f"{title}: {', '.join(words)}", WIDE, subsequent_indent="  "), file=out)
    for note in report.notes:
        print(f"note: {note}", file=out)
    exam = report.exam
    if exam:
        agreement: Any = exam.get("agreement")
        print(
            f"with all proposals: {counted(int(str(exam['pieces'])), 'piece')}, "
            f"agreement {share_text(agreement)} ({exam['stopped_by']})",
            file=out,
        )
        if "last_disagreement" in exam:
            print(exam["last_disagreement"], file=out)
    for path in written:
        print(f"written: {path}", file=out)
