"""Settings for all tests: none fails for slowness, inherits an ignored Ctrl-C, or sees another test's games."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings
from ochibot import games
from ochibot.console.docless import signatures_optional

# Some tests import libretro.py themselves, and on Python 3.11.2 only this way works the first time.
with signatures_optional():
    import libretro  # noqa: F401

# By default Hypothesis fails an example that takes 200 ms, and a test that draws slowly. On a busy machine, any test
# may be that slow.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")

# A shell starts background jobs with Ctrl-C ignored, and every process that a test starts would inherit this: tests
# that interrupt a command would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
# nohup does the same with the hang-up of a terminal
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture(autouse=True)
def _no_games_of_other_tests() -> Iterator[None]:
    """After each test, forgets the games that it has loaded from files, so that no other test knows them."""
    before = dict(games._from_outside)
    yield
    games._from_outside.clear()
    games._from_outside.update(before)
