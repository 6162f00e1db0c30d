"""The picture reader on a few screenshots of our own game; ``python -m tests.ui.web.picture`` reads many."""

from __future__ import annotations

import base64
import random
from typing import TYPE_CHECKING

import pytest

from tests.ui.web.pagetools import new_context
from tests.ui.web.picture import LEAST_RIGHT, Tally, start, teach
from tests.ui.web.picturedata import shots
from tests.ui.web.picturemaking import made, without_board

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.mark.long
def test_screenshots_of_play_are_read(browser: Browser, address: str) -> None:
    context = new_context(browser)
    try:
        page = context.new_page()
        start(page, address)
        chance = random.Random(7)
        for shot in shots(7, 6):
            teach(page, shot, made(shot, chance))
        tally, chance = Tally(), random.Random(501)
        for shot in shots(501, 6):
            one = made(shot, chance)
            tally.add(shot, one, page.evaluate("read", base64.b64encode(one.file).decode()))
        counts = tally.as_dict()
        assert counts["right"] >= LEAST_RIGHT, counts  # type: ignore[operator]
        assert counts["false boards"] == 0
    finally:
        context.close()


@pytest.mark.long
@pytest.mark.parametrize("what", list(without_board(1)))
def test_there_is_no_board_where_there_is_none(browser: Browser, address: str, what: str) -> None:
    context = new_context(browser)
    try:
        page = context.new_page()
        start(page, address)
        assert page.evaluate("read", base64.b64encode(without_board(1)[what]).decode()) == []
    finally:
        context.close()
