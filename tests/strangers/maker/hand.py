"""The pieces of a seat as they lie in RAM: the falling one, what comes next, what is held, the bag."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.strangers.maker.codes import Codes, make_codes, word
from tests.strangers.maker.dice import Dice
from tests.strangers.maker.memory import Memory
from tests.strangers.maker.place import said_turn
from tests.strangers.maker.rules import Kind, Rules
from tests.strangers.maker.spec import Spec


class Packing:
    """How the numbers of a piece become bytes: a byte each, nibbles, or one number into a table."""

    def __init__(self, rules: Rules, form: str, codes: Codes, rng: Random, shapes: bool) -> None:
        self.form, self.codes = form, codes
        self.count = rules.size()
        self.values = list(range(1, 8)) if shapes else sorted(thing for thing in rules.things() if not 7 <= thing <= 11)
        self.bytes = {"nibbles": (self.count + 1) // 2, "index": 1}.get(form, self.count)
        total = len(self.values) ** self.count
        self._table = rng.sample(range(total), total) if form == "index" else []
        self._from = {number: at for at, number in enumerate(self._table)}
        self.shapes = shapes
        self._known: dict[bytes, Kind] = {}

    def pack(self, values: Kind) -> bytes:
        """The bytes of a piece."""
        if self.form == "index":
            number = 0
            for value in values:
                number = number * len(self.values) + self.values.index(value & 15)
            return bytes([self._table[number]])
        if self.form == "nibbles":
            nibbles = [self.values.index(value & 15) for value in values] + [0]
            return bytes(nibbles[2 * at] | nibbles[2 * at + 1] << 4 for at in range(self.bytes))
        return bytes(self.codes.to[value] & 255 for value in values)

    def unpack(self, data: bytes) -> Kind:
        """The piece of some bytes; with bytes that no piece has, some piece."""
        known = self._known.get(data)
        if known is None:
            if len(self._known) > 5000:
                self._known.clear()
            known = self._known[data] = self._unpack(data)
        return known

    def _unpack(self, data: bytes) -> Kind:
        if self.form == "index":
            number = self._from.get(data[0], 0)
            values = []
            for _ in range(self.count):
                number, rest = divmod(number, len(self.values))
                values.append(self.values[rest])
            return tuple(values[::-1])
        if self.form == "nibbles":
            nibbles = [data[at // 2] >> 4 * (at & 1) & 15 for at in range(self.count)]
            return tuple(self.values[nibble % len(self.values)] for nibble in nibbles)
        back = self.codes.back
        return tuple(back[byte] if back[byte] & 15 in self.values else self.values[0] for byte in data)

    def describe(self) -> dict[str, Any]:
        """The form, and what the numbers mean."""
        names = {value: f"shape{value}" if self.shapes else word(value) for value in self.values}
        if self.form == "index":
            return {"form": "index", "table": {b: [names[v] for v in self.unpack(bytes([b]))] for b in self._table}}
        if self.form == "nibbles":
            return {"form": "nibbles", "codes": {at: names[value] for at, value in enumerate(self.values)}}
        told = {
            code: names.get(value & 15, "?") for value, code in enumerate(self.codes.to) if code >= 0 and value & 15
        }
        return {"form": "bytes", "codes": {code: name for code, name in told.items() if name != "?"}}


class Hand:
    """The pieces of one seat."""

    def __init__(self, memory: Memory, spec: Spec, rules: Rules, dice: Dice, field_codes: Codes, rng: Random) -> None:
        self._mem, self._memory, self._rules, self._dice, self._spec = memory.bytes, memory, rules, dice, spec
        shapes = spec.rules == "tetrominoes"
        values = list(range(1, 8)) if shapes else [thing for thing in rules.things() if not 7 <= thing <= 11]
        self.by_codes = spec.orientation == "codes"
        how = spec.piece_codes
        if self.by_codes:
            codes = make_codes(rng, values, "any", 0, False, False, "any" if rng.random() < 0.5 else "bits")
        elif how == "field" and not shapes:
            codes = field_codes
        else:
            codes = make_codes(rng, values, how if how in ("any", "plain") else "plain", -1, False, False, "none")
        form = how if how in ("nibbles", "index") and not self.by_codes else "bytes"
        self.now = Packing(rules, form, codes, rng, shapes)
        waiting = spec.next_form if spec.next_form in ("nibbles", "index") else "bytes"
        plain = codes if not self.by_codes else make_codes(rng, values, "any", -1, False, False, "none")
        self.later = Packing(rules, waiting, plain, rng, shapes)
        self.at = memory.take(self.now.bytes)
        self._end = self.at + self.now.bytes
        self._slots: list[int] = []
        self._ring, self._head = 0, -1
        if spec.next and spec.next_form == "ring":
            self._ring = 4 if rng.random() < 0.5 else 8
            first = memory.take(self._ring * self.later.bytes, rng.choice(("zero", "main")))
            self._slots = [first + at * self.later.bytes for at in range(self._ring)]
            self._head = memory.take()
        else:
            self._slots = [memory.take(self.later.bytes) for _ in range(spec.next)]
        self.hold_at = memory.take(self.later.bytes) if spec.hold else -1
        self.held_at = memory.take() if spec.hold else -1
        self.bag_at = memory.take(8) if spec.bag else -1

    def begin(self) -> None:
        """A new game: what comes next is dealt."""
        if self.bag_at >= 0:
            self._mem[self.bag_at + 7] = 7
        if self.held_at >= 0:
            self._mem[self.held_at] = 0
        if self._head >= 0:
            self._mem[self._head] = 0
        for at in self._slots:
            self._put(at, self._deal())

    def _put(self, at: int, kind: Kind) -> None:
        data = self.later.pack(kind)
        self._mem[at : at + len(data)] = data

    def _get(self, at: int) -> Kind:
        return self.later.unpack(bytes(self._mem[at : at + self.later.bytes]))

    def _deal(self) -> Kind:
        if self.bag_at >= 0:
            mem, at = self._mem, self.bag_at
            left = mem[at + 7]
            if left >= 7:
                order = list(range(1, 8))
                for here in range(6, 0, -1):
                    other = self._dice.next() % (here + 1)
                    order[here], order[other] = order[other], order[here]
                mem[at : at + 7] = bytes(order)
                left = 0
            mem[at + 7] = left + 1
            return ((mem[at + left] - 1) % 7 + 1,)
        return self._rules.deal([self._dice.next() for _ in range(self._rules.size())])

    def draw(self) -> Kind:
        """Takes the next piece; those behind it move up."""
        if self._head >= 0:
            head = self._mem[self._head] % self._ring
            kind = self._get(self._slots[head])
            self._put(self._slots[head], self._deal())
            self._mem[self._head] = (head + 1) % self._ring
            return kind
        if not self._slots:
            return self._deal()
        kind = self._get(self._slots[0])
        for to, at in zip(self._slots, self._slots[1:], strict=False):
            self._put(to, self._get(at))
        self._put(self._slots[-1], self._deal())
        return kind

    def set(self, kind: Kind, turn: int) -> None:
        """Writes the falling piece."""
        data = self.now.pack(self._rules.worn(kind, turn) if self.by_codes else kind)
        self._mem[self.at : self.at + len(data)] = data

    def get(self) -> Kind:
        """The falling piece."""
        kind = self.now.unpack(bytes(self._mem[self.at : self._end]))
        return self._rules.told(kind)[0] if self.by_codes else kind

    def turn(self) -> int:
        """The orientation that the piece's codes tell."""
        return self._rules.told(self.now.unpack(bytes(self._mem[self.at : self.at + self.now.bytes])))[1]

    def coming(self) -> list[Kind]:
        """What the game shows of the pieces to come."""
        if self._head >= 0:
            head = self._mem[self._head] % self._ring
            return [self._get(self._slots[(head + at) % self._ring]) for at in range(self._spec.next)]
        return [self._get(at) for at in self._slots]

    def swap(self, kind: Kind) -> Kind | None:
        """Holds a piece; returns the one that was held, or a new one. None: one may hold once a piece only."""
        mem = self._mem
        if mem[self.held_at] & 2:
            return None
        before = self._get(self.hold_at) if mem[self.held_at] & 1 else self.draw()
        self._put(self.hold_at, kind)
        mem[self.held_at] = 3
        return before

    def held(self) -> Kind | None:
        """The piece that is held."""
        return self._get(self.hold_at) if self.held_at >= 0 and self._mem[self.held_at] & 1 else None

    def locked(self) -> None:
        """One may hold again."""
        if self.held_at >= 0:
            self._mem[self.held_at] &= 1

    def describe(self) -> dict[str, Any]:
        """Where and how the pieces lie in RAM."""
        address = self._memory.address
        size = self.later.bytes
        said: dict[str, Any] = {
            "piece": self.now.describe() | {"addresses": [address(self.at + at) for at in range(self.now.bytes)]}
        }
        if self.by_codes:
            told = {
                code: self._rules.told((value,) * self.now.count)[1] for value, code in enumerate(self.now.codes.to)
            }
            said["piece"]["orientations"] = {
                code: said_turn(self._spec, turn) for code, turn in told.items() if code > 0
            }
        if self._head >= 0:
            slots = [[address(at + byte) for byte in range(size)] for at in self._slots]
            said["next"] = self.later.describe() | {
                "ring": slots,
                "head": address(self._head),
                "shown": self._spec.next,
            }
        elif self._slots:
            every = [[address(at + byte) for byte in range(size)] for at in self._slots]
            said["next"] = self.later.describe() | {"addresses": every[0]}
            if len(every) > 1:
                said["after"] = self.later.describe() | {"addresses": every[1]}
        if self.hold_at >= 0:
            said["hold"] = self.later.describe() | {"addresses": [address(self.hold_at + at) for at in range(size)]}
        return said
