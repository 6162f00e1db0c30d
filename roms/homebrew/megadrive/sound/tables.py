"""Make the tables of the sound: the tune's steps, the effects.

    python3 tables.py OUTPUT_FOLDER

writes notes.c. Needs only the standard library; the same sources always give the same bytes.
"""

from __future__ import annotations

import sys
from pathlib import Path

HOLD, REST, END = 0xFE, 0xFF, 0xFFFF
NAMES = ("C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B")
SEMITONES = (26163, 27718, 29366, 31113, 32963, 34923, 36999, 39200, 41530, 44000, 46616, 49388)
"""The frequencies of the notes C4 to B4, in hundredths of a hertz."""
CHORDS = {"C": (0, 4, 7), "Dm": (2, 5, 9), "Em": (4, 7, 11), "F": (5, 9, 12), "G": (7, 11, 14), "Am": (9, 12, 16)}
BASS = (0, None, 0, 12, None, 0, 7, 12)
ARPEGGIO = (0, 1, 2, 3, 2, 1, 2, 1, 0, 1, 2, 3, 2, 3, 2, 1)
DRUMS = "k.h.s.h.k.khs.h.", "k.h.s.h.k.khs.ss"
"""A bar's sixteenths: k kick, h hat, s snare. Every fourth bar has the second row."""
PSG_CLOCK = 3_579_545


def note(name: str) -> int:
    """The number of a note; C4 is 60."""
    return 12 * int(name[-1]) + 12 + NAMES.index(name[:-1])


def period(number: int) -> int:
    """The period at which the PSG plays a note number."""
    hundredths = SEMITONES[number % 12]
    octave = number // 12 - 5
    hundredths = hundredths << octave if octave >= 0 else hundredths >> -octave
    return PSG_CLOCK * 100 // (32 * hundredths)


def tune(text: str) -> list[list[int]]:
    """A row for each sixteenth: lead, arpeggio, bass, drum."""
    rows = []
    bars = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
    for number, (chord, *lead) in enumerate(bars):
        tones = [60 + tone for tone in CHORDS[chord]]
        tones.append(tones[0] + 12)
        for step in range(16):
            eighth, half = divmod(step, 2)
            sign = lead[eighth]
            high = HOLD if half or sign == "." else REST if sign == "-" else note(sign)
            by = BASS[eighth]
            low = HOLD if half or by is None else tones[0] - 24 + by
            drum = ".khs".index(DRUMS[number % 4 == 3][step])
            rows.append([high, tones[ARPEGGIO[step]] + 12, low, drum])
    return rows


def play(*notes: tuple[str, int, int]) -> list[int]:
    """An effect of successive tones. Each has a name, a length in double frames, and a loudness 1..15 that fades."""
    words = []
    for name, length, loud in notes:
        for i in range(length):
            quiet = 15 - max(1, loud - i * loud // (length + 2))
            words.append(quiet << 12 | min(1023, period(note(name))))
    return [*words, END]


def sweep(start: int, end: int, length: int, loud: int) -> list[int]:
    """A fading tone that slides from one period to another, in ``length`` double frames."""
    return [
        (15 - max(1, loud - i * loud // (2 * length))) << 12 | start + (end - start) * i // (length - 1)
        for i in range(length)
    ] + [END]


def rumble(mode: int, length: int, loud: int) -> list[int]:
    """Noise that fades, for ``length`` double frames."""
    return [(15 - max(1, loud - i * loud // length)) << 12 | mode for i in range(length)] + [END]


EFFECTS: list[tuple[str, int, list[int]]] = [
    ("none", 0, [END]),
    ("move", 0, play(("A5", 1, 9), ("E6", 1, 6))),
    ("turn", 0, play(("E5", 1, 10), ("B5", 2, 9))),
    ("lock", 0, sweep(420, 900, 4, 12)),
    ("send", 1, sweep(520, 70, 14, 12)),
    ("offset", 1, [*sweep(120, 380, 6, 12)[:-1], *sweep(380, 90, 6, 11)]),
    ("nuisance", 3, rumble(5, 8, 12)),
    ("rocks", 3, rumble(6, 22, 15)),
    ("all_clear", 2, play(*((name, 3, 13) for name in ("C5", "E5", "G5", "C6", "E6", "G6", "C7")), ("C7", 12, 12))),
    ("over", 2, play(*((name, 6, 13) for name in ("G5", "E5", "C5", "A4")), ("F4", 6, 13), ("D4", 16, 13))),
    (
        "win",
        1,
        play(("G5", 4, 13), ("G5", 2, 12), ("G5", 2, 12), ("C6", 6, 13), ("B5", 4, 12), ("D6", 4, 13), ("C6", 16, 13)),
    ),
    ("pause", 1, play(("E6", 3, 11), ("C6", 3, 11), ("E6", 3, 11), ("C6", 5, 11))),
    ("start", 1, play(("C6", 3, 12), ("E6", 3, 12), ("G6", 3, 12), ("C7", 8, 12))),
]
SCALE = ("C5", "D5", "E5", "F5", "G5", "A5", "B5", "C6", "D6", "E6", "F6", "G6")
"""The first note of each chain step's effect. All later steps use the last effect."""


def chain(step: int) -> list[int]:
    base = note(SCALE[step])
    names = [NAMES[number % 12] + str(number // 12 - 1) for number in (base, base + 4, base + 7, base + 12)]
    return play(*((name, 2, 13) for name in names[:3]), (names[3], 8, 13))


def lines(name: str, words: list[int]) -> list[str]:
    return [f"static const u16 {name}[] = {{ " + ", ".join(f"{word:#06x}" for word in words) + " };"]


def main() -> None:
    out = Path(sys.argv[1])
    rows = tune((Path(__file__).parent / "tune.txt").read_text(encoding="ascii"))
    body = ["/* Made by tables.py. */", '#include "notes.h"', "", f"const u16 tune_length = {len(rows)};"]
    body += [f"const u8 tune[{len(rows)}][4] = {{"]
    body += ["    { " + ", ".join(str(value) for value in row) + " }," for row in rows] + ["};"]
    effects = [*EFFECTS, *((f"chain_{i}", 2, chain(i)) for i in range(len(SCALE)))]
    for name, _, words in effects:
        body += lines(f"effect_{name}", words)
    body += [f"const struct effect effects[{len(effects)}] = {{"]
    body += [f"    {{ {channel}, effect_{name} }}," for name, channel, _ in effects] + ["};"]
    (out / "notes.c").write_text("\n".join(body) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
