/* The loops over characters and tokens that are worth compiling: where tokens are, and where they stand; the
 * words of Chinese text; the units of a note, and which known words misspelt ones are.
 *
 * Every function here has a twin of the same name in `loops_plain.py`, which says what it does and is used where this file
 * was not built.
 */
#include "../_buffers.h"

enum { SPACE, UPPER, LOWER, LETTER, DIGIT, MARK, HAN, OTHER, UNKNOWN = 255 }; /* as in tokens.py */

#define FIRST 9 /* "newlines" before the first token of a note, as in batch.py */
#define DIGITS_LEFT 3 /* of a glued telephone number's first part: 47798 497-045-1949 */

/* ---- tokens -------------------------------------------------------------------------------------------------- */

/* Classes of characters; marks that are not within a word stand alone. Whether all are known; `marks`: whether some stay. */
static int classes(const uint32_t *codes, Py_ssize_t n, const uint8_t *table, uint8_t *kinds, int *marks) {
    int known = 1, some = 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        uint8_t kind = kinds[i] = table[codes[i]];
        known &= kind != UNKNOWN;
        some |= kind == MARK;
    }
    for (Py_ssize_t i = 0; some && i < n; i++) {
        if (kinds[i] != MARK) continue;
        Py_ssize_t first = i;
        while (i < n && kinds[i] == MARK) i++;
        uint8_t before = first ? kinds[first - 1] : SPACE, after = i < n ? kinds[i] : SPACE;
        if (before >= UPPER && before <= DIGIT && after >= UPPER && after <= DIGIT) *marks = 1;
        else memset(kinds + first, OTHER, (size_t)(i - first));
    }
    return known;
}

INLINE int begins(uint8_t before, uint8_t here, uint8_t after) {
    return here > MARK || before > MARK || (before == DIGIT) != (here == DIGIT) || (here == SPACE) != (before == SPACE) ||
           ((before == LOWER || before == LETTER) && here == UPPER) || (before == UPPER && here == UPPER && after == LOWER);
}

static int all_digits(const uint8_t *kinds, Py_ssize_t first, Py_ssize_t after) {
    int all = 1;
    for (Py_ssize_t i = first; i < after; i++) all &= kinds[i] == DIGIT;
    return all;
}

static int separates(uint32_t code) { return code == '-' || code == '.' || code == ','; }

/* Whether five tokens are digits, of which the last three and the rest are a telephone number. */
static int phone(const uint32_t *codes, const uint8_t *kinds, const int32_t *starts, const int32_t *ends) {
    int32_t at = ends[0];
    return ends[0] - starts[0] > DIGITS_LEFT && starts[1] == at && ends[1] == at + 1 && starts[2] == at + 1 && ends[2] == at + 4 &&
           starts[3] == at + 4 && ends[3] == at + 5 && starts[4] == at + 5 && ends[4] - at > 8 && separates(codes[at]) &&
           separates(codes[at + 4]) && all_digits(kinds, at - 4, at) && all_digits(kinds, at + 1, at + 4) &&
           all_digits(kinds, at + 5, ends[4]);
}

static Py_ssize_t cut(const uint32_t *codes, Py_ssize_t n, const uint8_t *kinds, int marks, int32_t *starts, int32_t *ends) {
    Py_ssize_t count = 0;
    int open = 0, seen = 0;
    uint8_t before = SPACE;
    for (Py_ssize_t i = 0; i <= n; i++) {
        uint8_t here = i < n ? kinds[i] : SPACE;
        int begin = 0;
        if (here != MARK) {
            Py_ssize_t next = i + 1;
            while (marks && next < n && kinds[next] == MARK) next++;
            begin = !seen || begins(before, here, next < n ? kinds[next] : SPACE);
            before = here;
            seen = 1;
        }
        if (open && (begin || here == SPACE)) {
            ends[count++] = (int32_t)i;
            open = 0;
            if (count >= 5 && phone(codes, kinds, starts + count - 5, ends + count - 5)) {
                Py_ssize_t first = count - 5;
                memmove(starts + first + 1, starts + first, 5 * sizeof *starts);
                memmove(ends + first + 1, ends + first, 5 * sizeof *ends);
                starts[first + 1] = ends[first] = ends[first + 1] - DIGITS_LEFT;
                count++;
            }
        }
        if (begin && here != SPACE) {
            starts[count] = (int32_t)i;
            open = 1;
        }
    }
    return count;
}

/* ---- where tokens stand -------------------------------------------------------------------------------------- */

typedef struct {
    int32_t *note_of, *newlines, *line_of, *line_starts, *chunk_of, *gaps;
} Layout;

