"""Makes the rules file and the game file of a learnt game."""

from __future__ import annotations

from typing import Any, Final

from ochibot.data import data_path
from ochibot.errors import CalibrationError
from ochibot.experiments.assumed import assume, nyaa_file, of_another_family
from ochibot.experiments.explore import BOOT, Route
from ochibot.experiments.facts import Arrival
from ochibot.experiments.families import family_of, floor_row
from ochibot.experiments.formula import MOST_POINTS, MOST_TIMES, SIZES, Formula, continued
from ochibot.experiments.learnt import Learnt, known_formula
from ochibot.experiments.needles import RULES
from ochibot.experiments.pad import Tap
from ochibot.experiments.rig import Rig
from ochibot.experiments.stance import offsets
from ochibot.experiments.waiting import Pending
from ochibot.experiments.yamlform import Flow, Row
from ochibot.games.menu import TAP_OFF, TAP_ON
from ochibot.yamlfile import read_yaml

CHAIN_POWERS: Final = {
    "famicom": [0, 8, 16, 32, 64, 128, 256, 512, 999],
    "tsu": [0, 8, 16, *range(32, 673, 32)],
}
"""Published tables. They continue a learnt table beyond the longest chain that was tried."""
COLOR_BONUS: Final = [0, 0, 3, 6, 12, 24, 48]
GROUP_BONUS: Final = [0, 0, 0, 0, 0, 2, 3, 4, 5, 6, 7, 10]


def rules_of(learnt: Learnt, game: str, waits: Pending | None = None) -> tuple[dict[str, Any], list[str]] | None:
    """The rules file as a mapping, and the values in it that were not measured; None where no family of rules fits.

    ``waits``: what was learnt about nuisance in a game of two.
    """
    family = family_of(learnt)
    if family == "nyaa":
        return _nyaa_rules(learnt, game)
    if family is None:
        return None
    kicks, formula = learnt.kicks, known_formula(learnt)
    boxed = learnt.stance.denotes == "box"
    taken = []
    steps = list(formula.chain_power) if formula is not None else []
    fits = [name for name, table in CHAIN_POWERS.items() if steps and table[: len(steps)] == steps]
    classic = "tsu" if learnt.basis.visible == 12 else "famicom"
    base = classic if classic in fits or not fits else fits[0]
    if fits or not steps:
        power = CHAIN_POWERS[base]
        taken.append(f"chain power beyond step {len(steps)}: as published for {base}")
    else:
        power, how = continued(steps)
        taken.append(f"chain power beyond step {len(steps)}: {how}")
    colors, colors_are = _color_bonus(formula.color_bonus) if formula is not None else (COLOR_BONUS, "")
    seen_groups = formula.group_bonus if formula is not None else {}
    other = formula is not None and formula.other_form
    groups = [seen_groups.get(n, bonus) for n, bonus in enumerate(GROUP_BONUS)]
    if other:
        groups = _whole(seen_groups)[0] if seen_groups else [0] * len(GROUP_BONUS)
    taken += _unseen(learnt, colors_are)
    nuisance = {"points_each": 70, "most_per_fall": 30, "excess": "queue" if base == "tsu" else "discard"}
    offset = base == "tsu" if waits is None or waits.offset is None else waits.offset
    if waits is not None:
        nuisance["points_each"] = waits.each
        if waits.most is not None:
            nuisance |= {"most_per_fall": waits.most, "excess": "queue" if waits.queued else "discard"}
    if learnt.sort is not None and learnt.sort.nuisance and waits is None:
        nuisance["unannounced"] = True
        if learnt.strange is None or not set(learnt.strange.codes) & {*learnt.sort.nuisance}:
            taken.append("whether nuisance falls by itself: it was not seen to, and the predictions allow it")
    if waits is None or waits.most is None:
        taken.append("how much nuisance falls at a time: as published, for it was not seen to fall")
    taken.append("margin time: none, for it begins late in a round of two")
    if learnt.cap is None:
        taken.append("the score's cap: as published")
    above = learnt.above
    if above is None:
        taken.append("the hidden row: one, as in all games of the family that are known")
    elif not above.ceiling_seen:
        taken.append("what is above the hidden row: as in games with as many rows")
    if kicks is None or (kicks.wall is None and kicks.quick_turn is None):
        taken.append("kicks and quick turn: none")
    elif kicks.wall is None:
        taken.append("kicks: none, for no blocked turn was seen")
    elif kicks.quick_turn is None:
        taken.append("quick turn: none, for the piece turned in the shaft that was built around it")
    elif boxed and kicks.quick_turn:
        taken.append("quick turn: none, for no rules are known of a pair that turns within a box and has one")
    made = {
        "name": game,
        "visible_rows": learnt.basis.visible,
        "hidden_rows": above.hidden_rows if above is not None else 1,
        "ceiling": above.ceiling if above is not None else "solid",
        "hidden_clear": bool(above and above.hidden_clear),
        "clear_size": learnt.size,
        "kicks": bool(kicks and kicks.wall),
        "quick_turn": bool(kicks and kicks.quick_turn) and not boxed,
        **({"turns": "box"} if boxed else {}),
        "score": {
            "chain_power": Row(power),
            "color_bonus": Row(colors),
            "group_bonus": Row(groups),
            "group_bonus_per": formula.per if formula is not None else "group",
            "max_multiplier": (formula.limit if formula is not None else None) or MOST_TIMES,
            "unit": formula.unit if formula is not None else 10,
            "cap": min(learnt.cap, MOST_POINTS)
            if learnt.cap
            else (99_999_990 if learnt.score is None or learnt.score.scale == 10 else 99_999_999),
            "drop_bonus": formula.drop_bonus if formula is not None else 0,
            "all_clear_bonus": learnt.owed or (max(0, formula.all_clear or 0) if formula is not None else 0),
            "all_clear_paid": "next_chain" if learnt.owed else "now",
            **(_other_form(formula) if formula is not None else {}),
        },
        "nuisance": {**nuisance, "offset": offset, "all_clear_points": 0},
        "items": {"allowed": False, "interval": 16},
    }
    if learnt.profile is None:
        return made, taken
    return assume(made, learnt, waits, learnt.profile) or (made, [*taken, of_another_family(learnt.profile)])


