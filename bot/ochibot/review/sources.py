"""What can be reviewed: our records, movies of other emulators, replays of RetroArch. All are replayed in the core.

A game as a list of its placements, in a folder: what can be kept of a game whose emulator shows its memory only.

``placements.jsonl`` has a line of JSON about the game, and then one for each placement.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from ochibot.console import Console, HostedConsole, Rom, find_core, find_system
from ochibot.errors import (
    ConsoleError,
    FieldError,
    MapError,
    MovieError,
    OchibotError,
    OutputError,
    RecordError,
    UsageError,
)
from ochibot.falling.family import Family
from ochibot.games import Game, find_game, game_names
from ochibot.games.choosing import core_opener, find_rules, maps_of
from ochibot.games.protocols import AnySeat
from ochibot.record import Record
from ochibot.record.machine import own_title
from ochibot.record.movies import Movie, play, read_movie
from ochibot.record.movies.movie import BOOT_FRAMES, delayed
from ochibot.record.movies.replay import ENDING, is_replay, read_replay
from ochibot.review.following import FollowedPlacement, Follower
from ochibot.wording import counted

MOVIES: Final = (".fm2", ".bk2")
KINDS: Final = (*MOVIES, ENDING)
"""The endings of files that can be reviewed."""

Progress = Callable[[int, int], None]
"""Called with the number of frames replayed, and of all frames."""


@dataclass(frozen=True, slots=True)
class Followed:
    """All placements of a game in order. losers: (frame, seat) of rounds that were lost. unread: pieces that couldn't
    be read.
    """

    placements: list[FollowedPlacement]
    losers: list[tuple[int, int]]
    unread: int


Opened = tuple[list[list[AnySeat]], Iterator[Sequence[int]]]
"""The seats of each mode that the game may be in, and a replay: it yields both ports' pads after each frame."""


@dataclass
class Source:
    """A game to review. kind: whether the file is a record, a movie, a replay or a list of placements. game, rules:
    what it is of. frames: how many there are (of a list: placements). identity: what tells it from other games. note:
    what else there is to say of it.
    """

    path: Path
    kind: str
    game: Game
    rules: Any
    frames: int
    identity: dict[str, Any]
    _follow: Callable[[Progress, Callable[[], bool]], Followed]
    note: str | None = None

    def follow(self, progress: Progress, stopped: Callable[[], bool]) -> Followed:
        """Replays the game, and finds all placements. Raises KeyboardInterrupt when ``stopped()`` returns true."""
        return self._follow(progress, stopped)


def _replayed(frames: int, opened: Callable[[ExitStack], Opened]) -> Callable[[Progress, Callable[[], bool]], Followed]:
    """How a game is followed that is replayed in a core."""

    def follow(progress: Progress, stopped: Callable[[], bool]) -> Followed:
        with ExitStack() as stack:
            modes, replay = opened(stack)
            followers = [Follower(seats) for seats in modes]
            found: list[list[FollowedPlacement]] = [[] for _ in followers]
            for frame, pads in enumerate(replay, 1):
                for number, follower in enumerate(followers):
                    placements = follower.frame(frame, pads)
                    if follower.active:
                        found[number] += placements
                if frame % 256 == 0:
                    progress(frame, frames)
                    if stopped():
                        raise KeyboardInterrupt
        most = max(range(len(followers)), key=lambda number: len(found[number]))
        return Followed(found[most], followers[most].losers, followers[most].unread)

    return follow


def open_source(
    path: Path,
    *,
    game: Path | str | None = None,
    rom: Path | None = None,
    core: str | None = None,
    system: Path | None = None,
    rules: Path | str | None = None,
) -> Source:
    """Opens a record (a folder), a movie or a replay of RetroArch (files). ``game``: that of a file; None: one of ours
    whose ROM it is.

    Raises the errors of records and movies, and GameError, RomError and ConfigError for what can't be found.
    """
    if path.is_dir():
        if (path / FILE).is_file():
            return _placements(path, game, rules)
        return _record(path, rom, core, system, rules)
    ending = path.suffix.lower()
    if is_replay(path) or ending == ".bsv":
        return _replay(path, game, rom, core, system, rules)
    if path.exists() or ending in MOVIES:
        return _movie(path, game, rom, core, system, rules)
    raise UsageError(f"there is no game at {path}: give a record's folder, or a file that ends in {', '.join(KINDS)}")


