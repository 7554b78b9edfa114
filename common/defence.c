#include "common/defence.h"

#ifdef HPC_TEST_DEFENCES

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
#define DEFENCE_NAME(name) #name,
#include "common/defences.def"
#undef DEFENCE_NAME
};

bool defence_on(enum defence defence)
{
    const char *p = getenv("HPC_DEFENCE_OFF");
    bool on = true;
    while (p && *(p += strspn(p, " "))) {
        size_t n = strcspn(p, " ");
        int i = 0;
        while (i < DEFENCE_COUNT && (strlen(names[i]) != n || strncmp(p, names[i], n) != 0))
            i++;
        if (i == DEFENCE_COUNT) {
            fprintf(stderr, "HPC_DEFENCE_OFF: %.*s, expected names of common/defences.def\n",
                    (int)n, p);
            abort();
        }
        on = on && i != (int)defence;
        p += n;
    }
    return on;
}

#else

extern int hpc_defences_are_on; /* an empty file is not C */

#endif
