/* What was handed in that has no file of the lab: another lab's, nothing at all. */
#define _GNU_SOURCE
#include "harness/handin/internal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/command.h"
#include "common/text.h"

#define MOST_LABS  64
#define MOST_ASKED 100 /* files of which it is asked whose they are */

/* The lab that hands out a file of that name; false: none. */
static bool lab_with(const char *root, const char *name, char lab[LAB_NAME])
{
    char names[MOST_LABS][LAB_NAME];
    const int n = lab_names(root, names, MOST_LABS);
    bool found = false;
    for (int i = 0; i < n && !found; i++) {
        char *starter = hpc_printf("%s/labs/%s/starter/%s", root, names[i], name);
        found = access(starter, F_OK) == 0;
        if (found)
            strcpy(lab, names[i]);
        free(starter);
    }
    return found;
}

void handin_see(const struct submission_wanted *w, const char *path)
{
    struct handin_seen *seen = w->seen;
    const char *name = handin_last_part(path);
    char lab[LAB_NAME];
    if (!seen || name[0] == '.' || strstr(path, "__MACOSX/"))
        return;
    const bool of_lab = !seen->lab[0] && seen->files < MOST_ASKED && lab_with(w->root, name, lab);
    if (of_lab)
        strcpy(seen->lab, lab);
    if (of_lab || (!seen->lab[0] && (seen->files == 0 || strcmp(path, seen->first) < 0)))
        text_fit(seen->first, sizeof seen->first, "%s", path);
    seen->files++;
}

bool handin_nothing(const struct submission_wanted *w, const char *shown, struct hpc_error *err)
{
    const struct handin_seen *seen = w->seen;
    struct text names = {0}, holds = {0};
    for (int k = 0; k < w->n; k++)
        text_list(&names, ", ", w->file[k]);
    text_add(&holds, seen->files ? "no file of %s" : "no file at all", w->lab);
    if (seen->files)
        text_add(&holds, " but %s%s%.100s", seen->lab, seen->lab[0] ? "'s " : "", seen->first);
    if (seen->files > 1)
        text_add(&holds, " and %d more", seen->files - 1);
    for (char *p = holds.s; *p; p++)
        if ((unsigned char)*p < 0x20 || (unsigned char)*p > 0x7e)
            *p = '?';
    hpc_fail(err, "%s: holds %s, expected some of %s", shown, holds.s, text_string(&names));
    text_free(&holds);
    text_free(&names);
    return false;
}
