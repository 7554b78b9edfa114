/* What a runner died of, in words: MPI's refusals, by what MPI prints of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/exchange/internal.h"

static void assert_said_of(bool ranks, const char *output, enum verdict verdict, const char *words)
{
    const struct jail_end end = {.exited = true, .exit_status = 15};
    const struct jail_limits limits = {.wall_seconds = 10};
    const struct exchange_death d = {
        .end = &end, .limits = &limits, .phase = "run()", .output = output, .ranks = ranks};
    struct outcome o = {0};
    death_verdict(&d, &o);
    assert_int_equal(o.verdict, verdict);
    if (!strstr(o.reason, words))
        fail_msg("said \"%s\", expected \"%s\"", o.reason, words);
}

static void assert_said(const char *output, enum verdict verdict, const char *words)
{
    assert_said_of(false, output, verdict, words);
}

#define REFUSED(call, error)                                                                       \
    "[host:1] *** An error occurred in " call "\n[host:1] *** reported by process [1,0]\n"         \
    "[host:1] *** on communicator MPI_COMM_WORLD\n[host:1] *** MPI_ERR_" error                     \
    "\n[host:1] *** MPI_ERRORS_ARE_FATAL (processes in this communicator will now abort)\n"

static void what_mpi_refuses(void **state)
{
    (void)state;
    static const struct {
        const char *output, *words;
    } rows[] = {
        {REFUSED("MPI_Recv", "TRUNCATE: message truncated"),
         "MPI_Recv in run(): MPI_ERR_TRUNCATE: message truncated: more came than there is room"},
        {REFUSED("MPI_Allreduce", "BUFFER: invalid buffer pointer"),
         "MPI_Allreduce in run(): MPI_ERR_BUFFER: invalid buffer pointer: is it NULL, or memory"},
        {REFUSED("MPI_Send", "RANK: invalid rank"),
         "invalid rank: ranks go from 0 to their number"},
        {REFUSED("MPI_Send", "COUNT: invalid count argument"), "argument: a count is below 0"},
        {REFUSED("MPI_Send", "TAG: invalid tag"), "invalid tag: tags are not below 0"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_said(rows[i].output, VERDICT_CRASH, rows[i].words);
    assert_said(REFUSED("MPI_Send", "COMM: invalid communicator"), VERDICT_CRASH,
                "MPI_Send in run(): MPI_ERR_COMM: invalid communicator");
}

static void no_refusal(void **state)
{
    (void)state;
    assert_said("*** An error occurred in nothing that MPI says\n", VERDICT_CRASH,
                "ended in run() with exit status 15");
}

static void what_glibc_says_of_memory(void **state)
{
    (void)state;
    static const struct {
        const char *output, *words;
    } rows[] = {
        {"malloc(): corrupted top size\n",
         "ended in run(): something was written beyond the end of memory from malloc, or before "
         "it, which glibc "
         "sees at a later malloc or free (\"malloc(): corrupted top size\")"},
        {"x\nfree(): invalid next size (normal)\nmpirun noticed that process rank 3 ..\n",
         "malloc or free (\"free(): invalid next size (normal)\")"},
        {"Fatal glibc error: malloc assertion failure in sysmalloc: (old_top == initial_top)\n",
         "something was written beyond the end"},
        {"double free or corruption (out)\n", "something was written beyond the end"},
        {"The futex facility returned an unexpected error code.\n",
         "lies in memory that was freed"},
        {"free(): double free detected in tcache 2\n",
         "memory was given to free twice (\"free(): double"},
        {"munmap_chunk(): invalid pointer\n", "free was given what no malloc returned"},
        {"my_malloc(): failed\n", "exit status 15 (it last printed: my_malloc(): failed)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_said(rows[i].output, VERDICT_CRASH, rows[i].words);
    assert_said_of(true, rows[0].output, VERDICT_CRASH, "is a count of MPI's one of bytes");
    assert_said(rows[0].output, VERDICT_CRASH, "top size\")");
}

static void what_gcc_says_of_events(void **state)
{
    (void)state;
    assert_said("x\n\nlibgomp: omp_fulfill_event: 0x7f event is invalid or has already been "
                "fulfilled!\n",
                VERDICT_CRASH, "OpenMP's library took its task for ended (\"libgomp: omp_ful");
    assert_said("my libgomp: omp_fulfill_event: \n", VERDICT_CRASH, "it last printed: my libgomp");
}

static void what_the_device_says(void **state)
{
    (void)state;
    assert_said("x\nhpclab: cuBLAS: matrix B takes 108 numbers\n", VERDICT_CRASH,
                "the CPU device ended the process in run(): cuBLAS: matrix B takes 108 numbers");
    assert_said("hpclab: cuBLAS: matrix B\nmine\n", VERDICT_CRASH, "it last printed: mine");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_mpi_refuses), cmocka_unit_test(no_refusal),
        cmocka_unit_test(what_glibc_says_of_memory), cmocka_unit_test(what_gcc_says_of_events),
        cmocka_unit_test(what_the_device_says)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
