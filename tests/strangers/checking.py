"""Plays a stranger and checks that truth, RAM and rules agree: the tests and the command use it."""

from __future__ import annotations

from tests.strangers import naive, reading
from tests.strangers.maker import Spec, Stranger, Truth
from tests.strangers.maker.memory import CART_AT, WORK
from tests.strangers.maker.player import Landed, Played, Player

WORDS = ("up", "right", "down", "left")


class Checked:
    """Plays a game with a check after each piece and now and then within. ``played`` has what was wrong."""

    def __init__(self, spec: Spec, every: int = 3) -> None:
        self.spec = spec
        self.game = Stranger(spec)
        self.player = Player(self.game, self._settled, self._seen)
        self.played = self.player.played
        self._said = Truth(self.game).describe()
        self._every = every
        self.reads = 0

    def play(self, pieces: int) -> Played:
        """Plays; a game that can't go on is a problem."""
        try:
            self.player.play(pieces)
        except (RuntimeError, LookupError, ValueError) as error:
            self._wrong(f"{type(error).__name__}: {error}")
        return self.played

    def _wrong(self, what: str) -> None:
        self.played.problems.append(f"piece {self.played.pieces}: {what}")

    def _peek(self, address: int) -> int:
        return self.game.memory[address if address < CART_AT else WORK + address - CART_AT]

    def _settled(self, landed: Landed, truth: Truth) -> None:
        spec = self.spec
        field = naive.grid(landed.before, spec.width, spec.rules == "capsules")
        if not naive.rests(field, landed.cells):
            self._wrong(f"the piece doesn't rest at {landed.place}")
            return
        want, points = naive.outcome(spec, field, landed.cells, landed.level)
        if want != naive.grid(tuple(truth.cells()), spec.width, spec.rules == "capsules"):
            self._wrong(f"another field than expected after {landed.place}")
        gained = truth.score - landed.score
        capped = truth.score >= min(spec.cap or spec.score.most, spec.score.most)
        if not capped and not points <= gained <= points + 2 * spec.height * spec.drop_points:
            self._wrong(f"{gained} points, not {points}")

    def _seen(self, truth: Truth) -> None:
        if not truth.control or self.player.played.frames % self._every:
            return
        self.reads += 1
        values, said, peek = truth.values(), self._said, self._peek
        field = said["field"]
        rows, columns = field["rows"], field["columns"]
        cells = [list(row) for row in values["field"]]
        if field["piece_inside"]:
            for x, y, name in values["piece_cells"]:
                if y >= 0:
                    cells[y][x] = name
        for place in field["places"]:
            hidden = place["role"] == "rules" and not place["visible"]
            if hidden or place["form"] == "tiles" or place["role"] == "late copy":
                continue
            if reading.read_field(peek, place, rows, columns) != cells:
                self._wrong(f"the field's {place['role']} isn't what RAM says")
        self._pieces(values)
        if reading.read_number(peek, said["score"]) != values["score_shown"]:
            self._wrong("the score isn't what RAM says")
        if "score_total" in said and reading.read_number(peek, said["score_total"]) != values["score"]:
            self._wrong("the total isn't what RAM says")
        if (
            said["phase"]["form"] in ("byte", "bits")
            and peek(said["phase"]["address"]) != said["phase"]["codes"]["control"]
        ):
            self._wrong("the phase isn't what RAM says")
        if peek(said["mode"]["address"]) != said["mode"]["codes"]["play"]:
            self._wrong("the mode isn't what RAM says")

    def _pieces(self, values: dict[str, object]) -> None:
        said, peek = self._said, self._peek
        size = len(values["piece"])  # type: ignore[arg-type]
        place = dict(said["place"]) | {"columns": self.spec.width}
        if reading.read_place(peek, place, said["field"]["places"][0]) != (values["x"], values["y"]):
            self._wrong("the place isn't what RAM says")
        if self.spec.boxed:
            halves = [cell[:2] for cell in values["piece_cells"]]  # type: ignore[attr-defined]
            if halves != naive.in_box(values["x"], values["y"], str(values["orientation"])):  # type: ignore[arg-type]
                self._wrong("the piece isn't where it is in its box")
        if said["place"]["form"] == "halves":
            cells = values["piece_cells"]
            if reading.read_xy(peek, place, 1) != cells[1][:2]:  # type: ignore[index]
                self._wrong("the place of the second half isn't what RAM says")
        elif "orientation" in place and self.game.seats[0].rules.turns > 1:
            turn = place["orientation"]
            if turn["codes"][peek(turn["address"])] != values["orientation"]:
                self._wrong("the orientation isn't what RAM says")
        piece = reading.read_pieces(peek, said["piece"], size)[0]
        if "orientations" in said["piece"] and self.spec.rules == "capsules":
            # the codes are in the order of the cells
            cells = values["piece_cells"]
            if piece != [name for _, _, name in cells]:  # type: ignore[attr-defined]
                self._wrong("the piece isn't what RAM says")
        elif piece != values["piece"]:
            self._wrong("the piece isn't what RAM says")
        if "orientations" in said["piece"]:
            told = said["piece"]["orientations"][peek(said["piece"]["addresses"][0])]
            if told != values["orientation"]:
                self._wrong("the orientation isn't what the piece's codes say")
        for entry, names in (("next", values["next"]), ("after", values["after"])):
            if entry in said and reading.read_pieces(peek, said[entry], size)[0] != names:
                self._wrong(f"{entry} isn't what RAM says")
