"""The contents of a game file, validated (docs/your-own-game.md explains it with an example)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, field_validator, model_validator

from ochibot.console import Button, is_system, system_names
from ochibot.falling.orientation import Orientation
from ochibot.games.filed.families import family_names, is_family
from ochibot.games.route import Route
from ochibot.quoting import brief, quoted

_Byte = Annotated[int, Field(ge=0, le=255, strict=True)]
_Value = Annotated[int, Field(ge=-0x8000_0000, le=0xFFFF_FFFF, strict=True)]
_Count = Annotated[int, Field(ge=1, le=1_000_000, strict=True)]
_Side = Annotated[int, Field(ge=1, le=256, strict=True)]
_Pixel = Annotated[int, Field(ge=-4096, le=4096, strict=True)]
_Seat = Literal[1, 2]
_YesNo = Annotated[bool, Field(strict=True)]
_Text = Annotated[str, Field(strict=True, min_length=1, max_length=4096)]

_MOST_VALUES: Final = 1000
_BUTTONS: Final = {str(button.name).lower(): button for button in Button if button}
_ORIENTATIONS: Final = {orientation.name.lower(): orientation for orientation in Orientation}


def _word(value: object) -> object:
    """Turns a bool back into the word on or off, because YAML reads a bare on or off as a bool."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return value


def _named(known: Mapping[str, Any], what: str, *, optional: bool = False) -> BeforeValidator:
    def check(value: object) -> object:
        if value is None and optional:
            return None
        if not isinstance(value, str) or value.lower() not in known:
            raise ValueError(f"there is no {what} {quoted(value)}; known are {', '.join(known)}")
        return known[value.lower()]

    return BeforeValidator(check)


def _route(value: object) -> Route | None:
    return None if value is None else Route.parse(value)


def _joined(text: object) -> object:
    """A text's lines joined to one. Other values are left to the next validator."""
    return " ".join(text.split()) if isinstance(text, str) else text


def _one_line(text: str) -> str:
    if not text.isprintable():
        raise ValueError(f"give a text of one line, without control characters, not {quoted(text)}")
    return text


def _several(value: object) -> object:
    return [value] if isinstance(value, str) else value


_File = Annotated[_Text, AfterValidator(_one_line)]
_Word = Annotated[_Text, BeforeValidator(_word)]
_Button = Annotated[Button | None, _named(_BUTTONS, "button", optional=True)]
_Orientation = Annotated[Orientation, _named(_ORIENTATIONS, "orientation")]
_Menu = Annotated[Any, BeforeValidator(_route)]
_Point = tuple[_Pixel, _Pixel]
_Color = tuple[_Byte, _Byte, _Byte]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Mode(_Strict):
    """A mode of the game. value: what the map's entry ``mode`` holds in this mode. maps: one for each seat, seat 1
    first; each is a file name or a whole map. menu: the route to this mode. state: a savestate to load instead of
    going through the menu.
    """

    value: _Value | None = None
    maps: tuple[Any, ...] = ()
    menu: _Menu = None
    state: _File | None = None

    @field_validator("maps", mode="before")
    @classmethod
    def _maps(cls, maps: object) -> object:
        found = [maps] if isinstance(maps, str | dict) else maps
        if not isinstance(found, list) or not all(isinstance(one, str | dict) for one in found):
            raise ValueError(f"give a list of map files, one for each seat, not {quoted(maps)}")
        if len(found) > 2:
            raise ValueError(f"give one map, or two for two seats, not {len(found)}")
        return tuple(found)


class Spawn(_Strict):
    """Where pairs appear, in the family's own columns and rows."""

    x: Annotated[int, Field(ge=1, le=16, strict=True)]
    y: Annotated[int, Field(ge=0, le=32, strict=True)]
    orientation: _Orientation


class PhaseValues(_Strict):
    """The values of the entry ``phase`` while a pair is announced, while it is under control, and when the game is
    over.
    """

    spawn: _Value
    control: _Value
    over: _Value


class StateValues(_Strict):
    """Values of the entry ``state``: a game is running at ``playing`` and above, and has ended at ``over``."""

    playing: _Value | None = None
    over: _Value | None = None


class Option(_Strict):
    """A choice on the menu: its values, given by ``from`` and ``to`` or by a list of names. The first name has the
    value ``from`` (0 without it).
    """

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    first: Annotated[_Value | None, Field(alias="from")] = None
    last: Annotated[_Value | None, Field(alias="to")] = None
    names: tuple[_Word, ...] = ()

    @model_validator(mode="after")
    def _whole(self) -> Option:
        if self.names:
            if self.last is not None:
                raise ValueError("names already say how many values there are: leave to out")
        elif self.first is None or self.last is None:
            raise ValueError("give from and to, or names")
        if not 1 <= len(self.values) <= _MOST_VALUES:
            raise ValueError(f"there are {len(self.values):,} values; give 1 to {_MOST_VALUES:,}")
        return self

    @property
    def values(self) -> range:
        """All values that the option can have."""
        first = self.first or 0
        return range(first, first + len(self.names) if self.names else (self.last or 0) + 1)


class SeenAt(_Strict):
    """Where the picture shows the fields (``ochibot.games.table.OnPicture``)."""

    field_at: dict[_Seat, _Point]
    cell: _Side
    height: _Side | None = None
    top: Annotated[int, Field(ge=0, le=32, strict=True)] | None = None
    screen: tuple[_Count, _Count] | None = None
    colors: dict[str, _Color] = {}


