"""Files of positions: .npz, which numpy reads, or Parquet, which most programs for tables read.

The columns of exported positions: their names, types and shapes.

Plays the games of which positions are exported.

A shard is a file. Its games have seeds that follow from the run's seed and the shard's number, so the files don't
depend on the number of workers or on interruptions.
"""

from __future__ import annotations

import hashlib
import importlib.util
import io
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ochibot.arrayfile import read_arrays
from ochibot.errors import UsageError
from ochibot.lab.endless import SEED_BITS
from ochibot.lab.selfplay import begin
from ochibot.puyo.kernels.engine import zeros
from ochibot.puyo.rules.field import COLUMNS, ROWS
from ochibot.puyo.rules.profile import Rules, score_table
from ochibot.puyo.search.engine import WORK_WORDS
from ochibot.puyo.search.locks import lock_order
from ochibot.puyo.search.player import PlayerConfig
from ochibot.puyo.sim.dealer import PlainSource
from ochibot.puyo.sim.engine import CERTAIN, RECORD_KERNELS, RECORD_NUMBERS

SCHEMA: Final = 1
"""The version of the schema. It grows when a column changes its meaning."""

Arrays = dict[str, npt.NDArray[Any]]
"""Positions: an array for each column, all of one length."""


@dataclass(frozen=True)
class ArrayColumn:
    """A column. type: numpy's name of it. shape: that of one position's entry. what: what it holds."""

    name: str
    type: str
    what: str
    shape: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """How many numbers an entry has."""
        return math.prod(self.shape)


SCHEMA_COLUMNS: Final = (
    ArrayColumn("game", "int32", "the game, numbered from 0 in each file"),
    ArrayColumn("piece", "int32", "the falling pair's number in its game, from 0"),
    ArrayColumn("field", "uint8", "the cell codes, the hidden row first", (ROWS, COLUMNS)),
    ArrayColumn("pair", "uint8", "the colours of the falling pair: axis, partner", (2,)),
    ArrayColumn("next_pair", "uint8", "the colours of the next pair", (2,)),
    ArrayColumn("owed", "bool", "whether the next chain brings the bonus for a field emptied before"),
    ArrayColumn("legal", "uint32", "the legal placements: bit i for number i"),
    ArrayColumn("best", "uint8", "the number of the player's placement"),
    ArrayColumn("value", "float64", "the value that the player's search gives it"),
    ArrayColumn("played", "uint8", "the number of the placement that was played"),
    ArrayColumn("points", "int64", "the points that it made"),
    ArrayColumn("chain", "uint8", "the steps of its chain, 0 if nothing cleared"),
    ArrayColumn("rest", "int64", "the points from this position to the last one of its game, both included"),
    ArrayColumn("left", "int32", "how many positions of its game come after this one"),
    ArrayColumn("ended", "bool", "whether its game ended by a game over, and was not cut off"),
)


VALUES: Final = ArrayColumn(
    "values", "float64", "with `--all-values`: the value of each placement, NaN if it isn't legal", (len(lock_order()),)
)


def columns_of(all_values: bool) -> tuple[ArrayColumn, ...]:
    """The columns of an export. all_values: whether it has the values of all placements."""
    return (*SCHEMA_COLUMNS, VALUES) if all_values else SCHEMA_COLUMNS


def digest_of(positions: Mapping[str, npt.NDArray[Any]]) -> str:
    """The SHA-256 of positions: of the bytes of their columns, one after the other, little-endian.

    It doesn't depend on the file's format or on the versions of the libraries that wrote it.
    """
    digest = hashlib.sha256()
    for column in columns_of(VALUES.name in positions):
        array = positions[column.name]
        digest.update(np.ascontiguousarray(array, np.dtype(column.type).newbyteorder("<")).data)
    return digest.hexdigest()


def check_columns(positions: Mapping[str, npt.NDArray[Any]]) -> int:
    """The number of positions. Raises ValueError for columns of another type or shape."""
    count = len(positions["game"])
    for column in columns_of(VALUES.name in positions):
        array = positions[column.name]
        if array.dtype != np.dtype(column.type) or array.shape != (count, *column.shape):
            raise ValueError(f"the column {column.name} has another form")
    return count


NPZ: Final = "npz"
PARQUET: Final = "parquet"


def need(form: str) -> None:
    """Raises UsageError if files of this format can't be written or read here."""
    if form == PARQUET and importlib.util.find_spec("pyarrow") is None:
        raise UsageError("Parquet needs pyarrow: pip install 'ochibot[parquet]', or take --format npz")


def file_of(positions: Arrays, form: str) -> bytes:
    """The bytes of a file with these positions."""
    return _WRITERS[form](positions)


def _npz(positions: Arrays) -> bytes:
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=False, **positions)
    return file.getvalue()


def _parquet(positions: Arrays) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet

    table = pa.table({column.name: _arrow(positions, column) for column in columns_of(VALUES.name in positions)})
    file = io.BytesIO()
    pyarrow.parquet.write_table(table, file, compression="zstd")
    return file.getvalue()


def _arrow(positions: Arrays, column: ArrayColumn) -> Any:
    """A column as Arrow has it: one with a shape is a list of fixed size, row by row."""
    import pyarrow as pa

    flat = pa.array(positions[column.name].reshape(-1))
    return pa.FixedSizeListArray.from_arrays(flat, column.size) if column.shape else flat


