// From a file to pixels: the first picture of any kind that the browser can show, in a size that is good to search.

// the longest side that is searched, and the shortest longest side
const MOST_SIDE = 1024;
const LEAST_SIDE = 720;
// what is refused: more bytes or pixels, or fewer pixels on a side
const MOST_BYTES = 40e6;
const MOST_PIXELS = 64e6;
const LEAST_WIDTH = 40;

export class PictureError extends Error {
  // what: an entry of text.faults
  constructor(what) {
    super(what);
    this.what = what;
  }
}

const ascii = (bytes) => String.fromCharCode(...bytes);

// Whether a GIF, PNG or WebP has several frames, by the first 256 kB of the file.
async function moves(blob) {
  const bytes = new Uint8Array(await blob.slice(0, 262144).arrayBuffer());
  const has = (word) => {
    const codes = [...word].map((letter) => letter.charCodeAt(0));
    return bytes.some((_, at) => codes.every((code, next) => bytes[at + next] === code));
  };
  const start = ascii(bytes.subarray(0, 12));
  if (start.startsWith("GIF8")) return has("NETSCAPE2.0");
  if (start.startsWith("\x89PNG")) return has("acTL");
  return start.startsWith("RIFF") && start.endsWith("WEBP") && has("ANIM");
}

async function shown(blob) {
  const image = new Image();
  const address = URL.createObjectURL(blob);
  image.src = address;
  try {
    await image.decode();
  } catch {
    throw new PictureError("broken");
  } finally {
    URL.revokeObjectURL(address);
  }
  return image;
}

// A part of the picture, in a size that is good to search: {pixels (an ImageData), canvas, place}. place says where the part is:
// {left, top, scale}, in pixels of the picture. most: the longest side.
function part(image, [left, top, right, bottom], most = MOST_SIDE) {
  const [width, height] = [right - left, bottom - top];
  const longest = Math.max(width, height);
  const scale = longest > most ? most / longest : longest < LEAST_SIDE ? Math.ceil(LEAST_SIDE / longest) : 1;
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
  const drawing = canvas.getContext("2d", { willReadFrequently: true });
  if (drawing === null) throw new PictureError("huge");
  drawing.imageSmoothingQuality = "high";
  drawing.fillRect(0, 0, canvas.width, canvas.height);
  drawing.drawImage(image, left, top, width, height, 0, 0, canvas.width, canvas.height);
  return { pixels: drawing.getImageData(0, 0, canvas.width, canvas.height), canvas, place: { left, top, scale } };
}

// Returns what part() does for the whole picture, and {moves, zoom(rect, most), width, height}. Throws PictureError.
export async function decoded(blob) {
  if (blob.size === 0) throw new PictureError("empty");
  if (blob.size > MOST_BYTES) throw new PictureError("huge");
  const image = await shown(blob);
  const [width, height] = [image.naturalWidth, image.naturalHeight];
  if (width * height > MOST_PIXELS) throw new PictureError("huge");
  if (width < LEAST_WIDTH || height < LEAST_WIDTH) throw new PictureError("tiny");
  const whole = part(image, [0, 0, width, height]);
  if (isFlat(whole.pixels.data)) throw new PictureError("flat");
  return { ...whole, width, height, moves: await moves(blob), zoom: (rect, most) => part(image, rect, most) };
}

function isFlat(data) {
  const words = new Uint32Array(data.buffer);
  return words.every((word) => word === words[0]);
}
