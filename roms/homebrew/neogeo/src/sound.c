#include "sound.h"

#define MOST_STEPS 24
#define LENGTH     4

static u8 waiting[LENGTH], count;

void sound(u8 command)
{
    if (count < LENGTH)
        waiting[count++] = command;
    else
        waiting[LENGTH - 1] = command;
}

void sound_step(u8 step)
{
    sound(SOUND_STEP + (step > MOST_STEPS ? MOST_STEPS : step) - 1);
}

void sound_frame(void)
{
    u8 i;

    if (!count)
        return;
    SOUND = waiting[0];
    --count;
    for (i = 0; i < count; ++i)
        waiting[i] = waiting[i + 1];
}
