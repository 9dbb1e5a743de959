/* Automata: see _machine.h. */
#include "_machine.h"

enum { SPLIT = NO_EDGE + 1, OPEN, CLOSE, DONE };

#define MOST_PLACES (1 << 22)
#define MANY 32 /* exits of a place, from which on those that take few classes are kept by class */
#define FEW 8    /* classes */

static int32_t place(Machine *m, Place made) {
    if (m->place_count == m->place_room) {
        if (m->place_room >= MOST_PLACES) return UNSUPPORTED;
        Place *places = grown(m->places, &m->place_room, sizeof *places);
        if (!places) return NO_MEMORY;
        m->places = places;
    }
    m->places[m->place_count] = made;
    return m->place_count++;
}

/* The place where a tree begins that is followed by `out`. */
static int32_t laid(Machine *m, int tree, uint16_t owner, int backwards, int32_t out) {
    const Patterns *p = m->patterns;
    const Tree *t = &p->trees[tree];
    if (out < 0) return out;
    switch (t->kind) {
    case EMPTY: return out;
    case GROUP:
        if (m->many || backwards) return laid(m, t->a, owner, backwards, out);
        out = laid(m, t->a, owner, backwards, place(m, (Place){.kind = CLOSE, .owner = owner, .out = out}));
        return out < 0 ? out : place(m, (Place){.kind = OPEN, .owner = owner, .out = out});
    case CAT:
        for (int i = 0; i < t->b && out >= 0; i++)
            out = laid(m, p->lists.items[t->a + (backwards ? i : t->b - 1 - i)], owner, backwards, out);
        return out;
    case ALT: {
        int32_t other = laid(m, p->lists.items[t->a + t->b - 1], owner, backwards, out);
        for (int i = t->b - 2; i >= 0 && other >= 0; i--) {
            int32_t one = laid(m, p->lists.items[t->a + i], owner, backwards, out);
            other = one < 0 ? one : place(m, (Place){.kind = SPLIT, .owner = owner, .out = one, .other = other});
        }
        return other;
    }
    case REPEAT: {
        int32_t after = out;
        if (t->c == ENDLESS) {
            int32_t loop = place(m, (Place){.kind = SPLIT, .owner = owner}), again = laid(m, t->a, owner, backwards, loop);
            if (again < 0) return again;
            m->places[loop].out = t->lazy ? after : again;
            m->places[loop].other = t->lazy ? again : after;
            out = loop;
        }
        for (int i = t->b; i < t->c && out >= 0; i++) {
            int32_t once = laid(m, t->a, owner, backwards, out);
            if (once < 0) return once;
            out = place(m, (Place){.kind = SPLIT, .owner = owner, .out = t->lazy ? after : once, .other = t->lazy ? once : after});
        }
        for (int i = 0; i < t->b && out >= 0; i++) out = laid(m, t->a, owner, backwards, out);
        return out;
    }
    default: {
        int kind = t->kind;
        if (backwards)
            kind = kind == LINE_BEGIN ? LINE_END : kind == LINE_END ? LINE_BEGIN : kind == TEXT_BEGIN ? TEXT_END : kind == TEXT_END ? TEXT_BEGIN : kind;
        return place(m, (Place){.kind = (uint8_t)kind, .owner = owner, .arg = t->a, .out = out});
    }
    }
}

