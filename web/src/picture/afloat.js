// A falling pair lies over the board, mostly between two rows. Whatever floats above an empty cell and is small is taken for it.

const MOST_WIDE = 2;
const MOST_HIGH = 3;
const MOST_CELLS = 4;

// cells: [{code, sure}], 0 is empty. Returns the cells that float: a list, empty if nothing does; isPair: whether they can be
// one pair.
function floating(cells, { columns, rows }) {
  const found = [];
  for (let column = 0; column < columns; column += 1) {
    let hasGap = false;
    for (let row = rows - 1; row >= 0; row -= 1) {
      const cell = row * columns + column;
      if (cells[cell].code === 0) hasGap = true;
      else if (hasGap) found.push(cell);
    }
  }
  const across = found.map((cell) => cell % columns);
  const down = found.map((cell) => Math.floor(cell / columns));
  const span = (list) => Math.max(...list) - Math.min(...list) + 1;
  const isPair = found.length > 0 && found.length <= MOST_CELLS && span(across) <= MOST_WIDE && span(down) <= MOST_HIGH
    && span(across) + span(down) <= 4;
  return { found, isPair };
}

// The cells without a falling pair: {cells, falling (those that it covers), isBusy (whether more hangs in the air)}. But cells that
// the user has named stay.
export function leftOut(cells, size, said = new Map()) {
  const { found, isPair } = floating(cells, size);
  const falling = new Set(isPair ? found.filter((cell) => !said.has(cell)) : []);
  return {
    cells: cells.map((one, cell) => (falling.has(cell) ? { code: 0, sure: true } : one)),
    falling, isBusy: !isPair && found.length > 0,
  };
}
