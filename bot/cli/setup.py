"""From options to a running game: what play, bench and later commands do first."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from bot.console import Console, Rom, find_core, load_nes_rom
from bot.data import data_path, data_root, is_file
from bot.errors import ConfigError, RomError
from bot.games import famicom_puyo as game
from bot.search import PlayerConfig, load_player, prepare


def open_rom(path: Path | None) -> Rom:
    """The user's ROM, or the shipped homebrew. Raises RomError."""
    return load_nes_rom(path if path is not None else data_path(game.HOMEBREW_ROM))


def open_console(core: str | None, rom: Rom) -> Console:
    """A console with that ROM in it. Raises ConsoleError."""
    return Console.open(find_core(game.SYSTEM, core), rom)


@contextlib.contextmanager
def kernels_ready() -> Iterator[None]:
    """The search's kernels loaded or, the first time, compiled: before a run's clock starts, Ctrl-C still plain."""
    prepare()
    yield


def load_state(console: Console, path: Path) -> None:
    """Go to a savestate file of the user's. Raises RomError or ConsoleError with what to do."""
    try:
        state = path.read_bytes()
    except OSError as error:
        raise RomError(
            f"can't read the savestate {path}: {error.strerror or error}; give the path of one made by the same core"
        ) from None
    # a core takes a savestate surely only after it has run once
    console.step()
    console.load(state)


def save_picture(console: Console, path: Path) -> None:
    """The picture on the screen as PNG (or what the file's ending says)."""
    from PIL import Image

    from bot.errors import OutputError

    try:
        Image.fromarray(console.frame()).save(path)
    except (OSError, ValueError) as error:
        raise OutputError(f"can't write the picture {path}: {error}; give another path, such as shot.png") from None


def find_player(wanted: str) -> PlayerConfig:
    """A player file by its path, or a shipped one by its name. Raises ConfigError."""
    shipped = data_root() / "configs/players" / f"{wanted}.yaml"
    if is_file(shipped) and not is_file(Path(wanted)):
        return load_player(shipped)
    if not is_file(Path(wanted)):
        players = data_root() / "configs/players"
        names = ", ".join(sorted(path.stem for path in players.glob("*.yaml")))
        raise ConfigError(f"no such player file: {wanted}; give a YAML file or one of the shipped players: {names}")
    return load_player(Path(wanted))
