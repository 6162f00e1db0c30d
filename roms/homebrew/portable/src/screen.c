/* What is to be seen: the title, the field, what stands beside it. All of it is tiles. */
#include "core.h"
#include "layout.h"

#define TEXT_COLUMN (PANEL_COLUMN + PANEL_COLUMNS - 7)
static u8 shown[PAIR_ROWS * COLUMNS];
static u8 axis_cell, partner_cell, popping, chain_shown;

void say(u8 column, u8 row, const char *text)
{
    for (; *text; ++text, ++column)
        put(column, row, (u8)(*text + (TILE_FONT - 32)));
}

/* Two blobs, one above the other: 2 x 3 tiles. */
PART void blobs(u8 column, u8 row, u8 upper, u8 lower)
{
    static u8 tile;

    tile = TILE_ABOVE + (upper << 1);
    put(column, row, tile);
    put(column + 1, row, tile + 1);
    ++row;
    tile = TILE_MIDDLE + upper * (2 * LOOKS) + (lower << 1);
    put(column, row, tile);
    put(column + 1, row, tile + 1);
    ++row;
    tile = TILE_BELOW + (lower << 1);
    put(column, row, tile);
    put(column + 1, row, tile + 1);
}

PART void fill(u8 column, u8 row, u8 columns, u8 rows, u8 tile)
{
    static u8 x, y;

    for (y = row; y < (u8)(row + rows); ++y)
        for (x = column; x < (u8)(column + columns); ++x)
            put(x, y, tile);
}

#if SCREEN_COLUMNS != 20
/* An empty window with a frame around it. */
PART void window(u8 column, u8 row, u8 columns, u8 rows)
{
    fill(column, row, columns, rows, 0);
    fill(column - 1, row, 1, rows, TILE_EDGES);
    fill(column + columns, row, 1, rows, TILE_EDGES + 1);
    fill(column, row - 1, columns, 1, TILE_EDGES + 2);
    fill(column, row + rows, columns, 1, TILE_EDGES + 3);
    put(column - 1, row - 1, TILE_EDGES + 4);
    put(column + columns, row - 1, TILE_EDGES + 5);
    put(column - 1, row + rows, TILE_EDGES + 6);
    put(column + columns, row + rows, TILE_EDGES + 7);
}
#endif

PART void picture(u8 column, u8 row, u8 columns, u8 rows, u8 tile)
{
    static u8 x, y;

    for (y = 0; y < rows; ++y)
        for (x = 0; x < columns; ++x, ++tile)
            put(column + x, row + y, tile);
}

#define TITLE_COLUMN ((SCREEN_COLUMNS - 18) / 2)
#define TITLE_ROW    ((SCREEN_ROWS - 16) / 2)
#define MENU_COLUMN  (TITLE_COLUMN + 4)
#define MENU_ROW     (TITLE_ROW + 9)
#define START_ROW    (TITLE_ROW + 13 + SEATS)

void title_screen(void)
{
    static const u8 letters[6] = { 0, 1, 2, 3, 4, 3 };
    static u8 i;

    fill(0, 0, SCREEN_COLUMNS, SCREEN_ROWS, TILE_GROUND);
#if SCREEN_COLUMNS != 20
    window(TITLE_COLUMN, TITLE_ROW, 18, 16);
#else
    fill(TITLE_COLUMN, TITLE_ROW, 18, 16, 0);
#endif
    for (i = 0; i < 6; ++i)
        picture(TITLE_COLUMN + 3 + (i << 1), TITLE_ROW + 2, 2, 2, TILE_LOGO + (letters[i] << 2));
    say(MENU_COLUMN, MENU_ROW, "LEVEL");
    say(MENU_COLUMN, MENU_ROW + 2, "COLORS");
#if SEATS == 2
    say(MENU_COLUMN, MENU_ROW + 4, "PLAYERS");
#endif
}

