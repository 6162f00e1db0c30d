// The English text of the picture reader. ja.js has the same entries; a test compares them.

export default {
  title: "A board from a picture",
  intro: "Give a screenshot of a running game. The board in it is found and read here; the picture doesn't leave this device.",
  ways: "Choose a file, paste a picture (Ctrl+V), or drop one on the page.",
  untested: "Tried with screenshots of our own game only. We don't have the MVS, PlayStation 2 and Windows (2025) releases: there, "
    + "expect to correct more, and teach the colours once.",
  choose: "Choose a picture", paste: "Paste", another: "Another picture", cancel: "Cancel", close: "Close",
  working: "The board is being looked for …", reading: "The board is being read …",
  which: "There is more than one board. Which one?", board: (number) => `Board ${number}`,
  found: (doubtful) => (doubtful === 0
    ? "Every cell is clear. Check it all the same."
    : `${doubtful} ${doubtful === 1 ? "cell is" : "cells are"} in doubt (marked ?). Tap a cell, then its piece.`),
  cell: (x, y, what) => `column ${x}, row ${y}: ${what}`, doubtful: ", in doubt", falling: ", left out: it is falling",
  grid: "The board that was read", pieces: "The piece in the cell",
  pair: "A falling pair was left out.",
  busy: "Much hangs in the air. Take the picture when nothing falls or burns.",
  moves: "The picture is animated; its first frame was read.",
  use: "Use it", put: "Use it: put it on the board", remember: "Remember what the pieces look like, on this device",
  known: (looks) => (looks === 0 ? "Nothing has been taught yet." : `${looks} looks of pieces are remembered on this device.`),
  forget: "Forget them", forgotten: "Forgotten.",
  notKept: "This browser doesn't let the page store anything. What you teach lasts until the page is closed.",
  mark: "Mark the board", markIntro: "Put the two corners on the board's top left and bottom right cells.",
  markRead: "Read this part", corners: ["Top left corner", "Bottom right corner"],
  cornerHelp: (name) => `${name}. Drag it, or press the arrow keys.`,
  faults: {
    broken: "The browser can't show this file. Give a PNG, JPEG, WebP or GIF picture.",
    empty: "This file is empty. Choose another one.",
    huge: "This picture is too large (more than 64 million pixels, or 40 MB). Cut the board out of it.",
    tiny: "This picture is too small to hold a board. Take the screenshot at the game's full size.",
    flat: "This picture is of one colour only. Choose another one.",
    none: "No board was found. Take the picture during play, with the whole field in it, and some pieces on it. Or mark the board "
      + "yourself.",
    otherSize: "This looks like a board of another game: its columns or rows are others. If it is a board of 7 columns and 12 rows, "
      + "mark it yourself.",
    noPicture: "There is no picture on the clipboard. Copy one first, or choose a file.",
    clipboard: "This browser doesn't let the page read the clipboard. Press Ctrl+V, or choose a file.",
    bug: (words) => `This is a bug of the page: ${words}`,
  },
};
