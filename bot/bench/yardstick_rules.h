/* YARDSTICK ONLY, see yardstick.c: planes, codes and resolving, as in bot/puyo/bits.py, codes.py and kernels.py. */
#include <stdint.h>
#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

typedef uint64_t u64;
typedef int64_t i64;

#define INLINE static inline __attribute__((always_inline))
enum { LANES = 8, WORDS = 18, NUISANCE = 16, LOCKS = 22, MEMORY = 32 };
enum { COLOR_BONUS = 24, GROUP_BONUS = 31, LIMIT = 55, UNIT = 56, LAST_SIZE = 23, LAST_STEP = 23 };

#define LANE 0xFFFFULL
#define EVERY(rows) ((((1ULL << (rows)) - 1) & LANE) * 0x000100010001ULL)
#define EVERY_WEST(rows) ((((1ULL << (rows)) - 1) & LANE) * FLOOR_WEST)
#define EVERY_EAST(rows) ((((1ULL << (rows)) - 1) & LANE) * 0x00010001ULL)
#define FLOOR 0x000100010001ULL
#define FLOOR_WEST 0x0001000100010001ULL
#define GUARD 0x800080008000ULL
#define GUARD_WEST 0x8000800080008000ULL
#define WORD 0xFFFFFFFFFFFFULL
#define KEPT_CELLS EVERY(KEPT)
#define MOVING_CELLS EVERY(MOVING)
#define OBSTACLES (EVERY(14) & ~EVERY(VISIBLE - 2))
#define SPAWN_CELL (1ULL << (32 + VISIBLE - 1))
#define SPAWN_ROW (VISIBLE - 1)
#define SPAWN_COLUMN 2
#define REACH (3 + VISIBLE - 1)
#define POP(x) ((u64)__builtin_popcountll(x))
#define ALL 0xFFFFFFFFFFFFFFFFULL

/* A plane is two words: low and high with three columns each where boards are concerned, west and east with four and
 * two where groups are; then also the 128 bits of a vector. All colours, four or six (COLORS), are "colors": two planes
 * in each part, so that every processor with registers of 256 bits holds one in a register. */
typedef struct { u64 low, high; } plane;
typedef struct { u64 west, east; } wide;
typedef u64 cells __attribute__((vector_size(16)));
typedef uint8_t cell_bytes __attribute__((vector_size(16)));
typedef u64 part __attribute__((vector_size(32)));
typedef uint8_t part_bytes __attribute__((vector_size(32)));
typedef u64 lanes __attribute__((vector_size(COLORS > 4 ? 64 : 32), aligned(8)));
enum { PARTS = COLORS / 2 };
typedef struct { part in[PARTS]; } colors;
typedef struct { u64 a, b, c, d, e, f; } codes;
typedef struct { i64 count, nuisance, edge, spawn; } sums;
typedef struct { i64 n, x, y, squares; } moments;

INLINE plane from_left(plane p) { return (plane){(p.low << 16) & WORD, ((p.high << 16) & WORD) | (p.low >> 32)}; }
INLINE plane from_right(plane p) { return (plane){(p.low >> 16) | ((p.high & LANE) << 32), p.high >> 16}; }
INLINE plane both(plane a, plane b) { return (plane){a.low & b.low, a.high & b.high}; }
INLINE plane either(plane a, plane b) { return (plane){a.low | b.low, a.high | b.high}; }
INLINE plane upper(plane p) { return (plane){p.low << 1, p.high << 1}; }
INLINE plane lower(plane p) { return (plane){p.low >> 1, p.high >> 1}; }
INLINE plane without(plane a, plane b) { return (plane){a.low & ~b.low, a.high & ~b.high}; }
INLINE int any(plane p) { return (p.low | p.high) != 0; }
INLINE u64 count(plane p) { return POP(p.low) + POP(p.high); }
INLINE wide packed(plane p) { return (wide){p.low | (p.high << 48), p.high >> 16}; }
INLINE u64 count_wide(wide p) { return POP(p.west) + POP(p.east); }
INLINE cells cells_of(u64 west, u64 east) { return (cells){west, east}; }
INLINE wide words_of(cells v) { return (wide){v[0], v[1]}; }
INLINE int any_cell(cells v) { return (v[0] | v[1]) != 0; }