Machine *machine_new(const Patterns *patterns, const int32_t *trees, const uint16_t *owners, int count, int backwards) {
    Machine *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    m->patterns = patterns;
    m->many = owners != NULL;
    m->begin = NOTHING;
    for (int i = count - 1; i >= 0; i--) {
        uint16_t owner = owners ? owners[i] : 0;
        int32_t begin = laid(m, trees[i], owner, backwards, place(m, (Place){.kind = DONE, .owner = owner}));
        if (begin >= 0 && m->begin >= 0) begin = place(m, (Place){.kind = SPLIT, .owner = owner, .out = begin, .other = m->begin});
        if (begin < 0) return machine_free(m), NULL;
        m->begin = begin;
        if (owner >= m->owner_count) m->owner_count = owner + 1;
    }
    m->marks = calloc((size_t)m->place_count + 1, sizeof *m->marks);
    m->owners = calloc((size_t)m->owner_count + 1, sizeof *m->owners);
    if (m->many) {
        m->firsts = calloc(4 * ((size_t)patterns->classes + 1), sizeof *m->firsts);
        m->exits_from = calloc((size_t)m->place_count + 1, sizeof *m->exits_from);
        m->looked = calloc((size_t)m->place_count + 1, sizeof *m->looked);
    }
    int fine = m->marks && m->owners && (!m->many || (m->firsts && m->exits_from && m->looked));
    if (!fine || machine_clear(m) < 0) return machine_free(m), NULL;
    return m;
}

