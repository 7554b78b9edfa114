/* Points and speeds in words that break between them alone. */
#include "harness/report/figures.h"

void html_points(struct text *t, const struct task_result *k)
{
    if (k->max_points > 0 || k->pending > 0)
        text_add(t, "<span class=\"one\">%.1f of %g</span>", k->points, k->max_points);
    else if (k->outcome.verdict != VERDICT_SKIPPED)
        text_add(t, "+%.1f", k->points);
}

void html_speed(struct text *t, const struct task_speed *s)
{
    if (!s->measured)
        return;
    text_add(t, "<span class=\"one\">");
    if (s->of_copy)
        text_add(t, "%.0f%% of a copy [%.0f, %.0f]", 100 * s->ratio.value, 100 * s->ratio.low,
                 100 * s->ratio.high);
    else
        text_add(t, "%.2fx [%.2f, %.2f]", s->ratio.value, s->ratio.low, s->ratio.high);
    if (s->target > 0)
        text_add(t, ",</span> <span class=\"one\">full marks at %.*f%s", s->of_copy ? 0 : 2,
                 (s->of_copy ? 100 : 1) * s->target, s->of_copy ? "%" : "x");
    text_add(t, "</span>");
}
