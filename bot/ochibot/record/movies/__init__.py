"""Movies: the buttons pressed from power-on, in the formats of other emulators (docs/movies.md)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ochibot.errors import MovieError
from ochibot.leftovers import written
from ochibot.record.movies.bk2 import read_bk2, write_bk2
from ochibot.record.movies.fm2 import read_fm2, write_fm2
from ochibot.record.movies.movie import SYSTEM, Movie, RomHashes, movie_of, play

__all__ = ["Movie", "RomHashes", "movie_of", "play", "read_movie", "write_movie"]

_READ: dict[str, Callable[[Path], Movie]] = {".fm2": read_fm2, ".bk2": read_bk2}
_WRITE: dict[str, Callable[[Movie], bytes]] = {".fm2": write_fm2, ".bk2": write_bk2}


def check_kind(path: Path) -> None:
    """Raises MovieError unless the file has the ending of a movie format that we read."""
    if path.suffix.lower() not in _READ:
        raise MovieError(f"{path} is no movie by its ending: give a file that ends in {' or '.join(_READ)}")


def read_movie(path: Path) -> Movie:
    """Reads a .fm2 or .bk2 file. Raises MovieError naming the file and, where possible, the line."""
    check_kind(path)
    return _READ[path.suffix.lower()](path)


def write_movie(movie: Movie, path: Path) -> None:
    """Writes a .fm2 or .bk2 file, whole or not at all. Raises MovieError for another ending, OutputError."""
    check_kind(path)
    if movie.system != SYSTEM and path.suffix.lower() == ".fm2":
        raise MovieError(f"{path}: .fm2 movies are of the Famicom alone; give a file that ends in .bk2")
    data = _WRITE[path.suffix.lower()](movie)
    with written(path, "the movie ", "make room or give another path") as partial:
        partial.write_bytes(data)
