/* What the sanitizers' reports become: harness/exchange/sanitizer.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/exchange/internal.h"

static void told(const char *report, const char *want)
{
    char reason[600];
    assert_true(sanitizer_reason(report, reason, sizeof reason));
    assert_string_equal(reason, want);
}

/* A thread that uses its starter's variables, after that has returned. */
static void outlived(void **state)
{
    (void)state;
    told("==7==ERROR: AddressSanitizer: stack-use-after-return on address 0x7f01 at pc 0x55 bp 0x7 "
         "sp 0x7\n"
         "READ of size 8 at 0x7f01 thread T2\n"
         "    #0 0x55 in work labs/lab4/pthread.c:25\n\n",
         "freed too early: thread 2 reads at labs/lab4/pthread.c:25 what lay on the stack of a "
         "function that has returned, and nothing had that wait for the thread: pthread_join, "
         "before run() or close() returns");
    told("==7==ERROR: AddressSanitizer: stack-use-after-return on address 0x7f01 at pc 0x55\n"
         "WRITE of size 8 at 0x7f01 thread T0\n"
         "    #0 0x55 in run labs/lab1/flat.c:9\n\n",
         "stack-use-after-return at labs/lab1/flat.c:9");
}

static void freed_by_another(void **state)
{
    (void)state;
    told("WARNING: ThreadSanitizer: data race (pid=7)\n"
         "  Write of size 8 at 0x7b04 by main thread:\n"
         "    #0 free <null> (runner+0x1)\n"
         "    #1 run labs/lab4/pthread.c:60 (runner+0x2)\n\n"
         "  Previous read of size 8 at 0x7b04 by thread T1:\n"
         "    #0 work labs/lab4/pthread.c:25 (runner+0x3)\n\n",
         "freed too early: the main thread frees at labs/lab4/pthread.c:60 what thread 1 reads at "
         "labs/lab4/pthread.c:25, and nothing has it wait for that: pthread_join, before run() or "
         "close() returns");
}

static void overrun(void **state)
{
    (void)state;
    told("==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60 at pc 0x55 bp 0x7\n"
         "READ of size 4 at 0x60 thread T1\n"
         "    #0 0x55 in tile labs/lab2/blocked.c:31\n\n",
         "heap-buffer-overflow at labs/lab2/blocked.c:31");
}

/* A jump to nowhere: who passed the address. */
static void crash_of_an_argument(void **state)
{
    (void)state;
    told("==7==ERROR: AddressSanitizer: SEGV on unknown address 0x60 (pc 0x55 bp 0x7 sp 0x7 T0)\n"
         "==7==The signal is caused by a READ memory access.\n"
         "    #0 0x55 in add_terms labs/lab2/blocked.c:37\n"
         "    #1 0x56 in add_row labs/lab2/blocked.c:49\n"
         "    #2 0x57 in matmul_nn labs/lab2/blocked.c:62\n"
         "    #3 0x58 in forward ./mlp/minibatch_step.h:90\n"
         "    #4 0x59 in run labs/lab2/blocked.c:101\n\n"
         "    #5 0x5a in other labs/lab2/blocked.c:7\n",
         "SEGV at labs/lab2/blocked.c:37, called from labs/lab2/blocked.c:49, "
         "labs/lab2/blocked.c:62");
    told("==7==ERROR: AddressSanitizer: SEGV on unknown address 0x60 (pc 0x55 bp 0x7 sp 0x7 T0)\n"
         "    #0 0x55 in run labs/lab1/flat.c:9\n\n",
         "SEGV at labs/lab1/flat.c:9");
    told("==2==ERROR: ThreadSanitizer: SEGV on unknown address 0x0 (pc 0x55 bp 0x7 sp 0x7 T4)\n"
         "==2==The signal is caused by a READ memory access.\n"
         "==2==Hint: address points to the zero page.\n"
         "    #0 train labs/lab4/pthread.c:113 (runner-threads+0xa402)\n",
         "SEGV at labs/lab4/pthread.c:113: a pointer is NULL");
}

static void beside(void **state)
{
    (void)state;
    told(
        "==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60 at pc 0x55 bp 0x7\n"
        "WRITE of size 4 at 0x60 thread T0\n"
        "    #0 0x55 in matmul_nn labs/lab2/blocked.c:10\n\n"
        "0x60 is located 8 bytes after 12-byte region [0x50,0x5c)\n"
        "allocated by thread T0 here:\n"
        "    #0 0x7f in calloc (libasan.so.8+0x1)\n"
        "    #1 0x55 in minibatch_open mlp/minibatch_step.h:197\n\n",
        "heap-buffer-overflow at labs/lab2/blocked.c:10: it writes 4 bytes, 8 behind the end of 12 "
        "bytes allocated at mlp/minibatch_step.h:197: element 5, where the last one is 2");
    told("==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60 at pc 0x55 bp 0x7\n"
         "READ of size 8 at 0x60 thread T0\n"
         "    #0 0x55 in run labs/lab1/flat.c:10\n\n"
         "0x60 is located 8 bytes to the left of 40-byte region [0x68,0x90)\n"
         "allocated by thread T0 here:\n"
         "    #0 0x55 in flat_open labs/lab1/flat.c:7\n\n",
         "heap-buffer-overflow at labs/lab1/flat.c:10: it reads 8 bytes, 8 before the begin of 40 "
         "bytes allocated at labs/lab1/flat.c:7: element -1, where the first one is 0");
    told(
        "==7==ERROR: AddressSanitizer: stack-buffer-overflow on address 0x60 at pc 0x55 bp 0x7\n"
        "WRITE of size 8 at 0x60 thread T0\n"
        "    #0 0x55 in run labs/lab1/flat.c:10\n\n"
        "Address 0x60 is located in stack of thread T0 at offset 104 in frame\n"
        "  This frame has 2 object(s):\n"
        "    [32, 36) 'i' (line 4)\n"
        "    [48, 88) 'h' (line 5) <== Memory access at offset 104 overflows this variable\n",
        "stack-buffer-overflow at labs/lab1/flat.c:10: it writes h's element 7, where the last one "
        "is 4");
    told(
        "==7==ERROR: AddressSanitizer: global-buffer-overflow on address 0x60 at pc 0x55 bp 0x7\n"
        "READ of size 4 at 0x60 thread T0\n"
        "    #0 0x55 in run labs/lab1/flat.c:10\n\n"
        "0x60 is located 4 bytes after global variable 'panel' defined in 'flat.c:3:8' (0x50) of "
        "size 16\n",
        "global-buffer-overflow at labs/lab1/flat.c:10: it reads panel's element 5, where the last "
        "one is 3");
}

