/* What the compiled loops share: buffers from Python, held until the call is over.
 *
 * Only the stable ABI of Python 3.11 and its buffers are used, so that one wheel serves all later versions.
 */
#ifndef ELISION_BUFFERS_H
#define ELISION_BUFFERS_H
#define Py_LIMITED_API 0x030B0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__) || defined(__clang__)
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static __inline
#endif
#if defined(__GNUC__) || defined(__clang__)
#define FETCH(p) __builtin_prefetch(p)
#else
#define FETCH(p) ((void)(p))
#endif

INLINE uint64_t mixed(uint64_t x) { /* splitmix64's finish */
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9ULL;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

/* Every argument is a contiguous buffer or a number; the sizes are checked, the contents were checked by whoever made them. */

#define MOST_BUFFERS 16

typedef struct {
    Py_buffer views[MOST_BUFFERS];
    int count;
} Buffers;

static inline void *buffer(Buffers *held, PyObject *object, Py_ssize_t item, Py_ssize_t least, int writable) {
    Py_buffer *view = &held->views[held->count];
    if (PyObject_GetBuffer(object, view, writable ? PyBUF_CONTIG : PyBUF_CONTIG_RO) < 0) return NULL;
    held->count++;
    if (view->itemsize != item || view->len < least * item) {
        PyErr_Format(PyExc_ValueError, "buffer %d: items of %zd bytes, %zd of them; expected %zd bytes, at least %zd", held->count,
                     view->itemsize, view->itemsize ? view->len / view->itemsize : 0, item, least);
        return NULL;
    }
    return view->buf;
}

static inline PyObject *release(Buffers *held, PyObject *value) {
    for (int i = 0; i < held->count; i++) PyBuffer_Release(&held->views[i]);
    return value;
}

static inline Py_ssize_t items(Buffers *held, int which) {
    return held->views[which].len / held->views[which].itemsize;
}

/* Whether n numbers are at least `least` and less than `most`. */
static inline int within32(const int32_t *x, Py_ssize_t n, int64_t least, int64_t most, const char *what) {
    int whole = 1;
    for (Py_ssize_t i = 0; i < n; i++) whole &= x[i] >= least && x[i] < most;
    if (!whole) PyErr_Format(PyExc_ValueError, "%s out of range", what);
    return whole;
}

#endif
