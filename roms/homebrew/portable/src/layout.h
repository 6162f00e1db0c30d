/* Where everything is, in tiles of 8 x 8, by the size of the screen, and the numbers of the tiles (art/art.py). */
#ifndef LAYOUT_H
#define LAYOUT_H

#if SCREEN_COLUMNS == 20        /* Game Boy, Game Gear: 20 x 18 */
#define SCREEN_ROWS 18
#define FIELD_COLUMN 0
#define FIELD_ROW 0
#define PANEL_COLUMN 13
#define SCORE_COLUMN 12
#elif SCREEN_COLUMNS == 30      /* Game Boy Advance: 30 x 20 */
#define SCREEN_ROWS 20
#define FIELD_COLUMN 3
#define FIELD_ROW 1
#define PANEL_COLUMN 19
#define SCORE_COLUMN 19
#else                           /* 32 columns, and 24 or more rows: two seats */
#if SEAT == 2
#define FIELD_COLUMN 19
#define NEXT_COLUMN 16
#else
#define FIELD_COLUMN 1
#define NEXT_COLUMN 14
#endif
#define FIELD_ROW ((SCREEN_ROWS - 18) / 2)
#define PANEL_COLUMN 18
#define SCORE_COLUMN 18
#endif
#if SCREEN_COLUMNS == 20
#define PANEL_COLUMNS 7
#else
#define PANEL_COLUMNS 8
#endif
#define FIELD_COLUMNS 12
#define FIELD_ROWS 18

#define PAIR_ROWS 6             /* rows of two blobs, which share tiles */
#ifndef BLOCKS_A_FRAME
#define BLOCKS_A_FRAME 8        /* two blobs each */
#endif

#define LOOKS (POPPING + 1)     /* empty, four colours, nuisance where there is any, popping */
#define TILE_ABOVE 0
#define TILE_MIDDLE (TILE_ABOVE + 2 * LOOKS)
#define TILE_BELOW (TILE_MIDDLE + 2 * LOOKS * LOOKS)
#define TILE_FONT (TILE_BELOW + 2 * LOOKS)
#define TILE_LOGO (TILE_FONT + 64)
#define TILE_GROUND (TILE_LOGO + 20)
#define TILE_EDGES (TILE_GROUND + 1)    /* left, right, above, below; then the corners */
#define TILE_MASCOT (TILE_EDGES + 8)

#endif
