"""Lets libretro.py be imported on Python 3.11.0 to 3.11.3; Debian 12 has 3.11.2.

``dataclass`` gives a class without a docstring one that names the class's signature. If there is no signature, these
Pythons raise ValueError; later ones leave it out (https://github.com/python/cpython/issues/103449). The ctypes
structures of libretro.py 0.6 have neither docstring nor signature.
"""

from __future__ import annotations

import contextlib
import ctypes
import dataclasses
import inspect
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any


def _is_needed() -> bool:
    try:
        dataclasses.dataclass(init=False)(type("Structure", (ctypes.Structure,), {}))
    except ValueError:
        return True
    return False


def _signature(made: Any) -> inspect.Signature | str:
    try:
        return inspect.signature(made)
    except (TypeError, ValueError):
        return ""


@contextlib.contextmanager
def signatures_optional() -> Iterator[None]:
    """Inside the block, ``dataclass`` accepts classes without a signature, on every Python.

    Where it accepts them anyway, nothing is changed. Elsewhere the module ``dataclasses``, and no other, sees a copy of
    ``inspect`` until the block ends.
    """
    if not _is_needed():
        yield
        return
    seen = vars(dataclasses)
    seen["inspect"] = SimpleNamespace(**{**vars(inspect), "signature": _signature})
    try:
        yield
    finally:
        seen["inspect"] = inspect
