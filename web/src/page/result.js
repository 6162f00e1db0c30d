// A ruleset's value in words and numbers, for the headline above a board and for the account beside it.

import { text } from "./i18n.js";

export const SHORT = { mvs: "MVS", ps2: "PS2" };

export const rangeOf = ({ attack: [low, high], complete }) =>
  `${low === high ? low : `${low}–${high}`}${complete ? "" : "+"}`;

export function headline(value) {
  if (value === null) return { number: "…", note: "" };
  const [low, high] = value.attack;
  const number = rangeOf(value);
  if (value.tails.length === 0) return { number, note: text.nothingLit };
  if (value.attack_exact) return { number, note: value.paths_exact ? text.exact : text.pathsOpen };
  return { number, note: value.complete ? text.between(low, high) : text.perhapsMore(low, high) };
}

// The value as a sentence for a screen reader.
export function spoken(ruleset, value) {
  const { number, note } = headline(value);
  return text.spoken(text.rulesets[ruleset], value.attack_exact ? number : note);
}

function sum(outcome) {
  const counts = new Map();
  for (const { value } of outcome.tails) counts.set(value, (counts.get(value) ?? 0) + 1);
  if (outcome.tails.length <= 9) return outcome.tails.map((tail) => tail.value).join(" + ");
  return [...counts].map(([value, count]) => (count > 1 ? `${count} × ${value}` : value)).join(" + ");
}

export const ownersOf = (outcome) => [...new Set(outcome.tails.map((tail) => tail.owner))].sort((a, b) => a - b);
export const valuesOf = (outcome, owner) => outcome.tails.filter((tail) => tail.owner === owner).map((tail) => tail.value);

export function reckoning(ruleset, outcome) {
  const { s0, s1, t, attack, tails } = outcome;
  const lines = [`${sum(outcome)}${tails.length > 1 ? ` = ${s1}` : ""}`];
  const lone = tails.filter((tail) => tail.value === 1).length;
  if (ruleset === "ps2") {
    if (s1 === 1) lines.push(text.loneNothing);
  } else {
    if (lone > 0) lines.push(text.withoutOnes(lone, s0));
    const owners = ownersOf(outcome);
    const most = owners.find((owner) => valuesOf(outcome, owner).length === t);
    const of = owners.length > 1 ? text.ofStart(most) : "";
    lines.push(text.bonusLine(t, of, s1, ((100 * s0 + 4 * t * s1) / 100).toFixed(2)), text.rounded(attack));
  }
  return lines;
}

// The reckoning as a few sentences.
export function sentences(ruleset, outcome) {
  const { s1, t, attack, tails } = outcome;
  const { words } = text;
  const lines = [
    words.lit(ownersOf(outcome).length, Math.max(...outcome.steps.flat())), words.tails(tails.map((tail) => tail.value)),
  ];
  if (s1 === 1) return [...lines, words.alone];
  if (tails.length > 1) lines.push(words.sum(s1));
  if (ruleset === "ps2") return [...lines, words.ps2(attack)];
  const lone = tails.filter((tail) => tail.value === 1).length;
  if (lone > 0) lines.push(words.ones(lone));
  return [...lines, words.bonus(t, 4 * t, s1, ((4 * t * s1) / 100).toFixed(2)), words.floor(attack)];
}
