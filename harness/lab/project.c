#include "harness/lab/project.h"

#include <stdlib.h>
#include <string.h>

bool project_catalogue(struct project *p, struct hpc_error *err)
{
    if (p->catalogue)
        return true;
    p->catalogue = hpc_calloc(1, sizeof *p->catalogue);
    if (catalogue_read(p->root, p->catalogue, err))
        return true;
    free(p->catalogue);
    p->catalogue = NULL;
    return false;
}

bool project_lab(struct project *p, const char *name, struct hpc_error *err)
{
    if (p->lab && *name && strcmp(p->lab->name, name) == 0)
        return true;
    if (!project_catalogue(p, err))
        return false;
    if (!p->lab)
        p->lab = hpc_calloc(1, sizeof *p->lab);
    bool good = lab_load(p->root, p->catalogue, name, p->lab, err);
    if (!good)
        p->lab->name[0] = '\0'; /* half a lab is none */
    return good;
}

bool project_select(struct project *p, const char *name, struct hpc_error *err)
{
    return selection_read(p->root, name, &p->selection, err) &&
           project_lab(p, p->selection.lab, err);
}

const struct variant *project_variant(const struct project *p, const char *name,
                                      struct hpc_error *err)
{
    HPC_ASSERT(p->catalogue);
    const struct variant *v = catalogue_find(p->catalogue, name);
    if (v && v->at_hand)
        return v;
    hpc_fail(err,
             "no variant '%.60s' here, expected one of ./hpclab list --variants (a students' "
             "release leaves solutions out)",
             name);
    return NULL;
}

void project_close(struct project *p)
{
    free(p->catalogue);
    free(p->lab);
    *p = (struct project){.root = p->root};
}
