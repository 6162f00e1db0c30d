"""A program returns to a saved moment as often as it likes, and everything is as it was."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import ochibot
import pytest
from ochibot.console import find_cores
from ochibot.keeping import Keeps
from ochibot.session import Session

CORES = {"puyo": "fceumm", "tsu": "genesis_plus_gx", "nyaa": "fbneo"}
GAMES = [
    pytest.param(name, marks=pytest.mark.skipif(not find_cores(core), reason=f"no {core} core here"))
    for name, core in CORES.items()
]


def opened(name: str, seed: int = 3) -> Session:
    game = ochibot.open(name, seed=seed)
    game.leave_out_av()
    game.start()
    return game


def every_placement_from(game: Session, spawns: int, dice: random.Random) -> int:
    """Tries all placements at some spawns, each from the moment saved there. Returns how many were tried."""
    tried = 0
    for _ in range(spawns):
        while game.over:
            game.start()
        moment = game.save()
        placements = list(game.placements())
        for placement in placements:
            game.load(moment)
            locked = game.place(placement)
            assert locked.agreed, f"{placement}: {game.manual._hands.last_disagreement}"
            tried += 1
        game.load(moment)
        assert list(game.placements()) == placements
        game.place(dice.choice(placements))
    return tried


@pytest.mark.parametrize("name", GAMES)
def test_every_placement_from_one_moment(name: str) -> None:
    with opened(name) as game:
        for _ in range(5):
            game.place(game.placements()[0])
        assert every_placement_from(game, 1, random.Random(1)) >= 11


@pytest.mark.long
@pytest.mark.parametrize("name", ["puyo", *(pytest.param(name, marks=pytest.mark.proof) for name in ("tsu", "nyaa"))])
def test_every_placement_at_fifty_spawns(name: str) -> None:
    with opened(name) as game:
        assert every_placement_from(game, 50, random.Random(2)) > 50 * 11


@pytest.mark.parametrize("name", GAMES)
def test_a_moment_in_the_middle_of_a_fall_or_of_a_chain(name: str) -> None:
    """Frames with buttons held give the same RAM, the same sight of the pair and the same end of the lock again."""
    with opened(name) as game:
        game.place((3, "up"))
        game.button_press("left")
        game.tick(3)
        game.button_release("left")
        game.button("down", delay=40)
        for _ in range(4):
            game.tick(random.Random(name).randrange(5, 40))
            moment = game.save()
            runs = []
            for _ in range(2):
                game.load(moment)
                game.tick(70)
                pair = game.next_pair()
                locked = game.place(game.placements()[2])
                runs.append((str(pair), locked, bytes(game.console.ram.everything())))
                assert locked.agreed
            assert runs[0] == runs[1]
            game.load(moment)


@pytest.mark.parametrize("name", GAMES)
def test_another_session_goes_on_from_a_moment(name: str) -> None:
    with opened(name) as game, ochibot.open(name) as other:
        game.place((2, "right"))
        other.load(game.save())
        assert other.placements() == game.placements()
        assert other.place((3, "up")) == game.place((3, "up"))
        assert other.ram["score"] == game.ram["score"]


def all_values(thing: object) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in vars(thing).items()}


@pytest.mark.parametrize("name", GAMES)
def test_all_that_changes_in_play_is_kept(name: str) -> None:
    """Whoever adds an attribute to a seat or pilot and forgets ``_changing`` learns it here."""
    with opened(name) as game:
        manual = game.manual
        parts: dict[str, Any] = {"manual": manual, "seat": manual.seat, "hands": manual._hands}
        parts |= {f"seat.{key}": value for key, value in vars(manual.seat).items() if isinstance(value, Keeps)}
        before = {where: all_values(part) for where, part in parts.items()}
        changed = set()
        for number in range(12):
            game.tick(7)
            game.place(game.placements()[number % len(game.placements())])
            for where, part in parts.items():
                named = set(part._all_changing())
                for key, value in all_values(part).items():
                    if isinstance(value, Keeps) or key in named or value is before[where][key]:
                        continue
                    if value != before[where][key]:
                        changed.add(f"{where}: {key}")
        assert not changed


def test_what_is_refused(tmp_path: Path) -> None:
    if not find_cores("fceumm"):
        pytest.skip("no fceumm core here")
    with opened("puyo") as game:
        moment = game.save()
        assert repr(moment).startswith("<SavedGame of puyo, ")
        with pytest.raises(AttributeError):
            moment._state = b""  # type: ignore[misc]
        with pytest.raises(ochibot.UsageError, match=r"load\(\) takes what save\(\) returned, not b'state'"):
            game.load(b"state")  # type: ignore[arg-type]
    with ochibot.open("puyo", seed=3) as game:
        game.record(tmp_path / "run", command="test")
        game.start()
        for act in (game.save, lambda: game.load(moment)):
            with pytest.raises(ochibot.RecordError, match=r"while recording, because a record counts each pair once"):
                act()
