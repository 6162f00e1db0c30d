"""From options to a running game: what play, bench and later commands do first."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ochibot.console import Console, Rom, find_core
from ochibot.data import data_root, is_file
from ochibot.errors import ConfigError, RomError, UsageError
from ochibot.games import GAMES, find_game
from ochibot.games.famicom_puyo.game import GAME as PUYO
from ochibot.games.protocols import Game
from ochibot.puyo.search.player import PlayerConfig, load_player
from ochibot.ram import RamMap


def open_rom(path: Path | None, game: Game = PUYO, system: Path | None = None) -> Rom:
    """The user's ROM, or the shipped homebrew. ``system``: the user's folder of system ROMs. Raises RomError."""
    return game.open_rom(path, system)


def open_console(core: str | None, rom: Rom, game: Game = PUYO) -> Console:
    """A console with that ROM in it. Raises ConsoleError."""
    return Console.open(find_core(game.system, core), rom, options=game.core_options)


@contextlib.contextmanager
def kernels_ready(game: Game = PUYO) -> Iterator[None]:
    """The search's kernels loaded or, the first time, compiled: before a run's clock starts, Ctrl-C still plain."""
    game.prepare()
    yield


def menu_options(game: Game, *, versus: bool = False, **chosen: int | None) -> dict[str, int]:
    """The options that were given. Raises UsageError for one that does nothing in that mode of the game."""
    known = game.versus_options if versus else game.options
    given = {name: value for name, value in chosen.items() if value is not None}
    for name, value in given.items():
        if name not in known:
            where = " with two players" if versus else ""
            have = ", ".join(f"--{option}" for option in known) or "none"
            raise UsageError(f"the game {game.name} has no option --{name}{where}; leave it out (it has {have})")
        if value not in known[name]:
            values = known[name]
            raise UsageError(f"--{name} of the game {game.name} goes from {values[0]} to {values[-1]}, not {value}")
    return given


def seat_maps(wanted: Game, files: tuple[Path | None, Path | None], rom: Rom) -> tuple[RamMap, RamMap]:
    """The maps of both seats in the 2-player mode: the user's, or the shipped ones. Raises MapError."""
    made = [
        wanted.load_map(file if file is not None else name, rom)
        for file, name in zip(files, wanted.versus_maps, strict=True)
    ]
    for seat, ram_map in enumerate(made, 1):
        wanted.check_map(ram_map, "versus", seat)
    return made[0], made[1]


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
    if not _like(state, console.save()):
        raise RomError(f"{path} is no savestate of {console.core_name} for this ROM; give one made by the same core")
    console.load(state)


ALIKE = 0.25
"""The share of bytes that a core's savestates have in common at the least, where they begin with no mark of its own."""


def _like(state: bytes, own: bytes) -> bool:
    """Whether a file looks like a savestate of the core that made ``own``: FBNeo crashes on what is none.

    The NES cores begin theirs with a mark; FBNeo begins with the number of the frame, but most of the rest is alike in
    all. Whether a state that looks right is sound, only the core can tell.
    """
    if len(state) != len(own):
        return False
    same = np.frombuffer(state, np.uint8) == np.frombuffer(own, np.uint8)
    return state[:4] == own[:4] or float(same.mean()) >= ALIKE


def save_picture(console: Console, path: Path) -> None:
    """The picture on the screen as PNG (or what the file's ending says)."""
    from PIL import Image

    from ochibot.errors import OutputError

    try:
        Image.fromarray(console.frame()).save(path)
    except (OSError, ValueError) as error:
        raise OutputError(f"can't write the picture {path}: {error}; give another path, such as shot.png") from None


def player_file(wanted: str, game: Game = PUYO) -> Path:
    """A player file of a game by its path, or a shipped one by its name. Raises ConfigError."""
    folder = data_root() / "configs/players"
    file = Path(wanted) if is_file(Path(wanted)) else folder / f"{wanted}.yaml"
    if not is_file(file):
        shipped = [path for path in sorted(folder.glob("*.yaml")) if _fault(path, game) is None]
        names = ", ".join(path.stem for path in shipped)
        raise ConfigError(
            f"no such player file: {wanted}; give a YAML file or one of the shipped players of {game.name}: {names}"
        )
    fault = _fault(file, game)
    if fault is None:
        return file
    for other in GAMES:
        if other != game.name and _fault(file, find_game(other)) is None:
            raise ConfigError(
                f"{file} is a player of {other}, not of {game.name}; give {game.default_player} or a file of yours"
            )
    raise fault


def _fault(file: Path, game: Game) -> ConfigError | None:
    """Why a file is no player of that game; None when it is one."""
    try:
        game.check_player(file)
    except ConfigError as error:
        return error
    return None


def find_player(wanted: str) -> PlayerConfig:
    """A player of Puyo Puyo by its file or name. Raises ConfigError."""
    return load_player(player_file(wanted))
