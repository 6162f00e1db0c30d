/* YARDSTICK ONLY, see yardstick.c: planes, codes and resolving, as in bot/puyo/bits.py, codes.py and kernels.py. */
#include <stdint.h>
#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

typedef uint64_t u64;
typedef int64_t i64;

#define INLINE static inline __attribute__((always_inline))
enum { LANES = 8, WORDS = 18, NUISANCE = 16, LOCKS = 22, COLORS = 6, MEMORY = 32 };
enum { COLOR_BONUS = 24, GROUP_BONUS = 31, LIMIT = 55, UNIT = 56, LAST_SIZE = 23, LAST_STEP = 23 };

#define LANE 0xFFFFULL
#define EVERY(rows) ((((1ULL << (rows)) - 1) & LANE) * 0x000100010001ULL)
#define FLOOR 0x000100010001ULL
#define GUARD 0x800080008000ULL
#define WORD 0xFFFFFFFFFFFFULL
#define GROUPING_CELLS EVERY(GROUPING)
#define KEPT_CELLS EVERY(KEPT)
#define MOVING_CELLS EVERY(MOVING)
#define OBSTACLES (EVERY(14) & ~EVERY(VISIBLE - 2))
#define SPAWN_CELL (1ULL << (32 + VISIBLE - 1))
#define SPAWN_ROW (VISIBLE - 1)
#define SPAWN_COLUMN 2
#define REACH (3 + VISIBLE - 1)
#define POP(x) ((u64)__builtin_popcountll(x))

typedef u64 lanes __attribute__((vector_size(64), aligned(8)));
typedef struct { u64 low, high; } plane;
typedef struct { lanes low, high; } planes;
typedef struct { u64 a, b, c, d, e, f; } codes;
typedef struct { i64 count, nuisance, edge, spawn; } sums;
typedef struct { u64 clears; i64 consecutive, variance, links; } colored;

/* The same operations on one plane and on the planes of all colours. */
#define OPERATIONS(PLANE, _)                                                                                           \
    INLINE PLANE from_left##_(PLANE p) {                                                                               \
        return (PLANE){(p.low << 16) & WORD, ((p.high << 16) & WORD) | (p.low >> 32)};                                 \
    }                                                                                                                  \
    INLINE PLANE from_right##_(PLANE p) { return (PLANE){(p.low >> 16) | ((p.high & LANE) << 32), p.high >> 16}; }     \
    INLINE PLANE both##_(PLANE a, PLANE b) { return (PLANE){a.low & b.low, a.high & b.high}; }                         \
    INLINE PLANE either##_(PLANE a, PLANE b) { return (PLANE){a.low | b.low, a.high | b.high}; }                       \
    INLINE PLANE upper##_(PLANE p) { return (PLANE){p.low << 1, p.high << 1}; }                                        \
    INLINE PLANE lower##_(PLANE p) { return (PLANE){p.low >> 1, p.high >> 1}; }                                        \
    INLINE PLANE masked##_(PLANE p, u64 low, u64 high) { return (PLANE){p.low & low, p.high & high}; }                 \
    INLINE PLANE seeds##_(PLANE p) {                                                                                   \
        PLANE right = both##_(from_right##_(p), p), left = both##_(from_left##_(p), p);                                \
        PLANE up = both##_(lower##_(p), p), down = both##_(upper##_(p), p);                                            \
        PLANE beside = either##_(left, right), sides = both##_(left, right);                                           \
        PLANE along = either##_(up, down), through = both##_(up, down);                                                \
        PLANE three = either##_(both##_(sides, along), both##_(through, beside));                                      \
        PLANE two = either##_(either##_(sides, through), both##_(beside, along));                                      \
        PLANE near = either##_(from_right##_(two), from_left##_(two));                                                 \
        return either##_(three, both##_(two, either##_(near, either##_(lower##_(two), upper##_(two)))));               \
    }                                                                                                                  \
    INLINE PLANE grown##_(PLANE p) {                                                                                   \
        PLANE near = either##_(from_right##_(p), from_left##_(p));                                                     \
        return either##_(p, either##_(near, either##_(lower##_(p), upper##_(p))));                                     \
    }
OPERATIONS(plane, )
OPERATIONS(planes, s)