static int32_t lay(const uint32_t *codes, Py_ssize_t length, const int32_t *starts, const int32_t *ends, Py_ssize_t n, const int32_t *notes,
                   Layout out) {
    int32_t note = 0, line = -1, chunk = -1;
    for (Py_ssize_t i = 0; i < n; i++) {
        while (i >= notes[note + 1]) note++;
        int fresh = i == notes[note];
        int32_t space = starts[i] - (i ? ends[i - 1] : 0), newlines = 0;
        for (Py_ssize_t at = i ? starts[i - 1] : 0; at < starts[i]; at++)
            newlines += codes[at] == '\n' || (codes[at] == '\r' && (at + 1 == length || codes[at + 1] != '\n'));
        if (fresh) newlines = FIRST;
        if (newlines) out.line_starts[++line] = (int32_t)i;
        chunk += space > 0 || fresh;
        out.note_of[i] = note;
        out.newlines[i] = newlines;
        out.line_of[i] = line;
        out.chunk_of[i] = chunk;
        out.gaps[i] = newlines == FIRST ? 5 : newlines > 1 ? 4 : newlines ? 3 : space > 2 ? 2 : space;
    }
    out.line_starts[++line] = (int32_t)n;
    return line;
}

static int32_t colons(const uint32_t *codes, const int32_t *starts, const int32_t *ends, Py_ssize_t n, const uint8_t *kinds,
                      const int32_t *newlines, const int32_t *line_of, const int32_t *line_starts, const int32_t *chunk_of, int most,
                      int32_t *firsts, int32_t *at, int32_t *afters) {
    int32_t count = 0, last_line = -1, chunk_first = 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        if (i && chunk_of[i] != chunk_of[i - 1]) chunk_first = (int32_t)i;
        if ((codes[starts[i]] != ':' && codes[starts[i]] != 0xff1a) || newlines[i] || i == 0 || kinds[ends[i - 1] - 1] == DIGIT) continue;
        int32_t line = line_of[i], first = line_starts[line];
        if ((line == last_line || i - first > most) && chunk_first > first) first = chunk_first;
        last_line = line;
        if (first >= i) continue;
        if (count && afters[count - 1] > i + 1) afters[count - 1] = (int32_t)i + 1;
        firsts[count] = first;
        at[count] = (int32_t)i;
        afters[count++] = line_starts[line + 1];
    }
    return count;
}

static void keyed(const int32_t *firsts, const int32_t *at, const int32_t *afters, const int32_t *values, const int32_t *own, Py_ssize_t n,
                  int furthest, int32_t *codes, int32_t *distances) {
    for (Py_ssize_t k = 0; k < n; k++)
        for (int32_t i = at[k] + 1; i < afters[k]; i++) {
            codes[i] = values[k];
            distances[i] = values[k] == 0 ? 0 : i - at[k] < furthest ? i - at[k] : furthest;
        }
    /* Of keys that lie in each other, which come in the order of their colons, the last one counts: from behind, what is written stays. */
    int32_t written = INT32_MAX;
    for (Py_ssize_t k = n - 1; k >= 0; k--) {
        if (!own[k]) continue;
        for (int32_t i = firsts[k]; i <= at[k] && i < written; i++) {
            codes[i] = own[k];
            distances[i] = 0;
        }
        if (firsts[k] < written) written = firsts[k];
    }
}

/* Of each form in a note: how often it occurs, and the first two different keys behind which it does. */
typedef struct {
    int32_t note, often, first, second;
} Form;

static void elsewhere(const int32_t *kinds, const int32_t *notes, Py_ssize_t note_count, const uint8_t *worth, const int32_t *keys,
                      const int32_t *telling, Form *forms, int32_t *codes) {
    for (Py_ssize_t note = 0; note < note_count; note++) {
        for (int32_t i = notes[note]; i < notes[note + 1]; i++) {
            if (!worth[kinds[i]]) continue;
            Form *form = forms + kinds[i];
            if (form->note != (int32_t)note + 1) *form = (Form){(int32_t)note + 1, 0, 0, 0};
            form->often++;
            int32_t told = telling[keys[i]];
            if (told && !form->first) form->first = told;
            else if (told && told != form->first && !form->second) form->second = told;
        }
        for (int32_t i = notes[note]; i < notes[note + 1]; i++) {
            if (!worth[kinds[i]] || forms[kinds[i]].often < 2) continue;
            Form form = forms[kinds[i]];
            int32_t other = form.first != keys[i] ? form.first : form.second;
            codes[i] = other ? other + 2 : 1;
        }
    }
}

static int32_t cores(const int32_t *chunk_of, const uint8_t *wordy, Py_ssize_t n, int32_t *firsts, int32_t *lasts, int32_t *core_of) {
    int32_t count = 0;
    for (Py_ssize_t i = 0; i < n;) {
        int32_t first = -1, last = -1;
        Py_ssize_t from = i;
        for (; i < n && chunk_of[i] == chunk_of[from]; i++)
            if (wordy[i]) {
                if (first < 0) first = (int32_t)i;
                last = (int32_t)i;
            }
        int many = last > first;
        if (many) {
            firsts[count] = first;
            lasts[count++] = last;
        }
        for (Py_ssize_t k = from; k < i; k++) core_of[k] = many && k >= first && k <= last ? count : 0;
    }
    return count;
}

