/* After the lock: the halves drop, groups blink and vanish, the rest falls, until the field is still. */
#include "ram.h"

enum { HALVES, ITEM, LINKS, CHECK, REST, FALL, DONE, NUISANCE };

#define BLINK_FRAMES 30
#define FALL_FRAMES  2      /* frames per row */
#define HALF_SPEED   8
#define LEVEL_STEP   400

extern const u8 turn_x[4], turn_y[4];
extern u8 swing_x[2], swing_y[2];
static u8 stage[2], timer[2];
static u8 half_x[4], half_y[4], half_row[4], half_code[4];      /* p: axis, 2 + p: partner; code 0 = has landed */
static u8 half_px[4];
static u8 cleared[2], nuisance[2];
static u16 factor[2], to_next_level;

#ifndef CHAIN_POWER
#define CHAIN_POWER 0, 8, 16, 32, 64, 128, 256, 512, 999
#endif
static const u16 chain_power[10] = { 0, CHAIN_POWER };
static const u8 colour_bonus[7] = { 0, 0, 3, 6, 12, 24, 48 };

void settle_reset(void)
{
    to_next_level = LEVEL_STEP;
}

void lock_pair(void)
{
    u8 a = p, b = p + 2, o = TURN[p];

    CHAIN[p] = 0;
    PHASE[p] = SETTLING;
    if (BOTTOM[p] >= BIG) {
        stage[p] = ITEM;
        lock_item();
        return;
    }
    stage[p] = HALVES;
    sound(SND_LOCK);
    half_x[a] = X[p];
    half_x[b] = X[p] + turn_x[o];
    half_code[a] = BOTTOM[p];
    half_code[b] = TOP[p];
    half_px[a] = (X[p] << 4) + (p ? 128 : 0);
    half_px[b] = half_px[a] + (turn_x[o] << 4);
    half_y[a] = Y[p] << 4;
    half_y[b] = half_y[a] + (turn_y[o] << 4);
    lx = half_x[a];
    ly = Y[p];
    if (o == 0)
        ++ly;               /* the lower half decides */
    half_row[a] = lowest();
    half_row[b] = half_row[a];
    if (o == 0)
        --half_row[a];
    else if (o == 2)
        --half_row[b];
    else {
        lx = half_x[b];
        half_row[b] = lowest();
    }
}

/* The item has done its work: look for groups. */
void links_next(void)
{
    stage[p] = LINKS;
}

static void __fastcall__ drop_half(u8 h)
{
    u8 i;

    if (half_code[h] == 0)
        return;
    i = half_row[h] << 4;
    if (half_y[h] < i && (u8)(i - half_y[h]) > HALF_SPEED) {
        half_y[h] += HALF_SPEED;
        return;
    }
    i += half_x[h] << 1;
    fptr[i] = 0;
    fptr[i + 1] = CELL(half_code[h]);
    half_code[h] = 0;
}

/* May this seat do something long in this frame? Alone: always. */
u8 take(void)
{
    if (players == 1)
        return 1;
    if (heavy)
        return 0;
    if (finder && finder != p + 1)
        return 0;
    heavy = 1;
    return 1;
}

static void check(void)
{
    u8 colours, n = 0;

    if (!take())
        return;
    busy = 1;
#ifdef LAYOUT
    find_groups();          /* nothing of a search outlives the frame */
#else
    if (players == 1)
        find_groups();
    else if (stage[p] == CHECK) {
        find_begin();
        finder = p + 1;
        stage[p] = REST;
        return;
    } else {
        find_rest();
        finder = 0;
    }
#endif
    if (!grp_cleared) {
        stage[p] = DONE;
        return;
    }
    if (CHAIN[p] != 255)
        ++CHAIN[p];
    for (colours = grp_colours; colours; colours >>= 1)
        n += colours & 1;
    mult = chain_power[CHAIN[p] > 9 ? 9 : CHAIN[p]] + colour_bonus[n] + grp_bonus;
    if (mult == 0)
        mult = 1;
    else if (mult > 999)
        mult = 999;
    factor[p] = mult;
    cleared[p] = grp_cleared;
    nuisance[p] = grp_nuis;
    timer[p] = BLINK_FRAMES;
    PHASE[p] = BLINKING;
    chain_sign();
    sound_chain(CHAIN[p]);
}

