"""The first experiments: a route to play, the piece and how the pad steers it, and the field."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, islice, pairwise

import numpy as np

from ochibot.errors import CalibrationError
from ochibot.experiments.behind import find_behind
from ochibot.experiments.coordinates import coordinates
from ochibot.experiments.documented import NO_HINTS, Hints
from ochibot.experiments.drawn import find_drawn, joined, with_others
from ochibot.experiments.driver import Driver, Place
from ochibot.experiments.facts import Basis, Shape, Stance
from ochibot.experiments.fields import (
    Field,
    came,
    lifted,
    with_height,
)
from ochibot.experiments.floor import floored, ring_above, ring_below, with_shared_rows, with_top
from ochibot.experiments.grid import Grid
from ochibot.experiments.known import Ground
from ochibot.experiments.landings import Landing, Mask, finer, play, restless
from ochibot.experiments.likely import likely_fields, of_a_part, viewed_fields, with_cells
from ochibot.experiments.motion import Motion, motion
from ochibot.experiments.parts import OWN, SHARED, alike, doubtful, own_share, partial, shared, upright, usual_shape
from ochibot.experiments.rig import Rig, signed
from ochibot.experiments.setting import Setting, find_setting, in_ram
from ochibot.experiments.stance import bare_ground
from ochibot.experiments.turning import find_turning
from ochibot.experiments.views import View, cropped

CLEAR = 0.75
"""With this share, no other ways to keep a field are tried."""

CLEARER = 0.1
"""Such a way must explain so many more of the landings, as a share, than bytes at equal distances do."""

MOST_VIEWED = 2
"""With how many pairs of bytes as x and y such ways are tried."""

MORE_PIECES = 140
"""How many further pieces are played for them."""

COPIED = 0.75
"""If x and y go with others after this share of the landings, they are copies. Some are a frame late."""

MOST_TAKEN = 170
"""If a piece takes more frames than this, no further ones are played: y may be a timer."""

FAR_BETTER = 0.25
"""So much more must bytes explain that don't keep what is poked, if others that keep it explain the landings too."""

SURE = 0.65
"""With this share, no other bytes are tried as x and y."""

MOST_BEHIND = 6
"""How many views are tried behind a field on which no piece lands."""


@dataclass(frozen=True, eq=False)
class _Found:
    """Where the field may be, if x and y are the driver's. share: of the landings that it explains. view: how the
    cells are read, if they aren't bytes at equal distances. turn: a button that turns pieces, None if none is known.
    took: the frames of a piece.
    """

    driver: Driver
    columns: tuple[int, ...]
    landings: list[Landing]
    fields: list[Field]
    share: float
    follow: tuple[int, int]
    turn: int | None
    view: View | None = None
    took: int = 0


def find_bases(rig: Rig, state: bytes, seen: Motion | None = None, hints: Hints = NO_HINTS) -> Iterator[Basis]:
    """Where RAM may hold x, y and the field, at a savestate of play: the likeliest first. Raises CalibrationError when
    it finds nothing.
    """
    moves = seen or motion(rig, state)
    if not moves:
        raise CalibrationError("nothing falls and follows left and right at the savestate")
    best: _Found | None = None
    best_kept = 0
    found: list[_Found] = []
    costly: list[_Found] = []
    kept_of: dict[int, int] = {}
    most = 0
    problem: CalibrationError | None = None
    for number, (driver, columns, follow, kept) in enumerate(coordinates(rig, state, moves, hints)):
        rig.check()
        if any(_copied(one, driver) for one in costly):
            continue
        rig.look(None)
        try:
            tried = _fields(driver, columns, state, follow, views=number < MOST_VIEWED)
        except CalibrationError as error:
            problem = error
            continue
        if tried.took > MOST_TAKEN:
            costly.append(tried)
            kept_of[id(tried)] = kept
        most = max(most, len(tried.landings))
        if not tried.fields:
            continue
        found.append(tried)
        if best is None or found[-1].share > best.share + (FAR_BETTER if best_kept > kept else 0):
            best, best_kept = found[-1], kept
        if best.share >= SURE:
            break
    share = 0.0 if best is None else best.share
    # those whose x and y keep what is poked, more than those of the best field, may show one with more pieces
    kept_more = [one for one in costly if best is not None and kept_of[id(one)] > best_kept]
    again = [*kept_more[:1], *[one for one in costly if best in (None, one)][:1]]
    for first in again:
        if share >= SURE or (best is None and most > len(first.landings)):
            # more pieces than these were played with another x and y, and showed no field
            break
        rig.look(None)
        more = _fields(first.driver, first.columns, state, first.follow, views=True, slow=first)
        found += [more] if more.fields else []
        if more.fields and more.share > share + CLEARER:
            best, share = more, more.share
    if best is None:
        raise problem or CalibrationError(
            "no bytes were found that follow the column and the height in which pieces come to rest: the field may be "
            "in RAM that this core doesn't show"
        )
    yield from _bases(best, state)
    for one in sorted((one for one in found if one is not best), key=lambda one: -one.share):
        yield from _bases(one, state)


