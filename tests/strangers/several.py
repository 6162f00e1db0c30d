"""Dull family games with several mechanisms together."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from tests.strangers.maker import Spec, draw
from tests.strangers.maker.drawing import faults
from tests.strangers.maker.mechanisms import mechanism


def several(seed: int, *names: str, **more: Any) -> Spec:
    """A dull family game with these mechanisms together, and other values. Raises ValueError for what can't be."""
    spec, rng = replace(draw(seed, "family", names[0]), **more), Random(seed)
    for name in names[1:]:
        spec = replace(spec, **mechanism(name).apply(rng, spec))
    if wrong := faults(spec):
        raise ValueError(f"these mechanisms don't go together: {', '.join(wrong)}")
    if missing := {*names} - spec.mechanisms:
        raise ValueError(f"one mechanism undoes another: {', '.join(sorted(missing))}")
    return spec