INLINE plane without(plane a, plane b) { return (plane){a.low & ~b.low, a.high & ~b.high}; }
INLINE int any(plane p) { return (p.low | p.high) != 0; }
INLINE u64 count(plane p) { return POP(p.low) + POP(p.high); }
INLINE lanes load(const u64 *words) {
    lanes v;
    memcpy(&v, words, sizeof v);
    return v;
}
INLINE void store(u64 *words, lanes v) { memcpy(words, &v, sizeof v); }
INLINE u64 any_of(lanes v) { return ((v[0] | v[4]) | (v[2] | v[6])) | ((v[1] | v[5]) | (v[3] | v[7])); }
INLINE u64 sum_of(lanes v) { return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7])); }
INLINE lanes pops(lanes v) {
#if defined __AVX512VPOPCNTDQ__ && defined __AVX512F__
    return (lanes)_mm512_popcnt_epi64((__m512i)v);
#else
    for (int k = 0; k < LANES; k++) v[k] = POP(v[k]);
    return v;
#endif
}
INLINE lanes counts(planes p) { return pops(p.low) + pops(p.high); }
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
        lanes v = load(board);
        store(board, (v & keep_low) | ((v & ~keep_low) >> 1));
        v = load(board + LANES);
        store(board + LANES, (v & keep_high) | ((v & ~keep_high) >> 1));
        board[NUISANCE] = (board[NUISANCE] & keep_low) | ((board[NUISANCE] & ~keep_low) >> 1);
        board[NUISANCE + 1] = (board[NUISANCE + 1] & keep_high) | ((board[NUISANCE + 1] & ~keep_high) >> 1);
        low = (low & rest_low) >> 1;
        high = (high & rest_high) >> 1;
    }
}

/* codes */
#define ALL 0xFFFFFFFFFFFFFFFFULL
static const u64 NOT_0[LANES] = {0, ALL, 0, ALL, 0, ALL, 0, ALL};
static const u64 NOT_1[LANES] = {ALL, 0, 0, ALL, ALL, 0, 0, ALL};
static const u64 NOT_2[LANES] = {ALL, ALL, ALL, 0, 0, 0, 0, ALL};
static const u64 COLORED[LANES] = {ALL, ALL, ALL, ALL, ALL, ALL, 0, 0};

INLINE planes colors_of(codes w) {
    lanes not_0 = load(NOT_0), not_1 = load(NOT_1), not_2 = load(NOT_2), is_color = load(COLORED);
    return (planes){(not_0 ^ w.a) & (not_1 ^ w.b) & (not_2 ^ w.c) & is_color,
                    (not_0 ^ w.d) & (not_1 ^ w.e) & (not_2 ^ w.f) & is_color};
}