def _copied(found: _Found, other: Driver) -> bool:
    """Whether another x and y go with those that were tried, so that the same pieces would show the same field."""

    def along(one: Place, two: Place) -> float:
        seen = np.stack([landing.flying[[one.offset, two.offset]] for landing in found.landings])
        away = signed(seen - seen[0]).astype(int)
        return float((away[:, 0] * two.step == away[:, 1] * one.step).mean())

    return min(along(found.driver.x, other.x), along(found.driver.y, other.y)) >= COPIED


def _bases(found: _Found, state: bytes) -> Iterator[Basis]:
    """The basis that landings show, then others that they allow: with another lowest row, and with another field."""
    found, field, setting = _set(found, state)
    yield _basis(found, field, setting, state)
    for rows in (1, -1) if setting.kind != "none" else ():
        with suppress(CalibrationError):
            yield _basis(found, field, setting, state, rows)
    if found.view is None and setting.kind != "none" and not partial(field, found.fields[0], found.landings):
        with suppress(CalibrationError):
            behind = _behind(found, state)
            if behind is not None:
                yield _basis(*behind, state)


def _set(found: _Found, state: bytes) -> tuple[_Found, Field, Setting]:
    """Which of the fields holds pieces, and how it is set."""
    driver, rig = found.driver, found.driver.rig
    driver.first, driver.drawn = (), None
    rig.look(found.view)
    _undraw(found, state)
    field, setting = find_setting(driver, found.fields, found.landings)
    if found.view is None and (ring := ring_below(driver, field, setting, found.landings)):
        return *_ringed(found, *ring), setting
    if found.view is None and (setting.kind == "none" or partial(field, found.fields[0], found.landings)):
        return _behind(found, state) or (found, field, setting)
    return found, field, setting


def _ringed(found: _Found, field: Field, ring: View) -> tuple[_Found, Field]:
    """A field whose rows are a ring, by the cells of its view."""
    rig = found.driver.rig
    rig.look(ring)
    field = replace(field, grid=Grid(rig.own, 1, ring.columns, ring.columns, field.grid.empty))
    seen = [with_cells(rig, one) for one in found.landings]
    return replace(found, landings=seen, fields=[field, *found.fields], view=ring), field


