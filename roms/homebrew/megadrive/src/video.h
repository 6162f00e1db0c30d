/* Pictures: plane A is kept in RAM and sent row by row where it has changed; plane B shows a scene; sprites. */
#ifndef VIDEO_H
#define VIDEO_H

#include "hardware.h"

#define WIDTH  40
#define HEIGHT 28
#define SPRITES 80
#define PAL(n) ((n) << 13)
#define HIGH   0x8000       /* in front of all that is not */
#define FLIP   0x0800

/* Inks: the letters' two copies in two palettes each. */
#define INK_GOLD  (PAL(0) | T_FONT)
#define INK_BLUE  (PAL(1) | T_FONT)
#define INK_GREEN (PAL(0) | T_FONT2)
#define INK_WHITE (PAL(1) | T_FONT2)

struct scene {
    const u16 *palette;     /* 64 colours */
    const u16 *tiles;
    u16 count;
    const u16 *map;         /* 28 rows of 40 */
    const u16 *logo;        /* for plane A; NULL: none */
};

extern u8 pad[2], fresh[2];
extern volatile u8 tick;

void video_start(void);
void frame_begin(void);                     /* wait for the vertical blank, read the pads */
void frame_end(void);                       /* the logic is done: send what has changed */
void resume(void);                          /* what has taken longer than a frame was meant to */
void load_scene(const struct scene *scene); /* plane A and the sprites are empty then */
void dim(u8 on);                            /* while the game pauses */

void put(u8 x, u8 y, u16 tile);
void put_block(u8 x, u8 y, u16 tile);       /* 16 x 16 pixels: four tiles, downwards first; 0: nothing */
void text(u8 x, u8 y, u16 ink, const char *string);
void centred(u8 y, u16 ink, const char *string);
void number(u8 x, u8 y, u16 ink, u32 value, u8 digits);     /* leading blanks */

/* Has the picture come to that line (of 224)? What can wait for the next frame asks. */
static inline u8 past(u8 line)
{
    u8 now = VDP_LINE;

    return now >= line && now < 224;
}

#define SIZE(w, h) (((w) - 1) << 2 | ((h) - 1))
void sprite(s16 x, s16 y, u8 size, u16 tile);               /* later ones lie below */
void big(s16 x, s16 y, u16 attr, const char *string);       /* letters of 16 x 16 pixels; no more than T_BIG has */

#endif
