#include <string.h>

#include "harness/build/internal.h"
#include "harness/build/register.h"
#include "tests/fuzz/fuzz.h"

/* What a student's assembler text made: an ELF object of any kind. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char reason[400] = "";
    enum verdict verdict = VERDICT_PASS;
    if (size == 0)
        return 0;
    const char *path = fuzz_file(data + 1, size - 1);
    const char *symbols = data[0] & 1 ? "malloc free mem* -bad" : NULL;
    if (!object_allowed(path, symbols, data[0] & 2, &verdict, reason, sizeof reason))
        FUZZ_HOLDS(verdict != VERDICT_PASS && reason[0] && strlen(reason) < sizeof reason - 1);
    reason[0] = '\0';
    if (!registration_allowed(path, data[0] & 4 ? path : "/dev/null", reason, sizeof reason))
        FUZZ_HOLDS(reason[0] && strlen(reason) < sizeof reason - 1);
    return 0;
}
