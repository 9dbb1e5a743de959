/* The loops of the linear taggers that are worth compiling.
 *
 * Every function here has a twin of the same name in `reference.py`, written with numpy, which says what it does and is
 * used where this file was not built.
 *
 * Arithmetic is IEEE single precision without contraction or reassociation: the same bits on every machine,
 * however wide its vectors are. Rows of labels are padded to a multiple of LANES, so that no loop has a remainder.
 */
#include "../_buffers.h"
#include <math.h>

#define LANES 8
#define MOST_LABELS 256
#define FLOOR (-60.0f) /* scores this far below the best count as this far: nothing underflows, no path dies */
#define LEAST 1e-30f   /* and so do paths this much worse than the best */

/* glibc, as other C libraries do not choose between clones when they load */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__)
#define WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WIDE
#endif
#if defined(__GNUC__) && !defined(__clang__)
/* with -O2 and this, as fast as -O3, and built in a third of the time; clang does it by itself */
#pragma GCC optimize("tree-vectorize", "vect-cost-model=dynamic")
#endif
#if defined(_MSC_VER)
#define restrict __restrict
#pragma fp_contract(off)
#endif

/* ---- arithmetic ---------------------------------------------------------------------------------------------- */

/* e to the x for -87 < x < 88, to about 1e-7: a loop over it vectorises, one over expf does not. */
INLINE float exp_(float x) {
    float y = x * 1.44269504f;
    float whole = (y + 12582912.0f) - 12582912.0f; /* rounds to the nearest integer */
    float r = x - whole * 0.693359375f;
    r = r - whole * -2.12194440e-4f;
    float p = 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * r * r + r + 1.0f;
    uint32_t bits = (uint32_t)((int32_t)whole + 127) << 23;
    float scale;
    memcpy(&scale, &bits, 4);
    return p * scale;
}

INLINE void add_row(float *restrict to, const float *restrict row, int width) {
    for (int l = 0; l < width; l++) to[l] += row[l];
}

INLINE float sum_row(const float *row, int width) { /* eight partial sums, so that the order is fixed and fast */
    float part[LANES] = {0};
    for (int l = 0; l < width; l += LANES)
        for (int k = 0; k < LANES; k++) part[k] += row[l + k];
    return ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]));
}

INLINE float max_row(const float *row, int labels) { /* eight partial maxima, for the same reason; NaN is never the largest */
    float part[LANES], top;
    for (int k = 0; k < LANES; k++) part[k] = -INFINITY;
    int l = 0;
    for (; l + LANES <= labels; l += LANES)
        for (int k = 0; k < LANES; k++) part[k] = row[l + k] > part[k] ? row[l + k] : part[k];
    top = part[0];
    for (int k = 1; k < LANES; k++) top = part[k] > top ? part[k] : top;
    for (; l < labels; l++) top = row[l] > top ? row[l] : top;
    return top;
}

/* Scores to weights in [exp(FLOOR), 1]; 0 in the padding, whatever stands there. NaN counts as the worst. */
INLINE void exp_row(float *restrict to, const float *restrict row, int labels, int width) {
    float top = max_row(row, labels);
    for (int l = 0; l < width; l++) {
        float x = row[l] - top;
        x = x > FLOOR ? x : FLOOR;
        to[l] = exp_(x < 0.0f ? x : 0.0f);
    }
    for (int l = labels; l < width; l++) to[l] = 0.0f;
}

/* to = from x matrix */
INLINE void through(float *restrict to, const float *restrict from, const float *restrict matrix, int labels, int width) {
    for (int l = 0; l < width; l++) to[l] = 0.0f;
    for (int i = 0; i < labels; i++) {
        float a = from[i];
        const float *row = matrix + (size_t)i * width;
        for (int l = 0; l < width; l++) to[l] += a * row[l];
    }
}

/* Where tags are O, then B of every label, then I of every label in the same order, most of the matrix leads nowhere: an I
 * is reached from its B and from itself alone. `stay` holds these: first from the Bs, then from the Is; NULL: any tags. */
INLINE void ahead_through(float *restrict to, const float *restrict from, const float *restrict matrix, const float *restrict stay, int labels,
                          int width) {
    if (!stay) {
        through(to, from, matrix, labels, width);
        return;
    }
    int kinds = (labels - 1) / 2, dense = (width / 2 + LANES - 1) / LANES * LANES; /* O and the Bs, and a few more */
    for (int l = 0; l < width; l++) to[l] = 0.0f;
    for (int i = 0; i < labels; i++) {
        float a = from[i];
        const float *row = matrix + (size_t)i * width;
        for (int l = 0; l < dense; l++) to[l] += a * row[l];
    }
    for (int k = 0; k < kinds; k++) to[1 + kinds + k] = from[1 + k] * stay[k] + from[1 + kinds + k] * stay[kinds + k];
}

INLINE void back_through(float *restrict to, const float *restrict ahead, const float *restrict matrix_t, const float *restrict stay, int labels,
                         int width) {
    if (!stay) {
        through(to, ahead, matrix_t, labels, width);
        return;
    }
    int kinds = (labels - 1) / 2;
    for (int l = 0; l < width; l++) to[l] = 0.0f;
    for (int j = 0; j <= kinds; j++) {
        float a = ahead[j];
        const float *row = matrix_t + (size_t)j * width;
        for (int l = 0; l < width; l++) to[l] += a * row[l];
    }
    for (int k = 0; k < kinds; k++) {
        to[1 + k] += stay[k] * ahead[1 + kinds + k];
        to[1 + kinds + k] += stay[kinds + k] * ahead[1 + kinds + k];
    }
}

/* Whether tags and steps are of that kind; fills `stay` if so. */
static int spans_only(const float *step, const int16_t *before, int labels, int width, int outside, float *stay) {
    int kinds = (labels - 1) / 2;
    if (labels % 2 == 0 || outside != 0 || before[0] >= 0) return 0;
    for (int k = 0; k < kinds; k++) {
        int inside = 1 + kinds + k;
        if (before[1 + k] >= 0 || before[inside] != 1 + k) return 0;
        for (int i = 0; i <= labels; i++)
            if (i != 1 + k && i != inside && step[(size_t)i * width + inside] != 0.0f) return 0;
        stay[k] = step[(size_t)(1 + k) * width + inside];
        stay[kinds + k] = step[(size_t)inside * width + inside];
    }
    return 1;
}