INLINE part right_part(part v) {
    const part_bytes none = {0};
    return (part)__builtin_shuffle(none, (part_bytes)v, (part_bytes){0, 0, 32, 33, 34, 35, 36, 37, 38, 39, 40,
                                   41, 42, 43, 44, 45, 0, 0, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61});
}
INLINE part left_part(part v) {
    const part_bytes none = {0};
    return (part)__builtin_shuffle(none, (part_bytes)v, (part_bytes){34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46,
                                   47, 0, 0, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 0, 0});
}
INLINE cells right_cells(cells v) {
    const cell_bytes none = {0};
    return (cells)__builtin_shuffle(none, (cell_bytes)v,
                                    (cell_bytes){0, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29});
}
INLINE cells left_cells(cells v) {
    const cell_bytes none = {0};
    return (cells)__builtin_shuffle(none, (cell_bytes)v,
                                    (cell_bytes){18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 0, 0});
}
INLINE cells grown_cells(cells v) { return v | left_cells(v) | right_cells(v) | (v >> 1) | (v << 1); }
INLINE wide grown_wide(wide p) {
    return (wide){p.west | (p.west << 16) | (p.west >> 16) | (p.east << 48) | (p.west >> 1) | (p.west << 1),
                  p.east | (p.east << 16) | (p.east >> 16) | (p.west >> 48) | (p.east >> 1) | (p.east << 1)};
}
INLINE part pair_of(cells v) { return (part){v[0], v[1], v[0], v[1]}; }
INLINE cells folded(part v) { return (cells){v[0], v[1]} | (cells){v[2], v[3]}; }
#define EACH for (int k = 0; k < PARTS; k++)
INLINE cells united(colors p) {
    part all = p.in[0] | p.in[1];
    if (PARTS > 2) all |= p.in[PARTS - 1];
    return folded(all);
}
INLINE u64 pairs(colors p) { return count_wide(words_of(united(p))); }
INLINE colors masked(colors p, cells mask) {
    EACH p.in[k] &= pair_of(mask);
    return p;
}
#define GROUPING_CELLS cells_of(EVERY_WEST(GROUPING), EVERY_EAST(GROUPING))

INLINE void neighbours(part p, part *three, part *two) {
    part right = left_part(p) & p, left = right_part(p) & p, up = (p >> 1) & p, down = (p << 1) & p;
    part beside = left | right, sides = left & right, along = up | down, through = up & down;
    *three = (sides & along) | (through & beside);
    *two = sides | through | (beside & along);
}
INLINE int may_clear(colors p) {
    part three, two;
    EACH {
        neighbours(p.in[k], &three, &two);
        p.in[k] = three | (two & (left_part(two) | (two >> 1)));
    }
    return any_cell(united(p));
}
INLINE cells doomed_of(colors p) {
    p = masked(p, GROUPING_CELLS);
    EACH {
        part three, two, own = p.in[k];
        neighbours(own, &three, &two);
        part seed = three | (two & (left_part(two) | right_part(two) | (two >> 1) | (two << 1)));
        p.in[k] = (seed | left_part(seed) | right_part(seed) | (seed >> 1) | (seed << 1)) & own;
    }
    return united(p);
}

