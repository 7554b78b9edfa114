#include "common/defence.h"

#ifdef HPC_TEST_DEFENCES

#include <stdlib.h>
#include <string.h>

bool defence_on(const char *name)
{
    const char *p = getenv("HPC_DEFENCE_OFF");
    size_t length = strlen(name);
    while (p && *p) {
        p += strspn(p, " ");
        size_t n = strcspn(p, " ");
        if (n == length && strncmp(p, name, n) == 0)
            return false;
        p += n;
    }
    return true;
}

#else

extern int hpc_defences_are_on; /* an empty file is not C */

#endif
