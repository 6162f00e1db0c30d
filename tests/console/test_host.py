"""What our host answers in libretro.py's place, because libretro.py would fail."""

from __future__ import annotations

import ctypes

import pytest
from libretro.api import retro_variable
from ochibot.console.host import Options
from ochibot.console.native import HostState, NativeCallbacks

GET_PERF_INTERFACE, GET_LOG_INTERFACE = 28, 27
"""libretro.h: RETRO_ENVIRONMENT_…"""

ADDRESS = retro_variable(b"octet", b"Address part 1 (client only); " + b"|".join(b"%d" % value for value in range(256)))
COLORS = retro_variable(b"colors", b"Colors; all|few")


@pytest.mark.parametrize(
    ("wanted", "value"),
    [({}, b"0"), ({"octet": "5"}, b"5"), ({"octet": "200"}, b"200"), ({"octet": "999"}, b"0")],
)
def test_an_option_may_have_more_values_than_libretro_py_has_room_for(wanted: dict[str, str], value: bytes) -> None:
    """Gambatte has four options of 256 values. libretro.py raised IndexError, so the core couldn't be opened."""
    options = Options({**wanted, "colors": "few"})
    options.set_variables([ADDRESS, COLORS])
    assert options.get_variable(b"octet") == value
    assert options.get_variable(b"colors") == b"few"
    options.set_variables(None)
    assert options.get_variable(b"octet") is None


def test_no_core_is_offered_performance_counters() -> None:
    """A core that asked for them (Mednafen PCE Fast) couldn't be opened, because libretro.py raised TypeError."""
    asked = []

    def answer(command: int, _: int | None) -> bool:
        asked.append(command)
        return True

    kind = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_uint, ctypes.c_void_p)
    fallback = kind(answer)
    address = ctypes.cast(fallback, ctypes.c_void_p).value
    assert address is not None
    callbacks = NativeCallbacks(HostState(), address)
    environment = kind(callbacks.address["environment"])
    assert environment(GET_PERF_INTERFACE, None) is False
    assert environment(GET_LOG_INTERFACE, None) is True
    assert asked == [GET_LOG_INTERFACE]
