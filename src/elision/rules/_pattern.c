/* Patterns as trees: see _pattern.h. */
#include "_pattern.h"

#define LAST 0x10ffff
#define MOST_DEEP 200 /* brackets in brackets */
#define MOST_SHARED 64 /* atoms that choices share, looked at together */
#define MOST_TIMES 1000

void *grown(void *items, int *room, size_t size) {
    if (*room > INT32_MAX / 2) return NULL;
    int more = *room ? 2 * *room : 64;
    void *larger = realloc(items, (size_t)more * size);
    if (larger) *room = more;
    return larger;
}

/* ---- sets ---------------------------------------------------------------------------------------------------- */

static int add_range(Patterns *p, uint32_t low, uint32_t high) {
    if (p->range_count == p->range_room) {
        Range *ranges = grown(p->ranges, &p->range_room, sizeof *ranges);
        if (!ranges) return 0;
        p->ranges = ranges;
    }
    p->ranges[p->range_count++] = (Range){low, high};
    return 1;
}

static int by_low(const void *a, const void *b) {
    const Range *x = a, *y = b;
    return x->low < y->low ? -1 : x->low > y->low;
}

/* The ranges from `first` on in order and disjoint. */
static void in_order(Patterns *p, int first) {
    if (p->range_count == first) return;
    qsort(p->ranges + first, (size_t)(p->range_count - first), sizeof *p->ranges, by_low);
    int last = first;
    for (int i = first + 1; i < p->range_count; i++) {
        Range *to = &p->ranges[last], *from = &p->ranges[i];
        if (from->low <= to->high + 1) to->high = from->high > to->high ? from->high : to->high;
        else p->ranges[++last] = *from;
    }
    p->range_count = last + 1;
}

static int fold(Patterns *p, int first) {
    int after = p->range_count;
    for (int i = first; i < after; i++) {
        Range range = p->ranges[i];
        int low = 0, high = p->fold_count; /* the first pair that is not before the range */
        while (low < high) {
            int middle = (low + high) / 2;
            if (p->folds[2 * middle] < range.low) low = middle + 1;
            else high = middle;
        }
        for (; low < p->fold_count && p->folds[2 * low] <= range.high; low++)
            if (!add_range(p, p->folds[2 * low + 1], p->folds[2 * low + 1])) return 0;
    }
    return 1;
}

/* Of the ranges from `first` on, in order, all others. */
static int others(Patterns *p, int first) {
    int count = p->range_count - first;
    uint32_t next = 0;
    for (int i = 0; i < count; i++) {
        Range range = p->ranges[first + i];
        if (range.low > next && !add_range(p, next, range.low - 1)) return 0;
        next = range.high + 1;
    }
    if (next <= LAST && !add_range(p, next, LAST)) return 0;
    memmove(p->ranges + first, p->ranges + first + count, (size_t)(p->range_count - first - count) * sizeof *p->ranges);
    p->range_count -= count;
    return 1;
}

static uint32_t hashed(const void *data, size_t size) {
    const uint32_t *words = data;
    uint64_t hash = 0x9e3779b97f4a7c15u ^ size;
    for (size_t i = 0; i < size / 4; i++) hash = (hash ^ words[i]) * 0x100000001b3u;
    return (uint32_t)(hash ^ hash >> 29);
}

/* Makes room in a hash table that is half full; the caller puts in again what was there. */
static int larger(Numbers *slots, int count) {
    if (2 * (count + 1) < slots->room) return 0;
    int room = slots->room ? 4 * slots->room : 1 << 10;
    int32_t *items = calloc((size_t)room, sizeof *items);
    if (!items) return NO_MEMORY;
    free(slots->items);
    slots->items = items;
    slots->room = room;
    return 1;
}