/* grp_cleared and grp_nuis puyos are gone: score (times mult), block counter, level. */
void count_cleared(void)
{
    u8 t = grp_cleared + grp_nuis;

    add_score();
    add_blocks();
    if (players == 1 && LEVEL < 4) {
        if (to_next_level <= t) {
            to_next_level += LEVEL_STEP;
            ++LEVEL;
        }
        to_next_level -= t;
    }
}

static void blink(void)
{
    u8 t = --timer[p];

    if (t) {
        blink_style[p] = t < 6 ? 2 : t < 14 ? 1 : (t >> 2) & 1;
        return;
    }
    if (!take()) {
        timer[p] = 1;
        return;
    }
    blink_style[p] = 0;
    mult = factor[p];
    grp_cleared = cleared[p];
    grp_nuis = nuisance[p];
    nuisance_earned();
    count_cleared();
    clear_marked();
    busy = 1;
    timer[p] = FALL_FRAMES;
    stage[p] = FALL;
    PHASE[p] = SETTLING;
}

/* All is at rest. */
static void end_turn(void)
{
    if (fptr[0x17])         /* column 3, row 1 */
        PHASE[p] = OVER;
    else
        spawn();
}

/* One frame of SETTLING or BLINKING. */
void settle_frame(void)
{
    u8 i;

    CELL_CHANGED
    if (PHASE[p] == BLINKING) {
        blink();
        return;
    }
    switch (stage[p]) {
    case HALVES:
        drop_half(p);
        drop_half(p + 2);
        if (half_code[p] == 0 && half_code[p + 2] == 0)
            stage[p] = LINKS;
        break;
    case ITEM:
        item_frame();
        break;
    case LINKS:
        if (take()) {
            make_links();
            stage[p] = CHECK;
        }
        break;
    case CHECK:
    case REST:
        check();
        break;
    case FALL:
    case NUISANCE:
        if (--timer[p])
            break;
        if (!take()) {
            timer[p] = 1;
            break;
        }
        timer[p] = FALL_FRAMES;
        if (stage[p] == FALL) {
            if (!fall_one())
                stage[p] = LINKS;
        } else if (!nuisance_falls())
            end_turn();
        break;
    case DONE:
        if (players == 2) {
            if (!send_nuisance())
                break;
            if (fptr[0x17] == 0) {
                i = nuisance_due();
                if (i == WAIT)
                    break;
                if (i) {
                    stage[p] = NUISANCE;
                    timer[p] = FALL_FRAMES;
                    break;
                }
            }
        }
        end_turn();
        break;
    }
}

static void __fastcall__ puyo(u8 code)
{
    stile = sprite_of[code];
    sattr = cell_palette[code];
    spr_16();
}

/* Does what falls for p put 4 sprites on a line? */
u8 wide(void)
{
    if (PHASE[p] < SETTLING)
        return BOTTOM[p] >= BIG ? BOTTOM[p] == BIG : swing_x[p] != 0;
    if (PHASE[p] != SETTLING)
        return 0;
    if (stage[p] == ITEM)
        return BOTTOM[p] == BIG;
    return stage[p] == HALVES && half_code[p] && half_code[p + 2];
}

/* The pair, or its halves on their way down. */
void pair_sprites(void)
{
    u8 i, shape;

    first_sprite[p] = oam_pos;
    if (BOTTOM[p] >= BIG) {
        if (PHASE[p] < SETTLING)
            item_sprite();
        else if (PHASE[p] == SETTLING && stage[p] == ITEM)
            item_sprite();
    } else if (PHASE[p] == SPAWNS || PHASE[p] == CONTROL) {
        shape = pair_shape() << 3;
        sx = SPRITE_X[p];
        sy = SPRITE_Y[p];
        puyo(BOTTOM[p] + shape);
        sx += swing_x[p];
        sy += swing_y[p];
        if (shape == 8 && TURN[p] == 2)
            sy += 3;
        puyo(TOP[p] + shape);
    } else if (PHASE[p] == SETTLING && stage[p] == HALVES) {
        for (i = p; i < 4; i += 2)
            if (half_code[i]) {
                sx = half_px[i];
                sy = half_y[i];
                puyo(half_code[i]);
            }
    }
}
