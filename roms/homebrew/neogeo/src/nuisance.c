/* Two players: attacks cancel what is due on the own side, the rest is due on the other; nuisance falls. */
#include "game.h"
#include "sound.h"

#define MOST_DUE  255
#define MOST_FALL 21

static u8 above[2][COLUMNS];    /* per column: still to appear in the top row */

void send(struct seat *s, struct seat *other)
{
    u16 due = s->attack;

    if (due < s->pending) {
        s->pending -= due;
        return;
    }
    due -= s->pending;
    s->pending = 0;
    s->sent = due;
    if (!due)
        return;
    sound(SOUND_ATTACK);
    due += other->pending;
    other->pending = due > MOST_DUE ? MOST_DUE : due;
}

/* Full rows of seven, the rest into different columns; what has no room is lost. */
void nuisance_begin(struct seat *s, u8 seat)
{
    u8 order[COLUMNS], i, n = s->pending < MOST_FALL ? s->pending : MOST_FALL, rows = 0;

    s->pending -= n;
    s->fallen = n;
    for (; n >= COLUMNS; n -= COLUMNS)
        ++rows;
    for (i = 0; i < COLUMNS; ++i) {
        order[i] = i;
        above[seat][i] = rows;
    }
    for (i = 0; i < n; ++i) {
        u8 j = i + roll(s, COLUMNS - i), column = order[j];

        order[j] = order[i];
        order[i] = column;
        ++above[seat][column];
    }
    for (i = 0; i < COLUMNS; ++i) {
        u8 free = 0;

        while (s->field[AT(i + 1, free + 1)] == EMPTY)
            ++free;
        if (above[seat][i] > free)
            above[seat][i] = free;
    }
    sound(SOUND_NUISANCE);
}

u8 fall_row(struct seat *s)
{
    u8 cell, moved = 0;

    for (cell = CELLS - STRIDE - 1; cell >= STRIDE; --cell) {
        if ((cell & 7) == 7 || s->field[cell] == EMPTY || s->field[cell + STRIDE] != EMPTY)
            continue;
        s->field[cell + STRIDE] = s->field[cell];
        s->field[cell] = EMPTY;
        moved = 1;
    }
    return moved;
}

u8 nuisance_row(struct seat *s, u8 seat)
{
    u8 i, moved = fall_row(s);

    for (i = 0; i < COLUMNS; ++i)
        if (above[seat][i] && s->field[AT(i + 1, 1)] == EMPTY) {
            --above[seat][i];
            s->field[AT(i + 1, 1)] = NUISANCE;
            moved = 1;
        }
    return moved;
}
