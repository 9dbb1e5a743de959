/* What the forms of tokens say, as numbers of values: a few lookups for each form, where Python would take thirty calls.
 *
 * What this file knows of writing is in tables that `forms.py` makes of the functions in `attributes.py`: of each of the
 * first letters of Unicode, how it is written small, plain, and as a shape. A form with other letters is left to Python.
 * Values are told apart by 64 bits made of their letters.
 */
#include "../../_buffers.h"

enum { WHOLE, FIRST, LAST, UPTO }; /* as in attributes.py */
enum { AS_IS, LOWER, PLAIN, SHAPE, BRIEF, LENGTH, TITLE, WAYS };
#define TABLES 3           /* of LOWER, PLAIN and SHAPE; 0 for a letter that is left to Python */
#define MOST_ATTRIBUTES 64 /* as in forms.py */
#define LONGEST 256        /* longer forms are left to Python */
#define LONGEST_COUNTED 20

typedef struct {
    int32_t way, part, size, column;
} Written;

typedef struct {
    uint64_t key; /* 0: empty */
    int32_t number;
} Value;

typedef struct {
    int count;
    Written attributes[MOST_ATTRIBUTES];
    uint32_t letters, *tables;
    uint64_t mask;
    Value *values; /* an open hash table */
} Forms;

INLINE uint64_t begun(int attribute) { return 0x9e3779b97f4a7c15ULL * (uint64_t)(attribute + 1); }

INLINE uint64_t further(uint64_t hash, uint32_t letter) { return (hash ^ letter) * 0xd6e8feb86659fd93ULL + (hash >> 29); }

INLINE uint64_t ended(uint64_t hash) {
    hash = mixed(hash);
    return hash ? hash : 1;
}

/* What an attribute says of a form, as the bits that stand for its value. */
static uint64_t said(const Forms *x, int which, const uint32_t *form, int size) {
    Written a = x->attributes[which];
    uint64_t hash = begun(which);
    if (a.part == UPTO) {
        if (size > a.size) size = a.size;
    } else if (a.part != WHOLE) {
        if (size < a.size) return ended(hash);
        if (a.part == LAST) form += size - a.size;
        size = a.size;
    }
    if (a.way == LENGTH) {
        int count = size < LONGEST_COUNTED ? size : LONGEST_COUNTED;
        if (count > 9) hash = further(hash, '0' + (uint32_t)(count / 10));
        return ended(further(hash, '0' + (uint32_t)(count % 10)));
    }
    const uint32_t *shapes = x->tables + 2 * (size_t)x->letters;
    if (a.way == TITLE) return ended(further(hash, size && shapes[form[0]] == 'A' ? '1' : '0'));
    if (a.way == AS_IS) {
        for (int i = 0; i < size; i++) hash = further(hash, form[i]);
    } else if (a.way == BRIEF) {
        for (int i = 0; i < size; i++)
            if (!i || shapes[form[i]] != shapes[form[i - 1]]) hash = further(hash, shapes[form[i]]);
    } else {
        const uint32_t *table = x->tables + (size_t)(a.way - LOWER) * x->letters;
        for (int i = 0; i < size; i++) hash = further(hash, table[form[i]]);
    }
    return ended(hash);
}

static uint64_t spelt(int which, const uint32_t *value, int size) {
    uint64_t hash = begun(which);
    for (int i = 0; i < size; i++) hash = further(hash, value[i]);
    return ended(hash);
}

INLINE Value *place_of(const Forms *x, uint64_t key) {
    uint64_t at = key & x->mask;
    while (x->values[at].key && x->values[at].key != key) at = (at + 1) & x->mask;
    return x->values + at;
}

/* ---- from Python --------------------------------------------------------------------------------------------- */

static void freed(Forms *x) {
    if (!x) return;
    free(x->tables);
    free(x->values);
    free(x);
}

static void forget(PyObject *capsule) { freed(PyCapsule_GetPointer(capsule, "elision.forms")); }

/* The letters of a string into `room`, which holds LONGEST; how many there are, -1 if it is too long, -2 on an error. */
static int letters_of(PyObject *string, uint32_t *room) {
    if (!PyUnicode_Check(string)) {
        PyErr_SetString(PyExc_TypeError, "a form or value that is no string");
        return -2;
    }
    Py_ssize_t size = PyUnicode_GetLength(string);
    if (size > LONGEST) return -1;
    return size && !PyUnicode_AsUCS4(string, room, LONGEST, 0) ? -2 : (int)size;
}

/* Whether all attributes are such as can be found here, in columns that are there. */
static int findable(const Forms *x) {
    for (int k = 0; k < x->count; k++) {
        Written a = x->attributes[k];
        if (a.way < 0 || a.way >= WAYS || a.part < WHOLE || a.part > UPTO || a.size < 0 || a.column < 0) {
            PyErr_SetString(PyExc_ValueError, "an attribute that is none of those known here");
            return 0;
        }
    }
    return 1;
}

