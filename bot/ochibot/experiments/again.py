"""Holds the exam, and holds it again with the next candidate for a fact that it contradicts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from ochibot.errors import CalibrationError
from ochibot.experiments.evidence import Evidence
from ochibot.experiments.exam import Exam, why_not
from ochibot.experiments.facts import Above
from ochibot.experiments.learnt import Learnt
from ochibot.experiments.notebook import Notebook
from ochibot.experiments.rig import Rig

MOST_AGAIN: Final = 5
"""How often the exam is held again."""

MOST_OTHERS: Final = 2
"""How many other candidates for a fact are looked for by experiments."""

CEILINGS: Final = ((1, "solid"), (1, "vanish"), (0, "vanish"))
"""Hidden rows, and what is above them, from the most usual on."""

SUSPECTS: Final = {
    "NEXT": ("NEXT 1", "signs"),
    "score": ("the score",),
    "field": ("signs", "hidden rows"),
    "steering": ("the fastest taps", "kicks", "hidden rows"),
    "spawn": ("signs",),
    "placements": ("hidden rows", "signs"),
    "end": ("the end",),
}
"""For what an exam found otherwise, the facts that may be wrong, the likeliest first."""

SIGNS: Final = ("signs", "when the first piece comes")
PAGES: Final = {
    "signs": SIGNS,
    "the end": SIGNS,
    "the score": ("the score", "the score's cap", "the formula", "a bonus that is paid later"),
    "NEXT 1": tuple(f"NEXT {n}, {what}" for n in (1, 2, 3) for what in ("near half", "far half", "as a pair")),
}
"""The pages to be made anew with another candidate for a fact, where it isn't the fact's own page alone."""


def hold(
    rig: Rig, book: Notebook, learn: Callable[[], Learnt], examine: Callable[[Learnt, int | None], Exam]
) -> tuple[Learnt, Exam]:
    """Learns and examines. Where the exam isn't passed, it turns a candidate down, and both are done again. Returns the
    best results. examine: gets what was learnt, and with how many faults an exam may end.
    """
    learnt, exam, last = appearing(book, learn(), None, examine)
    kept = book.kept()
    for _ in range(MOST_AGAIN):
        fact = None if exam.passed else suspect(rig, book, learnt, exam)
        if fact is None:
            break
        turn_down(rig, book, fact, learnt, exam)
        for guess in guesses(book, learnt, fact)[:1]:
            # from the notebook, all that builds on it gets it, too
            book.page(fact, lambda guess=guess: guess)  # type: ignore[misc]
        other = None
        better = exam
        try:
            other, better, last = appearing(book, learn(), exam.pieces - exam.agreed, examine)
        except CalibrationError as error:
            last = Exam("play", 0, 0, why_not(error))
        if other is not None and worth(better) > worth(exam):
            learnt, exam, kept = other, better, book.kept()
            continue
        if other is not None:
            turn_down(rig, book, fact, other, better)
        book.back(kept)
    if last is not exam:
        # so that the files are its
        examine(learnt, None)
    return learnt, exam


def appearing(
    book: Notebook, learnt: Learnt, most: int | None, examine: Callable[[Learnt, int | None], Exam]
) -> tuple[Learnt, Exam, Exam]:
    """Examines what was learnt. If pieces always appear in another place than the files say, they are taken to appear
    there, and the exam is held again. Returns (the better of both; its exam; the last exam that was held).
    """
    exam = examine(learnt, most)
    if exam.passed or exam.appeared is None or learnt.appears is not None:
        return learnt, exam, exam
    seen = replace(learnt, appears=exam.appeared)
    last = examine(seen, most)
    if worth(last) <= worth(exam):
        return learnt, exam, last
    x, y, orientation = exam.appeared
    why = f"the exam: they appear at x {x}, y {y}, {orientation}"
    book.turn_down("where pieces appear", f"as worked out from the rows and turns ({exam.shortfall})", why, [], ())
    return seen, last, last


def worth(exam: Exam) -> tuple[bool, bool, int, int]:
    """What decides between two exams, the first thing first."""
    return exam.passed, exam.kind == "play", -len(exam.missing), exam.agreed


def suspect(rig: Rig, book: Notebook, learnt: Learnt, exam: Exam) -> str | None:
    """The likeliest wrong fact, of those for which there may be another candidate and the fewest were turned down; None
    if there is none.
    """

    def more(fact: str) -> bool:
        looked_for = places_of(learnt, fact) and not rig.spent and book.tried(fact) <= MOST_OTHERS
        return bool(looked_for or guesses(book, learnt, fact))

    facts = [fact for what, _ in exam.against for fact in SUSPECTS.get(what, ()) if more(fact)]
    return min(facts, key=book.tried, default=None)


def turn_down(rig: Rig, book: Notebook, fact: str, learnt: Learnt, exam: Exam) -> None:
    """Turns down what was learnt for a fact."""
    places = sorted(places_of(learnt, fact))
    told = ", ".join(f"{rig.address(place):04X}" for place in places) or words_of(learnt, fact)
    right = Evidence(exam.agreed, exam.pieces - exam.agreed)
    book.turn_down(fact, f"{told} ({right})", f"the exam: {exam.shortfall}", places, PAGES.get(fact, (fact,)))


def places_of(learnt: Learnt, fact: str) -> list[int]:
    """Where the present candidate for a fact is; empty if it is nowhere in RAM."""
    moments, score = learnt.moments, learnt.score
    if fact == "signs" and moments is not None and moments.spawn is not None:
        return [moments.spawn.offset]
    if fact == "the end" and moments is not None and moments.over is not None:
        return [moments.over.offset]
    if fact == "the score" and score is not None:
        return list(range(score.offset, score.offset + score.form.width))
    return [byte.offset for byte in learnt.following[0]] if fact == "NEXT 1" and learnt.following else []


def words_of(learnt: Learnt, fact: str) -> str:
    """The present candidate for a fact that is nowhere in RAM."""
    above, kicks, tap = learnt.above, learnt.kicks, learnt.tap
    if fact == "hidden rows" and above is not None:
        return f"{above.hidden_rows}, what is above them: {above.ceiling}"
    if fact == "kicks" and kicks is not None:
        return "from walls" if kicks.wall else "not from walls"
    return f"{tap.on} on, {tap.off} off" if fact == "the fastest taps" and tap is not None else "nothing"


def guesses(book: Notebook, learnt: Learnt, fact: str) -> list[Any]:
    """Other candidates for a fact that need no experiment, without those that were turned down; the likeliest first."""
    found: list[tuple[Any, Learnt]] = []
    if fact == "kicks" and learnt.kicks is not None:
        kicks = replace(learnt.kicks, wall=not learnt.kicks.wall)
        found = [(kicks, replace(learnt, kicks=kicks))]
    elif fact == "hidden rows" and learnt.above is not None:
        basis = learnt.basis
        # a view shows only the rows that were found
        room = basis.view is None or basis.view.size > basis.visible * basis.view.columns
        found = [(one, replace(learnt, above=one)) for one in (Above(*ceiling) for ceiling in CEILINGS)
                 if room or not one.hidden_rows]  # fmt: skip
    elif fact == "the fastest taps":
        found = [(learnt.basis.tap, replace(learnt, tap=learnt.basis.tap))]
    down = [candidate.rpartition(" (")[0] for name, candidate, *_ in book.turned_down if name == fact]
    now = words_of(learnt, fact)
    return [guess for guess, made in found if words_of(made, fact) not in (now, *down)]