INLINE void scale_row(float *row, float by, int width) {
    for (int l = 0; l < width; l++) row[l] *= by;
}

/* ---- the chain: forward, backward ---------------------------------------------------------------------------- */

/* Fills e (weights of the emissions) and a (forward, each row summing to 1). `step` has a row for the start after the labels. */
INLINE void forward(float *restrict e, float *restrict a, const float *scores, const float *step, const float *stay, int n, int labels,
                    int width) {
    for (int t = 0; t < n; t++) {
        float *et = e + (size_t)t * width, *at = a + (size_t)t * width;
        exp_row(et, scores + (size_t)t * width, labels, width);
        if (t == 0) memcpy(at, step + (size_t)labels * width, sizeof(float) * width);
        else ahead_through(at, at - width, step, stay, labels, width);
        for (int l = 0; l < width; l++) at[l] *= et[l];
        scale_row(at, 1.0f / sum_row(at, width), width);
    }
}

/* From b (of the token at t + 1) to what it says about the token at t: step x (e * b). `ahead` gets e * b. */
INLINE void backward(float *restrict b, float *restrict ahead, const float *restrict e_next, const float *step_t, const float *stay, int labels,
                     int width) {
    for (int l = 0; l < width; l++) ahead[l] = e_next[l] * b[l];
    back_through(b, ahead, step_t, stay, labels, width);
    float by = 1.0f / max_row(b, labels);
    for (int l = 0; l < width; l++) {
        float x = b[l] * by;
        b[l] = x > LEAST ? x : LEAST;
    }
}

/* The best tag of each token by itself; whether no I is then without what it has to follow. */
INLINE int most_likely(uint8_t *tags, const float *p, const int16_t *before, float dial, int n, int labels, int width, int outside) {
    int whole = 1, last = -1;
    for (int t = 0; t < n; t++) {
        const float *pt = p + (size_t)t * width;
        int top = outside < labels ? outside : 0;
        float most = outside < labels ? pt[outside] * dial : pt[0];
        if (outside >= labels || most <= 1.0f - pt[outside]) { /* else no other can have more */
            for (int l = 0; l < labels; l++)
                if (l != outside && (pt[l] > most || (pt[l] == most && l < top))) {
                    most = pt[l];
                    top = l;
                }
        }
        whole &= before[top] < 0 || last == top || last == before[top];
        tags[t] = (uint8_t)(last = top);
    }
    return whole;
}

/* The best tags for the sum of the posteriors, `O` scaled by `dial`, where I-X only follows B-X or I-X.
 * before[l]: the B of an I; -1 for the others. */
INLINE void most_expected(uint8_t *tags, const float *p, const int16_t *before, float dial, int n, int labels, int width, int outside, uint8_t *from) {
    float now[MOST_LABELS], next[MOST_LABELS];
    int top = 0;
    for (int t = 0; t < n; t++) {
        const float *pt = p + (size_t)t * width;
        uint8_t *f = from + (size_t)t * labels;
        for (int l = 0; l < labels; l++) {
            float gain = l == outside ? pt[l] * dial : pt[l];
            if (t == 0) {
                next[l] = before[l] < 0 ? gain : -1e30f;
                f[l] = (uint8_t)l;
            } else if (before[l] < 0) {
                next[l] = now[top] + gain;
                f[l] = (uint8_t)top;
            } else {
                int b = before[l];
                f[l] = (uint8_t)(now[b] > now[l] ? b : l);
                next[l] = now[f[l]] + gain;
            }
        }
        top = 0;
        for (int l = 1; l < labels; l++)
            if (next[l] > next[top]) top = l;
        /* only differences matter: keep them small, or long notes lose precision */
        float base = next[top];
        for (int l = 0; l < labels; l++) now[l] = next[l] - base;
    }
    for (int t = n - 1; t >= 0; t--) {
        tags[t] = (uint8_t)top;
        top = from[(size_t)t * labels + top];
    }
}

/* One sequence from scores to tags. p gets the posteriors; share[t] is the chance of tag t given that of t - 1 where
 * t continues a span, its posterior where it does not, times the chance that a span which ends here ends here. */
INLINE void decode_body(const float *scores, const float *step, const float *step_t, const float *stay, const int16_t *before, float dial, int n, int labels,
                            int width, int outside, uint8_t *tags, float *share, float *p, float *e, float *a, uint8_t *from) {
    float b[MOST_LABELS], ahead[MOST_LABELS];
    forward(e, a, scores, step, stay, n, labels, width);
    for (int l = 0; l < width; l++) b[l] = l < labels ? 1.0f : 0.0f;
    for (int t = n - 1; t >= 0; t--) {
        float *pt = p + (size_t)t * width, *at = a + (size_t)t * width;
        if (t < n - 1) backward(b, ahead, e + (size_t)(t + 1) * width, step_t, stay, labels, width);
        for (int l = 0; l < width; l++) pt[l] = at[l] * b[l];
        scale_row(pt, 1.0f / sum_row(pt, width), width);
        memcpy(at, b, sizeof(float) * width); /* forward is no longer needed here; the shares need backward */
    }
    if (!most_likely(tags, p, before, dial, n, labels, width, outside)) most_expected(tags, p, before, dial, n, labels, width, outside, from);
    for (int t = 0; t < n; t++) {
        int tag = tags[t];
        if (t == 0 || before[tag] < 0) {
            share[t] = p[(size_t)t * width + tag];
        } else { /* e * b over step x (e * b), for the row of the tag before */
            const float *et = e + (size_t)t * width, *bt = a + (size_t)t * width;
            const float *row = step + (size_t)tags[t - 1] * width;
            for (int l = 0; l < width; l++) ahead[l] = row[l] * et[l] * bt[l];
            float all = sum_row(ahead, width);
            share[t] = all > 0.0f ? ahead[tag] / all : 0.0f;
        }
        if (tag != outside && t + 1 < n && before[tags[t + 1]] < 0) { /* a span ends: the chance that it does */
            const float *et = e + (size_t)(t + 1) * width, *bt = a + (size_t)(t + 1) * width;
            const float *row = step + (size_t)tag * width;
            for (int l = 0; l < width; l++) ahead[l] = row[l] * et[l] * bt[l];
            float all = sum_row(ahead, width), on = 0.0f;
            int begin = before[tag] < 0 ? tag : before[tag];
            for (int l = 0; l < labels; l++)
                if (before[l] == begin) on += ahead[l];
            share[t] *= all > 0.0f ? (all - on) / all : 0.0f;
        }
    }
}

