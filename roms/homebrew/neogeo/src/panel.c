/* What stands between and below the fields, and the panel beside the field in solo. */
#include "game.h"
#include "layout.h"
#include "tiles.h"
#include "video.h"

#define SIDE 25         /* solo: fix columns 25..36, in a box */

static u8 next_shown[2][4];

void panel_reset(void)
{
    fill(next_shown, 0, sizeof next_shown);
    word(MIDDLE, 1, INK_GOLD, WORD_NEXT, WORD_NEXT_ROWS);
    if (game.mode == VERSUS) {
        word(MIDDLE, 12, INK_GOLD, WORD_MOST, WORD_MOST_ROWS);
        word(MIDDLE, 18, INK_GOLD, WORD_DUE, WORD_DUE_ROWS);
        word(MIDDLE, 22, INK_GOLD, WORD_WINS, WORD_WINS_ROWS);
        return;
    }
    frame_box(SIDE - 2, 1, 16, 25);
    letters = BOXED;
    text(SIDE, 3, INK_GOLD, "SCORE");
    text(SIDE, 7, INK_GOLD, "LEVEL");
    text(SIDE, 10, INK_GOLD, "MOST");
    text(SIDE, 12, INK_GOLD, "BRANCHES");
    text(SIDE, 15, INK_GOLD, "LAST WAVE");
    text(SIDE, 17, INK_WHITE, "TAILS");
    text(SIDE, 19, INK_WHITE, "LONGEST");
    text(SIDE, 21, INK_WHITE, "BLOCKS");
    text(SIDE, 23, INK_WHITE, "ATTACK");
    letters = 0;
}

static void next_half(u8 seat, u8 i, u8 kind)
{
    u16 sprite = NEXT_SPRITE + 2 * seat + (i >> 1);

    /* 0 axis, 1 partner: the partner is above */
    strip_tile(sprite, i & 1 ? 0 : 1, BLOCK(kind), PALETTE_BLOCK + kind);
    if (i & 1)
        strip(sprite, seat ? 164 : game.mode == VERSUS ? 140 : 152, i & 2 ? 64 : 24, 2);
}

static void show_next(struct seat *s, u8 seat)
{
    const u8 *codes = &s->next1_axis;
    u8 i;

    for (i = 0; i < 4; ++i)
        if (codes[i] != next_shown[seat][i]) {
            next_shown[seat][i] = codes[i];
            next_half(seat, i, codes[i]);
        }
}

static void solo_panel(void)
{
    const struct seat *s = &seats[0];

    letters = BOXED;
    switch (game.frame & 3) {
    case 0:
        number(SIDE + 4, 4, INK_WHITE, s->score, 8);
        break;
    case 1:
        tall(SIDE + 10, 7, INK_WHITE, game.level, 2);
        tall(SIDE + 10, 11, INK_WHITE, s->most_tails, 2);
        break;
    case 2:
        number(SIDE + 9, 17, INK_WHITE, s->tail_count, 3);
        number(SIDE + 9, 19, INK_WHITE, s->best_tail, 3);
        break;
    case 3:
        number(SIDE + 9, 21, INK_WHITE, s->popped, 3);
        number(SIDE + 9, 23, INK_GOLD, s->attack, 3);
        break;
    }
    letters = 0;
}

/* Two digits show no more. */
static u8 small(u16 n)
{
    return n > 99 ? 99 : n;
}

/* A share of the numbers each frame. */
void panel_frame(void)
{
    show_next(&seats[0], 0);
    if (game.mode == SOLO) {
        solo_panel();
        return;
    }
    show_next(&seats[1], 1);
    switch (game.frame & 3) {
    case 0:
        figures(5, 27, INK_PINK, seats[0].score);
        figures(27, 27, INK_BLUE, seats[1].score);
        break;
    case 1:
        paired(MIDDLE, 15, INK_PINK, small(seats[0].most_tails));
        paired(MIDDLE + 3, 15, INK_BLUE, small(seats[1].most_tails));
        break;
    case 2:
        paired(MIDDLE, 19, INK_PINK, small(seats[0].pending));
        paired(MIDDLE + 3, 19, INK_BLUE, small(seats[1].pending));
        break;
    case 3:
        paired(MIDDLE, 23, INK_PINK, small(seats[0].wins));
        paired(MIDDLE + 3, 23, INK_BLUE, small(seats[1].wins));
        break;
    }
}