static void chunk_places(const int32_t *chunk_of, Py_ssize_t n, int most, int32_t *codes) {
    for (Py_ssize_t first = 0, after; first < n; first = after) {
        for (after = first; after < n && chunk_of[after] == chunk_of[first];) after++;
        for (Py_ssize_t i = first; i < after; i++) {
            int before = i - first < most ? (int)(i - first) : most, behind = after - 1 - i < most ? (int)(after - 1 - i) : most;
            codes[i] = before * (most + 1) + behind;
        }
    }
}

/* ---- units of a note, and known words ------------------------------------------------------------------------ */

enum { SMALL = 1, CAPITAL, CAPITALS, GLUED, DIGITS }; /* kinds of units, as in units.py */

#define MOST_CAPITALS 4 /* as there */

enum { NOTHING, WORD, NUMBER, ACCENT, SIGN }; /* what a character can be part of: a sign is a Chinese one, a unit by itself */

INLINE int part(uint32_t code, uint8_t kind) {
    static const uint8_t parts[256] = {[UPPER] = WORD, [LOWER] = WORD, [LETTER] = WORD, [DIGIT] = NUMBER, [HAN] = WORD};
    if (code >= 0x300) {
        if (code <= 0x36f) return ACCENT;
        if ((code >= 0x3400 && code <= 0x9fff) || (code >= 0x20000 && code <= 0x3ffff) || (code >= 0xf900 && code <= 0xfaff) ||
            (code >= 0x3005 && code <= 0x3007))
            return SIGN;
    }
    return parts[kind];
}

/* The first unit that begins at `*end` or behind it; -1 if a character's class is not known, 0 if there is none. */
INLINE int unit(const uint32_t *codes, Py_ssize_t n, const uint8_t *table, Py_ssize_t *at, Py_ssize_t *end) {
    int first = NOTHING;
    for (Py_ssize_t i = *end; i < n; i++) {
        uint8_t kind = table[codes[i]];
        if (kind == UNKNOWN) return -1;
        int here = part(codes[i], kind);
        if (first == NOTHING && here != NOTHING && here != ACCENT) {
            *at = i;
            first = here;
        } else if (first != NOTHING && (here != first || first == SIGN) && !(first == WORD && here == ACCENT)) {
            *end = i;
            return 1;
        }
    }
    *end = n;
    return first != NOTHING;
}

#define MOST_LETTERS 61 /* of a word that can be a slip of another, as in loops_plain.py */
#define SHORTEST 5      /* letters of a known word that may have a slip, as there */

typedef struct {
    uint32_t letters[MOST_LETTERS], kinds; /* a bit for each letter that occurs, shared by some */
    int size;                              /* 0: too long */
} Spelt;

/* Whether at most so many bits are set. */
static int few(uint32_t bits, int most) {
    for (; bits && most > 0; most--) bits &= bits - 1;
    return !bits;
}

/* How many slips lie between two words, `most` + 1 if more than so many. No way of so few leads further from the diagonal. */
static int slips(const Spelt *a, const Spelt *b, int most) {
    if (abs(a->size - b->size) > most || !few(a->kinds & ~b->kinds, most) || !few(b->kinds & ~a->kinds, most)) return most + 1;
    int rows[3][MOST_LETTERS + 1], *last = rows[0], *before = rows[1], *row = rows[2];
    for (int j = 0; j <= b->size; j++) row[j] = j;
    for (int i = 1; i <= a->size; i++) {
        int *spare = last, low = i > most ? i - most : 1, high = i + most < b->size ? i + most : b->size;
        int least = low == 1 ? i : most + 1;
        last = before, before = row, row = spare, row[low - 1] = least;
        for (int j = low; j <= high; j++) {
            int same = a->letters[i - 1] == b->letters[j - 1], cost = before[j - 1] + !same;
            if (before[j] < cost) cost = before[j] + 1;
            if (row[j - 1] < cost) cost = row[j - 1] + 1;
            if (i > 1 && j > 1 && a->letters[i - 1] == b->letters[j - 2] && a->letters[i - 2] == b->letters[j - 1] && last[j - 2] < cost)
                cost = last[j - 2] + 1;
            row[j] = cost;
            if (cost < least) least = cost;
        }
        if (least > most) return most + 1;
        if (high < b->size) row[high + 1] = most + 1;
    }
    return row[b->size] > most ? most + 1 : row[b->size];
}

/* In the shortest words the first letter stays, or changes places with the second. */
static int begins_alike(const Spelt *word, const Spelt *known) {
    const uint32_t *a = word->letters, *b = known->letters;
    return known->size > SHORTEST || a[0] == b[0] || (word->size > 1 && known->size > 1 && a[0] == b[1] && a[1] == b[0]);
}

/* The first of the nearest known words within the slips that each may have; -1 if there is none. */
static Py_ssize_t nearest(const Spelt *word, const Spelt *known, Py_ssize_t n, const uint8_t *limits) {
    Py_ssize_t best = -1;
    int least = 256;
    for (Py_ssize_t i = 0; i < n && word->size; i++) {
        int most = limits[i] < least ? limits[i] : least - 1, many;
        if (!known[i].size || most < 0 || (many = slips(word, known + i, most)) > most || !begins_alike(word, known + i)) continue;
        best = i;
        least = many;
    }
    return best;
}

