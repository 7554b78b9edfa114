#include <string.h>

#include "harness/build/internal.h"
#include "harness/build/register.h"
#include "tests/fuzz/fuzz.h"

/* What a student's assembler text made: an ELF object of any kind. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct outcome o = {0};
    if (size == 0)
        return 0;
    const char *path = fuzz_file(data + 1, size - 1);
    const char *symbols = data[0] & 1 ? "malloc free mem* -bad" : NULL;
    const struct object_kind kind = {.cuda = data[0] & 2, .sanitized = data[0] & 4};
    if (!object_allowed(path, symbols, &kind, &o))
        FUZZ_HOLDS(o.verdict != VERDICT_PASS && o.reason[0] &&
                   strlen(o.reason) < sizeof o.reason - 1);
    const char *fatbin = (const char *)data;
    const size_t bytes = data[0] & 4 ? size : 0;
    if (registration_whole(fatbin, bytes))
        FUZZ_HOLDS(bytes >= 16);
    if (!registration_allowed(path, fatbin, bytes, &o))
        FUZZ_HOLDS(o.verdict == VERDICT_REJECTED && o.reason[0] &&
                   strlen(o.reason) < sizeof o.reason - 1);
    return 0;
}