def _placements(path: Path, game: Path | str | None, rules: Path | str | None) -> Source:
    kept = Placements.open(path)
    if game is None and kept.game not in game_names():
        raise RecordError(f"{path} is of a game that isn't known here: give its game file with --game")
    title = find_game(kept.game if game is None else str(game))
    # a file that somebody else made names no file of this machine
    shipped = kept.rules in title.family.rules_names()
    used = find_rules(title, rules if rules is not None else kept.rules if shipped else None)
    found = kept.played(title.family)
    identity = {"placements": path.name, "count": len(found), "rules": used.name}
    return Source(path, "placements", title, used, len(found), identity, lambda *_: Followed(found, [], 0))


def _record(path: Path, rom: Path | None, core: str | None, system: Path | None, rules: Path | str | None) -> Source:
    record = Record.open(path)
    found = own_title(record.manifest, path)
    if found is None:
        raise RecordError(f"{path}: its game isn't known here; install it, or make the record anew with its game file")
    title, own = found
    used = own if rules is None else find_rules(title, rules)
    maps = record.manifest.about.maps
    if not maps:
        raise RecordError(
            f"{path} keeps no map of a seat, so nothing can be read from it: record it with play or battle"
        )

    def opened(stack: ExitStack) -> Opened:
        console = stack.enter_context(record.console(rom, core, system=system))
        seats = [title.seat(one, console.ram, used) for one in maps]

        def frames() -> Iterator[Sequence[int]]:
            for _, pads in zip(record.replay(console), record.pads(), strict=False):
                yield pads

        return [seats], frames()

    identity = {"record": path.name, "frames": record.frames, "rom": record.manifest.rom.sha1, "rules": used.name}
    return Source(path, "record", title, used, record.frames, identity, _replayed(record.frames, opened))


def _movie(
    path: Path,
    game: Path | str | None,
    rom: Path | None,
    core: str | None,
    system: Path | None,
    rules: Path | str | None,
) -> Source:
    movie = read_movie(path)
    row = find_system(movie.system)
    title, image = _title_of(path, movie, game, rom, system)
    used = find_rules(title, rules)

    def opened(stack: ExitStack) -> Opened:
        console = stack.enter_context(Console.open(find_core(row.name, core), image, options=row.options))

        def frames() -> Iterator[Sequence[int]]:
            played = delayed(movie, -BOOT_FRAMES.get(console.core_name, 0))
            for pads, _ in zip(played.pads, play(movie, console), strict=False):
                yield pads

        return _modes(title, image, console, used), frames()

    identity = {"movie": path.name, "frames": len(movie.pads), "rom": image.sha1, "rules": used.name}
    return Source(path, "movie", title, used, len(movie.pads), identity, _replayed(len(movie.pads), opened))


def _replay(
    path: Path,
    game: Path | str | None,
    rom: Path | None,
    core: str | None,
    system: Path | None,
    rules: Path | str | None,
) -> Source:
    replay = read_replay(path)
    title, image = _title_of(path, Movie((), rom_hash=f"{replay.crc:08x}", system=""), game, rom, system)
    used = find_rules(title, rules)

    def opened(stack: ExitStack) -> Opened:
        console = stack.enter_context(core_opener(title, core)(image))
        try:
            console.try_state(replay.state)
        except ConsoleError as error:
            raise ConsoleError(
                f"the savestate in {path} can't be used: {error}; give the core that made it with --core"
            ) from None

        def frames() -> Iterator[Sequence[int]]:
            # some cores load a savestate reliably only after they have run one frame
            console.step()
            console.load(replay.state)
            states = replay.states()
            checkpoint = next(states, None)
            for at, pads in enumerate(replay.pads):
                console.step(*pads)
                if checkpoint is not None and checkpoint[0] == at:
                    # RetroArch doesn't write down that the game was reset
                    if console.save() != checkpoint[1]:
                        console.load(checkpoint[1])
                    checkpoint = next(states, None)
                yield pads

        return _modes(title, image, console, used), frames()

    identity = {"movie": path.name, "frames": len(replay.pads), "rom": image.sha1, "rules": used.name}
    note = None if replay.whole else f"it is cut short after {counted(len(replay.pads), 'frame')}"
    return Source(path, "replay", title, used, len(replay.pads), identity, _replayed(len(replay.pads), opened), note)


