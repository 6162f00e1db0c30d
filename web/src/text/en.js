// All English text of the page. ja.js has the same entries; a test compares them.

const plural = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;
const list = (items) => (items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`);

export default {
  code: "en",
  language: "English",
  title: "Pochi & Nyaa calculator",
  heading: "Pochi & Nyaa: what an ignition is worth",
  skip: "Skip to the board",
  close: "Close",
  theme: { auto: "Theme: auto", light: "Theme: light", dark: "Theme: dark" },
  switchLanguage: "日本語",
  gridHelp:
    "Arrow keys move, the letters r g b y o and R G B Y (needles) paint, Enter paints with the chosen tool, Shift and "
    + "an arrow key draw a line, Delete erases. Shift or the right button erases with the mouse.",
  rulesets: { mvs: "Neo Geo MVS", ps2: "PlayStation 2" },
  views: { both: "Both", mvs: "MVS", ps2: "PS2" },
  viewsLegend: "Ruleset",
  board: (name) => `Board, ${name}`,
  cell: (x, y, what) => `column ${x}, row ${y}: ${what}`,
  tailHere: (value) => `, tail of ${value} ends here`,
  codes: [
    "empty", "red block", "green block", "blue block", "yellow block", "nuisance",
    "red needle", "green needle", "blue needle", "yellow needle",
  ],
  colours: ["", "red", "green", "blue", "yellow"],
  eraser: "eraser",
  paintWith: "Paint with",
  key: (name, key) => `${name} (key ${key})`,
  undo: "Undo", redo: "Redo", flip: "Flip", flipLong: "Flip left and right", clear: "Clear",
  boards: "Boards", boardsLong: "Kept boards",
  more: "Share and save", scroll: "Scroll past the board", scrollShort: "scroll", sharpen: "Needles instead of blocks",
  beside: { short: "Puyo Puyo", long: "Analysis board for Puyo Puyo" },
  copyLink: "Copy link", text: "Text", textLong: "Board as text", png: "PNG", pngLong: "Save as PNG",
  gif: "GIF", gifLong: "Save the wave as an animated GIF", gifBusy: "The GIF is being made.", gifDone: "The GIF is saved.",
  gifNothing: "Nothing is lit, so there is no wave to save.",
  gifHidden: "The wave can be saved after your answer.",
  linkCopied: "The link is copied.", copyThis: "Copy this link:",
  // the number
  unit: "attack",
  nothingLit: "nothing is lit",
  exact: "exact",
  pathsOpen: "attack certain, paths open",
  between: (low, high) => `between ${low} and ${high}`,
  perhapsMore: (low, high) => `${low} to ${high}, perhaps more`,
  spoken: (name, text) => `${name}: ${text}`,
  // the account
  accountOf: (name) => `${name}: how the value comes about`,
  paintHint: "No needle touches a block of its colour: paint blocks, and put a needle beside one.",
  tieSame: "The attack is certain. How the game settles the tie marked ? isn't known, so the paths are open.",
  tieOthers: (outcomes) => `${outcomes} outcomes have this attack, and differ in their tails.`,
  ties: (ties, total, low, high) =>
    `How the game settles ${plural(ties, "tie")} (marked ?) isn't known. The value is one of `
    + `${plural(total, "outcome")}, from ${low} to ${high}.`,
  tooMany: (total, low, high) =>
    `There are too many open ties to try them all; the ${plural(total, "outcome")} found go from ${low} to ${high}.`,
  picked: (count) => ` ${count} of them can be looked at.`,
  before: "The outcome before", next: "The next outcome",
  outcome: (number, total, attack) => `outcome ${number} of ${total}: ${attack}`,
  blocksInSteps: (blocks, steps) => `${plural(blocks, "block")} in ${plural(steps, "step")}`,
  start: (number) => `start ${number}`,
  starts: (numbers) => `starts ${list(numbers)}, each`,
  tails: (count) => plural(count, "tail"),
  chip: (value, x, y) => `Tail of ${value}, ends in column ${x}, row ${y}; show its path`,
  loneNothing: "A block alone is worth nothing.",
  withoutOnes: (count, s0) => `without ${plural(count, "tail")} of 1: ${s0}`,
  bonusLine: (t, of, s1, exact) => `+ 4 % × ${plural(t, "tail")}${of} of ${s1} → ${exact}`,
  ofStart: (number) => ` (of start ${number})`,
  rounded: (attack) => `rounded down: ${attack}`,
  inWords: "In words",
  paragraph: (sentences) => sentences.join(" "),
  words: {
    lit: (starts, steps) =>
      starts === 1
        ? `The needle lights one block, and the wave takes ${plural(steps, "step")}.`
        : `The needles light ${starts} blocks at once. Each is a start of its own, with waves of its own, for ${plural(steps, "step")}.`,
    tails: (values) =>
      values.length === 1
        ? `One tail is left, and its wave has passed ${plural(values[0], "block")}.`
        : `The waves end in ${values.length} tails. They have passed ${list(values.map(String))} blocks.`,
    ones: (count) => `${count === 1 ? "A tail" : `${count} tails`} of 1 count for nothing here, except in the bonus.`,
    sum: (s1) => `Added up, that is ${s1}.`,
    bonus: (t, percent, s1, extra) =>
      `The arcade game adds 4 % for each tail of the start that has the most: ${t} of them, so ${percent} % of ${s1}, which is ${extra}.`,
    floor: (attack) => `Fractions are dropped: the attack is ${attack}.`,
    ps2: (attack) => `The PlayStation 2 game adds nothing: the attack is ${attack}.`,
    alone: "A single block on its own is worth nothing.",
  },
  // the waves
  play: "Play", pause: "Pause", stepOf: (step, last) => `step ${step} of ${last}`, noWaves: "no waves",
  stepBack: "One step back", stepOn: "One step on", stepSlider: "Step of the waves",
  running: (sum) => `tails so far: ${sum}`, inAll: (sum) => `tails in all: ${sum}`,
  // tabs
  tabs: { value: "Value", best: "Best", play: "Play on", quiz: "Practice", tour: "Tour", help: "Help" },
  tabsLabel: "What to do with the board",
  examplesTitle: "Start with a board",
  examples: {
    two: "Two needles, many branches", three: "Three tails: 2 + 3 + 3", ring: "A ring: MVS merges, PS2 can't",
    tall: "A rectangle, 2 wide", flat: "A rectangle, 7 wide", corner: "A needle in a corner", tie: "A tie that no source settles",
  },
  // best
  best: {
    show: "Show on the board",
    any: "any", pair: "Pair", nextPair: "Next pair", first: "first half", second: "second half",
    now: "Best needle now", nothing: "Nothing can be lit from above.",
    needle: (colour, x, y) => `${colour} needle in column ${x}, row ${y}`,
    attack: (text) => `attack ${text}`,
    more: "perhaps more",
    needles: "The needles that already lie on the board ignite too, and count.",
    lying: "As the board lies", lies: (attack) => `No move beats the board as it lies: ${attack}`, allNow: "Best pair of all colours, as needles", atOnce: "The best move",
    pairNow: "The pair as needles", nextNow: "The next pair as needles",
    build: "Pair as blocks, then the next as needles",
    at: (parts) => parts.join(" and "), titled: (words) => `: ${words}`,
    valued: (move, attack) => `${move}, ${attack}`, both: (blocks, needles) => `${blocks}; ${needles}`,
    half: (colour, x, y) => `${colour} at ${x}, ${y}`,
    add: "Blocks to add", noAdd: "No single block gains anything.",
    addition: (colour, x, y, gain) => `Put a ${colour} block in column ${x}, row ${y}: +${gain}`,
    put: "Put it there", working: "Looking …",
    legend: "On the board: the best needle that can be in each free cell, and its attack. A bright one comes to rest there.",
  },
  // play on
  playon: {
    fall: "Pop, and let it fall", fallNothing: "Nothing is lit: put a needle beside a block of its colour.",
    sent: "Nuisance sent", sentBy: (name, text) => `${name}: ${text}`, reset: "Count anew",
    next: "next", touch: "Swipe: move · tap: turn · swipe down: drop",
    pair: "The pair that falls", left: "Move left", right: "Move right", turn: "Turn", needle: "As needles",
    drop: "Drop", nuisance: "Nuisance above you", nuisanceCount: "Blocks of nuisance", nuisanceDrop: "Let it fall",
    over: "The cell with the cross is taken: in the game, this is lost.",
    moved: (text) => `Sent: ${text}.`,
    blocked: "There is no room for the pair.",
    note: "No source says how much nuisance an attack sends, or what becomes of a needle that lights nothing. Here, one point of attack sends one block of nuisance, and the needle becomes a block.",
  },
  // what waits above, and the other side
  threat: {
    now: (waiting, next, verdict) => `${waiting} wait above. Light nothing, and ${next} fall: ${verdict}`,
    answered: (gone, sent, verdict) =>
      `Pop now, and ${gone} are cancelled and ${sent} sent${verdict === null ? ": nothing is left to fall." : `; of what is left: ${verdict}`}`,
    safe: "you survive.", lost: "the cell with the cross is taken, and the game is lost.",
    perhaps: (columns) => `lost if one of the last blocks falls in the middle column (${columns} in 7).`,
    tie: "whether you survive depends on the open tie (?).",
    assumed: (most) =>
      `That an attack cancels waiting nuisance first is documented. Assumed, since no source says: a point of attack is one block, at `
      + `most ${most} fall at once, only after a pair that lights nothing, and the last blocks fall in any columns, one in each.`,
  },
  sides: {
    title: "The other side", begin: "A board for the other side", swap: "Change sides", end: "Remove it", picture: "The other side's board",
    facts: (name, attack, waiting) => `${name}: attack ${attack}, ${waiting} waiting`,
    waits: (name, waiting) => `${name}: ${waiting} waiting`,
  },
  kept: {
    title: "Kept boards", name: "Name", keep: "Keep this board", none: "No board is kept yet.", remove: (name) => `Delete ${name}`,
    where: "Boards are kept in this browser, on this device only.",
    full: "The browser's storage is full: delete a board, and keep this one again.",
    forbidden: "This browser doesn't let the page keep anything. Copy the link instead.",
    damaged: "What this browser has kept can't be read.",
  },
  // practice
  quiz: {
    daily: (date) => `Board of ${date}`, fresh: "Another board", colours: "Colours", coloursOf: (count) => plural(count, "colour"), ask: (name) => `What is the attack on the ${name}?`,
    answer: "Your answer", erase: "Erase a digit", ok: "Answer", right: (seconds) => `Right, in ${seconds} s.`,
    wrong: (guess, attack) => `${guess} isn't it: the attack is ${attack}.`,
    notNumber: "Give a whole number.",
    run: (count, best) => `Right in a row: ${count} (most: ${best})`,
    days: (count, best) => `Days in a row: ${count} (most: ${best})`,
    seconds: (seconds) => `${seconds} s`, share: "Share the result", shared: "The result is copied.",
    result: (date, right, seconds, days) =>
      `Pochi & Nyaa, board of ${date}: ${right ? `read right in ${seconds} s` : "not read right"}, ${plural(days, "day")} in a row`,
    give: "Show me", given: (attack) => `It is ${attack}.`, doneToday: "Today's board is answered.",
    intro: "Read the board, and say what its ignition is worth. The time runs from the moment the board is there.",
    stop: "Back to painting", todayAgain: "It counts once a day.",
  },
  // help
  help: {
    title: "How it works",
    rules: [
      "Paint blocks, and put a needle (the spiky one) beside a block of its colour. The needle lights every block of its colour that it touches.",
      "Fire spreads one block a step, to all blocks of the colour. Where a wave can go no further, it ends in a tail, worth the number of blocks it has passed.",
      "The attack is the sum of the tails. The arcade game (MVS) drops tails of 1 and adds 4 % for each tail of the largest start. The PlayStation 2 game adds nothing.",
      "In the arcade game waves of one start merge where they meet. On the PlayStation 2 they never do: one goes on, the other ends.",
      "Where no source says how the game settles a meeting, the cell is marked ? and the value is a range. It is never a guess. A range with + may be wider still.",
    ],
    legendTitle: "On the board",
    legend: {
      start: "a block that is lit first, with the number of its start",
      badge: "a tail ends here; its value", grey: "a tail of 1 that counts for nothing",
      tie: "nobody knows which wave gets this cell", cross: "the cell that ends the game when it is taken",
    },
    keysTitle: "Keys", links: "Leon found out the rules that this page uses, and published them in the article “The Pochi & Nyaa Calculator”. The words are ours.",
    offline: "The page works without a network once it has been opened. Your browser's menu can add it to the home screen.",
  },
  // the text dialog
  dialog: {
    title: "The board as text", copy: "Copy", copied: "Copied", load: "Load onto the board", area: "Board",
    help: "Rows from the top, 7 letters each; rows left out are empty ones above. Letters: “.” empty, r g b y blocks, "
      + "o nuisance, R G B Y needles.",
  },
  errors: {
    letter: ({ line, column, letter }) => `line ${line}, column ${column}: “${letter}” is unknown; use only .rgbyoRGBY`,
    width: ({ line, width }) => `line ${line}: the row is ${width} wide; draw 7 cells in every row`,
    rows: ({ line }) => `line ${line}: this is row 13; draw at most 12 rows`,
    empty: () => "the board has no row: draw rows of 7 of the letters .rgbyoRGBY",
    linkFormat: "This link's board has a format that this version can't read (it reads format 1).",
    linkDamaged: "This link's board is damaged: copy the whole link again.",
    linkView: "This link's view is not one of both, mvs and ps2.",
    bug: (text) => `This is a bug of the page: ${text}`,
    gif: "This browser can't make the picture.",
  },
  tour: {
    title: "The article, figure by figure", of: (number, total) => `${number} of ${total}`,
    back: "Back", on: "Next", variants: "Boards of this stop",
    intro: "Each stop puts its board on the grid. Change it and see what happens.",
    stops: {
      line: ["A wave in a line", "The needle lights the block below it. Every step, the fire goes one block on, and the tail at the end is worth as many blocks as the wave has passed: four."],
      one: ["A block alone", "A wave that passes a single block makes a tail of 1. Alone it is worth nothing, in both games."],
      tutorial: ["The game's own lesson: 14", "Seven blocks with three tails: 4 + 5 + 5 = 14. So says the lesson in the game, and so it is on the PlayStation 2. The arcade game sends 15, and its own lesson is wrong there."],
      ones: ["Problem 1: a tail of 1 in company", "The needle lights two blocks. One is alone, the other has a neighbour: 1 + 2. The PlayStation 2 counts the 1 as soon as anything else burns. The arcade game doesn't."],
      square: ["Problem 1: a square", "Two waves meet at the far corner. In the arcade game they merge, and the tail has passed all four blocks. On the PlayStation 2 the one from above wins, and the other ends where it stands: 2 + 3."],
      figure2: ["Figure 2: three wide", "On the PlayStation 2, three waves run down side by side and never merge, so there are three tails. In the arcade game there is one wave that has passed all nine blocks."],
      tall: ["Tall or flat?", "Waves that go down or up win against those from the side. So a rectangle 2 wide and 7 high has two tails on the PlayStation 2, and one 7 wide and 2 high has seven."],
      loop: ["A ring", "The fire runs around both ways. Both meet at the last block: in the arcade game they merge to one tail of all eight. On the PlayStation 2 one takes the last block (5) and the other stops before it (4)."],
      extra: ["Problem 2: where is the extra 1?", "Three tails of 3, 4 and 4 make 11. The arcade game sends 12, for it adds 4 % for each tail: 12 % of 11 is 1.32, and the fraction is dropped. One block less, and 8 + 12 % is 8.96: still 8. With four tails 17 becomes 19."],
      line25: ["Problem 2: a line of 25", "A plain line has one tail, so 4 % more. For 24 blocks that is 0.96, which is dropped. For 25 it is exactly 1: the line sends 26."],
      stairs: ["Problem 3: the same shape, turned", "Turned by a quarter, the same blocks with the same needle are worth 6 and 7. The needle lights two blocks, and waves of different starts don't merge, not even in the arcade game. Where they meet, the one going up or down wins, and turning changes which one that is."],
      figure4: ["Figure 4: the block that doesn't count", "One block less, and still 7: the bottom step was a tail of 1 all the time, for the other start got there first."],
      company: ["Problem 4: the 1 that helps after all", "Four tails make 18, and 16 % of 18 is 2.88: 20. With a lone block beside the needle the bonus is 16 % of 19, which is 3.04: 21. The 1 itself isn't counted, but the bonus is reckoned with it. A second lone block makes it 3.2, which changes nothing."],
      thirty: ["Problem 4: two structures at once", "One start has five tails (26), the other two (4). The bonus counts the tails of the start that has the most: 5 × 4 % of 30 is 6, so 36. With all seven tails it would be 38."],
      tieV: ["Open: two waves from the sides", "Nobody has seen which wave wins here. The PlayStation 2 sends one number if the wave from the left wins, and the other if the wave from the right does. If you own the game, try this board: it is the smallest one that gives the answer."],
      tieH: ["Open: from above and below", "The same question, with one wave from above and one from below. This is the smallest board that gives the answer on the PlayStation 2."],
      tieM: ["Open: two starts in the arcade game", "Waves of one start merge there, so only two starts can leave it open. This is the smallest board that gives the answer, whichever number it sends."],
      tieW: ["Open: two starts on the PlayStation 2", "The needle lights two blocks, and their waves come from above and from below. Waves never merge there, so one of them ends one block early. This is the smallest board that shows which."],
    },
    outcomes: (name, attacks) => `${name}: ${attacks.join(" or ")}`,
  },
  fromPicture: {
    button: "From a picture",
    notLoaded: "The picture reader couldn't be loaded. Try again when there is a network.",
  },
};
