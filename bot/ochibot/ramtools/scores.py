"""Where the score is: what rises with each step of a chain, and with nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain, islice, repeat
from typing import Final

import numpy as np

from ochibot.console import Button
from ochibot.ramtools.evidence import Sample
from ochibot.ramtools.image import Image
from ochibot.ramtools.kinds import KINDS, Kind
from ochibot.ramtools.rulefits import AGAIN, BASE, STEP_FRAMES, Bench, provoke

STEPS: Final = 4
"""Steps of the chain that is looked at."""

PROOF: Final = 12
"""Steps of the chain that proves a candidate."""

MOST_TRIED: Final = 8
"""Candidates that a second chain is provoked for."""


def find_score(bench: Bench, state: bytes, samples: Sequence[Sample], kind: str) -> tuple[int, Kind] | None:
    """(address, kind) of the score; None when nothing rises so. ``kind``: the map's, which is tried first.

    ``state``: a pair of two colours answers the pad. Counters that rise by the same at each step are no scores.
    """
    images = _by_steps(bench, state)
    if images is None:
        return None
    still = [image for sample in samples if sample.clean for image in (sample.start, sample.rest)]
    first = KINDS.get(kind, KINDS["u24le"])
    for each in (first, *(other for other in KINDS.values() if other.width >= 2 and other != first)):
        values = np.stack([each.everywhere(image) for image in images])
        rises = np.diff(values, axis=0)
        kept = (values >= 0).all(axis=0) & (rises > 0).all(axis=0) & (rises[0] != rises[-1])
        # a number that begins a byte too early rises by multiples of 256
        kept &= (rises % (100 if each.bcd else 256) != 0).any(axis=0)
        if still:
            looks = np.stack([each.everywhere(image) for image in still])
            kept &= (looks[::2] == looks[1::2]).all(axis=0)
        # of a counter for each digit or byte the low ones rise unsteadily: the score began at 0
        kept &= values[0] == 0
        # each step clears four puyos, and every score counts by the puyo
        part = rises * bench.score_scale
        whole = 4 * bench.rules.score_unit
        kept &= ((part % whole == 0) & (part <= whole * bench.rules.max_multiplier)).all(axis=0)
        places = sorted(np.flatnonzero(kept).tolist(), key=lambda place: int(rises[:, place].sum()))
        for place in places[:MOST_TRIED]:
            address = images[0].base + place
            if _rises_by_steps(bench, state, address, each):
                return address, each
    return None


def reader(address: int, kind: Kind, scale: int) -> Callable[[Image], int]:
    """Reads a score from an image."""
    return lambda image: kind.of_bytes(bytes(image[address + byte] for byte in range(kind.width))) * scale


def _rises_by_steps(bench: Bench, state: bytes, address: int, kind: Kind) -> bool:
    """Whether it rises exactly once with each step, whatever is shown in between."""
    trial = replace(bench, score=reader(address, kind, bench.score_scale))
    bench.lab.load(state)
    axis, _ = bench.colors.of_pair(bench.lab.lab.look())
    gains = provoke(trial, state, [(BASE, str(axis))], PROOF)
    return gains is not None and len(gains.rises) == PROOF


def _by_steps(bench: Bench, state: bytes) -> list[Image] | None:
    """RAM before a chain that is provoked, and after each of its steps; None when the field does something else."""
    lab = bench.lab
    lab.load(state)
    axis, _ = bench.colors.of_pair(lab.lab.look())
    bench.put(BASE, str(axis))
    images = [lab.lab.look()]
    waits = BASE
    down = chain(islice(repeat(lab.pads.down), 120), repeat(Button.NONE))
    for _ in range(STEP_FRAMES * STEPS):
        lab.lab.step(next(down))
        if bench.free(waits):
            # the score may be counted a little later than the group goes
            for _ in range(2):
                lab.lab.step()
            images.append(lab.lab.look())
            if len(images) > STEPS:
                return images
            bench.put(AGAIN, str(axis))
            waits = AGAIN
        if lab.sign.update():
            return None
    return None
