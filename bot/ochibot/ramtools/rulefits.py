"""Checks rules by experiment: kicks, and the points for chain steps, groups, colours and rows with Down held.

Chains are made by writing into the live field: first a group that lacks only the falling half, then a whole group each
time the last one has cleared. So a chain can have any length without being built beforehand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any, Final

from ochibot.falling.orientation import Orientation
from ochibot.puyo.rules.pair import PairState
from ochibot.puyo.rules.profile import Rules
from ochibot.ramtools.bench import Bench, Cell, mixed
from ochibot.ramtools.colorfits import COLORS
from ochibot.ramtools.findings import Finding
from ochibot.ramtools.grids import FLOOR
from ochibot.ramtools.laboratory import taps
from ochibot.wording import counted

STEPS: Final = 19
"""Steps of the chain that is made: published tables have no more."""

STEP_FRAMES: Final = 400
"""The most frames that a step of a chain may take."""

BASE: Final[tuple[Cell, ...]] = ((4, FLOOR), (5, FLOOR), (6, FLOOR))
"""Three cells of a group of four. The half that falls beside them completes the group."""

AGAIN: Final[tuple[Cell, ...]] = (*BASE, (6, FLOOR - 1))
"""A whole group, for a further step."""


def check_kicks(bench: Bench) -> None:
    """Turns the partner towards the left wall: with kicks the pair moves off the wall, without them it doesn't turn."""
    lab = bench.lab
    lab.load(bench.state)
    for pad in taps([*repeat(lab.pads.left, bench.spawn.x - 1), bench.anticlockwise]):
        lab.lab.step(pad)
    seen = bench.pair.state(lab.lab.look())
    kicked = {(2, Orientation.LEFT): True, (1, Orientation.UP): False}
    what = None if seen is None else kicked.get((seen.x, seen.orientation))
    if what is None:
        bench.report.notes.append(f"kicks: not checked, a turn at the left wall led to {_told(seen)}")
    elif what is bench.rules.kicks:
        bench.report.holds.append("rules.kicks")
    else:
        moved = "moves off to column 2" if what else "doesn't turn"
        bench.report.findings.append(
            Finding(
                "rules.kicks",
                (bench.pair.x[0], bench.pair.orientation[0]),
                f"the rules say kicks: {str(not what).lower()}",
                f"an upright pair in column 1 that is turned towards the wall {moved}",
                f"kicks: {str(what).lower()}",
                rules={"kicks": what},
            )
        )


def _list(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))


def _told(state: PairState | None) -> str:
    return "nowhere" if state is None else f"column {state.x}, {state.orientation.name.lower()}"


@dataclass(frozen=True)
class Gains:
    """The points of a lock: the score's rises, one after another."""

    rises: tuple[int, ...]


def provoke(bench: Bench, state: bytes, poked: Sequence[tuple[Sequence[Cell], str]], steps: int = 1) -> Gains | None:
    """Pokes cells, lets the pair fall upright in its spawn column, then writes ``steps`` - 1 more groups, each when the
    last has cleared. Returns None when no spawn followed.
    """
    assert bench.score is not None
    lab = bench.lab
    lab.load(state)
    axis, _ = bench.colors.of_pair(lab.lab.look())
    for cells, symbol in poked:
        bench.put(cells, symbol)
    rises: list[int] = []
    before = bench.score(lab.lab.look())
    left, waiting = steps - 1, True
    down = bench.falling()
    for _ in range(STEP_FRAMES * (steps + 1)):
        lab.lab.step(next(down))
        now = bench.score(lab.lab.look())
        if now != before:
            rises.append(now - before)
            before = now
            waiting = False
        if left and not waiting and bench.free(AGAIN):
            bench.put(AGAIN, str(axis))
            left, waiting = left - 1, True
        if lab.sign.update():
            return Gains(tuple(rises))
    return None