/* With a constant width the compiler keeps whole rows in registers: this is where the time goes. */
#define EACH_WIDTH(CALL) \
    switch (width) { \
    case 8: CALL(8); break; \
    case 16: CALL(16); break; \
    case 24: CALL(24); break; \
    case 32: CALL(32); break; \
    case 40: CALL(40); break; \
    case 48: CALL(48); break; \
    case 56: CALL(56); break; \
    case 64: CALL(64); break; \
    case 72: CALL(72); break; \
    case 80: CALL(80); break; \
    case 88: CALL(88); break; \
    case 96: CALL(96); break; \
    default: CALL(width); \
    }

WIDE static void decode_one(const float *scores, const float *step, const float *step_t, const float *stay, const int16_t *before, float dial, int n, int labels,
                            int width, int outside, uint8_t *tags, float *share, float *p, float *e, float *a, uint8_t *from) {
#define DECODE(W) decode_body(scores, step, step_t, stay, before, dial, n, labels, W, outside, tags, share, p, e, a, from)
    if (stay) {
        EACH_WIDTH(DECODE)
        return;
    }
#undef DECODE
#define DECODE(W) decode_body(scores, step, step_t, NULL, before, dial, n, labels, W, outside, tags, share, p, e, a, from)
    EACH_WIDTH(DECODE)
#undef DECODE
}

/* Viterbi with scores added, not multiplied; the lower label wins a tie. `add` has a row for the start after the labels. */
INLINE void viterbi_body(const float *scores, const float *add, int n, int labels, int width, uint8_t *tags, uint8_t *from) {
    float now[MOST_LABELS], next[MOST_LABELS];
    int32_t arg[MOST_LABELS];
    for (int l = 0; l < width; l++) now[l] = l < labels ? scores[l] + add[(size_t)labels * width + l] : -INFINITY;
    for (int t = 1; t < n; t++) {
        const float *st = scores + (size_t)t * width;
        for (int l = 0; l < width; l++) {
            next[l] = now[0] + add[l];
            arg[l] = 0;
        }
        for (int i = 1; i < labels; i++) {
            const float *row = add + (size_t)i * width;
            float base = now[i];
            for (int l = 0; l < width; l++) {
                float other = base + row[l];
                int better = other > next[l];
                next[l] = better ? other : next[l];
                arg[l] = better ? i : arg[l];
            }
        }
        uint8_t *f = from + (size_t)t * width;
        for (int l = 0; l < width; l++) {
            now[l] = next[l] + st[l];
            f[l] = (uint8_t)arg[l];
        }
    }
    int top = 0;
    for (int l = 1; l < labels; l++)
        if (now[l] > now[top]) top = l;
    for (int t = n - 1; t >= 0; t--) {
        tags[t] = (uint8_t)top;
        top = from[(size_t)t * width + top];
    }
}

WIDE static void viterbi_one(const float *scores, const float *add, int n, int labels, int width, uint8_t *tags, uint8_t *from) {
#define VITERBI(W) viterbi_body(scores, add, n, labels, W, tags, from)
    EACH_WIDTH(VITERBI)
#undef VITERBI
}

/* ---- learning ------------------------------------------------------------------------------------------------ */

typedef struct {
    float rate, beta, l1, l2;
} Pace;

/* FTRL-proximal: weights w from the sums z and the root r of the summed squares, for one row of gradients g. */
INLINE void learn_row(float *restrict w, float *restrict z, float *restrict r, const float *restrict g, int width, Pace pace) {
    float per = 1.0f / pace.rate;
    for (int l = 0; l < width; l++) {
        float root = sqrtf(r[l] * r[l] + g[l] * g[l]);
        float sum = z[l] + g[l] - (root - r[l]) * per * w[l];
        float size = fabsf(sum) - pace.l1;
        float weight = size / ((pace.beta + root) * per + pace.l2);
        weight = size > 0.0f ? weight : 0.0f;
        r[l] = root;
        z[l] = sum;
        w[l] = sum > 0.0f ? -weight : weight;
    }
}

enum { CHAIN, SOFTMAX, HINGE };

typedef struct {
    const int32_t *rows; /* tokens x slots; -1: no feature */
    const int16_t *gold;
    float *w, *z, *r; /* features x width */
    float *tw, *tz, *tr; /* (labels + 1) x width: transitions and starts */
    const float *allowed; /* 1 or 0, same shape */
    int slots, labels, width, loss, drop; /* drop: of 256 */
    uint64_t seed;
    float skip; /* tokens whose gradients are all smaller teach nothing */
    Pace pace, turn; /* of features and of transitions */
} Lesson;

INLINE int kept(const Lesson *x, int64_t token, int slot, uint64_t *bits) {
    if ((slot & 7) == 0) *bits = mixed(x->seed + (uint64_t)token * 0x9e3779b97f4a7c15ULL + (uint64_t)(slot >> 3) * 0xd1b54a32d192ed03ULL);
    int byte = (int)(*bits >> ((slot & 7) * 8)) & 255;
    return byte >= x->drop;
}

