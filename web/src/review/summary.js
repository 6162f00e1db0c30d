// The summary of each player, and what the review rests on.

import { h, s } from "../page/dom.js";
import { GRADE_COLOURS, SIGNS } from "./draw.js";
import { text } from "./i18n.js";
import { GRADES } from "./model.js";
import { nameOf, number } from "./words.js";

function gradeBar(grades) {
  const total = GRADES.reduce((sum, grade) => sum + grades[grade], 0);
  let from = 0;
  const parts = GRADES.map((grade) => {
    const width = (100 * grades[grade]) / Math.max(1, total);
    const part = s("rect", { x: from, width, height: 10, fill: GRADE_COLOURS[grade], opacity: grade === "good" ? 0.55 : 1 });
    from += width;
    return part;
  });
  return s("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", class: "gradebar", "aria-hidden": "true" }, parts);
}

const pairs = (rows) => h("dl", { class: "facts" }, rows.map(([value, name]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));

function chains(seat, game) {
  const { chains: made } = seat;
  const title = h("h3", {}, game.hasSteps ? text.chainsTitle : text.attacksTitle);
  if (made.length === 0) return [title, h("p", { class: "soft" }, text.noChains)];
  if (!game.hasSteps) {
    const best = Math.max(...made.map((one) => one.made));
    return [title, h("p", {}, text.strongest(number(best))), h("p", { class: "soft" }, made.map((one) => number(one.made)).join(", "))];
  }
  const counts = new Map();
  for (const { steps } of made) counts.set(steps, (counts.get(steps) ?? 0) + 1);
  const most = Math.max(...counts.keys());
  const top = made.filter((one) => one.steps === most).reduce((best, one) => Math.max(best, one.made), 0);
  const rows = [...counts].sort(([one], [other]) => other - one);
  return [
    title,
    h("p", {}, `${text.longest(most)} (${text.points(number(top))})`),
    h("ul", { class: "chips" }, rows.map(([steps, count]) => h("li", {}, text.chainCount(steps, count)))),
  ];
}

function card(seat, game) {
  const accuracy = seat.accuracy === null ? text.noAccuracy : text.accuracyOf(seat.accuracy.toFixed(1));
  const marks = Object.entries(seat.marks);
  return h(
    "section",
    { class: "card" },
    h("h2", {}, nameOf(game, seat.seat)),
    h("p", { class: "accuracy" }, h("span", { class: "big" }, accuracy), h("span", { class: "soft" }, `${text.accuracy} · ${text.pieces(seat.pieces)} · ${text.judged(seat.judged)}`)),
    h("h3", {}, text.gradesTitle),
    gradeBar(seat.grades),
    h("ul", { class: "grades" }, GRADES.map((grade) => h(
      "li",
      {},
      h("span", { class: "tag", "data-grade": grade, "aria-hidden": "true" }, SIGNS[grade] || "·"),
      h("b", {}, String(seat.grades[grade])),
      h("span", {}, text.gradesMany[grade]),
    ))),
    chains(seat, game),
    marks.length > 0 ? [h("h3", {}, text.marksTitle), pairs(marks.map(([mark, count]) => [String(count), (game.hasSteps ? text.markNames : text.markNamesAttack)[mark]]))] : null,
    h("h3", {}, text.tempoTitle),
    pairs([
      // nobody saw the pads of a game that was kept from RetroArch
      ...(seat.extra_presses === null ? [] : [[number(seat.extra_presses), text.extraPresses]]),
      [number(seat.frames_wasted), text.framesWasted],
      [seat.frames_a_piece === null ? text.noAccuracy : seat.frames_a_piece.toFixed(1), text.framesPiece],
    ]),
  );
}

export class Summary {
  constructor({ game }) {
    const { review } = game;
    const rounds = review.rounds.map((round, at) => h("li", {}, text.round(at + 1, round.loser)));
    this.element = h(
      "div",
      { class: "summary" },
      h("div", { class: "cards" }, review.seats.map((seat) => card(seat, game))),
      rounds.length > 0 && game.isMatch ? h("section", { class: "card" }, h("h2", {}, text.resultTitle), h("ul", {}, rounds)) : null,
      h(
        "section",
        { class: "card" },
        h("h2", {}, text.aboutTitle),
        h("p", {}, text.about(review.game, review.rules, review.source.name, number(review.boards))),
        h("p", {}, text.knows),
        review.unread > 0 ? h("p", {}, text.unread(review.unread)) : null,
      ),
    );
  }
}
