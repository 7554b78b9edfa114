/* lab1's answers against a profile that the grader takes itself.
 *
 * Shares may be off by TOLERANCE points, twice that in a quick grading, and by the error of
 * sampling (two standard deviations of a share seen in so many samples): two honest profiles of one
 * program differ by about that much.
 * The reference's answers are written from a profile of its own and marked against a second one:
 * full marks mean that two independent profiles agree within the tolerances, which is what students
 * rely on. */
#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/command.h"
#include "common/scratch.h"
#include "harness/answers/marker.h"
#include "harness/profile/profile.h"

#define TOLERANCE    5.0 /* points */
#define RANKS        3
#define NEAR_SECTION 0.85 /* of the costliest section's time: as good an answer */

struct marked {
    struct sheet *sheet;
    const struct profile *p;
    double tolerance;
};

/* Points that a share measured twice may differ by. */
static double allowed(const struct marked *k, double share)
{
    double f = share / 100, samples = 100 * k->p->flat.seconds;
    return k->tolerance + (samples > 0 ? 200 * sqrt(f * (1 - f) / samples) : 0);
}

static void mark_share(const struct marked *k, const char *key, double measured, const char *hint)
{
    char rest[160];
    double value, bound = allowed(k, measured);
    if (!sheet_number(k->sheet, key, &value))
        return;
    const bool right = fabs(value - measured) <= bound;
    const bool fraction =
        !right && value > 0 && value <= 1 && fabs(100 * value - measured) <= bound;
    if (!right && fabs(100 - value - measured) <= bound && fabs(measured - 50) > bound) {
        snprintf(rest, sizeof rest, "100 less what is asked for: the share of all others%s%s",
                 *hint ? "; " : "", hint);
        hint = rest;
    }
    sheet_mark(k->sheet, key, right,
               right      ? ""
               : fraction ? "a fraction of 1, where a percentage is asked for"
                          : hint,
               "measured %.1f, expected within %.1f points of it", measured, bound);
}

/* Rank r is right with any function whose share is as good as that rank's, named only once. */
static void mark_ranks(const struct marked *k)
{
    const struct profile_table *t = &k->p->flat;
    for (int r = 0; r < RANKS; r++) {
        char key[32], share_key[40], other[32];
        snprintf(key, sizeof key, "hottest%d", r + 1);
        snprintf(share_key, sizeof share_key, "%s_share", key);
        const char *name = sheet_text(k->sheet, key);
        const struct profile_function *f = profile_function(t, name);
        double share = profile_share(t, name), rank = profile_share(t, t->f[r].name);
        bool again = false, right = false;
        for (int i = 0; i < r; i++) {
            snprintf(other, sizeof other, "hottest%d", i + 1);
            again = again || (f && !strcmp(name, sheet_text(k->sheet, other)));
        }
        if (!f)
            sheet_mark(k->sheet, key, 0, "expected the name of a function in flat.txt", "%s", "");
        else if (again)
            sheet_mark(k->sheet, key, 0, "named twice", "%s", "");
        else if (fabs(share - rank) > allowed(k, rank))
            sheet_mark(k->sheet, key, 0, "", "%s, which has %.1f%%; yours has %.1f%%", t->f[r].name,
                       rank, share);
        else
            sheet_mark(k->sheet, key, right = true, "", "it has %.1f%%", share);
        if (right)
            mark_share(k, share_key, share, "");
        else /* any function's would earn three times what one is known of, or 0 of a cold one */
            sheet_mark(k->sheet, share_key, 0, "the share counts of a function that is right", "%s",
                       "");
    }
}

static void mark_calls(const struct marked *k)
{
    const struct profile_function *f = profile_function(&k->p->flat, "mat_mul");
    double value, calls = f && k->p->epochs > 0 ? f->calls / k->p->epochs : 0;
    if (sheet_number(k->sheet, "mat_mul_calls", &value))
        sheet_mark(k->sheet, "mat_mul_calls", fabs(value - calls) < 0.5,
                   value > 10 * calls ? "divide the calls of all runs by all epochs" : "",
                   "calls of all runs %.0f, divided by all %.0f epochs", f ? f->calls : 0,
                   k->p->epochs);
}

/* The caller that spends most in calculate_local_gradient. */
static const char *gradient_caller(const struct profile *p)
{
    const char *caller = "";
    double most = -1;
    for (int i = 0; i < p->n_edges; i++)
        if (!strcmp(p->edge[i].callee, "calculate_local_gradient") && p->edge[i].self > most) {
            most = p->edge[i].self;
            caller = p->edge[i].caller;
        }
    return caller;
}

static void mark_caller(const struct marked *k)
{
    const char *caller = gradient_caller(k->p);
    sheet_mark(k->sheet, "gradient_caller",
               !strcmp(sheet_text(k->sheet, "gradient_caller"), caller), "graph.txt says who", "%s",
               caller);
    mark_share(k, "gradient_share", profile_callee_share(k->p, caller, "calculate_local_gradient"),
               "(self + children) of its line over those of its caller");
}

/* Percent of the processor's time that back_propagation's own code takes. */
static double own_share(const struct profile *p)
{
    const struct profile_function *f = profile_function(&p->flat, "back_propagation");
    return f && p->cpu_seconds > 0 ? 100 * f->self_seconds / p->cpu_seconds : 0;
}

static double bound_of(double share)
{
    return 1 / (1 - share / 100);
}

