"""Keeps the progress of a long search in a file, so that the search can be resumed."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from ochibot.arrayfile import read_arrays
from ochibot.errors import ConfigError, OutputError
from ochibot.leftovers import make_folder, whole_file
from ochibot.quoting import brief

if TYPE_CHECKING:
    from ochibot.puyo.pairs.search import FoundStates

_EVERY: Final = 2.0
"""Seconds between two saves."""


class Checkpoint:
    """The file (.npz) of one search. name: identifies the search (``Search.name``)."""

    def __init__(self, path: Path, name: str) -> None:
        self.path = path
        self.name = name
        self._saved = time.monotonic()

    def load(self, found: FoundStates) -> None:
        """Restores the progress from the file, if it exists. Raises ConfigError for a file that is no checkpoint, or
        that of another search.
        """
        if not self.path.exists():
            return
        try:
            saved = read_arrays(self.path, ("name", "done", "counts"))
            name, done = str(saved["name"]), int(saved["done"])
            counts = saved["counts"].astype(np.int64, casting="safe").tolist()
            if not isinstance(counts, list) or any(type(count) is not int or count < 0 for count in counts):
                raise ValueError("it has no counts")
            if name != self.name or len(counts) != len(found.counts) or not 0 <= done <= found.total:
                raise ConfigError(
                    f"{self.path} is the checkpoint of another search (or of another version of Ochibot): remove it, "
                    "or give another --checkpoint"
                )
            parts = read_arrays(self.path, [f"kept{number}" for number in range(len(counts))])
            kept = [part.astype(np.uint32, casting="same_kind") for part in parts.values()]
            if any(part.ndim != 1 for part in kept):
                raise ValueError("its states are no lists")
        except (ValueError, TypeError) as error:
            raise ConfigError(
                f"{self.path} is not the checkpoint of a search ({brief(str(error))}): remove it or give another"
            ) from None
        found.done, found.counts, found.kept = done, counts, [[part] for part in kept]

    def save_now_and_then(self, found: FoundStates) -> None:
        """Writes the file, unless that (or the start) was less than two seconds ago. Raises OutputError."""
        if time.monotonic() - self._saved >= _EVERY:
            self.save(found)

    def save(self, found: FoundStates) -> None:
        """Writes the file. Raises OutputError."""
        kept = {f"kept{number}": found.all_kept(number) for number in range(len(found.counts))}
        try:
            make_folder(self.path.parent)
            with whole_file(self.path) as partial, partial.open("wb") as file:
                np.savez(file, allow_pickle=False, name=self.name, done=found.done, counts=found.counts, **kept)
        except OSError as error:
            raise OutputError(
                f"can't write the checkpoint {self.path}: {error.strerror or error}; give another --checkpoint"
            ) from None
        self._saved = time.monotonic()

    def remove(self) -> None:
        """Deletes the file. Call it once the search is done. If the file can't be deleted, it is left there."""
        try:
            self.path.unlink(missing_ok=True)
        except OSError:
            return
