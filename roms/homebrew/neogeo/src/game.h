/* What the parts of the game know of each other. `s` is the seat that a routine works for. */
#ifndef GAME_H
#define GAME_H

#include "ram.h"

/* dealer.c */
void seed_generators(void);
u8 deal(struct seat *s);                        /* a colour, 1..4 */
u8 roll(struct seat *s, u8 n);                  /* 0..n - 1 for the columns of nuisance */

/* pair.c */
extern const s8 turn_x[4], turn_y[4];           /* the partner's place seen from the axis */
void spawn(struct seat *s);
void pair_frame(struct seat *s, u8 seat);

/* settle.c */
void lock_pair(struct seat *s, u8 seat);
void settle_frame(struct seat *s, u8 seat);
void settle_reset(void);

/* wave.c: the ignition, one step at a time */
u8 wave_begin(struct seat *s, u8 seat);         /* 0: nothing ignites */
u8 wave_next(struct seat *s, u8 seat);          /* 0: that was the last step */
u16 wave_end(struct seat *s);                   /* the attack */

/* nuisance.c */
void send(struct seat *s, struct seat *other);
void nuisance_begin(struct seat *s, u8 seat);
u8 nuisance_row(struct seat *s, u8 seat);       /* one row lower; 0: all is at rest */
u8 fall_row(struct seat *s);                    /* what has nothing below it, one row lower; 0: nothing */

/* draw.c */
void draw_reset(void);
void draw_seat(struct seat *s, u8 seat);

/* panel.c */
void panel_reset(void);
void panel_frame(void);

/* round.c, screens.c */
void play_round(void);
u8 round_over(void);                            /* 1: another round; 0: back to the title */
void title(void);
void menu(void);
void backdrop(void);                            /* takes some frames */
void frame_box(u8 x, u8 y, u8 width, u8 height);

#endif
