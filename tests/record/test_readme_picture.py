"""In the README's moving picture, a long chain from a committed record begins soon and is shown to its end."""

from __future__ import annotations

import pytest
import readme_picture
from ochibot.console import find_cores
from ochibot.games import find_game
from ochibot.record import Record
from PIL import Image, ImageSequence

from tests.record.make_records import RECORDS
from tests.titles import seat_of

FPS = 60
GAME = find_game("puyo")


@pytest.mark.skipif(not find_cores("fceumm"), reason="no fceumm core here (it comes with stable-retro)")
def test_a_chain_of_ten_or_more_begins_within_five_seconds_and_is_shown_to_its_end() -> None:
    record = Record.open(RECORDS / "chain-fceumm")
    first, last = readme_picture.shown(record)
    with record.console() as console:
        seat = seat_of(GAME, console)
        scores = [seat.score() for _ in record.replay(console, first, last)]
    gains = [frame for frame in range(1, len(scores)) if scores[frame] - scores[frame - 1] >= 40]
    assert len(gains) >= 10
    assert gains[0] < 5 * FPS
    assert FPS // 2 < len(scores) - gains[-1] < 3 * FPS
    path = readme_picture.ROOT / "docs/media/chain.gif"
    assert path.stat().st_size <= readme_picture.LARGEST
    with Image.open(path) as picture:
        lasts = sum(frame.info["duration"] for frame in ImageSequence.Iterator(picture))
    assert lasts == pytest.approx(1000 * (last - first + 1) / FPS, rel=0.02)