INLINE codes encode(const u64 *board) {
    u64 low = board[NUISANCE], high = board[NUISANCE + 1];
    const u64 *up = board + LANES;
    return (codes){board[0] | board[2] | board[4] | low, board[1] | board[2] | board[5] | low,
                   board[3] | board[4] | board[5] | low, up[0] | up[2] | up[4] | high,
                   up[1] | up[2] | up[5] | high,         up[3] | up[4] | up[5] | high};
}
INLINE plane color_plane(codes w, int k) {
    return (plane){(w.a ^ NOT_0[k]) & (w.b ^ NOT_1[k]) & (w.c ^ NOT_2[k]),
                   (w.d ^ NOT_0[k]) & (w.e ^ NOT_1[k]) & (w.f ^ NOT_2[k])};
}
INLINE void decode(codes w, u64 *board) {
    planes p = colors_of(w);
    store(board, p.low);
    store(board + LANES, p.high);
    board[NUISANCE] = w.a & w.b & w.c;
    board[NUISANCE + 1] = w.d & w.e & w.f;
}
INLINE codes add(codes w, i64 color, plane p) {
    u64 in_0 = ~NOT_0[color], in_1 = ~NOT_1[color], in_2 = ~NOT_2[color];
    return (codes){w.a | (p.low & in_0),  w.b | (p.low & in_1),  w.c | (p.low & in_2),
                   w.d | (p.high & in_0), w.e | (p.high & in_1), w.f | (p.high & in_2)};
}
INLINE plane doomed(codes w) {
    planes own = maskeds(colors_of(w), GROUPING_CELLS, GROUPING_CELLS);
    planes all = boths(growns(seedss(own)), own);
    return (plane){any_of(all.low), any_of(all.high)};
}
#ifdef __BMI2__
INLINE u64 remaining(u64 gone) {
    return (LANE >> POP(gone & LANE)) | ((LANE >> POP(gone & LANE << 16)) << 16) | ((LANE >> POP(gone & LANE << 32)) << 32);
}
#endif
INLINE codes clear(codes w, plane p, i64 *dust) {
    plane near = grown(p);
    plane hit = {near.low & w.a & w.b & w.c & GROUPING_CELLS, near.high & w.d & w.e & w.f & GROUPING_CELLS};
    *dust = (i64)count(hit);
    u64 low = p.low | hit.low, high = p.high | hit.high;
#ifdef __BMI2__
    u64 to_low = remaining(low), to_high = remaining(high);
    return (codes){_pdep_u64(_pext_u64(w.a, ~low), to_low),   _pdep_u64(_pext_u64(w.b, ~low), to_low),
                   _pdep_u64(_pext_u64(w.c, ~low), to_low),   _pdep_u64(_pext_u64(w.d, ~high), to_high),
                   _pdep_u64(_pext_u64(w.e, ~high), to_high), _pdep_u64(_pext_u64(w.f, ~high), to_high)};
#else
    w = (codes){w.a & ~low, w.b & ~low, w.c & ~low, w.d & ~high, w.e & ~high, w.f & ~high};
    while (low) {
        u64 rest = (low | GUARD) - FLOOR, keep = rest & ~low & ~GUARD;
        w.a = (w.a & keep) | ((w.a & ~keep) >> 1);
        w.b = (w.b & keep) | ((w.b & ~keep) >> 1);
        w.c = (w.c & keep) | ((w.c & ~keep) >> 1);
        low = (low & rest) >> 1;
    }
    while (high) {
        u64 rest = (high | GUARD) - FLOOR, keep = rest & ~high & ~GUARD;
        w.d = (w.d & keep) | ((w.d & ~keep) >> 1);
        w.e = (w.e & keep) | ((w.e & ~keep) >> 1);
        w.f = (w.f & keep) | ((w.f & ~keep) >> 1);
        high = (high & rest) >> 1;
    }
    return w;
#endif
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
INLINE int any_clears(const u64 *board) {
    planes p = seedss(maskeds((planes){load(board), load(board + LANES)}, GROUPING_CELLS, GROUPING_CELLS));
    return any_of(p.low | p.high) != 0;
}
static i64 bonus_of_several(codes w, plane p, const i64 *table) {
    i64 colors = 0, bonus = 0;
    for (int k = 0; k < COLORS; k++) {
        plane own = both(color_plane(w, k), p);
        i64 size = (i64)count(own);
        if (!size) continue;
        colors++;
        while (size >= 8) {
            plane group = {own.low & (~own.low + 1), 0};
            if (!own.low) group.high = own.high & (~own.high + 1);
            i64 of_group = 0;
            for (;;) {
                group = both(grown(group), own);
                i64 now = (i64)count(group);
                if (now == of_group) break;
                of_group = now;
            }
            bonus += table[GROUP_BONUS + (of_group < LAST_SIZE ? of_group : LAST_SIZE)];
            own = without(own, group);
            size -= of_group;
        }
        if (size) bonus += table[GROUP_BONUS + size];
    }
    return bonus + table[COLOR_BONUS + colors];
}
static void resolve(u64 *board, const i64 *table, i64 *out) {
    settle(board);
    i64 score = 0, chain = 0, cleared = 0, dust;
    if (any_clears(board)) {
        codes w = encode(board);
        plane p = doomed(w);
        while (any(p)) {
            i64 size = (i64)count(p), bonus;
            if (size < 8)
                bonus = table[GROUP_BONUS + size] + table[COLOR_BONUS + 1];
            else
                bonus = bonus_of_several(w, p, table);
            bonus += table[chain < LAST_STEP ? chain : LAST_STEP];
            bonus = bonus < 1 ? 1 : bonus;
            score += table[UNIT] * size * (bonus < table[LIMIT] ? bonus : table[LIMIT]);
            w = clear(w, p, &dust);
            cleared += size + dust;
            chain++;
            p = doomed(w);
        }
        decode(w, board);
    }
    out[0] = score;
    out[1] = chain;
    out[2] = cleared;
}
static int settle_and_clear(u64 *board) {
    settle(board);
    if (!any_clears(board)) return 0;
    codes w = encode(board);
    i64 dust;
    for (plane p = doomed(w); any(p); p = doomed(w)) w = clear(w, p, &dust);
    decode(w, board);
    return 1;
}
void resolve_boards(u64 *boards, i64 n, const i64 *table, i64 *results) {
    for (i64 i = 0; i < n; i++) resolve(boards + WORDS * i, table, results + 3 * i);
}
void repeat_resolve(const u64 *boards, i64 n, const i64 *table, i64 times, u64 *board, i64 *sum) {
    i64 out[3];
    for (i64 t = 0; t < times; t++)
        for (i64 i = 0; i < n; i++) {
            memcpy(board, boards + WORDS * i, WORDS * sizeof *board);
            resolve(board, table, out);
            for (int k = 0; k < 3; k++) sum[k] += out[k];
        }
}
