/* YARDSTICK ONLY: the kernels of ochibot/puyo once more, in C, to measure them against.
 *
 * Nothing in Ochibot plays with this. `ochibot bench search` compiles it with the system's cc (-O3 -march=native, and no
 * fused multiplications, which numba doesn't make either), runs both on the same boards and games, checks that their
 * results are the same, and prints both speeds. It is the same algorithm step by step: codes.py and
 * resolve.py of puyo/kernels, measure.py, reach.py and kernels.py of puyo/search, and puyo/sim/selfplay.py say what each
 * function does. Items
 * and clear sizes other than 4 are left out: neither is measured.
 *
 * The geometry is given as macros, so that it is constant here as well: VISIBLE, GROUPING, KEPT, MOVING (rows), KICKS,
 * QUICK_TURN (0 or 1), and so are the order of locks (ORIENTATIONS, COLUMNS, SINGLE_LOCKS) and NEAR_WEST, NEAR_EAST.
 * pext and pdep are used where the compiler says that the processor has them.
 */
#include "yardstick_rules.h"

/* metrics */
static const u64 Y0 = 0xAAAAULL * FLOOR, Y1 = 0xCCCCULL * FLOOR, Y2 = 0xF0F0ULL * FLOOR, Y3 = 0xFF00ULL * FLOOR;
#define SECOND (LANE << 16)
#define IN(p, mask) (POP((p).west & (mask)) + POP((p).east & (mask)))

