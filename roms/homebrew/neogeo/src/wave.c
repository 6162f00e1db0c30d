/* The ignition by the MVS rules: waves from all starts at once, a step at a time, and what their tails are worth.

   A cell knows the set of cells that its wave has come through; a tail's value is the size of its set. The sets have
   a bit for each of the 84 cells, in three words. */
#include "game.h"

#define MAX_CELLS 84

struct set {
    u32 word[3];
};

static const s8 beside[4] = { -STRIDE, STRIDE, -1, 1 };      /* the first two are vertical */

static struct set visited[2][CELLS];
static u8 front[2][MAX_CELLS], front_size[2];           /* the cells of the step being shown */
static u8 colour[2][MAX_CELLS + 1];                     /* of each start */
static u8 owned[2][MAX_CELLS + 1];                      /* tails of each start */

static void include(struct set *set, u8 cell)
{
    u8 bit = (cell >> 3) * COLUMNS + (cell & 7) - COLUMNS;

    set->word[bit >> 5] |= (u32)1 << (bit & 31);
}

static u8 size(const struct set *set)
{
    u8 i, n = 0;

    for (i = 0; i < 3; ++i) {
        u32 rest;

        for (rest = set->word[i]; rest; rest &= rest - 1)
            ++n;
    }
    return n;
}

/* The cells of the front leave the field, with the nuisance beside them. */
static void pop(struct seat *s, u8 seat)
{
    u8 i, k;

    for (i = 0; i < front_size[seat]; ++i) {
        u8 cell = front[seat][i];

        s->field[cell] = EMPTY;
        for (k = 0; k < 4; ++k)
            if (s->field[cell + beside[k]] == NUISANCE)
                s->field[cell + beside[k]] = EMPTY;
    }
    s->popped += front_size[seat];
}

u8 wave_begin(struct seat *s, u8 seat)
{
    u8 cell, k, starts = 0;

    s->attack = s->s1 = s->s0 = s->tails = s->tail_count = s->sent = 0;
    s->step = s->popped = s->best_tail = 0;
    fill(s->steps, 0, CELLS);
    fill(s->values, 0, CELLS);
    fill(s->owners, 0, CELLS);
    for (cell = STRIDE; cell < CELLS; ++cell) {
        u8 needle = s->field[cell], own = needle - NEEDLE;

        if (needle <= NEEDLE || needle == WALL)
            continue;
        for (k = 0; k < 4; ++k) {
            u8 next = cell + beside[k];

            if (s->field[next] == own) {
                s->steps[next] = 1;
                needle = EMPTY;         /* it is used up */
            }
        }
        if (needle == EMPTY)
            s->steps[cell] = 0xFF;
    }
    for (cell = STRIDE; cell < CELLS; ++cell) {         /* starts are numbered in reading order */
        if (s->steps[cell] == 0xFF) {
            s->steps[cell] = 0;
            s->field[cell] = EMPTY;
        } else if (s->steps[cell]) {
            front[seat][starts] = cell;
            s->owners[cell] = ++starts;
            colour[seat][starts] = s->field[cell];
            owned[seat][starts] = 0;
            visited[seat][cell] = (struct set){ { 0, 0, 0 } };
            include(&visited[seat][cell], cell);
        }
    }
    s->starts = front_size[seat] = starts;
    s->step = starts != 0;
    return starts;
}

/* Claims: each free cell of the colour beside the front goes to the owner with a vertical claim, else to the start
   that is first in reading order. New cells are appended to `found`. */
static u8 claim(struct seat *s, u8 seat, u8 *found)
{
    u8 i, k, n = 0, step = s->step + 1;
    static u8 best[CELLS];              /* 80 = only horizontal, + owner */

    for (i = 0; i < front_size[seat]; ++i) {
        u8 cell = front[seat][i], owner = s->owners[cell];

        for (k = 0; k < 4; ++k) {
            u8 next = cell + beside[k], rank = k < 2 ? owner : owner | 0x80;

            if (s->field[next] != colour[seat][owner])
                continue;
            if (s->steps[next] == 0) {
                s->steps[next] = step;
                best[next] = rank;
                found[n++] = next;
            } else if (s->steps[next] == step && rank < best[next])
                best[next] = rank;
        }
    }
    for (i = 0; i < n; ++i) {
        s->owners[found[i]] = best[found[i]] & 0x7F;
        visited[seat][found[i]] = (struct set){ { 0, 0, 0 } };
        include(&visited[seat][found[i]], found[i]);
    }
    return n;
}

static void tail(struct seat *s, u8 seat, u8 cell)
{
    u8 value = size(&visited[seat][cell]), owner = s->owners[cell];

    s->values[cell] = value;
    s->s1 += value;
    if (value > 1)
        s->s0 += value;
    ++s->tail_count;
    if (value > s->best_tail)
        s->best_tail = value;
    if (++owned[seat][owner] > s->tails)
        s->tails = owned[seat][owner];
}

u8 wave_next(struct seat *s, u8 seat)
{
    static u8 found[MAX_CELLS];
    u8 i, k, n = claim(s, seat, found), step = s->step + 1;

    for (i = 0; i < front_size[seat]; ++i) {
        u8 cell = front[seat][i], goes_on = 0;

        for (k = 0; k < 4; ++k) {
            u8 next = cell + beside[k], j;

            if (s->steps[next] != step || s->owners[next] != s->owners[cell])
                continue;
            goes_on = 1;
            for (j = 0; j < 3; ++j)
                visited[seat][next].word[j] |= visited[seat][cell].word[j];
        }
        if (!goes_on)
            tail(s, seat, cell);
    }
    pop(s, seat);
    for (i = 0; i < n; ++i)
        front[seat][i] = found[i];
    front_size[seat] = n;
    if (n)
        s->step = step;
    return n;
}

u16 wave_end(struct seat *s)
{
    u8 cell;

    for (cell = STRIDE; cell < CELLS; ++cell)           /* needles that touched nothing */
        if (s->field[cell] > NEEDLE && s->field[cell] < WALL)
            s->field[cell] -= NEEDLE;
    if (s->tails > s->most_tails)
        s->most_tails = s->tails;
    /* (100 S0 + 4 T S1) / 100 */
    s->attack = s->s0 + divide((u32)s->tails * s->s1, 25);
    return s->attack;
}
