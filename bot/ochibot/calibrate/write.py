"""Writes a learnt game as ordinary files: a map, a rules file and a game file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ochibot.calibrate.lab import Lab
from ochibot.calibrate.learnt import Learnt
from ochibot.calibrate.mapfile import COLORS, map_of
from ochibot.calibrate.rulesfile import game_of, route_of, rules_of
from ochibot.calibrate.sketch import Sketch, map_of_sketch
from ochibot.calibrate.versus import Seats
from ochibot.calibrate.yamlform import Row, dump
from ochibot.leftovers import whole_file

__all__ = ["COLORS", "Files", "dump", "map_of", "rules_of", "write", "write_files", "write_sketch"]


@dataclass(frozen=True)
class Files:
    """The files that were written. game, rules: None where the rules are unknown: such a game can't be played."""

    game: Path | None
    map: Path
    rules: Path | None
    state: Path


def write(path: Path, text: str) -> None:
    """Writes a file whole or not at all."""
    with whole_file(path) as partial:
        partial.write_text(text, encoding="utf-8")


def write_files(
    folder: Path,
    learnt: Learnt,
    lab: Lab,
    game: str,
    *,
    core: str,
    use_state: bool,
    draft: str,
    seats: Seats | None = None,
) -> Files:
    """Writes all files. ``use_state``: the game file starts from a savestate, not through the menu. ``draft``: the
    reason why the files are drafts; empty when they aren't. ``seats``: a game of two, to be written as well.
    """
    head = f"# {game}: learnt by ochibot calibrate from the ROM {lab.console.rom.sha1} in {lab.console.core_name}.\n"
    if draft:
        head += f"# DRAFT: {draft}\n"
    map_path, game_path, state_path = folder / f"{game}-p1.yaml", folder / f"{game}.yaml", folder / f"{game}.state"
    write(map_path, head + dump(map_of(learnt, lab, game)))
    made = rules_of(learnt, game, None if seats is None else seats.pending[0])
    rules_path = None
    if made is not None:
        rules, taken = made
        rules_path = folder / f"{game}-rules.yaml"
        notes = "".join(f"# Not measured here: {line}.\n" for line in taken)
        write(rules_path, head + notes + dump(rules))
    with whole_file(state_path) as partial:
        partial.write_bytes(learnt.route.state)
    if rules_path is None:
        game_path.unlink(missing_ok=True)
        return Files(None, map_path, None, state_path)
    data = game_of(learnt, lab, game, rules=rules_path.name, core=core)
    if use_state or not learnt.route.buttons:
        data["state"] = state_path.name
    else:
        data["menu"] = route_of(learnt.route)
    if seats is not None:
        names = []
        for number, made_map in enumerate(seats.maps(lab, game), 1):
            names.append(f"{game}-versus{number}.yaml")
            write(folder / names[-1], head + dump(made_map))
        data["modes"]["versus"] = {"maps": Row(names), "menu": route_of(seats.route, at_once=seats.at_once)}
        data["versus"] = "versus"
    write(game_path, head + dump(data))
    return Files(game_path, map_path, rules_path, state_path)


def write_sketch(folder: Path, made: Sketch, lab: Lab, game: str, draft: str) -> Files:
    """Writes the map and the savestate of a game whose rules are unknown."""
    head = f"# {game}: learnt by ochibot calibrate from the ROM {lab.console.rom.sha1} in {lab.console.core_name}.\n"
    map_path, state_path = folder / f"{game}-p1.yaml", folder / f"{game}.state"
    write(map_path, f"{head}# DRAFT: {draft}\n" + dump(map_of_sketch(made, lab, game)))
    with whole_file(state_path) as partial:
        partial.write_bytes(made.route.state)
    for left in (folder / f"{game}.yaml", folder / f"{game}-rules.yaml"):
        left.unlink(missing_ok=True)
    return Files(None, map_path, None, state_path)
