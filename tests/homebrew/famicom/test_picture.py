"""Where the screens show numbers and icons: the tests change RAM, and check which part of the picture changes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from ochibot.console import Button, Console, find_core, find_cores, load_nes_rom

from tests.homebrew.famicom import driver
from tests.homebrew.famicom.machine import ROM

Picture = npt.NDArray[np.uint8]

SCORE, BLOCKS_LOW, BLOCKS_HIGH, PENDING, WINS = 0x7A, 0x695, 0x699, 0x715, 0x717
CROPPED = 8
"""How many pixels the core leaves out at each side."""

FIELDS = (slice(2, 14), slice(18, 30))
"""Tile columns of the fields. The pillar with its panels is between them."""

PILLAR = slice(14, 18)


@contextmanager
def playing(two_players: bool, core: str = "fceumm") -> Iterator[Console]:
    """A game on pause: nothing in the picture moves, so each change comes from what a test writes to RAM."""
    with Console.open(find_core("nes", core), load_nes_rom(ROM)) as console:
        driver.start(console, {}, two_players)
        for _ in range(60):
            console.step()
        console.step(Button.START)
        for _ in range(60):
            console.step()
        assert console.ram[driver.STATE] == driver.PAUSED
        yield console


def shown(console: Console, changes: dict[int, int]) -> Picture:
    """Writes these bytes to RAM. Returns the picture after 60 frames, when they have been drawn."""
    for address, value in changes.items():
        console.ram[address] = value
    for _ in range(60):
        console.step()
    return console.frame().copy()


def tiles(picture: Picture, rows: slice, columns: slice) -> Picture:
    """A part of the picture. Tiles are numbered from the corner of the whole, uncropped screen."""
    return picture[
        8 * rows.start - CROPPED : 8 * rows.stop - CROPPED, 8 * columns.start - CROPPED : 8 * columns.stop - CROPPED
    ]


def changed(before: Picture, after: Picture) -> tuple[slice, slice]:
    """The rows and columns of tiles in which two pictures differ."""
    rows, columns = np.nonzero((before != after).any(2))
    assert len(rows), "nothing has changed"
    box = [int(edge + CROPPED) // 8 for edge in (rows.min(), rows.max(), columns.min(), columns.max())]
    return slice(box[0], box[1] + 1), slice(box[2], box[3] + 1)


def inside(part: slice, whole: slice) -> bool:
    return bool(whole.start <= part.start and part.stop <= whole.stop)


def score_bytes(seat: int, stored: int) -> dict[int, int]:
    return {SCORE + 3 * seat + place: stored >> 8 * place & 0xFF for place in range(3)}


def test_each_score_stands_in_the_panel_below_its_field() -> None:
    with playing(True) as console:
        before = shown(console, {})
        bars = []
        for seat in (0, 1):
            after = shown(console, score_bytes(seat, 1234567))
            rows, columns = changed(before, after)
            assert rows == slice(28, 29)
            assert inside(columns, FIELDS[seat])
            bars.append(tiles(after, rows, columns))
            before = after
        assert (bars[0] == bars[1]).all()
        # no pixel is black: the panel has its own background, which hides a big puyo that sinks behind it
        digits = tiles(before, slice(28, 29), slice(5, 13))
        assert len(np.unique(digits.reshape(-1, 3), axis=0)) == 2
        assert digits.any(2).all()


def test_figures_stand_under_their_words() -> None:
    """Below WINS and below DUE, the first line shows the number of seat 1 and the next line that of seat 2."""
    with playing(True) as console:
        before = shown(console, {})
        for word, address in ((25, WINS), (15, PENDING)):
            for seat in (0, 1):
                after = shown(console, {address + seat: 88})
                line = tiles(before, slice(word + 1 + seat, word + 2 + seat), PILLAR)
                assert (line != tiles(after, slice(word + 1 + seat, word + 2 + seat), PILLAR)).any()
                other = slice(word + 2 - seat, word + 3 - seat)
                assert (tiles(before, other, PILLAR) == tiles(after, other, PILLAR)).all()
                rows, columns = changed(before, after)
                assert inside(columns, PILLAR)
                assert rows.start == word + 1 + seat
                before = after


def icons(picture: Picture, seat: int) -> list[Picture]:
    """The seat's three places for icons in the panel, 16 x 16 pixels each."""
    return [tiles(picture, slice(top, top + 2), slice(14 + 2 * seat, 16 + 2 * seat)) for top in (18, 20, 22)]