INLINE moments moments_of(plane p) {
    u64 x1 = POP(p.west & SECOND), x2 = POP(p.west & LANE << 32), x3 = POP(p.west & LANE << 48);
    u64 x4 = POP(p.east & LANE), x5 = POP(p.east & SECOND);
    u64 x = x1 + x2 * 2 + x3 * 3 + x4 * 4 + x5 * 5, xx = x1 + x2 * 4 + x3 * 9 + x4 * 16 + x5 * 25;
    u64 y0 = IN(p, Y0), y1 = IN(p, Y1), y2 = IN(p, Y2), y3 = IN(p, Y3);
    u64 y01 = IN(p, Y0 & Y1), y02 = IN(p, Y0 & Y2), y03 = IN(p, Y0 & Y3);
    u64 y12 = IN(p, Y1 & Y2), y13 = IN(p, Y1 & Y3), y23 = IN(p, Y2 & Y3);
    u64 y = y0 + y1 * 2 + y2 * 4 + y3 * 8;
    u64 yy = y0 + (y1 + y01) * 4 + y02 * 8 + (y2 + y03 + y12) * 16 + y13 * 32 + (y3 + y23) * 64;
    return (moments){(i64)count(p), (i64)x, (i64)y, (i64)(xx + yy)};
}
INLINE i64 spread(moments m) {
    i64 scaled = 256 * (m.n * m.squares - m.x * m.x - m.y * m.y);
    return (i64)((double)scaled / (double)(m.n > 1 ? m.n : 1));
}
INLINE moments moments_with(moments m, i64 column, i64 row) {
    i64 kept = KEPT == 14 || row < KEPT;
    i64 squares = column * column + row * row;
    return (moments){m.n + kept, m.x + kept * column, m.y + kept * row, m.squares + kept * squares};
}
INLINE i64 spreads(codes w) {
    i64 total = 0;
    for (int k = 0; k < COLORS; k++) {
        plane p = color_plane(w, k);
        if (any(p)) total += spread(moments_of(p));
    }
    return total;
}
INLINE i64 near_cell(i64 column, i64 row) {
    i64 dx = column - SPAWN_COLUMN, dy = row - SPAWN_ROW;
    i64 near = REACH - (dx < 0 ? -dx : dx) - (dy < 0 ? -dy : dy);
    return near * near;
}
INLINE sums totals(plane p, plane dust) {
    sums s;
    s.nuisance = (i64)count(dust);
    s.count = (i64)count(p) - s.nuisance;
    s.edge = (i64)(IN(p, FLOOR) + POP(p.west & LANE) + POP(p.east & SECOND));
    static const u64 west[8] = {NEAR_WEST}, east[8] = {NEAR_EAST};
    u64 spawn = 0;
    for (int k = 0; k < 8; k++) spawn += (POP(p.west & west[k]) + POP(p.east & east[k])) << k;
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
INLINE cells from_the_left(cells bit, cells empty, cells two) {
    bit |= right_cells(bit) & empty;
    bit |= right_cells_2(bit) & two;
    bit |= right_cells(bit) & empty;
    return right_cells(bit);
}
INLINE int measure(vectors v, i64 *consecutive, i64 *link_count) {
    cells empty = ~(v.a | v.b | v.c), two = right_cells(empty) & empty, colored;
    links l = alike(v, &colored);
    cells strips = ~((from_the_left(v.a, empty, two) ^ v.a) | (from_the_left(v.b, empty, two) ^ v.b) |
                     (from_the_left(v.c, empty, two) ^ v.c)) & colored;
    *consecutive = size_of(strips) + size_of(l.up);
    l = linked(l);
    *link_count = size_of(l.right) + size_of(l.up);
    return may_clear(l);
}
INLINE double weigh(sums s, i64 consecutive, i64 variance, i64 link_count, const double *factors) {
    return (double)s.count * factors[0] + (double)s.nuisance * factors[1] + (double)s.edge * factors[2] +
           (double)s.spawn * factors[3] + (double)consecutive * factors[4] + (double)variance * factors[5] +
           (double)link_count * factors[6];
}
static double evaluate(codes w, const double *factors) {
    i64 consecutive, link_count;
    measure(vectors_of(w), &consecutive, &link_count);
    return weigh(totals(puyos(w), nuisance(w)), consecutive, spreads(w), link_count, factors);
}

/* lock positions, in the order of puyo/search/locks.py */
static const int ORIENTATION[LOCKS] = {ORIENTATIONS};
static const int COLUMN[LOCKS] = {COLUMNS};
static const int DX[4] = {0, -1, 0, 1};

INLINE plane towards(plane p, int orientation) {
    return orientation == 0 ? lower(p) : orientation == 1 ? from_right(p) : orientation == 2 ? upper(p) : from_left(p);
}
INLINE plane lane_of(int column) {
    return column < 4 ? (plane){LANE << 16 * column, 0} : (plane){0, LANE << 16 * (column - 4)};
}
static void flood(plane *fit, plane *at, i64 column, i64 row, i64 orientation) {
    for (int o = 0; o < 4; o++) at[o] = (plane){0, 0};
    plane start = column < 4 ? (plane){1ULL << (16 * column + row), 0} : (plane){0, 1ULL << (16 * (column - 4) + row)};
    at[orientation] = both(start, fit[orientation]);
    for (int growing = 1; growing;) {
        growing = 0;
        for (int o = 0; o < 4; o++) {
            plane was = at[o];
            plane more = both(either(either(was, lower(was)), either(from_right(was), from_left(was))), fit[o]);
            growing |= more.west != was.west || more.east != was.east;
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
                    growing |= more_over.west != at[over].west || more_over.east != at[over].east;
                    at[over] = more_over;
                }
                growing |= turned.west != at[to].west || turned.east != at[to].east;
                at[to] = turned;
            }
        }
    }
}
static void find_locks(plane *locks, plane p, int settled, i64 column, i64 row, i64 orientation, int single) {
    plane fit[4], at[4];
    plane empty = without(EVERY(MOVING), p);
    for (int o = 0; o < 4; o++) fit[o] = both(both(EVERY(KEPT), empty), towards(empty, (o + 2) & 3));
    int at_spawn = column == SPAWN_COLUMN && row == SPAWN_ROW && orientation == 2;
    if (settled && at_spawn && !((p.west | p.east) & OBSTACLES))
        memcpy(at, fit, sizeof at);
    else
        flood(fit, at, column, row, orientation);
    for (int o = 0; o < 4; o++) locks[o] = without(at[o], upper(fit[o]));
    if (single) {
        locks[0] = without(locks[0], upper(locks[2]));
        plane right = from_right(locks[1]), left = from_left(locks[3]);
        locks[3].west &= ~(right.west & (LANE | LANE << 16));
        locks[1].west &= ~(left.west & LANE << 48);
        locks[1].east &= ~left.east;
    }
}
static u64 reply_locks(plane p, int single) {
    if (!((p.west | p.east) & OBSTACLES)) return single ? SINGLE_LOCKS : (1ULL << LOCKS) - 1;
    u64 bits = 0;
    plane locks[4];
    find_locks(locks, p, 1, SPAWN_COLUMN, SPAWN_ROW, 2, single);
    for (int i = 0; i < LOCKS; i++)
        if (any(both(locks[ORIENTATION[i]], lane_of(COLUMN[i])))) bits |= 1ULL << i;
    return bits;
}

