"""Ochibot: a bot that plays falling-block puzzle games on emulated consoles.

    import ochibot

    with ochibot.open("puyo", seed=1) as game:
        print(game.play(pieces=20).agreement)

``import ochibot`` is cheap: it loads no core, compiles nothing and imports neither numpy nor numba.
"""

from __future__ import annotations

from ochibot.version import __version__

# not imported from typing: that import takes time, and a command must install its signal handlers first
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ochibot.session import open_session as open

__all__ = ["__version__", "open"]


def __getattr__(name: str) -> Any:
    if name == "open":
        from ochibot.session import open_session

        return open_session
    raise AttributeError(f"module 'ochibot' has no attribute {name!r}")