def test_waiting_nuisance_is_shown_as_icons() -> None:
    with playing(True) as console:
        seen = {}
        for number in (0, 1, 2, 3, 4, 6, 30):
            picture = shown(console, {PENDING: number, PENDING + 1: number})
            left, right = icons(picture, 0), icons(picture, 1)
            assert all((one == other).all() for one, other in zip(left, right, strict=True))
            seen[number] = left[0].tobytes()
            assert all(place.tobytes() == seen[0] for place in left[1:]), "one place is enough"
        assert len(set(seen.values())) == 7
        for number, parts in {5: (4, 1, 0), 7: (6, 1, 0), 45: (30, 6, 6), 17: (6, 6, 4), 66: (30, 30, 6)}.items():
            # the other seat's icons stay as they are
            kept = shown(console, {PENDING: 0, PENDING + 1: 6})
            picture = shown(console, {PENDING: number})
            assert [place.tobytes() for place in icons(picture, 0)] == [seen[part] for part in parts]
            assert all((a == b).all() for a, b in zip(icons(kept, 1), icons(picture, 1), strict=True))


def test_all_of_endless_figures_stand_in_their_panels() -> None:
    with playing(False) as console:
        before = shown(console, {})
        after = shown(console, score_bytes(0, 1234567))
        assert changed(before, after) == (slice(4, 5), slice(21, 28))
        last = shown(console, {BLOCKS_LOW: 0xFF, BLOCKS_HIGH: 0xFF})
        assert changed(after, last) == (slice(13, 14), slice(24, 29))


def test_every_item_is_apart_from_its_word() -> None:
    with Console.open(find_core("nes", "fceumm"), load_nes_rom(ROM)) as console:
        while console.ram[driver.STATE] != driver.TITLE:
            console.step()
        while console.ram[driver.STATE] != driver.MENU:
            driver.tap(console, Button.START)
        while console.ram[driver.MENU_ROW] != driver.OPTION_ROWS[driver.ITEMS]:
            driver.tap(console, Button.DOWN)
        looks = set()
        for _ in range(4):
            driver.tap(console, Button.RIGHT)
            line = tiles(console.frame(), slice(17, 18), slice(11, 27))
            gap = line[:, 8 * 4 : 8 * 5]
            assert (gap == gap[0, 0]).all()
            looks.add(line.tobytes())
        assert len(looks) == 4


def test_both_cores_show_the_same() -> None:
    """The pictures differ in their colours only: each colour of one core stands for one colour of the other."""
    if not find_cores("nestopia"):
        pytest.skip("no nestopia core here (apt package libretro-nestopia; see docs/install.md)")
    for two_players in (False, True):
        pictures = []
        for core in ("fceumm", "nestopia"):
            with playing(two_players, core) as console:
                # both cores get the same field and pairs: the game's own pairs depend on the frame of START
                poked = {driver.FIELD + 16 * row + 2 * column + 1: 1 + row % 7 for row in (11, 12) for column in (1, 4)}
                console.ram[0x67], console.ram[0x68], console.ram[0x69], console.ram[0x6A] = 1, 2, 3, 4
                picture = shown(console, {**poked, PENDING: 45, PENDING + 1: 3, **score_bytes(0, 98765)})
                high, wide = ((size - wanted) // 2 for size, wanted in zip(picture.shape, (224, 240), strict=False))
                pictures.append(
                    picture[high : high + 224, wide : wide + 240].reshape(-1, 3).astype(int) @ (65536, 256, 1)
                )
        pairs = set(zip(*(picture.tolist() for picture in pictures), strict=True))
        assert len(pairs) == len({one for one, _ in pairs}) == len({other for _, other in pairs}) > 6


def test_no_form_that_cc65_compiles_wrongly() -> None:
    """The version of cc65 that builds the cartridge compiles ``i-- != f`` in an expression wrongly."""
    wrong = re.compile(r"[\w\])](--|\+\+)\s*(!=|==|<|>)")
    assert wrong.search("while (i-- != f)")
    for source in Path(ROM.parent / "src").glob("*.c"):
        assert not wrong.search(source.read_text(encoding="ascii")), source.name
