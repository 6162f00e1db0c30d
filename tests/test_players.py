"""Players are opened by name, file, kind or class."""

from __future__ import annotations

import importlib.metadata
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from ochibot import players
from ochibot.errors import ConfigError, PlayerError, UsageError
from ochibot.falling.player import chosen, name_of
from ochibot.games import find_game
from ochibot.nyaa.search.beam.player import KIND as NYAA_BEAM
from ochibot.nyaa.search.metrics import METRICS
from ochibot.nyaa.search.player import load_nyaa_player
from ochibot.nyaa.search.twoply import KIND as NYAA_TWO_PLY
from ochibot.nyaa.search.twoply import NyaaPlayer
from ochibot.players import find_kind, kind_names
from ochibot.puyo.search import TwoPly, load_player
from ochibot.puyo.search.chain.kind import KIND as BEAM
from ochibot.puyo.search.clairvoyant import KIND as TWO_PLY
from ochibot.puyo.search.versus.kind import KIND as VERSUS
from pydantic import ValidationError

from tests.titles import NYAA, PUYO, RULES, rules_of

SHIPPED = Path("configs/players")


def opened(wanted: Any, game: Any = PUYO, **options: int) -> Any:
    return players.open_player(wanted, game, rules_of(game), seed=1, options=options)


def test_shipped_players_go_by_name_or_file() -> None:
    assert isinstance(opened(None), TwoPly)
    assert isinstance(opened("article"), TwoPly)
    assert isinstance(opened(SHIPPED / "article.yaml"), TwoPly)
    assert isinstance(opened(str(SHIPPED / "nyaa.yaml"), NYAA), NyaaPlayer)
    assert opened(None).rules == RULES


def test_a_file_without_kind_is_known_by_what_it_weighs(tmp_path: Path) -> None:
    for name, game, made in (("article", PUYO, TwoPly), ("nyaa", NYAA, NyaaPlayer)):
        text = (SHIPPED / f"{name}.yaml").read_text()
        lines = [line for line in text.splitlines() if not line.startswith("kind:")]
        (tmp_path / "mine.yaml").write_text("\n".join(lines))
        assert isinstance(opened(tmp_path / "mine.yaml", game), made)


def test_a_file_of_the_kind_two_ply(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("kind: two_ply\n" + _without_kind("article") + "\nplies: 1\n")
    assert opened(tmp_path / "mine.yaml").plies == 1
    assert opened(tmp_path / "mine.yaml", plies=2).plies == 2  # an option overrides the file


def test_options_of_a_player_may_stand_behind_its_name() -> None:
    assert opened("article[plies=1]").plies == 1
    assert opened(str(SHIPPED / "article.yaml") + "[plies=1]").plies == 1
    chain = opened("chain[nodes=700, threads=2]")
    assert (chain._nodes, chain._threads) == (700, 2)
    assert opened("chain[nodes=700]", threads=2)._threads == 2
    file = players.find_file("chain[nodes=700]", PUYO, options=True)
    assert (file.path, dict(file.options)) == (players.find_file("chain", PUYO).path, {"nodes": 700})


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        ("chain[]", "as NAME=NUMBER, such as chain"),
        ("chain[nodes]", "as NAME=NUMBER"),
        ("chain[nodes=x]", "as NAME=NUMBER"),
        ("chain[nodes=1 nodes=2]", "each option once"),
        ("chain[plies=2]", "has no option --plies"),
        ("chain[threads=0]", "goes from 1 to 1024"),
        ("article[nodes=3]", "has no option --nodes"),
    ],
)
def test_wrong_options_behind_a_name_are_named(wanted: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        opened(wanted)


def test_an_option_that_is_given_twice_is_refused() -> None:
    with pytest.raises(UsageError, match="nodes is given twice"):
        opened("chain[nodes=700]", nodes=800)
    # where no option may follow, the brackets belong to the name
    with pytest.raises(ConfigError, match="no such player file"):
        players.find_file("chain[nodes=700]", PUYO)


def test_a_file_with_brackets_in_its_name_is_found(tmp_path: Path) -> None:
    file = tmp_path / "mine[plies=1].yaml"
    file.write_text((SHIPPED / "article.yaml").read_text())
    assert opened(str(file)).plies == 2
    (tmp_path / "odd[plies=1]").write_text((SHIPPED / "article.yaml").read_text())
    assert opened(str(tmp_path / "odd[plies=1]")).plies == 2


def _without_kind(name: str) -> str:
    lines = (SHIPPED / f"{name}.yaml").read_text().splitlines()
    return "\n".join(line for line in lines if not line.startswith(("kind:", "plies:")))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("kind: beamm\n", "there is no kind of players 'beamm'; known are two_ply, nyaa_two_ply"),
        ("kind: [1]\n", "give one of two_ply"),
        ("kind: nyaa_two_ply\n", "is a player of nyaa, not of puyo"),
    ],
)
def test_kinds_that_do_not_fit(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "mine.yaml").write_text(text)
    with pytest.raises(ConfigError, match=r"mine\.yaml") as error:
        opened(tmp_path / "mine.yaml")
    assert told in str(error.value)


