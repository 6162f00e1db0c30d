"""Takes what wasn't measured of a learnt game's rules from a rules profile that the user has named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ochibot.errors import ConfigError
from ochibot.experiments.learnt import Learnt, known_formula
from ochibot.experiments.waiting import Pending
from ochibot.experiments.yamlform import Row
from ochibot.nyaa.rules.file import load_profile, profile_path
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.profile import Rules


def check_profile(wanted: str) -> None:
    """Raises ConfigError unless this is the name of a shipped profile, or a rules file, of a family that is learnt."""
    try:
        load_rules(wanted)
    except ConfigError as error:
        try:
            load_profile(wanted)
        except ConfigError:
            raise error from None


def of_another_family(wanted: str) -> str:
    """In words, that a profile isn't used."""
    return f"the rules {wanted} are of another family than the game: they aren't used"


def nyaa_file(wanted: str) -> Path | None:
    """The file of a profile of Pochi & Nyaa; None for one of another family."""
    try:
        load_profile(wanted)
        return profile_path(wanted)
    except ConfigError:
        return None


def assume(
    made: dict[str, Any], learnt: Learnt, waits: Pending | None, wanted: str
) -> tuple[dict[str, Any], list[str]] | None:
    """The rules file of a Puyo Puyo with a profile's values for all that wasn't measured, and these values in words;
    None for a profile of another family.
    """
    try:
        rules: Rules = load_rules(wanted)
    except ConfigError:
        return None
    known, score, fall = dict(made), dict(made["score"]), dict(made["nuisance"])
    named: list[str] = []

    def take(part: dict[str, Any], values: Mapping[str, Any], what: str, *, where: bool) -> None:
        if where:
            part.update(values)
            named.append(what)

    said, formula = rules, known_formula(learnt)
    steps = [] if formula is None else formula.chain_power
    fits = list(said.chain_power)[: len(steps)] == steps
    take(score, {"chain_power": Row(said.chain_power)}, f"the chain power beyond step {len(steps)}", where=fits)
    other = formula is not None and formula.other_form
    for name, what in (("color_bonus", "colour"), ("group_bonus", "group")):
        table, seen = list(getattr(said, name)), {} if formula is None else getattr(formula, name)
        least = 2 if name == "color_bonus" else learnt.size or 0
        unseen = any(number not in seen for number in range(least, len(table)))
        row = Row([seen.get(number, value) for number, value in enumerate(table)])
        take(score, {name: row}, f"the {what} bonus for numbers that weren't seen", where=unseen and not other)
    none = formula is None
    take(score, {"unit": said.score_unit, "group_bonus_per": said.group_bonus_per}, "the unit of points", where=none)
    limit = none or (formula is not None and formula.limit is None)
    take(score, {"max_multiplier": said.max_multiplier}, "the multiplier's limit", where=limit)
    short = none or (formula is not None and "short" not in dict(formula.seen))
    take(score, {"drop_bonus": said.drop_bonus}, "drop points", where=short)
    emptied = not learnt.owed and (none or (formula is not None and formula.all_clear is None))
    clear = {name: getattr(said, f"all_clear_{name}") for name in ("bonus", "paid", "when", "per")}
    clear = {f"all_clear_{name}": value for name, value in clear.items()}
    take(score, clear, "the bonus for an emptied field", where=emptied)
    take(score, {"cap": said.score_cap}, "the score's cap", where=learnt.cap is None)
    above = {"hidden_rows": said.hidden_rows, "ceiling": said.ceiling, "hidden_clear": said.hidden_clear}
    take(known, above, "what is above the visible rows", where=learnt.above is None)
    kicks = learnt.kicks
    take(known, {"kicks": said.kicks}, "kicks", where=kicks is None or kicks.wall is None)
    take(known, {"quick_turn": said.quick_turn}, "the quick turn", where=kicks is None or kicks.quick_turn is None)
    rest = said.nuisance
    take(fall, {"points_each": rest.points_each}, "the points of a nuisance puyo", where=waits is None)
    most = {"most_per_fall": rest.most_per_fall, "excess": rest.excess}
    take(fall, most, "how much nuisance falls at a time", where=waits is None or waits.most is None)
    take(fall, {"offset": rest.offset}, "whether nuisance is cancelled", where=waits is None or waits.offset is None)
    late: dict[str, Any] = {"all_clear_points": rest.all_clear_points, "full_columns": rest.full_columns}
    if rest.margin is not None:
        late["margin"] = asdict(rest.margin)
    take(fall, late, "margin time, full columns, and nuisance for an emptied field", where=True)
    lines = [f"{what}: as in the rules {said.name}" for what in named]
    if not fits:
        lines.append(f"the chain power beyond step {len(steps)}: its first steps aren't those of the rules {said.name}")
    return {**known, "score": score, "nuisance": fall}, lines