INLINE lanes load(const u64 *words) {
    lanes v;
    memcpy(&v, words, sizeof v);
    return v;
}
/* In the pieces in which boards are read: others would wait in the store buffer. */
INLINE void copy(u64 *to, const u64 *from) {
    for (int k = 0; k < 2 * LANES; k += 4) {
        part v;
        memcpy(&v, from + k, sizeof v);
        memcpy(to + k, &v, sizeof v);
    }
    to[NUISANCE] = from[NUISANCE];
    to[NUISANCE + 1] = from[NUISANCE + 1];
}
INLINE u64 any_of(lanes v) {
#if COLORS > 4
    return ((v[0] | v[4]) | (v[2] | v[6])) | ((v[1] | v[5]) | (v[3] | v[7]));
#else
    return (v[0] | v[2]) | (v[1] | v[3]);
#endif
}
/* The colours 0, 2, then 1, 3, then 4, 5: as the processor's instructions make them of vectors of low and high words. */
INLINE colors gather(const u64 *board) {
    lanes low = load(board), high = load(board + LANES), west = low | (high << 48), east = high >> 16;
    colors p;
    p.in[0] = (part){west[0], east[0], west[2], east[2]};
    p.in[1] = (part){west[1], east[1], west[3], east[3]};
#if COLORS > 4
    p.in[2] = (part){west[4], east[4], west[5], east[5]};
#endif
    return p;
}
INLINE plane occupied(const u64 *board) {
    return (plane){any_of(load(board)) | board[NUISANCE], any_of(load(board + LANES)) | board[NUISANCE + 1]};
}
INLINE u64 holes(u64 occupied_word) {
    u64 below = occupied_word;
    below |= (below >> 1) & 0x7FFF7FFF7FFFULL;
    below |= (below >> 2) & 0x3FFF3FFF3FFFULL;
    below |= (below >> 4) & 0x0FFF0FFF0FFFULL;
    below |= (below >> 8) & 0x00FF00FF00FFULL;
    return below & ~occupied_word;
}
INLINE u64 floats(u64 word) { return (word + FLOOR) & word; }

INLINE void fall(u64 *board, u64 low, u64 high) {
    while (low | high) {
        u64 rest_low = (low | GUARD) - FLOOR, rest_high = (high | GUARD) - FLOOR;
        u64 keep_low = rest_low & ~low & ~GUARD, keep_high = rest_high & ~high & ~GUARD;
        for (int k = 0; k < WORDS; k++) {
            u64 keep = k < LANES || k == NUISANCE ? keep_low : keep_high;
            board[k] = (board[k] & keep) | ((board[k] & ~keep) >> 1);
        }
        low = (low & rest_low) >> 1;
        high = (high & rest_high) >> 1;
    }
}

/* codes */
static const u64 NOT_0[LANES] = {0, ALL, 0, ALL, 0, ALL, 0, ALL};
static const u64 NOT_1[LANES] = {ALL, 0, 0, ALL, ALL, 0, 0, ALL};
static const u64 NOT_2[LANES] = {ALL, ALL, ALL, 0, 0, 0, 0, ALL};
#define TWO(first, second) (part){first, first, second, second}

