#define _GNU_SOURCE
#include "harness/class/names.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "harness/handin/handin.h"

/* Before its mark stands whose it is, in Moodle's words and nobody else's. */
#define MOODLE      "_assignsubmission_"
#define MOODLE_FILE MOODLE "file"

static const struct {
    const char *system, *pattern;
} patterns[] = {
    {"Autolab", "{email}_{attempt}_{rest}"},
    {"Autolab", "{attempt}_{email}_{rest}"}, /* where the course's file name has a '_' */
    /* folders end in "file", those of older ones in "file_"; single files have their name there */
    {"Moodle", "{name}_{account}" MOODLE_FILE "{rest}"},
    /* of a course with groups: "Group A-Ada Lovelace", "Group-A-Ada Lovelace" */
    {"Moodle", "{group}-{name}_{account}" MOODLE_FILE "{rest}"},
    {"Canvas", "{squeezed}_LATE_{account}_{number}_{rest}"},
    {"Canvas", "{squeezed}_{account}_{number}_{rest}"},
    {"GitHub Classroom", "{lab}-{github}"},
    {"plain", "{id}"},
    {"plain", "{name}"},
    {"plain", "{id}-{attempt}"},
    {"plain", "{id}_{attempt}"},
    {"plain", "{id}_{rest}"},
};

const char *names_of_system(int i, const char **system)
{
    if (i < 0 || i >= (int)(sizeof patterns / sizeof *patterns))
        return NULL;
    *system = patterns[i].system;
    return patterns[i].pattern;
}

enum word {
    W_ID,
    W_NAME,
    W_EMAIL,
    W_GITHUB,
    W_SQUEEZED,
    W_NUMBER,
    W_ACCOUNT,
    W_ATTEMPT,
    W_LAB,
    W_GROUP,
    W_REST,
    WORDS
};
static const char *const words[WORDS] = {"id",       "name",   "email",   "github",
                                         "squeezed", "number", "account", "attempt",
                                         "lab",      "group",  "rest"};
static const enum roster_key kinds[] = {ROSTER_ID, ROSTER_NAME, ROSTER_EMAIL, ROSTER_GITHUB,
                                        ROSTER_SQUEEZED};

/* The word that begins at "{", its length with the braces in *length; WORDS: none. */
static enum word word_at(const char *pattern, size_t *length)
{
    *length = strcspn(pattern, "}") + 1;
    for (int w = 0; w < WORDS; w++)
        if (strlen(words[w]) + 2 == *length && !strncmp(pattern + 1, words[w], *length - 2))
            return (enum word)w;
    return WORDS;
}

bool names_pattern(const char *pattern, struct hpc_error *err)
{
    bool whose = false;
    size_t length;
    for (const char *p = pattern; (p = strchr(p, '{')) != NULL; p += length) {
        const enum word w = strchr(p, '}') ? word_at(p, &length) : WORDS;
        if (w == WORDS)
            return hpc_fail(err,
                            "--pattern %s: '%.20s', expected {id}, {name}, {email}, {github}, "
                            "{squeezed}, {number}, {account}, {attempt}, {lab}, {group} or {rest}",
                            pattern, p);
        whose |= w <= W_SQUEEZED;
    }
    return whose || hpc_fail(err,
                             "--pattern %s: says not whose it is, expected {id}, {name}, "
                             "{email}, {github} or {squeezed} in it",
                             pattern);
}

/* Whether n characters may stand for the word. */
static bool may_be(enum word w, const char *lab, const char *text, size_t n)
{
    if (w == W_REST)
        return true;
    if (w == W_GROUP) /* with a '_' it might be the begin of a file's name, which a student chose */
        return !memchr(text, '_', n);
    if (w == W_LAB)
        return n == strlen(lab) && strncasecmp(text, lab, n) == 0;
    if (n == 0 || n >= ROSTER_TEXT || (w == W_EMAIL && !memchr(text, '@', n)))
        return false;
    for (size_t i = 0; i < n; i++) {
        const unsigned char c = (unsigned char)text[i];
        const bool digit = isdigit(c), letter = isalpha(c) || (c & 0x80);
        if (((w == W_NUMBER || w == W_ACCOUNT || w == W_ATTEMPT) && !digit) ||
            (w == W_GITHUB && !digit && !letter && c != '-' && c != '_') ||
            (w == W_SQUEEZED && !digit && !letter) || c == '/')
            return false;
    }
    return true;
}

