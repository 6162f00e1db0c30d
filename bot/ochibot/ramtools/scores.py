"""Finds the score: the bytes that rise with each step of a chain, and with nothing else.

The score may be a multi-byte number (``kinds``), or a row of bytes with one decimal digit each. Any byte value may
stand for the digit 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ochibot.ramtools.bench import Bench
from ochibot.ramtools.evidence import Sample
from ochibot.ramtools.image import Image
from ochibot.ramtools.kinds import KINDS, Kind
from ochibot.ramtools.rulefits import AGAIN, BASE, STEP_FRAMES, provoke

STEPS: Final = 4
"""Steps of the first chain, in which candidates are sought."""

PROOF: Final = 12
"""Steps of the second chain, which proves or refutes a candidate."""

MOST_TRIED: Final = 8
"""The most candidates of each kind of number that are tested with a second chain."""

MOST_DIGITS: Final = 8
"""The most digits of a score."""

SCALES: Final = (1, 10, 100)
"""Factors by which a row of digits may have to be multiplied: a score's last zeros are often not in RAM."""


@dataclass(frozen=True)
class ScoreForm:
    """How RAM holds the score.

    address: the address of its first byte. scale: the points per unit of the stored value. kind: the number's kind; for
    a row of digits, how many there are and their order. zero: the byte that means the digit 0; None for a number.
    """

    address: int
    scale: int
    kind: Kind
    zero: int | None = None

    def read(self, image: Image) -> int:
        """The score in an image of RAM."""
        data = bytes(image[self.address + byte] for byte in range(self.kind.width))
        if self.zero is None:
            return self.kind.of_bytes(data) * self.scale
        digits = [byte - self.zero for byte in (data if not self.kind.little else data[::-1])]
        return int("".join(str(digit) if 0 <= digit <= 9 else "0" for digit in digits)) * self.scale

    def patch(self) -> dict[str, Any]:
        """The keys and values of a score entry in a RAM map."""
        said: dict[str, Any] = {"address": self.address}
        if self.zero is None and not self.kind.bcd:
            said["type"] = self.kind.name
        else:
            said |= {"digits": "bcd" if self.zero is None else "decimal", "count": self.kind.width}
            said |= {"zero": self.zero} if self.zero else {}
            said |= {"order": "low_first"} if self.kind.little else {}
        return {**said, "scale": self.scale}


def find_score(bench: Bench, state: bytes, samples: Sequence[Sample], kind: str) -> ScoreForm | None:
    """Finds the score; None when no bytes rise as a score does. ``kind``: the kind in the map, which is tried first.

    ``state``: a savestate in which a pair of two colours can be moved. ``samples``: recorded drops of pairs. Bytes that
    change during a drop that clears nothing aren't the score, nor are counters that rise equally at each step.
    """
    images = _by_steps(bench, state)
    if images is None:
        return None
    still = [image for sample in samples if sample.clean for image in (sample.start, sample.rest)]
    for form in (*_numbers(bench, images, still, kind), *_digits(bench, images, still)):
        if _rises_by_steps(bench, state, form):
            return form
    return None


