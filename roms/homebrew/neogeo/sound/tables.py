"""Write the sound program's tables (effects, tune, drums) and the sample ROM.

    python3 tables.py OUTPUT_FOLDER

writes tables.asm and v1.bin. Needs only the standard library.
"""

from __future__ import annotations

import sys
from pathlib import Path

import drums

SSG_CLOCK, FM_CLOCK = 2_000_000, 8_000_000
NAMES = {"C": 0, "C#": 1, "D": 2, "D#": 3, "E": 4, "F": 5, "F#": 6, "G": 7, "G#": 8, "A": 9, "A#": 10, "B": 11}
CHORDS = {
    "Am": ("A", "C", "E"), "F": ("F", "A", "C"), "C": ("C", "E", "G"), "G": ("G", "B", "D"), "E": ("E", "G#", "B"),
    "Dm": ("D", "F", "A"),
}  # fmt: skip
HOLD, REST, END = 0xFE, 0xFD, 0xFF

Step = tuple[int, float, int, bool]  # frames, frequency (noise: period 0..31), volume 0..15, whether noise
Effect = tuple[int, list[Step]]  # the SSG channel, and the steps


def hertz(note: float) -> float:
    """The frequency of a note number: 12 is C0, 69 is A4."""
    return float(440 * 2 ** ((note - 69) / 12))


def number(name: str) -> int:
    return 12 * int(name[-1]) + NAMES[name[:-1]]


def tones(*notes: tuple[int, int, int]) -> list[Step]:
    """Steps of tones. notes: (frames, note number, volume) of each."""
    return [(frames, hertz(note), volume, False) for frames, note, volume in notes]


def hiss(*steps: tuple[int, int, int]) -> list[Step]:
    """Steps of noise. steps: (frames, noise period, volume) of each."""
    return [(frames, period, volume, True) for frames, period, volume in steps]


def slide(first: int, last: int, frames: int, loud: int, soft: int) -> list[Step]:
    """A tone that slides from one note to another, and from ``loud`` to ``soft``, in steps of a frame."""
    return [
        (1, hertz(first + (last - first) * i / frames), loud + (soft - loud) * i // frames, False)
        for i in range(frames)
    ]


# The keys are the command numbers of src/sound.h.
EFFECTS: dict[int, Effect] = {
    6: (0, tones((2, 72, 8), (1, 72, 4))),  # move
    7: (0, tones((1, 69, 9), (1, 76, 9), (2, 81, 6))),  # turn
    8: (0, hiss((1, 20, 11), (2, 28, 8)) + tones((2, 38, 11), (2, 33, 7))),  # lock
    9: (0, tones((1, 84, 10), (1, 96, 10), (1, 91, 9), (2, 103, 8), (2, 103, 4))),  # needle
    10: (0, tones((1, 91, 9), (2, 79, 8), (2, 72, 5))),  # blunt: the pair's needles are blocks again
    11: (1, tones(*[(3, note, 12) for note in (72, 76, 79, 84, 88)], (6, 91, 12), (6, 91, 8), (6, 91, 4))),  # tails
    12: (2, slide(50, 86, 16, 11, 14) + slide(86, 60, 8, 12, 5)),  # attack
    13: (2, hiss(*[(2, 31 - i, 13 - i) for i in range(0, 12, 2)]) + slide(40, 24, 10, 12, 4)),  # nuisance
    14: (2, slide(64, 52, 14, 13, 11) + slide(58, 40, 20, 12, 8) + slide(46, 24, 30, 12, 2)),  # over
    15: (1, tones(*[(5, note, 12) for note in (72, 72, 76, 79)], (10, 84, 13), (8, 84, 7))),  # win
    16: (1, tones((3, 76, 12), (3, 81, 12), (3, 88, 12), (8, 93, 12), (6, 93, 6))),  # start
    17: (0, tones((2, 79, 9), (2, 84, 6))),  # cursor
    18: (1, tones((3, 83, 13), (12, 88, 13), (8, 88, 7), (8, 88, 3))),  # coin
    19: (1, tones((4, 84, 11), (4, 79, 11), (4, 84, 8))),  # pause
}
STEP, STEPS = 0x40, 24
SCALE = (0, 2, 4, 7, 9)  # each step of the wave sounds one note higher on a pentatonic scale
for _step in range(STEPS):
    _note = 60 + 12 * (_step // 5) + SCALE[_step % 5]
    EFFECTS[STEP + _step] = (
        1,
        [*hiss((1, 6, 9)), *tones((2, _note, 14), (2, _note + 12, 11), (2, _note, 8), (3, _note, 4))],
    )


def effect_lines() -> list[str]:
    last = max(EFFECTS)
    lines = ["effects:"]
    lines += [f"        defw {f'effect_{n}' if n in EFFECTS else '0'}" for n in range(last + 1)]
    for n, (channel, steps) in EFFECTS.items():
        lines.append(f"effect_{n}: defb {channel}")
        for frames, pitch, volume, noise in steps:
            period = int(pitch) if noise else min(4095, round(SSG_CLOCK / 16 / pitch))
            lines.append(f"        defb {frames}, {volume | (0x80 if noise else 0)}, {period & 255}, {period >> 8}")
        lines.append("        defb 0")
    return [*lines, f"EFFECTS: equ {last + 1}"]


def tune(path: Path) -> list[list[int]]:
    """A row for each sixteenth: melody, bass, chord note, drums (bit 0 kick, 1 snare, 2 hat)."""
    rows: list[list[int]] = []
    bars = [line.split("|") for line in path.read_text(encoding="ascii").splitlines() if line[:1] not in "#"]
    for bar, (chord, melody) in enumerate(bars):
        lead: list[int] = []
        for token in melody.split():
            name, length = token.split(":")
            lead += [REST if name == "." else number(name), *[HOLD] * (int(length) - 1)]
        if len(lead) != 16:
            sys.exit(f"bar {bar + 1} of {path.name} has {len(lead)} sixteenths")
        notes = [NAMES[name] for name in CHORDS[chord.strip()]]
        for i in range(16):
            low = 24 + notes[0] + (12 if i % 8 in (4, 6) else 0)
            bass = low if i % 2 == 0 else REST if i % 4 == 3 else HOLD
            high = 48 + notes[(0, 1, 2, 1)[i % 4]] + (12 if i % 8 > 3 else 0)
            beat = (1 if i in (0, 6, 8) else 0) | (2 if i in (4, 12) or (bar % 4 == 3 and i > 13) else 0)
            rows.append([lead[i], bass, high, beat | (4 if i % 2 == 0 else 0)])
    return rows


def main() -> None:
    here, out = Path(__file__).parent, Path(sys.argv[1])
    data, places = drums.rom()
    (out / "v1.bin").write_bytes(data)
    lines = ["; Made by tables.py.", *effect_lines(), "tune:"]
    lines += [f"        defb {', '.join(map(str, row))}" for row in tune(here / "tune.txt")]
    lines += [f"        defb {END}", "pitches:"]
    # the chip's frequency numbers of an octave's twelve notes; its "block" number chooses the octave
    lines += [f"        defw {round(144 * hertz(60 + n) * 2**20 / FM_CLOCK / 8)}" for n in range(12)]
    for n, (first, last) in enumerate(places):
        lines += [f"DRUM_{n}_FIRST: equ {first}", f"DRUM_{n}_LAST: equ {last}"]
    (out / "tables.asm").write_text("\n".join(lines) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
