/* Rows of rules over a piece of text: where they match, and why a match does not count.
 *
 * `by_re2.py` says what is to be found, and finds it where this file was not built, or where a row is written in a
 * part of RE2's syntax that `_pattern.c` does not read. Both find the same. All rows are one automaton here: it is begun at every
 * place of the text, most often dies at once, and tells which rows match there. An automaton of a row by itself tells then which
 * match is preferred and where its group is. Automata that have grown large are begun anew.
 */
#include "_machine.h"

#define BEHIND (4 * 48) /* characters that `unless_before` sees: as many as `by_re2.py` lets it see bytes */
#define NAME "elision.rules"

enum { COUNTS, CUTS, BEFORE, AFTER, CHECK };
enum { EXACT, NOT_BEFORE, NOT_AFTER, MACHINES };

typedef struct {
    int32_t trees[MACHINES]; /* UNSUPPORTED where there is none */
    Machine *machines[MACHINES];
    int edges, grouped; /* whether the identifier is a group of the match, or all of it */
    PyObject *check;
} Row;

typedef struct {
    Patterns patterns;
    Row *rows;
    int count;
    size_t most_of_all, most_of_one; /* bytes that the automata may take before they are begun anew */
    Machine *all, *inside; /* of all rows, and of those that may count where they begin inside a word or a number */
    Range *named;
    Named *names;
    uint32_t *folds;
    uint8_t *kinds; /* 1: a letter that makes words, 2: a digit */
    Py_ssize_t kind_count;
} Rows;

static void rows_free(Rows *rows) {
    for (int i = 0; i < rows->count; i++) {
        for (int k = 0; k < MACHINES; k++)
            if (rows->rows[i].machines[k]) machine_free(rows->rows[i].machines[k]);
        Py_XDECREF(rows->rows[i].check);
    }
    if (rows->all) machine_free(rows->all);
    if (rows->inside) machine_free(rows->inside);
    patterns_free(&rows->patterns);
    free(rows->rows);
    free(rows->named);
    free(rows->names);
    free(rows->folds);
    free(rows->kinds);
    free(rows);
}

static void forget(PyObject *capsule) { rows_free(PyCapsule_GetPointer(capsule, NAME)); }

/* ---- matching ------------------------------------------------------------------------------------------------ */

/* The preferred match that begins at a place. `trails` is scratch. */
static int match_at(Machine *m, const uint16_t *classes, Py_ssize_t at, Py_ssize_t size, Numbers *trails, Found *found) {
    const Patterns *p = m->patterns;
    int before = at ? p->beside[classes[at - 1]] : AT_TEXT, last = -1;
    int32_t state = machine_begin(m, before), way = 0;
    trails->count = 0;
    if (state < 0 || !numbers_push(trails, m->begin_trails[before])) return NO_MEMORY;
    for (Py_ssize_t here = at; state >= 0; here++) {
        const Step *step = machine_step(m, state, here < size ? classes[here] : p->classes);
        if (!step || !numbers_push(trails, step->trail)) return NO_MEMORY;
        if (step->told >= 0) {
            way = step->told;
            last = (int)(here - at);
        }
        state = step->next;
    }
    if (last < 0) return 0;
    *found = (Found){.end = (int)at + last, .from = -1, .to = -1};
    for (int k = last;; k--) { /* back to where it began; what is met first was last */
        int place = (int)at + k;
        if (way & CLOSES && found->to < 0) found->to = place;
        if (way & OPENS && found->from < 0) found->from = place;
        way = m->trails.items[trails->items[k] + (way >> ORIGIN)];
        if (way & CLOSES_BEHIND && found->to < 0) found->to = place;
        if (way & OPENS_BEHIND && found->from < 0) found->from = place;
        if (!k) return 1;
    }
}

