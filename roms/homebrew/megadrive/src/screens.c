/* The title and the menu. */
#include "game.h"
#include "layout.h"
#include "sound.h"
#include "tiles.h"
#include "video.h"

#define DEMO_PUYOS 8

enum { ROW_ENDLESS, ROW_VERSUS, ROW_DIFFICULTY, ROW_MARGIN, ROW_MUSIC, MENU_ROWS };

void show_actor(u8 actor, u8 pose, s16 x, s16 y);
u16 next_tile(u8 color);

static const u8 bounce[32] = {
    0, 2, 4, 6, 8, 9, 10, 11, 12, 12, 12, 11, 10, 9, 8, 6, 4, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
};
static const u8 row_colors[5] = { 0, 1, 3, 4, 5 };

/* The puyos at the foot of the title, one jump after the other. */
static void crowd(s16 y)
{
    u8 i;

    for (i = 0; i < DEMO_PUYOS; ++i)
        sprite(40 + 32 * i, y - bounce[(game.frame - 8 * i) >> 1 & 31], SIZE(2, 2),
               next_tile(row_colors[i < 5 ? i : i - 5]));
}

/* The random state steps with every frame here, so that people get other pairs each time; the menu leaves it alone. */
void title(void)
{
    load_scene(&scene_title);
    resume();
    if (game.music)
        sound(SOUND_MUSIC);
    for (;;) {
        frame_begin();
        game.state = TITLE;
        random_state = step_random(random_state, game.frame, 0);
        frame_end();
        crowd(200);
        show_actor(0, game.frame & 32 ? 1 : 0, 24, 128);
        show_actor(1, (game.frame + 20) & 32 ? 1 : 0, 248, 128);
        centred(15, INK_GOLD, game.frame & 32 ? "PRESS START" : "           ");
        sound_frame();
        if ((fresh[0] | fresh[1]) & START)
            break;
    }
    sound(SOUND_START);
}

static u16 ink(u8 row)
{
    return game.menu_row == row ? INK_GOLD : INK_WHITE;
}

static void menu_text(void)
{
    static const char *const rows[MENU_ROWS] = { "ENDLESS", "TWO PLAYERS", "DIFFICULTY", "MARGIN TIME", "MUSIC" };
    static const char *const levels[6] = { "", "1 MILD", "2 SOFT", "3 WARM", "4 HOT ", "5 FIRE" };
    u8 i;

    for (i = 0; i < MENU_ROWS; ++i)
        text(12, 10 + 2 * i, ink(i), rows[i]);
    text(25, 14, ink(ROW_DIFFICULTY), levels[game.difficulty <= 5 ? game.difficulty : 5]);
    text(25, 16, ink(ROW_MARGIN), game.margin ? "ON " : "OFF");
    text(25, 18, ink(ROW_MUSIC), game.music ? "ON " : "OFF");
    for (i = 0; i < 5; ++i)
        put_block(15 + 2 * i, 21, i < (game.difficulty < 3 ? 3 : game.difficulty == 3 ? 4 : 5)
                                      ? next_tile(row_colors[i]) : 0);
    sprite(72 + bounce[game.frame >> 1 & 31] / 4, 76 + 16 * game.menu_row, SIZE(2, 2), next_tile(0));
}

void menu(void)
{
    load_scene(&scene_menu);
    resume();
    for (;;) {
        u8 press;

        frame_begin();
        game.state = MENU;
        press = fresh[0] | fresh[1];
        if (press & UP)
            game.menu_row = game.menu_row ? game.menu_row - 1 : MENU_ROWS - 1;
        if (press & DOWN)
            game.menu_row = game.menu_row + 1 < MENU_ROWS ? game.menu_row + 1 : 0;
        if (game.menu_row <= ROW_VERSUS)
            game.mode = game.menu_row;
        if (press & (LEFT | RIGHT)) {
            if (game.menu_row == ROW_DIFFICULTY)
                game.difficulty = press & RIGHT ? (game.difficulty < 5 ? game.difficulty + 1 : 1)
                                                : game.difficulty > 1 ? game.difficulty - 1 : 5;
            if (game.menu_row == ROW_MARGIN)
                game.margin ^= 1;
            if (game.menu_row == ROW_MUSIC) {
                game.music ^= 1;
                sound(game.music ? SOUND_MUSIC : SOUND_MUSIC_OFF);
            }
        }
        if (press & START)
            break;
        frame_end();
        if (press & (UP | DOWN | LEFT | RIGHT))
            sound(SOUND_MOVE);
        menu_text();
        show_actor(0, game.frame & 32 ? 1 : 0, 24, 160);
        show_actor(1, (game.frame + 20) & 32 ? 1 : 0, 248, 160);
        sound_frame();
    }
    sound(SOUND_START);
}
