/* Two players: what the pillar between the fields shows, and the end of a round. */
#include "ram.h"

#define NEXT_AT     0x20CE  /* P1's axis; P2's two tiles to the right */
#define WINS_AT     0x216E
#define DUE_AT      0x220E
#define LEVEL_AT    0x2271
#define SCORE_AT    0x2384
#define HOLD_FRAMES 45
#define FALL_FRAMES 3

enum { SIGN_WIN = 3 };

static u8 shown[4];
static u8 turn;

void duel_reset(void)
{
    shown[0] = shown[2] = 0;
}

static void __fastcall__ show_next(u8 q)
{
    u8 i = q + q, b = NEXT[i], t = NEXT[i + 1];
    u16 at = NEXT_AT + i;
    u8 *attr = ATTR + 0x0B + q;

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
    if (q)
        *attr = *attr & 0xCC | t | b << 4;
    else
        *attr = *attr & 0x33 | t << 2 | b << 6;
    str_begin(0x23CB + q);
    str_byte(*attr);
    str_end();
}

static void __fastcall__ show_score(u8 q)
{
    u8 i = q + q + q;

    num[0] = SCORE[i];
    num[1] = SCORE[i + 1];
    num[2] = SCORE[i + 2];
    to_decimal();
    str_begin(SCORE_AT + (q << 4));
    for (i = 0; i < 7; ++i)
        str_byte(DIGITS[i] + 16);
    str_byte(16);
    str_end();
}

static u8 __fastcall__ small(u8 n)
{
    return n > 99 ? 99 : n;
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
        two_digits(WINS_AT + 2, small(WINS[1]));
        break;
    case 6:
        two_digits(DUE_AT, small(PENDING[0]));
        two_digits(DUE_AT + 2, small(PENDING[1]));
        str_begin(LEVEL_AT);
        str_byte(LEVEL + 16);
        str_end();
        break;
    }
}

/* The field of p, one row down; what leaves it at the floor is gone. */
static void sag(void)
{
    u8 i = 0xDD;

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
