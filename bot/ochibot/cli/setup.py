"""Opens sessions for commands and saves their pictures."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ochibot.console import HostedConsole, Made
from ochibot.errors import ConsoleError, GameError, OutputError, UsageError
from ochibot.leftovers import kept_folder, whole_file

if TYPE_CHECKING:
    from ochibot.console import Console, Rom
    from ochibot.games import Game
    from ochibot.session import Session


def open_console(core: str | None, rom: Rom, game: Game) -> Console:
    """Opens a console with a ROM of the game. core: None: the game's preferred one. Raises ConsoleError."""
    from ochibot.games.choosing import core_opener

    return core_opener(game, core)(rom)


def opened(
    game: Game,
    *,
    rom: Path | None,
    system: Path | None,
    core: str | None,
    rules: str | None,
    maps: Mapping[int, Path | None] | None = None,
    mode: str | None = None,
) -> Session:
    """Opens a session with the maps of a mode. Wrong options raise their errors before the core is loaded."""
    from ochibot.games.choosing import find_rules
    from ochibot.session import Session

    profile = find_rules(game, rules)
    image = game.open_rom(rom, system)
    given = {seat: file for seat, file in (maps or {}).items() if file is not None}
    wanted = mode or game.solo_mode
    for seat, name in enumerate(game.map_names(wanted), 1):
        game.check_map(game.load_map(given.get(seat, name), image), wanted, seat)
    return Session(game, image, profile, open_console(core, image, game), maps=given)


def check_av(av: bool | None, **needs: object) -> None:
    """Raises UsageError for ``--no-av`` beside one of ``needs``: the options, by name, that need picture or sound."""
    if av is False and (given := [name for name, value in needs.items() if value]):
        raise UsageError(f"--{given[0]} needs the picture that --no-av leaves out: leave one of them out")


def leave_out_av(session: Session, av: bool | None) -> None:
    """Lets the core leave out picture and sound, for a run that shows and keeps neither.

    av None: leaves out only what is known not to affect RAM. False (``--no-av``): leaves out both, or raises UsageError
    if the core can't. True: leaves out nothing.
    """
    made = session.leave_out_av(None if av is None else not av)
    if av is False and made is not Made.NOTHING:
        raise UsageError(f"the core {session.console.core_name} can't leave out picture and sound: leave --no-av out")


def save_picture(console: HostedConsole, path: Path) -> None:
    """Saves the console's picture in the format of the file's ending, such as PNG. Raises OutputError."""
    from PIL import Image

    try:
        with whole_file(path) as partial:
            Image.fromarray(console.frame()).save(partial)
    except (OSError, ValueError) as error:
        raise OutputError(f"can't write the picture {path}: {error}; give another path, such as shot.png") from None


def with_picture(console: HostedConsole, error: GameError) -> GameError:
    """Saves a picture of the menus where the bot got stuck, and returns the error with the picture's path added."""
    # if no picture was kept, one more frame is run: the menus hang, so its picture is the same
    try:
        console.frame()
    except ConsoleError:
        console.make(Made.ALL)
        console.step()
    with kept_folder() as folder:
        shown = folder / "screen.png"
        save_picture(console, shown)
    return GameError(f"{error}; the screen: {shown}; start from a savestate with --from-state")


def introduction(session: Session) -> str:
    """The first lines of a run: core and ROM, a note if no picture and sound are made, and notes on a ROM that isn't
    ours.
    """
    console, image = session.console, session.rom
    line = f"{console.core_name} {console.core_version} · {image.name} (SHA-1 {image.sha1})"
    if console.made is Made.NOTHING:
        line = f"{line}\nno picture and no sound are made: nothing keeps them"
    if image.note:
        line = f"{line}\n{image.note}"
    return line if session.game.is_homebrew(image.sha1) or not session.game.note else f"{line}\n{session.game.note}"
