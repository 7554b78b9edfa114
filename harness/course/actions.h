/* What the files of `hpclab class` share: its actions. Each gets a class that is open, and the word
 * behind the action; returns an exit status and has printed its errors. diff.c has diff, show.c
 * show, actions.c the others. */
#ifndef HPC_HARNESS_COURSE_ACTIONS_H
#define HPC_HARNESS_COURSE_ACTIONS_H

#include "common/text.h"
#include "harness/class/class.h"

int class_verb_grade(struct class_state *c, const char *dir, bool yes);
int class_verb_show(struct class_state *c, const char *student, bool yes);
int class_verb_again(struct class_state *c, const char *student, bool yes); /* rerun, regrade */
int class_verb_merge(struct class_state *c, const char *folder, bool yes);
int class_verb_similar(struct class_state *c, const char *none, bool yes);
int class_verb_diff(struct class_state *c, const char *student, bool yes);
int class_verb_purge(struct class_state *c, const char *none, bool yes);

/* Of whom the points are others now, and of whom they stay against the last grading. */
struct changes {
    int other, stay, lower; /* lower: of these that stay, whom --allow-lower changes */
};
/* changes.c. Points of all students, in the roster's order, an override as it was when it was said
 * last; the caller's. */
double *class_points(const struct class_state *c);
/* A line for each who has others now, by a grading or by the roster, or whose stay. False with *err
 * where the overrides can't be kept. */
bool class_say_changes(const struct class_state *c, const double *before, struct changes *n,
                       struct hpc_error *err);

/* Print the error; its status, or Ctrl-C's. */
int class_ended(const struct hpc_error *err);
/* By id or name; NULL with *err. */
const struct roster_student *class_find_student(const struct class_state *c, const char *id,
                                                struct hpc_error *err);

/* A line with words of students in it: without what moves a cursor, broken at the
 * terminal's width. `line` is empty after that. */
void class_say(int indent, const char *label, struct text *line);

#endif
