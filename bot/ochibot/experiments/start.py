"""Finds the map that a calibration starts from."""

from __future__ import annotations

from pathlib import Path

from ochibot.console import Rom
from ochibot.data import data_root, is_file
from ochibot.errors import MapError
from ochibot.games import find_game, game_names
from ochibot.games.protocols import Game
from ochibot.games.title import Title
from ochibot.quoting import quoted
from ochibot.ram import RamMap
from ochibot.ram.file import load_map


def starting_map(title: Game | None, name: Path | None, rom: Rom) -> RamMap:
    """The map ``name``: a file, or the public entries of a shipped map, given as FOLDER/NAME. Without a name: the
    public entries of the title's map for that ROM.

    Raises MapError when there is no such map, or it is for another system.
    """
    if name is None:
        assert title is not None
        found = title.load_map(title.map_names(title.solo_mode)[0], rom).public()
    else:
        path = name
        if not is_file(path):
            shipped = data_root() / "ram_maps" / f"{name.as_posix()}.yaml"
            if not is_file(shipped):
                known = sorted(one.parent.name + "/" + one.stem for one in (data_root() / "ram_maps").glob("*/*.yaml"))
                raise MapError(f"there is no map {quoted(name.as_posix())}: give a file, or one of {', '.join(known)}")
            path = shipped
        titles = [one for one in map(find_game, game_names()) if isinstance(one, Title)]
        symbols = {word: code for one in titles for word, code in one.table.codes.items()}
        found = load_map(path, symbols, rom.system)
        if path != name:
            found = found.public()
    if found.system != rom.system:
        raise MapError(f"the map {found.name} is for the system {quoted(found.system)}, and the ROM for {rom.system}")
    return found
