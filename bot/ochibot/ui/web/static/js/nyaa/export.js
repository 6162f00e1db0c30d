// The boards as a PNG: the pictures of the page, with their headlines, drawn once more without the page.

import { s } from "../dom.js";
import { COLUMNS, ROWS } from "./board.js";
import { FONT, UNIT } from "./draw.js";

const [WIDTH, HEIGHT] = [COLUMNS * UNIT, ROWS * UNIT];
const [MARGIN, HEAD, FOOT, SCALE] = [20, 64, 30, 2];

const text = (x, y, size, fill, words, weight = 400) =>
  s("text", { x, y, fill, "font-size": size, "font-weight": weight, "font-family": FONT }, words);

// parts: [{group, title, number, note}], one for each board shown
function compose(parts, look) {
  const width = parts.length * (WIDTH + MARGIN) + MARGIN;
  const height = HEAD + HEIGHT + FOOT;
  const root = s(
    "svg",
    { xmlns: "http://www.w3.org/2000/svg", width: width * SCALE, height: height * SCALE, viewBox: `0 0 ${width} ${height}` },
    s("rect", { width, height, fill: look.page }),
    text(MARGIN, height - 10, 11, look.soft, "Pochi & Nyaa ignition · Ochibot"),
  );
  parts.forEach(({ group, title, number, note }, i) => {
    const left = MARGIN + i * (WIDTH + MARGIN);
    const heading = text(left + WIDTH, 46, 38, look.text, number, 700);
    heading.setAttribute("text-anchor", "end");
    root.append(
      text(left, 30, 18, look.text, title, 700),
      text(left, 49, 13, look.soft, note),
      heading,
      s("g", { transform: `translate(${left} ${HEAD})` }, group.cloneNode(true)),
    );
  });
  return { root, width: width * SCALE, height: height * SCALE };
}

export async function toPng(parts, look) {
  const { root, width, height } = compose(parts, look);
  const source = new Blob([new XMLSerializer().serializeToString(root)], { type: "image/svg+xml" });
  const address = URL.createObjectURL(source);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width, height });
    canvas.getContext("2d").drawImage(image, 0, 0);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob === null ? reject(new Error("no picture")) : resolve(blob)), "image/png");
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}

export function download(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = Object.assign(document.createElement("a"), { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