/* Learns from the tokens [first, first + n); returns the loss. The scratch holds 3 x n rows and 2 x (labels + 1) rows. */
INLINE double learn_body(const Lesson *x, int64_t first, int n, float *scratch, int width) {
    int labels = x->labels;
    size_t square = (size_t)(labels + 1) * width;
    float *s = scratch, *e = s + (size_t)n * width, *a = e + (size_t)n * width;
    float *step = a + (size_t)n * width, *turn = step + square, *step_t = turn + square;
    float up = 256.0f / (256.0f - x->drop);
    double loss = 0.0;
    for (int t = 0; t < n; t++) {
        float *st = s + (size_t)t * width;
        const int32_t *rows = x->rows + (first + t) * x->slots;
        uint64_t bits = 0;
        if (t + 1 < n)
            for (int k = 0; k < x->slots; k++)
                if (rows[x->slots + k] >= 0) FETCH(x->w + (size_t)rows[x->slots + k] * width);
        for (int l = 0; l < width; l++) st[l] = 0.0f;
        for (int k = 0; k < x->slots; k++) {
            int keep = kept(x, first + t, k, &bits);
            if (keep && rows[k] >= 0) add_row(st, x->w + (size_t)rows[k] * width, width);
        }
        scale_row(st, up, width);
    }
    if (x->loss == CHAIN) {
        float b[MOST_LABELS], ahead[MOST_LABELS];
        for (size_t k = 0; k < square; k++) {
            float v = x->tw[k];
            step[k] = x->allowed[k] * exp_(v < 20.0f ? (v > -20.0f ? v : -20.0f) : 20.0f);
            turn[k] = 0.0f;
        }
        for (int i = 0; i < labels; i++)
            for (int j = 0; j < width; j++) step_t[(size_t)i * width + j] = j < labels ? step[(size_t)j * width + i] : 0.0f;
        forward(e, a, s, step, NULL, n, labels, width);
        for (int l = 0; l < width; l++) b[l] = l < labels ? 1.0f : 0.0f;
        for (int t = n - 1; t >= 0; t--) {
            float *g = s + (size_t)t * width, *at = a + (size_t)t * width;
            int gold = x->gold[first + t];
            if (t < n - 1) {
                backward(b, ahead, e + (size_t)(t + 1) * width, step_t, NULL, labels, width);
                /* what the model expects of the step from t to t + 1 */
                float all = 0.0f, part[MOST_LABELS];
                for (int i = 0; i < labels; i++) {
                    const float *row = step + (size_t)i * width;
                    for (int l = 0; l < width; l++) part[l] = row[l] * ahead[l];
                    all += at[i] * sum_row(part, width);
                }
                float by = all > 0.0f ? 1.0f / all : 0.0f;
                for (int i = 0; i < labels; i++) {
                    float ai = at[i] * by;
                    const float *row = step + (size_t)i * width;
                    float *to = turn + (size_t)i * width;
                    for (int l = 0; l < width; l++) to[l] += ai * row[l] * ahead[l];
                }
                turn[(size_t)gold * width + x->gold[first + t + 1]] -= 1.0f;
            }
            for (int l = 0; l < width; l++) g[l] = at[l] * b[l];
            scale_row(g, 1.0f / sum_row(g, width), width);
            loss -= log((double)g[gold] + 1e-30);
            g[gold] -= 1.0f;
        }
        add_row(turn + (size_t)labels * width, s, width);
        for (int i = 0; i <= labels; i++) {
            size_t at = (size_t)i * width;
            learn_row(x->tw + at, x->tz + at, x->tr + at, turn + at, width, x->turn);
        }
    } else {
        for (int t = 0; t < n; t++) {
            float *g = s + (size_t)t * width;
            int gold = x->gold[first + t];
            if (x->loss == SOFTMAX) {
                exp_row(e, g, labels, width);
                float by = 1.0f / sum_row(e, width);
                for (int l = 0; l < width; l++) g[l] = e[l] * by;
                loss -= log((double)g[gold] + 1e-30);
                g[gold] -= 1.0f;
            } else {
                for (int l = 0; l < labels; l++) {
                    float sign = l == gold ? 1.0f : -1.0f, miss = 1.0f - sign * g[l];
                    miss = miss > 0.0f ? miss : 0.0f;
                    loss += miss * miss;
                    g[l] = -2.0f * sign * miss;
                }
                for (int l = labels; l < width; l++) g[l] = 0.0f;
            }
        }
    }
    for (int t = 0; t < n; t++) {
        float *g = s + (size_t)t * width;
        const int32_t *rows = x->rows + (first + t) * x->slots;
        float most = 0.0f;
        for (int l = 0; l < labels; l++) most = fabsf(g[l]) > most ? fabsf(g[l]) : most;
        if (most < x->skip) continue;
        uint64_t bits = 0;
        scale_row(g, up, width);
        for (int k = 0; k < x->slots; k++) {
            int keep = kept(x, first + t, k, &bits);
            if (!keep || rows[k] < 0) continue;
            size_t at = (size_t)rows[k] * width;
            learn_row(x->w + at, x->z + at, x->r + at, g, width, x->pace);
        }
    }
    return loss;
}

WIDE static double learn_one(const Lesson *x, int64_t first, int n, float *scratch) {
    int width = x->width;
    double loss = 0.0;
#define LEARN(W) loss = learn_body(x, first, n, scratch, W)
    EACH_WIDTH(LEARN)
#undef LEARN
    return loss;
}

/* ---- emissions ----------------------------------------------------------------------------------------------- */

/* A set of packed conjunctions: slots of an open hash table that hold numbers of keys. */
INLINE int32_t find_key(const int32_t *slots, uint64_t mask, const uint64_t *keys, uint64_t key) {
    for (uint64_t at = mixed(key) & mask;; at = (at + 1) & mask) {
        int32_t row = slots[at];
        if (row < 0 || keys[row] == key) return row;
    }
}

typedef struct {
    const int32_t *types;    /* a token's type */
    const int32_t *columns;  /* types x attributes: values of the token's own */
    const int32_t *places;   /* tokens x place attributes: values that depend on where the token stands */
    const float *tables;     /* types x offsets x width: what a type says about its neighbours */
    const int32_t *offsets;  /* of the tables */
    const int32_t *direct;   /* place templates: attribute, offset, first row */
    const float *dense;      /* weights of features of one attribute */
    const int32_t *joint;    /* conjunctions: three times attribute (-1: none) and offset, and the number of the template */
    const int32_t *slots;    /* index of the keys */
    const uint64_t *keys;
    const int32_t *begins;   /* where a feature's weights begin in names and weights; one more than features */
    const uint8_t *names;    /* label of a weight */
    const float *weights;
    int n, attributes, place_attributes, table_count, direct_count, joint_count, width;
    uint64_t mask;
} Sources;

INLINE int32_t value_at(const Sources *x, int attribute, int at) {
    if (at < 0 || at >= x->n) return 0;
    if (attribute < x->attributes) return x->columns[(size_t)x->types[at] * x->attributes + attribute];
    return x->places[(size_t)at * x->place_attributes + (attribute - x->attributes)];
}

INLINE void add_sparse(const Sources *x, float *to, int32_t row) {
    for (int32_t k = x->begins[row]; k < x->begins[row + 1]; k++) to[x->names[k]] += x->weights[k];
}

