/* From power-on to the title, from there into rounds and back. */
#include "core.h"

u8 pad, fresh;

static void next_frame(void)
{
    u8 now;

    wait_frame();
    ++game.frame;
    now = read_pad();
    fresh = now & ~pad;
    pad = now;
    sound_frame();
}

/* The random state moves with every frame, so that people get other pairs each time. */
static void title(void)
{
    screen_off();
    title_screen();
    screen_on();
    game.state = TITLE;
    do {
        next_frame();
        game.random += 0x9E37;
        if (fresh & (PAD_UP | PAD_DOWN))
            game.menu_row ^= 1;
        if (fresh & PAD_RIGHT) {
            if (game.menu_row)
                game.colors = game.colors < MOST_COLORS ? game.colors + 1 : 3;
            else
                game.level = game.level < 5 ? game.level + 1 : 1;
        } else if (fresh & PAD_LEFT) {
            if (game.menu_row)
                game.colors = game.colors > 3 ? game.colors - 1 : MOST_COLORS;
            else
                game.level = game.level > 1 ? game.level - 1 : 5;
        }
        if (fresh & (PAD_UP | PAD_DOWN | PAD_LEFT | PAD_RIGHT))
            sound(SOUND_MOVE);
        title_frame();
    } while (!(fresh & PAD_START));
    sound(SOUND_START);
}

static void hold(void)
{
    game.state = PAUSED;
    paused_sign(1);
    do
        next_frame();
    while (!(fresh & PAD_START));
    paused_sign(0);
    game.state = PLAYING;
}

static void round(void)
{
    screen_off();
    play_screen();
    screen_on();
    next_frame();
    round_begin();
    game.state = PLAYING;
    do {
        play_frame();
        next_frame();
        if (fresh & PAD_START)
            hold();
        else
            round_frame();
    } while (game.phase != LOST);
    game.state = OVER;
    sound(SOUND_OVER);
    over_sign();
    do {
        next_frame();
        play_frame();
    } while (!(fresh & PAD_START));
    game.phase = IDLE;
}

void main(void)
{
    game.level = 1;
    game.colors = MOST_COLORS;
    for (;;) {
        title();
        round();
    }
}
