"""Encodes a board as a few characters of an address: ``?b=1…``.

The first character is the format's version. In version 1 the other characters are a number in base 64 (the URL-safe
alphabet, most significant first, no leading zero). The number's decimal digits are the cells: the last digit is the
bottom left cell, then along the rows and upwards; 0 to 9 stand for ``. r g b y o R G B Y``. A board whose upper rows
are empty is short, and every board has exactly one code. ``web/src/page/share.js`` does the same in the page.
"""

from __future__ import annotations

from ochibot.errors import FieldError

ROWS, COLUMNS = 12, 7
LETTERS = ".rgbyoRGBY"
VERSION = "1"
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
LONGEST = 47
"""The most characters of a code after the version: a full board has this many."""


def encode(text: str) -> str:
    """The code of a board's text: 12 lines of 7 letters, top row first."""
    rows = text.split()
    cells = "".join(reversed(rows))
    number = int("".join(str(LETTERS.index(letter)) for letter in reversed(cells)))
    code = ""
    while number:
        number, digit = divmod(number, len(ALPHABET))
        code = ALPHABET[digit] + code
    return VERSION + code


def decode(code: str) -> str:
    """The text of a board's code: 12 lines of 7 letters. Raises FieldError for anything that isn't one."""
    if not code.startswith(VERSION):
        raise FieldError(f"this link's board is of a format that this version can't read (it reads format {VERSION})")
    payload = code[len(VERSION) :]
    if len(payload) > LONGEST or any(sign not in ALPHABET for sign in payload) or payload[:1] == ALPHABET[0]:
        raise FieldError("this link's board is damaged: copy the whole link again")
    number = 0
    for sign in payload:
        number = number * len(ALPHABET) + ALPHABET.index(sign)
    digits = str(number)
    if len(digits) > ROWS * COLUMNS:
        raise FieldError("this link's board is damaged: copy the whole link again")
    cells = "".join(LETTERS[int(digit)] for digit in reversed(digits.zfill(ROWS * COLUMNS)))
    return "\n".join(cells[row * COLUMNS : (row + 1) * COLUMNS] for row in reversed(range(ROWS)))
