"""``dataclass`` as in Python 3.11.0 to 3.11.3, which raises ValueError for libretro.py's structures.

On later Pythons, a process of its own gets that ``dataclass`` back: it runs the standard library's module without the
exceptions that it catches since python/cpython#103449.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

CAUGHT = "except (TypeError, ValueError):"
OLDER = f"""
import ctypes, dataclasses, inspect, sys
source = inspect.getsource(dataclasses)
if sys.version_info >= (3, 11, 4):
    assert source.count({CAUGHT!r}) == 1
exec(compile(source.replace({CAUGHT!r}, "except ():"), dataclasses.__file__, "exec"), vars(dataclasses))

def structure():
    return dataclasses.dataclass(init=False)(type("Structure", (ctypes.Structure,), {{}}))

def fails():
    try:
        structure()
    except ValueError as error:
        assert "no signature found" in str(error), error
        return True
    return False

assert fails()
"""


def run(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_host_of_the_cores_is_imported_on_an_older_python() -> None:
    run(OLDER + "import ochibot.console.host\nassert dataclasses.inspect is inspect and fails()")


@pytest.mark.parametrize("leaving", ["pass", "raise KeyError"])
def test_dataclass_accepts_structures_inside_the_block_only(leaving: str) -> None:
    shown = run(
        f"""{OLDER}
import contextlib
from ochibot.console.docless import signatures_optional

class Point:
    x: int
    y: int = 2

with contextlib.suppress(KeyError), signatures_optional():
    print(structure().__doc__, dataclasses.dataclass(Point).__doc__)
    try:
        inspect.signature(ctypes.Structure)
    except ValueError:
        print("other modules see inspect as it is")
    {leaving}
assert dataclasses.inspect is inspect and fails()
"""
    )
    assert shown == "Structure Point(x: int, y: int = 2)\nother modules see inspect as it is\n"


def test_where_dataclass_accepts_structures_nothing_is_changed() -> None:
    run(
        """
import dataclasses, inspect, sys
from ochibot.console.docless import signatures_optional
with signatures_optional():
    assert (dataclasses.inspect is inspect) == (sys.version_info >= (3, 11, 4))
"""
    )