static void mark_bound(const struct marked *k)
{
    static const char key[] = "amdahl_bound";
    double value, share = own_share(k->p), bound = allowed(k, share);
    double seen = profile_share(&k->p->flat, "back_propagation");
    if (!sheet_number(k->sheet, key, &value))
        return;
    if (value < 1) {
        sheet_mark(k->sheet, key, 0, "expected a ratio of 1 or more", "%.2f", bound_of(share));
        return;
    }
    double implied = 100 * (1 - 1 / value);
    bool good = fabs(implied - share) <= bound;
    sheet_mark(k->sheet, key, good,
               !good && fabs(implied - seen) <= bound
                   ? "its share of what gprof sees, not of the processor's time"
                   : "",
               "measured %.2f, expected %.2f to %.2f", bound_of(share),
               share > bound ? bound_of(share - bound) : 1, bound_of(share + bound));
}

static int costliest(const struct profile *p)
{
    int most = 0;
    for (int s = 1; s < PROFILE_SECTIONS; s++)
        if (p->section_seconds[s] > p->section_seconds[most])
            most = s;
    return most;
}

static void mark_section(const struct marked *k)
{
    static const char key[] = "hottest_section";
    const double *seconds = k->p->section_seconds;
    const char *text = sheet_text(k->sheet, key);
    if (!strncmp(text, "func", 4))
        text += 4;
    int most = costliest(k->p), s = text[0] >= '0' && text[0] <= '7' && !text[1] ? *text - '0' : -1;
    if (s < 0)
        sheet_mark(k->sheet, key, 0, "expected a number from 0 to 7", "%s", "");
    else
        sheet_mark(k->sheet, key, seconds[s] >= NEAR_SECTION * seconds[most],
                   s == most + 1 ? "one too many: sections count from 0, func0 to func7" : "",
                   "func%d, which took %.3f s; yours took %.3f s", most, seconds[most], seconds[s]);
}

/* Of what is hidden in the libraries, the allocator or the mathematics, whichever takes more. */
static const char *hidden_place(const struct profile *p)
{
    enum profile_place place =
        profile_place_share(p, PROFILE_ALLOCATOR) >= profile_place_share(p, PROFILE_MATH)
            ? PROFILE_ALLOCATOR
            : PROFILE_MATH;
    return profile_place_names[place];
}

static void mark_unseen(const struct marked *k)
{
    static const char key[] = "unseen_where";
    mark_share(k, "unseen_share", profile_unseen(k->p),
               "(processor's seconds - gprof's) / processor's seconds");
    if (k->p->has_whole)
        sheet_mark(k->sheet, key, !strcasecmp(sheet_text(k->sheet, key), hidden_place(k->p)),
                   "whole.txt says which", "%s", hidden_place(k->p));
    else
        sheet_mark(k->sheet, key, 1, "", "not measured: there is no static C library here");
}

/* The answers that a profile gives, as a student would write them. */
static void write_answers(const struct profile *p, FILE *f)
{
    const struct profile_function *mul = profile_function(&p->flat, "mat_mul");
    for (int r = 0; r < RANKS; r++)
        fprintf(f, "hottest%d = %s\nhottest%d_share = %.2f\n", r + 1, p->flat.f[r].name, r + 1,
                profile_share(&p->flat, p->flat.f[r].name));
    fprintf(f, "mat_mul_calls = %.0f\ngradient_caller = %s\ngradient_share = %.2f\n",
            mul ? mul->calls / p->epochs : 0, gradient_caller(p),
            profile_callee_share(p, gradient_caller(p), "calculate_local_gradient"));
    fprintf(f,
            "amdahl_bound = %.3f\nhottest_section = %d\nunseen_share = %.2f\nunseen_where = %s\n",
            bound_of(own_share(p)), costliest(p), profile_unseen(p), hidden_place(p));
}

static void mark_all(struct sheet *s, const struct profile *p, bool quick)
{
    struct marked k = {.sheet = s, .p = p, .tolerance = quick ? 2 * TOLERANCE : TOLERANCE};
    mark_ranks(&k);
    mark_calls(&k);
    mark_caller(&k);
    mark_bound(&k);
    mark_section(&k);
    mark_unseen(&k);
}

/* A profile of the student's net; to be freed. NULL after sheet_wait. */
static struct profile *take_profile(struct sheet *s, const struct marking *m)
{
    const char *student = sheet_student(s);
    double seconds = m->quick ? PROFILE_QUICK_SECONDS : PROFILE_SECONDS;
    struct profile *p = hpc_calloc(1, sizeof *p);
    char *folder = scratch_name(m->project->root, "profile");
    struct hpc_error err;
    bool good = profile_prepare(m->project->root, *student ? student : "reference",
                                m->project->lab->term, seconds, folder, p, &err) &&
                profile_take(folder, p, &err);
    if (!good) {
        sheet_wait(s, VERDICT_ENVIRONMENT, err.text);
        free(p);
        p = NULL;
    }
    folder_remove(folder);
    free(folder);
    return p;
}

static bool answer_profile(struct sheet *s, const struct marking *m, FILE *f)
{
    struct profile *p = take_profile(s, m);
    if (p)
        write_answers(p, f);
    const bool good = p != NULL;
    free(p);
    return good;
}

static void mark_profile(struct sheet *s, const struct marking *m)
{
    struct profile *p = take_profile(s, m);
    if (p)
        mark_all(s, p, m->quick);
    free(p);
}

const struct marker lab1_markers[] = {{"profile_answers", answer_profile, mark_profile}, {0}};