static int set_slot(Patterns *p, const Range *ranges, int count) {
    uint32_t at = hashed(ranges, (size_t)count * sizeof *ranges);
    for (;; at++) {
        int32_t set = p->set_slots.items[at &= (uint32_t)p->set_slots.room - 1] - 1;
        if (set < 0) return (int)at;
        int first = p->set_begins.items[set];
        if (p->set_begins.items[set + 1] - first == count && !memcmp(p->ranges + first, ranges, (size_t)count * sizeof *ranges)) return (int)at;
    }
}

/* Takes characters out of the ranges from `first` on, which are in order. */
static int without(Patterns *p, int first, uint32_t low, uint32_t high) {
    int after = p->range_count, kept = first;
    for (int i = first; i < after; i++) {
        Range range = p->ranges[i];
        if (range.high > high && range.low <= high) {
            if (!add_range(p, high + 1, range.high)) return 0;
            range.high = high;
        }
        if (range.low < low && range.high > low - 1) range.high = range.high <= high ? low - 1 : range.high;
        if (range.low < low || range.low > high) p->ranges[kept++] = range;
    }
    memmove(p->ranges + kept, p->ranges + after, (size_t)(p->range_count - after) * sizeof *p->ranges);
    p->range_count -= after - kept;
    in_order(p, first);
    return 1;
}

/* The number of the set of the ranges from `first` on, which are no longer there if there was such a set before. A line's
 * end is in no set: no match runs over it. */
static int set_of(Patterns *p, int first, int any_case, int negated) {
    if (any_case && !fold(p, first)) return NO_MEMORY;
    in_order(p, first);
    if (negated && !others(p, first)) return NO_MEMORY;
    if (!without(p, first, '\n', '\n')) return NO_MEMORY;
    int sets = p->set_begins.count - 1, count = p->range_count - first, anew = larger(&p->set_slots, sets);
    if (anew < 0) return NO_MEMORY;
    for (int set = 0; anew && set < sets; set++) {
        int begin = p->set_begins.items[set];
        p->set_slots.items[set_slot(p, p->ranges + begin, p->set_begins.items[set + 1] - begin)] = set + 1;
    }
    int slot = set_slot(p, p->ranges + first, count);
    if (p->set_slots.items[slot]) {
        p->range_count = first;
        return p->set_slots.items[slot] - 1;
    }
    p->set_slots.items[slot] = sets + 1;
    return numbers_push(&p->set_begins, p->range_count) ? sets : NO_MEMORY;
}

/* ---- trees --------------------------------------------------------------------------------------------------- */

static int same(const Patterns *p, const Tree *x, const Tree *y) {
    if (x->kind != y->kind || x->lazy != y->lazy || x->b != y->b || x->c != y->c) return 0;
    if (x->kind != CAT && x->kind != ALT) return x->a == y->a;
    return !memcmp(p->lists.items + x->a, p->lists.items + y->a, (size_t)x->b * sizeof(int32_t));
}

static int tree_slot(Patterns *p, const Tree *tree) {
    int32_t told[4] = {tree->kind, tree->kind == CAT || tree->kind == ALT ? 0 : tree->a, tree->b, tree->c};
    uint32_t at = hashed(told, sizeof told);
    if (tree->kind == CAT || tree->kind == ALT) at ^= hashed(p->lists.items + tree->a, (size_t)tree->b * sizeof(int32_t));
    for (;; at++) {
        int32_t number = p->tree_slots.items[at &= (uint32_t)p->tree_slots.room - 1] - 1;
        if (number < 0 || same(p, &p->trees[number], tree)) return (int)at;
    }
}

