/* The kernel of ours that shows whether a GPU still works is built where nvcc is, a GPU or not: a
 * probe that does not build says of every GPU that it works. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/machine/device.h"
#include "harness/trial/internal.h"

static void builds(void **state)
{
    (void)state;
    char root[PATH_MAX];
    struct build_result built;
    const struct hpc_op *op = hpc_op_find("conv1d");
    assert_non_null(op);
    if (!device_nvcc())
        skip();
    assert_non_null(realpath(".", root));
    build_probe(root, op, &built);
    if (built.outcome.verdict != VERDICT_PASS)
        fail_msg("%s %s", built.outcome.reason, built.outcome.hint);
    assert_int_equal(access(built.output, X_OK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(builds)};
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
