"""What a mechanism is, and ways to write one down."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.strangers.maker.spec import Spec

Changes = dict[str, Any]


@dataclass(frozen=True)
class Mechanism:
    """keys: what it decides; two that decide the same don't come together. share: of the games in which it is possible.

    rules: the rules in which it is possible (empty: all). kinds: of the kinds family, other and formulas. since: the
    first seed whose games may have it; those before are as they were when there was no such mechanism.
    """

    name: str
    doc: str
    keys: str
    holds: Callable[[Spec], bool]
    apply: Callable[[Random, Spec], Changes]
    share: float = 0.3
    rules: str = ""
    kinds: str = "family other"
    since: int = 0

    def suits(self, spec: Spec) -> bool:
        """Whether it is possible at all in such a game."""
        return spec.kind in self.kinds.split() and (not self.rules or spec.rules in self.rules.split())


def field_with(**changes: Any) -> Callable[[Random, Spec], Changes]:
    return lambda rng, spec: {"field": replace(spec.field, **{k: one_of(rng, v) for k, v in changes.items()})}


def score_with(**changes: Any) -> Callable[[Random, Spec], Changes]:
    return lambda rng, spec: {"score": replace(spec.score, **{k: one_of(rng, v) for k, v in changes.items()})}


def one_of(rng: Random, value: Any) -> Any:
    return rng.choice(value) if isinstance(value, list) else value


def setting(**changes: Any) -> Callable[[Random, Spec], Changes]:
    """Changes; of a list one is drawn."""
    return lambda rng, spec: {key: one_of(rng, value) for key, value in changes.items()}  # noqa: ARG005