/* the search */
INLINE plane in_lane(plane cell, int column, int up) {
    cell = both(cell, lane_of(column));
    cell = (plane){cell.west << up, cell.east << up};
    return KEPT == 14 ? cell : both(cell, EVERY(KEPT));
}
static double best_reply(codes w, i64 c, i64 d, const double *factors, i64 *tried) {
    plane p = puyos(w), open = {(p.west + FLOOR) & ~p.west, (p.east + FLOOR) & ~p.east};
    u64 locks = reply_locks(p, c == d);
    i64 height[6];
    for (int x = 0; x < 6; x++) height[x] = (i64)POP(x < 4 ? p.west >> 16 * x & LANE : p.east >> 16 * (x - 4) & LANE);
    sums base = totals(p, nuisance(w));
    moments of_c = moments_of(color_plane(w, c)), of_d = moments_of(color_plane(w, d));
    i64 rest = spreads(w) - spread(of_c);
    if (c != d) rest -= spread(of_d);
    vectors own = vectors_of(w);
    double best = -1e9;
    i64 leaves = 0;
    for (int i = 0; i < LOCKS; i++) {
        if (!(locks >> i & 1)) continue;
        leaves++;
        int o = ORIENTATION[i], x = COLUMN[i], u = x + DX[o], axis_up = o == 0, partner_up = o == 2;
        plane pc = in_lane(open, x, axis_up), pd = in_lane(open, u, partner_up);
        u64 west = p.west | pc.west | pd.west;
        vectors leaf = added(added(own, c, cells_of(pc)), d, cells_of(pd));
        i64 consecutive, link_count;
        double value;
        if (measure(leaf, &consecutive, &link_count)) {
            codes after = resolved(codes_of(leaf));
            west = puyos(after).west;
            value = evaluate(after, factors);
        } else {
            i64 y = height[x] + axis_up, v = height[u] + partner_up;
            sums s = with_puyo(with_puyo(base, x, y), u, v);
            i64 variance = rest;
            if (c == d)
                variance += spread(moments_with(moments_with(of_c, x, y), u, v));
            else
                variance += spread(moments_with(of_c, x, y)) + spread(moments_with(of_d, u, v));
            value = weigh(s, consecutive, variance, link_count, factors);
        }
        if (!(west & SPAWN_CELL) && value > best) best = value;
    }
    *tried = leaves;
    return best;
}
INLINE codes lock_pair(codes w, i64 a, i64 b, plane axis, int orientation) {
    return add(add(w, a, axis), b, towards(axis, orientation));
}
static int search(codes root, const i64 *pairs, const double *factors, plane *where, i64 *leaves, i64 *looked_at) {
    codes memory[MEMORY];
    i64 counts[MEMORY], remembered = 0;
    plane locks[4], p = puyos(root);
    find_locks(locks, p, !(floats(p.west) | floats(p.east)), SPAWN_COLUMN, SPAWN_ROW, 2, pairs[0] == pairs[1]);
    double best = -__builtin_inf();
    int best_lock = -1;
    for (int i = 0; i < LOCKS; i++) {
        int o = ORIENTATION[i];
        plane rest = both(locks[o], lane_of(COLUMN[i]));
        while (any(rest)) {
            plane axis = {rest.west & (~rest.west + 1), rest.east & (~rest.east + 1)};
            rest = without(rest, axis);
            codes w = settled(lock_pair(root, pairs[0], pairs[1], axis, o));
            int changed = clears(w);
            if (changed) {
                w = resolved(w);
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
            if (!(puyos(w).west & SPAWN_CELL)) value = best_reply(w, pairs[2], pairs[3], factors, &tried);
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
    if (colors == 0) { /* a pool: 512 colours behind the number of those dealt, the later rounds from 256 on */
        u64 dealt = random[0]++, place = dealt < 256 ? dealt : 256 + dealt % 256;
        return (i64)(random[1 + place / 8] >> place % 8 * 8 & 255);
    }
    u64 z = *random += 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    z ^= z >> 31;
    return (i64)((z >> 32) * (u64)colors >> 32);
}
void self_play(u64 *board, u64 *random, i64 *state, i64 *counts, i64 *chains, const double *factors, const i64 *table) {
    codes w = load(board);
    for (i64 piece = 0; piece < state[0]; piece++) {
        plane where = {0, 0};
        i64 out[3];
        int lock = search(w, state + 2, factors, &where, state + 10, state + 12);
        w = resolve(lock_pair(w, state[2], state[3], where, ORIENTATION[lock]), table, out);
        plane p = puyos(w);
        u64 n = count(p);
        counts[n]++;
        chains[out[1] < 19 ? out[1] : 19]++;
        state[6]++;
        state[8] += out[0];
        state[11] += out[2];
        state[9] += n == 0;
        if (p.west & SPAWN_CELL) {
            state[7]++;
            w = (codes){0, 0, 0, 0, 0, 0};
        }
        state[2] = state[4];
        state[3] = state[5];
        state[4] = deal(random, state[1]);
        state[5] = deal(random, state[1]);
    }
    save(w, board);
}
