/* Points and speeds in words that break between them alone. */
#include "harness/report/figures.h"

void html_points(struct text *t, const struct task_result *k)
{
    if (k->max_points > 0 || k->pending > 0)
        text_add(t, "<span class=\"one\">%.1f of %g</span>", record_shown(k->points, k->max_points),
                 k->max_points);
    else if (k->outcome.verdict != VERDICT_SKIPPED)
        text_add(t, "+%.1f", k->points);
}

void html_speed(struct text *t, const struct task_speed *s)
{
    if (!s->measured)
        return;
    char ratio[60], target[24];
    record_ratio(s, ratio, sizeof ratio);
    record_target(s, target, sizeof target);
    text_add(t, "<span class=\"one\">%s%s", ratio, s->of_copy ? " of a copy" : "");
    if (s->target > 0)
        text_add(t, ",</span> <span class=\"one\">full marks at %s", target);
    text_add(t, "</span>");
}
