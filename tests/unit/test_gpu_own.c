/* Programs of ours for a GPU are built where nvcc is, a GPU or not: a probe that does not build
 * says of every GPU that it works, and a peak that does not, nothing. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/machine/device.h"
#include "harness/trial/internal.h"

static void built_well(const struct build_result *built)
{
    if (built->outcome.verdict != VERDICT_PASS)
        fail_msg("%s %s", built->outcome.reason, built->outcome.hint);
    assert_int_equal(access(built->output, X_OK), 0);
}

static const struct hpc_op *ready(char root[PATH_MAX])
{
    if (!device_nvcc())
        skip();
    assert_non_null(realpath(".", root));
    const struct hpc_op *op = hpc_op_find("conv1d");
    assert_non_null(op);
    return op;
}

static void probe(void **state)
{
    (void)state;
    char root[PATH_MAX];
    struct build_result built;
    build_probe(root, ready(root), &built);
    built_well(&built);
}

static void peaks(void **state)
{
    (void)state;
    char root[PATH_MAX];
    struct build_result built;
    const struct hpc_op *op = ready(root);
    char *cublas = hpc_printf("%.*s/../include/cublas_v2.h",
                              (int)(strrchr(device_nvcc(), '/') - device_nvcc()), device_nvcc());
    const int last = access(cublas, R_OK) == 0 ? TRIAL_PEAKS : TRIAL_TF32;
    free(cublas);
    for (int i = 0; i < last; i++) {
        build_peak(root, op, &trial_peaks[i], &built);
        built_well(&built);
        assert_true(trial_peaks[i].work > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(probe), cmocka_unit_test(peaks)};
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
