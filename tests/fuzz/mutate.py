"""Damages inputs at random: bytes, texts, and the trees in YAML and JSON files."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Sequence
from typing import Any

import yaml

ODD_TEXTS = (
    *(
        "",
        " ",
        "\0",
        "null",
        "~",
        "yes",
        "off",
        "0",
        "-1",
        "1e3",
        "0x10",
        "1:30",
        ".inf",
        "-.inf",
        ".nan",
        "2026-13-45",
    ),
    *("é" * 40, "\u202e\u2028\u0085", "\ud800", "𝔘𝔫𝔦", "x" * 3000, "a\nb", "../../etc/passwd", "/dev/zero", "%s%n{0}"),
    *("'", '"', "&a", "*a", "!!python/object:os.system", "<<", "{", "[", "- -", "? :", "\t", "\x1b[31m", "\ufeff"),
)
ODD_NUMBERS = (
    *(0, 1, -1, 2, 7, 13, 14, 63, 64, 127, 128, 255, 256, 65_535, 65_536, 2**31 - 1, 2**31, 2**32, 2**63 - 1, 2**63),
    *(2**64, -(2**63) - 1, 10**9, 10**30, 10**400, 0.0, -0.0, 0.5, 1e-320, 1e300, 1.7976931348623157e308),
    *(float("inf"), float("-inf"), float("nan")),
)
ODD_BYTES = (0x00, 0x01, 0x0A, 0x20, 0x7F, 0x80, 0xFE, 0xFF)


def spoilt(dice: random.Random, data: bytes, others: Sequence[bytes] = (), head: int = 0) -> bytes:
    """Damages bytes in one to four ways. others: data from which pieces are spliced in. head: how many of
    the first bytes are damaged more often than the rest (0: all alike).
    """
    for _ in range(dice.choice((1, 1, 1, 2, 4))):
        data = dice.choice(_BYTES)(dice, bytearray(data), others, head)
    return data


def _place(dice: random.Random, data: bytes | bytearray, head: int) -> int:
    most = min(head, len(data)) if head and dice.random() < 0.7 else len(data)
    return dice.randrange(max(1, most))


def _flip(dice: random.Random, data: bytearray, _: Sequence[bytes], head: int) -> bytes:
    for _number in range(dice.choice((1, 1, 2, 8, 60))):
        if data:
            data[min(_place(dice, data, head), len(data) - 1)] ^= 1 << dice.randrange(8)
    return bytes(data)


def _set(dice: random.Random, data: bytearray, _: Sequence[bytes], head: int) -> bytes:
    at, size = _place(dice, data, head), dice.choice((1, 1, 2, 4, 16, 400))
    data[at : at + size] = bytes([dice.choice(ODD_BYTES)]) * len(data[at : at + size])
    return bytes(data)


def _noise(dice: random.Random, data: bytearray, _: Sequence[bytes], head: int) -> bytes:
    at, size = _place(dice, data, head), dice.choice((1, 2, 4, 64, 4096))
    data[at : at + size] = dice.randbytes(len(data[at : at + size]))
    return bytes(data)


def _cut(dice: random.Random, data: bytearray, _: Sequence[bytes], head: int) -> bytes:
    return bytes(data[: _place(dice, data, head)])


def _insert(dice: random.Random, data: bytearray, _: Sequence[bytes], head: int) -> bytes:
    at = _place(dice, data, head)
    return bytes(data[:at]) + dice.randbytes(dice.choice((1, 1, 2, 4, 100))) + bytes(data[at:])


def _delete(dice: random.Random, data: bytearray, _: Sequence[bytes], head: int) -> bytes:
    at = _place(dice, data, head)
    return bytes(data[:at] + data[at + dice.choice((1, 1, 2, 4, 100)) :])


def _repeat(dice: random.Random, data: bytearray, _: Sequence[bytes], head: int) -> bytes:
    at, size = _place(dice, data, head), dice.choice((1, 4, 30, 1000))
    return bytes(data[:at] + data[at : at + size] * dice.choice((2, 3, 20)) + data[at:])


def _splice(dice: random.Random, data: bytearray, others: Sequence[bytes], head: int) -> bytes:
    other = dice.choice(others) if others else bytes(data)
    return bytes(data[: _place(dice, data, head)]) + other[_place(dice, other, head) :]


_BYTES: tuple[Callable[[random.Random, bytearray, Sequence[bytes], int], bytes], ...] = (
    *(_flip, _flip, _flip, _set, _noise, _cut, _insert, _delete, _repeat, _splice),
)


def odd_value(dice: random.Random, depth: int = 0) -> Any:
    """A random value of any type that YAML has. It seldom fits where it is put."""
    kind = dice.randrange(10 if depth < 3 else 6)
    if kind < 2:
        return dice.choice(ODD_TEXTS)
    if kind < 4:
        return dice.choice(ODD_NUMBERS)
    if kind < 6:
        return dice.choice((None, True, False, "red", dice.randrange(-300, 300), dice.random() * 100))
    if kind == 6:
        return [odd_value(dice, depth + 1) for _ in range(dice.choice((0, 1, 2, 9, 70)))]
    if kind == 7:
        return {_key(dice): odd_value(dice, depth + 1) for _ in range(dice.choice((0, 1, 2, 9)))}
    if kind == 8:
        return list(range(dice.choice((3, 84, 2000))))
    nested: Any = dice.choice(ODD_TEXTS)
    for _ in range(dice.choice((4, 30, 90))):
        nested = [nested] if dice.random() < 0.5 else {"a": nested}
    return nested


def _key(dice: random.Random) -> Any:
    return dice.choice(
        (dice.choice(ODD_TEXTS), dice.choice(ODD_NUMBERS), None, True, "kind", "name", "extends", "extra")
    )


def _places(data: Any) -> list[tuple[Any, Any]]:
    """(container, key or index) of every value in a tree of dicts and lists."""
    found: list[tuple[Any, Any]] = []
    waiting = [data]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict | list):
            items = list(node.items()) if isinstance(node, dict) else list(enumerate(node))
            found += [(node, key) for key, _ in items]
            waiting += [value for _, value in items]
    return found


def changed_tree(dice: random.Random, data: Any, rounds: int | None = None) -> Any:
    """A copy of a tree with some of its parts changed, dropped, renamed, repeated or replaced by others."""
    data = copy.deepcopy(data)
    for _ in range(rounds or dice.choice((1, 1, 1, 2, 4))):
        places = _places(data)
        if not places or dice.random() < 0.02:
            return odd_value(dice)
        owner, key = dice.choice(places)
        other, other_key = dice.choice(places)
        how = dice.randrange(9)
        if how < 2:
            owner[key] = odd_value(dice)
        elif how == 2:
            del owner[key]
        elif how == 3:
            owner[key] = copy.deepcopy(other[other_key])
        elif how == 4 and isinstance(owner, dict):
            owner[_key(dice) if dice.random() < 0.5 else f"{key}x"] = owner.pop(key)
        elif how == 5 and isinstance(owner[key], int | float) and not isinstance(owner[key], bool):
            value = owner[key]
            whole = float(value) if abs(value) < 1e300 else value
            owner[key] = dice.choice((-value, value + 1, value * 10, whole, str(value)))
        elif how == 6:
            owner[key] = dice.choice(([owner[key]], {"a": owner[key]}, str(owner[key]), bool(owner[key])))
        elif how == 7 and isinstance(owner, list):
            owner.extend(owner * dice.choice((1, 20)))
        else:
            owner[key] = dice.choice(ODD_NUMBERS)
    return data


def gently_changed_tree(dice: random.Random, data: Any) -> Any:
    """A copy of a tree with some leaves changed to others of their type. Commands accept many of these copies."""
    data = copy.deepcopy(data)
    leaves = [(owner, key) for owner, key in _places(data) if not isinstance(owner[key], dict | list)]
    for _ in range(dice.choice((1, 1, 2, 3, 12)) if leaves else 0):
        owner, key = dice.choice(leaves)
        value, other = owner[key], dice.choice(leaves)
        if isinstance(value, bool):
            owner[key] = not value
        elif isinstance(value, int):
            near = (value + 1, value - 1, value * 2, value // 2, value ^ 1 << dice.randrange(12), 0, 1, 2, 255, 10**9)
            owner[key] = dice.choice(near)
        elif isinstance(value, float):
            owner[key] = dice.choice((value * 2, -value, 0.0, 1e-9, 1e9, 1e300, 5e-324, value + 0.1))
        elif type(other[0][other[1]]) is type(value) and dice.random() < 0.2:
            owner[key] = other[0][other[1]]
    return data


_HUGE = (
    "0x" + "f" * 6000,
    "9" * 5000,
    "0b" + "1" * 999,
    "1_000_000_000_000_000_000_000",
    "190:20:30",
    "0o777777777777777777",
)
_BOMB = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 9)
)


def _lines(dice: random.Random, text: str) -> str:
    """Damages a random line of a YAML text, or cuts the text at it: typing errors, odd YAML, huge numbers."""
    lines = text.split("\n")
    at = dice.randrange(len(lines))
    line = lines[at]
    how = dice.randrange(12)
    if how == 0:
        lines.insert(at, line)  # most often, this gives a key twice
    elif how == 1:
        lines[at] = " " * dice.choice((1, 2, 40)) + line
    elif how == 2:
        lines[at] = line.replace(":", dice.choice((": &a", ": *a", ": !!int", ": !!set", ":", ": |", ": >-", ": '")), 1)
    elif how == 3:
        lines.insert(at, dice.choice((_BOMB, "<<: *a0", "<<: {name: x}", "--- ", "...", "%YAML 9.9", "? [1, 2]\n: 3")))
    elif how == 4:
        lines[at] = f"{line.partition(':')[0]}: {dice.choice(_HUGE)}"
    elif how == 5:
        lines[at] = f"{line.partition(':')[0]}: {dice.choice(ODD_TEXTS)}"
    elif how == 6:
        lines[at] = f"{line.partition(':')[0]}: {'[' * 400}{']' * dice.choice((0, 400))}"
    elif how == 7:
        lines[at] = line.replace("a", dice.choice(("é", "\0", "\u2028", "\x85", "\x1b")), 1)
    elif how == 8:
        lines = lines[:at] if dice.random() < 0.5 else lines[at:]
    elif how == 9:
        lines[at] = "\t" + line
    elif how == 10:
        lines.insert(at, "self: &self {me: *self}")
    else:
        other = dice.randrange(len(lines))
        lines[at], lines[other] = lines[other], lines[at]
    return "\n".join(lines)


def spoilt_yaml(dice: random.Random, text: str, others: Sequence[str] = ()) -> bytes:
    """The bytes of a damaged YAML file. Mostly they are still valid YAML."""
    how = dice.random()
    if how < 0.7:
        changed = gently_changed_tree if how < 0.35 else changed_tree
        told = changed(dice, yaml.safe_load(text))
        try:
            return yaml.safe_dump(told, allow_unicode=dice.random() < 0.5, sort_keys=False).encode(
                "utf-8", "surrogatepass"
            )
        except (yaml.YAMLError, RecursionError, ValueError):
            return repr(told).encode("utf-8", "surrogatepass")
    if how < 0.9:
        for _ in range(dice.choice((1, 1, 2, 3))):
            text = _lines(dice, text)
        return text.encode(dice.choice(("utf-8",) * 20 + ("utf-16", "latin-1")), "replace")
    return spoilt(dice, text.encode(), [other.encode() for other in others])


def spoilt_json(dice: random.Random, text: str) -> bytes:
    """The bytes of a damaged JSON file. Mostly they are still JSON (or what Python accepts as JSON)."""
    if dice.random() < 0.85:
        changed = gently_changed_tree if dice.random() < 0.5 else changed_tree
        return json.dumps(changed(dice, json.loads(text)), ensure_ascii=dice.random() < 0.5).encode(
            "utf-8", "surrogatepass"
        )
    return spoilt(dice, text.encode())


def spoilt_text(dice: random.Random, text: str, signs: str) -> str:
    """A text with some of its characters changed. It has no NUL, because a command's argument can't hold one."""
    for _ in range(dice.choice((1, 1, 2, 5))):
        at, end = sorted((dice.randrange(len(text) + 1), dice.randrange(len(text) + 1)))
        how = dice.randrange(7)
        if how == 0:
            text = text[:at] + dice.choice(signs) + text[at + 1 :]
        elif how == 1:
            text = text[:at] + text[end:]
        elif how == 2:
            text = text[:end] + text[at:]
        elif how == 3:
            text = text[:at] + dice.choice(ODD_TEXTS) + text[at:]
        elif how == 4:
            text = "".join(dice.choices(signs, k=dice.choice((0, 1, 6, 7, 42, 84, 91, 500))))
        elif how == 5:
            text = text.swapcase() if dice.random() < 0.3 else text[:at] + "\n" + text[at:]
        else:
            text = text[:at] + dice.choice(signs) * dice.choice((1, 7, 300)) + text[at:]
    return text.replace("\0", "")
