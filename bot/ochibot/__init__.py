"""Ochibot: a bot that plays falling-block puzzle games on emulated consoles.

``import ochibot`` is cheap: it loads no core, compiles nothing and imports neither numpy nor numba.
"""

__version__ = "0.1.0"
