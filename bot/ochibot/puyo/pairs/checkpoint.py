"""Keeps the progress of a long search in a file, so that the search can be resumed."""

from __future__ import annotations

import time
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from ochibot.errors import ConfigError, OutputError
from ochibot.leftovers import make_folder, whole_file

if TYPE_CHECKING:
    from ochibot.puyo.pairs.search import Found

_EVERY: Final = 2.0
"""Seconds between two saves."""


class Checkpoint:
    """The file (.npz) of one search. name: identifies the search (``Search.name``)."""

    def __init__(self, path: Path, name: str) -> None:
        self.path = path
        self.name = name
        self._saved = time.monotonic()

    def load(self, found: Found) -> None:
        """Restores the progress from the file, if it exists. Raises ConfigError for a file that is no checkpoint, or
        that of another search.
        """
        if not self.path.exists():
            return
        try:
            with np.load(self.path) as saved:
                name, done, counts = str(saved["name"]), int(saved["done"]), saved["counts"].tolist()
                kept = [saved[f"kept{number}"].astype(np.uint32) for number in range(len(counts))]
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
            raise ConfigError(
                f"{self.path} is not the checkpoint of a search ({type(error).__name__}): remove it or give another"
            ) from None
        if name != self.name or len(counts) != len(found.counts) or not 0 <= done <= found.total:
            raise ConfigError(
                f"{self.path} is the checkpoint of another search (or of another version of Ochibot): remove it, or "
                "give another --checkpoint"
            )
        found.done, found.counts, found.kept = done, counts, [[part] for part in kept]

    def save_now_and_then(self, found: Found) -> None:
        """Writes the file, unless that (or the start) was less than two seconds ago. Raises OutputError."""
        if time.monotonic() - self._saved >= _EVERY:
            self.save(found)

    def save(self, found: Found) -> None:
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
