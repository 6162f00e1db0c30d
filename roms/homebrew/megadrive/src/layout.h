/* Where things are on the screen, in tiles where not said otherwise. */
#ifndef LAYOUT_H
#define LAYOUT_H

#define FIELD_COLUMN(seat) ((seat) ? 26 : 2)
#define FIELD_ROW   2
#define FIELD_X(seat) ((seat) ? 208 : 16)       /* pixels */
#define FIELD_Y     16                          /* pixels: row TOP */
#define NEXT_COLUMN(seat) ((seat) ? 22 : 16)
#define NEXT_ROW    3
#define SCORE_ROW   27
#define SIDE        27                          /* endless: what stands in the other field's place */

#endif
