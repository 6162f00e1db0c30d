// Encodes an animated GIF (GIF89a) of frames with few colours. frames: [{width, height, data (RGBA), delay (1/100 s)}].

const TABLE = 256;
// the table's last colour is transparent: the pixel stays as in the frame before
const SAME = TABLE - 1;
const MOST = SAME;

// 5 bits of each channel are enough to keep the page's colours apart.
const key = (data, at) => ((data[at] >> 3) << 10) | ((data[at + 1] >> 3) << 5) | (data[at + 2] >> 3);

// The most frequent colours of all frames, each as the average of those that share its key.
function paletteOf(frames) {
  const sums = new Map();
  for (const { data } of frames) {
    for (let at = 0; at < data.length; at += 4) {
      const name = key(data, at);
      let sum = sums.get(name);
      if (sum === undefined) sums.set(name, (sum = [0, 0, 0, 0]));
      sum[0] += data[at];
      sum[1] += data[at + 1];
      sum[2] += data[at + 2];
      sum[3] += 1;
    }
  }
  const often = [...sums].sort(([, a], [, b]) => b[3] - a[3]);
  const colours = often.slice(0, MOST).map(([, [r, g, b, n]]) => [r, g, b].map((sum) => Math.round(sum / n)));
  const nearest = new Uint8Array(1 << 15);
  for (const [name, [r, g, b, n]] of often) {
    let least = Infinity;
    colours.forEach((colour, index) => {
      const away = (colour[0] - r / n) ** 2 + (colour[1] - g / n) ** 2 + (colour[2] - b / n) ** 2;
      if (away < least) [least, nearest[name]] = [away, index];
    });
  }
  return { colours, nearest };
}

class Bytes {
  #parts = new Uint8Array(1 << 16);
  length = 0;

  add(...bytes) {
    for (const byte of bytes) this.push(byte);
  }

  push(byte) {
    if (this.length === this.#parts.length) {
      const more = new Uint8Array(this.length * 2);
      more.set(this.#parts);
      this.#parts = more;
    }
    this.#parts[this.length] = byte;
    this.length += 1;
  }

  text(letters) {
    for (const letter of letters) this.push(letter.charCodeAt(0));
  }

  short(number) {
    this.add(number & 255, number >> 8);
  }

  get bytes() {
    return this.#parts.slice(0, this.length);
  }
}

// LZW as GIF has it, with codes of 9 to 12 bits, in blocks of at most 255 bytes.
function compress(pixels, out) {
  const [clear, end] = [TABLE, TABLE + 1];
  let block = [];
  let [buffer, filled, size, next] = [0, 0, 9, end + 1];
  let table = new Map();
  const flush = () => {
    if (block.length > 0) out.add(block.length, ...block);
    block = [];
  };
  const write = (code) => {
    buffer |= code << filled;
    filled += size;
    while (filled >= 8) {
      block.push(buffer & 255);
      if (block.length === 255) flush();
      buffer >>>= 8;
      filled -= 8;
    }
  };
  out.push(8);
  write(clear);
  let prefix = pixels[0];
  for (let i = 1; i < pixels.length; i += 1) {
    const pair = (prefix << 8) | pixels[i];
    const known = table.get(pair);
    if (known !== undefined) {
      prefix = known;
      continue;
    }
    write(prefix);
    if (next === 4096) {
      write(clear);
      [size, next, table] = [9, end + 1, new Map()];
    } else {
      if (next === 1 << size) size += 1;
      table.set(pair, next);
      next += 1;
    }
    prefix = pixels[i];
  }
  write(prefix);
  write(end);
  if (filled > 0) block.push(buffer & 255);
  flush();
  out.push(0);
}

export function encodeGif(frames) {
  const [{ width, height }] = frames;
  const { colours, nearest } = paletteOf(frames);
  const out = new Bytes();
  out.text("GIF89a");
  out.short(width);
  out.short(height);
  // a table of 256 colours for all frames
  out.add(0xf7, 0, 0);
  for (let index = 0; index < TABLE; index += 1) out.add(...(colours[index] ?? [0, 0, 0]));
  // repeat for ever
  out.add(0x21, 0xff, 11);
  out.text("NETSCAPE2.0");
  out.add(3, 1, 0, 0, 0);
  let before = null;
  for (const { data, delay } of frames) {
    const shown = new Uint8Array(width * height);
    for (let i = 0; i < shown.length; i += 1) shown[i] = nearest[key(data, i * 4)];
    const pixels = before === null ? shown : shown.map((index, i) => (index === before[i] ? SAME : index));
    // drawn over the frame before; all frames but the first have a transparent colour
    out.add(0x21, 0xf9, 4, before === null ? 4 : 5);
    out.short(delay);
    out.add(SAME, 0, 0x2c);
    before = shown;
    for (const number of [0, 0, width, height]) out.short(number);
    out.push(0);
    compress(pixels, out);
  }
  out.push(0x3b);
  return out.bytes;
}