/* Whether there is a match from a place on, forwards or backwards up to a bound. */
static int matches(Machine *m, const uint16_t *classes, Py_ssize_t at, Py_ssize_t bound, int before) {
    int end = m->patterns->classes, forwards = bound >= at, state = machine_begin(m, before);
    while (state >= 0) {
        const Step *step = machine_step(m, state, at == bound ? end : classes[forwards ? at : at - 1]);
        if (!step) return NO_MEMORY;
        if (step->told >= 0) return 1;
        state = step->next;
        at += at == bound ? 0 : forwards ? 1 : -1;
    }
    return state == NO_MEMORY ? NO_MEMORY : 0;
}

/* An automaton of a row, ready; NULL without memory. */
static Machine *machine_of(Rows *rows, Row *row, int which) {
    Machine **machine = &row->machines[which];
    if (!*machine) *machine = machine_new(&rows->patterns, &row->trees[which], NULL, 1, which == NOT_BEFORE);
    if (*machine && machine_size(*machine) > rows->most_of_one && machine_clear(*machine) < 0) return NULL;
    return *machine;
}

typedef struct {
    uint64_t *items; /* row << 32 | place */
    int count, room;
} Places;

static int found_place(Places *places, uint64_t row, Py_ssize_t at) {
    if (places->count == places->room) {
        uint64_t *items = grown(places->items, &places->room, sizeof *items);
        if (!items) return 0;
        places->items = items;
    }
    places->items[places->count++] = row << 32 | (uint64_t)at;
    return 1;
}

/* Whether a word or a number runs over this place. Chinese characters are words of their own. */
static int cuts(const Rows *rows, const uint32_t *codes, Py_ssize_t at, Py_ssize_t size) {
    if (at <= 0 || at >= size) return 0;
    int a = codes[at - 1] < rows->kind_count ? rows->kinds[codes[at - 1]] : 0, b = codes[at] < rows->kind_count ? rows->kinds[codes[at]] : 0;
    return (a & b) != 0;
}

/* Where each row matches; with `counting`, only where that may count. */
static int all_places(Rows *rows, const uint32_t *codes, const uint16_t *classes, Py_ssize_t size, int counting, Places *places) {
    const Patterns *p = &rows->patterns;
    for (Py_ssize_t begin = 0; begin < size; begin++) {
        Machine *m = counting && cuts(rows, codes, begin, size) ? rows->inside : rows->all;
        if (!m) continue;
        if (machine_size(m) > rows->most_of_all && machine_clear(m) < 0) return NO_MEMORY;
        int before = begin ? p->beside[classes[begin - 1]] : AT_TEXT;
        Step *first = &m->firsts[before * (p->classes + 1) + classes[begin]];
        if (!first->class) {
            int root = machine_begin(m, before);
            const Step *step = root < 0 ? NULL : machine_step(m, root, classes[begin]);
            if (!step) return NO_MEMORY;
            *first = *step;
        }
        const Step *taken = first;
        for (Py_ssize_t at = begin + 1;; at++) {
            const int32_t *told = taken->told < 0 ? NULL : m->told.items + taken->told;
            for (int i = 1; told && i <= told[0]; i++)
                if (!found_place(places, (uint64_t)told[i], begin)) return NO_MEMORY;
            if (taken->next < 0) break;
            if (!(taken = machine_step(m, taken->next, at < size ? classes[at] : p->classes))) return NO_MEMORY;
        }
    }
    return 1;
}

