#include <stdlib.h>
#include <string.h>

#include "harness/handin/internal.h"
#include "tests/fuzz/fuzz.h"

#define MOST 50

/* Listings of tar and, where the first byte is odd, of unzip. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct submission_member member[MOST];
    char reason[300] = "";
    if (size == 0)
        return 0;
    char *text = malloc(size);
    if (!text)
        return 0;
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    const int n = handin_read_listing(text, data[0] & 1, member, MOST, reason, sizeof reason);
    FUZZ_HOLDS(n <= MOST && (n >= 0 || reason[0]));
    for (int i = 0; i < n; i++) {
        const char *path = member[i].path;
        FUZZ_HOLDS(member[i].type == '-' || member[i].type == 'd');
        FUZZ_HOLDS(path[0] && path[0] != '/');
        FUZZ_HOLDS(strcmp(path, "..") != 0 && strncmp(path, "../", 3) != 0);
        FUZZ_HOLDS(!strstr(path, "/../"));
    }
    free(text);
    return 0;
}
