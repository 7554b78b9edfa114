#include <string.h>

#include "conv2d/featuremaps/npy.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hpc_error err = {.text = ""};
    struct npy array;
    if (npy_read(fuzz_file(data, size), &array, &err)) {
        volatile float last = 0;
        for (size_t i = 0; i < array.count; i++)
            last = array.value[i];
        (void)last;
        npy_free(&array);
    } else {
        FUZZ_HOLDS(err.text[0] && !strchr(err.text, '\n'));
    }
    return 0;
}
