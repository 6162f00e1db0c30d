/* Where things are on the screen (320 x 224; the outer 8 pixels at the sides may be cropped) and which sprites they use.
   Later sprites lie on top. */
#ifndef LAYOUT_H
#define LAYOUT_H

#define FIELD_X(seat) ((seat) ? 192 : 16)
#define FIELD_Y       16
#define MIDDLE        17        /* fix columns 17..22 are between the fields */

/* A colour's tiles: 16 of them, by the sides on which it is joined to its like: 1 above, 2 right, 4 below, 8 left. */
#define BLOCK(kind) (BLOCKS - 16 + ((kind) << 4))

#define BACKDROP_SPRITE 1       /* 25 strips */
#define BACKDROP_STRIPS 25
#define BACKDROP_TILES  19
#define PANEL_SPRITE    26      /* 14 */
#define FIELD_SPRITE    40      /* 14 */
#define NEXT_SPRITE     54      /* 4 */
#define PAIR_SPRITE     58      /* 4 */
#define ORB_SPRITE      62      /* 2 */
#define LOGO_SPRITE     64      /* 18 */
#define MASCOT_SPRITE   82      /* 5 */
#define GUEST_SPRITE    87      /* 16: blocks on the screens before the game */

#endif