def _other_form(formula: Formula) -> dict[str, Any]:
    """The entries that the published form of a formula doesn't need."""
    said: dict[str, Any] = {"all_clear_when": "lowest_row"} if formula.lowest_row else {}
    if formula.all_clear_per == "step":
        said["all_clear_per"] = "step"
    if formula.product:
        said["multiplier"] = "product"
    extra: dict[str, Any] = {"per_cell": formula.per_cell} if formula.per_cell else {}
    if any(formula.by_size.values()):
        extra["by_size"] = Row(_whole(formula.by_size)[0])
    if any(formula.by_step):
        extra["by_step"] = Row(formula.by_step)
    if extra:
        extra["multiplied"] = formula.multiplied
    if formula.per_group:
        extra |= {"per_group": formula.per_group, "groups_multiplied": formula.groups_multiplied}
    return {**said, "extra": extra} if extra else said


def _whole(sizes: dict[int, int]) -> tuple[list[int], str]:
    """A table by size as a rules file has it, continued beyond the sizes seen, and a text that says how."""
    least, most = min(sizes), max(sizes)
    table, how = continued([sizes.get(number, 0) for number in range(least, most + 1)], SIZES - least, MOST_POINTS)
    return [0] * least + table, how


def _color_bonus(seen: dict[int, int]) -> tuple[list[int], str]:
    """The table of colour bonuses from those seen: (the table, what is said of the others)."""
    if not any(seen.values()):
        # a game that gave no bonus for several colours is assumed to give none for more colours either
        return [0] * len(COLOR_BONUS), "none, as for the others" if seen else "none"
    last = max(seen)
    more = seen[last] - seen.get(last - 1, seen[last])
    if more <= 0 or all(COLOR_BONUS[number] == bonus for number, bonus in seen.items()):
        return [seen.get(number, bonus) for number, bonus in enumerate(COLOR_BONUS)], "as published"
    table = [seen.get(number, COLOR_BONUS[number]) for number in range(last + 1)]
    return [*table, *(seen[last] + more * step for step in range(1, len(COLOR_BONUS) - last))], f"{more} more for each"


def _unseen(learnt: Learnt, colors: str) -> list[str]:
    """The values of the score's formula that no experiment showed, in words. colors: what the colour bonus is then."""
    formula = known_formula(learnt)
    if formula is None:
        doubt = "" if learnt.formula is None else f", for {learnt.formula.doubt}"
        return [
            f"the score's unit, bonuses and drop points: as published, without drop points{doubt}",
            f"the multiplier's limit: {MOST_TIMES}, as published",
        ]
    said = []
    counts = [number for number in range(2, len(COLOR_BONUS)) if number not in formula.color_bonus]
    if counts:
        said.append(f"the colour bonus for {_listed(counts)}: {colors}")
    sizes = [size for size in range(learnt.size or 0, len(GROUP_BONUS)) if size not in formula.group_bonus]
    if sizes and not formula.other_form:
        said.append(f"the group bonus for {_listed(sizes)}: as published")
    for what, table in (("points", formula.by_size), ("bonus", formula.group_bonus if formula.other_form else {})):
        if table:
            said.append(f"the {what} for groups beyond {max(table)}: {_whole(table)[1]}")
    if formula.limit is None:
        said.append(f"the multiplier's limit: {MOST_TIMES}, as published, for no step reached one")
    if "short" not in dict(formula.seen):
        said.append("drop points: none")
    if formula.all_clear is None and not learnt.owed:
        said.append("the bonus for an emptied field: none")
    elif formula.all_clear and not formula.all_clear_per:
        said.append("whether a longer chain makes the bonus for an emptied field larger: no")
    return said


