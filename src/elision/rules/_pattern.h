/* Patterns as trees, read from the part of RE2's syntax that rules are written in, and the alphabet they share.
 *
 * Equal trees are one: towns that stand in ten rows are kept once. Choices that begin alike are looked at together, as
 * RE2 does, where that cannot change which is preferred.
 */
#ifndef ELISION_PATTERN_H
#define ELISION_PATTERN_H
#include "../_buffers.h"

enum { EMPTY, SET, CAT, ALT, REPEAT, GROUP, LINE_BEGIN, LINE_END, TEXT_BEGIN, TEXT_END, EDGE, NO_EDGE };
enum { AT_TEXT, AT_LINE, AT_OTHER, AT_WORD }; /* what stands beside a place: nothing, a line's end, another character, a word's */

#define UNSUPPORTED (-1) /* not in our part of the syntax: RE2 has to do it */
#define NO_MEMORY (-2)
#define ENDLESS (-1)

typedef struct {
    uint32_t low, high;
} Range;

typedef struct {
    uint8_t kind, lazy;
    int32_t a, b, c; /* SET: the set; CAT, ALT: first in `lists`, how many; REPEAT: tree, least, most; GROUP: tree */
} Tree;

typedef struct {
    int32_t *items;
    int count, room;
} Numbers;

typedef struct {
    char name[24];
    const Range *ranges;
    int count;
} Named;

typedef struct {
    Tree *trees;
    int tree_count, tree_room;
    Numbers lists;
    Numbers tree_slots, set_slots; /* hash tables of the trees and sets that there are, by number + 1 */
    Range *ranges;
    int range_count, range_room;
    Numbers set_begins;   /* sets + 1 */
    int32_t literals[2][0x250]; /* the sets of single characters, in any case or exact; 0 is none yet */
    const Named *named;
    int named_count;
    const uint32_t *folds; /* pairs of letters that are one in any case, ascending */
    int fold_count;
    /* what `alphabet` makes: every character is of one class, and a set holds a class or does not */
    int classes; /* the number of classes; this number itself is the end of the text */
    uint32_t *bounds;  /* where the class changes */
    int bound_count;
    uint16_t *class_by_bound, *class_of; /* of characters below 1 << 16 */
    uint8_t *beside;    /* of each class, AT_... */
    uint32_t *holds;    /* sets x words */
    int words;
} Patterns;

void *grown(void *items, int *room, size_t size); /* twice as much room, or NULL */
int pattern_read(Patterns *patterns, const uint32_t *codes, Py_ssize_t size, int *groups);
int patterns_alphabet(Patterns *patterns);
void patterns_free(Patterns *patterns);

static inline int numbers_more(Numbers *numbers) {
    int32_t *items = grown(numbers->items, &numbers->room, sizeof *items);
    if (items) numbers->items = items;
    return items != NULL;
}

INLINE int numbers_push(Numbers *numbers, int32_t value) {
    if (numbers->count == numbers->room && !numbers_more(numbers)) return 0;
    numbers->items[numbers->count++] = value;
    return 1;
}

/* The last bound that is not above a character. */
static inline int bound_of(const Patterns *patterns, uint32_t code, int count) {
    int low = 0, high = count;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (patterns->bounds[middle] <= code) low = middle;
        else high = middle;
    }
    return low;
}

static inline uint16_t class_of(const Patterns *patterns, uint32_t code) {
    return code < 1 << 16 ? patterns->class_of[code] : patterns->class_by_bound[bound_of(patterns, code, patterns->bound_count)];
}

static inline int holds(const Patterns *patterns, int set, int class) {
    return patterns->holds[(size_t)set * patterns->words + (class >> 5)] >> (class & 31) & 1;
}

#endif