/* ---- words of Chinese text ----------------------------------------------------------------------------------- */

#define LONGEST_WORD 8 /* characters, as in loops_plain.py */
#define BUCKETS 65536  /* known words by the upper half of their checksums */

typedef struct {
    const uint32_t *keys;   /* checksums of words, ascending */
    const int32_t *buckets; /* where those of each upper half begin */
    const uint16_t *costs;  /* the rarer the more */
    Py_ssize_t known;       /* how many words there are */
} Lexicon;

static uint32_t crc_of_byte[256];

static void fill_crc(void) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t crc = i;
        for (int k = 0; k < 8; k++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
        crc_of_byte[i] = crc;
    }
}

INLINE uint32_t with_byte(uint32_t crc, uint32_t byte) { return crc_of_byte[(crc ^ byte) & 255] ^ crc >> 8; }

/* A checksum that goes on with a Chinese character, in UTF-8. */
INLINE uint32_t with_character(uint32_t crc, uint32_t code) {
    if (code < 0x10000) crc = with_byte(crc, 0xe0 | code >> 12);
    else {
        crc = with_byte(crc, 0xf0 | code >> 18);
        crc = with_byte(crc, 0x80 | (code >> 12 & 63));
    }
    crc = with_byte(crc, 0x80 | (code >> 6 & 63));
    return with_byte(crc, 0x80 | (code & 63));
}

static int32_t place_of(const Lexicon *lexicon, uint32_t key) {
    int32_t at = lexicon->buckets[key >> 16], after = lexicon->buckets[(key >> 16) + 1];
    if (at < 0 || after > lexicon->known) return -1;
    while (at < after && lexicon->keys[at] < key) at++;
    return at < after && lexicon->keys[at] == key ? at : -1;
}

typedef struct {
    int64_t cost; /* of the cheapest way from here to the end of the run */
    int32_t which, size;
} Step;

static void words(const uint32_t *codes, const int32_t *starts, const int32_t *ends, Py_ssize_t n, const uint8_t *kinds,
                  const Lexicon *lexicon, int32_t unknown, Step *steps, int32_t *firsts, int32_t *which) {
    for (Py_ssize_t i = 0; i < n;) {
        Py_ssize_t after = i;
        while (after < n && kinds[starts[after]] == HAN && ends[after] - starts[after] == 1 && (after == i || starts[after] == ends[after - 1])) after++;
        steps[after - i] = (Step){0, -1, 0};
        for (Py_ssize_t k = after - 1; k >= i; k--) {
            Step best = {unknown + steps[k - i + 1].cost, -1, 1};
            uint32_t crc = 0xffffffffu;
            for (Py_ssize_t end = k; end < after && end - k < LONGEST_WORD;) {
                crc = with_character(crc, codes[starts[end++]]);
                int32_t at = place_of(lexicon, ~crc);
                int64_t cost = at < 0 ? 0 : lexicon->costs[at] + steps[end - i].cost;
                if (at >= 0 && cost <= best.cost) best = (Step){cost, at, (int32_t)(end - k)};
            }
            steps[k - i] = best;
        }
        for (Py_ssize_t k = i; k < after;) {
            Step step = steps[k - i];
            for (Py_ssize_t end = k + step.size, first = k; k < end; k++) {
                firsts[k] = (int32_t)first;
                which[k] = step.which;
            }
        }
        if (after > i) i = after;
        else {
            firsts[i] = which[i] = -1;
            i++;
        }
    }
}

/* ---- from Python --------------------------------------------------------------------------------------------- */

static int ascending(const int32_t *starts, const int32_t *ends, Py_ssize_t n, Py_ssize_t length) {
    int32_t before = 0;
    int whole = 1;
    for (Py_ssize_t i = 0; i < n; i++) {
        whole &= starts[i] >= before && ends[i] > starts[i];
        before = ends[i];
    }
    if (whole && before <= length) return 1;
    PyErr_SetString(PyExc_ValueError, "tokens that are not one after another within the text");
    return 0;
}

static int dividing(const int32_t *notes, Py_ssize_t entries, Py_ssize_t n) {
    int whole = entries > 0 && notes[0] == 0 && notes[entries - 1] == n;
    for (Py_ssize_t i = 1; i < entries; i++) whole &= notes[i] >= notes[i - 1];
    if (!whole) PyErr_SetString(PyExc_ValueError, "notes that do not divide the tokens");
    return whole;
}

static int in_table(const uint32_t *codes, Py_ssize_t length, Py_ssize_t size) {
    int whole = 1;
    for (Py_ssize_t i = 0; i < length; i++) whole &= codes[i] < (uint32_t)size;
    if (!whole) PyErr_SetString(PyExc_ValueError, "a character beyond the table of classes");
    return whole;
}