def test_a_class_is_made_with_what_it_asks_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = """
class Asks:
    def __init__(self, rules, seed=0, depth=3):
        self.given = rules, seed, depth
    def choose(self, snapshot): ...
class AsksNothing:
    def choose(self, snapshot): raise ValueError("no idea")
class NoPlayer: ...
"""
    (tmp_path / "own_player_of_a_test.py").write_text(code)
    assert opened(f"{tmp_path}/own_player_of_a_test.py:Asks", depth=5).given == (RULES, 1, 5)
    monkeypatch.chdir(tmp_path)
    plain = opened("own_player_of_a_test:AsksNothing")
    assert name_of(plain) == "AsksNothing"
    with pytest.raises(PlayerError, match="the player AsksNothing has failed: ValueError: no idea"):
        chosen(plain, None)
    with pytest.raises(ConfigError, match="it has no choose"):
        opened("own_player_of_a_test.py:NoPlayer")
    with pytest.raises(ConfigError, match="holds no class Nobody"):
        opened("own_player_of_a_test.py:Nobody")
    with pytest.raises(UsageError, match="has no option --depth"):
        opened("own_player_of_a_test.py:AsksNothing", depth=1)


def test_every_shipped_player_opens_for_its_games() -> None:
    for game in (find_game("puyo"), find_game("nyaa")):
        names = players.shipped_players(game.family.name)
        assert game.default_player in names
        for name in names:
            assert name_of(opened(name, game))
    with pytest.raises(UsageError, match="goes from 1 to 2, not 3"):
        opened(None, plies=3)


