/* Each fuzz_NAME.c holds one parser of untrusted bytes, called as libFuzzer wants it. main.c calls
 * it in libFuzzer's place, once for every file of the corpus. */
#ifndef HPC_TESTS_FUZZ_H
#define HPC_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A path under which the bytes can be read as a file, until the next call. */
const char *fuzz_file(const uint8_t *data, size_t size);

/* Of what a parser has accepted: abort unless it holds. */
#define FUZZ_HOLDS(condition)                                                                      \
    do                                                                                             \
        if (!(condition))                                                                          \
            __builtin_trap();                                                                      \
    while (0)

#endif
