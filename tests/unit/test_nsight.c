/* Nsight Compute's reports: which launch a number belongs to, and what is said of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/error.h"
#include "harness/lines/internal.h"

#define HEAD                                                                                       \
    "==WARNING== Note: Running with unmodified GPU clocks.\n"                                      \
    "==PROF== Connected to process 7 (runner)\n"                                                   \
    "\"ID\",\"Kernel Name\",\"Block Size\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
#define ROW(id, name, metric, value)                                                               \
    "\"" id "\",\"" name "\",\"(256, 1, 1)\",\"" metric "\",\"\",\"" value "\"\n"

#define ALL(id, name, ns, arithmetic, memory, by_registers)                                        \
    ROW(id, name, "gpu__time_duration.sum", ns)                                                    \
    ROW(id, name, "sm__throughput.avg.pct_of_peak_sustained_elapsed", arithmetic)                  \
    ROW(id, name, "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", memory)      \
    ROW(id, name, "dram__throughput.avg.pct_of_peak_sustained_elapsed", "81.2")                    \
    ROW(id, name, "dram__bytes.sum", "217,420,032")                                                \
    ROW(id, name, "l1tex__t_sector_hit_rate.pct", "51.1")                                          \
    ROW(id, name, "lts__t_sector_hit_rate.pct", "52.4")                                            \
    ROW(id, name, "sm__warps_active.avg.pct_of_peak_sustained_active", "66.0")                     \
    ROW(id, name, "sm__maximum_warps_per_active_cycle_pct", "75")                                  \
    ROW(id, name, "launch__registers_per_thread", "40")                                            \
    ROW(id, name, "launch__occupancy_limit_registers", by_registers)                               \
    ROW(id, name, "launch__occupancy_limit_shared_mem", "32")                                      \
    ROW(id, name, "launch__occupancy_limit_warps", "8")

static char *said(const char *report, int launches)
{
    struct nsight_kernel kernel[NSIGHT_MOST];
    struct text t = {0};
    const int n = nsight_read(report, kernel, NSIGHT_MOST);
    assert_int_equal(n, launches);
    nsight_say(kernel, n, &t);
    char *text = hpc_strdup(text_string(&t));
    text_free(&t);
    return text;
}

static void holds(const char *text, const char *words)
{
    if (!strstr(text, words))
        fail_msg("\"%s\" is not in:\n%s", words, text);
}

static void two_launches_of_one_kernel(void **state)
{
    (void)state;
    char *text = said(HEAD ALL("0", "scan(const float *, int)", "1,000", "3.0", "20.0", "6")
                          ALL("1", "scan(const float *, int)", "56,010", "30.2", "81.0", "9"),
                      2);
    /* the longer one first, its own limit with it */
    char *second = strstr(text + 8, "  scan\n");
    assert_non_null(second);
    holds(second, "neither is busy");
    holds(second, "its registers are the limit");
    *second = '\0';
    holds(text, "arithmetic 30% of its peak, memory 81%: memory is what bounds it");
    holds(text, "56.0 us, 217.42 MB of device memory, 3882 GB/s, 81% of its peak");
    holds(text, "the L1 had 51% of what was asked for, the L2 52% of the rest");
    holds(text,
          "66% of the warps that a multiprocessor holds were there, 75% could be; 40 registers");
    assert_null(strstr(text, "limit"));
    free(text);
}

static void arithmetic_and_a_name_with_quotes(void **state)
{
    (void)state;
    char *text = said(HEAD ALL("0", "f<\"\"a, b\"\">(int)", "10", "90.0", "60.0", "8"), 1);
    holds(text, "  f<\"a, b\">\n");
    holds(text, "arithmetic is what bounds it");
    free(text);
}

static void few_metrics(void **state)
{
    (void)state;
    char *text = said(HEAD ROW("0", "f(int)", "gpu__time_duration.sum", "10"), 1);
    holds(text, "  f\n");
    assert_null(strstr(text, "-1"));
    free(text);
}

static void nothing_or_too_many(void **state)
{
    (void)state;
    struct nsight_kernel kernel[2];
    assert_int_equal(nsight_read("", kernel, 2), 0);
    assert_int_equal(nsight_read("==ERROR== ERR_NVGPUCTRPERM\n", kernel, 2), 0);
    assert_int_equal(nsight_read("\"0\",\"f\"\n\"1", kernel, 2), 0);
    assert_int_equal(nsight_read(HEAD "\"0\",\"f\n", kernel, 2), 0);
    const char *three = HEAD ROW("0", "f", "dram__bytes.sum", "1")
        ROW("1", "g", "dram__bytes.sum", "2") ROW("2", "h", "dram__bytes.sum", "3");
    assert_int_equal(nsight_read(three, kernel, 2), 2);
    assert_string_equal(kernel[1].name, "g");
    assert_true(kernel[1].value[NSIGHT_BYTES] == 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_launches_of_one_kernel),
        cmocka_unit_test(arithmetic_and_a_name_with_quotes),
        cmocka_unit_test(few_metrics),
        cmocka_unit_test(nothing_or_too_many),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
