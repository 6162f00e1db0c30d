/* The title, the page that explains the game, the menu. */
#include "game.h"
#include "layout.h"
#include "sound.h"
#include "tiles.h"
#include "video.h"

#define PAGE_FRAMES 600
#define GUESTS      5
#define LANE_LEFT   11      /* fix columns of the menu in which its cursor is */
#define LANE_WIDTH  3

enum { ROW_SOLO, ROW_VERSUS, ROW_LEVEL, ROW_MUSIC, MENU_ROWS };

static const u8 bounce[32] = {
    0, 2, 4, 6, 8, 9, 10, 11, 12, 12, 12, 11, 10, 9, 8, 6, 4, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
};

/* The ground of all screens drifts; its pattern repeats after 64 pixels. */
static void drift(u8 by)
{
    u8 i;

    for (i = 0; i < BACKDROP_STRIPS; ++i)
        strip(BACKDROP_SPRITE + i, 16 * i - by, -(s16)by, BACKDROP_TILES);
}

/* Takes some frames. */
void backdrop(void)
{
    u8 x, y;

    for (x = 0; x < BACKDROP_STRIPS; ++x) {
        for (y = 0; y < BACKDROP_TILES; ++y)
            strip_tile(BACKDROP_SPRITE + x, y, backdrop_map[y & 3][x & 3], PALETTE_BACKDROP);
        if (x % 5 == 4)
            frame();
    }
    drift(0);
    frame();
}

void frame_box(u8 left, u8 top, u8 width, u8 height)
{
    u8 x, y;

    for (y = 0; y < height; ++y)
        for (x = 0; x < width; ++x) {
            u8 piece = 8;

            if (y == 0)
                piece = x == 0 ? 0 : x + 1 == width ? 2 : 1;
            else if (y + 1 == height)
                piece = x == 0 ? 5 : x + 1 == width ? 7 : 6;
            else if (x == 0)
                piece = 3;
            else if (x + 1 == width)
                piece = 4;
            put(FIX(left + x, top + y), INK_FRAME << 12 | (FRAME + piece));
        }
}

/* Where sprites are to be seen through a box. */
static void hole(u8 left, u8 top, u8 width, u8 height)
{
    u8 x, y;

    for (y = 0; y < height; ++y)
        for (x = 0; x < width; ++x)
            put(FIX(left + x, top + y), BLANK);
    frame();
}

static u8 count_credits(void)
{
    u8 n = CREDITS;

    return game.credits = (n >> 4) * 10 + (n & 15);
}

/* What every frame of the screens before the game has in common; 1: START. */
static u8 screen_frame(void)
{
    u8 n = count_credits();

    letters = 0;
    if (coin_heard) {
        coin_heard = 0;
        sound(SOUND_COIN);
    }
    if (n) {
        text(15, 26, INK_DIM, "CREDIT   ");
        number(22, 26, INK_DIM, n, 2);
    } else
        text(15, 26, INK_DIM, "FREE PLAY");
    drift((game.frame >> 1) & 63);
    sound_frame();
    frame();
    return STARTS_FRESH & (START_1 | START_2);
}

/* A credit pays for a game; without one it is free. */
static void take_credit(void)
{
    if (CREDITS) {
        CREDIT_DEC = 1;
        credit_down();
    }
    count_credits();
}

static void picture(u16 sprite, const u16 *map, u8 width, u8 height, u8 palette, s16 x, s16 y)
{
    u8 i, j;

    for (i = 0; i < width; ++i) {
        for (j = 0; j < height; ++j)
            strip_tile(sprite + i, j, map[j * width + i], palette);
        strip(sprite + i, x + 16 * i, y, height);
    }
    frame();
}

static void guest(u8 i, u8 code, u8 sides, s16 x, s16 y)
{
    u8 kind = code & 7;

    place(GUEST_SPRITE + i, code & NEEDLE ? THORNY : BLOCK(kind) + sides, PALETTE_BLOCK + kind, x, y);
}

/* A group of blocks in a picture: column, row from below, code; joined as in a field. */
static void group(u8 first, const u8 cells[][3], u8 n, s16 x, s16 y)
{
    static const s8 beside[4][2] = { { 0, 1 }, { 1, 0 }, { 0, -1 }, { -1, 0 } };
    u8 i, j, k;

    for (i = 0; i < n; ++i) {
        u8 sides = 0;

        for (k = 0; k < 4; ++k)
            for (j = 0; j < n; ++j)
                if (cells[i][2] < NUISANCE && cells[j][2] == cells[i][2] && cells[j][0] == cells[i][0] + beside[k][0]
                    && cells[j][1] == cells[i][1] + beside[k][1])
                    sides |= 1 << k;
        guest(first + i, cells[i][2], sides, x + 16 * cells[i][0], y - 16 * cells[i][1]);
    }
}

static void show_title(void)
{
    picture(LOGO_SPRITE, &logo_map[0][0], LOGO_WIDTH, LOGO_HEIGHT, PALETTE_LOGO, 16, 24);
    picture(MASCOT_SPRITE, &mascot_map[0][0], MASCOT_WIDTH, MASCOT_HEIGHT, PALETTE_BLOCK + 1, 120, 96);
}

/* One frame of the title: the blocks jump, one after the other. */
static u8 title_frame(void)
{
    u8 i;

    for (i = 0; i < GUESTS - 1; ++i)
        guest(i, i + 1, 0, i < 2 ? 40 + 36 * i : 208 + 36 * (i - 2), 152 - bounce[(game.frame - 8 * i) >> 1 & 31]);
    centred(24, INK_WHITE, game.frame & 32 ? "PRESS START" : "           ");
    return screen_frame();
}

