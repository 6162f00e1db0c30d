/* Music and effects; sound_frame plays a frame of both. */
#ifndef SOUND_H
#define SOUND_H

#include "hardware.h"

enum {
    SOUND_NONE, SOUND_MOVE, SOUND_TURN, SOUND_LOCK, SOUND_SEND, SOUND_OFFSET, SOUND_NUISANCE, SOUND_ROCKS,
    SOUND_ALL_CLEAR, SOUND_OVER, SOUND_WIN, SOUND_PAUSE, SOUND_START, SOUND_CHAIN, SOUND_MUSIC = 64, SOUND_MUSIC_OFF
};

void sound_start(void);
void sound(u8 effect);
void sound_chain(u8 step);      /* higher with every step */
void sound_frame(void);

#endif