def check_score(bench: Bench, search: Callable[[bytes], bool] = lambda _: False) -> dict[str, Any]:
    """Checks the score's scale, the drop bonus, the chain table, and the bonus of groups and colours.

    Returns the rules' changed tables by name. When the map's score doesn't rise with the steps, ``search`` looks for
    another score in the given state, and returns whether it found one.
    """
    if bench.score is None:
        bench.report.notes.append("score: not checked, the map has none")
        return {}
    state = mixed(bench)
    if state is None:
        bench.report.notes.append("score: not checked, no pair of two colours came")
        return {}
    bench.lab.load(state)
    axis, partner = (str(each) for each in bench.colors.of_pair(bench.lab.lab.look()))
    bench.hurry = not bench.rules.drop_bonus
    gains = provoke(bench, state, [(BASE, axis)], STEPS)
    if bench.hurry and (gains is None or len(gains.rises) != STEPS):
        # the game may give points for the rows that a pair sinks with Down held
        bench.hurry = False
        gains = provoke(bench, state, [(BASE, axis)], STEPS)
    if (gains is None or len(gains.rises) != STEPS) and search(state):
        gains = provoke(bench, state, [(BASE, axis)], STEPS)
    if gains is None or len(gains.rises) != STEPS:
        count = (
            "it didn't end" if gains is None else f"the score rose {counted(len(gains.rises), 'time')} in {STEPS} steps"
        )
        bench.report.notes.append(f"score: not checked, the steps of a chain that was provoked can't be seen ({count})")
        return {}
    factor = _scale(bench, gains.rises)
    changes: dict[str, Any] = {}
    powers = [rise * factor / (4 * bench.rules.score_unit) for rise in gains.rises]
    _drop_bonus(bench, state, factor)
    _chain_table(bench, [round(power) for power in powers], changes)
    _groups(bench, state, axis, factor, changes)
    _colors(bench, state, axis, partner, factor, changes)
    return changes


def _scale(bench: Bench, rises: Sequence[int]) -> float:
    """The factor for the map's score, computed from the first step, which is worth the same in every game."""
    rules: Rules = bench.rules
    report = bench.report
    first = rules.score_unit * 4 * max(1, rules.chain_power[0])
    if rises[0] == first:
        if not any(finding.about == "score" for finding in report.findings):
            report.holds.append("score")
        return 1
    expected = [rules.score_unit * 4 * max(1, min(power, rules.max_multiplier)) for power in _powers(rules, len(rises))]
    if not all(rise * first == wanted * rises[0] for rise, wanted in zip(rises, expected, strict=True)):
        # the steps are worth other points than in the rules: the check of the chain table reports that
        return 1
    factor = first / rises[0]
    scale, rest = divmod(bench.score_scale * first, rises[0])
    patch = {"scale": scale} if not rest else {"scale": bench.score_scale * first, "divide": rises[0]}
    told = ", ".join(f"{name}: {value}" for name, value in patch.items())
    report.findings.append(
        Finding(
            "score",
            (),
            f"four puyos of one colour are worth {first} points, and it rose by {rises[0]}",
            f"its first rises are {', '.join(map(str, rises[:4]))}",
            told,
            entries={"score": {**patch, "source": "calibrated"}},
        )
    )
    return factor


def _drop_bonus(bench: Bench, state: bytes, factor: float) -> None:
    """Checks the points per row with Down held: a pair falls into an empty column, once with Down, once without."""
    assert bench.score is not None
    lab, hurry = bench.lab, bench.hurry
    rows, rises = FLOOR - bench.spawn.y, []
    for bench.hurry in (True, False):
        lab.load(state)
        before, pads = bench.score(lab.lab.look()), bench.falling()
        for _ in range(STEP_FRAMES * 2):
            lab.lab.step(next(pads))
            if lab.sign.update():
                break
        rises.append(round((bench.score(lab.lab.look()) - before) * factor))
    bench.hurry = hurry
    bonus, said = round((rises[0] - rises[1]) / max(1, rows)), bench.rules.drop_bonus
    if bonus == said:
        bench.report.holds.append("rules.drop_bonus")
        return
    bench.report.findings.append(
        Finding(
            "rules.score.drop_bonus",
            (),
            f"a row with Down held is worth {counted(said, 'point')} by the rules",
            f"a pair that fell {counted(rows, 'row')} brought {rises[0]} with Down held, and {rises[1]} without",
            f"drop_bonus: {bonus}",
            rules={"score": {"drop_bonus": bonus}},
        )
    )


def _powers(rules: Rules, steps: int) -> list[int]:
    return [*rules.chain_power, *repeat(rules.chain_power[-1], steps)][:steps]


