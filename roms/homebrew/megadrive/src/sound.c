/* Music on the YM2612 (lead, arpeggio, bass, kick), hats and snare on the PSG's noise, effects on the PSG; a chain's step
   also rings a bell on the YM2612. All is driven from here, frame by frame; the Z80 never runs. */
#include "sound.h"
#include "notes.h"

#define STEP_FRAMES 6       /* a sixteenth: 150 quarters a minute */
#define LEAD 0
#define ARPEGGIO 1
#define BASS 2
#define KICK 4              /* channels 4..6 are those of the second part */
#define BELL 5

struct playing {
    const u16 *next;
    u8 odd;
};

static struct playing playing[4];
static u8 music, wait, drum_left, bell;
static u16 row;

/* Operators 1, 3, 2, 4, in the order of the registers 30, 40 ... 80: multiple, level, attack, decay, second decay, sustain
   and release; then algorithm and feedback. */
static const u8 voices[5][25] = {
    {   /* lead */
        0x01, 0x02, 0x01, 0x01, 0x24, 0x2C, 0x14, 0x16, 0x1F, 0x1F, 0x1A, 0x1A, 0x09, 0x0A, 0x06, 0x06,
        0x02, 0x02, 0x02, 0x02, 0x27, 0x27, 0x17, 0x17, 0x1C },
    {   /* arpeggio */
        0x04, 0x01, 0x01, 0x02, 0x2C, 0x2A, 0x22, 0x26, 0x1F, 0x1F, 0x1F, 0x1F, 0x10, 0x10, 0x0E, 0x0E,
        0x06, 0x06, 0x08, 0x08, 0x58, 0x58, 0x58, 0x58, 0x14 },
    {   /* bass */
        0x01, 0x00, 0x01, 0x01, 0x1C, 0x28, 0x18, 0x10, 0x1F, 0x1F, 0x1F, 0x1F, 0x0C, 0x0A, 0x08, 0x06,
        0x04, 0x04, 0x04, 0x04, 0x38, 0x38, 0x28, 0x28, 0x28 },
    {   /* kick */
        0x00, 0x00, 0x00, 0x00, 0x10, 0x18, 0x14, 0x08, 0x1F, 0x1F, 0x1F, 0x1F, 0x14, 0x14, 0x13, 0x13,
        0x10, 0x10, 0x10, 0x10, 0x4A, 0x4A, 0x4A, 0x4A, 0x3C },
    {   /* bell */
        0x07, 0x04, 0x01, 0x02, 0x20, 0x26, 0x12, 0x18, 0x1F, 0x1F, 0x1F, 0x1F, 0x0C, 0x0C, 0x09, 0x09,
        0x03, 0x03, 0x05, 0x05, 0x34, 0x34, 0x24, 0x24, 0x04 },
};

/* The YM2612's numbers for C to B. */
static const u16 pitches[12] = { 644, 682, 723, 766, 811, 859, 910, 964, 1021, 1081, 1146, 1214 };

static void fm(u8 part, u8 reg, u8 value)
{
    while (FM_CTRL(0) & 0x80)
        ;
    FM_CTRL(part) = reg;
    __asm__ volatile("nop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop");
    FM_DATA(part) = value;
}

/* Channels 0..2, and 4..6 of the second part. */
static void voice(u8 channel, const u8 *numbers)
{
    u8 part = channel >> 2, at = channel & 3, reg, i;

    for (reg = 0x30; reg < 0x90; reg += 0x10)
        for (i = 0; i < 16; i += 4)
            fm(part, reg + i + at, *numbers++);
    fm(part, 0xB0 + at, *numbers);
    fm(part, 0xB4 + at, channel == ARPEGGIO ? 0x80 : channel == BELL ? 0xC0 : 0xC0);
}

static void key_off(u8 channel)
{
    fm(0, 0x28, channel);
}

static void key_on(u8 channel, u8 note)
{
    u8 part = channel >> 2, at = channel & 3, block = 0;
    u16 pitch;

    key_off(channel);
    for (note -= 12; note >= 12; note -= 12)
        ++block;
    pitch = pitches[note] | block << 11;
    fm(part, 0xA4 + at, pitch >> 8);
    fm(part, 0xA0 + at, pitch);
    fm(0, 0x28, 0xF0 | channel);
}

static void psg_level(u8 channel, u8 quiet)
{
    PSG = 0x90 | channel << 5 | quiet;
}

void sound_start(void)
{
    u8 channel;

    for (channel = 0; channel < 4; ++channel)
        psg_level(channel, 15);
    fm(0, 0x22, 0);
    fm(0, 0x27, 0);
    fm(0, 0x2B, 0);
    for (channel = 0; channel < 7; ++channel)
        if (channel != 3)
            key_off(channel);
    voice(LEAD, voices[0]);
    voice(ARPEGGIO, voices[1]);
    voice(BASS, voices[2]);
    voice(KICK, voices[3]);
    voice(BELL, voices[4]);
}

void sound(u8 effect)
{
    if (effect == SOUND_MUSIC || effect == SOUND_MUSIC_OFF) {
        music = effect == SOUND_MUSIC ? 1 : 2;
        row = 0;
        wait = 1;
        return;
    }
    playing[effects[effect].channel].next = effects[effect].words;
    playing[effects[effect].channel].odd = 0;
}

void sound_chain(u8 step)
{
    u8 i = step == 0 ? 0 : step < CHAIN_NOTES ? step - 1 : CHAIN_NOTES - 1;

    sound(SOUND_CHAIN + i);
    bell = 72 + 2 * i;
}

static void effect_frame(u8 channel)
{
    struct playing *p = &playing[channel];
    u16 word;

    if (!p->next || (p->odd ^= 1) == 0)
        return;
    word = *p->next++;
    if (word == EFFECT_END) {
        psg_level(channel, 15);
        p->next = NULL;
        return;
    }
    if (channel == 3)
        PSG = 0xE0 | (word & 7);
    else {
        PSG = 0x80 | channel << 5 | (word & 15);
        PSG = word >> 4 & 63;
    }
    psg_level(channel, word >> 12);
}

/* Hats and snare give way to an effect's noise. */
static void drum(u8 which)
{
    if (which == 1)
        key_on(KICK, 36);
    if (which < 2 || playing[3].next)
        return;
    PSG = which == 2 ? 0xE4 : 0xE5;
    psg_level(3, which == 2 ? 10 : 6);
    drum_left = which == 2 ? 2 : 5;
}

static void tune_step(void)
{
    const u8 *notes = tune[row];
    static const u8 channels[3] = { LEAD, ARPEGGIO, BASS };
    u8 i;

    for (i = 0; i < 3; ++i) {
        if (notes[i] == NOTE_REST)
            key_off(channels[i]);
        else if (notes[i] != NOTE_HOLD)
            key_on(channels[i], notes[i]);
    }
    drum(notes[3]);
    if (++row == tune_length)
        row = 0;
}

void sound_frame(void)
{
    u8 channel;

    if (music == 2) {
        music = 0;
        key_off(LEAD);
        key_off(ARPEGGIO);
        key_off(BASS);
    }
    if (music && --wait == 0) {
        wait = STEP_FRAMES;
        tune_step();
    }
    if (drum_left && --drum_left == 0 && !playing[3].next)
        psg_level(3, 15);
    if (bell) {
        key_on(BELL, bell);
        bell = 0;
    }
    for (channel = 0; channel < 4; ++channel)
        effect_frame(channel);
}
