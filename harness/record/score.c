/* Points: the curve from a ratio, what a record's add up to, and the words for them. */
#define _GNU_SOURCE
#include "harness/record/score.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/error.h"
#include "common/text.h"
#include "harness/record/record.h"

#define KINDNESS 1.05

double score_credit(const struct stats_interval *ratio)
{
    return ratio->high <= KINDNESS * ratio->value ? ratio->high : ratio->value;
}

double score_fraction(double ratio, double target)
{
    HPC_ASSERT(target >= LAB_LEAST_TARGET);
    if (!(ratio > 0.0)) /* NaN too */
        return 0.0;
    return fmin(fmax(log(ratio) / log(target), 0.0), 1.0);
}

double score_points(double points, double share)
{
    return floor(points * share * 100 + 1e-6) / 100;
}

double score_target(double reference_ratio)
{
    return fmax(LAB_LEAST_TARGET, SCORE_REFERENCE_SHARE * reference_ratio); /* NaN: the least */
}

double score_shown_target(double target)
{
    return ceil(target * 100 - 1e-9) / 100;
}

double score_shown_ratio(double ratio, double target)
{
    const double near = round(ratio * 100) / 100, full = score_shown_target(target);
    return ratio < target ? fmin(near, full - 0.01) : fmax(near, full);
}

double score_share_fraction(double share, double target)
{
    HPC_ASSERT(target > 0);
    return score_fraction(2 * share / target, 2);
}

void score_share_explain(double target, char *text, int size)
{
    double half = round(target / sqrt(2) * 100) / 100, none = ceil(target / 2 * 100 - 1e-9) / 100;
    none = score_share_fraction(none, target) > 0.005 ? none - 0.01 : none;
    snprintf(text, (size_t)size,
             "100%% at %.0f%% of the copy's speed or more, %.0f%% at %.0f%%, 0%% at %.0f%%",
             100 * score_shown_target(target), 100 * score_share_fraction(half, target), 100 * half,
             100 * none);
}

void score_explain(double target, char *text, int size)
{
    /* Of ratios with two digits, so that each printed share is the share of the printed ratio. */
    double full = score_shown_target(target);
    double half = round(sqrt(target) * 100.0) / 100.0; /* ln(sqrt(t)) / ln(t) = 1/2 */
    snprintf(text, (size_t)size, "%.0f%% at %.2fx or faster, %.0f%% at %.2fx, %.0f%% at %.2fx",
             100.0 * score_fraction(full, target), full, 100.0 * score_fraction(half, target), half,
             100.0 * score_fraction(1.0, target), 1.0);
}

double record_score(const struct record *r)
{
    double sum = 0.0;
    for (int i = 0; i < r->n_tasks; i++)
        sum += r->tasks[i].points;
    return sum;
}

double record_max_score(const struct record *r)
{
    double sum = 0.0;
    for (int i = 0; i < r->n_tasks; i++)
        sum += r->tasks[i].max_points;
    return sum;
}

double record_pending(const struct record *r)
{
    double sum = 0.0;
    for (int i = 0; i < r->n_tasks; i++)
        sum += r->tasks[i].pending;
    return sum;
}

double record_bonus(const struct record *r)
{
    double sum = 0.0;
    for (int i = 0; i < r->n_tasks; i++)
        if (r->tasks[i].points > r->tasks[i].max_points)
            sum += r->tasks[i].points - r->tasks[i].max_points;
    return sum;
}

double record_shown(double points, double most)
{
    const double near = round(points * 10) / 10;
    return points < most - 1e-9 && near >= most ? (ceil(most * 10 - 1e-9) - 1) / 10 : near;
}

void record_target(const struct task_speed *s, char *text, size_t size)
{
    const double shown = score_shown_target(s->target);
    text_fit(text, size, s->of_copy ? "%.0f%%" : "%.2fx", (s->of_copy ? 100 : 1) * shown);
}

void record_ratio(const struct task_speed *s, char *text, size_t size)
{
    const double unit = s->of_copy ? 100 : 1, value = score_shown_ratio(s->ratio.value, s->target),
                 low = score_shown_ratio(s->ratio.low, s->target),
                 high = score_shown_ratio(s->ratio.high, s->target);
    text_fit(text, size, s->of_copy ? "%.0f%% [%.0f, %.0f]" : "%.2fx [%.2f, %.2f]", unit * value,
             unit * low, unit * high);
}

void record_speed(const struct task_speed *s, char *text, size_t size)
{
    char ratio[60], target[24];
    record_ratio(s, ratio, sizeof ratio);
    record_target(s, target, sizeof target);
    text_fit(text, size, "%.*s of %s%s", (int)strcspn(ratio, " "), ratio, target,
             s->of_copy ? " of a copy" : "");
}

void record_mark(const struct traffic_mark *m, char *text, size_t size)
{
    char got[32], bound[32];
    int digits = 4;
    do {
        snprintf(got, sizeof got, "%.*g", digits, m->measured);
        snprintf(bound, sizeof bound, "%.*g", digits, m->bound.bound);
    } while (!traffic_met(&m->bound, m->measured) && strcmp(got, bound) == 0 && digits++ < 17);
    text_fit(text, size, "%s: %s, %s %s asked for%s", m->bound.quantity, got,
             m->bound.at_least ? "at least" : "at most", bound,
             m->met || !traffic_met(&m->bound, m->measured)
                 ? ""
                 : "; as nothing of the kind is there, that counts once the others are met");
}

void record_points(double score, double most, double bonus, char *text, size_t size)
{
    text_fit(text, size, "%.1f of %g", record_shown(score - bonus, most), most);
    if (bonus > 0)
        text_fit(text, size, "%s and %.1f bonus", text, bonus);
}

void record_task_points(const struct task_result *t, char *text, size_t size)
{
    const double bonus = t->points > t->max_points ? t->points - t->max_points : 0;
    if (bonus > 0 && t->max_points <= 0 && t->pending <= 0)
        text_fit(text, size, "%.1f bonus", bonus);
    else
        record_points(t->points, t->max_points, bonus, text, size);
}

void record_task_cell(const struct task_result *t, char *text, size_t size)
{
    if (t->max_points > 0 || t->pending > 0)
        text_fit(text, size, "%.1f/%g", record_shown(t->points, t->max_points), t->max_points);
    else
        text_fit(text, size, "+%.1f", t->points); /* a bonus */
}

bool record_pending_speed(const struct record *r)
{
    double sum = 0.0;
    for (int i = 0; i < r->n_tasks; i++)
        sum += r->tasks[i].pending_speed;
    return sum > 0 && sum == record_pending(r);
}

void record_waits(const struct lab_task *task, double points, struct task_result *t)
{
    if (task->bonus) /* none of the lab's 100 */
        return;
    t->pending += points;
    t->max_points -= points;
}
