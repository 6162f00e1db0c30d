// A picture with two corners that mark the board in it, for boards that weren't found.

const STEP = 1;
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// shown: the picture, as a canvas; rect: the first place [left, top, right, bottom] in a picture of the size of full.
// Returns {element, rect(), focus()}.
export function marker(h, text, shown, rect, full) {
  const place = [...rect];
  const frame = h("div", { class: "marker-frame" });
  const corners = text.corners.map((name, at) => h("button", { type: "button", class: "marker-corner", "aria-label": text.cornerHelp(name) }));
  const element = h("div", { class: "marker" }, shown, frame, corners);
  const draw = () => {
    const [left, top, right, bottom] = place.map((side, at) => `${(side / (at % 2 ? full.height : full.width)) * 100}%`);
    Object.assign(frame.style, { left, top, width: `calc(${right} - ${left})`, height: `calc(${bottom} - ${top})` });
    Object.assign(corners[0].style, { left, top });
    Object.assign(corners[1].style, { left: right, top: bottom });
  };
  const move = (corner, x, y) => {
    const least = [full.width / 50, full.height / 50];
    const limit = (value, from, to) => Math.min(Math.max(value, from), to);
    if (corner === 0) [place[0], place[1]] = [limit(x, 0, place[2] - least[0]), limit(y, 0, place[3] - least[1])];
    else [place[2], place[3]] = [limit(x, place[0] + least[0], full.width), limit(y, place[1] + least[1], full.height)];
    draw();
  };
  corners.forEach((corner, at) => {
    corner.addEventListener("pointerdown", (event) => {
      corner.setPointerCapture(event.pointerId);
      event.preventDefault();
      corner.focus();
    });
    corner.addEventListener("pointermove", (event) => {
      if (!corner.hasPointerCapture(event.pointerId)) return;
      const box = shown.getBoundingClientRect();
      move(at, ((event.clientX - box.left) / box.width) * full.width, ((event.clientY - box.top) / box.height) * full.height);
    });
    corner.addEventListener("keydown", (event) => {
      const step = KEYS[event.key];
      if (step === undefined) return;
      event.preventDefault();
      const far = event.shiftKey ? 10 * STEP : STEP;
      move(at, place[at * 2] + step[0] * far, place[at * 2 + 1] + step[1] * far);
    });
  });
  draw();
  return { element, rect: () => [...place], focus: () => corners[0].focus() };
}