static void show_rules(void)
{
    static const char *const lines[] = {
        "A B  : TURN THE PAIR", "C UP : MAKE IT THORNY OR BLUNT",
        "A THORN LIGHTS ITS OWN COLOUR", "THE WAVE RUNS ON STEP BY STEP",
        "AND EACH OF ITS ENDS IS A TAIL.", "LONG TAILS AND MANY BRANCHES",
        "HIT HARDER. MIND THE CROSS!",
    };
    static const u8 rows[] = { 4, 6, 15, 17, 19, 21, 23 };
    static const u8 cells[12][3] = {
        { 0, 0, 2 }, { 1, 0, 2 }, { 2, 0, 2 }, { 3, 0, 2 }, { 1, 1, 2 }, { 3, 1, 2 }, { 4, 0, 2 },
        { 2, 1, 10 }, { 0, 1, 3 }, { 4, 1, 5 }, { 5, 0, 4 }, { 5, 1, 1 },
    };
    u8 i;

    letters = BOXED;
    centred(2, INK_GOLD, "HOW TO PLAY");
    for (i = 0; i < 7; ++i) {
        u8 y = rows[i];

        if (i < 2)
            text(5, y, INK_WHITE, lines[i]);
        else
            centred(y, INK_WHITE, lines[i]);
    }
    group(0, cells, 12, 112, 88);
    frame();
}

/* The title and the rules take turns until START. */
void title(void)
{
    u16 left;

    USER_MODE = 1;
    for (;;) {
        clear_screen();
        backdrop();
        show_title();
        game.state = TITLE;
        for (left = PAGE_FRAMES; left; --left)
            if (title_frame())
                goto start;
        clear_screen();
        backdrop();
        frame_box(2, 0, 36, 26);
        frame();
        frame_box(13, 8, 14, 6);
        hole(14, 9, 12, 4);
        show_rules();
        for (left = PAGE_FRAMES; left; --left)
            if (screen_frame())
                goto start;
    }
start:
    sound(SOUND_START);
    sound_frame();
}

static void menu_text(void)
{
    static const char *const rows[MENU_ROWS] = { "SOLO", "TWO PLAYERS", "LEVEL", "MUSIC" };
    u8 i;

    letters = BOXED;
    for (i = 0; i < MENU_ROWS; ++i)
        text(15, 13 + 2 * i, game.menu_row == i ? INK_GOLD : INK_WHITE, rows[i]);
    number(27, 17, game.menu_row == ROW_LEVEL ? INK_GOLD : INK_WHITE, game.level, 1);
    text(26, 19, game.menu_row == ROW_MUSIC ? INK_GOLD : INK_WHITE, game.music ? "ON " : "OFF");
    guest(0, NEEDLE + 1 + (game.frame >> 5 & 3), 0, 90 + bounce[game.frame >> 1 & 31] / 3, 100 + 16 * game.menu_row);
}

/* Beside the menu: needles about to light what is below them. In the box: a lane for the cursor, which is a sprite. */
static void show_menu(void)
{
    static const u8 left[7][3] = {
        { 0, 0, 2 }, { 1, 0, 2 }, { 2, 0, 2 }, { 1, 1, 2 }, { 0, 1, 1 }, { 2, 1, 4 }, { 1, 2, NEEDLE + 2 },
    };
    static const u8 right[8][3] = {
        { 0, 0, 3 }, { 1, 0, 3 }, { 2, 0, 4 }, { 1, 1, 3 }, { 2, 1, 4 }, { 0, 1, 5 }, { 1, 2, NEEDLE + 3 }, { 2, 2, 4 },
    };
    u8 x, y;

    for (x = LANE_LEFT; x < LANE_LEFT + LANE_WIDTH; ++x)
        for (y = 12; y < 22; ++y)
            put(FIX(x, y), BLANK);
    for (x = 0; x < 2; ++x) {
        for (y = 0; y < 5; ++y)
            strip_tile(PANEL_SPRITE + x, y, PANEL + 2, PALETTE_PANEL);
        strip(PANEL_SPRITE + x, 8 * LANE_LEFT + 8 * (LANE_WIDTH - 2) * x, 96, 5);
    }
    group(1, left, 7, 16, 192);
    group(8, right, 8, 256, 192);
}

void menu(void)
{
    u8 fresh;

    clear_screen();
    backdrop();
    picture(LOGO_SPRITE, &logo_map[0][0], LOGO_WIDTH, LOGO_HEIGHT, PALETTE_LOGO, 16, 12);
    frame_box(9, 10, 22, 13);
    show_menu();
    frame();
    game.state = MENU;
    for (;;) {
        menu_text();
        if (screen_frame())
            break;
        fresh = PAD_FRESH(0) | PAD_FRESH(1);
        if (fresh & UP)
            game.menu_row = game.menu_row ? game.menu_row - 1 : MENU_ROWS - 1;
        if (fresh & DOWN)
            game.menu_row = game.menu_row + 1 < MENU_ROWS ? game.menu_row + 1 : 0;
        if (game.menu_row <= ROW_VERSUS)
            game.mode = game.menu_row;
        if (fresh & (LEFT | RIGHT)) {
            if (game.menu_row == ROW_LEVEL)
                game.level = fresh & RIGHT ? (game.level & 3) + 1 : game.level > 1 ? game.level - 1 : 4;
            if (game.menu_row == ROW_MUSIC)
                game.music ^= 1;
        }
        if (fresh)
            sound(SOUND_CURSOR);
    }
    take_credit();
    sound(SOUND_START);
    sound_frame();
}
