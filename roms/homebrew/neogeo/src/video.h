/* Pictures: a queue of words for video RAM, sent in the vertical blank; text on the fix layer; sprites. */
#ifndef VIDEO_H
#define VIDEO_H

#include "hardware.h"

#define QUEUE 960       /* words: 34 cycles each, less than the 40 lines of the vertical blank */

extern u32 queue[QUEUE + 8];
extern u32 *queue_end;

/* One word to video RAM at the next vertical blank. */
static inline void put(u16 address, u16 word)
{
    *queue_end++ = (u32)address << 16 | word;
}

/* Is there room for so many words? */
static inline u8 room(u16 words)
{
    return queue_end + words <= queue + QUEUE;
}

#define FIX(x, y) (0x7000 + ((x) << 5) + (y) + 2)   /* the cell at column x, row y of the visible 28 */

void frame(void);               /* wait for the vertical blank, send the queue, read the pads */
void clear_screen(void);        /* no sprites, no text; takes two frames */
void set_palettes(void);
extern u16 letters;             /* 0, or BOXED: the letters have the ground of a box */
void text(u8 x, u8 y, u8 palette, const char *string);
void centred(u8 y, u8 palette, const char *string);
void number(u8 x, u8 y, u8 palette, u32 value, u8 digits);              /* leading blanks */
void tall(u8 x, u8 y, u8 palette, u16 value, u8 digits);                /* digits 8 x 16 */
void figures(u8 x, u8 y, u8 palette, u32 value);                        /* eight digits, with their leading zeros */
void paired(u8 x, u8 y, u8 palette, u8 value);                          /* below 100, in the middle of 3 x 2 cells */
void word(u8 x, u8 y, u8 palette, u16 tile, u8 rows);                   /* one of those drawn whole: 6 columns */
void strip(u16 sprite, s16 x, s16 y, u8 tiles);                         /* where a column of tiles is */
void place(u16 sprite, u16 tile, u8 palette, s16 x, s16 y);             /* one tile */
void hide(u16 sprite);
void strip_tile(u16 sprite, u8 row, u16 tile, u8 palette);

#endif
