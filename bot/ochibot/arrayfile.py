"""Reads files of arrays (.npz) that may come from anywhere: their contents are data, and nothing in them runs."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

MOST_BYTES: Final = 256 << 20
"""The most bytes that the arrays of a file may have, unpacked."""


def read_arrays(path: Path, names: Iterable[str]) -> dict[str, npt.NDArray[Any]]:
    """The arrays with these names. Objects are never unpickled. Raises ValueError for a file that can't be used, also
    when it can't be opened.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(info.file_size for info in archive.infolist()) > MOST_BYTES:
                raise ValueError("its arrays are too large")
        with np.load(path, allow_pickle=False) as saved:
            return {name: saved[name] for name in names}
    except KeyError as error:
        raise ValueError(f"it lacks an array: {error.args[0]}") from None
    except OSError as error:
        raise ValueError(error.strerror or str(error)) from None
    except (EOFError, zipfile.BadZipFile, zlib.error, MemoryError, RuntimeError, TypeError, SyntaxError) as error:
        raise ValueError(f"it is damaged ({type(error).__name__})") from None
