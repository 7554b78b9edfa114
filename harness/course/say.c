/* What the actions of `hpclab class` say and ask alike. */
#define _GNU_SOURCE
#include <stdlib.h>

#include "common/interrupt.h"
#include "common/ui.h"
#include "harness/course/actions.h"

int class_ended(const struct hpc_error *err)
{
    const int status = hpc_report(err);
    return hpc_interrupted() ? 130 : status;
}

void class_say(int indent, const char *label, struct text *line)
{
    char *words = text_take(line);
    hpc_harmless(words);
    ui_paragraph(indent, label, words);
    free(words);
}

const struct roster_student *class_find_student(const struct class_state *c, const char *id,
                                                struct hpc_error *err)
{
    const struct roster_student *who = roster_match(&c->roster, ROSTER_ID, id);
    if (!who)
        who = roster_match(&c->roster, ROSTER_NAME, id);
    const struct roster_left *left = who ? NULL : roster_left_out(&c->roster, ROSTER_NAME, id);
    if (left)
        hpc_fail(err, "%s: no student, for the row is left out: %s", id, left->why);
    else if (!who)
        hpc_fail(err, "%s: no student of the roster, expected an id such as %s", id,
                 c->roster.student[0].id);
    return who;
}
