// Draws the boards as a PNG, and the waves as an animated GIF, from copies of the page's SVG.

import { COLUMNS, ROWS } from "../engine/grid.js";
import { s } from "./dom.js";
import { FONT, UNIT } from "./marks.js";
import { encodeGif } from "./gif.js";

const [WIDTH, HEIGHT] = [COLUMNS * UNIT, ROWS * UNIT];
const [MARGIN, HEAD, FOOT, SCALE] = [20, 64, 30, 2];
const GIF_SCALE = 0.8;
const [STEP_CS, REST_CS] = [22, 180];

const words = (x, y, size, fill, shown, weight = 400) =>
  s("text", { x, y, fill, "font-size": size, "font-weight": weight, "font-family": FONT }, shown);

// Lays out one frame. parts: [{group, title, number, note}], one for each board shown.
function compose(parts, look, scale) {
  const width = parts.length * (WIDTH + MARGIN) + MARGIN;
  const height = HEAD + HEIGHT + FOOT;
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
  const root = s(
    "svg",
    { xmlns: "http://www.w3.org/2000/svg", ...size, viewBox: `0 0 ${width} ${height}` },
    s("rect", { width, height, fill: look.page }),
    words(MARGIN, height - 10, 11, look.soft, "Pochi & Nyaa ignition · Ochibot"),
  );
  parts.forEach(({ group, title, number, note }, i) => {
    const left = MARGIN + i * (WIDTH + MARGIN);
    const heading = words(left + WIDTH, 46, 38, look.text, number, 700);
    heading.setAttribute("text-anchor", "end");
    root.append(
      words(left, 30, 18, look.text, title, 700),
      words(left, 49, 13, look.soft, note),
      heading,
      s("g", { transform: `translate(${left} ${HEAD})` }, group.cloneNode(true)),
    );
  });
  return { root, ...size };
}

async function paint({ root, width, height }) {
  const source = new Blob([new XMLSerializer().serializeToString(root)], { type: "image/svg+xml" });
  const address = URL.createObjectURL(source);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width, height });
    canvas.getContext("2d", { willReadFrequently: true }).drawImage(image, 0, 0);
    return canvas;
  } finally {
    URL.revokeObjectURL(address);
  }
}

export async function toPng(parts, look) {
  const canvas = await paint(compose(parts, look, SCALE));
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error("no picture")) : resolve(blob)), "image/png");
  });
}

// partsAt(step): the parts while the waves are at a step; null: the board before them. last: the number of steps.
export async function toGif(partsAt, last, look) {
  const frames = [];
  for (let step = 0; step <= last + 1; step += 1) {
    const drawn = compose(partsAt(step === 0 || step > last ? null : step), look, GIF_SCALE);
    const canvas = await paint(drawn);
    const { width, height } = canvas;
    const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
    frames.push({ width, height, data, delay: step === 0 || step > last ? REST_CS : STEP_CS });
  }
  return new Blob([encodeGif(frames)], { type: "image/gif" });
}

export function download(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = Object.assign(document.createElement("a"), { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