def _fields(
    driver: Driver,
    columns: tuple[int, ...],
    state: bytes,
    follow: tuple[int, int],
    *,
    views: bool,
    slow: _Found | None = None,
) -> _Found:
    """Plays pieces and looks for fields in what they leave; there may be none.

    ``views``: also for fields whose cells aren't bytes at equal distances, if no field explains nearly all landings.
    slow: what the first pieces showed, after which more are played for such fields, however many frames these take.
    """
    rig = driver.rig
    began = rig.frames
    if slow is not None:
        turn, landings = slow.turn, [with_cells(rig, one) for one in slow.landings]
    else:
        try:
            turn = int(find_turning(driver, state).button)
        except CalibrationError:
            turn = None
        began = rig.frames
        landings = play(driver, state, columns, turn)
        columns = finer(columns, landings)
    took = (rig.frames - began) // len(landings)
    quiet = restless(driver, landings)
    found = likely_fields(landings, columns, driver.y.step, quiet, rig.size)
    plain = next((share for share, _ in found), 0.0)
    if views and (plain < CLEAR or doubtful(found)):
        viewed = next(iter(viewed_fields(driver, landings, columns, quiet)), None)
        sure = max(plain, viewed[0] if viewed is not None else 0.0) >= SURE and not doubtful(found)
        if not sure and (slow is not None or took <= MOST_TAKEN):
            # some rows were seen too seldom
            landings = [*landings, *play(driver, state, columns, turn, MORE_PIECES, seed=2)]
            viewed = next(iter(viewed_fields(driver, landings, columns, quiet)), None)
            found = likely_fields(landings, columns, driver.y.step, quiet, rig.size)
            plain = next((share for share, _ in found), 0.0)
        if viewed is not None and doubtful(found):
            better = viewed[0] + own_share(viewed[1]) > plain + own_share(found[0][1]) + CLEARER
        else:
            better = viewed is not None and viewed[0] > plain + CLEARER
        if viewed is not None and better and not (found and of_a_part(*viewed[1:], found[0][1])):
            share, field, view = viewed
            rig.look(view)
            seen = [with_cells(rig, one) for one in landings]
            return _Found(driver, columns, seen, [field], share, follow, turn, view, took)
    fields: list[Field] = []
    taken: set[int] = set()
    for _, field in found:
        if not taken & set(field.offsets()):
            fields.append(field)
            taken.update(field.offsets())
    share = min(plain, own_share(fields[0])) if doubtful(found) else plain
    return _Found(driver, columns, landings, fields, share, follow, turn, None, took)