/* cut(codes, table, starts, ends) -> how many tokens there are, -1 if the table does not know a character */
static PyObject *py_cut(PyObject *self, PyObject *args) {
    PyObject *o[4];
    Buffers held = {.count = 0};
    (void)self;
    if (!PyArg_ParseTuple(args, "OOOO", &o[0], &o[1], &o[2], &o[3])) return NULL;
    uint32_t *codes;
    uint8_t *table;
    int32_t *starts, *ends;
    if (!(codes = buffer(&held, o[0], 4, 0, 0))) return release(&held, NULL);
    Py_ssize_t n = items(&held, 0), count = -1;
    if (!(table = buffer(&held, o[1], 1, 1, 0)) || !(starts = buffer(&held, o[2], 4, n, 1)) || !(ends = buffer(&held, o[3], 4, n, 1)) ||
        !in_table(codes, n, items(&held, 1)))
        return release(&held, NULL);
    uint8_t *kinds = malloc((size_t)n + 1);
    if (!kinds) return release(&held, PyErr_NoMemory());
    Py_BEGIN_ALLOW_THREADS;
    int marks = 0;
    if (classes(codes, n, table, kinds, &marks)) count = cut(codes, n, kinds, marks, starts, ends);
    Py_END_ALLOW_THREADS;
    free(kinds);
    return release(&held, PyLong_FromSsize_t(count));
}

/* lay(codes, starts, ends, notes, note_of, newlines, line_of, line_starts, chunk_of, gaps) -> how many lines have a token */
static PyObject *py_lay(PyObject *self, PyObject *args) {
    PyObject *o[10];
    Buffers held = {.count = 0};
    (void)self;
    if (!PyArg_ParseTuple(args, "OOOOOOOOOO", &o[0], &o[1], &o[2], &o[3], &o[4], &o[5], &o[6], &o[7], &o[8], &o[9])) return NULL;
    uint32_t *codes;
    int32_t *starts, *ends, *notes;
    Layout out;
    if (!(codes = buffer(&held, o[0], 4, 0, 0)) || !(starts = buffer(&held, o[1], 4, 0, 0))) return release(&held, NULL);
    Py_ssize_t length = items(&held, 0), n = items(&held, 1);
    if (!(ends = buffer(&held, o[2], 4, n, 0)) || !(notes = buffer(&held, o[3], 4, 1, 0)) || !(out.note_of = buffer(&held, o[4], 4, n, 1)) ||
        !(out.newlines = buffer(&held, o[5], 4, n, 1)) || !(out.line_of = buffer(&held, o[6], 4, n, 1)) ||
        !(out.line_starts = buffer(&held, o[7], 4, n + 1, 1)) || !(out.chunk_of = buffer(&held, o[8], 4, n, 1)) ||
        !(out.gaps = buffer(&held, o[9], 4, n, 1)) || !ascending(starts, ends, n, length) || !dividing(notes, items(&held, 3), n))
        return release(&held, NULL);
    int32_t lines;
    Py_BEGIN_ALLOW_THREADS;
    lines = lay(codes, length, starts, ends, n, notes, out);
    Py_END_ALLOW_THREADS;
    return release(&held, PyLong_FromLong(lines));
}

/* colons(codes, starts, ends, kinds, newlines, line_of, line_starts, chunk_of, most, firsts, at, afters) -> how many there are */
static PyObject *py_colons(PyObject *self, PyObject *args) {
    PyObject *o[11];
    int most;
    Buffers held = {.count = 0};
    (void)self;
    if (!PyArg_ParseTuple(args, "OOOOOOOOiOOO", &o[0], &o[1], &o[2], &o[3], &o[4], &o[5], &o[6], &o[7], &most, &o[8], &o[9], &o[10])) return NULL;
    uint32_t *codes;
    uint8_t *kinds;
    int32_t *starts, *ends, *newlines, *line_of, *line_starts, *chunk_of, *firsts, *at, *afters;
    if (!(codes = buffer(&held, o[0], 4, 0, 0)) || !(starts = buffer(&held, o[1], 4, 0, 0))) return release(&held, NULL);
    Py_ssize_t length = items(&held, 0), n = items(&held, 1);
    if (!(ends = buffer(&held, o[2], 4, n, 0)) || !(kinds = buffer(&held, o[3], 1, length, 0)) || !(newlines = buffer(&held, o[4], 4, n, 0)) ||
        !(line_of = buffer(&held, o[5], 4, n, 0)) || !(line_starts = buffer(&held, o[6], 4, 1, 0)) || !(chunk_of = buffer(&held, o[7], 4, n, 0)) ||
        !(firsts = buffer(&held, o[8], 4, n, 1)) || !(at = buffer(&held, o[9], 4, n, 1)) || !(afters = buffer(&held, o[10], 4, n, 1)) ||
        !ascending(starts, ends, n, length) ||
        !within32(line_of, n, 0, items(&held, 6) - 1, "a line"))
        return release(&held, NULL);
    int32_t count;
    Py_BEGIN_ALLOW_THREADS;
    count = colons(codes, starts, ends, n, kinds, newlines, line_of, line_starts, chunk_of, most, firsts, at, afters);
    Py_END_ALLOW_THREADS;
    return release(&held, PyLong_FromLong(count));
}

