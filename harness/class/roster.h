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

/* A row that is left out: why, and what could be read of it. */
struct roster_left {
    char why[400]; /* FILE:LINE: what was wrong, expected .. */
    struct roster_student who;
};

struct roster {
    int n, n_left;
    struct roster_student *student;
    struct roster_left *left;
    bool made;   /* from the names of what was handed in: there is no file */
    double most; /* points that the lab can give, and an override be */
};

/* Columns: id, and any of name, email, group, github, extension_hours, late_days, attempt (best or
 * last), override, reason; table.h says what is read. A row with a mistake is left out, and r->left
 * has it: an id that is there twice, an override without a reason or above `most`, the points that
 * the lab can give .. False with FILE:LINE and what was expected where the names of columns are
 * off, or no row is right. */
bool roster_read(const char *path, double most, struct roster *r, struct hpc_error *err);
/* The one with this id, or NULL. */
struct roster_student *roster_find(const struct roster *r, const char *id);
/* Add one without a file; an id that is there already is left. */
void roster_add(struct roster *r, const char *id);
void roster_remove(struct roster *r, const char *id);
void roster_free(struct roster *r);

/* What of a submission's name may say whose it is. */
enum roster_key { ROSTER_ID, ROSTER_EMAIL, ROSTER_GITHUB, ROSTER_NAME, ROSTER_SQUEEZED };
/* The student that a key names, by any of its columns that fits: case does not count, nor the order
 * of a name's parts ("Lovelace, Ada", "lovelaceada"). A name that nobody has may be written without
 * its accents, or with "ue" for a u with dots. NULL where nobody or more than one fits, a row that
 * was left out counted, too. */
struct roster_student *roster_match(const struct roster *r, enum roster_key kind, const char *key);
/* The first student of the group that a name names as a student's does; NULL: none, or two groups.
 */
struct roster_student *roster_of_group(const struct roster *r, const char *key);
/* The row that was left out and that a key names; NULL: none. */
const struct roster_left *roster_left_out(const struct roster *r, enum roster_key kind,
                                          const char *key);

/* same_name.c. How much two spellings of a name may differ in, from letters alone on. */
enum spelling { SPELLED_SO, SPELLED_PLAIN, SPELLED_IN_TWO, SPELLINGS };
/* Whether `key` is the name, or its parts in another order; where both are ASCII, SPELLED_SO says
 * it alone. */
bool same_name(const char *name, const char *key, enum spelling how);

#ifdef __cplusplus
}
#endif
#endif
