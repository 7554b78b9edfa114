/* What a wrong solution is wrong about: harness/trial/simplify.h, in a result's words. */
#include <string.h>

#include "common/op.h"
#include "common/params.h"
#include "common/text.h"
#include "harness/grade/internal.h"
#include "harness/trial/simplify.h"

static const double seconds = 10, quick_seconds = 3;

/* Text behind the hint, a sentence a semicolon; what has no room is left out. */
static void add(struct task_result *result, const char *text)
{
    const struct outcome *o = &result->outcome;
    if (*text && strlen(o->hint) + strlen(text) + 3 <= sizeof o->hint)
        outcome_hint(&result->outcome, "%s%s%s", o->hint, outcome_joint(o->hint), text);
}

/* A result that equals what a mistake gives, number by number, needs no other word: what a smaller
 * case shows of it may look like another mistake. */
static bool equals(const char *hint)
{
    return strncmp(hint, "equals ", 7) == 0;
}

/* A hint that leaves no question: what equals the result, what a tool saw, that nothing was
 * computed. */
static bool explains_all(const char *hint)
{
    static const char *const words[] = {" sees: ",
                                        "never moved",
                                        "was not written",
                                        "no output was written",
                                        "no element was written",
                                        ", all from ",
                                        "near, but the errors are larger",
                                        "all elements are 0",
                                        "every output is a whole number",
                                        ", which has it, too: "};
    bool sure = equals(hint);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        sure |= strstr(hint, words[i]) != NULL;
    return sure;
}

/* A part that is named with the number that shows it, and no cause, or none at all where windows
 * lie apart: a key with which it is right says more. */
static bool place_only(const struct simplified *s)
{
    const bool strides = !*s->part && strncmp(s->facts, "right with stride = 1, ", 23) == 0;
    const bool outputs =
        strncmp(s->part, "the outputs", 11) == 0 && strstr(s->part, " are wrong (") != NULL;
    return strides || (*s->facts && (outputs || strstr(s->part, " is wrong (")));
}

/* Whether a part is named, and what made it wrong. */
static bool with_cause(const char *part)
{
    return *part && !strstr(part, " is wrong (") && !strstr(part, " are wrong (");
}

/* Whether a part's units are all that is told of it. */
static bool names_units(const char *part)
{
    return strstr(part, " alone (in ") || strstr(part, ", the others are right (in ");
}

/* That one thread is right leads to what threads share, and a simpler case that is right in its
 * first call to what is kept; a part with its cause, which the first call shows, says which. */
static bool part_before_calls(const struct simplified *s)
{
    return (strncmp(s->calls, "right with one thread", 21) == 0 ||
            strncmp(s->calls, "with ", 5) == 0) &&
           with_cause(s->part);
}

/* Whether a mistake that the second call's result equals is not why: the first call, which has it
 * as well, is right. */
static bool only_later(const struct simplified *s, const char *hint)
{
    return equals(hint) && !strstr(hint, "call") &&
           strncmp(s->calls, "right in the first call, wrong in the second", 44) == 0;
}

/* What a tool saw in another case than the one that is wrong, of one thread: a crash there may be
 * far from the mistake. */
static bool seen_elsewhere(const struct trial *t, const char *hint)
{
    return strstr(hint, " sees: ") && !lab_task_cuda(t->task) && t->task->threads == 1 &&
           (strstr(hint, " (in another case)") || strstr(hint, " (in case "));
}

/* Whether weights that never move do so where an activation is, and with others move as they
 * should: then it is that one's. */
static bool still_with_one(const struct simplified *s, const char *hint)
{
    return strstr(hint, "never moved") && strncmp(s->facts, "right with activations all ", 27) == 0;
}

/* The line that tells most comes first: that run() is over too early, which explains whatever came
 * of it; what explains every number, or was seen; else the calls,
 * the part, a pattern, a key; a key before a part without a cause. The numbers that show it, which
 * stood there, begin the hint. Where there are none, what the runner died of, or the call that
 * failed, stays in front, unless a tool saw what led to it. */