INLINE colors colors_of(codes w) {
    part a = pair_of(cells_of(w.a, w.d)), b = pair_of(cells_of(w.b, w.e)), c = pair_of(cells_of(w.c, w.f));
    colors p;
    p.in[0] = (TWO(0, 0) ^ a) & (TWO(ALL, 0) ^ b) & (TWO(ALL, ALL) ^ c);
    p.in[1] = (TWO(ALL, ALL) ^ a) & (TWO(0, ALL) ^ b) & (TWO(ALL, 0) ^ c);
#if COLORS > 4
    p.in[2] = (TWO(0, ALL) ^ a) & (TWO(ALL, 0) ^ b) & (TWO(0, 0) ^ c);
#endif
    return p;
}
INLINE codes encode(const u64 *board) {
    const u64 *up = board + LANES;
    plane a = {board[0] | board[2] | board[NUISANCE], up[0] | up[2] | board[NUISANCE + 1]};
    plane b = {board[1] | board[2] | board[NUISANCE], up[1] | up[2] | board[NUISANCE + 1]};
    plane c = {board[3] | board[NUISANCE], up[3] | board[NUISANCE + 1]};
#if COLORS > 4
    a = either(a, (plane){board[4], up[4]});
    b = either(b, (plane){board[5], up[5]});
    c = either(c, (plane){board[4] | board[5], up[4] | up[5]});
#endif
    wide wa = packed(a), wb = packed(b), wc = packed(c);
    return (codes){wa.west, wb.west, wc.west, wa.east, wb.east, wc.east};
}
INLINE wide puyos(codes w) { return (wide){w.a | w.b | w.c, w.d | w.e | w.f}; }
INLINE wide nuisance(codes w) { return (wide){w.a & w.b & w.c, w.d & w.e & w.f}; }
INLINE wide color_plane(codes w, i64 k) {
    return (wide){(w.a ^ NOT_0[k]) & (w.b ^ NOT_1[k]) & (w.c ^ NOT_2[k]),
                  (w.d ^ NOT_0[k]) & (w.e ^ NOT_1[k]) & (w.f ^ NOT_2[k])};
}
INLINE void decode_half(u64 a, u64 b, u64 c, u64 *words) {
    for (int k = 0; k < COLORS; k++) words[k] = (a ^ NOT_0[k]) & (b ^ NOT_1[k]) & (c ^ NOT_2[k]);
}
INLINE void decode(codes w, u64 *board) {
    u64 a = w.a & WORD, b = w.b & WORD, c = w.c & WORD;
    u64 d = (w.a >> 48) | (w.d << 16), e = (w.b >> 48) | (w.e << 16), f = (w.c >> 48) | (w.f << 16);
    decode_half(a, b, c, board);
    decode_half(d, e, f, board + LANES);
    board[NUISANCE] = a & b & c;
    board[NUISANCE + 1] = d & e & f;
}
INLINE codes add(codes w, i64 color, wide p) {
    u64 in_0 = ~NOT_0[color], in_1 = ~NOT_1[color], in_2 = ~NOT_2[color];
    return (codes){w.a | (p.west & in_0), w.b | (p.west & in_1), w.c | (p.west & in_2),
                   w.d | (p.east & in_0), w.e | (p.east & in_1), w.f | (p.east & in_2)};
}
#define LEFT(gone, x) ((LANE >> POP((gone) & LANE << 16 * (x))) << 16 * (x))
INLINE codes clear(codes w, cells found, i64 *cleared) {
    cells dust = cells_of(w.a, w.d) & cells_of(w.b, w.e) & cells_of(w.c, w.f) & GROUPING_CELLS;
    wide gone = words_of(found | (grown_cells(found) & dust));
    *cleared = (i64)count_wide(gone);
    u64 west = gone.west, east = gone.east;
#ifdef __BMI2__
    u64 to_west = LEFT(west, 0) | LEFT(west, 1) | LEFT(west, 2) | LEFT(west, 3), to_east = LEFT(east, 0) | LEFT(east, 1);
    return (codes){_pdep_u64(_pext_u64(w.a, ~west), to_west), _pdep_u64(_pext_u64(w.b, ~west), to_west),
                   _pdep_u64(_pext_u64(w.c, ~west), to_west), _pdep_u64(_pext_u64(w.d, ~east), to_east),
                   _pdep_u64(_pext_u64(w.e, ~east), to_east), _pdep_u64(_pext_u64(w.f, ~east), to_east)};
#else
    w = (codes){w.a & ~west, w.b & ~west, w.c & ~west, w.d & ~east, w.e & ~east, w.f & ~east};
    while (west) {
        u64 rest = (west | GUARD_WEST) - FLOOR_WEST, keep = rest & ~west & ~GUARD_WEST;
        w.a = (w.a & keep) | ((w.a & ~keep) >> 1);
        w.b = (w.b & keep) | ((w.b & ~keep) >> 1);
        w.c = (w.c & keep) | ((w.c & ~keep) >> 1);
        west = (west & rest) >> 1;
    }
    while (east) {
        u64 rest = (east | GUARD_WEST) - FLOOR_WEST, keep = rest & ~east & ~GUARD_WEST;
        w.d = (w.d & keep) | ((w.d & ~keep) >> 1);
        w.e = (w.e & keep) | ((w.e & ~keep) >> 1);
        w.f = (w.f & keep) | ((w.f & ~keep) >> 1);
        east = (east & rest) >> 1;
    }
    return w;
#endif
}
INLINE codes resolve_codes(codes w, colors p) {
    i64 cleared;
    for (cells found = doomed_of(p); any_cell(found); found = doomed_of(colors_of(w))) w = clear(w, found, &cleared);
    return w;
}

