"""Draws specs: a game of a kind, then mechanisms in a drawn order, each kept if the game stays possible and fair."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any, Final

from tests.strangers.maker.formula import FORMULAS
from tests.strangers.maker.mechanisms import MECHANISMS, mechanism
from tests.strangers.maker.spec import Spec

FAMILY: Final = "family"
OTHER: Final = "other"
FORMULA: Final = "formulas"
KINDS: Final = (FAMILY, OTHER, FORMULA)
OTHERS: Final = ("triplets", "capsules", "tetrominoes", "detonators", "bombs", "tiles", "bars")
LEAST: Final = 3
"""Every game has at least so many mechanisms."""

TSU: Final = (0, 8, 16, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448, 480, 512)


def draw(seed: int, kind: str = FAMILY, only: str | None = None) -> Spec:
    """The game of a seed; the same one for ever. only: a dull game with this mechanism alone. kind: family, other, or
    formulas: the family's game of this seed, with a score of its own.

    Raises ValueError for another kind, or a mechanism that this kind can't have; KeyError for no mechanism.
    """
    if kind not in KINDS:
        raise ValueError(f"there is no kind {kind}; give {', '.join(KINDS[:-1])} or {KINDS[-1]}")
    rng = Random(f"{kind} {seed} {only or ''}")
    if kind == FORMULA:
        return _scored(rng, Spec(seed=seed) if only else draw(seed), only)
    if only is not None:
        return _alone(rng, seed, kind, only)
    spec = _family(rng, seed) if kind == FAMILY else _other(rng, seed, rng.choice(OTHERS))
    if spec.rules == "capsules":
        spec = replace(spec, links=rng.choice(("bits", "any")))
    # some games are a little strange, some very
    how_strange = rng.choice((0.4, 0.8, 1.2, 1.6))
    while True:
        drawn = _mixed(rng, spec, how_strange)
        if len(drawn.mechanisms) >= LEAST and _has_room(drawn):
            return drawn


def _scored(rng: Random, spec: Spec, only: str | None) -> Spec:
    """The game with the one mechanism of a formula, or with some that were drawn, and a least one."""
    some = [mechanism(only)] if only else rng.sample(FORMULAS, len(FORMULAS))
    if not set(some) <= {*FORMULAS}:
        raise ValueError(f"no game of the kind {FORMULA} has the mechanism {only}")
    while True:
        drawn, taken = spec, set[str]()
        for one in some:
            if taken.isdisjoint(one.keys.split()) and (only or rng.random() < one.share):
                after = replace(drawn, **one.apply(rng, drawn))
                if not faults(after):
                    drawn = after
                    taken.update(one.keys.split())
        if taken and faults(drawn) == []:
            return drawn


def _mixed(rng: Random, spec: Spec, how_strange: float) -> Spec:
    """The game with mechanisms in a drawn order, each that is possible beside the ones before."""
    taken: set[str] = set()
    order = [one for one in MECHANISMS if one.suits(spec) and one.share and spec.seed >= one.since]
    for one in rng.sample(order, len(order)):
        if taken.isdisjoint(one.keys.split()) and rng.random() < one.share * how_strange:
            after = replace(spec, **one.apply(rng, spec))
            if not faults(after) and one.holds(after):
                spec = after
                taken.update(one.keys.split())
    return spec


def _has_room(spec: Spec) -> bool:
    """Whether RAM has room for all of it: tried where it may be too little."""
    from tests.strangers.maker.machine import Stranger

    if spec.area != "hidden" and _bytes(spec) < (0x1000 if spec.area == "cart" else 0x2C0):
        return True
    try:
        Stranger(spec)
    except MemoryError:
        return False
    return True


def _alone(rng: Random, seed: int, kind: str, only: str) -> Spec:
    one = mechanism(only)
    for name in rng.sample(OTHERS, len(OTHERS)) if kind == OTHER else ["pairs"]:
        spec = _other(rng, seed, name, dull=True) if kind == OTHER else _family(rng, seed, dull=True)
        if one.suits(spec):
            if kind == OTHER and name == "capsules" and only != "links":
                spec = replace(spec, links="any")
            after = replace(spec, **one.apply(rng, spec))
            if not faults(after) and one.holds(after):
                return after
    raise ValueError(f"no game of the kind {kind} has the mechanism {only}")


def series(kind: str = FAMILY, only: str | None = None, first: int = 0) -> Iterator[Spec]:
    """Specs of one seed after the other."""
    seed = first
    while True:
        yield draw(seed, kind, only)
        seed += 1


def _family(rng: Random, seed: int, dull: bool = False) -> Spec:
    """Rules that a rules file can express: six columns, at most fourteen rows in which halves can be."""
    if dull:
        return Spec(seed=seed)
    hidden = rng.choice((0, 1, 1, 1, 2))
    ceiling = 1 if not hidden else rng.choice((0, 0, 1))
    visible = rng.choice([rows for rows in (9, 10, 11, 12, 12, 12, 13) if rows + hidden + ceiling <= 14])
    colors = rng.choice((3, 4, 4, 5, 5, 6))
    power = rng.choice((Spec().chain_power, TSU, (0, 4, 20, 50, 100, 200), (0, 1, 2, 4, 8, 16, 32), (1, 2, 3, 4, 5)))
    sizes = rng.choice((Spec().group_bonus, (0, 0, 0, 0, 0, 1, 2, 3, 4, 5), (0,) * 5))
    return Spec(
        seed=seed,
        height=visible + hidden,
        hidden=hidden,
        ceiling=ceiling,
        colors=colors,
        clear_size=rng.choice((3, 4, 4, 4, 5) if colors < 6 else (3, 4, 4)),
        hidden_clear=bool(hidden) and rng.random() < 0.2,
        kicks=rng.random() < 0.8,
        quick_turn=rng.random() < 0.4,
        chain_power=power,
        color_bonus=rng.choice((Spec().color_bonus, (0, 0, 1, 2, 3, 4, 5), (0,) * 7)),
        group_bonus=sizes,
        bonus_per_step=rng.random() < 0.25,
        max_multiplier=rng.choice((999, 999, 256)),
        points_unit=rng.choice((10, 10, 10, 1, 20)),
        drop_points=rng.choice((0, 0, 1)),
        spawn=(rng.choice((2, 2, 3)), hidden, 0),
        **_times(rng),
    )


def _times(rng: Random) -> dict[str, Any]:
    return {
        "gravity": rng.choice((20, 30, 40, 60)),
        "lock": rng.randint(1, 10),
        "announce": rng.randint(1, 16),
        "pop": rng.choice((10, 20, 40)),
        "soft": rng.choice((4, 8, 20)),
        "repeat_after": rng.choice((12, 16, 20)),
        "repeat_every": rng.choice((3, 4, 6)),
        "pause": "start",
    }


def _other(rng: Random, seed: int, rules: str, dull: bool = False) -> Spec:
    times = {} if dull else _times(rng)
    points = {} if dull or rng.random() < 0.6 else {"piece_points": 10}
    common: dict[str, Any] = {"seed": seed, "kind": OTHER, "rules": rules, **times, **points}

    def pick(*choices: Any) -> Any:
        return choices[0] if dull else rng.choice(choices)

    if rules == "triplets":
        colors = pick(4, 5, 6)
        return Spec(
            width=pick(6, 6, 7),
            height=pick(13, 14, 16),
            hidden=0,
            ceiling=3,
            colors=colors,
            clear_size=3,
            diagonals=pick(True, True, False),
            spawn=(pick(2, 3), 2, 0),
            **common,
        )
    if rules == "bars":
        return Spec(
            width=pick(6, 7, 9),
            height=pick(12, 14),
            hidden=0,
            ceiling=1,
            colors=pick(4, 5),
            clear_size=3,
            spawn=(3, 1, 0),
            **common,
        )
    if rules == "capsules":
        return Spec(
            width=pick(8, 8, 6),
            height=pick(16, 14),
            hidden=0,
            ceiling=1,
            colors=3,
            clear_size=pick(4, 4, 3),
            spawn=(pick(3, 2), 1, 0),
            begin=pick("empty", "seeds"),
            **common,
        )
    if rules == "tetrominoes":
        hidden = pick(0, 2)
        return Spec(
            width=pick(10, 10, 8),
            height=pick(20, 18, 22) + hidden,
            hidden=hidden,
            ceiling=2,
            colors=pick(6, 3, 1),
            clear_size=1,
            shapes=pick("tetrominoes", "tetrominoes", "few", "trominoes"),
            spawn=(pick(4, 3), 1 + hidden, 0),
            **common,
        )
    if rules == "tiles":
        return Spec(
            width=pick(6, 5, 8),
            height=pick(12, 10),
            hidden=0,
            ceiling=1,
            colors=pick(3, 4, 5),
            clear_size=3,
            spawn=(pick(2, 3), 1, 0),
            recolor=pick(False, True),
            **common,
        )
    hidden = pick(1, 0)
    return Spec(
        width=pick(6, 7, 8),
        height=pick(12, 13) + hidden,
        hidden=hidden,
        ceiling=1,
        colors=pick(4, 5),
        spawn=(pick(2, 3), hidden or 1, 0),
        clear_size=pick(4, 3),
        **common,
    )


def faults(spec: Spec) -> list[str]:
    """Why a game is impossible or unfair; empty for a good one."""
    field, found = spec.field, []

    def no(wrong: object, why: str) -> None:
        if wrong:
            found.append(why)

    special = field.form != "table"
    no(special and (field.wide or field.border or field.split != "none" or field.beside), "only tables have these")
    no(
        field.form in ("ring", "pointers", "masks") and (field.by_columns or field.floor_up or field.across > 1),
        "rows move",
    )
    no(field.form == "masks" and field.pad > 0, "masks have no lines")
    no(field.form in ("ring", "pointers") and spec.area != "main", "rows that move are in work RAM")
    no(field.form == "nibbles" and field.across > 2, "across tells the order of nibbles")
    no(special and (spec.rest or spec.junk) and field.form in ("nibbles", "masks"), "no bits are free")
    no(field.form in ("nibbles", "masks") and spec.links != "none", "no bits are free")
    no(spec.rules == "capsules" and field.form in ("nibbles", "masks"), "capsules need links")
    no(spec.rules == "capsules" and spec.links == "none", "capsules need links")
    no(special and field.right_left, "only tables have these")
    no(spec.angle and (spec.place == "halves" or spec.orientation == "codes"), "there is no orientation")
    no(spec.fresh_down and not spec.soft, "DOWN does nothing")
    no(spec.curtain and spec.area == "hidden", "nobody sees it")
    no(spec.late_place and not spec.announce, "there is no such time")
    no(spec.links != "none" and (spec.rest or spec.junk), "no bits are free")
    no((spec.rest or spec.junk or spec.links == "bits") and spec.empty > 15, "the code of nothing must fit")
    no(
        spec.inside and (spec.landing != "field" or spec.mirror != "" or bool(spec.copy)),
        "the piece is in the rules' field",
    )
    no(spec.inside and spec.place == "pointer", "one byte too clever")
    no(spec.mirror == "shown" and spec.area == "hidden", "then nothing would be hidden")
    no(
        spec.area == "hidden" and (spec.copy != "" or spec.landing != "field" or spec.place == "pointer"),
        "nobody sees it",
    )
    no(spec.place == "pointer" and special, "a pointer needs cells of bytes")
    no(
        spec.place in ("cell", "pointer") and (spec.cell > 1 or spec.sub == "pixels" or spec.count_up),
        "no y of its own",
    )
    no(spec.place == "cell" and spec.height * (spec.width + spec.row_extra) > 256, "too many cells for a byte")
    no(spec.place == "halves" and spec.orientation == "codes", "two ways to tell one thing")
    no(
        spec.boxed and (spec.place != "axis" or spec.orientation != "byte" or spec.quick_turn),
        "a box has one corner, four sides and no quick turn",
    )
    no(spec.sub == "pixels" and spec.cell < 8, "no pixels")
    no(spec.bounce > 0 and (spec.sub != "pixels" or spec.bounce // 2 >= spec.cell), "nothing to bounce in")
    no(spec.cell == 16 and spec.height > 14, "too high for pixels of a byte")
    no(spec.count_up and spec.origin[1] < (spec.height - 1) * spec.cell, "y would wrap")
    no(
        spec.drop == spec.turns or (spec.drop in ("a", "b") and spec.turns not in ("a", "b", "up")),
        "a button for two things",
    )
    no(spec.drop == "select" and (spec.pause == "select" or spec.hold), "a button for two things")
    no(spec.hold and spec.pause == "select", "a button for two things")
    no(spec.next_form != "bytes" and spec.next == 0, "there is no NEXT")
    no(spec.hold and spec.next_form == "ring", "a held piece comes from a list")
    points = spec.drop_points, spec.points_unit, *spec.formula.numbers()
    no(spec.score.unit == 10 and any(number % 10 for number in points), "points would be lost")
    sizes = spec.formula.by_size
    no(spec.points_unit == 0 and not sizes[min(spec.clear_size, len(sizes) - 1)], "groups would pay nothing")
    no(
        spec.rules == "tetrominoes" and (spec.piece_codes in ("nibbles", "index") or spec.next_form == "nibbles"),
        "one number",
    )
    no(
        spec.rules == "tiles" and (spec.piece_codes in ("nibbles", "index") or spec.next_form in ("nibbles", "index")),
        "one number",
    )
    no(spec.bag and spec.next == 0 and spec.rules != "tetrominoes", "no bag")
    no(spec.poll >= 8 and spec.gravity < 30 and not spec.drop, "too fast for the pad")
    no(spec.faster > 0 and spec.poll >= 8 and spec.gravity_least < 20, "too fast for the pad")
    no(spec.drop != "" and spec.poll >= 8 and spec.gravity < 20, "too fast for the pad")
    # a press counts until the pad is read again
    no(spec.repeat_every > 0 and spec.repeat_after < spec.poll, "the shortest tap moves a piece over several columns")
    no(spec.kind == FAMILY and spec.height + spec.ceiling > 14, "more rows than a rules file can say")
    no(
        spec.orientation == "codes" and spec.rules not in ("pairs", "capsules", "tetrominoes"),
        "no sides in these codes",
    )
    no(_bytes(spec) > (0x2000 if spec.area == "cart" else 0x440), "too little RAM")
    no(not _enters(spec), "a piece would appear outside")
    return found


def _bytes(spec: Spec) -> int:
    """About how many bytes the fields take, of both seats."""
    field = spec.field
    one = {"nibbles": 0.6, "masks": spec.colors / 4}.get(field.form, 1.0)
    lines = (spec.width, spec.height) if field.by_columns else (spec.height, spec.width)
    wide = (2 if field.wide else 1) * (field.across if field.form == "table" else 1)
    size = (lines[0] + 2 * field.border + 2 * field.beside) * ((lines[1] + 2 * field.border) * wide + field.pad) * one
    if spec.area == "hidden":
        # there is room enough, but for the largest
        size = 0 if size < 0x500 else 0x1000
    form = spec.mirror_form
    other = (spec.width + 2 * form.border + 8) * (spec.height + 2 * form.border + 8)
    size += other * ((spec.mirror == "shown") + (spec.landing == "mirror"))
    size += spec.width * spec.height * bool(spec.copy)
    return int(size * (2 if spec.opponent else 1))


def _enters(spec: Spec) -> bool:
    """Whether a piece may appear where it does in an empty field."""
    from tests.strangers.maker.rules import make_rules

    column, row, turn = spec.spawn
    rules = make_rules(spec)
    for number in range(1, 8):
        shape = rules.shape((number,) * rules.size(), turn)
        for at, (dx, dy) in enumerate(shape):
            least = 0 if at == 0 and spec.rules == "pairs" else -spec.ceiling
            if not (0 <= column + dx < spec.width and least <= row + dy < spec.height):
                return False
    return True
