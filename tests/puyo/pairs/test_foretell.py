"""What comes next is foretold in time that grows with the number of candidates."""

from __future__ import annotations

from collections import Counter

from ochibot.puyo.pairs.observation import _shares


class Summed(Counter[str]):
    """A counter that counts how often it is summed up."""

    sums = 0

    def total(self) -> int:
        self.sums += 1
        return super().total()


def test_the_candidates_are_summed_up_once() -> None:
    """They were once summed up for each continuation, which took minutes for 200,000 candidates."""
    counts = Summed({f"{number:05}": 1 + number % 3 for number in range(3000)})
    shares = _shares(counts)
    assert counts.sums == 1
    assert abs(sum(share for _, share in shares) - 1) < 1e-9
    assert shares[0] == ("00002", 3 / 6000)
    assert shares[-1] == ("02997", 1 / 6000)
