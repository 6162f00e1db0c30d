/* YARDSTICK ONLY: the kernels of bot/puyo and bot/search once more, in C, to measure them against.
 *
 * Nothing in Ochibot plays with this. `ochibot bench search` compiles it with the system's cc (-O3 -march=native), runs
 * both on the same boards and games, checks that their results are the same, and prints both speeds. It is the same
 * algorithm step by step: bot/puyo/codes.py, bot/puyo/kernels.py, bot/search/measure.py, reach.py, kernels.py and
 * selfplay.py say what each function does. Items and clear sizes other than 4 are left out: neither is measured.
 *
 * The geometry is given as macros, so that it is constant here as well: VISIBLE, GROUPING, KEPT, MOVING (rows), KICKS,
 * QUICK_TURN (0 or 1). pext and pdep are used where the compiler says that the processor has them.
 */
#include "yardstick_rules.h"

/* metrics */
static const u64 Y0 = 0xAAAAULL * FLOOR, Y1 = 0xCCCCULL * FLOOR, Y2 = 0xF0F0ULL * FLOOR, Y3 = 0xFF00ULL * FLOOR;
#define SECOND (LANE << 16)
#define THIRD (LANE << 32)
#define IN(p, mask) (POP((p).low & (mask)) + POP((p).high & (mask)))
#define INS(p, mask) (pops((p).low & (mask)) + pops((p).high & (mask)))

INLINE lanes spreads(planes p) {
    lanes x0 = pops(p.low & LANE), x1 = pops(p.low & SECOND), x2 = pops(p.low & THIRD);
    lanes x3 = pops(p.high & LANE), x4 = pops(p.high & SECOND), x5 = pops(p.high & THIRD);
    lanes n = x0 + x1 + x2 + x3 + x4 + x5;
    lanes x = x1 + x2 * 2 + x3 * 3 + x4 * 4 + x5 * 5, xx = x1 + x2 * 4 + x3 * 9 + x4 * 16 + x5 * 25;
    lanes y0 = INS(p, Y0), y1 = INS(p, Y1), y2 = INS(p, Y2), y3 = INS(p, Y3);
    lanes y01 = INS(p, Y0 & Y1), y02 = INS(p, Y0 & Y2), y03 = INS(p, Y0 & Y3);
    lanes y12 = INS(p, Y1 & Y2), y13 = INS(p, Y1 & Y3), y23 = INS(p, Y2 & Y3);
    lanes y = y0 + y1 * 2 + y2 * 4 + y3 * 8;
    lanes yy = y0 + (y1 + y01) * 4 + y02 * 8 + (y2 + y03 + y12) * 16 + y13 * 32 + (y3 + y23) * 64;
    lanes scaled = (n * (xx + yy) - x * x - y * y) << 8;
    typedef i64 whole __attribute__((vector_size(64)));
    typedef double real __attribute__((vector_size(64)));
    lanes divisor = n + ((pops(n) - 1) >> 63);
    real quotient = __builtin_convertvector((whole)scaled, real) / __builtin_convertvector((whole)divisor, real);
    return (lanes)__builtin_convertvector(quotient, whole);
}
INLINE i64 near_cell(i64 column, i64 row) {
    i64 dx = column - SPAWN_COLUMN, dy = row - SPAWN_ROW;
    i64 near = REACH - (dx < 0 ? -dx : dx) - (dy < 0 ? -dy : dy);
    return near * near;
}
static u64 NEAR[2][8];
__attribute__((constructor)) static void fill_near(void) {
    for (int k = 0; k < 8; k++)
        for (int x = 0; x < 6; x++)
            for (int row = 0; row < KEPT; row++)
                if (near_cell(x, row) >> k & 1) NEAR[x / 3][k] |= 1ULL << (16 * (x % 3) + row);
}
INLINE sums totals(const u64 *board, plane p) {
    sums s;
    s.nuisance = (i64)(POP(board[NUISANCE]) + POP(board[NUISANCE + 1]));
    s.count = (i64)count(p) - s.nuisance;
    s.edge = (i64)(IN(p, FLOOR) + POP(p.low & LANE) + POP(p.high & THIRD));
    u64 spawn = 0;
    for (int k = 0; k < 8; k++) spawn += (POP(p.low & NEAR[0][k]) + POP(p.high & NEAR[1][k])) << k;
    s.spawn = (i64)spawn;
    return s;
}
INLINE sums with_puyo(sums s, i64 column, i64 row) {
    if (KEPT < 14 && row >= KEPT) return s;
    s.count++;
    s.edge += (column == 0) + (column == 5) + (row == 0);
    s.spawn += near_cell(column, row);
    return s;
}
INLINE lanes only(i64 lane, u64 word) {
    const lanes numbers = {0, 1, 2, 3, 4, 5, 6, 7};
    return (lanes)(numbers == (u64)lane) & word;
}
INLINE colored measure(const u64 *board, i64 a, plane pa, i64 b, plane pb, plane p) {
    plane empty = {KEPT_CELLS & ~p.low, KEPT_CELLS & ~p.high};
    plane two = both(from_left(empty), empty);
    planes own = {load(board) | only(a, pa.low) | only(b, pb.low),
                  load(board + LANES) | only(a, pa.high) | only(b, pb.high)};
    planes seen = maskeds(own, GROUPING_CELLS, GROUPING_CELLS), seed = seedss(seen);
    lanes links = counts(boths(from_rights(seen), seen)) + counts(boths(seen, lowers(seen)));
    planes wide = eithers(own, maskeds(from_lefts(own), empty.low, empty.high));
    wide = eithers(wide, maskeds(from_lefts(from_lefts(wide)), two.low, two.high));
    wide = eithers(wide, maskeds(from_lefts(wide), empty.low, empty.high));
    lanes consecutive = counts(boths(from_lefts(wide), own)) + counts(boths(own, lowers(own)));
    return (colored){any_of(seed.low | seed.high), (i64)sum_of(consecutive), (i64)sum_of(spreads(own)),
                     (i64)sum_of(links)};
}
INLINE double weigh(sums s, colored m, const double *factors) {
    return (double)s.count * factors[0] + (double)s.nuisance * factors[1] + (double)s.edge * factors[2] +
           (double)s.spawn * factors[3] + (double)m.consecutive * factors[4] + (double)m.variance * factors[5] +
           (double)m.links * factors[6];
}
static double evaluate(const u64 *board, plane p, const double *factors) {
    plane none = {0, 0};
    return weigh(totals(board, p), measure(board, 0, none, 0, none, p), factors);
}

