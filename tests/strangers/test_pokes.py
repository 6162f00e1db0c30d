"""Writing into a stranger's RAM changes the game as its mechanisms say."""

from __future__ import annotations

from random import Random

import pytest

from tests.strangers import reading
from tests.strangers.maker import Stranger, Truth, draw
from tests.strangers.maker.memory import CART_AT, WORK
from tests.strangers.maker.player import MASKS, Player

BY_FIELD = (
    *("by_columns", "strided", "padded", "border", "floor_up", "right_left", "ring", "pointers", "nibbles", "masks"),
    *(
        "wide_cells",
        "split",
        "beside_row",
        "cartridge",
        "unseen",
        "piece_inside",
        "rest_flag",
        "junk_bits",
        "empty_code",
    ),
    *("any_codes", "tile_codes", "copy_late", "pixels", "cell_index", "halves", "codes_turn"),
)


def ready(only: str, kind: str = "family") -> tuple[Stranger, Truth, Player]:
    """A game in which a piece has just begun to answer."""
    game = Stranger(draw(1, kind, only))
    player = Player(game)
    player.start()
    while not player.truth.control:
        player.step()
    return game, player.truth, player


def heap(game: Stranger, column: int, tall: int) -> None:
    """Puts a heap into the rules' field."""
    for at in range(tall):
        game.seats[0].board.put(column, game.spec.height - 1 - at, 1 + at % 2)


def lowest(player: Player) -> int:
    """The row in which the lower half comes to rest when the piece falls straight down."""
    truth = player.truth
    row = 0
    while truth.phase == "control":
        cells = truth.piece_cells()
        row = max(y for _, y, _ in cells) if cells else row
        player.step(MASKS["down"])
    return row


@pytest.mark.parametrize("only", BY_FIELD)
def test_a_poked_heap_holds_the_piece(only: str) -> None:
    game, truth, player = ready(only)
    place = truth.place()
    assert place is not None
    heap(game, place[0], 5)
    assert lowest(player) == game.spec.height - 6


def test_heights_hold_the_piece_and_the_field_does_not() -> None:
    game, truth, player = ready("heights")
    state = game.save()
    place = truth.place()
    assert place is not None
    heap(game, place[0], 5)
    assert lowest(player) == game.spec.height - 1
    game.load(state)
    said = truth.describe()["field"]["heights"]
    rows = game.spec.height - 5 if said["from_top"] else 5
    game.memory[said["address"] + place[0]] = rows * said["unit"] + said["zero"] & 255
    assert lowest(player) == game.spec.height - 6


def test_a_mirror_holds_the_piece_and_the_field_does_not() -> None:
    game, truth, player = ready("landing_mirror")
    place = truth.place()
    assert place is not None
    heap(game, place[0], 5)
    assert lowest(player) == game.spec.height - 1
    # after the lock, the mirror is made anew: the next piece stands on the heap, of which two cells are the last piece
    while not truth.control:
        player.step()
    assert lowest(player) == game.spec.height - 6


def test_a_poke_into_the_field_that_is_only_shown_is_lost() -> None:
    game, truth, player = ready("shown_mirror")
    shown = game.seats[0].board.shown
    assert shown is not None
    column = (truth.place() or (0, 0, 0))[0]
    shown.put(column, game.spec.height - 1, 1)
    assert lowest(player) == game.spec.height - 1
    assert shown.read() == game.seats[0].board.read()


def test_what_comes_next_is_what_ram_says() -> None:
    for only in ("next_ring", "next_nibbles", "next_index", "two_next"):
        game, truth, player = ready(only)
        seen = []
        for _ in range(3):
            before = truth.coming()
            number = truth.pieces
            while truth.pieces == number:
                player.step(MASKS["down"])
            while not truth.control:
                player.step()
            kind = truth.kind()
            assert kind is not None
            assert truth.names(kind) == before[0]
            seen.append(before[0])
        assert game.spec.next >= 1


@pytest.mark.parametrize("kind", ["family", "other"])
def test_the_opponents_ram_says_what_is_true(kind: str) -> None:
    specs = [spec for spec in (draw(seed, kind) for seed in range(60)) if spec.opponent and spec.area != "hidden"][:4]
    for spec in specs:
        game = Stranger(spec)
        player, rival = Player(game), Truth(game, 1)
        player.start()
        said = rival.describe()

        def peek(address: int, game: Stranger = game) -> int:
            return game.memory[address if address < CART_AT else WORK + address - CART_AT]

        fields = set()
        for frame in range(1500):
            player.step()
            if frame % 50 or player.truth.mode != "play":
                continue
            values = rival.values()
            cells = [list(row) for row in values["field"]]
            if spec.inside:
                for x, y, name in values["piece_cells"] or ():
                    if y >= 0:
                        cells[y][x] = name
            place = said["field"]["places"][0]
            assert reading.read_field(peek, place, spec.height, spec.width) == cells
            assert reading.read_number(peek, said["score"]) == values["score_shown"]
            fields.add(str(cells))
        assert len(fields) > 1


@pytest.mark.parametrize("kind", ["family", "other"])
def test_no_poke_breaks_the_machine(kind: str) -> None:
    for seed in range(12):
        game, rng = Stranger(draw(seed, kind)), Random(seed)
        player = Player(game)
        player.start()
        state = game.save()
        for frame in range(800):
            if frame % 100 == 0:
                game.load(state)
            if rng.random() < 0.1:
                area = 0x100 if frame % 3 else game.areas.hidden
                game.memory[rng.randrange(area)] = rng.choice((0, 1, 255, rng.randrange(256)))
            game.step(rng.choice((0, 0, *MASKS.values())))
        player.truth.values()
        game.frame()
