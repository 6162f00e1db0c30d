/* Two players: chains send nuisance, at their end; it falls after the receiver's next lock has been resolved. */
#include "ram.h"

#pragma bss-name (push, "BSS2")

#define POINTS_EACH 7       /* stored points: 70 on the screen */
#define MOST        30      /* fall at a time; the excess is dropped */

u8 touched[2];              /* PENDING[p] has changed in this frame: once is enough, so that watchers can follow */
static u16 earned[2];       /* by the chain that is running */
static u8 above[2][6];      /* per column: still to appear in the hidden row */

void nuisance_reset(void)
{
    u8 i;

    for (i = 0; i < 2; ++i) {
        earned[i] = 0;
        PENDING[i] = REMAINDER[i] = 0;
        DICE[i] = *(u16 *)(RANDOM + i + i) | 1;
    }
}

/* A step of p's chain: grp_cleared puyos at mult stored points each. */
void nuisance_earned(void)
{
    u16 rest;

    if (players == 1)
        return;
    rest = (u16)grp_cleared * (mult % POINTS_EACH) + REMAINDER[p];
    earned[p] += grp_cleared * (mult / POINTS_EACH) + rest / POINTS_EACH;
    REMAINDER[p] = rest % POINTS_EACH;
}

/* p's chain has ended: what it earned is due on the other side. 0: try again in the next frame. */
u8 send_nuisance(void)
{
    u8 to = p ^ 1;

    if (earned[p] == 0)
        return 1;
    if (touched[to])
        return 0;
    touched[to] = 1;
    earned[p] += PENDING[to];
    PENDING[to] = earned[p] > 255 ? 255 : earned[p];
    earned[p] = 0;
    sound(SND_SEND);
    return 1;
}

/* 0..n - 1 by p's own generator, xorshift16 */
static u8 __fastcall__ roll(u8 n)
{
    u16 x = DICE[p];

    x ^= x << 7;
    x ^= x >> 9;
    x ^= x << 8;
    DICE[p] = x;
    return (u16)((x >> 8) * n) >> 8;
}

/* Does nuisance fall on p now? Full rows of six, the rest into different columns; no more than has room. */
u8 nuisance_due(void)
{
    static u8 order[6];
    u8 i, j, n = PENDING[p], most = LIMIT ? LIMIT : MOST, rows = 0, room;

    if (n == 0)
        return NOTHING_DUE;
    if (touched[p] || !take())
        return WAIT;
    touched[p] = 1;
    PENDING[p] = 0;
    if (most > MOST)
        most = MOST;
    if (n > most)
        n = most;
    while (n >= 6) {
        n -= 6;
        ++rows;
    }
    for (i = 0; i < 6; ++i) {
        order[i] = i;
        above[p][i] = rows;
    }
    for (i = 0; i < n; ++i) {
        j = i + roll(6 - i);
        room = order[j];
        order[j] = order[i];
        order[i] = room;
        ++above[p][room];
    }
    for (i = 0; i < 6; ++i) {
        room = 0;
        for (j = i + i + 3; j < 0xE0 && fptr[j] == 0; j += 16)
            ++room;
        if (above[p][i] > room)
            above[p][i] = room;
    }
    sound(SND_SEND);
    return DUE;
}

/* Everything falls one row, more appears in the hidden one; 0 when all is at rest. */
u8 nuisance_falls(void)
{
    u8 i, moved = fall_one();
    u8 *left = above[p];

    for (i = 0; i < 6; ++i)
        if (left[i] && fptr[i + i + 3] == 0) {
            --left[i];
            fptr[i + i + 2] = 0;
            fptr[i + i + 3] = CELL(7);
            moved = 1;
        }
    return moved;
}
