"""What our host answers in libretro.py's place, because libretro.py would fail."""

from __future__ import annotations

import copy
import ctypes

import pytest
from libretro.api import retro_variable
from libretro.api.options import retro_core_option_v2_definition, retro_core_option_value
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


def test_a_copied_option_has_all_that_the_core_declared() -> None:
    declared = retro_core_option_v2_definition(key=b"speed", desc=b"Speed", category_key=b"play", default_value=b"two")
    for place, (value, label) in enumerate([(b"one", b"1"), (b"two", None), (b"three", b"3")]):
        declared.values[place] = retro_core_option_value(value, label)

    copied = copy.deepcopy(declared)

    for name in ("key", "desc", "desc_categorized", "info", "info_categorized", "category_key", "default_value"):
        assert getattr(copied, name) == getattr(declared, name)
    pairs = [[(one.value, one.label) for one in option.values] for option in (copied, declared)]
    assert pairs[0] == pairs[1]
    assert len(pairs[0]) == 128
    declared.values[0] = retro_core_option_value(b"changed", None)
    assert copied.values[0].value == b"one"
