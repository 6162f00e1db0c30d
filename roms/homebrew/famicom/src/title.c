/* The title screen. Its background uses the sprites' tiles (pattern table 1), where the logo is. */
#include "ram.h"

#define HOPPERS 3           /* 6 sprites on a line */

static const u8 height[32] = {
    0, 3, 6, 9, 12, 14, 16, 18, 20, 21, 23, 24, 25, 25, 26, 26,
    26, 26, 25, 25, 24, 23, 21, 20, 18, 16, 14, 12, 9, 6, 3, 0
};

static u8 colour[HOPPERS];

void title(void)
{
    u8 blink = 0, i, t, code;

    for (i = 0; i < HOPPERS; ++i)
        colour[i] = i + 1;
    screen_off();
    screen_on(screen_title, palette_title, 0x98);
    STATE = TITLE;
    for (;;) {
        if (fresh[0] & PAD_START)
            return;
        if (++blink == 32)
            text(0x228A, "           ");
        else if (blink == 64) {
            text(0x228A, "PRESS START");
            blink = 0;
        }
        for (i = 0; i < HOPPERS; ++i) {
            t = (FRAME - (i << 3)) & 63;
            code = colour[i];
            if (t == 32)
                colour[i] = code == 6 ? 1 : code + 1;
            sx = 92 + 28 * i;
            sy = 136 - (t < 32 ? height[t] : 0);
            stile = sprite_of[code + (t >= 32 && t < 36 ? 8 : t >= 2 && t < 12 ? 16 : 0)];
            sattr = cell_palette[code];
            spr_16();
        }
        frame();
    }
}
