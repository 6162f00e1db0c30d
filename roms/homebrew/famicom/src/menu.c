/* The mode menu. UP, DOWN and SELECT move the cursor; the mode is that of the last mode row the cursor was on;
   LEFT and RIGHT change the options on their rows; START begins with the selected mode from any row. */
#include "ram.h"

enum { ROW_ENDLESS, ROW_2P, ROW_LEVEL, ROW_COLOURS, ROW_ITEMS, ROW_LIMIT, ROW_MUSIC, ROWS };

static const char item_names[4][10] = { "______OFF", "______BIG", "CARBUNCLE", "_____BOTH" };

static const u8 limits[4] = { 0, 6, 12, 30 };        /* 0: off */

static u8 start_level;

static const u8 cursor_line[ROWS] = { 8, 10, 13, 15, 17, 19, 21 };

/* All the values, with the next frame: exactly what the text queue takes. */
static void show_options(void)
{
    str_begin(0x21B8);
    str_byte(LEVEL + 16);
    str_end();
    str_begin(0x21F8);
    str_byte(COLOURS + 16);
    str_end();
    text(0x2230, item_names[ITEMS]);
    text(0x2276, LIMIT == 0 ? "OFF" : LIMIT == 30 ? "_30" : LIMIT == 12 ? "_12" : "__6");
    text(0x22B6, MUSIC ? "_ON" : "OFF");
}

static void change(u8 up)
{
    if (MENU_ROW == ROW_LEVEL)
        LEVEL = up ? (LEVEL & 3) + 1 : ((LEVEL - 2) & 3) + 1;
    else if (MENU_ROW == ROW_COLOURS) {
        COLOURS += up ? 1 : 255;
        if (COLOURS == 7)
            COLOURS = 4;
        else if (COLOURS == 3)
            COLOURS = 6;
    } else if (MENU_ROW == ROW_ITEMS)
        ITEMS = (up ? ITEMS + 1 : ITEMS - 1) & 3;
    else if (MENU_ROW == ROW_LIMIT) {
        u8 i = 0;
        while (i < 3 && limits[i] != LIMIT)
            ++i;
        LIMIT = limits[(up ? i + 1 : i - 1) & 3];
    } else if (MENU_ROW == ROW_MUSIC)
        MUSIC ^= 1;
    else
        return;
    show_options();
}

void menu(void)
{
    u8 pressed;

    if (start_level)
        LEVEL = start_level;
    MODE = ENDLESS;
    MENU_ROW = ROW_ENDLESS;
    screen_off();
    screen_on(screen_menu, palette_game, 0x88);
    show_options();
    STATE = MENU;
    for (;;) {
        pressed = fresh[0];
        if (pressed & PAD_START) {
            start_level = LEVEL;
            return;
        }
        if (pressed & PAD_UP)
            MENU_ROW = MENU_ROW ? MENU_ROW - 1 : ROWS - 1;
        else if (pressed & (PAD_DOWN | PAD_SELECT))
            MENU_ROW = MENU_ROW == ROWS - 1 ? 0 : MENU_ROW + 1;
        else if (pressed & PAD_RIGHT)
            change(1);
        else if (pressed & PAD_LEFT)
            change(0);
        if (MENU_ROW == ROW_ENDLESS)
            MODE = ENDLESS;
        else if (MENU_ROW == ROW_2P)
            MODE = TWO_PLAYER;
        sx = 64;
        sy = (cursor_line[MENU_ROW] << 3) - 4;
        stile = sprite_of[MENU_ROW + 1];
        sattr = cell_palette[MENU_ROW + 1];
        spr_16();
        frame();
    }
}
