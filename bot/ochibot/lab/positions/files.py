"""Files of positions: .npz, which numpy reads, or Parquet, which most programs for tables read."""

from __future__ import annotations

import importlib.util
import io
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

import numpy as np

from ochibot.arrayfile import read_arrays
from ochibot.errors import UsageError
from ochibot.lab.positions.columns import VALUES, Arrays, Column, columns_of

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