/* resolving */
INLINE void settle(u64 *board) {
    plane p = occupied(board);
    if (floats(p.low) | floats(p.high)) {
        fall(board, holes(p.low), holes(p.high));
        p = occupied(board);
    }
    if (KEPT < 14 && ((p.low | p.high) & ~KEPT_CELLS))
        for (int k = 0; k < WORDS; k++) board[k] &= KEPT_CELLS;
}
static i64 bonus_of_groups(wide p, u64 size, const i64 *table) {
    i64 bonus = 0;
    while (size >= 8) {
        wide group = {p.west & (~p.west + 1), p.west ? 0 : p.east & (~p.east + 1)};
        u64 of_group = 0;
        for (;;) {
            group = grown_wide(group);
            group = (wide){group.west & p.west, group.east & p.east};
            u64 now = count_wide(group);
            if (now == of_group) break;
            of_group = now;
        }
        bonus += table[GROUP_BONUS + (of_group < LAST_SIZE ? of_group : LAST_SIZE)];
        p = (wide){p.west & ~group.west, p.east & ~group.east};
        size -= of_group;
    }
    if (size) bonus += table[GROUP_BONUS + size];
    return bonus;
}
INLINE i64 bonus_of_color(u64 west, u64 east, const i64 *table, i64 *found) {
    wide p = {west, east};
    u64 size = count_wide(p);
    *found += size != 0;
    return size >= 8 ? bonus_of_groups(p, size, table) : (size != 0) * table[GROUP_BONUS + size];
}
static i64 bonus_of_several(codes w, wide p, const i64 *table) {
    u64 a = w.a & p.west, b = w.b & p.west, c = w.c & p.west, d = w.d & p.east, e = w.e & p.east, f = w.f & p.east;
    i64 found = 0, bonus = bonus_of_color(a & ~b & ~c, d & ~e & ~f, table, &found);
    bonus += bonus_of_color(b & ~a & ~c, e & ~d & ~f, table, &found);
    bonus += bonus_of_color(a & b, d & e, table, &found);
    bonus += bonus_of_color(c & ~a & ~b, f & ~d & ~e, table, &found);
#if COLORS > 4
    bonus += bonus_of_color(a & c, d & f, table, &found);
    bonus += bonus_of_color(b & c, e & f, table, &found);
#endif
    return bonus + table[COLOR_BONUS + found];
}
static void resolve(u64 *board, const i64 *table, i64 *out) {
    settle(board);
    i64 score = 0, chain = 0, cleared = 0, gone;
    colors p = gather(board);
    if (may_clear(masked(p, GROUPING_CELLS))) {
        codes w = encode(board);
        cells found = doomed_of(p);
        while (any_cell(found)) {
            wide all = words_of(found);
            i64 size = (i64)count_wide(all), bonus;
            if (size < 8)
                bonus = table[GROUP_BONUS + size] + table[COLOR_BONUS + 1];
            else
                bonus = bonus_of_several(w, all, table);
            bonus += table[chain < LAST_STEP ? chain : LAST_STEP];
            bonus = bonus < 1 ? 1 : bonus;
            score += table[UNIT] * size * (bonus < table[LIMIT] ? bonus : table[LIMIT]);
            w = clear(w, found, &gone);
            cleared += gone;
            chain++;
            found = doomed_of(colors_of(w));
        }
        decode(w, board);
    }
    out[0] = score;
    out[1] = chain;
    out[2] = cleared;
}
static int settle_and_clear(u64 *board) {
    settle(board);
    colors p = gather(board);
    if (!may_clear(masked(p, GROUPING_CELLS))) return 0;
    decode(resolve_codes(encode(board), p), board);
    return 1;
}
void resolve_boards(u64 *boards, i64 n, const i64 *table, i64 *results) {
    for (i64 i = 0; i < n; i++) resolve(boards + WORDS * i, table, results + 3 * i);
}
void repeat_resolve(const u64 *boards, i64 n, const i64 *table, i64 times, u64 *board, i64 *sum) {
    i64 out[3];
    for (i64 t = 0; t < times; t++)
        for (i64 i = 0; i < n; i++) {
            copy(board, boards + WORDS * i);
            resolve(board, table, out);
            for (int k = 0; k < 3; k++) sum[k] += out[k];
        }
}