void title_frame(void)
{
    static u8 i, up, time;

    time = (u8)game.frame;
    put(MENU_COLUMN + 9, MENU_ROW, TILE_FONT + 16 + game.level);
    put(MENU_COLUMN + 9, MENU_ROW + 2, TILE_FONT + 16 + game.colors);
#if SEATS == 2
    put(MENU_COLUMN + 9, MENU_ROW + 4, TILE_FONT + 16 + game.players);
    for (i = 0; i < 3; ++i)
        put(MENU_COLUMN - 2, MENU_ROW + (i << 1), game.menu_row == i ? TILE_FONT + '-' - 32 : 0);
#else
    put(MENU_COLUMN - 2, MENU_ROW, game.menu_row ? 0 : TILE_FONT + '-' - 32);
    put(MENU_COLUMN - 2, MENU_ROW + 2, game.menu_row ? TILE_FONT + '-' - 32 : 0);
#endif
    if ((time & 7) == 0)
        for (i = 1; i <= MOST_COLORS; ++i) {
            up = (time >> 3 & 3) == (i - 1) && i <= game.colors;
            blobs(TITLE_COLUMN + 2 + 3 * i, TITLE_ROW + 5, up ? i : 0, up || i > game.colors ? 0 : i);
        }
    if ((time & 31) == 0)
        say(TITLE_COLUMN + 3, START_ROW, time & 32 ? "           " : "PRESS START");
}

/* Two pairs stand side by side: the next one and the one after it. */
static void next_pairs(void)
{
    blobs(PANEL_COLUMN + 1, FIELD_ROW + 3, game.next_partner, game.next_axis);
    blobs(PANEL_COLUMN + 4, FIELD_ROW + 3, game.next2_partner, game.next2_axis);
}

void play_screen(void)
{
    static u8 i;

#if SCREEN_COLUMNS != 20
    fill(0, 0, SCREEN_COLUMNS, SCREEN_ROWS, TILE_GROUND);
    window(FIELD_COLUMN, FIELD_ROW, FIELD_COLUMNS, FIELD_ROWS);
    window(PANEL_COLUMN, FIELD_ROW, PANEL_COLUMNS, FIELD_ROWS);
#else
    fill(0, 0, SCREEN_COLUMNS, SCREEN_ROWS, 0);
    fill(FIELD_COLUMNS, 0, 1, SCREEN_ROWS, TILE_EDGES + 1);
#endif
    for (i = 0; i < PAIR_ROWS * COLUMNS; ++i)
        shown[i] = 0;
    say(PANEL_COLUMN + 1, FIELD_ROW + 1, "NEXT");
    say(TEXT_COLUMN + 1, FIELD_ROW + 7, "SCORE");
    say(TEXT_COLUMN, FIELD_ROW + 11, "LEVEL");
    put(TEXT_COLUMN + 6, FIELD_ROW + 11, TILE_FONT + 16 + game.level);
    picture(PANEL_COLUMN + (PANEL_COLUMNS - 4) / 2, FIELD_ROW + 14, 4, 4, TILE_MASCOT);
    chain_shown = 0;
}

#include "field.h"

static void draw_score(void)
{
    static u8 i, leading;

    score_dirty = 0;
    leading = 1;
    for (i = 0; i < SCORE_DIGITS; ++i) {
        if (game.score[i] || i == SCORE_DIGITS - 1)
            leading = 0;
        if (!leading)
            put(SCORE_COLUMN + i, FIELD_ROW + 9, TILE_FONT + 16 + game.score[i]);
    }
}

static void draw_chain(void)
{
    static u8 tens;

    chain_shown = game.chain;
    say(TEXT_COLUMN, FIELD_ROW + 13, chain_shown ? "CHAIN" : "     ");
    tens = chain_shown / 10;
    put(TEXT_COLUMN + 5, FIELD_ROW + 13, tens ? TILE_FONT + 16 + tens : 0);
    put(TEXT_COLUMN + 6, FIELD_ROW + 13, chain_shown ? TILE_FONT + 16 + chain_shown % 10 : 0);
}

/* What has changed, some of it at a time. */
void play_frame(void)
{
    if (game.phase == SPAWN && game.spawn_delay == 10)
        next_pairs();
    if (dirty)
        draw_field();
    else if (score_dirty)
        draw_score();
    else if (chain_shown != game.chain)
        draw_chain();
}

void over_sign(void)
{
    say(FIELD_COLUMN + 1, FIELD_ROW + 8, " GAME OVER");
}

void paused_sign(u8 on)
{
#if SEATS == 2
    if (game.players == 2) {
        versus_paused(on);
        return;
    }
#endif
    say(TEXT_COLUMN + 1, FIELD_ROW + 6, on ? "PAUSE" : "     ");
}