/* What each of n types says about its neighbours; `alone` holds (attribute, place in the table, first row). */
WIDE static void fill(const int32_t *columns, int n, int attributes, const int32_t *alone, int alone_count, const int32_t *begins,
                      const uint8_t *names, const float *weights, int places, int width, float *tables) {
    memset(tables, 0, sizeof(float) * (size_t)n * places * width);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < alone_count; k++) {
            const int32_t *t = alone + 3 * k;
            int32_t value = columns[(size_t)i * attributes + t[0]];
            if (value <= 0) continue;
            float *to = tables + ((size_t)i * places + t[1]) * width;
            const int32_t *row = begins + t[2] + value - 1;
            for (int32_t w = row[0]; w < row[1]; w++) to[names[w]] += weights[w];
        }
}

/* The key of conjunction t at place i; 0 where one of its values is not known. */
INLINE uint64_t key_at(const Sources *x, const int32_t *t, int i) {
    uint64_t key = (uint64_t)t[6];
    for (int k = 0; k < 3 && t[2 * k] >= 0; k++) {
        int32_t value = value_at(x, t[2 * k], i + t[2 * k + 1]);
        if (value <= 0) return 0;
        key = (key << 18) | (uint64_t)(uint32_t)value;
    }
    return key;
}

#define TILE 16    /* tokens that are scored together: first what is needed is asked of memory, then added up */
#define JOINTS 128 /* conjunctions that are looked up together */

/* Scores of some tokens from the tables of types: a token is told of by those before it first. */
INLINE void emit_types(const Sources *x, float *out, int first, int after, int width) {
    size_t block = (size_t)x->table_count * width;
    int furthest = x->table_count ? x->offsets[x->table_count - 1] : 0;
    for (int i = first; i < after; i++) {
        float *row = out + (size_t)i * width;
        int ahead = i + furthest + 2;
        if (ahead >= 0 && ahead < x->n)
            for (size_t k = 0; k < block; k += 16) FETCH(x->tables + (size_t)x->types[ahead] * block + k);
        for (int l = 0; l < width; l++) row[l] = 0.0f;
        for (int o = 0; o < x->table_count; o++) {
            int at = i + x->offsets[o];
            if (at >= 0 && at < x->n && x->types[at]) add_row(row, x->tables + (size_t)x->types[at] * block + (size_t)o * width, width);
        }
    }
}

INLINE void emit_direct(const Sources *x, float *out, int first, int after, int width) {
    for (int i = first; i < after; i++) {
        if (!x->types[i]) continue;
        for (int d = 0; d < x->direct_count; d++) {
            const int32_t *t = x->direct + 3 * d;
            int32_t value = value_at(x, t[0], i + t[1]);
            if (value > 0) add_row(out + (size_t)i * width, x->dense + (size_t)(t[2] + value - 1) * width, width);
        }
    }
}

/* Keys first, then their places in the hash table, then their weights: memory answers for many at a time. */
INLINE void emit_joint(const Sources *x, float *out, int first, int after, int width) {
    uint64_t keys[TILE * JOINTS];
    int32_t rows[TILE * JOINTS];
    for (int from = 0; from < x->joint_count; from += JOINTS) {
        int joints = x->joint_count - from < JOINTS ? x->joint_count - from : JOINTS, count = 0;
        for (int i = first; i < after; i++)
            for (int j = 0; j < joints; j++, count++) {
                uint64_t key = keys[count] = x->types[i] ? key_at(x, x->joint + 7 * (from + j), i) : 0;
                if (key) FETCH(x->slots + (mixed(key) & x->mask));
            }
        for (int k = 0; k < count; k++) {
            rows[k] = keys[k] ? x->slots[mixed(keys[k]) & x->mask] : -1;
            if (rows[k] >= 0) {
                FETCH(x->keys + rows[k]);
                FETCH(x->begins + rows[k]);
            }
        }
        for (int k = 0; k < count; k++) {
            if (rows[k] < 0) continue;
            if (x->keys[rows[k]] != keys[k]) rows[k] = find_key(x->slots, x->mask, x->keys, keys[k]);
            if (rows[k] < 0) continue;
            FETCH(x->names + x->begins[rows[k]]);
            FETCH(x->weights + x->begins[rows[k]]);
        }
        for (int k = 0; k < count; k++)
            if (rows[k] >= 0) add_sparse(x, out + (size_t)(first + k / joints) * width, rows[k]);
    }
}

INLINE void emit_body(const Sources *x, float *out, int width) {
    for (int first = 0; first < x->n; first += TILE) {
        int after = first + TILE < x->n ? first + TILE : x->n;
        emit_types(x, out, first, after, width);
        emit_direct(x, out, first, after, width);
        emit_joint(x, out, first, after, width);
    }
}

WIDE static void emit(const Sources *x, float *out) {
    int width = x->width;
#define EMIT(W) emit_body(x, out, W)
    EACH_WIDTH(EMIT)
#undef EMIT
}

/* Numbers tokens by their characters, in the order in which they first occur; returns how many different ones there are.
 * kinds[i]: the number of token i; firsts[k]: the first token with number k; slots: room for an open hash table. */
static int number(const uint32_t *codes, const int32_t *starts, const int32_t *ends, int n, int32_t *kinds, int32_t *firsts, int32_t *slots,
                  uint64_t *hashes, uint64_t mask) {
    int count = 0;
    memset(slots, 0xff, sizeof(int32_t) * (mask + 1));
    for (int i = 0; i < n; i++) {
        int size = ends[i] - starts[i];
        const uint32_t *token = codes + starts[i];
        uint64_t hash = (uint64_t)size;
        for (int k = 0; k < size; k++) hash = (hash ^ token[k]) * 0x9e3779b97f4a7c15ULL + (hash >> 29);
        hash = mixed(hash);
        uint64_t at = hash & mask;
        for (;; at = (at + 1) & mask) {
            int32_t other = slots[at];
            if (other < 0) break;
            if (hashes[other] != hash) continue;
            int32_t first = firsts[other];
            if (ends[first] - starts[first] == size && memcmp(codes + starts[first], token, sizeof(uint32_t) * (size_t)size) == 0) break;
        }
        if (slots[at] < 0) {
            slots[at] = count;
            hashes[count] = hash;
            firsts[count++] = i;
        }
        kinds[i] = slots[at];
    }
    return count;
}

/* ---- from Python --------------------------------------------------------------------------------------------- */

