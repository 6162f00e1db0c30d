/* What takes long: links between neighbours, and groups of four and more. It is done while the picture is drawn, for
   each seat that asks; the result is used in the next vertical blank. */
#include "game.h"

struct search searches[2];

static const u8 group_bonus[12] = { 0, 0, 0, 0, 0, 2, 3, 4, 5, 6, 7, 10 };

/* Links to equal neighbours in rows that are in sight; nuisance has none. */
static void link(const u16 *field, u16 *to)
{
    u8 x, y, i = 0;

    for (y = 0; y < ROWS; ++y)
        for (x = 0; x < COLUMNS; ++x, ++i) {
            u8 kind = KIND(field[i]), id = kind << 4;

            if (y >= TOP && kind && id != NUISANCE) {
                if (y > TOP && KIND(field[i - COLUMNS]) == kind)
                    id |= LINK_UP;
                if (x + 1 < COLUMNS && KIND(field[i + 1]) == kind)
                    id |= LINK_RIGHT;
                if (y + 1 < ROWS && KIND(field[i + COLUMNS]) == kind)
                    id |= LINK_DOWN;
                if (x && KIND(field[i - 1]) == kind)
                    id |= LINK_LEFT;
            }
            to[i] = CELL(id);
        }
}

/* All that is joined to a cell; where groups lie beside nuisance, it is marked too. */
static void one_group(struct search *to, u8 first)
{
    u8 group[CELLS], size = 1, i, kind = KIND(to->linked[first]);

    group[0] = first;
    to->marked[first] = 3;
    for (i = 0; i < size; ++i) {
        u8 cell = group[i], links = (u8)to->linked[cell];

        if (links & LINK_UP && !to->marked[cell - COLUMNS])
            to->marked[group[size++] = cell - COLUMNS] = 3;
        if (links & LINK_RIGHT && !to->marked[cell + 1])
            to->marked[group[size++] = cell + 1] = 3;
        if (links & LINK_DOWN && !to->marked[cell + COLUMNS])
            to->marked[group[size++] = cell + COLUMNS] = 3;
        if (links & LINK_LEFT && !to->marked[cell - 1])
            to->marked[group[size++] = cell - 1] = 3;
    }
    if (size < 4)
        return;
    for (i = 0; i < size; ++i)
        to->marked[group[i]] = 1;
    to->count += size;
    to->bonus += group_bonus[size < 11 ? size : 11];
    to->colors |= 1 << (kind - 8);
}

/* 3 was: looked at, too small. Then nuisance beside what vanishes. */
static void finish(struct search *to)
{
    u8 i, x = 0;

    for (i = 0; i < CELLS; ++i)
        if (to->marked[i] == 3)
            to->marked[i] = 0;
    if (!to->count)
        return;
    for (i = TOP * COLUMNS; i < CELLS; ++i) {
        if ((u8)to->linked[i] == NUISANCE) {
            if ((i >= (TOP + 1) * COLUMNS && to->marked[i - COLUMNS] == 1)
                || (x + 1 < COLUMNS && to->marked[i + 1] == 1)
                || (i < CELLS - COLUMNS && to->marked[i + COLUMNS] == 1)
                || (x && to->marked[i - 1] == 1))
                to->marked[i] = 2;
        }
        if (++x == COLUMNS)
            x = 0;
    }
}

void search_groups(void)
{
    u8 seat, i;

    for (seat = 0; seat < 2; ++seat) {
        struct search *to = &searches[seat];

        if (!to->wanted)
            continue;
        to->wanted = 0;
        to->count = to->bonus = to->colors = 0;
        fill(to->marked, 0, CELLS);
        link(field_of(seat), to->linked);
        for (i = TOP * COLUMNS; i < CELLS; ++i)
            if ((u8)to->linked[i] & 15 && !to->marked[i])
                one_group(to, i);
        finish(to);
    }
}
