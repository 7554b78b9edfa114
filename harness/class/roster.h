/* Who is in the class: a CSV file with a first line of column names. */
#ifndef HPC_HARNESS_CLASS_ROSTER_H
#define HPC_HARNESS_CLASS_ROSTER_H

#include "common/error.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ROSTER_TEXT 96

struct roster_student {
    char id[ROSTER_TEXT], name[ROSTER_TEXT], email[ROSTER_TEXT], group[ROSTER_TEXT],
        github[ROSTER_TEXT], reason[ROSTER_TEXT];
    double extension_hours, late_days;
    bool best;         /* the best attempt counts, not the last */
    bool has_override; /* points in place of the graded ones, for a reason */
    double override;
    int line;
};

struct roster {
    int n;
    struct roster_student *student;
    bool made; /* from the names of what was handed in: there is no file */
};

/* Columns: id, and any of name, email, group, github, extension_hours, late_days, attempt (best or
 * last), override, reason. Quotes as spreadsheets write them. False with FILE:LINE and what was
 * expected: an id that is there twice, an override without a reason, an unknown column .. */
bool roster_read(const char *path, struct roster *r, struct hpc_error *err);
/* The one with this id, or NULL. */
struct roster_student *roster_find(const struct roster *r, const char *id);
/* Add one without a file; an id that is there already is left. */
void roster_add(struct roster *r, const char *id);
void roster_free(struct roster *r);

/* What of a submission's name may say whose it is. */
enum roster_key { ROSTER_ID, ROSTER_EMAIL, ROSTER_GITHUB, ROSTER_NAME, ROSTER_SQUEEZED };
/* The student that a key names, by any of its columns that fits: case does not count, nor the order
 * of a name's parts ("Lovelace, Ada", "lovelaceada"). NULL where nobody or more than one fits. */
struct roster_student *roster_match(const struct roster *r, enum roster_key kind, const char *key);

#ifdef __cplusplus
}
#endif
#endif