/* lock positions, in the order of bot/search/locks.py */
static const int ORIENTATION[LOCKS] = {ORIENTATIONS};
static const int COLUMN[LOCKS] = {COLUMNS};
static const int DX[4] = {0, -1, 0, 1};

INLINE plane towards(plane p, int orientation) {
    return orientation == 0 ? lower(p) : orientation == 1 ? from_right(p) : orientation == 2 ? upper(p) : from_left(p);
}
INLINE plane lane_of(int column) {
    return column < 3 ? (plane){LANE << 16 * column, 0} : (plane){0, LANE << 16 * (column - 3)};
}
static void flood(plane *fit, plane *at, i64 column, i64 row, i64 orientation) {
    for (int o = 0; o < 4; o++) at[o] = (plane){0, 0};
    plane start = column < 3 ? (plane){1ULL << (16 * column + row), 0} : (plane){0, 1ULL << (16 * (column - 3) + row)};
    at[orientation] = both(start, fit[orientation]);
    for (int growing = 1; growing;) {
        growing = 0;
        for (int o = 0; o < 4; o++) {
            plane was = at[o];
            plane more = both(either(either(was, lower(was)), either(from_right(was), from_left(was))), fit[o]);
            growing |= more.low != was.low || more.high != was.high;
            at[o] = more;
            for (int turn = 1; turn <= 3; turn += 2) {
                int to = (o + turn) & 3;
                plane turned = either(at[to], both(more, fit[to])), stuck = without(more, fit[to]);
                if (KICKS) {
                    plane kick = both(towards(stuck, (to + 2) & 3), fit[to]);
                    turned = either(turned, kick);
                    if (QUICK_TURN) stuck = without(stuck, towards(kick, to));
                }
                if (QUICK_TURN && !(o & 1)) {
                    int over = o ^ 2;
                    plane kick = towards(without(stuck, fit[over]), over ^ 2);
                    plane more_over = either(at[over], both(either(stuck, kick), fit[over]));
                    growing |= more_over.low != at[over].low || more_over.high != at[over].high;
                    at[over] = more_over;
                }
                growing |= turned.low != at[to].low || turned.high != at[to].high;
                at[to] = turned;
            }
        }
    }
}
static void find_locks(plane *locks, plane p, int settled, i64 column, i64 row, i64 orientation, int single) {
    plane fit[4], at[4];
    plane empty = {MOVING_CELLS & ~p.low, MOVING_CELLS & ~p.high};
    for (int o = 0; o < 4; o++) {
        plane there = towards(empty, (o + 2) & 3);
        fit[o] = (plane){KEPT_CELLS & empty.low & there.low, KEPT_CELLS & empty.high & there.high};
    }
    int at_spawn = column == SPAWN_COLUMN && row == SPAWN_ROW && orientation == 2;
    if (settled && at_spawn && !((p.low | p.high) & OBSTACLES))
        memcpy(at, fit, sizeof at);
    else
        flood(fit, at, column, row, orientation);
    for (int o = 0; o < 4; o++) locks[o] = without(at[o], upper(fit[o]));
    if (single) {
        locks[0] = without(locks[0], upper(locks[2]));
        plane right = from_right(locks[1]), left = from_left(locks[3]);
        locks[3].low &= ~(right.low & (LANE | LANE << 16));
        locks[1].high &= ~left.high;
    }
}
static u64 reply_locks(plane p, int single) {
    u64 bits = 0;
    if (!((p.low | p.high) & OBSTACLES)) {
        for (int i = 0; i < LOCKS; i++) {
            int o = ORIENTATION[i], x = COLUMN[i];
            if (!single || o == 2 || (o == 1 && x <= SPAWN_COLUMN) || (o == 3 && x >= SPAWN_COLUMN)) bits |= 1ULL << i;
        }
        return bits;
    }
    plane locks[4];
    find_locks(locks, p, 1, SPAWN_COLUMN, SPAWN_ROW, 2, single);
    for (int i = 0; i < LOCKS; i++)
        if (any(both(locks[ORIENTATION[i]], lane_of(COLUMN[i])))) bits |= 1ULL << i;
    return bits;
}