/* Sequences as (first, after) pairs of int32, within n tokens. Returns the longest, -1 if one is not. */
static Py_ssize_t longest(const int32_t *bounds, Py_ssize_t pairs, Py_ssize_t n) {
    Py_ssize_t most = 0;
    for (Py_ssize_t i = 0; i < pairs; i++) {
        int32_t first = bounds[2 * i], after = bounds[2 * i + 1];
        if (first < 0 || after < first || after > n) {
            PyErr_SetString(PyExc_ValueError, "a sequence that is not within the tokens");
            return -1;
        }
        most = after - first > most ? after - first : most;
    }
    return most;
}

static int within16(const int16_t *x, Py_ssize_t n, int least, int most, const char *what) {
    int whole = 1;
    for (Py_ssize_t i = 0; i < n; i++) whole &= x[i] >= least && x[i] < most;
    if (!whole) PyErr_Format(PyExc_ValueError, "%s out of range", what);
    return whole;
}

/* Whether the attributes of templates, each `row` numbers long with `terms` (attribute, offset) pairs first, are there. */
static int known_attributes(const int32_t *templates, Py_ssize_t count, int row, int terms, int64_t least, int64_t most) {
    for (Py_ssize_t i = 0; i < count; i++)
        for (int k = 0; k < terms; k++)
            if (!within32(templates + i * row + 2 * k, 1, least, most, "an attribute")) return 0;
    return 1;
}

static int fitting(int labels, int width) {
    if (labels >= 1 && width >= labels && width <= MOST_LABELS && width % LANES == 0) return 1;
    PyErr_Format(PyExc_ValueError, "%d labels in rows of %d", labels, width);
    return 0;
}

/* decode(scores, bounds, step, step_t, before, tags, share, posteriors, labels, width, outside, dial) */
static PyObject *py_decode(PyObject *self, PyObject *args) {
    PyObject *o[8];
    int labels, width, outside;
    float dial;
    Buffers held = {.count = 0};
    (void)self;
    if (!PyArg_ParseTuple(args, "OOOOOOOOiiif", &o[0], &o[1], &o[2], &o[3], &o[4], &o[5], &o[6], &o[7], &labels, &width, &outside, &dial))
        return NULL;
    if (!fitting(labels, width)) return NULL;
    float *scores, *step, *step_t, *share, *posteriors;
    int32_t *bounds;
    int16_t *before;
    uint8_t *tags;
    if (!(scores = buffer(&held, o[0], 4, 0, 0))) return release(&held, NULL);
    Py_ssize_t n = items(&held, 0) / width;
    if (!(bounds = buffer(&held, o[1], 4, 0, 0)) || !(step = buffer(&held, o[2], 4, (Py_ssize_t)(labels + 1) * width, 0)) ||
        !(step_t = buffer(&held, o[3], 4, (Py_ssize_t)labels * width, 0)) || !(before = buffer(&held, o[4], 2, labels, 0)) ||
        !(tags = buffer(&held, o[5], 1, n, 1)) || !(share = buffer(&held, o[6], 4, n, 1)) || !(posteriors = buffer(&held, o[7], 4, 0, 1)))
        return release(&held, NULL);
    Py_ssize_t pairs = items(&held, 1) / 2, most = longest(bounds, pairs, n);
    int wanted = items(&held, 7) >= n * width;
    if (most < 0 || !within16(before, labels, -1, labels, "the label before")) return release(&held, NULL);
    float *scratch = malloc(sizeof(float) * (size_t)(most + 1) * width * 3);
    uint8_t *from = malloc((size_t)(most + 1) * labels);
    if (!scratch || !from) {
        free(scratch);
        free(from);
        return release(&held, PyErr_NoMemory());
    }
    Py_BEGIN_ALLOW_THREADS;
    float stay[MOST_LABELS];
    int spans = spans_only(step, before, labels, width, outside, stay);
    float *e = scratch, *a = e + (size_t)(most + 1) * width, *p = a + (size_t)(most + 1) * width;
    for (Py_ssize_t i = 0; i < pairs; i++) {
        size_t first = (size_t)bounds[2 * i];
        int size = bounds[2 * i + 1] - bounds[2 * i];
        if (size == 0) continue;
        decode_one(scores + first * width, step, step_t, spans ? stay : NULL, before, dial, size, labels, width, outside, tags + first, share + first,
                   wanted ? posteriors + first * width : p, e, a, from);
    }
    Py_END_ALLOW_THREADS;
    free(scratch);
    free(from);
    Py_INCREF(Py_None);
    return release(&held, Py_None);
}

/* viterbi(scores, bounds, add, tags, labels, width) */
static PyObject *py_viterbi(PyObject *self, PyObject *args) {
    PyObject *o[4];
    int labels, width;
    Buffers held = {.count = 0};
    (void)self;
    if (!PyArg_ParseTuple(args, "OOOOii", &o[0], &o[1], &o[2], &o[3], &labels, &width)) return NULL;
    if (!fitting(labels, width)) return NULL;
    float *scores, *add;
    int32_t *bounds;
    uint8_t *tags;
    if (!(scores = buffer(&held, o[0], 4, 0, 0))) return release(&held, NULL);
    Py_ssize_t n = items(&held, 0) / width;
    if (!(bounds = buffer(&held, o[1], 4, 0, 0)) || !(add = buffer(&held, o[2], 4, (Py_ssize_t)(labels + 1) * width, 0)) ||
        !(tags = buffer(&held, o[3], 1, n, 1)))
        return release(&held, NULL);
    Py_ssize_t pairs = items(&held, 1) / 2, most = longest(bounds, pairs, n);
    if (most < 0) return release(&held, NULL);
    uint8_t *from = malloc((size_t)(most + 1) * width);
    if (!from) return release(&held, PyErr_NoMemory());
    Py_BEGIN_ALLOW_THREADS;
    for (Py_ssize_t i = 0; i < pairs; i++) {
        size_t first = (size_t)bounds[2 * i];
        int size = bounds[2 * i + 1] - bounds[2 * i];
        if (size > 0) viterbi_one(scores + first * width, add, size, labels, width, tags + first, from);
    }
    Py_END_ALLOW_THREADS;
    free(from);
    Py_INCREF(Py_None);
    return release(&held, Py_None);
}

/* learn(rows, gold, bounds, w, z, r, tw, tz, tr, allowed, slots, labels, width, loss, drop, seed, skip,
 *       rate, beta, l1, l2, turn_rate, turn_l2) -> loss */