/* Whose it is; Canvas and GitHub Classroom name what a group handed in by the group. NULL: nobody.
 */
static struct roster_student *whose(const struct roster *r, const struct named *found)
{
    struct roster_student *s = roster_match(r, found->kind, found->key);
    const bool grouped = found->kind == ROSTER_SQUEEZED || found->kind == ROSTER_GITHUB;
    return s || !grouped ? s : roster_of_group(r, found->key);
}

/* With a roster, only what it knows: "jo_s_hw" is {id}_{rest} in two ways. */
static bool fit(const char *p, const char *lab, const char *text, const struct roster *r,
                struct named *found)
{
    for (; *p != '{'; p++, text++) {
        if (*p != *text)
            return false;
        if (!*p)
            return !r || whose(r, found);
    }
    size_t length;
    const enum word w = word_at(p, &length);
    const size_t most = strlen(text);
    for (size_t n = 0; n <= most; n++) {
        if (!may_be(w, lab, text, n))
            continue;
        if (w <= W_SQUEEZED) {
            found->kind = kinds[w];
            snprintf(found->key, sizeof found->key, "%.*s", (int)n, text);
        } else if (w == W_ACCOUNT)
            snprintf(found->account, sizeof found->account, "%.*s", (int)n, text);
        else if (w == W_ATTEMPT && n < 9)
            found->attempt = atoi(text);
        else if (w == W_REST)
            found->rest = p[length] ? 0 : n;
        if (fit(p + length, lab, text + n, r, found))
            return true;
    }
    return false;
}

bool names_fit(const char *pattern, const char *lab, const char *name, const struct roster *r,
               struct named *found)
{
    char stem[256];
    size_t n = strlen(name);
    if (n >= sizeof stem)
        return false;
    strcpy(stem, name);
    stem[n - handin_suffix(name)] = '\0';
    *found = (struct named){.late = strstr(pattern, "_LATE_") != NULL};
    return fit(pattern, lab, stem, r, found);
}

/* Canvas numbers the files of later attempts: "hw-2.zip" is the third. */
static void canvas_attempt(const char *name, struct named *found)
{
    const char *dash = strrchr(name, '-');
    if (!found->attempt && dash && isdigit((unsigned char)dash[1]) &&
        strspn(dash + 1, "0123456789") < 4)
        found->attempt = atoi(dash + 1) + 1;
}

bool names_beside(const char *name)
{
    const char *mark = strstr(name, MOODLE);
    return mark && strncmp(mark, MOODLE_FILE, strlen(MOODLE_FILE)) != 0;
}

struct roster_student *names_student(const struct roster *r, const char *own, const char *lab,
                                     const char *name, struct named *found)
{
    struct named last = {.system = "no pattern"};
    const char *system = "the course";
    for (int i = own ? -1 : 0;; i++) {
        const char *pattern = i < 0 ? own : names_of_system(i, &system);
        if (!pattern)
            break;
        struct named now;
        if (i >= 0 && strstr(name, MOODLE_FILE) && !strstr(pattern, MOODLE_FILE))
            continue;
        if ((r->made || !names_fit(pattern, lab, name, r, &now)) &&
            !names_fit(pattern, lab, name, NULL, &now))
            continue;
        now.system = system;
        if (!strcmp(system, "Canvas"))
            canvas_attempt(name, &now);
        last = now;
        struct roster_student *s = r->made ? roster_find(r, now.key) : whose(r, &now);
        if (s || r->made) {
            *found = now;
            return s;
        }
    }
    *found = last;
    return NULL;
}
