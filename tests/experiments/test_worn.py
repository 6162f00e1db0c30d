"""Codes that turn with the piece: what one half shows completes what the other shows."""

from __future__ import annotations

from ochibot.experiments.worn import _agree, _as_other


def test_the_halves_of_a_capsule_have_the_same_codes() -> None:
    """Three colours, four codes each. The near half was never of the third colour."""
    near = {code: code // 4 for code in range(8)}
    far = {code: code // 4 for code in range(12)}
    assert _agree(near, far)
    assert not _agree(near, {**far, 3: 2})
    assert not _agree(near, {code + 6: kind for code, kind in far.items()})


def test_a_code_means_the_opposite_way_on_the_other_half() -> None:
    """A code looks up on the near half where the far one looks down."""
    words = ("up", "right", "down", "left")
    near = {code: {words[code % 4]} for code in range(8)}
    far = {code: {words[(code + 2) % 4]} for code in range(12)}
    assert _as_other(near, far) == {code: {words[code % 4]} for code in range(12)}
