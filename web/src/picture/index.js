// The picture reader as one script, which the page loads when it is asked for the first time: globalThis.ochibotPicture.

import "./picture.css";
import { leftOut } from "./afloat.js";
import { findBoards } from "./boards.js";
import { decoded } from "./decode.js";
import { Kin } from "./kin.js";
import { Memory } from "./memory.js";
import { PicturePanel } from "./panel.js";
import { patchesOf } from "./patch.js";
import { readCells, settled } from "./read.js";
import { search } from "./search.js";
import { TEXTS } from "./text/index.js";

// All but the panel is for tests and for other people's scripts.
globalThis.ochibotPicture = { Kin, Memory, PicturePanel, TEXTS, decoded, findBoards, leftOut, patchesOf, readCells, search, settled };
