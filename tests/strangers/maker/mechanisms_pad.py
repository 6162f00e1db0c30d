"""Mechanisms of the pad, of what a piece lands by, and of times."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from tests.strangers.maker.mechanism import Changes, Mechanism, setting
from tests.strangers.maker.spec import Spec


def _drop(rng: Random, spec: Spec) -> Changes:
    """A button that drops at once; if it is A or B, the other one turns."""
    button = rng.choice(("up", "up", "a", "b"))
    if spec.turns == "up" or (button in "ab" and spec.turns in ("a", "b")):
        button = "select" if spec.turns == "up" else "up"
    if button == "up":
        return {"drop": "up"}
    if button == "select":
        return {"drop": "select"}
    return {"drop": button, "turns": "b" if button == "a" else "a"}


def _mirror_form(rng: Random, spec: Spec) -> Any:
    return replace(
        spec.mirror_form,
        by_columns=rng.random() < 0.4,
        pad=rng.choice((0, 2, 8 - spec.width % 8)),
        border=int(rng.random() < 0.3),
    )


_PAIRS = "pairs detonators bombs"
_TURNING = "pairs detonators bombs capsules tetrominoes"
_FALLING = "pairs detonators bombs tiles triplets bars"

PAD: tuple[Mechanism, ...] = (
    Mechanism(
        "slow_pad",
        "the pad is read every 8 to 12 frames",
        "poll",
        lambda s: s.poll >= 8,
        setting(poll=[8, 9, 10, 11, 12]),
        0.3,
    ),
    Mechanism(
        "debounced",
        "a button counts when it is held at two readings",
        "poll",
        lambda s: s.debounce,
        setting(debounce=True, poll=[1, 2, 3]),
        0.3,
    ),
    Mechanism(
        "no_repeat",
        "holding LEFT or RIGHT moves once",
        "repeat",
        lambda s: s.repeat_every == 0,
        setting(repeat_every=0),
        0.2,
    ),
    Mechanism(
        "quick_repeat",
        "holding LEFT or RIGHT soon moves fast",
        "repeat",
        lambda s: 0 < s.repeat_every <= 2,
        setting(repeat_after=[6, 8, 10], repeat_every=[1, 2]),
        0.25,
    ),
    Mechanism("no_soft_drop", "DOWN does nothing", "soft", lambda s: s.soft == 0, setting(soft=0), 0.25),
    Mechanism("drop_button", "a button drops the piece at once", "drop", lambda s: bool(s.drop), _drop, 0.3),
    Mechanism(
        "one_way",
        "pieces turn one way only",
        "turns",
        lambda s: s.turns != "both",
        setting(turns=["one", "a", "b", "up"]),
        0.3,
    ),
    Mechanism(
        "b_clockwise",
        "A turns counter-clockwise",
        "clockwise",
        lambda s: not s.clockwise,
        setting(clockwise=False),
        0.3,
    ),
    Mechanism(
        "select_pauses",
        "SELECT pauses, START does nothing in play",
        "pause",
        lambda s: s.pause == "select",
        setting(pause="select"),
        0.2,
    ),
    Mechanism("no_pause", "nothing pauses", "pause", lambda s: s.pause == "nothing", setting(pause="nothing"), 0.2),
    Mechanism(
        "hold",
        "SELECT holds a piece",
        "hold",
        lambda s: s.hold,
        setting(hold=True),
        0.35,
        "tetrominoes detonators bombs",
        "other",
    ),
    Mechanism(
        "heights",
        "pieces land by a cache of heights that is made anew after a lock",
        "landing",
        lambda s: s.landing == "heights",
        setting(landing="heights"),
        0.3,
        _FALLING,
    ),
    Mechanism(
        "landing_mirror",
        "pieces land by a mirror of the field, copied after a lock",
        "landing",
        lambda s: s.landing == "mirror",
        lambda r, s: {"landing": "mirror", "mirror_form": _mirror_form(r, s)},
        0.3,
    ),
    Mechanism(
        "shown_mirror",
        "the field that is shown is copied from the rules' own",
        "mirror",
        lambda s: s.mirror == "shown",
        lambda r, s: {"mirror": "shown", "mirror_form": _mirror_form(r, s)},
        0.3,
    ),
    Mechanism(
        "begins_full",
        "the field is not empty at the start",
        "begin",
        lambda s: s.begin != "empty",
        lambda _, s: {"begin": "seeds" if s.rules == "capsules" else "heap"},
        0.25,
    ),
    Mechanism("phase_bits", "the phase is in bits", "phase", lambda s: s.phase == "bits", setting(phase="bits"), 0.25),
    Mechanism(
        "phase_pointer",
        "the phase is a pointer to a routine",
        "phase",
        lambda s: s.phase == "pointer",
        setting(phase="pointer"),
        0.25,
    ),
    Mechanism(
        "phase_timer", "only timers tell the phase", "phase", lambda s: s.phase == "timer", setting(phase="timer"), 0.25
    ),
    Mechanism(
        "phase_coarse",
        "announced and falling pieces look the same",
        "phase",
        lambda s: s.phase == "coarse",
        setting(phase="coarse"),
        0.25,
    ),
    Mechanism(
        "long_announce",
        "a piece waits long before it answers",
        "announce",
        lambda s: s.announce >= 20,
        setting(announce=[20, 30, 45]),
        0.25,
    ),
    Mechanism(
        "no_announce",
        "a piece answers in its first frame",
        "announce",
        lambda s: s.announce == 0,
        setting(announce=0),
        0.2,
    ),
    Mechanism(
        "slow_lock",
        "a lock takes up to half a second",
        "lock",
        lambda s: s.lock >= 12,
        setting(lock=[12, 20, 30]),
        0.25,
    ),
    Mechanism(
        "grace",
        "a piece that stands can still be moved for some frames",
        "grace",
        lambda s: s.grace > 0,
        setting(grace=[8, 16, 30]),
        0.3,
    ),
    Mechanism(
        "slow_fall",
        "cells fall row by row",
        "fall",
        lambda s: s.fall > 0,
        setting(fall=[1, 2, 4]),
        0.3,
        f"{_FALLING} capsules",
    ),
    Mechanism(
        "long_pops",
        "clearing takes up to three seconds",
        "pop",
        lambda s: s.pop >= 60,
        setting(pop=[60, 100, 180]),
        0.25,
    ),
    Mechanism(
        "levels",
        "pieces fall faster with time",
        "levels",
        lambda s: s.faster > 0,
        setting(faster=[2, 4, 6], pieces_per_level=[8, 10, 15]),
        0.3,
    ),
    Mechanism(
        "fresh_down",
        "DOWN counts only when it was pressed after the piece appeared",
        "fresh",
        lambda s: s.fresh_down,
        setting(fresh_down=True),
        0.3,
    ),
)
