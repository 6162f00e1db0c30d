"""Mechanisms of how the field lies in RAM."""

from __future__ import annotations

from dataclasses import replace

from tests.strangers.maker.mechanism import Mechanism, field_with, setting

_PAIRS = "pairs detonators bombs"
_TURNING = "pairs detonators bombs capsules tetrominoes"
_FALLING = "pairs detonators bombs tiles triplets bars"

FIELD: tuple[Mechanism, ...] = (
    Mechanism(
        "by_columns", "column after column", "order", lambda s: s.field.by_columns, field_with(by_columns=True), 0.3
    ),
    Mechanism(
        "strided",
        "cells stand some bytes apart",
        "across",
        lambda s: s.field.across > 1,
        field_with(across=[2, 2, 3, 4]),
        0.3,
    ),
    Mechanism(
        "padded",
        "lines are longer than the field",
        "pad",
        lambda s: s.field.pad > 0,
        lambda r, s: {"field": replace(s.field, pad=r.choice((1, 2, 3, 5, 8)))},
        0.3,
    ),
    Mechanism(
        "border",
        "walls of cells stand around the field",
        "border",
        lambda s: s.field.border > 0,
        field_with(border=1),
        0.3,
    ),
    Mechanism(
        "floor_up", "the floor comes first", "updown", lambda s: s.field.floor_up, field_with(floor_up=True), 0.3
    ),
    Mechanism("ring", "the rows are a ring", "form", lambda s: s.field.form == "ring", field_with(form="ring"), 0.7),
    Mechanism(
        "pointers",
        "a table of pointers has the rows",
        "form",
        lambda s: s.field.form == "pointers",
        field_with(form="pointers"),
        0.7,
    ),
    Mechanism(
        "nibbles",
        "two cells share a byte",
        "form",
        lambda s: s.field.form == "nibbles",
        lambda r, s: {"field": replace(s.field, form="nibbles", across=r.choice((1, 2)))},
        0.8,
    ),
    Mechanism(
        "masks",
        "each colour has a bit mask for each row",
        "form",
        lambda s: s.field.form == "masks",
        field_with(form="masks"),
        0.9,
    ),
    Mechanism("wide_cells", "cells have 16 bits", "form", lambda s: s.field.wide, field_with(wide=True), 0.35),
    Mechanism(
        "split",
        "parts of the field lie apart",
        "split",
        lambda s: s.field.split != "none",
        lambda r, s: {"field": replace(s.field, split=r.choice(("rows" if s.hidden else "odd", "halves", "odd")))},
        0.25,
    ),
    Mechanism(
        "beside_row",
        "what lies beside the field looks like rows of it",
        "beside_field",
        lambda s: s.field.beside,
        field_with(beside=True),
        0.25,
    ),
    Mechanism(
        "cartridge",
        "the field is in the cartridge's RAM",
        "area",
        lambda s: s.area == "cart",
        setting(area="cart"),
        0.3,
    ),
    Mechanism(
        "unseen",
        "the field is in RAM that nobody sees",
        "area",
        lambda s: s.area == "hidden",
        setting(area="hidden"),
        0.45,
    ),
    Mechanism(
        "piece_inside",
        "the falling piece is written into the field",
        "inside",
        lambda s: s.inside,
        setting(inside=True),
        0.35,
    ),
    Mechanism(
        "rest_flag", "cells that rest have a bit of their own", "flags", lambda s: s.rest, setting(rest=True), 0.35
    ),
    Mechanism("junk_bits", "bits of a cell mean nothing", "flags", lambda s: s.junk, setting(junk=True), 0.35),
    Mechanism(
        "links",
        "cells tell to what they are linked",
        "links",
        lambda s: s.links != "none",
        setting(links=["bits", "any"]),
        0.5,
        "capsules",
    ),
    Mechanism(
        "empty_code",
        "the code of nothing is not zero",
        "empty",
        lambda s: s.empty != 0,
        setting(empty=[-1, 5, 8, 15]),
        0.3,
    ),
    Mechanism("any_codes", "codes are arbitrary", "codes", lambda s: s.codes == "any", setting(codes="any"), 0.25),
    Mechanism(
        "tile_codes",
        "codes are numbers of tiles, some apart",
        "codes",
        lambda s: s.codes == "tiles",
        setting(codes="tiles"),
        0.25,
    ),
    Mechanism(
        "copy_exact",
        "there is an exact copy of the field",
        "copy",
        lambda s: s.copy == "exact",
        setting(copy="exact"),
        0.25,
    ),
    Mechanism(
        "copy_late",
        "there is a copy of the field that is some frames late",
        "copy",
        lambda s: s.copy == "late",
        setting(copy="late"),
        0.3,
    ),
    Mechanism(
        "copy_picture",
        "there is a copy of the field as tiles of the picture",
        "copy",
        lambda s: s.copy == "picture",
        setting(copy="picture"),
        0.25,
    ),
    Mechanism(
        "right_left",
        "the rightmost cell comes first",
        "leftright",
        lambda s: s.field.right_left,
        field_with(right_left=True),
        0.3,
    ),
    Mechanism(
        "alike",
        "cells tell which neighbours are alike",
        "flags links",
        lambda s: s.links == "bits" and s.rules != "capsules",
        setting(links="bits"),
        0.35,
        "pairs detonators bombs tiles",
    ),
)
