"""A game as a list of its placements, in a folder: what can be kept of a game whose emulator shows its memory only.

``placements.jsonl`` has a line of JSON about the game, and then one for each placement.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Self

from ochibot.errors import FieldError, OutputError, RecordError
from ochibot.falling.family import Family
from ochibot.review.following import Played

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

    def add(self, played: Played) -> None:
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

    def played(self, family: Family) -> list[Played]:
        """All of them. Raises RecordError for a damaged one."""
        return [self._played(number, said, family) for number, said in enumerate(self._lines, 2)]

    def _played(self, number: int, said: Any, family: Family) -> Played:
        try:
            snapshot, placement = family.from_notes(said["position"])  # type: ignore[attr-defined]
            numbers = {name: int(said[name]) for name in _NUMBERS}
            maybe: dict[str, Any] = {name: None if said[name] is None else int(said[name]) for name in _MAYBE}
        except (FieldError, KeyError, TypeError, ValueError):
            raise RecordError(f"{self.path}: line {number} is no placement: the file is damaged") from None
        return Played(snapshot=snapshot, placement=placement, **numbers, **maybe)
