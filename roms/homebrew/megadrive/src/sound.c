#include "sound.h"

void sound_start(void) {}
void sound(u8 effect) { (void)effect; }
void sound_chain(u8 step) { (void)step; }
void sound_frame(void) {}