void machine_free(Machine *m) {
    void *all[] = {m->places, m->marks, m->owners, m->states, m->usual, m->steps, m->elements.items, m->told.items, m->trails.items,
                   m->state_slots.items, m->stack.items, m->reached.items, m->next.items, m->few.items, m->firsts, m->exits.items,
                   m->exits_from, m->looked, m};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

size_t machine_size(const Machine *m) {
    return (size_t)m->step_room * sizeof *m->steps + (size_t)m->state_count * (sizeof *m->states + sizeof *m->usual + 16) +
           4 * ((size_t)m->elements.count + (size_t)m->told.count + (size_t)m->trails.count + (size_t)m->exits.count);
}

static int state_slots(Machine *m, int room) {
    int32_t *items = calloc((size_t)room, sizeof *items);
    if (!items) return NO_MEMORY;
    free(m->state_slots.items);
    m->state_slots.items = items;
    m->state_slots.room = room;
    return 0;
}

/* A table of steps of this size, with those that there are. */
static int step_slots(Machine *m, int room) {
    Step *before = m->steps, *steps = calloc((size_t)room, sizeof *steps);
    if (!steps) return NO_MEMORY;
    int count = m->step_count ? m->step_room : 0;
    m->steps = steps;
    m->step_room = room;
    for (int i = 0; i < count; i++)
        if (before[i].class) *step_slot(m, before[i].state, before[i].class) = before[i];
    free(before);
    return 0;
}

int machine_clear(Machine *m) {
    if (m->exits.count) memset(m->exits_from, 0, (size_t)m->place_count * sizeof *m->exits_from);
    m->exits.count = m->state_count = m->step_count = m->elements.count = m->told.count = m->trails.count = 0;
    for (int i = 0; i < 4; i++) m->begins[i] = NOTHING;
    if (m->firsts) memset(m->firsts, 0, 4 * ((size_t)m->patterns->classes + 1) * sizeof *m->firsts);
    if (state_slots(m, 64) < 0 || step_slots(m, 64) < 0) { /* then the tables that there are go on, empty */
        if (!m->state_slots.items || !m->steps) return NO_MEMORY;
        memset(m->state_slots.items, 0, (size_t)m->state_slots.room * sizeof *m->state_slots.items);
        memset(m->steps, 0, (size_t)m->step_room * sizeof *m->steps);
    }
    return 0;
}

static int holds_here(int kind, int before, int after) {
    switch (kind) {
    case LINE_BEGIN: return before <= AT_LINE;
    case LINE_END: return after <= AT_LINE;
    case TEXT_BEGIN: return before == AT_TEXT;
    case TEXT_END: return after == AT_TEXT;
    case EDGE: return (before == AT_WORD) != (after == AT_WORD);
    default: return (before == AT_WORD) == (after == AT_WORD);
    }
}

static inline int asks(int kind) { return kind >= LINE_BEGIN && kind <= NO_EDGE; }

/* From now on no place is marked. */
static void unmark(Machine *m) {
    if (++m->stamp) return;
    memset(m->marks, 0, (size_t)m->place_count * sizeof *m->marks);
    memset(m->owners, 0, (size_t)m->owner_count * sizeof *m->owners);
    m->stamp = 1;
}

/* Pushes a place and the way to it. */
static inline int push(Numbers *numbers, int32_t at, int32_t way) { return numbers_push(numbers, at) && numbers_push(numbers, way); }

/* Follows a place to all that it leads to without a character, the preferred first; what asks for its surroundings waits.
 * `next` gets the places and the ways to them. */
static int follow(Machine *m, int32_t from, int32_t way) {
    Numbers *stack = &m->stack;
    stack->count = 0;
    if (!push(stack, from, way)) return NO_MEMORY;
    while (stack->count) {
        way = stack->items[--stack->count];
        int32_t at = stack->items[--stack->count];
        const Place *here = &m->places[at];
        if (m->marks[at] == m->stamp) continue;
        m->marks[at] = m->stamp;
        int fine = 1;
        if (here->kind == SPLIT) fine = push(stack, here->other, way) && push(stack, here->out, way);
        else if (here->kind == OPEN) fine = push(stack, here->out, way | OPENS_BEHIND);
        else if (here->kind == CLOSE) fine = push(stack, here->out, way | CLOSES_BEHIND);
        else fine = push(&m->next, at, way);
        if (!fine) return NO_MEMORY;
    }
    return 0;
}

static int state_slot(const Machine *m, const State *state) {
    uint64_t hash = state->before;
    for (int i = 0; i < state->count; i++) hash = (hash ^ (uint32_t)m->elements.items[state->first + i]) * 0x100000001b3u;
    for (uint32_t at = (uint32_t)mixed(hash);; at++) {
        int32_t number = m->state_slots.items[at &= (uint32_t)m->state_slots.room - 1] - 1;
        if (number < 0) return (int)at;
        const State *there = &m->states[number];
        if (there->before == state->before && there->count == state->count &&
            !memcmp(m->elements.items + there->first, m->elements.items + state->first, (size_t)state->count * sizeof(int32_t)))
            return (int)at;
    }
}

/* The number of a state whose places are the last in `elements`, from its first on. */
static int state_of(Machine *m, State state) {
    state.count = m->elements.count - state.first;
    if (!state.count) return NOWHERE;
    if (2 * (m->state_count + 1) > m->state_slots.room) {
        if (state_slots(m, 4 * m->state_slots.room) < 0) return NO_MEMORY;
        for (int i = 0; i < m->state_count; i++) m->state_slots.items[state_slot(m, &m->states[i])] = i + 1;
    }
    int slot = state_slot(m, &state);
    if (m->state_slots.items[slot]) {
        m->elements.count = state.first;
        return m->state_slots.items[slot] - 1;
    }
    if (m->state_count == m->state_room) {
        State *states = grown(m->states, &m->state_room, sizeof *states);
        if (!states) return NO_MEMORY;
        m->states = states;
    }
    if (m->state_count == m->usual_room) {
        Step *usual = grown(m->usual, &m->usual_room, sizeof *usual);
        if (!usual) return NO_MEMORY;
        m->usual = usual;
    }
    m->usual[m->state_count].class = 0;
    m->states[m->state_count] = state;
    m->state_slots.items[slot] = m->state_count + 1;
    return m->state_count++;
}

/* ---- one pattern --------------------------------------------------------------------------------------------- */

/* The state of the places in `next`. */
static int state_of_next(Machine *m, int before) {
    State state = {.first = m->elements.count, .plain = 1, .before = AT_OTHER};
    for (int i = 0; i < m->next.count; i += 2) {
        int kind = m->places[m->next.items[i]].kind;
        if (asks(kind)) state.before = (uint8_t)before;
        state.plain &= kind == SET;
        if (!numbers_push(&m->elements, m->next.items[i])) return NO_MEMORY;
    }
    return state_of(m, state);
}

/* Keeps the ways to the places in `next`. */
static int32_t trail_of(Machine *m) {
    int32_t first = m->trails.count;
    for (int i = 1; i < m->next.count; i += 2)
        if (!numbers_push(&m->trails, m->next.items[i])) return NO_MEMORY;
    return first;
}

/* What a state's places are once it is known what stands around: those that take a character, in `reached`, and the way to where
 * the pattern matches; what is less preferred than that is no longer of interest. */
static int resolve(Machine *m, const State *state, int after, Step *step) {
    Numbers *stack = &m->stack;
    unmark(m);
    m->reached.count = 0;
    for (int i = 0; i < state->count; i++) {
        stack->count = 0;
        if (!push(stack, m->elements.items[state->first + i], i << ORIGIN)) return NO_MEMORY;
        while (stack->count) {
            int32_t way = stack->items[--stack->count], at = stack->items[--stack->count];
            const Place *here = &m->places[at];
            if (m->marks[at] == m->stamp) continue;
            m->marks[at] = m->stamp;
            int fine = 1;
            switch (here->kind) {
            case SET: fine = push(&m->reached, at, way); break;
            case SPLIT: fine = push(stack, here->other, way) && push(stack, here->out, way); break;
            case OPEN: fine = push(stack, here->out, way | OPENS); break;
            case CLOSE: fine = push(stack, here->out, way | CLOSES); break;
            case DONE: step->told = way; return 0;
            default: fine = !holds_here(here->kind, state->before, after) || push(stack, here->out, way);
            }
            if (!fine) return NO_MEMORY;
        }
    }
    return 0;
}

/* Takes a place that takes a character, if it takes this one. */
static inline int take(Machine *m, int32_t at, int32_t way, int class) {
    const Place *here = &m->places[at];
    return holds(m->patterns, here->arg, class) ? follow(m, here->out, way) : 0;
}

static int step_of_one(Machine *m, State state, int class, Step *step) {
    const Patterns *p = m->patterns;
    if (!state.plain && resolve(m, &state, p->beside[class], step) < 0) return NO_MEMORY;
    unmark(m);
    m->next.count = 0;
    if (class == p->classes) return 0;
    for (int i = 0; state.plain && i < state.count; i++)
        if (take(m, m->elements.items[state.first + i], i << ORIGIN, class) < 0) return NO_MEMORY;
    for (int i = 0; !state.plain && i < m->reached.count; i += 2)
        if (take(m, m->reached.items[i], m->reached.items[i + 1], class) < 0) return NO_MEMORY;
    if ((step->next = state_of_next(m, p->beside[class])) == NO_MEMORY) return NO_MEMORY;
    return step->next >= 0 && (step->trail = trail_of(m)) == NO_MEMORY ? NO_MEMORY : 0;
}

/* ---- many patterns ------------------------------------------------------------------------------------------- */

/* Of the exits in `exits` from `first` on, those that take few classes, by class: of a choice between a thousand words, few begin with any
 * character. They are taken out, into `few`; what comes back is how many stay. */
static int32_t without_few(Machine *m, int32_t first) {
    const Patterns *p = m->patterns;
    int32_t *items = m->exits.items, stays = first;
    Numbers *few = &m->few;
    few->count = 0;
    for (int32_t i = first; i < m->exits.count; i += 2) {
        const uint32_t *row = p->holds + (size_t)items[i] * p->words;
        int before = few->count;
        for (int class = 0; class < p->classes && few->count - before <= 2 * FEW; class++)
            if (!row[class >> 5]) class |= 31;
            else if (row[class >> 5] >> (class & 31) & 1 && !push(few, class, items[i + 1])) return NO_MEMORY;
        if (few->count - before <= 2 * FEW) continue;
        few->count = before;
        items[stays++] = items[i];
        items[stays++] = items[i + 1];
    }
    m->exits.count = stays;
    return (stays - first) / 2;
}

/* Keeps `few` in `exits`: where those of each class begin, and then the places that they lead to. */
static int32_t few_kept(Machine *m) {
    Numbers *exits = &m->exits, *few = &m->few;
    int32_t at = exits->count, begins = m->patterns->classes + 2;
    for (int32_t i = 0; i < begins + few->count / 2; i++)
        if (!numbers_push(exits, 0)) return NO_MEMORY;
    int32_t *by = exits->items + at;
    for (int32_t i = 0; i < few->count; i += 2) by[few->items[i] + 2]++;
    for (int32_t i = 1; i < begins; i++) by[i] += by[i - 1];
    for (int32_t i = 0; i < few->count; i += 2) by[begins + by[few->items[i] + 1]++] = few->items[i + 1];
    return at;
}

/* How a place can be left, where in `exits` it stands: how many exits take a character and how many do not, and where those are
 * kept that take few classes, or 0; of each that takes a character the set that it takes and the place that it leads to; of the others what
 * they ask for and that place, or DONE and the pattern that matches. What comes back is twice that number, and one more if an
 * exit asks for what stands around. */
static int32_t exits_of(Machine *m, int32_t from) {
    Numbers *stack = &m->stack, *exits = &m->exits;
    int base = stack->count, first = exits->count, asking = 0, fine = first < INT32_MAX / 4;
    fine = fine && push(exits, 0, 0) && numbers_push(exits, 0) && numbers_push(stack, from);
    m->next.count = 0;
    if (!++m->looks) {
        memset(m->looked, 0, (size_t)m->place_count * sizeof *m->looked);
        m->looks = 1;
    }
    while (fine && stack->count > base) {
        int32_t at = stack->items[--stack->count];
        const Place *here = &m->places[at];
        if (m->looked[at] == m->looks) continue;
        m->looked[at] = m->looks;
        if (here->kind == SPLIT) {
            fine = numbers_push(stack, here->other) && numbers_push(stack, here->out);
        } else if (here->kind == SET) {
            exits->items[first]++;
            fine = push(exits, here->arg, here->out);
        } else {
            asking |= asks(here->kind);
            fine = push(&m->next, here->kind, here->kind == DONE ? here->owner : here->out);
        }
    }
    int many = fine && exits->items[first] > MANY;
    if (many) fine = (exits->items[first] = without_few(m, first + 3)) >= 0;
    for (int i = 0; fine && i < m->next.count; i++) fine = numbers_push(exits, m->next.items[i]);
    int32_t kept = fine && many ? few_kept(m) : 0;
    if (!fine || kept < 0) return NO_MEMORY;
    exits->items[first + 1] = m->next.count / 2;
    exits->items[first + 2] = kept;
    m->exits_from[from] = 2 * first + asking + 1;
    return 2 * first + asking;
}

/* The same, without a call where it is known, as it mostly is. */
static inline int32_t known_exits_of(Machine *m, int32_t from) {
    int32_t known = m->exits_from[from];
    return known ? known - 1 : exits_of(m, from);
}

/* The state of the places that are the last in `elements`. */
static int state_from(Machine *m, int32_t first, int before) {
    State state = {.first = first, .before = AT_OTHER};
    for (int32_t i = first; i < m->elements.count; i++) {
        int32_t exits = known_exits_of(m, m->elements.items[i]);
        if (exits < 0) return NO_MEMORY;
        if (exits & 1) state.before = (uint8_t)before;
    }
    return state_of(m, state);
}

static int tell(Machine *m, int32_t owner, Step *step) {
    if (m->owners[owner] == m->stamp) return 1;
    m->owners[owner] = m->stamp;
    if (step->told < 0) {
        step->told = m->told.count;
        if (!numbers_push(&m->told, 0)) return 0;
    }
    m->told.items[step->told]++;
    return numbers_push(&m->told, owner);
}

/* Leaves a place: `reached` gets where exits lead to that take this class, and patterns that match are told. */
static int leave(Machine *m, int32_t from, int before, int class, Step *step) {
    const Patterns *p = m->patterns;
    Numbers *stack = &m->stack, *reached = &m->reached;
    for (int fine = 1;; from = stack->items[--stack->count]) {
        int32_t exits = known_exits_of(m, from);
        if (exits < 0) return 0;
        const int32_t *exit = m->exits.items + exits / 2 + 3, *taking = exit + 2 * exit[-3], *end = taking + 2 * exit[-2];
        const int32_t *few = exit[-1] && class < p->classes ? m->exits.items + exit[-1] : NULL;
        int32_t count = few ? few[class + 1] - few[class] : 0;
        while (fine && reached->room - reached->count <= exit[-3] + count) fine = numbers_more(reached);
        if (!fine) return 0;
        if (few) memcpy(reached->items + reached->count, few + p->classes + 2 + few[class], (size_t)count * sizeof *few);
        reached->count += count;
        if (class == p->classes) exit = taking;
        for (; exit < taking; exit += 2) { /* without a jump: nobody could foretell it */
            reached->items[reached->count] = exit[1];
            reached->count += holds(p, exit[0], class);
        }
        for (exit = taking; fine && exit < end; exit += 2) {
            int32_t to = exit[1];
            if (exit[0] == DONE) fine = tell(m, to, step);
            else if (holds_here(exit[0], before, p->beside[class]) && m->marks[to] != m->stamp) {
                m->marks[to] = m->stamp;
                fine = numbers_push(stack, to);
            }
        }
        if (!fine || !stack->count) return fine;
    }
}

static int step_of_many(Machine *m, State state, int class, Step *step) {
    unmark(m);
    m->reached.count = m->stack.count = 0;
    for (int i = 0; i < state.count; i++)
        if (!leave(m, m->elements.items[state.first + i], state.before, class, step)) return NO_MEMORY;
    uint32_t told = m->stamp;
    int32_t first = m->elements.count;
    unmark(m);
    for (int i = 0; i < m->reached.count; i++) {
        int32_t at = m->reached.items[i];
        if (m->marks[at] == m->stamp) continue;
        m->marks[at] = m->stamp;
        if (step->told >= 0 && m->owners[m->places[at].owner] == told) continue; /* that it matches is known */
        if (!numbers_push(&m->elements, at)) return NO_MEMORY;
    }
    step->next = state_from(m, first, m->patterns->beside[class]);
    return step->next == NO_MEMORY ? NO_MEMORY : 0;
}

/* ---- both ---------------------------------------------------------------------------------------------------- */

int machine_begin(Machine *m, int before) {
    if (m->begins[before] != NOTHING) return m->begins[before];
    int state;
    if (m->many) {
        int32_t first = m->elements.count;
        m->stack.count = 0;
        state = numbers_push(&m->elements, m->begin) ? state_from(m, first, before) : NO_MEMORY;
    } else {
        unmark(m);
        m->next.count = 0;
        if (follow(m, m->begin, 0) < 0) return NO_MEMORY;
        state = state_of_next(m, before);
        if ((m->begin_trails[before] = trail_of(m)) == NO_MEMORY) return NO_MEMORY;
    }
    return state == NO_MEMORY ? NO_MEMORY : (m->begins[before] = state);
}

const Step *machine_made_step(Machine *m, int state, int class) {
    Step step = {.state = (uint32_t)state, .class = (uint32_t)class + 1, .next = NOWHERE, .told = NOTHING, .trail = NOTHING};
    if ((m->many ? step_of_many : step_of_one)(m, m->states[state], class, &step) < 0) return NULL;
    Step *kept = &m->usual[state];
    if (kept->class) {
        if (2 * ++m->step_count > m->step_room && step_slots(m, 2 * m->step_room) < 0) return NULL;
        kept = step_slot(m, step.state, step.class);
    }
    *kept = step;
    return kept;
}