def _listed(numbers: list[int]) -> str:
    *first, last = map(str, numbers)
    return f"{', '.join(first)} and {last}" if first else last


def _nyaa_rules(learnt: Learnt, game: str) -> tuple[dict[str, Any], list[str]]:
    """As ``rules_of``: the published profile, in which measured values replace the published ones."""
    wanted = learnt.profile or RULES
    file = nyaa_file(wanted)
    profile, others = (RULES, [of_another_family(wanted)]) if file is None else (wanted, [])
    said = read_yaml(file or data_path(f"configs/rules/{RULES}.yaml"), "rules", CalibrationError)
    assert learnt.needles is not None
    measured = {
        ("ignition", "idle_needle"): learnt.needles.idle,
        ("ignition", "nuisance_pops"): bool(learnt.needles.nuisance),
        ("field", "spawn_column"): learnt.basis.spawn_column + 1,
    }
    if learnt.attack_each is not None:
        measured["attack", "score_each"] = learnt.attack_each
    made: dict[str, Any] = {"name": game}
    for part, values in said.items():
        if part == "name":
            continue
        made[part] = {
            name: Flow(
                value=measured.get((part, name), entry["value"]),
                source="inferred" if (part, name) in measured else entry["source"],
            )
            for name, entry in values.items()
        }
    names = ", ".join(name for _, name in measured)
    return made, [
        f"all but {names}: as in the profile {profile}, by which the exam was played; "
        "what two players send was not seen",
        *others,
    ]


def game_of(learnt: Learnt, rig: Rig, game: str, *, rules: str, core: str | None) -> dict[str, Any]:
    """The content of the game file to be written for the learnt game, as a mapping. ``core``: its name, if known."""
    basis, stance = learnt.basis, learnt.stance
    near_row = floor_row(learnt) + 1 - stance.near_row - basis.appears
    # the axis's place is computed for the upright piece: the axis stays there when the piece turns, or its box does
    (across, up), _ = offsets(stance.denotes, stance.start if stance.denotes == "box" else stance.ways[0])
    axis_column, axis_row = basis.spawn_column + 1 + across, near_row - up
    spawn = learnt.appears or (axis_column, axis_row, stance.start)
    buttons: dict[str, str | None] = {"left": "left", "right": "right", "down": "down"}
    for action, button in (("rotate_cw", stance.clockwise), ("rotate_ccw", stance.counter)):
        if button is not None or family_of(learnt) != "nyaa":
            # None becomes null in the file: the game turns pieces one way only
            buttons[action] = button
    if learnt.needles is not None:
        buttons["needle"] = str(learnt.needles.button.name).lower()
    timing = learnt.timing
    facts = {} if timing is None else {k: v for k, v in vars(timing).items() if v is not None}
    data: dict[str, Any] = {
        "game": game,
        "system": rig.console.rom.system,
        "family": family_of(learnt) or "puyo",
        **({} if core is None else {"core": core}),
        "sha1": Row([rig.console.rom.sha1]),
        "rules": rules,
        "modes": {"solo": {"maps": Row([f"{game}-p1.yaml"])}},
        "solo": "solo",
        "spawn": Flow(zip(("x", "y", "orientation"), spawn, strict=True)),
        "buttons": Flow(buttons),
    }
    if learnt.tap is not None and learnt.tap.frames > 2:
        data["tap"] = Flow(hold=learnt.tap.on, release=learnt.tap.off)
    if facts:
        data["timing"] = Flow(facts)
    return data


def menu_tap(tap: Tap | None) -> tuple[int, int]:
    """For how many frames a session holds a button in a menu, and releases it. ``tap``: that of the game file."""
    return (TAP_ON, TAP_OFF) if tap is None else (max(TAP_ON, tap.on), max(TAP_OFF, tap.off))


def menu_of(learnt: Learnt) -> list[str]:
    """The menu's steps for the game file, as far as the first piece."""
    came = learnt.arrival or Arrival()
    return route_of(learnt.route, learnt.tap, at_once=came.at_once, wait=came.wait)


def route_of(route: Route, tap: Tap | None, *, at_once: bool = False, wait: int = 0) -> list[str]:
    """The menu's steps for the game file, whose taps are ``tap``. Each step takes as long as in the search.

    ``at_once``: the first pieces appear during the last step, so the wait for them must begin with it. ``wait``:
    frames after the last step in which no sign counts.
    """
    steps = [f"wait {BOOT}"]
    for number, (button, takes) in enumerate(zip(route.buttons, route.steps_take, strict=True)):
        if button == "wait":
            steps.append(f"wait {takes}")
            continue
        steps.append(button)
        if number < len(route.buttons) - 1:
            # tap and wait take as many frames as in the search
            steps.append(f"wait {max(1, takes - sum(menu_tap(tap)))}")
    if at_once and route.buttons:
        last = route.buttons[-1]
        return [*steps[:-1], f"{last} until spawn"]
    return [*steps, *([f"wait {wait}"] if wait else []), "wait until spawn"]
