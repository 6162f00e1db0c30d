"""All errors of Ochibot that a user can cause and mend.

The command line prints their messages as one line on stderr and ends with exit code 2. So a message says what is wrong
and what to do next. Any other exception is a bug of ours.
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
    """The user's own player has raised an exception while choosing."""


class MapError(OchibotError):
    """A RAM map is missing, wrong, or lacks an entry that is needed."""


class PointerError(MapError):
    """A pointer in RAM doesn't hold an address in RAM at the moment."""


class ConsoleError(OchibotError):
    """A core or ROM can't be found, loaded or run."""


class RomError(ConsoleError):
    """A file is not a ROM that the console can take."""


class GameError(OchibotError):
    """A game behaves unexpectedly: a menu isn't reached, or a field breaks the rules."""


class ContradictionError(GameError):
    """The game contradicted the rules, or the meaning that the map gives to RAM."""


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
    """A game's memory can't be learnt: nothing falls on a grid, or an experiment has no result."""
