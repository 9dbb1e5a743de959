/* Automata that are made as text needs them: a state is a list of places in patterns, a step is worked out when it is first
 * taken and kept. Of many patterns an automaton tells which match; of one it tells where the match that is preferred
 * ends, and where its group is.
 *
 * Of one pattern, a state's places are where the next character is taken, in the order of preference. Of many they are where the
 * last one led to: a choice between a hundred words is one place, and how it can be left is found out once.
 */
#ifndef ELISION_MACHINE_H
#define ELISION_MACHINE_H
#include "_pattern.h"

typedef struct {
    uint8_t kind;
    uint16_t owner; /* the pattern that it is of */
    int32_t arg, out, other;
} Place;

typedef struct {
    int32_t first, count; /* places, in `elements` */
    uint8_t before, plain; /* what stands before, if a place asks for it; of one: whether all places take a character */
} State;

typedef struct {
    uint32_t state, class; /* class + 1; 0 where there is no step in the table */
    int32_t next;          /* a state, or NOWHERE */
    int32_t told; /* of many: where in `told` the patterns that match are; of one: the way to where it matches; or NOTHING */
    int32_t trail; /* of one: where in `trails` the ways to the places of the next state are */
} Step;

typedef struct {
    const Patterns *patterns;
    int many; /* patterns, none preferred */
    Place *places;
    int place_count, place_room, begin;
    uint32_t *marks, *owners, stamp;
    int owner_count;
    Numbers exits;       /* of many: how places can be left */
    int32_t *exits_from; /* what `exits_of` says of a place, + 1; 0 where it was not asked yet */
    uint32_t *looked, looks;
    State *states;
    int state_count, state_room;
    Step *usual; /* the step of each state that was made first: mostly there is no other, and it lies beside that of the next state */
    int usual_room;
    Step *steps; /* a hash table of all others */
    int step_count, step_room;
    Numbers elements, told, trails, state_slots;
    Numbers stack, reached, next, few; /* scratch */
    int32_t begins[4], begin_trails[4];
    Step *firsts; /* of many: first steps, by what stands before and the class */
} Machine;

#define NOWHERE (-1)
#define NOTHING (-1)

/* What is passed on the way to a place, before the character that is taken and behind it; above these bits stands the number of
 * the place, in its state, that the way comes from. */
enum { OPENS = 1, CLOSES = 2, OPENS_BEHIND = 4, CLOSES_BEHIND = 8, ORIGIN = 4 };

typedef struct {
    int end, from, to; /* of the match; of its group, -1 if it was not in it */
} Found;

Machine *machine_new(const Patterns *patterns, const int32_t *trees, const uint16_t *owners, int count, int backwards);
void machine_free(Machine *machine);
size_t machine_size(const Machine *machine);
int machine_clear(Machine *machine);
int machine_begin(Machine *machine, int before); /* a state, or NO_MEMORY */
const Step *machine_made_step(Machine *machine, int state, int class);

/* The step of a state and a class in the table, or the empty place for it. */
INLINE Step *step_slot(const Machine *m, uint32_t state, uint32_t class) {
    uint32_t mask = (uint32_t)m->step_room - 1, at = (uint32_t)(((uint64_t)state << 16 ^ class) * 0x9e3779b97f4a7c15u >> 32) & mask;
    while (m->steps[at].class && (m->steps[at].state != state || m->steps[at].class != class)) at = (at + 1) & mask;
    return &m->steps[at];
}

/* A step, up to the next call; NULL without memory. */
INLINE const Step *machine_step(Machine *m, int state, int class) {
    const Step *step = &m->usual[state];
    if (step->class != (uint32_t)class + 1) step = step_slot(m, (uint32_t)state, (uint32_t)class + 1);
    return step->class ? step : machine_made_step(m, state, class);
}

#endif