static PyObject *py_learn(PyObject *self, PyObject *args) {
    PyObject *o[10];
    Lesson x;
    unsigned long long seed;
    Buffers held = {.count = 0};
    (void)self;
    if (!PyArg_ParseTuple(args, "OOOOOOOOOOiiiiiKffffffff", &o[0], &o[1], &o[2], &o[3], &o[4], &o[5], &o[6], &o[7], &o[8], &o[9], &x.slots, &x.labels,
                          &x.width, &x.loss, &x.drop, &seed, &x.skip, &x.pace.rate, &x.pace.beta, &x.pace.l1, &x.pace.l2, &x.turn.rate,
                          &x.turn.l2, &x.turn.beta))
        return NULL;
    if (!fitting(x.labels, x.width)) return NULL;
    if (x.slots < 1 || x.drop < 0 || x.drop > 255 || x.loss < CHAIN || x.loss > HINGE) {
        PyErr_SetString(PyExc_ValueError, "slots, drop or loss out of range");
        return NULL;
    }
    x.seed = mixed(seed + 1);
    x.turn.l1 = 0.0f;
    Py_ssize_t square = (Py_ssize_t)(x.labels + 1) * x.width;
    int32_t *bounds;
    if (!(x.rows = buffer(&held, o[0], 4, 0, 0))) return release(&held, NULL);
    Py_ssize_t n = items(&held, 0) / x.slots;
    if (!(x.gold = buffer(&held, o[1], 2, n, 0)) || !(bounds = buffer(&held, o[2], 4, 0, 0)) || !(x.w = buffer(&held, o[3], 4, 0, 1)))
        return release(&held, NULL);
    Py_ssize_t size = items(&held, 3);
    if (!(x.z = buffer(&held, o[4], 4, size, 1)) || !(x.r = buffer(&held, o[5], 4, size, 1)) || !(x.tw = buffer(&held, o[6], 4, square, 1)) ||
        !(x.tz = buffer(&held, o[7], 4, square, 1)) || !(x.tr = buffer(&held, o[8], 4, square, 1)) ||
        !(x.allowed = buffer(&held, o[9], 4, square, 0)))
        return release(&held, NULL);
    Py_ssize_t pairs = items(&held, 2) / 2, most = longest(bounds, pairs, n);
    if (most < 0 || !within16(x.gold, n, 0, x.labels, "a label") || !within32(x.rows, n * x.slots, -1, size / x.width, "a feature"))
        return release(&held, NULL);
    float *scratch = malloc(sizeof(float) * ((size_t)(most + 1) * x.width * 3 + 3 * (size_t)square));
    if (!scratch) return release(&held, PyErr_NoMemory());
    double loss = 0.0;
    Py_BEGIN_ALLOW_THREADS;
    for (Py_ssize_t i = 0; i < pairs; i++)
        if (bounds[2 * i + 1] > bounds[2 * i]) loss += learn_one(&x, bounds[2 * i], bounds[2 * i + 1] - bounds[2 * i], scratch);
    Py_END_ALLOW_THREADS;
    free(scratch);
    return release(&held, PyFloat_FromDouble(loss));
}

/* emit(types, columns, places, tables, offsets, direct, dense, joint, slots, keys, begins, names, weights, out,
 *      attributes, place_attributes, labels, width) */
static PyObject *py_emit(PyObject *self, PyObject *args) {
    PyObject *o[14];
    Sources x;
    int labels;
    Buffers held = {.count = 0};
    (void)self;
    if (!PyArg_ParseTuple(args, "OOOOOOOOOOOOOOiiii", &o[0], &o[1], &o[2], &o[3], &o[4], &o[5], &o[6], &o[7], &o[8], &o[9], &o[10], &o[11],
                          &o[12], &o[13], &x.attributes, &x.place_attributes, &labels, &x.width))
        return NULL;
    if (!fitting(labels, x.width)) return NULL;
    float *out;
    if (!(x.types = buffer(&held, o[0], 4, 0, 0))) return release(&held, NULL);
    x.n = (int)items(&held, 0);
    if (!(x.columns = buffer(&held, o[1], 4, 0, 0)) || !(x.places = buffer(&held, o[2], 4, (Py_ssize_t)x.n * x.place_attributes, 0)) ||
        !(x.tables = buffer(&held, o[3], 4, 0, 0)) || !(x.offsets = buffer(&held, o[4], 4, 0, 0)) ||
        !(x.direct = buffer(&held, o[5], 4, 0, 0)) || !(x.dense = buffer(&held, o[6], 4, 0, 0)) || !(x.joint = buffer(&held, o[7], 4, 0, 0)) ||
        !(x.slots = buffer(&held, o[8], 4, 1, 0)) || !(x.keys = buffer(&held, o[9], 8, 0, 0)) || !(x.begins = buffer(&held, o[10], 4, 1, 0)) ||
        !(x.names = buffer(&held, o[11], 1, 0, 0)) || !(x.weights = buffer(&held, o[12], 4, 0, 0)) ||
        !(out = buffer(&held, o[13], 4, (Py_ssize_t)x.n * x.width, 1)))
        return release(&held, NULL);
    x.table_count = (int)items(&held, 4);
    x.direct_count = (int)items(&held, 5) / 3;
    x.joint_count = (int)items(&held, 7) / 7;
    x.mask = (uint64_t)items(&held, 8) - 1;
    Py_ssize_t keys = items(&held, 9), block = (Py_ssize_t)x.table_count * x.width, known = block ? items(&held, 3) / block : INT32_MAX;
    if (x.attributes < 0 || x.place_attributes < 0) known = 0;
    if (x.attributes > 0 && items(&held, 1) / x.attributes < known) known = items(&held, 1) / x.attributes;
    if (!within32(x.types, x.n, 0, known, "a type") ||
        !known_attributes(x.direct, x.direct_count, 3, 1, 0, (int64_t)x.attributes + x.place_attributes) ||
        !known_attributes(x.joint, x.joint_count, 7, 3, -1, (int64_t)x.attributes + x.place_attributes))
        return release(&held, NULL);
    if ((x.mask & (x.mask + 1)) || (Py_ssize_t)x.mask < keys || items(&held, 10) <= keys || x.begins[keys] > items(&held, 11) ||
        items(&held, 11) != items(&held, 12)) {
        PyErr_SetString(PyExc_ValueError, "keys, their index and their weights do not fit together");
        return release(&held, NULL);
    }
    Py_BEGIN_ALLOW_THREADS;
    emit(&x, out);
    Py_END_ALLOW_THREADS;
    Py_INCREF(Py_None);
    return release(&held, Py_None);
}

