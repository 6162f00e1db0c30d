"""Makes strangers: falling-block games with drawn rules, layouts and timings, on a machine of plain Python.

``draw`` makes a ``Spec``, ``Stranger`` plays it, ``Truth`` says what its RAM means. Nothing here but ``console.py``
knows Ochibot.
"""

from tests.strangers.maker.drawing import draw, series
from tests.strangers.maker.machine import Stranger
from tests.strangers.maker.spec import Spec
from tests.strangers.maker.truth import Truth

__all__ = ["Spec", "Stranger", "Truth", "draw", "series"]