def _modes(title: Game, image: Rom, console: HostedConsole, rules: Any) -> list[list[AnySeat]]:
    """The seats of each mode that the game may be in."""
    modes = dict.fromkeys(mode for mode in (title.solo_mode, title.versus_mode) if _has(title, mode))
    return [[title.seat(one, console.ram, rules) for one in maps_of(title, image, mode, {})] for mode in modes]


def _has(title: Game, mode: str) -> bool:
    """Whether a title has maps of a mode."""
    try:
        return bool(title.map_names(mode))
    except MapError:
        return False


def _title_of(
    path: Path, movie: Movie, game: Path | str | None, rom: Path | None, system: Path | None
) -> tuple[Game, Rom]:
    """The title of a movie and its ROM."""
    if game is not None:
        title = find_game(str(game))
        return title, title.open_rom(rom, system)
    for name in game_names():
        try:
            title = find_game(name)
            if movie.system and title.system != movie.system:
                continue
            image = title.open_rom(rom, system)
        except OchibotError:
            continue
        if movie.is_for(image):
            return title, image
    raise MovieError(
        f"{path} is of no game that is known here ({movie.rom_name!r}): give its game with --game, its ROM with --rom"
    )


FILE: Final = "placements.jsonl"
_FORMAT, _VERSION = "ochibot placements", 1
_MOST_BYTES: Final = 256 << 20
_NUMBERS: Final = ("seat", "round", "number", "frame", "locked", "needed", "taken")
_MAYBE: Final = ("presses", "least")


class PlacementLog:
    """Writes the placements of a running game. What was written stays valid whatever happens then."""

    def __init__(self, folder: Path, game: str, rules: str, family: Family) -> None:
        """``game``, ``rules``: their names. Raises OutputError for a folder that isn't new or empty."""
        from ochibot.record.recorder import prepare_folder

        prepare_folder(folder)
        self.folder, self._family = folder, family
        self.kept = 0
        self._write({"format": _FORMAT, "version": _VERSION, "game": game, "rules": rules})

    def add(self, played: FollowedPlacement) -> None:
        """Adds a placement. Raises OutputError."""
        said = {name: getattr(played, name) for name in (*_NUMBERS, *_MAYBE)}
        note: dict[str, Any] = self._family.noted(played.snapshot, played.placement)  # type: ignore[attr-defined]
        self._write({**said, "position": note})
        self.kept += 1

    def _write(self, said: Mapping[str, Any]) -> None:
        try:
            with (self.folder / FILE).open("a", encoding="utf-8") as file:
                file.write(json.dumps(said) + "\n")
        except OSError as error:
            raise OutputError(f"can't write {self.folder / FILE}: {error.strerror or error}; make room") from None


class Placements:
    """Placements that were kept. game, rules: the names of both. An unfinished last line is left out."""

    def __init__(self, path: Path, game: str, rules: str, lines: list[Any]) -> None:
        self.path, self.game, self.rules = path, game, rules
        self._lines = lines

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Raises RecordError for anything else."""
        path = folder / FILE
        try:
            if path.stat().st_size > _MOST_BYTES:
                raise RecordError(f"{path} is too large for a game")
            text = path.read_text(encoding="utf-8")
            lines = [json.loads(line) for line in text.split("\n")[:-1]]
            head = lines[0]
            if (head["format"], head["version"]) != (_FORMAT, _VERSION):
                raise RecordError(f"{path} is of another version of Ochibot, or of another program")
            return cls(path, str(head["game"]), str(head["rules"]), lines[1:])
        except OSError as error:
            raise RecordError(f"can't read {path}: {error.strerror or error}") from None
        except (ValueError, KeyError, TypeError, IndexError):
            raise RecordError(f"{path} is damaged: no list of placements") from None

    def played(self, family: Family) -> list[FollowedPlacement]:
        """All of them. Raises RecordError for a damaged one."""
        return [self._played(number, said, family) for number, said in enumerate(self._lines, 2)]

    def _played(self, number: int, said: Any, family: Family) -> FollowedPlacement:
        try:
            snapshot, placement = family.from_notes(said["position"])  # type: ignore[attr-defined]
            numbers = {name: int(said[name]) for name in _NUMBERS}
            maybe: dict[str, Any] = {name: None if said[name] is None else int(said[name]) for name in _MAYBE}
        except (FieldError, KeyError, TypeError, ValueError):
            raise RecordError(f"{self.path}: line {number} is no placement: the file is damaged") from None
        return FollowedPlacement(snapshot=snapshot, placement=placement, **numbers, **maybe)