/* The values of all attributes, each a dictionary from strings to numbers, into the hash table. 0 on an error. */
static int listed(Forms *x, PyObject *values) {
    uint32_t room[LONGEST];
    size_t many = 0, size = 16;
    for (int k = 0; k < x->count; k++) {
        PyObject *known = PyList_GetItem(values, k);
        if (!PyDict_Check(known)) {
            PyErr_SetString(PyExc_TypeError, "values that are in no dictionary");
            return 0;
        }
        many += (size_t)PyDict_Size(known);
    }
    while (size < 2 * many) size *= 2;
    x->mask = size - 1;
    x->values = calloc(size, sizeof *x->values);
    if (!x->values) return PyErr_NoMemory() != NULL;
    for (int k = 0; k < x->count; k++) {
        PyObject *value, *number;
        for (Py_ssize_t at = 0; PyDict_Next(PyList_GetItem(values, k), &at, &value, &number);) {
            int letters = letters_of(value, room);
            if (letters == -2) return 0;
            if (letters == -1) continue; /* no form that is looked up here is as long */
            uint64_t key = spelt(k, room, letters);
            *place_of(x, key) = (Value){key, (int32_t)PyLong_AsLong(number)};
            if (PyErr_Occurred()) return 0;
        }
    }
    return 1;
}

/* ready(attributes, tables, values) -> a capsule. `attributes`: rows of (way, part, size, column); `tables`: of LOWER, PLAIN and
 * SHAPE, as many letters each; `values`: for each attribute a dictionary from values to their numbers. */
static PyObject *py_ready(PyObject *self, PyObject *args) {
    PyObject *o[3];
    Buffers held = {.count = 0};
    (void)self;
    if (!PyArg_ParseTuple(args, "OOO!", &o[0], &o[1], &PyList_Type, &o[2])) return NULL;
    const int32_t *rows;
    const uint32_t *tables;
    if (!(rows = buffer(&held, o[0], 4, 0, 0)) || !(tables = buffer(&held, o[1], 4, TABLES, 0))) return release(&held, NULL);
    Py_ssize_t count = items(&held, 0) / 4, size = items(&held, 1);
    if (count > MOST_ATTRIBUTES || count != PyList_Size(o[2]) || size % TABLES) {
        PyErr_SetString(PyExc_ValueError, "attributes, tables and values that do not fit together");
        return release(&held, NULL);
    }
    Forms *x = calloc(1, sizeof *x);
    if (x) x->tables = malloc(sizeof *x->tables * (size_t)size);
    if (!x || !x->tables) {
        freed(x);
        return release(&held, PyErr_NoMemory());
    }
    x->count = (int)count;
    x->letters = (uint32_t)(size / TABLES);
    memcpy(x->attributes, rows, sizeof(Written) * (size_t)count);
    memcpy(x->tables, tables, sizeof *x->tables * (size_t)size);
    PyObject *capsule = findable(x) && listed(x, o[2]) ? PyCapsule_New(x, "elision.forms", forget) : NULL;
    if (!capsule) freed(x);
    return release(&held, capsule);
}

/* look(ready, forms, table, width) -> which of the forms are left to Python. `table`: forms x width, filled in. */
static PyObject *py_look(PyObject *self, PyObject *args) {
    PyObject *capsule, *forms, *o;
    int width;
    Buffers held = {.count = 0};
    (void)self;
    if (!PyArg_ParseTuple(args, "OO!Oi", &capsule, &PyList_Type, &forms, &o, &width)) return NULL;
    Forms *x = PyCapsule_GetPointer(capsule, "elision.forms");
    if (!x) return NULL;
    Py_ssize_t n = PyList_Size(forms);
    for (int k = 0; k < x->count; k++)
        if (x->attributes[k].column >= width) {
            PyErr_SetString(PyExc_ValueError, "a column beyond the table");
            return NULL;
        }
    int32_t *table = buffer(&held, o, 4, n * width, 1);
    PyObject *left = table ? PyList_New(0) : NULL;
    if (!left) return release(&held, NULL);
    uint32_t form[LONGEST];
    uint64_t keys[MOST_ATTRIBUTES];
    for (Py_ssize_t i = 0; i < n; i++) {
        int size = letters_of(PyList_GetItem(forms, i), form), usual = size >= 0;
        for (int c = 0; c < size && usual; c++) {
            usual = form[c] < x->letters;
            for (int t = 0; t < TABLES && usual; t++) usual = x->tables[(size_t)t * x->letters + form[c]] != 0;
        }
        if (!usual) {
            PyObject *number = size > -2 ? PyLong_FromSsize_t(i) : NULL;
            int failed = !number || PyList_Append(left, number) < 0;
            Py_XDECREF(number);
            if (failed) {
                Py_DECREF(left);
                return release(&held, NULL);
            }
            continue;
        }
        for (int k = 0; k < x->count; k++) {
            keys[k] = said(x, k, form, size);
            FETCH(x->values + (keys[k] & x->mask));
        }
        for (int k = 0; k < x->count; k++) table[i * width + x->attributes[k].column] = place_of(x, keys[k])->number;
    }
    return release(&held, left);
}

static PyMethodDef methods[] = {
    {"ready", py_ready, METH_VARARGS, "Attributes and their values, to be looked up."},
    {"look", py_look, METH_VARARGS, "The numbers of what forms say."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_token_features", "What forms say, compiled.", 0, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__token_features(void) { return PyModule_Create(&module); }