def _plausible(bench: Bench, rises: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Which candidates for the score have risen as a score does. ``rises``: the points of each step, shape (steps, n).

    At each step four puyos clear, so each rise must be their points times at most ``max_multiplier``. The first and
    the last rise must differ. Returns n flags.
    """
    whole = 4 * bench.rules.score_unit
    kept = (rises > 0).all(axis=0) & (rises[0] != rises[-1])
    most = whole * bench.rules.max_multiplier
    result: npt.NDArray[np.bool_] = kept & ((rises % whole == 0) & (rises <= most)).all(axis=0)
    return result


def _numbers(bench: Bench, images: Sequence[Image], still: Sequence[Image], kind: str) -> Iterator[ScoreForm]:
    """Yields numbers of two bytes and more that rise as a score does, the map's kind first."""
    first = KINDS.get(kind, KINDS["u24le"])
    for each in (first, *(other for other in KINDS.values() if other.width >= 2 and other != first)):
        values = np.stack([each.everywhere(image) for image in images])
        rises = np.diff(values, axis=0)
        kept = (values >= 0).all(axis=0) & _plausible(bench, rises * bench.score_scale)
        # a number that begins a byte too early rises by multiples of 256
        kept &= (rises % (100 if each.bcd else 256) != 0).any(axis=0)
        if still:
            looks = np.stack([each.everywhere(image) for image in still])
            kept &= (looks[::2] == looks[1::2]).all(axis=0)
        # the score is 0 before the chain; this drops other numbers that happen to rise as a score does
        kept &= values[0] == 0
        places = sorted(np.flatnonzero(kept).tolist(), key=lambda place: int(rises[:, place].sum()))
        for place in places[:MOST_TRIED]:
            yield ScoreForm(images[0].base + place, bench.score_scale, each)


def _digits(bench: Bench, images: Sequence[Image], still: Sequence[Image]) -> Iterator[ScoreForm]:
    """Yields rows of digits that rise as a score does. Before the chain, all their digits are 0."""
    whole = np.stack([image.cells for image in images]).astype(np.int64)
    over = whole - whole[0]
    digit = ((over >= 0) & (over <= 9)).all(axis=0)
    moves = digit & (over > 0).any(axis=0)
    if still:
        looks = np.stack([image.cells for image in still])
        moves &= (looks[::2] == looks[1::2]).all(axis=0)
    size = whole.shape[1]
    for low in np.flatnonzero(moves).tolist():
        zero = int(whole[0, low])
        # up: the step in address from a digit to the next higher one
        for up in (-1, 1):
            below = low - up
            if 0 <= below < size and moves[below] and whole[0, below] == zero:
                continue
            for scale in SCALES:
                count = 1
                while (
                    count < len(str(bench.rules.score_cap // scale))
                    and 0 <= (here := low + up * count) < size
                    and digit[here]
                    and whole[0, here] == zero
                ):
                    count += 1
                places = [low + up * place for place in range(count)]
                values = sum(over[:, place] * 10**at for at, place in enumerate(places)) * scale
                if count > 1 and _plausible(bench, np.diff(values, axis=0)[:, None])[0]:
                    kind = Kind("digits", count, little=up > 0)
                    yield ScoreForm(images[0].base + min(places), scale, kind, zero)
                    break


def digit_rows(
    before: Sequence[Image], after: Sequence[Image], later: Sequence[Image], points: Sequence[int]
) -> ScoreForm | None:
    """Finds a row of bytes with one decimal digit each; None when there is none.

    ``before``, ``after``, ``later``: RAM at three moments of each experiment. The row must show 0 before, the
    experiment's ``points`` after, and the same points later.
    """
    zeros = np.stack([image.cells for image in before]).astype(np.int64)
    over = np.stack([image.cells for image in after]).astype(np.int64) - zeros
    kept = np.stack([one.cells == two.cells for one, two in zip(after, later, strict=True)]).all(axis=0)
    size = over.shape[1]
    for scale in SCALES:
        if any(value % scale for value in points):
            continue
        shown = np.array(points) // scale
        digits = [shown // 10**at % 10 for at in range(len(str(int(shown.max()))))]
        if len(digits) < 2:
            continue
        fits = [(over == digit[:, None]).all(axis=0) & kept for digit in digits]
        for up in (-1, 1):
            for low in np.flatnonzero(fits[0]).tolist():
                places = [low + up * at for at in range(len(digits))]
                if not all(0 <= place < size and fit[place] for place, fit in zip(places, fits, strict=True)):
                    continue
                if len(set(zeros[0, places].tolist())) > 1:
                    continue
                zero = int(zeros[0, low])
                # the bytes that showed 0 all the time, which may be higher digits
                still = (zeros[0] == zero) & ~over.any(axis=0)
                while len(places) < MOST_DIGITS and 0 <= (here := places[-1] + up) < size and still[here]:
                    places.append(here)
                return ScoreForm(before[0].base + min(places), scale, Kind("digits", len(places), little=up > 0), zero)
    return None


def _rises_by_steps(bench: Bench, state: bytes, form: ScoreForm) -> bool:
    """Whether the score in this form rises exactly once with each step of a second chain."""
    trial = replace(bench, score=form.read)
    bench.lab.load(state)
    axis, _ = bench.colors.of_pair(bench.lab.lab.look())
    gains = provoke(trial, state, [(BASE, str(axis))], PROOF)
    return gains is not None and len(gains.rises) == PROOF


def _by_steps(bench: Bench, state: bytes) -> list[Image] | None:
    """Provokes a chain. Returns RAM before it and after each step; None when it ends early or takes too long."""
    lab = bench.lab
    lab.load(state)
    axis, _ = bench.colors.of_pair(lab.lab.look())
    bench.put(BASE, str(axis))
    images = [lab.lab.look()]
    waits = BASE
    pads = bench.falling()
    for _ in range(STEP_FRAMES * STEPS):
        lab.lab.step(next(pads))
        if bench.free(waits):
            # the score may rise a frame or two after the group has vanished
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
