/* YARDSTICK ONLY, see yardstick.c: what bits.py, planes.py, codes.py and resolve.py of ochibot/puyo/kernels do. */
#include <stdint.h>
#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

typedef uint64_t u64;
typedef int64_t i64;

#define INLINE static inline __attribute__((always_inline))
enum { WORDS = 6, COLORS = 6, LOCKS = 22, MEMORY = 32 };
enum { COLOR_BONUS = 24, GROUP_BONUS = 31, LIMIT = 55, UNIT = 56, LAST_SIZE = 23, LAST_STEP = 23 };

#define LANE 0xFFFFULL
#define FLOOR 0x0001000100010001ULL
#define GUARD 0x8000800080008000ULL
#define EAST_WORD 0xFFFFFFFFULL
#define ROWS_OF(rows) ((((1ULL << (rows)) - 1) & LANE) * FLOOR)
#define EVERY(rows) (plane){ROWS_OF(rows), ROWS_OF(rows) & EAST_WORD}
#define OBSTACLES (ROWS_OF(14) & ~ROWS_OF(VISIBLE - 2))
#define SPAWN_CELL (1ULL << (32 + VISIBLE - 1))
#define SPAWN_ROW (VISIBLE - 1)
#define SPAWN_COLUMN 2
#define REACH (3 + VISIBLE - 1)
#define POP(x) ((u64)__builtin_popcountll(x))
#define ALL 0xFFFFFFFFFFFFFFFFULL

/* A plane is two words, west with four columns and east with two; as a vector, "cells". */
typedef struct { u64 west, east; } plane;
typedef u64 cells __attribute__((vector_size(16)));
typedef uint8_t cell_bytes __attribute__((vector_size(16)));
typedef struct { u64 a, b, c, d, e, f; } codes;
typedef struct { cells a, b, c; } vectors;
typedef struct { cells right, up; } links;
typedef struct { i64 count, nuisance, edge, spawn; } sums;
typedef struct { i64 n, x, y, squares; } moments;

/* planes */
INLINE plane from_left(plane p) { return (plane){p.west << 16, ((p.east << 16) & EAST_WORD) | (p.west >> 48)}; }
INLINE plane from_right(plane p) { return (plane){(p.west >> 16) | (p.east << 48), p.east >> 16}; }
INLINE plane both(plane a, plane b) { return (plane){a.west & b.west, a.east & b.east}; }
INLINE plane either(plane a, plane b) { return (plane){a.west | b.west, a.east | b.east}; }
INLINE plane without(plane a, plane b) { return (plane){a.west & ~b.west, a.east & ~b.east}; }
INLINE plane upper(plane p) { return (plane){p.west << 1, p.east << 1}; }
INLINE plane lower(plane p) { return (plane){p.west >> 1, p.east >> 1}; }
INLINE int any(plane p) { return (p.west | p.east) != 0; }
INLINE u64 count(plane p) { return POP(p.west) + POP(p.east); }
INLINE plane grown(plane p) {
    return (plane){p.west | (p.west << 16) | (p.west >> 16) | (p.east << 48) | (p.west >> 1) | (p.west << 1),
                   p.east | (p.east << 16) | (p.east >> 16) | (p.west >> 48) | (p.east >> 1) | (p.east << 1)};
}
INLINE u64 holes(u64 word) {
    u64 below = word;
    below |= (below >> 1) & ROWS_OF(15);
    below |= (below >> 2) & ROWS_OF(14);
    below |= (below >> 4) & ROWS_OF(12);
    below |= (below >> 8) & ROWS_OF(8);
    return below & ~word;
}
INLINE u64 floats(u64 word) { return (word + FLOOR) & word; }

INLINE cells cells_of(plane p) { return (cells){p.west, p.east}; }
INLINE plane plane_of(cells v) { return (plane){v[0], v[1]}; }
INLINE int any_cell(cells v) { return (v[0] | v[1]) != 0; }
INLINE i64 size_of(cells v) { return (i64)count(plane_of(v)); }
INLINE cells right_cells(cells v) {
    const cell_bytes none = {0};
    return (cells)__builtin_shuffle(none, (cell_bytes)v,
                                    (cell_bytes){0, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29});
}
INLINE cells right_cells_2(cells v) {
    const cell_bytes none = {0};
    return (cells)__builtin_shuffle(none, (cell_bytes)v,
                                    (cell_bytes){0, 0, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27});
}
INLINE cells left_cells(cells v) {
    const cell_bytes none = {0};
    return (cells)__builtin_shuffle(none, (cell_bytes)v,
                                    (cell_bytes){18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 0, 0});
}
INLINE cells around(cells v) { return right_cells(v) | left_cells(v) | (v << 1) | (v >> 1); }

/* codes */
static const u64 BIT_0[COLORS] = {ALL, 0, ALL, 0, ALL, 0};
static const u64 BIT_1[COLORS] = {0, ALL, ALL, 0, 0, ALL};
static const u64 BIT_2[COLORS] = {0, 0, 0, ALL, ALL, ALL};

