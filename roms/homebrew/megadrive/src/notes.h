/* The tables that sound/tables.py makes. */
#ifndef NOTES_H
#define NOTES_H

#include "hardware.h"

#define NOTE_HOLD  0xFE
#define NOTE_REST  0xFF
#define EFFECT_END 0xFFFF
#define CHAIN_NOTES 12

struct effect {
    u8 channel;             /* of the PSG: 0..2 tones, 3 noise */
    const u16 *words;       /* a word each two frames: attenuation in the top digit, then the period */
};

extern const u16 tune_length;
extern const u8 tune[][4];  /* a row a sixteenth: lead, arpeggio, bass, drum (1 kick, 2 hat, 3 snare) */
extern const struct effect effects[];

#endif
