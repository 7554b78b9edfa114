#include <stdlib.h>
#include <string.h>

#include "harness/record/record.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct record record;
    struct hpc_error err = {.text = ""};
    memset(&record, 0x55, sizeof record);
    if (!record_read(fuzz_file(data, size), &record, &err)) {
        FUZZ_HOLDS(err.text[0] && !strchr(err.text, '\n'));
        return 0;
    }
    const size_t most = sizeof record.tasks / sizeof *record.tasks;
    FUZZ_HOLDS(record.n_tasks >= 0 && (size_t)record.n_tasks <= most);
    for (int i = 0; i < record.n_tasks; i++) {
        const struct task_result *t = &record.tasks[i];
        FUZZ_HOLDS(memchr(t->name, 0, sizeof t->name) &&
                   memchr(t->outcome.reason, 0, sizeof t->outcome.reason));
        FUZZ_HOLDS(t->outcome.verdict >= 0 && t->outcome.verdict < VERDICT_COUNT);
        FUZZ_HOLDS(t->traffic.n >= 0 && t->traffic.n <= TRAFFIC_MAX_BOUNDS);
    }
    return 0;
}
