"""Measures players of Pochi & Nyaa against each other in simulated matches.

    python -m ochibot.lab.nyaa.arena --games 200 --seed 1 --json -
    python -m ochibot.lab.nyaa.arena --games 400 --player new.yaml --against old.yaml:2

An opponent is ``random``, ``greedy`` (the largest attack at once, one ply), ``by-hand`` (the initial weights of the
shipped player's training) or a player file, with ``:1`` or ``:2`` after it for its plies. Each deal is played from both
sides. Without ``--against``, the shipped player meets random and greedy. The report's ``holds`` says whether it wins
99 % and 75 % of those games; draws don't count as wins.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Final

from ochibot import interrupts
from ochibot.data import data_path
from ochibot.errors import UsageError
from ochibot.lab.nyaa.match import MOST_PIECES, Player, Series, play_series
from ochibot.nyaa.rules.file import load_rules
from ochibot.nyaa.rules.profile import Rules
from ochibot.nyaa.search.engine import prepare
from ochibot.nyaa.search.player import BY_HAND, GREEDY, load_nyaa_player
from ochibot.nyaa.search.simple import RandomPlayer
from ochibot.nyaa.search.twoply import NyaaPlayer
from ochibot.report import check_target, write_json
from ochibot.wording import counted

PLAYER: Final = "configs/players/nyaa.yaml"
RULES: Final = "nyaa_mvs"
"""The rules profile of the lab's matches."""
TARGETS: Final = {"random": 0.99, "greedy": 0.75}
"""The least share of games that the shipped player must win."""


def player_of(text: str, seed: int, rules: Rules) -> Player:
    """The player that a text names (see the module's text). Raises UsageError and ConfigError."""
    if text == "random":
        return RandomPlayer(seed, rules)
    if text == "greedy":
        return NyaaPlayer(GREEDY, rules, 1, seed)
    if text == "by-hand":
        return NyaaPlayer(BY_HAND, rules, 2, seed)
    name, colon, plies = text.rpartition(":")
    if colon and plies in ("1", "2"):
        return NyaaPlayer(load_nyaa_player(Path(name)), rules, int(plies), seed)
    return NyaaPlayer(load_nyaa_player(Path(text)), rules, 2, seed)


def report_of(series: Series, seconds: float) -> dict[str, object]:
    """A series as plain values for the JSON report."""
    share = series.wins[0] / series.games
    return {**asdict(series), "win_rate": series.rate, "share_of_games": share, "seconds": round(seconds, 1)}


def main(arguments: list[str] | None = None) -> None:
    """Runs the command line of this module."""
    parser = argparse.ArgumentParser(prog="python -m ochibot.lab.nyaa.arena", description=__doc__)
    parser.add_argument("--player", default=str(data_path(PLAYER)), help="a player file, with :1 or :2 for its plies")
    parser.add_argument("--against", action="append", metavar="OPPONENT")
    parser.add_argument("--games", type=int, default=200, help="against each opponent")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--max-pieces", type=int, default=MOST_PIECES, help="a longer game is a draw")
    parser.add_argument("--json", metavar="FILE", help="write the report there (- for stdout)")
    options = parser.parse_args(arguments)
    if options.games < 1 or options.max_pieces < 1:
        raise UsageError("give at least one game and one piece")
    check_target(options.json)
    rules = load_rules(RULES)
    prepare()
    said = sys.stderr if options.json == "-" else sys.stdout
    report: dict[str, object] = {"player": options.player, "seed": options.seed, "max_pieces": options.max_pieces}
    holds = True
    for opponent in options.against or list(TARGETS):
        began = time.perf_counter()
        players = player_of(options.player, options.seed, rules), player_of(opponent, options.seed + 1, rules)
        series = play_series(players, rules, options.games, options.seed, max_pieces=options.max_pieces)
        low, high = series.interval
        holds &= series.wins[0] >= TARGETS.get(opponent, 0.0) * series.games
        report[opponent] = report_of(series, time.perf_counter() - began)
        print(
            f"against {opponent}: {series.wins[0]} won, {series.wins[1]} lost, {series.draws} drawn of {series.games} "
            f"(seed {options.seed}); {low:.1%} to {high:.1%} of those decided (95 %); "
            f"{counted(series.pieces, 'piece')}",
            file=said,
            flush=True,
        )
    write_json({**report, "holds": holds}, options.json)


if __name__ == "__main__":
    interrupts.run(main)
