"""truth.yaml checked in the running game: positions, turns, kicks, timings, and which copy of the field counts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from ochibot.console import Button

from tests.variants import NAMES, truth
from tests.variants.machine import Variant

TURN_CW = {"up": "right", "right": "down", "down": "left", "left": "up"}


@pytest.fixture(scope="module", params=NAMES)
def begun(request: pytest.FixtureRequest) -> Iterator[tuple[Variant, bytes]]:
    """Yields a variant, and a savestate from when its first pair answers the pad."""
    variant = Variant(request.param)
    try:
        variant.start()
        yield variant, variant.console.save()
    finally:
        variant.close()


@pytest.fixture
def game(begun: tuple[Variant, bytes]) -> Variant:
    variant, state = begun
    variant.console.load(state)
    return variant


def test_pairs_appear_where_it_says(game: Variant) -> None:
    spawn = game.truth["spawn"]
    assert (*game.axis, game.orientation) == (spawn["x"], spawn["y"], spawn["orientation"])


def test_the_pair_lands_in_its_colours(game: Variant) -> None:
    """The pair falls upright with its axis below, so where each half comes to rest shows which half it is."""
    axis, partner = game.colors("axis", "partner")
    following = game.colors("next_axis", "next_partner")
    game.until(lambda: game.phase == "settling", Button.DOWN)
    game.until(lambda: game.phase == "spawn")
    assert (game.code(3, 13), game.code(3, 12)) == (axis, partner)
    assert game.colors("axis", "partner") == following


def test_buttons_turn_as_it_says(game: Variant) -> None:
    game.until(lambda: game.axis[1] == 3, Button.DOWN)
    game.step()
    seen = "up"
    for _ in range(4):
        game.tap(game.button("rotate_cw"))
        seen = TURN_CW[seen]
        assert (game.orientation, game.axis[0]) == (seen, 3)
    game.tap(game.button("rotate_ccw"))
    assert game.orientation == "left"


def test_walls_push_the_pair_away_or_not(game: Variant) -> None:
    game.until(lambda: game.axis[0] == 1, Button.LEFT)
    game.step()
    game.tap(game.button("rotate_ccw"))
    assert (game.axis[0], game.orientation) == ((2, "left") if game.truth["kicks"] else (1, "up"))


def test_held_buttons_repeat_as_it_says(game: Variant) -> None:
    moved = []
    for frame in range(80):
        before = game.axis[0]
        game.step(Button.RIGHT)
        if game.axis[0] != before:
            moved.append(frame)
    repeat = game.truth["timing"]["auto_repeat"]
    assert moved == [0, repeat["first"], repeat["first"] + repeat["period"]]


def test_pairs_fall_as_it_says(game: Variant) -> None:
    timing = game.truth["timing"]
    assert game.game("level") == 1
    for pad, frames in ((Button.NONE, timing["fall"][0]), (Button.DOWN, timing["soft_drop"])):
        row = game.axis[1]
        game.until(lambda start=row: game.axis[1] > start, pad)  # type: ignore[misc]
        assert game.until(lambda start=row: game.axis[1] > start + 1, pad) == frames  # type: ignore[misc]


def test_pairs_lock_as_it_says(game: Variant) -> None:
    game.until(lambda: game.axis[1] == 12, Button.DOWN)
    game.until(lambda: game.axis[1] == 13)
    assert game.until(lambda: game.phase != "control") == game.truth["timing"]["lock_delay"]


def test_down_locks_sooner_as_it_says(game: Variant) -> None:
    timing = game.truth["timing"]
    game.until(lambda: game.axis[1] == 13, Button.DOWN)
    frames = game.until(lambda: game.phase != "control", Button.DOWN)
    assert frames == -(-timing["lock_delay"] // timing["lock_hurry"])


def test_the_next_pair_answers_when_it_says(game: Variant) -> None:
    game.until(lambda: game.phase == "spawn", Button.DOWN)
    assert game.console.ram[game.seat["spawning"]["address"]] == 1
    assert game.until(lambda: game.phase == "control") == game.truth["timing"]["spawn_delay"]
    assert game.console.ram[game.seat["spawning"]["address"]] == 0


def test_the_field_counts_and_its_decoys_do_not(game: Variant) -> None:
    """A puyo poked into the field stops the pair; one poked into a decoy does not."""
    ram = game.console.ram
    for decoy in game.truth["decoys"]:
        if decoy["of"] == "field" and decoy["seat"] == 1:
            for row in range(decoy["rows"]):
                ram[game.cell(3, row, decoy)] = 1
    game.poke(1, 13, "red")
    game.step(frames=2)
    assert [game.code(3, row) for row in range(14)] == ["empty"] * 14
    assert game.code(1, 13) == "red"
    game.until(lambda: game.axis[0] == 1, Button.LEFT)
    game.until(lambda: game.phase == "settling", Button.DOWN)
    assert game.axis == (1, 12)


CHAIN = """
. b . . . .
. b . . . .
b y . . . .
b g . g . .
r r . r g .
"""
"""The lowest five rows. A pair in column 3, red below green, sets off three steps, each of four puyos of a colour."""

COLORS = {"r": "red", "g": "green", "b": "blue", "y": "yellow"}


def test_a_chain_is_paid_as_it_says(game: Variant) -> None:
    for row, line in enumerate(CHAIN.split("\n")[1:-1], 9):
        for column, letter in enumerate(line.split(), 1):
            if letter in COLORS:
                game.poke(column, row, COLORS[letter])
    game.poke_pair("red", "green")
    game.until(lambda: game.phase == "settling", Button.DOWN)
    game.until(lambda: game.phase == "spawn")
    score = game.truth["score"]
    factors = [max(1, min(power, score["max_multiplier"])) for power in score["chain_power"][:3]]
    assert game.score() == score["unit"] * 4 * sum(factors)
    left = {(column, row): game.code(column, row) for column in range(1, 7) for row in range(14)}
    assert {cell: color for cell, color in left.items() if color != "empty"} == {(2, 13): "yellow"}


@pytest.mark.parametrize("begun", [name for name in NAMES if "decoy" in truth(name)["changes"]], indirect=True)
def test_the_mirror_is_a_frame_late(game: Variant) -> None:
    (mirror,) = (decoy for decoy in game.truth["decoys"] if decoy.get("lag"))
    ram, changes = game.console.ram, 0
    cells = [(column, row) for row in range(14) for column in range(1, 7)]
    field = [ram[game.cell(*cell)] for cell in cells]
    for _ in range(120):
        game.step(Button.DOWN)
        assert [ram[game.cell(*cell, mirror)] for cell in cells] == field
        now = [ram[game.cell(*cell)] for cell in cells]
        changes += now != field
        field = now
    assert changes >= 2


def test_nothing_else_in_ram_holds_the_field(game: Variant) -> None:
    """All of RAM is searched, after each of two pairs, for a copy of the field's bytes at the field's strides. Only the
    field and its decoys are found both times."""
    found: set[int] | None = None
    field = game.seat["field"]
    for _ in range(2):
        game.until(lambda: game.phase == "settling", Button.DOWN)
        game.until(lambda: game.phase == "spawn")
        game.step(frames=3)
        ram = bytes(game.console.ram[at] for at in range(0x800))
        cells = [game.cell(column, row) - field["address"] for row in range(field["top"], 14) for column in range(1, 7)]
        values = [ram[field["address"] + cell] for cell in cells]
        inside = range(-min(cells), 0x800 - max(cells))
        same = {at for at in inside if [ram[at + cell] for cell in cells] == values}
        found = same if found is None else found & same
    told = {decoy["address"] for decoy in game.truth["decoys"] if decoy["of"] == "field"}
    assert found is not None
    assert field["address"] in found
    assert found - told == {field["address"]}