def test_a_weight_that_a_file_of_pochi_and_nyaa_leaves_out_is_0(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("kind: nyaa_two_ply\nname: mine\nprovenance: test\nweights: {attack: 3}\n")
    factors = load_nyaa_player(tmp_path / "mine.yaml").weights.factors
    assert factors[METRICS.index("attack")] == 3.0
    assert sum(map(abs, factors)) == 3.0


def test_a_clairvoyant_player_goes_as_deep_as_its_file_or_the_option_says() -> None:
    kind: Any = TWO_PLY
    config = load_player(SHIPPED / "article.yaml")
    for plies, wanted in ((None, config.plies), (1, 1), (2, 2)):
        assert kind.open(config, RULES, seed=1, plies=plies).plies == wanted
        assert kind.clairvoyant(config, RULES, seed=1, plies=plies)._fallback.plies == wanted


KINDS: list[Any] = [TWO_PLY, BEAM, VERSUS, NYAA_TWO_PLY, NYAA_BEAM]


def said(name: str) -> dict[str, Any]:
    data: dict[str, Any] = yaml.safe_load((SHIPPED / f"{name}.yaml").read_text())
    data.pop("kind", None)
    return data


@pytest.mark.parametrize(
    ("name", "kind"), [("article", TWO_PLY), ("chain", BEAM), ("versus", VERSUS), ("nyaa", NYAA_TWO_PLY)]
)
def test_a_file_without_kind_fits_one_kind_only_and_only_as_a_whole(name: str, kind: Any) -> None:
    data = said(name)
    assert [one for one in KINDS if one.fits(data)] == [kind]
    parts: tuple[dict[str, Any], ...] = (
        {},
        {"name": "mine"},
        {"weights": 3},
        {"profile": []},
        {"deciding": {}},
        {"fighting": {}},
    )
    for part in parts:
        assert not kind.fits(part)
    assert not kind.fits({"builder": "chain"})


def test_a_budget_goes_as_far_as_the_files_and_ten_minutes() -> None:
    for kind, name in ((BEAM, "chain"), (VERSUS, "versus"), (NYAA_BEAM, "nyaa_beam")):
        config = kind.load(SHIPPED / f"{name}.yaml")
        nodes, milliseconds = kind.options["nodes"], kind.options["budget_ms"]
        for number in (nodes[0], nodes[-1]):
            assert type(config).model_validate({**config.model_dump(), "nodes": number}).nodes == number
        for number in (nodes[0] - 1, nodes[-1] + 1):
            with pytest.raises(ValidationError):
                type(config).model_validate({**config.model_dump(), "nodes": number})
        assert (milliseconds[0], milliseconds[-1]) == (1, 10 * 60 * 1000)
    assert BEAM.options["threads"][0] == 1


def test_what_each_kind_is_for() -> None:
    families = {kind.name: kind.family for kind in KINDS}
    assert families == {
        "two_ply": "puyo", "beam": "puyo", "versus": "puyo", "nyaa_two_ply": "nyaa", "nyaa_beam": "nyaa"
    }  # fmt: skip
    # a record keeps the field and the pair and next pair, but neither the opponent's side nor later pairs
    assert [kind.name for kind in KINDS if kind.from_records] == ["two_ply"]


def test_a_kind_opens_its_players_with_the_budget_that_is_typed() -> None:
    chain = BEAM.open(BEAM.load(SHIPPED / "chain.yaml"), RULES, seed=5, nodes=70, threads=3)
    assert (chain.seed, chain._nodes, chain._threads, chain.name) == (5, 70, 3, "chain")
    versus = VERSUS.open(VERSUS.load(SHIPPED / "versus.yaml"), RULES, seed=5, nodes=70)
    assert (versus._alone._nodes, versus.name, versus.watches) == (70, "versus", True)
    config = NYAA_BEAM.load(SHIPPED / "nyaa_beam.yaml")
    beam = NYAA_BEAM.open(config, rules_of(NYAA), seed=5, budget_ms=7)
    assert (beam.seed, beam._budget, beam.name) == (5, 7, config.name)
    plain = NYAA_TWO_PLY.load(SHIPPED / "nyaa.yaml")
    for plies, wanted in ((None, plain.plies), (1, 1), (2, 2)):
        assert NYAA_TWO_PLY.open(plain, rules_of(NYAA), seed=5, plies=plies).plies == wanted


def test_an_installed_kind_is_found_and_one_that_can_not_be_loaded_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails() -> object:
        raise ZeroDivisionError("no such luck")

    points = [
        SimpleNamespace(name="mine", value="mine:KIND", load=lambda: BEAM),
        SimpleNamespace(name="broken", value="broken:KIND", load=fails),
    ]
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda *, group: {"ochibot.players": points}[group])
    assert kind_names()[-2:] == ("mine", "broken")
    assert find_kind("mine") is BEAM
    with pytest.raises(ConfigError, match="the kind of players broken of broken:KIND can't be loaded: no such luck"):
        find_kind("broken")
    with pytest.raises(ConfigError, match=r"there is no kind of players 'other'; known are two_ply, .*, mine, broken"):
        find_kind("other")