def _chain_table(bench: Bench, seen: Sequence[int], changes: dict[str, Any]) -> None:
    rules = bench.rules
    table = _powers(rules, len(seen))
    wrong = [
        step
        for step, (said, found) in enumerate(zip(table, seen, strict=True))
        if max(1, min(said, rules.max_multiplier)) != found
    ]
    if not wrong:
        bench.report.holds.append("rules.chain_power")
        return
    power = [said if max(1, said) == found else found for said, found in zip(table, seen, strict=True)]
    while len(power) > 1 and power[-1] == power[-2]:
        power.pop()
    changes["chain_power"] = power
    bench.report.findings.append(
        Finding(
            "rules.score.chain_power",
            (),
            f"step {wrong[0] + 1} of a chain is worth {table[wrong[0]]} by the rules",
            f"the steps of a chain of {len(seen)} were worth {', '.join(map(str, seen))}",
            f"chain_power: [{', '.join(map(str, power))}]",
            rules={"score": {"chain_power": power}},
        )
    )


def _groups(bench: Bench, state: bytes, axis: str, factor: float, changes: dict[str, Any]) -> None:
    rules = bench.rules
    cells = [(x, FLOOR - row) for row in range(4) for x in ((4, 5, 6) if row % 2 == 0 else (6, 5, 4))]
    seen: dict[int, int] = {}
    for size in range(5, 12):
        gains = provoke(bench, state, [(cells[: size - 1], axis)])
        if gains is None or not gains.rises:
            return
        seen[size] = round(gains.rises[0] * factor / (size * rules.score_unit))
    base = changes.get("chain_power", rules.chain_power)[0]
    said = {size: rules.group_bonus[min(size, len(rules.group_bonus) - 1)] + base for size in seen}
    if all(max(1, said[size]) == found for size, found in seen.items()):
        bench.report.holds.append("rules.group_bonus")
        return
    table = [
        *rules.group_bonus[:5],
        *(found - base if max(1, said[size]) != found else said[size] - base for size, found in seen.items()),
    ]
    changes["group_bonus"] = table
    bench.report.findings.append(
        Finding(
            "rules.score.group_bonus",
            (),
            f"groups of 5 to 11 have the bonus {', '.join(str(said[size]) for size in seen)} by the rules",
            f"they had {', '.join(map(str, seen.values()))}",
            f"group_bonus: [{', '.join(map(str, table))}]",
            rules={"score": {"group_bonus": table}},
        )
    )


def _colors(bench: Bench, state: bytes, axis: str, partner: str, factor: float, changes: dict[str, Any]) -> None:
    rules = bench.rules
    others = [name for name in COLORS if name in bench.colors.raw and name not in (axis, partner)]
    seen: dict[int, int] = {}
    base = [((4, FLOOR), (5, FLOOR), (6, FLOOR)), ((4, FLOOR - 1), (5, FLOOR - 1), (6, FLOOR - 1), (6, FLOOR - 2))]
    left = ((1, FLOOR), (2, FLOOR), (1, FLOOR - 1), (2, FLOOR - 1))
    for count in (2, 3):
        if len(others) < count - 1:
            break
        groups = [(base[0], axis), (base[1], others[0]), *([(left, others[1])] if count == 3 else [])]
        bench.lab.load(state)
        if count == 3 and not bench.free(left):
            break
        gains = provoke(bench, state, groups)
        if gains is None or not gains.rises:
            return
        seen[count] = round(gains.rises[0] * factor / (4 * count * rules.score_unit))
    power = changes.get("chain_power", rules.chain_power)[0]
    said = {count: rules.color_bonus[count] + power for count in seen}
    if not seen or all(max(1, said[count]) == found for count, found in seen.items()):
        bench.report.holds += ["rules.color_bonus"] if seen else []
        return
    table = [
        *rules.color_bonus[:2],
        *(seen[count] - power if count in seen else rules.color_bonus[count] for count in range(2, 7)),
    ]
    changes["color_bonus"] = table
    bench.report.findings.append(
        Finding(
            "rules.score.color_bonus",
            (),
            f"{_list(seen)} colours have the bonus {_list(said.values())} by the rules",
            f"they had {', '.join(map(str, seen.values()))}",
            f"color_bonus: [{', '.join(map(str, table))}]",
            rules={"score": {"color_bonus": table}},
        )
    )
