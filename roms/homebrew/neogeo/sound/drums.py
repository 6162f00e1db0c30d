"""Three drums, made from scratch and coded as the YM2610's ADPCM-A reads them (4 bits a sample, 18.5 kHz)."""

from __future__ import annotations

from collections.abc import Callable

RATE = 18_518
PAGE = 256  # samples begin at multiples of this

STEPS = [
    16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66, 73, 80, 88, 97, 107, 118, 130, 143, 157, 173, 190,
    209, 230, 253, 279, 307, 337, 371, 408, 449, 494, 544, 598, 658, 724, 796, 876, 963, 1060, 1166, 1282, 1411, 1552,
]  # fmt: skip
MOVES = (-1, -1, -1, -1, 2, 5, 7, 9)


def encode(samples: list[int]) -> bytes:
    """Encodes 12-bit samples, two in a byte, the high nibble first. Each nibble is the step nearest to its sample.

    The last page is filled up with near silence.
    """
    value, index, nibbles = 0, 0, []
    for wanted in samples:
        step = STEPS[index]
        away = wanted - value
        size = max(0, min(7, (abs(away) * 8 // step - 1) // 2))
        change = (2 * size + 1) * step // 8
        if value + (change if away >= 0 else -change) not in range(-2048, 2048):
            size, change = 0, step // 8
        value += change if away >= 0 else -change
        nibbles.append(size | (0 if away >= 0 else 8))
        index = max(0, min(len(STEPS) - 1, index + MOVES[size]))
    nibbles += [0, 8] * PAGE
    nibbles = nibbles[: (len(samples) + 2 * PAGE - 1) // (2 * PAGE) * 2 * PAGE]
    return bytes(a << 4 | b for a, b in zip(nibbles[::2], nibbles[1::2], strict=True))


def wave(turns: float) -> float:
    """Nearly a sine, made of parabolas, which are the same on every machine. turns: the phase, in full periods."""
    t = turns - int(turns)
    return 16 * t * (0.5 - t) if t < 0.5 else -16 * (t - 0.5) * (1 - t)


def noise() -> Callable[[], float]:
    state = 0x1234567

    def draw() -> float:
        nonlocal state
        state = (state * 1_103_515_245 + 12_345) & 0x7FFFFFFF
        return (state >> 8 & 0xFFFF) / 32_768 - 1

    return draw


def kick() -> list[int]:
    out, turns = [], 0.0
    for i in range(2800):
        t = i / RATE
        turns += (48 + 110 / (1 + 60 * t)) / RATE
        out.append(int(1900 * wave(turns) * max(0.0, 1 - t / 0.15)))
    return out


def snare() -> list[int]:
    out, hiss, turns = [], noise(), 0.0
    for i in range(2600):
        t = i / RATE
        turns += 190 / RATE
        fade = max(0.0, 1 - t / 0.14)
        out.append(int(1300 * (0.75 * hiss() * fade * fade + 0.5 * wave(turns) * max(0.0, 1 - t / 0.05))))
    return out


def hat() -> list[int]:
    out, hiss, last = [], noise(), 0.0
    for i in range(900):
        now = hiss()
        fade = max(0.0, 1 - i / 900)
        out.append(int(600 * (now - last) * 0.7 * fade * fade))
        last = now
    return out


def rom() -> tuple[bytes, list[tuple[int, int]]]:
    """The sample ROM and each drum's first and last page."""
    data, places = b"", []
    for drum in (kick(), snare(), hat()):
        coded = encode(drum)
        places.append((len(data) // PAGE, (len(data) + len(coded)) // PAGE - 1))
        data += coded
    return data, places
