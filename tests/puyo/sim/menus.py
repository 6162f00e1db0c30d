"""The rules that the menus of our cartridges make of a profile."""

from __future__ import annotations

from dataclasses import replace

from ochibot.puyo.rules.profile import Rules


def versus_rules(rules: Rules, limit: int) -> Rules:
    """The rules with the menu's limit of the nuisance that falls at a time; 0: the rules' own limit, which is the
    highest.
    """
    most = rules.nuisance.most_per_fall
    return replace(rules, nuisance=replace(rules.nuisance, most_per_fall=min(limit or most, most)))


def margin_rules(rules: Rules, margin: bool) -> Rules:
    """The rules with the menu's choice of margin time."""
    return rules if margin else replace(rules, nuisance=replace(rules.nuisance, margin=None))
