"""The engine's experiments do what they did when recorded.json was written, press by press: a change shows here."""

from __future__ import annotations

from typing import Any

import pytest

from tests.strangers.recorded import DRAFTS, HOW, WHOLE, read, record_draft, record_whole

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def recorded() -> dict[str, Any]:
    return read()


@pytest.mark.parametrize("name", WHOLE)
def test_a_game_of_the_family_is_learnt_as_it_was(name: str, recorded: dict[str, Any]) -> None:
    assert record_whole(WHOLE[name]) == recorded[name], HOW


@pytest.mark.parametrize("name", DRAFTS)
def test_a_game_of_other_rules_is_learnt_as_it_was(name: str, recorded: dict[str, Any]) -> None:
    assert record_draft(DRAFTS[name]) == recorded[name], HOW