class TapFrames(_Strict):
    """For how many frames the game wants a button held (``hold``), and then released, so that it sees every press."""

    hold: Annotated[int, Field(ge=1, le=60, strict=True)] = 1
    release: Annotated[int, Field(ge=1, le=60, strict=True)] = 1


class SetFile(_Strict):
    """A file of a set: its name, size in bytes and CRC-32."""

    name: _Text
    size: Annotated[int, Field(ge=1, le=1 << 30, strict=True)]
    crc: Annotated[int, Field(ge=0, le=0xFFFF_FFFF, strict=True)]


_Sha1 = Annotated[str, Field(strict=True, pattern=r"^[0-9A-Fa-f]{40}$")]


class Recognised(_Strict):
    """How the ROMs of a shipped file's game are recognised.

    sha1: of the whole file, or of an NES ROM without its header. header: words of the ROM's own header, such as the
    number of a Mega Drive cartridge.
    """

    sha1: Annotated[tuple[_Sha1, ...], BeforeValidator(_several)] = ()
    header: Annotated[tuple[_Text, ...], BeforeValidator(_several)] = ()


class Others(_Strict):
    """How a shipped file treats ROMs that it isn't made for. With them, only public entries of a map are read.

    maps: the folder of the maps for these ROMs. note: the warning shown for them.
    """

    maps: _Text | None = None
    note: _Text = ""

    @field_validator("note", mode="before")
    @classmethod
    def _joined(cls, note: object) -> object:
        return _joined(note)


_PlainWord = Annotated[str, Field(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$")]
"""A name from which a file's name is made: it never leads to another folder."""
_Hashes = Annotated[tuple[_Sha1, ...], BeforeValidator(_several)]
_Options = dict[str, Option]


class GameFile(_Strict):
    """A whole game file. ``ochibot.games.filed.read`` has already made the paths of a user's file absolute."""

    game: str
    system: str = Field(
        description="nes, megadrive, neogeo, system_c2, gameboy, mastersystem, gamegear, snes, pcengine, gba or plain"
    )
    family: str = Field(description="puyo or nyaa")
    core: _Text | None = None
    core_options: dict[str, _Word] = {}
    rom: _File | None = None
    rom_name: _File = ""
    sha1: _Hashes = ()
    earlier_sha1: _Hashes = ()
    sets: dict[_PlainWord, tuple[SetFile, ...]] = {}
    known: Recognised = Recognised()
    soundless: _YesNo = False
    others: Others | None = None
    rules: _File = Field(description="the name of a shipped profile, such as famicom or tsu, or a rules file")
    player: _Text | None = None
    modes: dict[str, Mode] = Field(description="each mode with its maps, such as modes: {endless: {maps: [map.yaml]}}")
    solo: str | None = None
    versus: str | None = None
    map_games: tuple[_Text, ...] = ()
    codes: tuple[_Text, ...] | None = None
    spawn: Spawn | None = None
    orientations: dict[_Value, _Orientation] = {}
    phases: PhaseValues | None = None
    states: StateValues = StateValues()
    spawn_signs: tuple[_Text, ...] = ()
    buttons: dict[str, _Button] = {}
    options: _Options = {}
    versus_options: _Options | None = None
    defaults: dict[Literal["play", "battle", "versus"], dict[str, _Value]] = {}
    seed_frames: _Count = 1021
    menu: _Menu = None
    state: _File | None = None
    timing: dict[str, int | float | str | tuple[int, ...] | None] = {}
    tap: TapFrames = TapFrames()
    look: SeenAt | None = None
    note: Annotated[str, Field(strict=True), BeforeValidator(_joined), AfterValidator(_one_line)] = ""

    @field_validator("game")
    @classmethod
    def _plain_name(cls, name: str) -> str:
        if not re.fullmatch(r"\w[\w-]{0,63}", name):
            raise ValueError(f"give a name of letters, digits, _ and -, such as kumi, not {quoted(name)}")
        return name

    @field_validator("system")
    @classmethod
    def _known_system(cls, name: str) -> str:
        if not is_system(name):
            raise ValueError(f"there is no system {quoted(name)}; known are {', '.join(system_names())}")
        return name

    @field_validator("family")
    @classmethod
    def _known_family(cls, name: str) -> str:
        if not is_family(name):
            raise ValueError(f"there is no family {quoted(name)}; known are {', '.join(family_names())}")
        return name

    @field_validator("options", "versus_options")
    @classmethod
    def _option_names(cls, options: _Options | None) -> _Options | None:
        for name in options or ():
            if not name.isidentifier() or name == "mode":
                raise ValueError(f"{quoted(name)} can't be the name of an option; give one such as level")
        return options

    @model_validator(mode="after")
    def _modes_fit(self) -> GameFile:
        if not self.modes:
            raise ValueError("modes: give at least one, such as endless: {maps: [map.yaml]}")
        for mode in self.modes:
            if not re.fullmatch(r"\w[\w-]{0,63}", mode):
                raise ValueError(f"modes: give a name of letters, digits, _ and -, not {quoted(mode)}")
        for role in ("solo", "versus"):
            name = getattr(self, role)
            if name is not None and name not in self.modes:
                raise ValueError(f"{role}: there is no mode {quoted(name)}; modes has {brief(', '.join(self.modes))}")
        for command, chosen in self.defaults.items():
            for name in chosen:
                if name not in self.options and name not in (self.versus_options or {}):
                    raise ValueError(f"defaults.{command}.{brief(name)}: there is no such option")
        return self
