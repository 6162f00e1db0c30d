/* What is to be seen of a round of two: each seat's half of it. */
#include "core.h"
#include "layout.h"

#define TOP_ROW (FIELD_ROW - 2)             /* the score and what is due */
#define CHAIN_ROW (FIELD_ROW + FIELD_ROWS + 1)

static u8 shown[PAIR_ROWS * COLUMNS];
static u8 axis_cell, partner_cell, popping, chain_shown;
static u16 due_shown;

#include "field.h"

#if SEAT == 1
void versus_paused(u8 on)
{
    if (on)
        say(14, TOP_ROW, "HOLD");
    else
        fill(14, TOP_ROW, 4, 1, TILE_GROUND);
}
#endif

void versus_screen(void)
{
    static u8 i;

#if SEAT == 1
    fill(0, 0, SCREEN_COLUMNS, SCREEN_ROWS, TILE_GROUND);
    fill(14, FIELD_ROW, 4, FIELD_ROWS, 0);
    say(14, FIELD_ROW + 1, "NEXT");
    say(15, FIELD_ROW + 11, "LV");
    put(16, FIELD_ROW + 12, TILE_FONT + 16 + game.level);
    picture(14, FIELD_ROW + 14, 4, 4, TILE_MASCOT);
#endif
    window(FIELD_COLUMN, FIELD_ROW, FIELD_COLUMNS, FIELD_ROWS);
    fill(FIELD_COLUMN, TOP_ROW, FIELD_COLUMNS, 1, 0);
    fill(FIELD_COLUMN, CHAIN_ROW, FIELD_COLUMNS, 1, 0);
    for (i = 0; i < PAIR_ROWS * COLUMNS; ++i)
        shown[i] = 0;
    chain_shown = 0;
    due_shown = 0;
}

static void digit(u8 column, u8 row, u8 value)
{
    put(column, row, TILE_FONT + 16 + value);
}

static void draw_score(void)
{
    static u8 i, leading;

    score_dirty = 0;
    leading = 1;
    for (i = 0; i < SCORE_DIGITS; ++i) {
        if (me.score[i] || i == SCORE_DIGITS - 1)
            leading = 0;
        put(FIELD_COLUMN + 4 + i, TOP_ROW, leading ? 0 : TILE_FONT + 16 + me.score[i]);
    }
}

/* Nuisance that is due; three digits at most. */
static void draw_due(void)
{
    static u16 left;
    static u8 hundreds, tens;

    due_shown = me.pending;
    left = due_shown < 999 ? due_shown : 999;
    for (hundreds = 0; left >= 100; left -= 100)
        ++hundreds;
    for (tens = 0; left >= 10; left -= 10)
        ++tens;
    fill(FIELD_COLUMN, TOP_ROW, 3, 1, 0);
    if (hundreds)
        digit(FIELD_COLUMN, TOP_ROW, hundreds);
    if (hundreds || tens)
        digit(FIELD_COLUMN + 1, TOP_ROW, tens);
    if (due_shown)
        digit(FIELD_COLUMN + 2, TOP_ROW, (u8)left);
}

static void draw_chain(void)
{
    static u8 tens, ones;

    chain_shown = ones = me.chain;
    say(FIELD_COLUMN + 2, CHAIN_ROW, chain_shown ? "CHAIN" : "     ");
    for (tens = 0; ones >= 10; ones -= 10)
        ++tens;
    put(FIELD_COLUMN + 8, CHAIN_ROW, tens ? TILE_FONT + 16 + tens : 0);
    put(FIELD_COLUMN + 9, CHAIN_ROW, chain_shown ? TILE_FONT + 16 + ones : 0);
}

/* What has changed, some of it at a time. It is the seats' turn in every other frame. */
void versus_frame(void)
{
    if (me.phase == SPAWN && (u8)(me.spawn_delay - 9) < 2) {
        blobs(NEXT_COLUMN, FIELD_ROW + 3, me.next_partner, me.next_axis);
        blobs(NEXT_COLUMN, FIELD_ROW + 7, me.next2_partner, me.next2_axis);
    }
    if (dirty)
        draw_field();
    else if (score_dirty)
        draw_score();
    else if (due_shown != me.pending)
        draw_due();
    else if (chain_shown != me.chain)
        draw_chain();
}

void versus_over(void)
{
    say(FIELD_COLUMN + 1, FIELD_ROW + 8, game.loser == SEAT ? " YOU LOST " : " YOU WON  ");
}