/* fill(columns, alone, begins, names, weights, tables, attributes, offsets, width): columns is types x attributes, tables types x offsets x width */
static PyObject *py_fill(PyObject *self, PyObject *args) {
    PyObject *o[6];
    int attributes, places, width;
    Buffers held = {.count = 0};
    (void)self;
    if (!PyArg_ParseTuple(args, "OOOOOOiii", &o[0], &o[1], &o[2], &o[3], &o[4], &o[5], &attributes, &places, &width)) return NULL;
    if (!fitting(width, width)) return NULL;
    int32_t *columns, *alone, *begins;
    uint8_t *names;
    float *weights, *tables;
    if (!(columns = buffer(&held, o[0], 4, 0, 0)) || !(alone = buffer(&held, o[1], 4, 0, 0)) || !(begins = buffer(&held, o[2], 4, 1, 0)) ||
        !(names = buffer(&held, o[3], 1, 0, 0)) || !(weights = buffer(&held, o[4], 4, 0, 0)))
        return release(&held, NULL);
    if (begins[items(&held, 2) - 1] > items(&held, 3) || items(&held, 3) != items(&held, 4)) {
        PyErr_SetString(PyExc_ValueError, "rows and their weights do not fit together");
        return release(&held, NULL);
    }
    int n = attributes > 0 ? (int)(items(&held, 0) / attributes) : 0;
    if (!(tables = buffer(&held, o[5], 4, (Py_ssize_t)n * places * width, 1))) return release(&held, NULL);
    if (!known_attributes(alone, items(&held, 1) / 3, 3, 1, 0, attributes)) return release(&held, NULL);
    for (Py_ssize_t k = 0; k < items(&held, 1) / 3; k++)
        if (!within32(alone + 3 * k + 1, 1, 0, places, "a place in the tables")) return release(&held, NULL);
    Py_BEGIN_ALLOW_THREADS;
    fill(columns, n, attributes, alone, (int)items(&held, 1) / 3, begins, names, weights, places, width, tables);
    Py_END_ALLOW_THREADS;
    Py_INCREF(Py_None);
    return release(&held, Py_None);
}

/* number(codes, starts, ends, kinds, firsts) -> how many different forms there are */
static PyObject *py_number(PyObject *self, PyObject *args) {
    PyObject *o[5];
    Buffers held = {.count = 0};
    (void)self;
    if (!PyArg_ParseTuple(args, "OOOOO", &o[0], &o[1], &o[2], &o[3], &o[4])) return NULL;
    uint32_t *codes;
    int32_t *starts, *ends, *kinds, *firsts;
    if (!(codes = buffer(&held, o[0], 4, 0, 0)) || !(starts = buffer(&held, o[1], 4, 0, 0))) return release(&held, NULL);
    Py_ssize_t length = items(&held, 0), n = items(&held, 1);
    if (!(ends = buffer(&held, o[2], 4, n, 0)) || !(kinds = buffer(&held, o[3], 4, n, 1)) || !(firsts = buffer(&held, o[4], 4, n, 1)))
        return release(&held, NULL);
    for (Py_ssize_t i = 0; i < n; i++)
        if (starts[i] < 0 || ends[i] < starts[i] || ends[i] > length) {
            PyErr_SetString(PyExc_ValueError, "a token that is not within the text");
            return release(&held, NULL);
        }
    size_t size = 16;
    while (size < 2 * (size_t)n) size *= 2;
    int32_t *slots = malloc(sizeof(int32_t) * size);
    uint64_t *hashes = malloc(sizeof(uint64_t) * ((size_t)n + 1));
    if (!slots || !hashes) {
        free(slots);
        free(hashes);
        return release(&held, PyErr_NoMemory());
    }
    int count;
    Py_BEGIN_ALLOW_THREADS;
    count = number(codes, starts, ends, (int)n, kinds, firsts, slots, hashes, (uint64_t)size - 1);
    Py_END_ALLOW_THREADS;
    free(slots);
    free(hashes);
    return release(&held, PyLong_FromLong(count));
}

/* index_keys(keys, slots): fills slots (a power of two, more than keys) with numbers of keys, -1 where empty */
static PyObject *py_index_keys(PyObject *self, PyObject *args) {
    PyObject *o[2];
    Buffers held = {.count = 0};
    (void)self;
    if (!PyArg_ParseTuple(args, "OO", &o[0], &o[1])) return NULL;
    uint64_t *keys;
    int32_t *slots;
    if (!(keys = buffer(&held, o[0], 8, 0, 0))) return release(&held, NULL);
    Py_ssize_t n = items(&held, 0);
    if (!(slots = buffer(&held, o[1], 4, n + 1, 1))) return release(&held, NULL);
    Py_ssize_t size = items(&held, 1);
    if (size & (size - 1)) {
        PyErr_SetString(PyExc_ValueError, "the number of slots is not a power of two");
        return release(&held, NULL);
    }
    for (Py_ssize_t i = 0; i < size; i++) slots[i] = -1;
    for (Py_ssize_t i = 0; i < n; i++) {
        uint64_t at = mixed(keys[i]) & (uint64_t)(size - 1);
        while (slots[at] >= 0) at = (at + 1) & (uint64_t)(size - 1);
        slots[at] = (int32_t)i;
    }
    Py_INCREF(Py_None);
    return release(&held, Py_None);
}

static PyMethodDef methods[] = {
    {"decode", py_decode, METH_VARARGS, "Scores to the tags that posteriors expect most."},
    {"viterbi", py_viterbi, METH_VARARGS, "Scores to the best path of tags."},
    {"learn", py_learn, METH_VARARGS, "One pass of online learning."},
    {"emit", py_emit, METH_VARARGS, "Types and places of tokens to scores of labels."},
    {"fill", py_fill, METH_VARARGS, "What types say about their neighbours."},
    {"number", py_number, METH_VARARGS, "Numbers tokens by their form."},
    {"index_keys", py_index_keys, METH_VARARGS, "An open hash table over keys."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_kernels", "The compiled loops of the linear taggers.", 0, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__kernels(void) { return PyModule_Create(&module); }
