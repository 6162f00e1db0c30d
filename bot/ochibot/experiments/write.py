"""Writes a learnt game as ordinary files: a map, a rules file and a game file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ochibot.experiments.draft import Draft
from ochibot.experiments.draftfile import map_of_draft
from ochibot.experiments.learnt import Learnt
from ochibot.experiments.mapfile import COLORS, doubted_score, map_of, score_entry
from ochibot.experiments.rig import Rig
from ochibot.experiments.rulesfile import game_of, menu_of, route_of, rules_of
from ochibot.experiments.versus import Seats
from ochibot.experiments.yamlform import Hex, Row, dump
from ochibot.leftovers import whole_file
from ochibot.ram import RamMap

__all__ = [
    "COLORS",
    "Files",
    "dump",
    "map_of",
    "map_path",
    "rules_of",
    "write",
    "write_draft",
    "write_files",
    "write_map",
]


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
    rig: Rig,
    game: str,
    *,
    core: str | None,
    use_state: bool,
    draft: str,
    seats: Seats | None = None,
) -> Files:
    """Writes all files. ``use_state``: the game file starts from a savestate, not through the menu. ``draft``: the
    reason why the files are drafts; empty when they aren't. ``seats``: a game of two, to be written as well.
    """
    head, game_path = head_of(rig, game, draft), folder / f"{game}.yaml"
    found = head + _score_aside(learnt, rig)
    player1, state_path = _map_and_state(folder, map_of(learnt, rig, game), learnt.route.state, game, found)
    made = rules_of(learnt, game, None if seats is None else seats.pending[0])
    rules_path = None
    if made is not None:
        rules, taken = made
        rules_path = folder / f"{game}-rules.yaml"
        notes = "".join(f"# Not measured here: {line}.\n" for line in taken)
        write(rules_path, head + notes + dump(rules))
    if rules_path is None:
        game_path.unlink(missing_ok=True)
        return Files(None, player1, None, state_path)
    data = game_of(learnt, rig, game, rules=rules_path.name, core=core)
    if use_state or not learnt.route.buttons:
        data["state"] = state_path.name
    else:
        data["menu"] = menu_of(learnt)
    if seats is not None:
        names = []
        for number, made_map in enumerate(seats.maps(rig, game), 1):
            names.append(f"{game}-versus{number}.yaml")
            write(folder / names[-1], head + dump(made_map))
        data["modes"]["versus"] = {"maps": Row(names), "menu": route_of(seats.route, learnt.tap, at_once=seats.at_once)}
        data["versus"] = "versus"
    write(game_path, head + dump(data))
    return Files(game_path, player1, rules_path, state_path)


def map_path(folder: Path, game: str) -> Path:
    """Where a game's map is written."""
    return folder / f"{game}-p1.yaml"


def head_of(rig: Rig, game: str, draft: str) -> str:
    """The first lines of each file. ``draft``: the reason why it is a draft; empty when it isn't."""
    head = f"# {game}: learnt by ochibot calibrate from the ROM {rig.console.rom.sha1} in {rig.console.core_name}.\n"
    return head + (f"# DRAFT: {' '.join(draft.split())}\n" if draft else "")


def _score_aside(learnt: Learnt, rig: Rig) -> str:
    """A comment that says where a score is whose formula isn't known; empty where it is."""
    doubt = doubted_score(learnt)
    if not doubt or learnt.score is None:
        return ""
    entry = dump({"score": score_entry(learnt.score, lambda offset: Hex(rig.address(offset)))}).strip()
    entry = " ".join(entry.split())
    return f"# The score is found, but {doubt}, so no rules file says its points. Its entry would be:\n#   {entry}\n"


def consistent(made: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """A map without the entries and signs that can't be in it, and the names of those, in their order."""
    kept: dict[str, Any] = {**made, "entries": {}}
    kept.pop("signs", None)
    left_out = []
    for part in ("entries", "signs"):
        for name, one in made.get(part, {}).items():
            more = _with_tables({**kept, part: {**kept.get(part, {}), name: one}}, made)
            try:
                RamMap.model_validate(more)
            except ValueError:
                left_out.append(name)
            else:
                kept = more
    return kept, left_out


def _with_tables(kept: dict[str, Any], made: dict[str, Any]) -> dict[str, Any]:
    """The map with those code tables that its entries use: what a table may hold depends on them."""
    if "codes" not in made:
        return kept
    used = {entry.get(word) for entry in kept["entries"].values() for word in ("codes", "symbols")}
    return {**kept, "codes": {name: table for name, table in made["codes"].items() if name in used}}


def _left_out(names: list[str]) -> str:
    """A comment that names these entries; empty if there are none."""
    return f"# Left out, because they contradict the others: {', '.join(names)}.\n" if names else ""


def write_draft(folder: Path, made: Draft, rig: Rig, game: str, draft: str) -> Files:
    """Writes the map and the savestate of a game whose rules are unknown."""
    return write_map(folder, map_of_draft(made, rig, game), made.route.state, rig, game, draft)


def write_map(folder: Path, made: dict[str, object], state: bytes, rig: Rig, game: str, draft: str) -> Files:
    """Writes a map and a savestate of play. A game file and rules of an earlier calibration are removed."""
    player1, state_path = _map_and_state(folder, made, state, game, head_of(rig, game, draft))
    for left in (folder / f"{game}.yaml", folder / f"{game}-rules.yaml"):
        left.unlink(missing_ok=True)
    return Files(None, player1, None, state_path)


def _map_and_state(folder: Path, made: dict[str, Any], state: bytes, game: str, head: str) -> tuple[Path, Path]:
    """Writes a map and a savestate of play. Returns where they are.

    Entries and signs that contradict those before them, such as two entries of one byte, are left out.
    """
    player1, state_path = map_path(folder, game), folder / f"{game}.state"
    kept, left_out = consistent(made)
    write(player1, head + _left_out(left_out) + dump(kept))
    with whole_file(state_path) as partial:
        partial.write_bytes(state)
    return player1, state_path
