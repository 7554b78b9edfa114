/* What a record's points add up to, and the words for them. */
#define _GNU_SOURCE
#include <string.h>

#include "common/text.h"
#include "harness/record/record.h"

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

void record_points(double score, double most, double bonus, char *text, size_t size)
{
    text_fit(text, size, "%.1f of %g", score - bonus, most);
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
