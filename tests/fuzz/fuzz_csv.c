#include <math.h>
#include <string.h>

#include "common/csv.h"
#include "tests/fuzz/fuzz.h"

/* The first byte chooses the options. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hpc_error err = {.text = ""};
    struct csv csv;
    if (size == 0)
        return 0;
    const struct csv_options options = {.header = data[0] % 3, .columns = data[0] / 3 % 4};
    const bool good = csv_read(fuzz_file(data + 1, size - 1), &options, &csv, &err);
    if (good) {
        FUZZ_HOLDS(csv.rows > 0 && csv.columns > 0);
        FUZZ_HOLDS(options.columns == 0 || options.columns == csv.columns);
        for (int i = 0; i < csv.rows * csv.columns; i++)
            FUZZ_HOLDS(isfinite(csv.value[i]));
    } else {
        FUZZ_HOLDS(err.text[0] && !strchr(err.text, '\n'));
    }
    csv_free(&csv);
    return 0;
}