/* keyed(firsts, at, afters, values, own, furthest, codes, distances) */
static PyObject *py_keyed(PyObject *self, PyObject *args) {
    PyObject *o[7];
    int furthest;
    Buffers held = {.count = 0};
    (void)self;
    if (!PyArg_ParseTuple(args, "OOOOOiOO", &o[0], &o[1], &o[2], &o[3], &o[4], &furthest, &o[5], &o[6])) return NULL;
    int32_t *firsts, *at, *afters, *values, *own, *codes, *distances;
    if (!(firsts = buffer(&held, o[0], 4, 0, 0))) return release(&held, NULL);
    Py_ssize_t n = items(&held, 0);
    if (!(at = buffer(&held, o[1], 4, n, 0)) || !(afters = buffer(&held, o[2], 4, n, 0)) || !(values = buffer(&held, o[3], 4, n, 0)) ||
        !(own = buffer(&held, o[4], 4, n, 0)) || !(codes = buffer(&held, o[5], 4, 0, 1)))
        return release(&held, NULL);
    Py_ssize_t size = items(&held, 5);
    if (!(distances = buffer(&held, o[6], 4, size, 1)) || !within32(firsts, n, 0, size, "a key") || !within32(at, n, 0, size, "a colon") ||
        !within32(afters, n, 0, size + 1, "the end of a line"))
        return release(&held, NULL);
    keyed(firsts, at, afters, values, own, n, furthest, codes, distances);
    Py_INCREF(Py_None);
    return release(&held, Py_None);
}

/* elsewhere(kinds, notes, worth, keys, telling, codes) */
static PyObject *py_elsewhere(PyObject *self, PyObject *args) {
    PyObject *o[6];
    Buffers held = {.count = 0};
    (void)self;
    if (!PyArg_ParseTuple(args, "OOOOOO", &o[0], &o[1], &o[2], &o[3], &o[4], &o[5])) return NULL;
    int32_t *kinds, *notes, *keys, *telling, *codes;
    uint8_t *worth;
    if (!(kinds = buffer(&held, o[0], 4, 0, 0))) return release(&held, NULL);
    Py_ssize_t n = items(&held, 0);
    if (!(notes = buffer(&held, o[1], 4, 1, 0)) || !(worth = buffer(&held, o[2], 1, 0, 0)) || !(keys = buffer(&held, o[3], 4, n, 0)) ||
        !(telling = buffer(&held, o[4], 4, 1, 0)) || !(codes = buffer(&held, o[5], 4, n, 1)) || !dividing(notes, items(&held, 1), n) ||
        !within32(kinds, n, 0, items(&held, 2), "a form") || !within32(keys, n, 0, items(&held, 4), "a key"))
        return release(&held, NULL);
    Form *forms = calloc((size_t)items(&held, 2) + 1, sizeof(Form));
    if (!forms) return release(&held, PyErr_NoMemory());
    Py_BEGIN_ALLOW_THREADS;
    elsewhere(kinds, notes, items(&held, 1) - 1, worth, keys, telling, forms, codes);
    Py_END_ALLOW_THREADS;
    free(forms);
    Py_INCREF(Py_None);
    return release(&held, Py_None);
}

/* cores(chunk_of, wordy, firsts, lasts, core_of) -> how many chunks have several words or numbers */
static PyObject *py_cores(PyObject *self, PyObject *args) {
    PyObject *o[5];
    Buffers held = {.count = 0};
    (void)self;
    if (!PyArg_ParseTuple(args, "OOOOO", &o[0], &o[1], &o[2], &o[3], &o[4])) return NULL;
    int32_t *chunk_of, *firsts, *lasts, *core_of;
    uint8_t *wordy;
    if (!(chunk_of = buffer(&held, o[0], 4, 0, 0))) return release(&held, NULL);
    Py_ssize_t n = items(&held, 0);
    if (!(wordy = buffer(&held, o[1], 1, n, 0)) || !(firsts = buffer(&held, o[2], 4, n, 1)) || !(lasts = buffer(&held, o[3], 4, n, 1)) ||
        !(core_of = buffer(&held, o[4], 4, n, 1)))
        return release(&held, NULL);
    return release(&held, PyLong_FromLong(cores(chunk_of, wordy, n, firsts, lasts, core_of)));
}

/* chunk_places(chunk_of, most, codes) */
static PyObject *py_chunk_places(PyObject *self, PyObject *args) {
    PyObject *o[2];
    int most;
    Buffers held = {.count = 0};
    (void)self;
    if (!PyArg_ParseTuple(args, "OiO", &o[0], &most, &o[1])) return NULL;
    int32_t *chunk_of, *codes;
    if (!(chunk_of = buffer(&held, o[0], 4, 0, 0)) || !(codes = buffer(&held, o[1], 4, items(&held, 0), 1))) return release(&held, NULL);
    chunk_places(chunk_of, items(&held, 0), most, codes);
    Py_INCREF(Py_None);
    return release(&held, Py_None);
}