/* the search */
static double best_reply(const u64 *board, i64 c, i64 d, const double *factors, i64 *tried) {
    plane p = occupied(board);
    plane free_cells = {(p.low + FLOOR) & ~p.low, (p.high + FLOOR) & ~p.high};
    u64 locks = reply_locks(p, c == d);
    sums base = totals(board, p);
    codes words = encode(board);
    i64 height[6];
    for (int x = 0; x < 3; x++) {
        height[x] = (i64)POP(p.low >> 16 * x & LANE);
        height[x + 3] = (i64)POP(p.high >> 16 * x & LANE);
    }
    double best = -1e9;
    i64 leaves = 0;
    for (int i = 0; i < LOCKS; i++) {
        if (!(locks >> i & 1)) continue;
        leaves++;
        int o = ORIENTATION[i], x = COLUMN[i], u = x + DX[o], axis_up = o == 0, partner_up = o == 2;
        plane pc = both(free_cells, lane_of(x)), pd = both(free_cells, lane_of(u));
        pc = (plane){pc.low << axis_up, pc.high << axis_up};
        pd = (plane){pd.low << partner_up, pd.high << partner_up};
        if (KEPT < 14) {
            plane stay = {KEPT_CELLS, KEPT_CELLS};
            pc = both(pc, stay);
            pd = both(pd, stay);
        }
        plane all = either(p, either(pc, pd));
        colored m = measure(board, c, pc, d, pd, all);
        double value;
        if (m.clears) {
            codes w = add(add(words, c, pc), d, pd);
            i64 dust;
            for (plane q = doomed(w); any(q); q = doomed(w)) w = clear(w, q, &dust);
            u64 leaf[WORDS];
            decode(w, leaf);
            all = occupied(leaf);
            value = evaluate(leaf, all, factors);
        } else {
            sums s = with_puyo(with_puyo(base, x, height[x] + axis_up), u, height[u] + partner_up);
            value = weigh(s, m, factors);
        }
        if (!(all.low & SPAWN_CELL) && value > best) best = value;
    }
    *tried = leaves;
    return best;
}
INLINE void lock_pair(u64 *board, i64 a, i64 b, plane axis, int orientation) {
    plane partner = towards(axis, orientation);
    board[a] |= axis.low;
    board[a + LANES] |= axis.high;
    board[b] |= partner.low;
    board[b + LANES] |= partner.high;
}
static int search(const u64 *root, const i64 *pairs, const double *factors, plane *where, i64 *leaves, i64 *looked_at) {
    u64 first[WORDS];
    codes memory[MEMORY];
    i64 counts[MEMORY], remembered = 0;
    plane locks[4], p = occupied(root);
    find_locks(locks, p, !(floats(p.low) | floats(p.high)), SPAWN_COLUMN, SPAWN_ROW, 2, pairs[0] == pairs[1]);
    double best = -__builtin_inf();
    int best_lock = -1;
    for (int i = 0; i < LOCKS; i++) {
        int o = ORIENTATION[i];
        plane rest = both(locks[o], lane_of(COLUMN[i]));
        while (any(rest)) {
            plane axis = {rest.low & (~rest.low + 1), rest.high & (~rest.high + 1)};
            rest = without(rest, axis);
            memcpy(first, root, sizeof first);
            lock_pair(first, pairs[0], pairs[1], axis, o);
            int changed = settle_and_clear(first);
            p = occupied(first);
            if (changed) {
                codes w = encode(first);
                int known = -1;
                for (int n = 0; n < remembered && known < 0; n++)
                    if (!((w.a ^ memory[n].a) | (w.b ^ memory[n].b) | (w.c ^ memory[n].c) | (w.d ^ memory[n].d) |
                          (w.e ^ memory[n].e) | (w.f ^ memory[n].f)))
                        known = n;
                if (known >= 0) {
                    *leaves += counts[known];
                    continue;
                }
                if (remembered < MEMORY) memory[remembered] = w;
            }
            i64 tried = 1;
            double value = -2e9;
            if (!(p.low & SPAWN_CELL)) value = best_reply(first, pairs[2], pairs[3], factors, &tried);
            *leaves += tried;
            *looked_at += tried;
            if (changed && remembered < MEMORY) counts[remembered++] = tried;
            if (value > best) {
                best = value;
                best_lock = i;
                *where = axis;
            }
        }
    }
    return best_lock;
}
INLINE i64 deal(u64 *random, i64 colors) {
    u64 z = *random += 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    z ^= z >> 31;
    return (i64)((z >> 32) * (u64)colors >> 32);
}
void self_play(u64 *board, u64 *random, i64 *state, i64 *counts, i64 *chains, const double *factors, const i64 *table) {
    for (i64 piece = 0; piece < state[0]; piece++) {
        plane where = {0, 0};
        i64 out[3];
        int lock = search(board, state + 2, factors, &where, state + 10, state + 12);
        lock_pair(board, state[2], state[3], where, ORIENTATION[lock]);
        resolve(board, table, out);
        plane p = occupied(board);
        u64 n = count(p);
        counts[n]++;
        chains[out[1] < 19 ? out[1] : 19]++;
        state[6]++;
        state[8] += out[0];
        state[11] += out[2];
        state[9] += n == 0;
        if (p.low & SPAWN_CELL) {
            state[7]++;
            memset(board, 0, WORDS * sizeof *board);
        }
        state[2] = state[4];
        state[3] = state[5];
        state[4] = deal(random, state[1]);
        state[5] = deal(random, state[1]);
    }
}
