"""Files of positions: .npz, which numpy reads, or Parquet, which most programs for tables read.

The columns of exported positions: their names, types and shapes.
"""

from __future__ import annotations

import hashlib
import importlib.util
import io
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ochibot.arrayfile import read_arrays
from ochibot.errors import UsageError
from ochibot.puyo.rules.field import COLUMNS, ROWS
from ochibot.puyo.search.locks import lock_order

SCHEMA: Final = 1
"""The version of the schema. It grows when a column changes its meaning."""

Arrays = dict[str, npt.NDArray[Any]]
"""Positions: an array for each column, all of one length."""


@dataclass(frozen=True)
class Column:
    """A column. type: numpy's name of it. shape: that of one position's entry. what: what it holds."""

    name: str
    type: str
    what: str
    shape: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """How many numbers an entry has."""
        return math.prod(self.shape)


SCHEMA_COLUMNS: Final = (
    Column("game", "int32", "the game, numbered from 0 in each file"),
    Column("piece", "int32", "the falling pair's number in its game, from 0"),
    Column("field", "uint8", "the cell codes, the hidden row first", (ROWS, COLUMNS)),
    Column("pair", "uint8", "the colours of the falling pair: axis, partner", (2,)),
    Column("next_pair", "uint8", "the colours of the next pair", (2,)),
    Column("owed", "bool", "whether the next chain brings the bonus for a field emptied before"),
    Column("legal", "uint32", "the legal placements: bit i for number i"),
    Column("best", "uint8", "the number of the player's placement"),
    Column("value", "float64", "the value that the player's search gives it"),
    Column("played", "uint8", "the number of the placement that was played"),
    Column("points", "int64", "the points that it made"),
    Column("chain", "uint8", "the steps of its chain, 0 if nothing cleared"),
    Column("rest", "int64", "the points from this position to the last one of its game, both included"),
    Column("left", "int32", "how many positions of its game come after this one"),
    Column("ended", "bool", "whether its game ended by a game over, and was not cut off"),
)


VALUES: Final = Column(
    "values", "float64", "with `--all-values`: the value of each placement, NaN if it isn't legal", (len(lock_order()),)
)


def columns_of(all_values: bool) -> tuple[Column, ...]:
    """The columns of an export. all_values: whether it has the values of all placements."""
    return (*SCHEMA_COLUMNS, VALUES) if all_values else SCHEMA_COLUMNS


def digest_of(positions: Mapping[str, npt.NDArray[Any]]) -> str:
    """The SHA-256 of positions: of the bytes of their columns, one after the other, little-endian.

    It doesn't depend on the file's format or on the versions of the libraries that wrote it.
    """
    digest = hashlib.sha256()
    for column in columns_of(VALUES.name in positions):
        array = positions[column.name]
        digest.update(np.ascontiguousarray(array, np.dtype(column.type).newbyteorder("<")).data)
    return digest.hexdigest()


def check_columns(positions: Mapping[str, npt.NDArray[Any]]) -> int:
    """The number of positions. Raises ValueError for columns of another type or shape."""
    count = len(positions["game"])
    for column in columns_of(VALUES.name in positions):
        array = positions[column.name]
        if array.dtype != np.dtype(column.type) or array.shape != (count, *column.shape):
            raise ValueError(f"the column {column.name} has another form")
    return count


NPZ: Final = "npz"
PARQUET: Final = "parquet"


def need(form: str) -> None:
    """Raises UsageError if files of this format can't be written or read here."""
    if form == PARQUET and importlib.util.find_spec("pyarrow") is None:
        raise UsageError("Parquet needs pyarrow: pip install 'ochibot[parquet]', or take --format npz")


def file_of(positions: Arrays, form: str) -> bytes:
    """The bytes of a file with these positions."""
    return _WRITERS[form](positions)


def _npz(positions: Arrays) -> bytes:
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=False, **positions)
    return file.getvalue()


def _parquet(positions: Arrays) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet

    table = pa.table({column.name: _arrow(positions, column) for column in columns_of(VALUES.name in positions)})
    file = io.BytesIO()
    pyarrow.parquet.write_table(table, file, compression="zstd")
    return file.getvalue()


def _arrow(positions: Arrays, column: Column) -> Any:
    """A column as Arrow has it: one with a shape is a list of fixed size, row by row."""
    import pyarrow as pa

    flat = pa.array(positions[column.name].reshape(-1))
    return pa.FixedSizeListArray.from_arrays(flat, column.size) if column.shape else flat


_WRITERS: Final[dict[str, Callable[[Arrays], bytes]]] = {NPZ: _npz, PARQUET: _parquet}


def read_file(path: Path, names: Iterable[str]) -> Arrays:
    """The columns with these names of a file, whose ending is its format. Raises ValueError, UsageError."""
    if path.suffix != f".{PARQUET}":
        return read_arrays(path, names)
    need(PARQUET)
    import pyarrow as pa
    import pyarrow.parquet

    wanted = set(names)
    try:
        table = pyarrow.parquet.read_table(path, columns=sorted(wanted))
        return {
            column.name: table[column.name]
            .combine_chunks()
            .flatten()
            .to_numpy(zero_copy_only=False)
            .reshape(-1, *column.shape)
            if column.shape
            else table[column.name].to_numpy()
            for column in columns_of(True)
            if column.name in wanted
        }
    except OSError as error:
        raise ValueError(error.strerror or "it is damaged") from None
    except (pa.ArrowException, KeyError, AttributeError) as error:
        raise ValueError(f"it is damaged ({type(error).__name__})") from None