INLINE codes load(const u64 *board) { return (codes){board[0], board[2], board[4], board[1], board[3], board[5]}; }
INLINE void save(codes w, u64 *board) {
    board[0] = w.a, board[1] = w.d, board[2] = w.b, board[3] = w.e, board[4] = w.c, board[5] = w.f;
}
INLINE plane puyos(codes w) { return (plane){w.a | w.b | w.c, w.d | w.e | w.f}; }
INLINE plane nuisance(codes w) { return (plane){w.a & w.b & w.c, w.d & w.e & w.f}; }
INLINE plane color_plane(codes w, i64 k) {
    return (plane){~((w.a ^ BIT_0[k]) | (w.b ^ BIT_1[k]) | (w.c ^ BIT_2[k])),
                   ~((w.d ^ BIT_0[k]) | (w.e ^ BIT_1[k]) | (w.f ^ BIT_2[k]))};
}
INLINE codes add(codes w, i64 k, plane p) {
    return (codes){w.a | (p.west & BIT_0[k]), w.b | (p.west & BIT_1[k]), w.c | (p.west & BIT_2[k]),
                   w.d | (p.east & BIT_0[k]), w.e | (p.east & BIT_1[k]), w.f | (p.east & BIT_2[k])};
}
INLINE vectors vectors_of(codes w) { return (vectors){{w.a, w.d}, {w.b, w.e}, {w.c, w.f}}; }
INLINE codes codes_of(vectors v) { return (codes){v.a[0], v.b[0], v.c[0], v.a[1], v.b[1], v.c[1]}; }
INLINE vectors added(vectors v, i64 k, cells p) {
    return (vectors){v.a | (p & BIT_0[k]), v.b | (p & BIT_1[k]), v.c | (p & BIT_2[k])};
}
INLINE links alike(vectors v, cells *colored) {
    *colored = (v.a ^ v.b) | (v.b ^ v.c);
    cells right = (v.a ^ left_cells(v.a)) | (v.b ^ left_cells(v.b)) | (v.c ^ left_cells(v.c));
    cells up = (v.a ^ (v.a >> 1)) | (v.b ^ (v.b >> 1)) | (v.c ^ (v.c >> 1));
    return (links){~right & *colored, ~up & *colored};
}
INLINE links linked(links l) {
    return (links){l.right & cells_of(EVERY(GROUPING)), l.up & cells_of(EVERY(GROUPING - 1))};
}
INLINE void cores(links l, cells *three, cells *two, cells *left, cells *down) {
    *left = right_cells(l.right), *down = l.up << 1;
    cells beside = *left | l.right, sides = *left & l.right, along = l.up | *down, through = l.up & *down;
    *two = sides | through | (beside & along);
    *three = (sides & along) | (through & beside);
}
INLINE int may_clear(links l) {
    cells three, two, left, down;
    cores(l, &three, &two, &left, &down);
    return any_cell(three | (two & ((left_cells(two) & l.right) | ((two >> 1) & l.up))));
}
INLINE int clears(codes w) {
    cells colored;
    return may_clear(linked(alike(vectors_of(w), &colored)));
}
INLINE cells linked_to(cells v, cells left, cells right, cells down, cells up) {
    return (right_cells(v) & left) | (left_cells(v) & right) | ((v << 1) & down) | ((v >> 1) & up);
}
INLINE cells doomed(codes w) {
    cells colored, three, two, left, down;
    links l = linked(alike(vectors_of(w), &colored));
    cores(l, &three, &two, &left, &down);
    cells seeds = three | (two & linked_to(two, left, l.right, down, l.up));
    return seeds | linked_to(seeds, left, l.right, down, l.up);
}
#define LEFT(gone, x) ((LANE >> POP((gone) & LANE << 16 * (x))) << 16 * (x))
INLINE codes taken_out(codes w, plane gone) {
    u64 west = gone.west, east = gone.east;
#ifdef __BMI2__
    u64 to_west = LEFT(west, 0) | LEFT(west, 1) | LEFT(west, 2) | LEFT(west, 3);
    u64 to_east = LEFT(east, 0) | LEFT(east, 1);
    return (codes){_pdep_u64(_pext_u64(w.a, ~west), to_west), _pdep_u64(_pext_u64(w.b, ~west), to_west),
                   _pdep_u64(_pext_u64(w.c, ~west), to_west), _pdep_u64(_pext_u64(w.d, ~east), to_east),
                   _pdep_u64(_pext_u64(w.e, ~east), to_east), _pdep_u64(_pext_u64(w.f, ~east), to_east)};
#else
    w = (codes){w.a & ~west, w.b & ~west, w.c & ~west, w.d & ~east, w.e & ~east, w.f & ~east};
    while (west) {
        u64 rest = (west | GUARD) - FLOOR, keep = rest & ~west & ~GUARD;
        w.a = (w.a & keep) | ((w.a & ~keep) >> 1);
        w.b = (w.b & keep) | ((w.b & ~keep) >> 1);
        w.c = (w.c & keep) | ((w.c & ~keep) >> 1);
        west = (west & rest) >> 1;
    }
    while (east) {
        u64 rest = (east | GUARD) - FLOOR, keep = rest & ~east & ~GUARD;
        w.d = (w.d & keep) | ((w.d & ~keep) >> 1);
        w.e = (w.e & keep) | ((w.e & ~keep) >> 1);
        w.f = (w.f & keep) | ((w.f & ~keep) >> 1);
        east = (east & rest) >> 1;
    }
    return w;
#endif
}
INLINE codes clear(codes w, cells found, int dusty, i64 *cleared) {
    plane gone = plane_of(found);
    if (dusty) {
        vectors v = vectors_of(w);
        gone = plane_of(found | (around(found) & v.a & v.b & v.c & cells_of(EVERY(GROUPING))));
    }
    *cleared = (i64)count(gone);
    return taken_out(w, gone);
}
INLINE codes settled(codes w) {
    plane p = puyos(w);
    if (floats(p.west) | floats(p.east)) w = taken_out(w, (plane){holes(p.west), holes(p.east)});
    if (KEPT < 14) {
        plane kept = EVERY(KEPT);
        w = (codes){w.a & kept.west, w.b & kept.west, w.c & kept.west,
                    w.d & kept.east, w.e & kept.east, w.f & kept.east};
    }
    return w;
}
INLINE codes resolved(codes w) {
    i64 cleared;
    int dusty = any(nuisance(w));
    for (cells found = doomed(w); any_cell(found); found = doomed(w)) w = clear(w, found, dusty, &cleared);
    return w;
}

