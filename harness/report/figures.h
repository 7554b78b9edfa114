/* Figures of a task's result, as the pages of a lab and of a class show them. */
#ifndef HPC_HARNESS_REPORT_FIGURES_H
#define HPC_HARNESS_REPORT_FIGURES_H

#include "common/text.h"
#include "harness/record/record.h"

/* "20.0 of 20"; "+10.0" of a bonus, which is none of the lab's 100. */
void html_points(struct text *t, const struct task_result *k);
/* "5.67x [5.50, 6.67], full marks at 4.18x"; beside a copy of as many bytes, shares of its speed.
 * Nothing where no speed was measured. */
void html_speed(struct text *t, const struct task_speed *s);

#endif
