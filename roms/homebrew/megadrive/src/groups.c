/* What takes long: links between neighbours, and groups of four and more. It is done while the picture is drawn, for
   each seat that asks; the result is used in the next vertical blank. */
#include "game.h"

#define BOTH(links) ((u16)((links) << 8 | (links)))

struct search searches[2];
static u8 seen[CELLS];

static const u8 group_bonus[12] = { 0, 0, 0, 0, 0, 2, 3, 4, 5, 6, 7, 10 };

/* Links to equal neighbours in rows that are in sight; nuisance has none. Each cell looks right and down. */
static void link(const u16 *field, u16 *to)
{
    const u32 *from = (const u32 *)field;
    u32 *bare = (u32 *)to;
    u8 x, y;

    for (x = CELLS / 2; x; --x)
        *bare++ = *from++ & 0xF0F0F0F0;
    to += TOP * COLUMNS;
    for (y = ROWS - TOP; y; --y)
        for (x = COLUMNS; x; --x, ++to) {
            u16 code = *to & 0xF0F0;

            if (!code || code == CELL(NUISANCE))
                continue;
            if (x > 1 && code == (to[1] & 0xF0F0)) {    /* it may be linked upwards already */
                *to |= BOTH(LINK_RIGHT);
                to[1] |= BOTH(LINK_LEFT);
            }
            if (y > 1 && code == to[COLUMNS]) {
                *to |= BOTH(LINK_DOWN);
                to[COLUMNS] |= BOTH(LINK_UP);
            }
        }
}

/* Nuisance beside a cell that vanishes goes too. */
static void take_nuisance(struct search *to, u8 cell, u8 x)
{
    const u16 *at = &to->linked[cell];

    if (cell >= (TOP + 1) * COLUMNS && at[-COLUMNS] == CELL(NUISANCE))
        to->marked[cell - COLUMNS] = 2;
    if (cell < CELLS - COLUMNS && at[COLUMNS] == CELL(NUISANCE))
        to->marked[cell + COLUMNS] = 2;
    if (x && at[-1] == CELL(NUISANCE))
        to->marked[cell - 1] = 2;
    if (x + 1 < COLUMNS && at[1] == CELL(NUISANCE))
        to->marked[cell + 1] = 2;
}

static const u8 column_of[CELLS] = {
    0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5,
    0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5,
    0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5,
};

/* All that is joined to a cell. */
static void one_group(struct search *to, u16 first)
{
    static u8 group[CELLS];
    u8 *next = group, *end = group;
    const u16 *linked = to->linked;
    u8 size;

    *end++ = first;
    seen[first] = 1;
    do {
        u16 cell = *next++;
        u8 links = (u8)linked[cell], *at = &seen[cell];

        if (links & LINK_UP && !at[-COLUMNS]) {
            at[-COLUMNS] = 1;
            *end++ = cell - COLUMNS;
        }
        if (links & LINK_RIGHT && !at[1]) {
            at[1] = 1;
            *end++ = cell + 1;
        }
        if (links & LINK_DOWN && !at[COLUMNS]) {
            at[COLUMNS] = 1;
            *end++ = cell + COLUMNS;
        }
        if (links & LINK_LEFT && !at[-1]) {
            at[-1] = 1;
            *end++ = cell - 1;
        }
    } while (next != end);
    size = end - group;
    if (size < 4)
        return;
    for (next = group; next != end; ++next) {
        to->marked[*next] = 1;
        take_nuisance(to, *next, column_of[*next]);
    }
    to->count += size;
    to->bonus += group_bonus[size < 11 ? size : 11];
    to->colors |= 1 << (KIND(linked[first]) - 8);
}

static void search_seat(u8 seat)
{
    struct search *to = &searches[seat];
    u16 cell;

    to->wanted = 0;
    to->count = to->bonus = to->colors = 0;
    fill(to->marked, 0, CELLS);
    fill(seen, 0, CELLS);
    link(field_of(seat), to->linked);
    for (cell = TOP * COLUMNS; cell < CELLS; ++cell)
        if (to->linked[cell] & 15 && !seen[cell])
            one_group(to, cell);
}

void search_groups(void)
{
    if (searches[0].wanted)
        search_seat(0);
    if (searches[1].wanted)
        search_seat(1);
}
