// The example boards, offered beside an empty board. Their names are in text/.

export const EXAMPLES = [
  {
    name: "two",
    rows: [
      ".b...r.", ".bb.rrr", "bb...rb", ".b.R.r.", "bbbrrrr", "b.brb.r", "gBbbbgr", "g..bygo", "gg.byyo", "ogybbyo",
    ],
  },
  { name: "three", rows: ["...R...", "..rr...", "...rr..", "...r..."] },
  { name: "ring", rows: ["..B....", "..bbbb.", "..b..b.", "..b..b.", "..bbbb."] },
  { name: "tall", rows: ["..G....", "..gg...", "..gg...", "..gg...", "..gg...", "..gg...", "..gg...", "..gg..."] },
  { name: "flat", rows: ["G......", "ggggggg", "ggggggg"] },
  { name: "corner", rows: ["...y...", "..yyY..", ".yy.y..", ".y.yy..", "oooyo.."] },
  { name: "tie", rows: ["...G...", "...g...", "..ggg..", "..g.g..", "..ggg..", "..g...."] },
];

// The board that the page opens with: two needles on a board from a game.
export const FIRST = EXAMPLES[0];

export const textOf = (example) => example.rows.join("\n");