_WRITERS: Final[dict[str, Callable[[Arrays], bytes]]] = {NPZ: _npz, PARQUET: _parquet}


def read_file(path: Path, names: Iterable[str]) -> Arrays:
    """The columns with these names of a file, whose ending is its format. Raises ValueError, UsageError."""
    if path.suffix != f".{PARQUET}":
        return read_arrays(path, names)
    need(PARQUET)
    import pyarrow as pa
    import pyarrow.parquet

    wanted = set(names)
    try:
        table = pyarrow.parquet.read_table(path, columns=sorted(wanted))
        return {
            column.name: table[column.name]
            .combine_chunks()
            .flatten()
            .to_numpy(zero_copy_only=False)
            .reshape(-1, *column.shape)
            if column.shape
            else table[column.name].to_numpy()
            for column in columns_of(True)
            if column.name in wanted
        }
    except OSError as error:
        raise ValueError(error.strerror or "it is damaged") from None
    except (pa.ArrowException, KeyError, AttributeError) as error:
        raise ValueError(f"it is damaged ({type(error).__name__})") from None


SHARD_POSITIONS: Final = 250_000
"""Positions in a file; the last file has the rest."""


@dataclass(frozen=True)
class Playing:
    """How positions are played: everything that they depend on but their number.

    length: pieces after which a game is cut off. epsilon: the share of placements that are random. shard: positions in
    a file. all_values: whether the value of each placement is written, not only that of the best one.
    """

    player: PlayerConfig
    rules: Rules
    colors: int
    source: PlainSource
    seed: int
    length: int
    epsilon: float
    shard: int = SHARD_POSITIONS
    all_values: bool = False

    def identity(self, positions: int, form: str) -> dict[str, Any]:
        """Everything that the files depend on, as plain values. form: the files' format."""
        return {
            "experiment": "positions",
            "schema": SCHEMA,
            "format": form,
            "positions": positions,
            "player": self.player.model_dump(mode="json"),
            "rules": asdict(self.rules),
            "colors": self.colors,
            "dealer": self.source,
            "seed": self.seed,
            "length": self.length,
            "epsilon": self.epsilon,
            "shard": self.shard,
            "all_values": self.all_values,
        }


@dataclass(frozen=True)
class PositionsTask:
    """One file to make: its number, its number of positions, and its format."""

    playing: Playing
    number: int
    positions: int
    form: str


def position_tasks(playing: Playing, positions: int, form: str) -> Iterator[tuple[int, PositionsTask]]:
    """The files of a run, with their numbers. positions: the number in all files."""
    for number, first in enumerate(range(0, positions, playing.shard)):
        yield number, PositionsTask(playing, number, min(playing.shard, positions - first), form)


def game_seeds(playing: Playing, shard: int, game: int) -> tuple[int, int]:
    """The seeds of a game, a hash of the dealer, the run's seed, the shard and the game: the dealer's, and that of the
    random placements.
    """
    text = f"positions {playing.source} {playing.seed} {shard} {game}"
    digest = hashlib.blake2b(text.encode(), digest_size=16).digest()
    return int.from_bytes(digest[:8]) >> (64 - SEED_BITS[playing.source]), int.from_bytes(digest[8:])


def play_positions(task: PositionsTask) -> Arrays:
    """The positions of a file, in the order in which they were played."""
    playing, count = task.playing, task.positions
    record = RECORD_KERNELS.kernel("record_play", playing.rules)
    columns = columns_of(playing.all_values)
    made: Arrays = {column.name: np.zeros((count, *column.shape), column.type) for column in columns}
    cells = made["field"].reshape(count, ROWS * COLUMNS)
    numbers = np.zeros((count, RECORD_NUMBERS), np.int64)
    all_values = made.get(VALUES.name, np.zeros((0, *VALUES.shape)))
    factors = np.array(playing.player.factors, np.float64)
    table, work = score_table(playing.rules), zeros(WORK_WORDS)
    bonuses = playing.rules.all_clear_now, playing.rules.all_clear_later
    game = first = 0
    while first < count:
        seed, dice = game_seeds(playing, task.number, game)
        words, state = begin(playing.source, seed, playing.colors)
        end = min(first + playing.length, count)
        how = np.array([first, end, *state[1:6], round(playing.epsilon * CERTAIN), *bonuses, 0], np.int64)
        own_dice = np.array([dice], np.uint64)
        record(cells, numbers, made["value"], all_values, words, own_dice, how, factors, table, work)
        end = int(how[0])
        made["game"][first:end] = game
        made["piece"][first:end] = np.arange(end - first)
        made["left"][first:end] = np.arange(end - first)[::-1]
        made["rest"][first:end] = numbers[first:end, 8][::-1].cumsum()[::-1]
        made["ended"][first:end] = how[10]
        game, first = game + 1, end
    made["pair"][:], made["next_pair"][:] = numbers[:, 0:2], numbers[:, 2:4]
    for name, at in (("owed", 4), ("legal", 5), ("best", 6), ("played", 7), ("points", 8), ("chain", 9)):
        made[name][:] = numbers[:, at]
    return made