static void too_large_for_a_stack(void **state)
{
    (void)state;
    told("==7==ERROR: AddressSanitizer: stack-overflow on address 0x60 (pc 0x55 bp 0x7 sp 0x7 T0)\n"
         "    #0 0x55 in matmul_nt labs/lab2/blocked.c:65\n\n",
         "stack-overflow at labs/lab2/blocked.c:65: arrays and calls take more than a stack holds, "
         "8 MiB of most threads: large arrays are for malloc, in open()");
}

/* Beside an input, by the lines that the runner prints before: its name, and which element. */
static void beside_an_input(void **state)
{
    (void)state;
    told(HPC_LAID
         "x 0x7000 40 1\n" HPC_LAID "order 0x9fc0 64 3\n"
         "==7==ERROR: AddressSanitizer: use-after-poison on address 0xa000 at pc 0x55 bp 0x7\n"
         "READ of size 4 at 0xa000 thread T0\n"
         "    #0 0x54 in memcpy (libasan.so.8+0x1)\n"
         "    #1 0x55 in train labs/lab1/flat.c:10\n\n",
         "out of bounds at labs/lab1/flat.c:10: it reads order[16], behind the last element, "
         "order[15]");
    told(HPC_LAID
         "x 0x7000 40 1\n"
         "==7==ERROR: AddressSanitizer: use-after-poison on address 0x6fec at pc 0x55 bp 0x7\n"
         "WRITE of size 4 at 0x6fec thread T0\n"
         "    #0 0x55 in train labs/lab1/flat.c:10\n\n",
         "out of bounds at labs/lab1/flat.c:10: it writes x[-5], before the first element, x[0]");
    told(HPC_LAID "x 0x7000 40 1\n"
                  "==7==ERROR: AddressSanitizer: SEGV on unknown address 0x7008 (pc 0x55 bp 0x7)\n"
                  "==7==The signal is caused by a WRITE memory access.\n"
                  "    #0 0x55 in train labs/lab1/flat.c:10\n\n",
         "SEGV at labs/lab1/flat.c:10: it writes x[2], an input, where nothing can be written");
}

static void astride(void **state)
{
    (void)state;
    told("==7==ERROR: AddressSanitizer: unknown-crash on address 0x60 at pc 0x55 bp 0x7 sp 0x7\n"
         "READ of size 32 at 0x60 thread T0\n"
         "    #0 0x55 in matmul_nn labs/lab2/minibatch_simd.c:11\n\n",
         "out of bounds at labs/lab2/minibatch_simd.c:11: it reads 32 bytes there, a part of them "
         "outside of the array, as a vector does where less than one is left over");
}

/* A second join, at which the thread sanitizer itself ends: of gcc 12 and of 13. */
static void joined_again(void **state)
{
    (void)state;
    static const char words[] =
        "pthread_join at labs/lab4/pthread.c:50 of a thread that is joined already, or that is its "
        "own: each thread is joined once, by another one";
    told("ThreadSanitizer: CHECK failed: tsan_rtl_thread.cpp:315 \"((tid)) != (0)\" (0x0, 0x0)\n"
         "    #0 __tsan::ThreadJoin(__tsan::ThreadState*, unsigned long, int) <null> (runner+0x1)\n"
         "    #1 run labs/lab4/pthread.c:50 (runner+0x2)\n",
         words);
    told("ThreadSanitizer: CHECK failed: sanitizer_thread_registry.cpp:348 \"((t)) != (0)\"\n"
         "    #0 __sanitizer::ThreadRegistry::ConsumeThreadUserId(unsigned long) <null> (so+0x1)\n"
         "    #1 pthread_join <null> (so+0x2)\n"
         "    #2 run labs/lab4/pthread.c:50 (runner+0x2)\n",
         words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outlived),
        cmocka_unit_test(freed_by_another),
        cmocka_unit_test(overrun),
        cmocka_unit_test(crash_of_an_argument),
        cmocka_unit_test(beside),
        cmocka_unit_test(beside_an_input),
        cmocka_unit_test(too_large_for_a_stack),
        cmocka_unit_test(astride),
        cmocka_unit_test(joined_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
