// Sharing: a picture of a moment, and links of chain simulators.

import { h, s } from "../page/dom.js";
import { download } from "../page/export.js";
import { boardGroup, lookNow } from "./draw.js";
import { FieldFault } from "./field.js";
import { text } from "./i18n.js";
import { icon } from "./icons.js";
import { nexusLink, puyopLink } from "./links.js";
import { FONT } from "./pieces.js";

const [MARGIN, HEAD, FOOT, SCALE, LEAST] = [20, 84, 34, 2, 400];
// about how wide a character is, as a share of the font's size
const [WIDE, NARROW] = [1.02, 0.54];

const words = (x, y, size, fill, shown, weight = 400) =>
  s("text", { x, y, fill, "font-size": size, "font-weight": weight, "font-family": FONT }, shown);

function lines(said, width, size, most) {
  const found = [""];
  let room = width;
  // Japanese may break anywhere, English between words
  for (const part of said.match(/[ -~]+? |[ -~]+|[^ -~]/g) ?? []) {
    const wide = [...part].reduce((sum, sign) => sum + (sign > "~" ? WIDE : NARROW) * size, 0);
    if (wide > room && found.at(-1) !== "") {
      found.push("");
      room = width;
    }
    found[found.length - 1] += part;
    room -= wide;
  }
  return found.slice(0, most);
}

// A PNG of a board. view: a BoardView. board: its board.
async function toPng(view, board, title, said) {
  const look = lookNow();
  const width = Math.max(LEAST, view.width + 2 * MARGIN);
  const height = HEAD + view.height + FOOT;
  const size = { width: width * SCALE, height: height * SCALE };
  const root = s(
    "svg",
    { xmlns: "http://www.w3.org/2000/svg", ...size, viewBox: `0 0 ${width} ${height}` },
    s("rect", { width, height, fill: look.page }),
    words(MARGIN, 30, 18, look.text, title, 700),
    lines(said, width - 2 * MARGIN, 14, 2).map((line, at) => words(MARGIN, 50 + at * 18, 14, look.soft, line)),
    words(MARGIN, height - 12, 12, look.soft, text.pictureFoot),
    s("g", { transform: `translate(${(width - view.width) / 2} ${HEAD})` }, boardGroup(view.shown, board, look)),
  );
  const source = new Blob([new XMLSerializer().serializeToString(root)], { type: "image/svg+xml" });
  const address = URL.createObjectURL(source);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), size);
    canvas.getContext("2d").drawImage(image, 0, 0);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob === null ? reject(new Error("no picture")) : resolve(blob)), "image/png");
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}

// A phone offers to send the picture; elsewhere it is saved.
export async function sharePicture(page, view, board, title, said, name) {
  try {
    const blob = await toPng(view, board, title, said);
    const file = new File([blob], name, { type: blob.type });
    if (matchMedia("(pointer: coarse)").matches && navigator.canShare?.({ files: [file] })) {
      await navigator.share({ files: [file] }).catch(() => {});
      return;
    }
    download(blob, name);
    page.say(text.pictureSaved);
  } catch {
    page.say(text.pictureFailed);
  }
}

async function copy(page, address) {
  try {
    await navigator.clipboard.writeText(address);
    page.say(text.copied);
  } catch {
    // a page that was opened as a file may not be allowed to
    page.showText(text.copyThis, address);
  }
}

// The links of a field, or why there is none. position: {cells, pairs}.
export function linkRow(page, position, board) {
  const row = (site, make) => {
    try {
      const address = make();
      return h(
        "li",
        { class: "linkrow" },
        h("a", { class: "button", href: address, target: "_blank", rel: "noopener noreferrer", "aria-label": text.opens(site) }, icon("link"), site),
        h("button", { type: "button", "aria-label": text.copyOf(site), onclick: () => copy(page, address) }, text.copy),
      );
    } catch (error) {
      if (!(error instanceof FieldFault)) throw error;
      return h("li", { class: "soft" }, `${site}: ${text.faults[error.what](...error.details)}`);
    }
  };
  return h(
    "ul",
    { class: "links" },
    row(text.puyop, () => puyopLink(position.cells, position.pairs, board)),
    row(text.nexus, () => nexusLink(position.cells, board)),
  );
}
