/* What gcc's thread sanitizer does not see of a call. It looks at assignments, and so neither at
 * the memory that a struct goes into from the function that returns it, nor at the memory that one
 * is passed by value from, nor at what a compiler's own function copies in place.
 *
 * gcc's last form of each function, with -fdump-tree-optimized-raw-lineno-uid, has a line a call:
 *
 *     [FILE:LINE:COLUMN] gimple_call <makeD.12, sharedD.34.aD.56[1], 3>
 *
 * with what is called, where its result goes, its arguments. What is unseen there cuts.c mends. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "common/command.h"
#include "common/defence.h"
#include "harness/build/internal.h"

#define CALL     "gimple_call <"
#define FUNCTION "\n;; Function "

/* Functions that gcc puts the code of in place, where nothing of it is seen. */
static const char in_place[] = "__builtin_mem* __builtin___mem* __builtin_str* __builtin___str* "
                               "__builtin_stp* __builtin___stp* __builtin_bcmp __builtin_bcopy "
                               "__builtin_bzero __builtin_apply* __builtin_setjmp*";
static const char lists[] = "__builtin_va_start __builtin_va_copy"; /* not of one's own */

/* A piece of the dump: from begin to before end. */
struct piece {
    const char *begin, *end;
};

/* Behind a number of the form NAMED.123 at p, with a name or without; NULL where there is none. */
static const char *behind_variable(const char *p, const char *end)
{
    const char *q = p;
    while (q < end && in_c_word(*q))
        q++;
    if (q == p || q + 1 >= end || q[-1] != 'D' || q[0] != '.' || !isdigit((unsigned char)q[1]))
        return NULL;
    for (q++; q < end && isdigit((unsigned char)*q);)
        q++;
    return q < end && *q == '_' ? NULL : q;
}

/* Whether a piece is a value that is in no memory: of a register, a constant, an address. */
static bool is_value(struct piece p)
{
    if (p.begin == p.end || strchr("&\"-{", *p.begin) || isdigit((unsigned char)*p.begin) ||
        strncmp(p.begin, "__complex__ ", 12) == 0 || strncmp(p.begin, "NULL", 4) == 0)
        return true;
    const char *end = p.end, *q = p.begin;
    if (end - q > 3 && end[-1] == ')') /* (D): it has its value from outside */
        for (end--; end > q && *end != '(';)
            end--;
    while (q < end && (in_c_word(*q) || *q == '.'))
        q++;
    if (q != end)
        return false;
    while (q > p.begin && isdigit((unsigned char)q[-1]))
        q--;
    return (q < end && q > p.begin && q[-1] == '_') ||
           !memchr(p.begin, '.', (size_t)(end - p.begin)); /* Inf, Nan */
}

static const char *line_of(const char *text, const char *p)
{
    while (p > text && p[-1] != '\n')
        p--;
    return p;
}

/* Where the bracket opens, of a pair of characters, that closes before p; NULL before `line`. */
static const char *opening(const char *line, const char *p, char opens, char closes)
{
    int depth = 0;
    do {
        if (--p < line)
            return NULL;
        depth += (*p == closes) - (*p == opens);
    } while (depth > 0);
    return p;
}

/* Whether the address at p, in a line, is that of what the line itself loads or stores: of
 * MEM[(type *)&NAME] or MEM <type> [(type *)&NAME + 8B], where that is no address again. */
static bool is_access(const char *line, const char *p)
{
    p = opening(line, p, '(', ')');
    if (!p || p - 5 < line || *p != '(' || *--p != '[')
        return false;
    if (strncmp(p - 2, "> ", 2) == 0 && (p = opening(line, p - 1, '<', '>')) != NULL)
        p--;
    if (!p || p - 4 < line || strncmp(p - 3, "MEM", 3) != 0)
        return false;
    for (p -= 3; p && p - 2 > line && strncmp(p - 2, "] ", 2) == 0;) /* places */
        p = opening(line, p - 1, '[', ']');
    return p && p > line && (p[-1] == ' ' || p[-1] == '<');
}

