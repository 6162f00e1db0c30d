"""Every error of Ochibot that a user can cause and mend.

The command line prints the message of any of them as one line on stderr and ends with exit code 2, so a
message says what is wrong and what to do next. Anything else that is raised is a bug of ours.
"""

from __future__ import annotations


class OchibotError(Exception):
    """The base of all errors with a message meant for the user."""


class UsageError(OchibotError):
    """A command was given an option or argument that can't be used."""


class ConfigError(OchibotError):
    """A configuration file (player, rules, preset) is missing or wrong."""


class FieldError(OchibotError):
    """A text or array is not a playfield."""


class PlayerError(OchibotError):
    """A player of the user's own has raised something while it chose."""


class MapError(OchibotError):
    """A RAM map is missing, wrong, or lacks an entry that is needed."""


class PointerError(MapError):
    """The bytes that should name an address in RAM name none just now."""


class ConsoleError(OchibotError):
    """A core or ROM can't be found, loaded or run."""


class RomError(ConsoleError):
    """A file is not a ROM that the console can take."""


class GameError(OchibotError):
    """A game doesn't do what is expected of it: a menu not reached, a field that breaks the rules."""


class ContradictionError(GameError):
    """The game did something else than the rules say, or than the map was taken to mean."""


class StalledError(GameError):
    """The game has stopped dealing pairs."""


class OutputError(OchibotError):
    """A file or folder can't be written."""


class RecordError(OchibotError):
    """A record or dump is missing, damaged, or not of this ROM."""


class MovieError(OchibotError):
    """A movie of another emulator can't be read, or a record can't be turned into one."""


class VideoError(OchibotError):
    """A video can't be made."""


class CalibrationError(OchibotError):
    """A game's memory can't be learnt: nothing falls on a grid, or an experiment comes to nothing."""