/* The number of a tree; lists of it are the last in `lists`, and are taken away where there was such a tree before. */
static int tree_of(Patterns *p, Tree tree) {
    int anew = larger(&p->tree_slots, p->tree_count);
    if (anew < 0) return NO_MEMORY;
    for (int number = 0; anew && number < p->tree_count; number++)
        p->tree_slots.items[tree_slot(p, &p->trees[number])] = number + 1;
    int slot = tree_slot(p, &tree);
    if (p->tree_slots.items[slot]) {
        if (tree.kind == CAT || tree.kind == ALT) p->lists.count = tree.a;
        return p->tree_slots.items[slot] - 1;
    }
    if (p->tree_count == p->tree_room) {
        Tree *trees = grown(p->trees, &p->tree_room, sizeof *trees);
        if (!trees) return NO_MEMORY;
        p->trees = trees;
    }
    p->trees[p->tree_count] = tree;
    p->tree_slots.items[slot] = ++p->tree_count;
    return p->tree_count - 1;
}

static int listed(Patterns *p, int kind, const int32_t *items, int count) {
    if (count == 1) return items[0];
    if (!count) return tree_of(p, (Tree){.kind = EMPTY});
    int first = p->lists.count;
    for (int i = 0; i < count; i++)
        if (!numbers_push(&p->lists, items[i])) return NO_MEMORY;
    return tree_of(p, (Tree){.kind = (uint8_t)kind, .a = first, .b = count});
}

/* ---- reading ------------------------------------------------------------------------------------------------- */

typedef struct {
    Patterns *p;
    const uint32_t *codes;
    Py_ssize_t size, at;
    int any_case, many_lines, groups, depth;
    Numbers atoms; /* of the choices that are open */
} Reader;

static int32_t peek(const Reader *r, int ahead) {
    return r->at + ahead < r->size ? (int32_t)r->codes[r->at + ahead] : -1;
}

static int hexadecimal(int32_t c) { return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1; }