static void reorder(const struct simplified *s, bool elsewhere, struct task_result *result)
{
    const struct outcome was = result->outcome;
    const char *hint = only_later(s, was.hint) ? "" : was.hint;
    const bool tool = strstr(was.hint, " sees: ") != NULL;
    const bool early = strncmp(s->calls, "run() returns before ", 21) == 0;
    const bool sure = explains_all(hint) && !early && !still_with_one(s, was.hint) &&
                      !(elsewhere && with_cause(s->part) && !names_units(s->part));
    const bool where = strncmp(s->facts, "right where ", 12) == 0; /* tells rows from columns */
    const char *const of_all[] = {hint, s->calls, s->part, s->facts},
                      *const by_key[] = {s->calls, s->facts, s->part, hint},
                      *const by_side[] = {s->calls, s->part, s->facts, hint},
                      *const by_part[] = {s->calls, s->part, hint, s->facts},
                      *const by_early[] = {s->calls, "", "", ""},
                      *const by_cause[] = {s->part, s->calls, hint, s->facts};
    const char *const *lines = sure                                           ? of_all
                               : early                                        ? by_early
                               : part_before_calls(s)                         ? by_cause
                               : place_only(s) || still_with_one(s, was.hint) ? by_key
                               : where                                        ? by_side
                                                                              : by_part;
    const char *begin = strstr(was.reason, ": "); /* behind "case NAME" */
    int first = 0;
    while (first < 4 && !lines[first][0])
        first++;
    const bool seen =
        tool && (strstr(was.reason, ": returned ") || strstr(was.reason, ": signal ") ||
                 strstr(was.reason, " (CUDA error ") || strstr(was.reason, " did not return "));
    const bool stays =
        !seen && !early && (was.verdict == VERDICT_CRASH || !strstr(was.reason, ", should be "));
    if (first == 4 || (!begin && !stays))
        return;
    if (stays) {
        first = -1;
        outcome_hint(&result->outcome, "%s", "");
    } else {
        outcome_reason(&result->outcome, "%.*s: %s%s", (int)(begin - was.reason), was.reason,
                       lines[first],
                       still_with_one(s, was.hint) && lines[first] == s->facts
                           ? ": the weights never move, as where its derivative is 0"
                           : "");
        outcome_hint(&result->outcome, "%s", begin + 2);
    }
    for (int i = first + 1; i < 4 && !equals(hint) && !equals(s->part); i++)
        add(result, lines[i]);
}

/* Where a reason begins that nothing came out, which a loop that never runs explains. */
static const char *nothing(const char *reason)
{
    static const char *const words[] = {": all outputs are 0", ": all elements are 0",
                                        ": the weights never moved"};
    const char *found = NULL;
    for (size_t i = 0; !found && i < sizeof words / sizeof *words; i++)
        found = strstr(reason, words[i]);
    return found;
}

const char *grade_without_cause(const char *reason, const char *warning)
{
    if (strstr(warning, BUILD_SIGNEDNESS))
        return nothing(reason);
    if (strstr(warning, GRADE_NO_BRACKETS))
        return strstr(reason, ": equals ") ? NULL : strstr(reason, ": ");
    const char *const tool = strstr(reason, ": a sanitizer sees: ");
    if (!strstr(warning, BUILD_UNINITIALIZED) && !strstr(warning, BUILD_FREED))
        return NULL;
    if (tool && (strstr(tool, " null pointer ") || strstr(tool, ": a pointer is NULL") ||
                 strstr(tool, "SEGV at ")))
        return tool;
    const char *right = strstr(reason, ": right "), *part = strstr(reason, ": the ");
    const char *product = strstr(reason, ": product ");
    part = part ? part : product && strstr(product, " is wrong: of ") ? product : NULL;
    const char *unset = strstr(reason, ": " TRIAL_UNSET), *numbers = strstr(reason, ": call ");
    if (right && strstr(right, ", wrong "))
        return right;
    if (unset && !strstr(unset, ", the memory of "))
        return unset;
    if (numbers && numbers == strstr(reason, ": ") && strstr(numbers, ", should be "))
        return numbers;                                          /* nothing else was found */
    if (strstr(reason, TRIAL_VARIES) || strstr(reason, OP_KEPT)) /* as what nobody set may be */
        return strstr(reason, ": ");
    const bool none = part && (strstr(part, " is nan, ") || strstr(part, " is -nan, "));
    return none || (part && (strstr(part, " is wrong (") || strstr(part, " are wrong (") ||
                             part == product))
               ? part
               : NULL;
}