/* resolving */
static i64 bonus_of_groups(codes w, plane all, const i64 *table) {
    i64 bonus = 0;
    for (int k = 0; k < COLORS; k++) {
        plane p = both(color_plane(w, k), all);
        u64 size = count(p);
        while (size >= 8) {
            plane group = {p.west & (~p.west + 1), p.west ? 0 : p.east & (~p.east + 1)};
            u64 of_group = 0;
            for (;;) {
                group = both(grown(group), p);
                u64 now = count(group);
                if (now == of_group) break;
                of_group = now;
            }
            bonus += table[GROUP_BONUS + (of_group < LAST_SIZE ? of_group : LAST_SIZE)];
            p = without(p, group);
            size -= of_group;
        }
        bonus += table[GROUP_BONUS + size];
    }
    return bonus;
}
INLINE i64 bonus_of_several(codes w, plane p, const i64 *table) {
    u64 a = w.a & p.west, b = w.b & p.west, c = w.c & p.west, d = w.d & p.east, e = w.e & p.east, f = w.f & p.east;
    u64 sizes[COLORS] = {POP(a & ~b & ~c) + POP(d & ~e & ~f), POP(b & ~a & ~c) + POP(e & ~d & ~f),
                         POP(a & b) + POP(d & e),             POP(c & ~a & ~b) + POP(f & ~d & ~e),
                         POP(a & c) + POP(d & f),             POP(b & c) + POP(e & f)};
    u64 largest = 0;
    i64 found = 0;
    for (int k = 0; k < COLORS; k++) {
        found += sizes[k] > 0;
        largest = sizes[k] > largest ? sizes[k] : largest;
    }
    i64 bonus = table[COLOR_BONUS + found];
    if (largest >= 8) return bonus + bonus_of_groups(w, p, table);
    for (int k = 0; k < COLORS; k++) bonus += table[GROUP_BONUS + sizes[k]];
    return bonus;
}
INLINE i64 step_score(codes w, cells found, i64 step, const i64 *table) {
    plane all = plane_of(found);
    i64 size = (i64)count(all), bonus;
    if (size < 8)
        bonus = table[GROUP_BONUS + size] + table[COLOR_BONUS + 1];
    else
        bonus = bonus_of_several(w, all, table);
    bonus += table[step < LAST_STEP ? step : LAST_STEP];
    bonus = bonus < 1 ? 1 : bonus;
    return table[UNIT] * size * (bonus < table[LIMIT] ? bonus : table[LIMIT]);
}
INLINE codes resolve(codes w, const i64 *table, i64 *out) {
    i64 score = 0, chain = 0, cleared = 0, gone;
    w = settled(w);
    if (clears(w)) {
        cells found = doomed(w);
        int dusty = any(nuisance(w));
        while (any_cell(found)) {
            codes after = clear(w, found, dusty, &gone);
            cells following = doomed(after);
            score += step_score(w, found, chain, table);
            cleared += gone;
            chain++;
            w = after;
            found = following;
        }
    }
    out[0] = score;
    out[1] = chain;
    out[2] = cleared;
    return w;
}
void resolve_boards(u64 *boards, i64 n, const i64 *table, i64 *results) {
    for (i64 i = 0; i < n; i++) save(resolve(load(boards + WORDS * i), table, results + 3 * i), boards + WORDS * i);
}
void repeat_resolve(const u64 *boards, i64 n, const i64 *table, i64 times, u64 *board, i64 *sum) {
    i64 out[3];
    for (i64 t = 0; t < times; t++)
        for (i64 i = 0; i < n; i++) {
            save(resolve(load(boards + WORDS * i), table, out), board);
            for (int k = 0; k < 3; k++) sum[k] += out[k];
        }
}
