/* hpclab class show: one student's attempts and gradings. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "common/text.h"
#include "common/ui.h"
#include "harness/record/record.h"
#include "harness/course/actions.h"

static void show_submission(const struct class_state *c, const struct roster_student *who,
                            const struct submission *s, bool counts)
{
    const time_t t = (time_t)s->time;
    const bool other = strcasecmp(s->student, who->id) != 0;
    struct tm utc;
    char time[32] = "";
    struct text line = {0};
    if (gmtime_r(&t, &utc))
        strftime(time, sizeof time, "%Y-%m-%dT%H:%M:%SZ  ", &utc);
    text_add(&line, "attempt %d%s%s, %s (%s)%s%s", s->attempt, other ? " of " : "",
             other ? s->student : "", s->name, s->system, class_too_late(c, s) ? ", late" : "",
             counts ? ", counts" : "");
    if (s->refused[0])
        text_add(&line, ": refused, %s", s->refused);
    class_say(2, time, &line);
}

static void show_grading(const struct store_grading *g, bool counts)
{
    struct text line = {0};
    char *ended = hpc_printf("%s  ", g->ended), points[80];
    record_points(g->score, g->max_score, g->bonus, points, sizeof points);
    text_add(&line, "%s, %g pending, run %d, seed %llu%s%s%s%s", points, g->pending, g->run,
             (unsigned long long)g->seed, g->quick ? ", quick" : "", counts ? ", counts" : "",
             g->note[0] ? ": " : "", g->note);
    class_say(4, ended, &line);
    free(ended);
}

int class_verb_show(struct class_state *c, const char *student, bool yes)
{
    struct hpc_error err;
    const struct roster_student *who;
    const struct submission *counts;
    (void)yes;
    if (!class_read(c, NULL, &err) || !(who = class_find_student(c, student, &err)))
        return class_ended(&err);
    const struct store_grading *result = class_result(c, who, &counts);
    struct text line = {0};
    text_add(&line, "%s", who->name);
    if (who->email[0])
        text_add(&line, " <%s>", who->email);
    char *id = hpc_printf("%s  ", who->id);
    class_say(0, id, &line);
    free(id);
    for (int i = 0; i < c->submissions.n; i++) {
        const struct submission *s = &c->submissions.at[i];
        if (!class_is_of(c, s, who))
            continue;
        show_submission(c, who, s, s == counts);
        for (int k = 0; k < c->n_gradings; k++) {
            const struct store_grading *g = &c->grading[k];
            if (!strcmp(g->submission, s->sha256) && !strcasecmp(g->student, s->student))
                show_grading(g, g == result);
        }
    }
    if (!class_last(c, who)) {
        text_add(&line, "nothing handed in that is here now");
        class_say(2, "", &line);
    }
    if (who->has_override) {
        text_add(&line, "%g points in place of these, %s", who->override, who->reason);
        class_say(2, "override: ", &line);
    }
    return HPC_EXIT_OK;
}