/* Whether a function's form takes an address, "&NAME", but in notes for a debugger. */
static bool takes(struct piece function, const char *address)
{
    const size_t n = strlen(address);
    const char *p = function.begin;
    for (; (p = memmem(p, (size_t)(function.end - p), address, n)); p += n) {
        const char *line = line_of(function.begin, p);
        if (!isdigit((unsigned char)p[n]) &&
            !memmem(line, (size_t)(p - line), "gimple_debug ", 13) && !is_access(line, p))
            return true;
    }
    return false;
}

/* Whether memory is the function's alone: of a variable that its head lists, whose address it does
 * not take, unless it may give that away. */
static bool is_own(struct piece function, struct piece p, bool given)
{
    if (strncmp(p.begin, "<retval>", 8) == 0)
        return true;
    const char *behind = behind_variable(p.begin, p.end);
    if (!behind || (behind < p.end && *behind != '.' && *behind != '['))
        return false;
    const char *end = memmem(function.begin, (size_t)(function.end - function.begin), "<bb ", 4);
    char *word = hpc_printf(" %.*s", (int)(behind - p.begin), p.begin);
    const size_t n = strlen(word);
    bool own = false;
    for (const char *q = function.begin; end && !own && (q = memmem(q, (size_t)(end - q), word, n));
         q += n)
        own = strchr(";[,)", q[n]) && strncmp(line_of(function.begin, q), "  static ", 9) != 0;
    *word = '&';
    own = own && (given || !takes(function, word));
    free(word);
    return own;
}

/* Whether the head of one of the dump's functions has the number. No string of a student's looks
 * like a head, for a dump has each in one line. */
static bool has_head(const char *dump, const char *number)
{
    bool found = false;
    for (const char *f = strstr(dump, FUNCTION); f && !found; f = strstr(f + 1, FUNCTION))
        found = memmem(f + 1, strcspn(f + 1, "\n"), number, strlen(number)) != NULL;
    return found;
}

/* Whether it is the name of a function, whose address it stands for: one of the dump's, or one that
 * the object leaves to others. Names of OpenMP's have dots, NAME._omp_fn.0D.123. */
static bool is_function(const char *dump, const char *object, struct piece p)
{
    const char *dot = memrchr(p.begin, '.', (size_t)(p.end - p.begin));
    if (!dot || dot == p.begin || dot[-1] != 'D' ||
        strspn(dot + 1, "0123456789") != (size_t)(p.end - dot - 1))
        return false;
    char *number = hpc_printf(" decl_uid=%.*s,", (int)(p.end - dot - 1), dot + 1),
         *fixed = hpc_printf(" %.*s;", (int)(p.end - p.begin), p.begin),
         *name = hpc_printf("%.*s", (int)(dot - 1 - p.begin), p.begin);
    const bool found =
        has_head(dump, number) || (behind_variable(p.begin, p.end) == p.end &&
                                   !strstr(dump, fixed) && object_leaves(object, name));
    free(number), free(fixed), free(name);
    return found;
}

/* The next of a list parted by commas, *p behind it; its places in the source, [..], left out. */
static struct piece next_piece(const char **p, const char *end)
{
    int depth = 0;
    const char *begin = *p, *q, *close;
    while (begin < end && *begin == '[' && (close = memmem(begin, (size_t)(end - begin), "] ", 2)))
        begin = close + 2;
    q = begin;
    for (; q < end && (depth > 0 || *q != ','); q++) {
        if (*q == '"') {
            q = behind_string(q) - 1;
            continue;
        }
        depth += strchr("([{<", *q) != NULL;
        depth -= strchr(")]}", *q) || (*q == '>' && q[-1] != '-');
    }
    *p = q + strspn(q, ", ");
    return (struct piece){begin, q};
}

/* The line and column of a statement's place, "  [FILE:LINE:COLUMN] gimple_call <"; false where it
 * has none in the student's lines. */
static bool read_place(const struct building *b, const char *line, const char *call,
                       struct unseen_call *u)
{
    const char *p = line + strspn(line, " ");
    if (*p != '[' || call <= p)
        return false;
    const size_t n = strcspn(++p, ":");
    return !trusted_file(b->spec, p, n) && sscanf(p + n, ":%d:%d", &u->line, &u->column) == 2;
}

