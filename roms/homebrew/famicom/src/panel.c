/* The panel of Endless: the drop's mood and what it says. A little text each frame that the figures leave free. */
#include "ram.h"

#define DROP_AT     0x2235
#define WORDS_AT    0x2214
#define GLAD_FRAMES 100
#define BLINK       0x7F    /* it closes its eyes once in so many frames */

enum { CALM, GLAD, AFRAID };

static u8 mood, shown, line, said, say, glad, level;

static const char words[8][10] = {
    "         ", "         ", "  NICE!  ", " GREAT!  ", " SUPER!  ", " AMAZING!", "OCHIDAMA!", "LEVEL UP!"
};
enum { LEVEL_UP = 7 };

void panel_reset(void)
{
    mood = shown = CALM;
    line = said = say = glad = 0;
    level = LEVEL;
}

/* Two of the drop's six lines. */
static void draw_lines(void)
{
    u8 i, n;
    const u8 *from = moods + shown * 36 + line * 6;
    u16 at = DROP_AT + (line << 5);

    for (n = 0; n < 2; ++n) {
        str_begin(at);
        for (i = 0; i < 6; ++i)
            str_byte(from[i]);
        str_end();
        from += 6;
        at += 32;
    }
}

void panel_frame(void)
{
    u8 word;

    if (LEVEL != level) {
        level = LEVEL;
        say = LEVEL_UP;
        glad = GLAD_FRAMES + 60;
        sound(SND_LEVEL);
    } else if (PHASE[0] == BLINKING && CHAIN[0] > 1 && say != LEVEL_UP) {
        say = CHAIN[0] < 6 ? CHAIN[0] : 6;
        glad = GLAD_FRAMES;
    } else if (glad && --glad == 0)
        say = 0;
    if (glad)
        mood = GLAD;
    else if (danger[0])
        mood = AFRAID;
    else
        mood = (FRAME & BLINK) < 10 ? GLAD : CALM;
    word = say;
    if (say == LEVEL_UP && glad & 8)
        word = 0;           /* it flashes */
    if (str_len)
        return;
    if (line) {
        draw_lines();
        line = line == 4 ? 0 : line + 2;
    } else if (word != said) {
        said = word;
        text(WORDS_AT, words[word]);
    } else if (mood != shown) {
        shown = mood;
        draw_lines();
        line = 2;
    }
}
