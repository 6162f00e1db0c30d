/* Two players: what the pillar between the fields shows, and the end of a round. */
#include "ram.h"

#define NEXT_AT     0x20CF  /* P1's axis; P2's six lines below */
#define DUE_AT      0x2210  /* P1's figures; P2's in the next line, as with WINS */
#define ICONS_AT    0x224E  /* P1's; P2's two tiles to the right */
#define WINS_AT     0x2350
#define LEVEL_AT    0x2391
#define SCORE_AT    0x2385
#define SLOTS       3       /* icons for a seat; what they have no room for is told by the figures alone */
#define HOLD_FRAMES 45
#define FALL_FRAMES 3

enum { SIGN_WIN = 3 };
enum { LARGE = 5, ROCK };   /* icons: 0 none, 1 to 4 single ones, 6 nuisance, 30 nuisance */

static const u8 icons[7][4] = {
    { BLANK, BLANK, BLANK, BLANK },
    { 0x0E, BLANK, BLANK, BLANK }, { 0x0E, 0x0E, BLANK, BLANK }, { 0x0E, 0x0E, 0x0E, BLANK }, { 0x0E, 0x0E, 0x0E, 0x0E },
    { 0x0D, 0x0F, 0x1A, 0x1F }, { 0x1E, 0x20, 0x2A, 0x31 }
};

static u8 shown[4];
static u8 turn;

void duel_reset(void)
{
    shown[0] = shown[2] = 0;
    due_shown[0] = due_shown[1] = 0;
    due_slot[0] = due_slot[1] = SLOTS;
}

/* A byte of the attributes and the one after it. */
static void __fastcall__ show_attributes(u8 from)
{
    str_begin(0x23C0 + from);
    str_byte(ATTR[from]);
    str_byte(ATTR[from + 1]);
    str_end();
}

/* 30 bytes of the queue at most. */
static void __fastcall__ show_next(u8 q)
{
    u8 i = q + q, b = NEXT[i], t = NEXT[i + 1];
    u16 at = NEXT_AT + (q ? 192 : 0);

    shown[i] = b;
    shown[i + 1] = t;
    if (b >= BIG) {
        next_half(at - 64, 0);
        next_half(at, b + 7);
        t = 3;
        b = b == BIG ? 3 : 0;
    } else {
        next_half(at - 64, t);
        next_half(at, b);
        t = cell_palette[t];
        b = cell_palette[b];
    }
    if (q == 0) {
        ATTR[0x0B] = ATTR[0x0B] & 0x33 | t << 2 | b << 6;
        ATTR[0x0C] = ATTR[0x0C] & 0xCC | t | b << 4;
        show_attributes(0x0B);
        return;
    }
    ATTR[0x13] = ATTR[0x13] & 0x3F | t << 6;    /* P2's halves lie in two rows of the table */
    ATTR[0x14] = ATTR[0x14] & 0xCF | t << 4;
    ATTR[0x1B] = ATTR[0x1B] & 0xF3 | b << 2;
    ATTR[0x1C] = ATTR[0x1C] & 0xFC | b;
    show_attributes(0x13);
    show_attributes(0x1B);
}

static void __fastcall__ show_score(u8 q)
{
    u8 i = q + q + q;

#ifndef SCORE_ZERO
    num[0] = SCORE[i];
    num[1] = SCORE[i + 1];
    num[2] = SCORE[i + 2];
    to_decimal();
#endif
    str_begin(SCORE_AT + (q << 4));
    for (i = 0; i < 7; ++i)
        str_byte(SCORE_TILE(q, i));
    str_byte(16);
    str_end();
}

static u8 __fastcall__ small(u8 n)
{
    return n > 99 ? 99 : n;
}

/* One of the icons for the nuisance that waits for q, largest first; those of an older number are drawn to their end. */
static void __fastcall__ show_icon(u8 q)
{
    u8 i;

    if (due_slot[q] == SLOTS) {
        if (PENDING[q] == due_shown[q])
            return;
        due_shown[q] = due_rest[q] = PENDING[q];
        due_slot[q] = 0;
    }
    i = due_rest[q];
    if (i >= 30) {
        due_rest[q] = i - 30;
        i = ROCK;
    } else if (i >= 6) {
        due_rest[q] = i - 6;
        i = LARGE;
    } else {
        if (i > 4)
            i = 4;
        due_rest[q] -= i;
    }
    tiles[0] = icons[i][0];
    tiles[1] = icons[i][1];
    tiles[2] = icons[i][2];
    tiles[3] = icons[i][3];
    i = due_slot[q]++;
    four_tiles(ICONS_AT + ((u16)i << 6) + q + q);
}

/* The pillar's share of a frame: one thing at a time. */
void duel_frame(void)
{
    u8 q, i;

    if (str_len)
        return;
    for (q = 0; q < 2; ++q) {
        i = q + q;
        if (NEXT[i] != shown[i] || NEXT[i + 1] != shown[i + 1]) {
            show_next(q);
            return;
        }
    }
    switch (++turn & 7) {
    case 0:
        show_score(0);
        break;
    case 2:
        show_score(1);
        break;
    case 4:
        two_digits(WINS_AT, small(WINS[0]));
        two_digits(WINS_AT + 32, small(WINS[1]));
        break;
    case 6:
        two_digits(DUE_AT, small(PENDING[0]));
        two_digits(DUE_AT + 32, small(PENDING[1]));
        str_begin(LEVEL_AT);
        str_byte(LEVEL + 16);
        str_end();
        break;
    default:
        show_icon(turn >> 1 & 1);
        break;
    }
}

/* The field of p, one row down; what leaves it at the floor is gone. */
static void sag(void)
{
    u8 i = 0xDD;

    CELL_CHANGED
    do {
        fptr[i] = i >= 0x10 ? fptr[i - 16] : 0;
        fptr[i - 1] = i >= 0x10 ? fptr[i - 17] : 0;
        i -= 2;
        if ((i & 0x0F) == 1)
            i -= 4;
    } while (i < 0xE0);
}

/* The round is over: the loser's field falls away. START: on to the next round. SELECT: back to the title, LOSER 0. */
void duel_over(void)
{
    u8 rows = 14, wait = HOLD_FRAMES, pressed, lost = LOSER - 1;

    ++WINS[lost ^ 1];
    if (WINS[lost ^ 1] == 0)
        WINS[lost ^ 1] = 255;
    STATE = GAME_OVER;
    music = 0;
    sound(SND_OVER);
    sign[lost ^ 1] = SIGN_WIN;
    blink_style[0] = blink_style[1] = 0;
    for (;;) {
        heavy = busy = 0;
        seat(lost);
        if (rows && --wait == 0) {
            wait = FALL_FRAMES;
            --rows;
            sag();
        } else {
            duel_frame();
            seat(FRAME & 1);
            draw_field();
        }
        frame();
        pressed = fresh[0] | fresh[1];
        if (pressed & PAD_START)
            return;
        if (pressed & PAD_SELECT) {
            LOSER = 0;
            return;
        }
    }
}