/* words(codes, starts, ends, kinds, keys, buckets, costs, unknown, firsts, which) */
static PyObject *py_words(PyObject *self, PyObject *args) {
    PyObject *o[9];
    int unknown;
    Buffers held = {.count = 0};
    (void)self;
    if (!PyArg_ParseTuple(args, "OOOOOOOiOO", &o[0], &o[1], &o[2], &o[3], &o[4], &o[5], &o[6], &unknown, &o[7], &o[8])) return NULL;
    uint32_t *codes;
    int32_t *starts, *ends, *firsts, *which;
    uint8_t *kinds;
    Lexicon lexicon;
    if (!(codes = buffer(&held, o[0], 4, 0, 0)) || !(starts = buffer(&held, o[1], 4, 0, 0))) return release(&held, NULL);
    Py_ssize_t length = items(&held, 0), n = items(&held, 1);
    if (!(ends = buffer(&held, o[2], 4, n, 0)) || !(kinds = buffer(&held, o[3], 1, length, 0)) || !(lexicon.keys = buffer(&held, o[4], 4, 0, 0)))
        return release(&held, NULL);
    lexicon.known = items(&held, 4);
    if (!(lexicon.buckets = buffer(&held, o[5], 4, BUCKETS + 1, 0)) || !(lexicon.costs = buffer(&held, o[6], 2, lexicon.known, 0)) ||
        !(firsts = buffer(&held, o[7], 4, n, 1)) || !(which = buffer(&held, o[8], 4, n, 1)) || !ascending(starts, ends, n, length))
        return release(&held, NULL);
    Step *steps = malloc((size_t)(n + 1) * sizeof *steps);
    if (!steps) return release(&held, PyErr_NoMemory());
    Py_BEGIN_ALLOW_THREADS;
    words(codes, starts, ends, n, kinds, &lexicon, unknown, steps, firsts, which);
    Py_END_ALLOW_THREADS;
    free(steps);
    Py_INCREF(Py_None);
    return release(&held, Py_None);
}

/* The key of a word or number of ASCII characters, as `bare` in units.py says. */
static PyObject *plain_key(PyObject *text, const uint32_t *codes, Py_ssize_t size) {
    char key[MOST_LETTERS];
    Py_ssize_t count = 0;
    int same = 1;
    for (Py_ssize_t i = 0; i < size; i++) {
        char low = (char)(codes[i] - 'A' < 26 ? codes[i] + 32 : codes[i]);
        if (low == 'j' && count && key[count - 1] == 'i') low = 'y', count--;
        same &= low == (char)codes[i];
        key[count++] = low;
    }
    if (!same) return PyUnicode_DecodeASCII(key, count, NULL);
    Py_INCREF(text);
    return text;
}

/* The kind of a word or number of ASCII characters, as in units.py; 0 if it has others, or too many. */
static int plain_kind(const uint32_t *codes, Py_ssize_t size) {
    int small = 0, capitals = 0, glued = 0;
    if (size > MOST_LETTERS) return 0;
    for (Py_ssize_t i = 0; i < size; i++) {
        if (codes[i] > 127) return 0;
        int capital = codes[i] - 'A' < 26, letter = codes[i] - 'a' < 26;
        glued |= capital && i && codes[i - 1] - 'a' < 26;
        small += letter;
        capitals += capital;
    }
    if (!small && !capitals) return DIGITS;
    return !capitals ? SMALL : glued ? GLUED : small || size > MOST_CAPITALS ? CAPITAL : CAPITALS;
}

/* The key and the kind of a unit, asked of `words` if it is no plain one; NULL if that fails. */
static PyObject *key_of(PyObject *text, const uint32_t *codes, Py_ssize_t size, PyObject *words, char *kind) {
    if ((*kind = (char)plain_kind(codes, size))) return plain_key(text, codes, size);
    PyObject *said = PyDict_GetItemWithError(words, text), *key = NULL, *number;
    if (said) Py_INCREF(said);
    else if (PyErr_Occurred() || !(said = PyObject_GetItem(words, text))) return NULL;
    if ((number = PyTuple_GetItem(said, 1)) && (key = PyTuple_GetItem(said, 0))) {
        *kind = (char)PyLong_AsLong(number);
        if (PyErr_Occurred()) key = NULL;
        Py_XINCREF(key);
    }
    Py_DECREF(said);
    return key;
}

/* Where the units of a text start and end, by turns; -1 if a character's class is not known. */
static Py_ssize_t edges_of(const uint32_t *codes, Py_ssize_t n, const uint8_t *table, int32_t *edges) {
    Py_ssize_t at = 0, end = 0, count = 0;
    int more;
    for (; (more = unit(codes, n, table, &at, &end)) > 0; count++) {
        edges[2 * count] = (int32_t)at;
        edges[2 * count + 1] = (int32_t)end;
    }
    return more ? -1 : count;
}