def _trimmed(rig: Rig, field: Field) -> tuple[Field, View | None]:
    """The field and the view without the cells that aren't the field's, but for one row above it."""
    view = rig.view
    if view is None:
        return field, None
    row, column = divmod(field.grid.floor - rig.own, view.columns)
    rows = min(field.rows + 1, view.size // view.columns - row)
    view = cropped(view, (column, column + field.grid.columns), (row, row + rows))
    rig.look(view)
    return replace(field, grid=replace(field.grid, floor=rig.own, up=view.columns)), view


def _basis(found: _Found, field: Field, setting: Setting, state: bytes, lift: int = 0) -> Basis:
    """The basis of a field. lift: so many of its lowest rows are left out."""
    driver, rig = found.driver, found.driver.rig
    rig.look(found.view)
    driver.first = ()
    field, setting, view, landings = floored(driver, field, setting, found.view, found.landings)
    found = replace(found, view=view, landings=landings)
    field = with_shared_rows(field, setting, found.fields, found.landings)
    if lift:
        field, setting = lifted(field, lift), setting.lifted(lift)
        if not in_ram(rig, field):
            raise CalibrationError("there is no such row")
    known = field.rows
    field = with_height(field, driver, found.landings, restless(driver, found.landings))
    field = with_top(driver, field, setting, found.landings)
    driver.drawn = with_others(driver.drawn, field, known, found.landings)
    _settle(found)
    left = [came(field, one) for one in found.landings]
    taps = upright(left)
    shape = usual_shape([one for one in left if one.landing.turns == taps])
    low = min(row for _, row in shape)
    spawn = max(_tops(field, found.landings))
    if (
        found.view is None
        and spawn + low >= field.rows
        and (ring := ring_above(driver, field, setting, found.landings))
    ):
        return _basis(*_ringed(found, replace(field, rows=ring.size // ring.columns), ring), setting, state)
    turn = int(find_turning(driver, state).button) if taps else 0
    driver.first = (turn,) * taps
    sign = 1 if field.down > 0 else -1
    rig.load(state)
    for button in driver.first:
        rig.run(driver.tap.pads(button))
    column, _ = field.spot(driver.x_now(), driver.y_now())
    field, view = _trimmed(rig, field)
    assert driver.control_delay is not None
    leftmost = min(c for c, _ in shape)
    return Basis(
        (driver.x.offset, driver.x.step),
        (driver.y.offset, driver.y.step),
        driver.control_delay,
        tuple(field.left_x + number * field.step_x & 255 for number in range(field.grid.columns)),
        field.grid,
        field,
        setting,
        driver.tap,
        field.floor_y + sign * low * field.unit & 255,
        field.floor_y - sign * spawn * field.unit & 255,
        -sign * field.unit,
        min(spawn + low + 1, field.rows),
        column,
        tuple(other.grid.floor for other in found.fields if other.grid.floor not in field.offsets()),
        found.follow,
        tuple(sorted((c - leftmost, r - low) for c, r in shape)),
        driver.first,
        spawn + low + 1,
        view,
        joined(find_drawn(driver, field, _appeared(found, state)), driver.drawn),
        rig.number,
    )


def _appeared(found: _Found, state: bytes) -> bytes:
    """A savestate of a piece that came under control after another one: the first piece of a game may have sunk."""
    return next((then.state for one, then in pairwise(found.landings) if one.game == then.game), state)


def _undraw(found: _Found, state: bytes) -> None:
    """Takes the piece that has just appeared out of the landings, if the game draws it into the field."""
    driver = found.driver
    driver.drawn = find_drawn(driver, found.fields[0], _appeared(found, state))
    _settle(found)


def _settle(found: _Found) -> None:
    for one in found.landings:
        found.driver.settled(one.before)
        found.driver.settled(one.after)


def _behind(found: _Found, state: bytes) -> tuple[_Found, Field, Setting] | None:
    """The field behind copies on which no piece lands, if its cells aren't bytes like theirs; None if there is none on
    which pieces land, either.
    """
    driver, rig, landings = found.driver, found.driver.rig, found.landings
    quiet = restless(driver, landings)
    taken, copy, drawn = quiet.copy(), found.fields[0], driver.drawn
    for one in found.fields:
        if alike(one, copy, landings):
            taken[one.offsets()] = True
    whole = taken.copy()
    whole[copy.offsets()] = True

    def guessed(masks: Sequence[Mask]) -> Iterator[tuple[Field, View]]:
        # a copy may be late: then no bit follows its cells, and it looks like a part of a field
        for mask in masks:
            for _, place, view in islice(viewed_fields(driver, landings, found.columns, mask), MOST_BEHIND):
                as_large = place.grid.columns == copy.grid.columns and place.rows >= copy.rows - 1
                # a piece that is drawn into the field as it falls changes cells
                if as_large and not (mask & ~quiet)[list(view.bytes)].any():
                    yield place, view

    for pieces in (0, MORE_PIECES) if found.took <= MOST_TAKEN else (0,):
        if pieces:
            # some rows were seen too seldom
            landings = [*landings, *play(driver, state, found.columns, found.turn, pieces, seed=2)]
        masks = [taken] if pieces == 0 or taken[copy.offsets()].all() else [taken, whole]
        # the bytes may be those of the field, and its rows lie in another order
        masks.append(quiet)
        followed = find_behind(landings, copy, taken, rig.own)
        for place, view in chain(islice(followed, MOST_BEHIND), guessed(masks)):
            rig.look(view)
            fields = [place, *(one for one in found.fields if not view.bytes & set(one.offsets()))]
            seen = [with_cells(rig, one) for one in landings]
            if own_share(copy) >= OWN and shared(place, copy, seen) < SHARED:
                rig.look(None)
                continue
            tried = replace(found, landings=seen, fields=fields, view=view)
            _undraw(tried, state)
            field, setting = find_setting(driver, fields, tried.landings, 1)
            if setting.kind != "none":
                return tried, field, setting
            rig.look(None)
            driver.drawn = drawn
    return None


def _tops(field: Field, landings: Sequence[Landing]) -> list[int]:
    """The rows in which pieces appear, without rare ones."""
    rows = Counter(field.spot(one.x, one.top)[1] for one in landings)
    return [row for row, times in rows.items() if 4 * times >= len(landings)] or list(rows)


def ground_of(rig: Rig, state: bytes, basis: Basis, stance: Stance, shape: Shape | None) -> Ground:
    """Makes the Ground for the later experiments from what was learnt of the field and the piece."""
    mask, colors = (stance.mask, ()) if shape is None else (shape.mask, shape.colors)
    return replace(bare_ground(rig, state, basis, stance.turning), mask=mask, colors=colors)
