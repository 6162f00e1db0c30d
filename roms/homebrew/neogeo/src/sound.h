/* Commands to the sound program (sound.asm). */
#ifndef SOUND_H
#define SOUND_H

#include "hardware.h"

enum {
    SOUND_NONE, SOUND_RESET1, SOUND_SILENCE, SOUND_RESET3,      /* 1 and 3 belong to the system */
    SOUND_MUSIC, SOUND_MUSIC_OFF,
    SOUND_MOVE, SOUND_TURN, SOUND_LOCK, SOUND_NEEDLE, SOUND_BLUNT, SOUND_TAILS, SOUND_ATTACK, SOUND_NUISANCE,
    SOUND_OVER, SOUND_WIN, SOUND_START, SOUND_CURSOR, SOUND_COIN, SOUND_PAUSE,
    SOUND_STEP = 0x40                                           /* + 0..23: rising */
};

/* One command is sent in a frame; a few wait. */
void sound(u8 command);
void sound_step(u8 step);
void sound_frame(void);

#endif
