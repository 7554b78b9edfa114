/* What the name of a file or folder says of a submission, by the systems that export them. */
#ifndef HPC_HARNESS_CLASS_NAMES_H
#define HPC_HARNESS_CLASS_NAMES_H

#include <stddef.h>

#include "harness/class/roster.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A name as a pattern reads it. */
struct named {
    const char *system; /* "Canvas" */
    enum roster_key kind;
    char key[ROSTER_TEXT];
    char account[24]; /* the system's number of whose it is; empty: the name says none */
    int attempt;      /* 0: the name says none */
    size_t rest;      /* bytes that a {rest} at the pattern's end stands for; 0: none */
    bool late;        /* the system says so */
};

/* A pattern is text in which a word between braces stands for
 *   {id} {name}    one character or more but '/'      {email}    the same, with an '@' in it
 *   {github}       letters, digits, '-', '_'          {squeezed} letters and digits
 *   {number}       digits                             {attempt}  digits: the attempt
 *   {account}      digits: the system's number of the student
 *   {lab}          the lab's name                     {group}    anything without a '_'
 *   {rest}         anything, or nothing
 * It fits a whole name, without .zip or .tar.gz at its end. names_pattern is false where the
 * pattern holds another word, or none that says whose it is. With a roster only what it knows fits.
 */
bool names_pattern(const char *pattern, struct hpc_error *err);
bool names_fit(const char *pattern, const char *lab, const char *name, const struct roster *r,
               struct named *found);
/* Whether a system has it beside a submission's files, as Moodle a text that was typed there. */
bool names_beside(const char *name);
/* Pattern i of the table, first those of export systems; NULL behind the last. */
const char *names_of_system(int i, const char **system);
/* Whose it is, by `own` (a pattern of the course's, or NULL) and then the table: the first pattern
 * that fits and whose key the roster knows. Where the roster was made from names, the first that
 * fits. NULL: nobody; *found is then the last that fitted. */
struct roster_student *names_student(const struct roster *r, const char *own, const char *lab,
                                     const char *name, struct named *found);

#ifdef __cplusplus
}
#endif
#endif