/* What is not seen of a call at u[0]'s place: into u and what follows, up to `most`; how many. */
static int look_at_call(const char *dump, const char *object, struct piece function,
                        struct piece call, struct unseen_call *u, int most)
{
    const char *p = call.begin;
    const struct piece called = next_piece(&p, call.end);
    const char *behind = behind_variable(called.begin, called.end);
    const char *dot = behind ? memchr(called.begin, '.', (size_t)(behind - called.begin)) : NULL;
    struct unseen_call one = *u;
    int n = 0;
    snprintf(one.name, sizeof one.name, "%.*s", dot ? (int)(dot - 1 - called.begin) : 0,
             called.begin);
    one.copies = listed(one.name, strlen(one.name), in_place);
    if (DEFENCE(own_lists) && listed(one.name, strlen(one.name), lists)) {
        const char *q = p;
        const struct piece list = (next_piece(&q, call.end), next_piece(&q, call.end));
        one.copies |=
            *list.begin != '&' || !is_own(function, (struct piece){list.begin + 1, list.end}, true);
    }
    if (one.copies)
        u[n++] = one;
    for (one.which = CALL_RESULT; !one.copies && p < call.end && n < most; one.which++) {
        const struct piece part = next_piece(&p, call.end);
        if (!is_value(part) && !is_own(function, part, false) &&
            (one.which == CALL_RESULT || !is_function(dump, object, part)))
            u[n++] = one;
    }
    return n;
}

/* What is not seen of the calls of a dump, up to UNSEEN_MOST; how many. Not of those in headers. */
static int look(const struct building *b, const char *dump, const char *object,
                struct unseen_call *u)
{
    int n = 0;
    for (const char *f = strstr(dump, FUNCTION); f;) {
        const char *next = strstr(f + 1, FUNCTION);
        const struct piece function = {f, next ? next : f + strlen(f)};
        for (const char *p = f + 1; n < UNSEEN_MOST && p < function.end;) {
            const char *end = strchrnul(p, '\n');
            const char *at = memmem(p, (size_t)(end - p), CALL, strlen(CALL));
            const char *close = at ? memrchr(at, '>', (size_t)(end - at)) : NULL;
            u[n] = (struct unseen_call){0};
            if (close && (at == p + strspn(p, " ") || read_place(b, p, at, &u[n])))
                n += look_at_call(dump, object, function, (struct piece){at + strlen(CALL), close},
                                  &u[n], UNSEEN_MOST - n);
            p = *end ? end + 1 : end;
        }
        f = next;
    }
    return n;
}

/* ---- all ---------------------------------------------------------------------------------------
 */

static bool look_at_dump(struct building *b, const void *calls)
{
    size_t length;
    struct unseen_calls *unseen = *(struct unseen_calls *const *)calls;
    char *dump = read_stage(b, CALLS_DUMP, &length), *object = hpc_printf("%s/whole.o", b->stage);
    if (dump && strlen(dump) < length)
        building_fail(b, VERDICT_REJECTED, "gcc's form of it holds a zero byte");
    const bool good = dump && strlen(dump) == length;
    if (good)
        unseen->n = building_once(unseen->call, look(b, dump, object, unseen->call));
    free(object), free(dump);
    return good;
}

static bool refuse(struct building *b, const struct unseen_call *u)
{
    const bool result = u->which == CALL_RESULT;
    char reason[300];
    snprintf(reason, sizeof reason, "%.80s:%d: the thread sanitizer does not see %s%s()%s",
             b->spec->source, u->line,
             u->copies ? "the copy by "
             : result  ? "the struct of "
                       : "",
             u->name,
             u->copies ? "; call the library's, or store into the function's own"
             : result  ? " being stored; put it into a variable first"
                       : " read a struct; put that into a variable first");
    hpc_harmless(reason);
    return building_fail(b, VERDICT_REJECTED, reason);
}

bool building_calls(struct building *b, bool (*again)(struct building *b))
{
    struct unseen_calls *const unseen = building_room(sizeof *unseen);
    bool good = building_look(b, look_at_dump, &unseen);
    if (good && unseen->n > 0 && building_look(b, building_cut, &unseen)) {
        const bool made = again(b);
        good = made || b->result->outcome.verdict == VERDICT_BUILD;
        if (made)
            good = building_look(b, look_at_dump, &unseen);
    }
    good = good && (unseen->n == 0 || refuse(b, unseen->call));
    munmap(unseen, sizeof *unseen);
    return good;
}