static int by_row(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Why a match does not count, -1 after an error. A check is Python, which may let others use these rows meanwhile. */
static int why_not(Rows *rows, Row *row, PyObject *piece, const uint32_t *codes, const uint16_t *classes, Py_ssize_t size, const Found *found) {
    Machine *m;
    int met;
    if (row->edges && (cuts(rows, codes, found->from, size) || cuts(rows, codes, found->to, size))) return CUTS;
    if (row->trees[NOT_BEFORE] >= 0) {
        Py_ssize_t least = found->from > BEHIND ? found->from - BEHIND : 0;
        if (!(m = machine_of(rows, row, NOT_BEFORE)) || (met = matches(m, classes, found->from, least, AT_TEXT)) < 0) return PyErr_NoMemory(), -1;
        if (met) return BEFORE;
    }
    if (row->trees[NOT_AFTER] >= 0) {
        int before = found->to ? rows->patterns.beside[classes[found->to - 1]] : AT_TEXT;
        if (!(m = machine_of(rows, row, NOT_AFTER)) || (met = matches(m, classes, found->to, size, before)) < 0) return PyErr_NoMemory(), -1;
        if (met) return AFTER;
    }
    if (row->check) {
        PyObject *text = PyUnicode_Substring(piece, found->from, found->to);
        PyObject *said = text ? PyObject_CallFunctionObjArgs(row->check, text, NULL) : NULL;
        int fine = said ? PyObject_IsTrue(said) : -1;
        Py_XDECREF(text);
        Py_XDECREF(said);
        if (fine <= 0) return fine ? -1 : CHECK;
    }
    return COUNTS;
}

static int told(PyObject *list, int row, Py_ssize_t first, const Found *found, int why) {
    PyObject *match = Py_BuildValue("(inni)", row, first + found->from, first + found->to, why);
    int fine = match && PyList_Append(list, match) == 0;
    Py_XDECREF(match);
    return fine;
}

/* Row by row, from left to right: a match that counts is not looked into again. */
static int look(Rows *rows, PyObject *piece, const uint32_t *codes, const uint16_t *classes, Py_ssize_t size, const Places *places,
                Py_ssize_t first, int counting, PyObject *list) {
    Numbers trails = {0};
    int fine = 1, row_before = -1;
    Py_ssize_t upto = 0;
    for (int i = 0; fine && i < places->count; i++) {
        int number = (int)(places->items[i] >> 32), met;
        Py_ssize_t at = (Py_ssize_t)(places->items[i] & 0xffffffff);
        Row *row = &rows->rows[number];
        if (number != row_before) upto = 0;
        row_before = number;
        if (at < upto) continue;
        Machine *m = machine_of(rows, row, EXACT);
        Found found;
        if (!m || (met = match_at(m, classes, at, size, &trails, &found)) < 0) {
            PyErr_NoMemory();
            fine = 0;
        } else if (met) {
            if (!row->grouped) found = (Found){.from = (int)at, .to = found.end, .end = found.end};
            if (found.from < 0 || found.from == found.to) { /* an empty identifier is none */
                upto = at + 1;
                continue;
            }
            int why = why_not(rows, row, piece, codes, classes, size, &found);
            fine = why >= 0 && ((why && counting) || told(list, number, first, &found, why));
            upto = why ? found.from + 1 : found.to;
        }
    }
    free(trails.items);
    return fine;
}

/* find(rows, piece, first, counting) -> [(row, start, end, why it does not count)], as offsets of a text in which the piece begins
 * at `first`; with `counting`, only what counts */
static PyObject *py_find(PyObject *self, PyObject *args) {
    PyObject *capsule, *piece;
    Py_ssize_t first;
    int counting;
    (void)self;
    if (!PyArg_ParseTuple(args, "OUnp", &capsule, &piece, &first, &counting)) return NULL;
    Rows *rows = PyCapsule_GetPointer(capsule, NAME);
    if (!rows) return NULL;
    Py_ssize_t size = PyUnicode_GetLength(piece);
    PyObject *list = PyList_New(0);
    Places places = {0};
    uint32_t *codes = PyUnicode_AsUCS4Copy(piece);
    uint16_t *classes = malloc(((size_t)size + 1) * sizeof *classes);
    int fine = list && codes && classes && size < INT32_MAX;
    if (codes && !fine) PyErr_NoMemory();
    for (Py_ssize_t i = 0; fine && i < size; i++) classes[i] = class_of(&rows->patterns, codes[i]);
    if (fine && rows->all && all_places(rows, codes, classes, size, counting, &places) < 0) {
        PyErr_NoMemory();
        fine = 0;
    }
    if (fine && places.count) {
        qsort(places.items, (size_t)places.count, sizeof *places.items, by_row);
        fine = look(rows, piece, codes, classes, size, &places, first, counting, list);
    }
    PyMem_Free(codes);
    free(classes);
    free(places.items);
    if (fine) return list;
    Py_XDECREF(list);
    return NULL;
}

/* ---- making ready -------------------------------------------------------------------------------------------- */

/* A pattern as a tree; -1 for none, -2 without memory, -3 where RE2 has to do it. */
static int tree_of_text(Rows *rows, PyObject *text, int most_groups, int *grouped) {
    int groups, tree;
    Py_ssize_t size = PyUnicode_GetLength(text);
    if (size <= 0) return UNSUPPORTED;
    uint32_t *codes = PyUnicode_AsUCS4Copy(text);
    if (!codes) return NO_MEMORY;
    tree = pattern_read(&rows->patterns, codes, size, &groups);
    PyMem_Free(codes);
    *grouped = groups > 0;
    return tree == UNSUPPORTED || (tree >= 0 && groups > most_groups) ? -3 : tree;
}

static void *copied(PyObject *object, size_t item, Py_ssize_t *count) {
    char *bytes;
    Py_ssize_t size;
    if (PyBytes_AsStringAndSize(object, &bytes, &size) < 0) return NULL;
    void *copy = malloc((size_t)size + item);
    if (!copy) return PyErr_NoMemory();
    memcpy(copy, bytes, (size_t)size);
    *count = size / (Py_ssize_t)item;
    return copy;
}

static int take_names(Rows *rows, PyObject *names) {
    Py_ssize_t count = PyList_Size(names), total = 0;
    if (count < 0 || !(rows->names = calloc((size_t)count + 1, sizeof *rows->names))) return 0;
    for (int pass = 0; pass < 2; pass++) {
        if (pass && !(rows->named = malloc(((size_t)total + 1) * sizeof *rows->named))) return 0;
        total = 0;
        for (Py_ssize_t i = 0; i < count; i++) {
            const char *name;
            char *bytes;
            Py_ssize_t size;
            PyObject *ranges;
            if (!PyArg_ParseTuple(PyList_GetItem(names, i), "sO", &name, &ranges) || PyBytes_AsStringAndSize(ranges, &bytes, &size) < 0) return 0;
            if (pass) {
                Named *named = &rows->names[i];
                strncpy(named->name, name, sizeof named->name - 1);
                named->ranges = rows->named + total;
                named->count = (int)(size / (Py_ssize_t)sizeof(Range));
                memcpy(rows->named + total, bytes, (size_t)named->count * sizeof(Range));
            }
            total += size / (Py_ssize_t)sizeof(Range);
        }
    }
    rows->patterns.named = rows->names;
    rows->patterns.named_count = (int)count;
    return 1;
}

/* Whether a match and its identifier begin at one place. */
static int begins_with_identifier(const Patterns *p, int tree, int grouped) {
    const Tree *t = &p->trees[tree];
    if (!grouped || t->kind == GROUP) return 1;
    for (int i = 0; t->kind == CAT && i < t->b; i++) {
        int part = p->lists.items[t->a + i], kind = p->trees[part].kind;
        if (kind != EMPTY && kind < LINE_BEGIN) return begins_with_identifier(p, part, grouped);
    }
    return 0;
}

/* Reads the rows; numbers of those that RE2 has to do go into `left`. */
static int take_rows(Rows *rows, PyObject *list, PyObject *left) {
    int32_t *trees = calloc((size_t)rows->count + 1, sizeof *trees);
    uint16_t *owners = calloc((size_t)rows->count + 1, sizeof *owners);
    int32_t *inner_trees = calloc((size_t)rows->count + 1, sizeof *inner_trees);
    uint16_t *inner_owners = calloc((size_t)rows->count + 1, sizeof *inner_owners);
    int count = 0, inner = 0, fine = trees && owners && inner_trees && inner_owners;
    for (int i = 0; fine && i < rows->count; i++) {
        Row *row = &rows->rows[i];
        PyObject *source, *before, *after, *check;
        row->trees[EXACT] = row->trees[NOT_BEFORE] = row->trees[NOT_AFTER] = UNSUPPORTED;
        fine = PyArg_ParseTuple(PyList_GetItem(list, i), "UUUpO", &source, &before, &after, &row->edges, &check);
        if (!fine) break;
        if (check != Py_None) {
            Py_INCREF(check);
            row->check = check;
        }
        int none, all[] = {tree_of_text(rows, source, 1, &row->grouped), tree_of_text(rows, before, 0, &none),
                           tree_of_text(rows, after, 0, &none)};
        int read = all[EXACT] >= 0;
        for (int k = 0; k < MACHINES; k++) {
            if (all[k] == NO_MEMORY) fine = 0;
            if (all[k] == -3) read = 0;
        }
        if (fine && read) {
            memcpy(row->trees, all, sizeof row->trees);
            trees[count] = all[EXACT];
            owners[count++] = (uint16_t)i;
            if (!row->edges || !begins_with_identifier(&rows->patterns, all[EXACT], row->grouped)) {
                inner_trees[inner] = all[EXACT];
                inner_owners[inner++] = (uint16_t)i;
            }
        } else if (fine) {
            PyObject *number = PyLong_FromLong(i);
            fine = number && PyList_Append(left, number) == 0;
            Py_XDECREF(number);
        }
    }
    int made = fine ? patterns_alphabet(&rows->patterns) : NO_MEMORY;
    if (made > 0 && count) rows->all = machine_new(&rows->patterns, trees, owners, count, 0);
    if (made > 0 && inner) rows->inside = machine_new(&rows->patterns, inner_trees, inner_owners, inner, 0);
    void *scratch[] = {trees, owners, inner_trees, inner_owners};
    for (int i = 0; i < 4; i++) free(scratch[i]);
    return fine && made > 0 && (!count || rows->all) && (!inner || rows->inside);
}

/* ready(rows, names, folds, kinds, most of all, most of one) -> rows to find, numbers of those that RE2 has to do.
 * A row: its pattern, what must not stand before and behind it, whether it keeps to edges, its check. */
static PyObject *py_ready(PyObject *self, PyObject *args) {
    PyObject *list, *names, *folds, *kinds;
    (void)self;
    Py_ssize_t most_of_all, most_of_one;
    if (!PyArg_ParseTuple(args, "OOOOnn", &list, &names, &folds, &kinds, &most_of_all, &most_of_one)) return NULL;
    Py_ssize_t count = PyList_Size(list), pairs = 0;
    if (count < 0) return NULL;
    if (count > 0xffff) return PyErr_Format(PyExc_ValueError, "%zd rows are too many", count);
    Rows *rows = calloc(1, sizeof *rows);
    PyObject *left = PyList_New(0), *capsule = NULL;
    int fine = rows && left && (rows->rows = calloc((size_t)count + 1, sizeof *rows->rows));
    if (fine) {
        rows->count = (int)count;
        rows->most_of_all = (size_t)most_of_all;
        rows->most_of_one = (size_t)most_of_one;
        fine = (rows->folds = copied(folds, 8, &pairs)) && (rows->kinds = copied(kinds, 1, &rows->kind_count)) && take_names(rows, names);
    }
    if (fine) {
        rows->patterns.folds = rows->folds;
        rows->patterns.fold_count = (int)pairs;
        fine = take_rows(rows, list, left) && (capsule = PyCapsule_New(rows, NAME, forget));
    }
    if (!fine) {
        if (rows) rows_free(rows);
        Py_XDECREF(left);
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    }
    return Py_BuildValue("(NN)", capsule, left);
}

static PyMethodDef methods[] = {
    {"ready", py_ready, METH_VARARGS, "Rows, made ready to be found."},
    {"find", py_find, METH_VARARGS, "What rows match in a piece of text, and why a match does not count."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_rows", "Rows of rules over a piece of text.", 0, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__rows(void) { return PyModule_Create(&module); }