static int word_letter(int32_t c) { return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') || c == '_'; }

/* The character behind "\x", or UNSUPPORTED. */
static int32_t by_number(Reader *r) {
    int32_t code = 0;
    int digit;
    if (peek(r, 0) == '{') {
        for (r->at++; (digit = hexadecimal(peek(r, 0))) >= 0 && code <= LAST; r->at++) code = 16 * code + digit;
        return peek(r, 0) == '}' && code <= LAST && peek(r, -1) != '{' ? (r->at++, code) : UNSUPPORTED;
    }
    for (int i = 0; i < 2; i++, r->at++) {
        if ((digit = hexadecimal(peek(r, 0))) < 0) return UNSUPPORTED;
        code = 16 * code + digit;
    }
    return code;
}

/* Behind "\": a single character that is meant, or UNSUPPORTED, and then nothing was read. */
static int32_t escaped(Reader *r) {
    int32_t c = peek(r, 0);
    if (c < 0) return UNSUPPORTED;
    r->at++;
    switch (c) {
    case 'x': return by_number(r);
    case 't': return '\t';
    case 'n': return '\n';
    case 'r': return '\r';
    case 'f': return '\f';
    case 'v': return '\v';
    default:
        if (!word_letter(c) && c < 0x80) return c;
        r->at--;
        return UNSUPPORTED;
    }
}

/* Behind "\": adds the ranges of \d, \pL and the like. 1 if there was one, 0 if not. */
static int shorthand(Reader *r) {
    Patterns *p = r->p;
    int32_t c = peek(r, 0);
    int first = p->range_count, done = 0, negated = c == 'D' || c == 'W' || c == 'S' || c == 'P';
    if (c == 'd' || c == 'D') done = add_range(p, '0', '9');
    else if (c == 'w' || c == 'W') done = add_range(p, '0', '9') && add_range(p, 'A', 'Z') && add_range(p, '_', '_') && add_range(p, 'a', 'z');
    else if (c == 's' || c == 'S') done = add_range(p, '\t', '\n') && add_range(p, '\f', '\r') && add_range(p, ' ', ' ');
    else if (c == 'p' || c == 'P') {
        char name[24] = {0};
        int size = 0, closed = peek(r, 1) == '{';
        Py_ssize_t at = r->at + 1 + closed;
        do {
            if (at >= r->size || !word_letter((int32_t)r->codes[at]) || size > 22) return 0;
            name[size++] = (char)r->codes[at++];
        } while (closed && at < r->size && r->codes[at] != '}');
        for (int i = 0; i < p->named_count && !done; i++) {
            if (strcmp(p->named[i].name, name)) continue;
            done = 1;
            for (int k = 0; done && k < p->named[i].count; k++) done = add_range(p, p->named[i].ranges[k].low, p->named[i].ranges[k].high);
        }
        r->at = at + closed - 1;
    }
    if (!done) {
        p->range_count = first;
        return 0;
    }
    r->at++;
    if (!negated) return 1;
    if (r->any_case && !fold(p, first)) return 0;
    in_order(p, first);
    return others(p, first);
}

static int bracket(Reader *r) {
    Patterns *p = r->p;
    int first = p->range_count, negated = peek(r, 0) == '^';
    r->at += negated;
    for (int begun = 0; peek(r, 0) != ']' || !begun; begun = 1) {
        int32_t low = peek(r, 0), high;
        if (low < 0 || (low == '[' && peek(r, 1) == ':')) return UNSUPPORTED;
        r->at++;
        if (low == '\\') {
            if (shorthand(r)) continue;
            if ((low = escaped(r)) < 0) return UNSUPPORTED;
        }
        high = low;
        if (peek(r, 0) == '-' && peek(r, 1) != ']' && peek(r, 1) >= 0) {
            r->at++;
            high = peek(r, 0);
            r->at++;
            if (high == '[' && peek(r, 0) == ':') return UNSUPPORTED;
            if (high == '\\' && (high = escaped(r)) < 0) return UNSUPPORTED;
            if (high < low) return UNSUPPORTED;
        }
        if (!add_range(p, (uint32_t)low, (uint32_t)high)) return NO_MEMORY;
    }
    r->at++;
    return set_of(p, first, r->any_case, negated);
}

static int literal(Reader *r, int32_t code) {
    Patterns *p = r->p;
    int32_t *kept = code < 0x250 ? &p->literals[r->any_case][code] : NULL;
    if (kept && *kept) return *kept - 1;
    int first = p->range_count, set;
    if (!add_range(p, (uint32_t)code, (uint32_t)code)) return NO_MEMORY;
    set = set_of(p, first, r->any_case, 0);
    if (kept && set >= 0) *kept = set + 1;
    return set;
}

static int tree_of_set(Patterns *p, int set) { return set < 0 ? set : tree_of(p, (Tree){.kind = SET, .a = set}); }

/* A count such as {2,5}: whether there is one. */
static int counted(Reader *r, int *least, int *most) {
    Py_ssize_t at = r->at;
    int32_t c = peek(r, 0);
    if (c == '?' || c == '*' || c == '+') {
        *least = c == '+';
        *most = c == '?' ? 1 : ENDLESS;
        r->at++;
        return 1;
    }
    if (c != '{') return 0;
    int numbers[2] = {0, 0}, which = 0, digits = 0, open = 0;
    for (r->at++; (c = peek(r, 0)) >= 0; r->at++) {
        if (c >= '0' && c <= '9' && !(digits && !numbers[which])) { /* 01 is no count */
            if (numbers[which] <= MOST_TIMES) numbers[which] = 10 * numbers[which] + c - '0';
            digits++;
        } else if (c == ',' && !which && digits) {
            which = 1;
            digits = 0;
        } else break;
    }
    open = which && !digits;
    if (c != '}' || (!digits && !open)) {
        r->at = at;
        return 0;
    }
    r->at++;
    *least = numbers[0];
    *most = !which ? numbers[0] : open ? ENDLESS : numbers[1];
    return 1;
}

static int choice(Reader *r);

/* Behind "(": what is in the brackets, or the flags that hold up to the end of what is open. */
static int brackets(Reader *r) {
    int any_case = r->any_case, many_lines = r->many_lines, group = 1, on = 1, flags = 0;
    if (peek(r, 0) == '?') {
        group = 0;
        for (r->at++; peek(r, 0) != ':' && peek(r, 0) != ')'; r->at++) {
            int32_t c = peek(r, 0);
            if (c == '-' && on) {
                on = flags = 0;
                continue;
            }
            if (c == 'i') r->any_case = on;
            else if (c == 'm') r->many_lines = on;
            else return UNSUPPORTED;
            flags = 1;
        }
        if (!on && !flags) return UNSUPPORTED;
        if (peek(r, 0) == ')') {
            int least, most;
            r->at++;
            if (!flags || counted(r, &least, &most)) return UNSUPPORTED; /* RE2 counts what stands before the flags */
            return tree_of(r->p, (Tree){.kind = EMPTY});
        }
        r->at++;
    }
    r->groups += group;
    int tree = choice(r);
    if (tree < 0) return tree;
    if (peek(r, 0) != ')') return UNSUPPORTED;
    r->at++;
    r->any_case = any_case;
    r->many_lines = many_lines;
    return group ? tree_of(r->p, (Tree){.kind = GROUP, .a = tree}) : tree;
}

static int atom(Reader *r) {
    Patterns *p = r->p;
    int32_t c = peek(r, 0);
    int first = p->range_count;
    r->at++;
    switch (c) {
    case '(': return brackets(r);
    case '[': return tree_of_set(p, bracket(r));
    case '^': return tree_of(p, (Tree){.kind = r->many_lines ? LINE_BEGIN : TEXT_BEGIN});
    case '$': return tree_of(p, (Tree){.kind = r->many_lines ? LINE_END : TEXT_END});
    case '.': return add_range(p, 0, LAST) ? tree_of_set(p, set_of(p, first, 0, 0)) : NO_MEMORY;
    case '*': case '+': case '?': return UNSUPPORTED;
    case '{': {
        int least, most;
        r->at--;
        if (counted(r, &least, &most)) return UNSUPPORTED;
        r->at++;
        return tree_of_set(p, literal(r, c));
    }
    case '\\': break;
    default: return tree_of_set(p, literal(r, c));
    }
    c = peek(r, 0);
    int kind = c == 'b' ? EDGE : c == 'B' ? NO_EDGE : c == 'A' ? TEXT_BEGIN : c == 'z' ? TEXT_END : EMPTY;
    if (kind != EMPTY) {
        r->at++;
        return tree_of(p, (Tree){.kind = (uint8_t)kind});
    }
    if (shorthand(r)) return tree_of_set(p, set_of(p, first, r->any_case && c != 'D' && c != 'W' && c != 'S' && c != 'P', 0));
    c = escaped(r);
    return c < 0 ? UNSUPPORTED : tree_of_set(p, literal(r, c));
}

static int repeated(Reader *r, int tree) {
    int least, most, times = 0;
    while (tree >= 0 && counted(r, &least, &most)) {
        int lazy = peek(r, 0) == '?';
        r->at += lazy;
        if (times++ || least > MOST_TIMES || most > MOST_TIMES || (most >= 0 && most < least)) return UNSUPPORTED;
        tree = tree_of(r->p, (Tree){.kind = REPEAT, .lazy = (uint8_t)lazy, .a = tree, .b = least, .c = most});
    }
    return tree;
}

/* Whether choices that begin with this may be looked at together: it matches in one way only. */
static int plain(const Patterns *p, int tree) {
    const Tree *t = &p->trees[tree];
    return t->kind == SET || t->kind >= LINE_BEGIN;
}

/* The choice between some branches, each a run of atoms; `ends` are where they end. `deep` atoms before are shared. */
static int factored(Reader *r, int32_t *begins, const int32_t *ends, int count, int deep) {
    Numbers found = {0};
    int tree = 0;
    for (int i = 0, after; tree >= 0 && i < count; i = after) {
        after = i + 1;
        const int32_t *atoms = r->atoms.items;
        int together = deep < MOST_SHARED && begins[i] < ends[i] && plain(r->p, atoms[begins[i]]);
        while (together && after < count && begins[after] < ends[after] && atoms[begins[after]] == atoms[begins[i]]) after++;
        if (after - i == 1) tree = listed(r->p, CAT, atoms + begins[i], ends[i] - begins[i]);
        else {
            int32_t pair[2] = {atoms[begins[i]], 0};
            for (int k = i; k < after; k++) begins[k]++;
            pair[1] = tree = factored(r, begins + i, ends + i, after - i, deep + 1);
            if (tree >= 0) tree = listed(r->p, CAT, pair, 2);
        }
        if (tree >= 0 && !numbers_push(&found, tree)) tree = NO_MEMORY;
    }
    if (tree >= 0) tree = listed(r->p, ALT, found.items, found.count);
    free(found.items);
    return tree;
}

static int choice(Reader *r) {
    Numbers begins = {0}, ends = {0};
    int base = r->atoms.count, tree = 0;
    if (++r->depth > MOST_DEEP) return UNSUPPORTED;
    if (!numbers_push(&begins, base)) tree = NO_MEMORY;
    while (tree >= 0 && r->at < r->size && peek(r, 0) != ')') {
        if (peek(r, 0) == '|') {
            r->at++;
            if (!numbers_push(&ends, r->atoms.count) || !numbers_push(&begins, r->atoms.count)) tree = NO_MEMORY;
            continue;
        }
        tree = repeated(r, atom(r));
        if (tree >= 0 && r->p->trees[tree].kind != EMPTY && !numbers_push(&r->atoms, tree)) tree = NO_MEMORY;
    }
    if (tree >= 0 && !numbers_push(&ends, r->atoms.count)) tree = NO_MEMORY;
    if (tree >= 0) tree = factored(r, begins.items, ends.items, ends.count, 0);
    free(begins.items);
    free(ends.items);
    r->atoms.count = base;
    r->depth--;
    return tree;
}

int pattern_read(Patterns *p, const uint32_t *codes, Py_ssize_t size, int *groups) {
    Reader reader = {.p = p, .codes = codes, .size = size};
    if (!p->set_begins.count && !numbers_push(&p->set_begins, 0)) return NO_MEMORY;
    int tree = choice(&reader);
    if (tree >= 0 && reader.at < size) tree = UNSUPPORTED;
    if (tree < 0) p->range_count = p->set_begins.items[p->set_begins.count - 1]; /* a set that was not read to its end is none */
    free(reader.atoms.items);
    *groups = reader.groups;
    return tree;
}

/* ---- the alphabet -------------------------------------------------------------------------------------------- */

static int by_number_of(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* The class of an interval between two bounds is that of all intervals that are in the same sets, as sums of numbers by set
 * tell. */
static int same_sets(Patterns *p, uint16_t *class_by_bound, int count) {
    uint64_t *sums = calloc((size_t)count + 1, sizeof *sums);
    int slots = 1, classes = 0;
    while (slots < 2 * count) slots *= 2;
    int32_t *first = calloc((size_t)slots, sizeof *first);
    if (sums && first) {
        for (int set = -2; set < p->set_begins.count - 1; set++) {
            static const Range own[] = {{'\n', '\n'}, {'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
            const Range *ranges = set == -2 ? own : set == -1 ? own + 1 : p->ranges + p->set_begins.items[set];
            int many = set == -2 ? 1 : set == -1 ? 4 : p->set_begins.items[set + 1] - p->set_begins.items[set];
            uint64_t number = ((uint64_t)(set + 3)) * 0x9e3779b97f4a7c15u;
            number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9u;
            number = (number ^ number >> 27) * 0x94d049bb133111ebu;
            number ^= number >> 31;
            for (int i = 0; i < many; i++) {
                sums[bound_of(p, ranges[i].low, count)] += number;
                if (ranges[i].high < LAST) sums[bound_of(p, ranges[i].high + 1, count)] -= number;
            }
        }
        for (int i = 1; i < count; i++) sums[i] += sums[i - 1];
        for (int i = 0; i < count; i++) {
            uint32_t at = (uint32_t)(sums[i] >> 32);
            for (;; at++) {
                int32_t *slot = &first[at &= (uint32_t)slots - 1];
                if (!*slot) {
                    *slot = i + 1;
                    class_by_bound[i] = (uint16_t)classes++;
                } else if (sums[*slot - 1] == sums[i]) class_by_bound[i] = class_by_bound[*slot - 1];
                else continue;
                break;
            }
        }
    }
    free(first);
    free(sums);
    return sums && first ? classes : NO_MEMORY;
}

/* Divides all characters into classes that no set tells apart. */
int patterns_alphabet(Patterns *p) {
    static const uint32_t own[] = {0, '\n', '\n' + 1, '0', '9' + 1, 'A', 'Z' + 1, '_', '_' + 1, 'a', 'z' + 1};
    int count = 0, sets = p->set_begins.count - 1, most = 2 * p->range_count + (int)(sizeof own / sizeof *own);
    uint32_t *bounds = p->bounds = malloc(sizeof *bounds * (size_t)most);
    if (!bounds) return NO_MEMORY;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) bounds[count++] = own[i];
    for (int i = 0; i < p->range_count; i++) {
        bounds[count++] = p->ranges[i].low;
        bounds[count++] = p->ranges[i].high + 1;
    }
    qsort(bounds, (size_t)count, sizeof *bounds, by_number_of);
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (bounds[i] <= LAST && (!kept || bounds[i] != bounds[kept - 1])) bounds[kept++] = bounds[i];
    if (kept >= 0xffff) return UNSUPPORTED;
    p->bound_count = kept;
    p->class_by_bound = malloc(sizeof *p->class_by_bound * (size_t)kept);
    p->class_of = malloc(sizeof *p->class_of << 16);
    if (!p->class_by_bound || !p->class_of) return NO_MEMORY;
    if ((p->classes = same_sets(p, p->class_by_bound, kept)) < 0) return NO_MEMORY;
    p->words = p->classes / 32 + 1;
    p->beside = calloc((size_t)p->classes + 1, 1);
    p->holds = calloc((size_t)(sets + 1) * (size_t)p->words, sizeof *p->holds);
    if (!p->beside || !p->holds) return NO_MEMORY;
    for (int i = 0; i < kept; i++) {
        uint16_t class = p->class_by_bound[i];
        uint32_t low = bounds[i], high = i + 1 < kept ? bounds[i + 1] : LAST + 1;
        for (uint32_t code = low; code < high && code < 1 << 16; code++) p->class_of[code] = class;
        p->beside[class] = low == '\n' ? AT_LINE : low < 0x80 && word_letter((int32_t)low) ? AT_WORD : AT_OTHER;
    }
    p->beside[p->classes] = AT_TEXT;
    for (int set = 0; set < sets; set++) {
        uint32_t *row = p->holds + (size_t)set * (size_t)p->words;
        for (int i = p->set_begins.items[set]; i < p->set_begins.items[set + 1]; i++) {
            int at = bound_of(p, p->ranges[i].low, kept);
            for (; at < kept && bounds[at] <= p->ranges[i].high; at++) {
                uint16_t class = p->class_by_bound[at];
                row[class >> 5] |= 1u << (class & 31);
            }
        }
    }
    return 1;
}

void patterns_free(Patterns *p) {
    void *all[] = {p->trees, p->lists.items, p->tree_slots.items, p->set_slots.items, p->ranges, p->set_begins.items,
                   p->bounds, p->class_by_bound, p->class_of, p->beside, p->holds};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}
