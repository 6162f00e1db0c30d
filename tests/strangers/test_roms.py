"""Strangers as ROMs: the program in the real core does what the machine in Python does, byte by byte, step by step."""

from __future__ import annotations

import shutil
from itertools import count
from pathlib import Path
from random import Random

import pytest

from tests.strangers.beside import Beside
from tests.strangers.build import HERE, build_family
from tests.strangers.cartridge import PROGRAM, Cartridge, refused
from tests.strangers.maker import Spec, Truth, draw
from tests.strangers.maker.drawing import faults
from tests.strangers.maker.mechanisms import NAMES
from tests.strangers.maker.player import Player

SEEDS = 30


def playable(kind: str = "family") -> list[Spec]:
    """The first games of a series that the program can play."""
    found: list[Spec] = []
    for seed in count():
        spec = draw(seed, kind)
        if refused(spec) is None:
            found.append(spec)
        if len(found) == SEEDS:
            return found
    raise AssertionError


def alone() -> list[Spec]:
    """A dull game for each mechanism that the program knows."""
    found = []
    for name in NAMES:
        try:
            spec = draw(1, "family", name)
        except ValueError:
            continue
        if refused(spec) is None:
            found.append(spec)
    return found


@pytest.mark.parametrize("only", ["heights", "bounces", "score_bcd"])
def test_a_rom_plays_as_the_machine_does(only: str) -> None:
    with Beside(draw(1, "family", only)) as both:
        assert Player(both.game).play(3).pieces == 3
        assert both.steps > 200


@pytest.mark.long
@pytest.mark.parametrize(
    "spec",
    [pytest.param(spec, marks=pytest.mark.proof if at >= 12 else ()) for at, spec in enumerate(playable())],
    ids=lambda spec: str(spec.seed),
)
def test_thirty_strangers_do_the_same_in_the_core(spec: Spec) -> None:
    with Beside(spec) as both:
        played = Player(both.game).play(40)
    assert (played.pieces, played.problems) == (40, [])


@pytest.mark.proof
@pytest.mark.long
def test_each_mechanism_alone_does_the_same_in_the_core() -> None:
    specs = alone()
    for spec in specs:
        with Beside(spec) as both:
            Player(both.game).play(12)
    assert len(specs) > 85


@pytest.mark.long
@pytest.mark.parametrize("seed", range(12))
def test_any_buttons_do_the_same_in_the_core(seed: int) -> None:
    """Menus, names, pauses, demos, the ends of games, and the reset button."""
    spec = playable()[seed]
    rng, modes = Random(seed), set()
    with Beside(spec) as both:
        for _ in range(400):
            mask = rng.choice((0, 0, 1, 4, 8, 8, 16, 32, 32, 64, 128, 256, 256 + 64, rng.randrange(512)))
            for _ in range(rng.choice((1, 2, 14, 40))):
                both.game.step(mask)
            modes.add(Truth(both.game).mode)
            if rng.random() < 0.005:
                both.reset()
    assert {"title", "play"} <= modes


def test_what_the_program_does_not_know_is_refused_with_the_reason() -> None:
    for only, why in (("masks", "no field of masks"), ("opponent", "one seat"), ("unseen", "nobody sees")):
        with pytest.raises(ValueError, match=f"family 1 can't be a ROM: .*{why}"):
            Cartridge(draw(1, "family", only))
    with pytest.raises(ValueError, match="other 1 can't be a ROM: it knows the rules of pairs alone"):
        Cartridge(draw(1, "other"))
    assert not any(faults(spec) for spec in alone())


def test_a_battery_is_only_in_the_games_that_keep_their_field_there() -> None:
    assert Cartridge(draw(1, "family", "cartridge")).rom[6] & 2
    assert not Cartridge(draw(1, "family", "heights")).rom[6] & 2


@pytest.mark.skipif(shutil.which("cc65") is None, reason="cc65 isn't installed")
def test_the_program_is_what_its_sources_make(tmp_path: Path) -> None:
    build_family(tmp_path)
    assert (tmp_path / "family.nes").read_bytes() == PROGRAM.read_bytes()
    assert PROGRAM.is_relative_to(HERE)
