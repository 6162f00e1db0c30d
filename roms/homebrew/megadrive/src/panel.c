/* What stands beside the fields: next pairs, scores, what is due, the account of an endless game. */
#include "game.h"
#include "layout.h"
#include "tiles.h"
#include "video.h"

u16 next_tile(u8 color);

#define LAST_LINE 180       /* of the picture at which this begins */

static u8 next_shown[2][4];
static u16 tray_shown[2][COLUMNS];
static u16 tray_for[2];
static u32 score_shown[2];

void panel_reset(void)
{
    fill(next_shown, 0xFF, sizeof next_shown);
    fill(tray_shown, 0xFF, sizeof tray_shown);
    fill(tray_for, 0xFF, sizeof tray_for);
    fill(score_shown, 0xFF, sizeof score_shown);
    text(18, 1, INK_GOLD, "NEXT");
    if (game.mode == VERSUS) {
        text(18, 24, INK_WHITE, "WINS");
        text(16, 26, INK_WHITE, "RATE");
        return;
    }
    text(SIDE, 4, INK_GOLD, "SCORE");
    text(SIDE, 7, INK_GOLD, "PUYOS");
    text(SIDE, 10, INK_GOLD, "CHAIN");
    text(SIDE, 13, INK_GOLD, "LEVEL");
    text(SIDE, 16, INK_GOLD, "COLOURS");
    text(SIDE, 22, INK_WHITE, "KEEP THE");
    text(SIDE, 24, INK_WHITE, "CROSS FREE");
}

static void show_next(u8 seat)
{
    const u8 *next = next_of(seat);
    u8 i;

    for (i = 0; i < 4; ++i)
        if (next[i] != next_shown[seat][i]) {
            next_shown[seat][i] = next[i];
            /* 0 axis, 1 partner: the partner is above */
            put_block(NEXT_COLUMN(seat), NEXT_ROW + (i & 2 ? 5 : 0) + (i & 1 ? 0 : 2), next_tile(next[i]));
        }
}

/* The tray's signs stand for 720, 360, 180, 30, 6, 1. */
static const u16 worth[6] = { 720, 360, 180, 30, 6, 1 };

static void show_tray(u8 seat)
{
    u16 left = seats[seat].pending;
    u8 i, sign = 0;

    if (left == tray_for[seat])
        return;
    tray_for[seat] = left;
    for (i = 0; i < COLUMNS; ++i) {
        u16 tile = PAL(1) | HIGH | T_TRAY;

        while (sign < 6 && left < worth[sign])
            ++sign;
        if (sign < 6) {
            left -= worth[sign];
            tile = HIGH | (sign == 1 || sign == 4 || sign == 5 ? PAL(1) : PAL(0)) | (T_TRAY + 4 + 4 * sign);
        }
        if (tile != tray_shown[seat][i]) {
            tray_shown[seat][i] = tile;
            put_block(FIELD_COLUMN(seat) + 2 * i, 0, tile);
        }
    }
}

static void endless_panel(void)
{
    const struct seat *s = &seats[0];

    switch (game.frame & 3) {
    case 0:
        number(SIDE + 2, 5, INK_WHITE, s->score, 8);
        break;
    case 1:
        number(SIDE + 5, 8, INK_WHITE, s->cleared, 5);
        break;
    case 2:
        number(SIDE + 8, 11, INK_WHITE, s->best_chain, 2);
        number(SIDE + 9, 14, INK_WHITE, game.difficulty, 1);
        break;
    }
}

/* The colours that are dealt hop one after the other. */
static void show_colors(void)
{
    u8 i;

    for (i = 0; i < game.colors; ++i) {
        u8 t = (u8)(game.frame - 12 * i) & 127;

        sprite(8 * SIDE - 3 + 17 * i, 150 - (t < 16 ? t < 8 ? t : 16 - t : 0), SIZE(2, 2), next_tile(color_set[i]));
    }
}

static void show_score(u8 seat)
{
    u32 score = seats[seat].score;

    if (score == score_shown[seat])
        return;
    score_shown[seat] = score;
    number(seat ? 30 : 6, SCORE_ROW, seat ? INK_BLUE : INK_GOLD, score, 8);
}

/* A share of the numbers each frame. */
void panel_frame(void)
{
    u8 seat = game.frame & 1;

    if (past(LAST_LINE))
        return;
    show_next(0);
    if (game.mode == ENDLESS) {
        show_tray(0);
        endless_panel();
        show_score(0);
        show_colors();
        return;
    }
    show_next(1);
    show_tray(seat);
    show_score(seat);
    if (game.frame & 2) {
        number(15, 24, INK_GOLD, seats[0].wins, 2);
        number(22, 24, INK_BLUE, seats[1].wins, 2);
    } else
        number(22, 26, game.target < 70 ? INK_GOLD : INK_WHITE, game.target, 2);
}