/* The keys in which the smallest case differs from c, for the command that repeats it. */
static void changed_keys(const struct lab_case *c, const struct hpc_params *left, char *text,
                         size_t size)
{
    bool whole = true;
    text[0] = '\0';
    for (int i = 0; whole && i < left->n; i++) {
        const struct hpc_param *was = hpc_params_find(&c->params, left->p[i].key);
        if ((was && strcmp(was->value, left->p[i].value) == 0) ||
            (!was && strcmp(left->p[i].key, "threads") == 0))
            continue;
        whole = text_fit(text, size, "%s %s=%s", text, left->p[i].key, left->p[i].value);
    }
    if (!whole)
        text[0] = '\0';
}

#define MORE_CASES 4 /* that are asked where the simplest tells nothing */

/* The part, by other cases of the task than c. */
static void ask_others(const struct grading *g, struct trial *t, const struct lab_case *c,
                       struct simplified *s)
{
    char elsewhere[LAB_NAME + 20];
    for (int i = 0, asked = 0; i < t->task->n_cases && asked < MORE_CASES && !s->part[0]; i++) {
        const struct lab_case *other = &g->project->lab->cases[t->task->cases[i]];
        if (other == c)
            continue;
        asked++;
        trial_part(t, build_plain(g->device), other, g->seed, s);
        if (s->part[0])
            text_fit(s->part, sizeof s->part, "%s%s", s->part,
                     grade_elsewhere(other, c, elsewhere, sizeof elsewhere));
    }
}

/* What an open() before this one changes says nothing of memory that a sanitizer sees touched
 * where it must not be: other blocks lie beside it then. */
static void drop_reopened(struct outcome *o)
{
    const struct outcome was = *o;
    const char *from = strstr(was.reason, TRIAL_REOPENED), *to = strstr(was.reason, TRIAL_AGAIN);
    if (!from || !to ||
        !(strstr(was.hint, "overflow at ") || strstr(was.hint, "-free at ") ||
          strstr(was.hint, "out of bounds at ")))
        return;
    to += strlen(TRIAL_AGAIN);
    const char *why = strstr(to, TRIAL_LEFT), *end = why ? why : to + strlen(to);
    outcome_reason(o, "%.*s%.*s", (int)(from - was.reason), was.reason, (int)(end - to), to);
}

void grade_diagnose(const struct grading *g, struct trial *t, const struct lab_case *c,
                    struct task_result *result)
{
    struct simplified s;
    char keys[240];
    drop_reopened(&result->outcome);
    if (strstr(result->outcome.reason, ": " TRIAL_REOPENED)) /* a simpler case has but one open() */
        return;
    trial_returns_early(t, build_plain(g->device), c, g->seed, &s);
    /* threads of a kernel that overlap may do so for a number that is wrong */
    const bool race = lab_task_cuda(t->task) && strstr(result->outcome.hint, " sees: race ");
    if (!s.calls[0] && (race || !strstr(result->outcome.hint, " sees: ")))
        trial_simplify(t, build_plain(g->device), c, g->seed, g->quick ? quick_seconds : seconds,
                       &s);
    const bool elsewhere = seen_elsewhere(t, result->outcome.hint);
    if (result->outcome.verdict == VERDICT_WRONG && elsewhere)
        trial_part(t, build_plain(g->device), c, g->seed, &s);
    if (result->outcome.verdict == VERDICT_WRONG && !s.part[0] && !s.calls[0] &&
        (elsewhere || !explains_all(result->outcome.hint)))
        ask_others(g, t, c, &s);
    reorder(&s, elsewhere, result);
    if (s.changed == 0 || c->hidden)
        return;
    changed_keys(c, &s.left, keys, sizeof keys);
    text_fit(keys, sizeof keys, "%s%s", keys, grade_more_threads(t));
    grade_reproduce(g, t->task, c, keys, result);
}
