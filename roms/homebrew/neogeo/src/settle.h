/* What the picture needs to know of a locked pair and a wave. */
#ifndef SETTLE_H
#define SETTLE_H

#include "hardware.h"

#define LOST_ROW 0xFF

struct half {
    u8 code;        /* 0 = has landed */
    u8 x, row;
    s16 y;          /* pixels below the hidden row's top */
};

extern struct half halves[2][2];        /* by seat: axis, partner */
u8 wave_age(u8 seat);

#endif
