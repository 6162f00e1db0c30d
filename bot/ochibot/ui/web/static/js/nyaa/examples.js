// Boards to begin with.

export const EXAMPLES = [
  {
    name: "Three tails: 2 + 3 + 3",
    rows: ["...R...", "..rr...", "...rr..", "...r..."],
  },
  {
    name: "A ring (MVS merges, PS2 can't)",
    rows: ["..B....", "..bbbb.", "..b..b.", "..b..b.", "..bbbb."],
  },
  {
    name: "A rectangle, 2 wide",
    rows: ["..G....", "..gg...", "..gg...", "..gg...", "..gg...", "..gg...", "..gg...", "..gg..."],
  },
  {
    name: "A rectangle, 7 wide",
    rows: ["G......", "ggggggg", "ggggggg"],
  },
  {
    name: "A needle in a corner",
    rows: ["...y...", "..yyY..", ".yy.y..", ".y.yy..", "oooyo.."],
  },
  {
    name: "Two needles, many branches",
    rows: [
      ".b...r.", ".bb.rrr", "bb...rb", ".b.R.r.", "bbbrrrr", "b.brb.r", "gBbbbgr", "g..bygo", "gg.byyo", "ogybbyo",
    ],
  },
  {
    name: "A tie that no source settles",
    rows: ["...G...", "...g...", "..ggg..", "..g.g..", "..ggg..", "..g...."],
  },
];

export const textOf = (example) => example.rows.join("\n");