/* units(text, table, words) -> starts, ends, texts, keys, kinds; None if the table does not know the class of a character */
static PyObject *py_units(PyObject *self, PyObject *args) {
    PyObject *text, *tabled, *words, *columns[4] = {NULL}, *found = NULL;
    Buffers held = {.count = 0};
    (void)self;
    if (!PyArg_ParseTuple(args, "UOO!", &text, &tabled, &PyDict_Type, &words)) return NULL;
    uint8_t *table = buffer(&held, tabled, 1, 0x110000, 0);
    if (!table) return release(&held, NULL);
    Py_ssize_t n = PyUnicode_GetLength(text), count = 0;
    uint32_t *codes = PyUnicode_AsUCS4Copy(text);
    int32_t *edges = PyMem_Malloc(2 * sizeof *edges * (size_t)(n + 1));
    char *kinds = PyMem_Malloc((size_t)n + 1);
    int whole = codes && edges && kinds;
    if (codes && !whole) PyErr_NoMemory();
    if (whole && (count = edges_of(codes, n, table, edges)) < 0) found = Py_BuildValue("");
    whole = whole && count >= 0;
    for (int i = 0; whole && i < 4; i++) whole = (columns[i] = PyList_New(count)) != NULL;
    for (Py_ssize_t i = 0; whole && i < count; i++) {
        int32_t at = edges[2 * i], end = edges[2 * i + 1];
        PyObject *word = PyUnicode_Substring(text, at, end), *key = word ? key_of(word, codes + at, end - at, words, kinds + i) : NULL;
        PyObject *start = PyLong_FromLong(at), *after = PyLong_FromLong(end);
        whole = start && after && key;
        PyList_SetItem(columns[0], i, start);
        PyList_SetItem(columns[1], i, after);
        PyList_SetItem(columns[2], i, word);
        PyList_SetItem(columns[3], i, key);
    }
    if (whole) found = Py_BuildValue("OOOOy#", columns[0], columns[1], columns[2], columns[3], kinds, count);
    for (int i = 0; i < 4; i++) Py_XDECREF(columns[i]);
    PyMem_Free(kinds);
    PyMem_Free(edges);
    PyMem_Free(codes);
    return release(&held, found);
}

static int spelt(PyObject *word, Spelt *out) {
    Py_ssize_t size = PyUnicode_Check(word) ? PyUnicode_GetLength(word) : -1;
    if (size < 0) {
        PyErr_SetString(PyExc_TypeError, "words are strings");
        return 0;
    }
    out->kinds = 0;
    out->size = size > MOST_LETTERS ? 0 : (int)size;
    if (!out->size) return 1;
    if (!PyUnicode_AsUCS4(word, out->letters, MOST_LETTERS, 0)) return 0;
    for (int i = 0; i < out->size; i++) out->kinds |= (uint32_t)1 << (out->letters[i] & 31);
    return 1;
}

/* nearest(words, known, limits) -> for each word the number of the nearest known one, -1 if none is near */
static PyObject *py_nearest(PyObject *self, PyObject *args) {
    PyObject *words, *known, *limited, *found = NULL;
    Buffers held = {.count = 0};
    (void)self;
    if (!PyArg_ParseTuple(args, "O!O!O", &PyList_Type, &words, &PyList_Type, &known, &limited)) return NULL;
    Py_ssize_t n = PyList_Size(known), many = PyList_Size(words), done = 0;
    uint8_t *limits = buffer(&held, limited, 1, n, 0);
    if (!limits) return release(&held, NULL);
    Spelt *all = malloc((size_t)(n + 1) * sizeof *all);
    int whole = all != NULL;
    if (!whole) PyErr_NoMemory();
    for (Py_ssize_t i = 0; whole && i < n; i++) whole = spelt(PyList_GetItem(known, i), all + i);
    if (whole) found = PyList_New(many);
    for (; found && done < many; done++) {
        PyObject *number = spelt(PyList_GetItem(words, done), all + n) ? PyLong_FromSsize_t(nearest(all + n, all, n, limits)) : NULL;
        if (!number || PyList_SetItem(found, done, number) < 0) Py_CLEAR(found);
    }
    free(all);
    return release(&held, found);
}

static PyMethodDef methods[] = {
    {"cut", py_cut, METH_VARARGS, "A text to tokens."},
    {"lay", py_lay, METH_VARARGS, "Which note, line and chunk each token stands in, and what stands before it."},
    {"colons", py_colons, METH_VARARGS, "The colons that end a key."},
    {"keyed", py_keyed, METH_VARARGS, "The key of each token, and how far behind its colon it stands."},
    {"elsewhere", py_elsewhere, METH_VARARGS, "Behind which other key a form stands in its note."},
    {"cores", py_cores, METH_VARARGS, "Chunks of several words or numbers."},
    {"chunk_places", py_chunk_places, METH_VARARGS, "Where in its chunk each token stands."},
    {"units", py_units, METH_VARARGS, "A text to words, numbers and Chinese characters, with their keys."},
    {"words", py_words, METH_VARARGS, "The words of Chinese text."},
    {"nearest", py_nearest, METH_VARARGS, "The known word that each word is, but for a slip or two."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_native", "The compiled loops over characters and tokens.", 0, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__native(void) {
    fill_crc();
    return PyModule_Create(&module);
}
