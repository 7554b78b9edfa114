/* The runner: the untrusted process that holds one variant. It maps the two shared memories, calls
 * open(), then run() whenever the parent says so, then close(). It measures and decides nothing;
 * what passes between it and the parent stands in common/abi.h. Linked with device.cu, it
 * gives the variant device pointers.
 *
 * Started as `runner INPUT_FD CONTROL_FD`. Compiled apart from any variant, and linked with
 * -Wl,--wrap for the allocators (allocators.h). */
#define _GNU_SOURCE
#include "runner/allocators.h"
#include "runner/arrays.h"
#include "runner/device.h"
#include "runner/ranks.h"
#include "runner/stores.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define EXIT_LEAK    66 /* as exitcode= of the sanitizers' options */
#define SPINS        2000
#define SPINS_DEVICE 1000000 /* some ms, so that a step begins with no wake-up */

static struct hpc_control *control;
static bool on_device; /* the variant gets device pointers */

/* Under a sanitizer: prints what was not freed, returns non-zero if there is any. */
int __lsan_do_recoverable_leak_check(void) __attribute__((weak));

#ifdef __SANITIZE_THREAD__
/* Clang's OpenMP library, which runs under the thread sanitizer alone, notes itself in a file of
 * /dev/shm and ends the program where it can't. No jail without namespaces lets anybody write
 * there, so the note goes into memory of this process's own; who reads it later finds none, as
 * after an orderly end. Weak: a variant may have a function of this name. */
__attribute__((weak)) int shm_open(const char *name, int flags, mode_t mode)
{
    (void)mode;
    if (flags & O_CREAT)
        return memfd_create(name, MFD_CLOEXEC);
    errno = ENOENT;
    return -1;
}
#endif

static void die(const char *what)
{
    perror(what);
    _exit(EXIT_FAILURE);
}

static void say(uint32_t *word, uint32_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
    syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* Map the regions of n that this rank gets one after another, an inaccessible page before and
 * behind each, and set array[0], .. to where they start. */
static void map_regions(int fd, const struct hpc_region *region, uint32_t n, int protection,
                        uint32_t rank, void **array)
{
    size_t total = HPC_PAGE;
    for (uint32_t k = 0; k < n; k++)
        total += region[k].span + HPC_PAGE;
    char *p = mmap(NULL, total, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        die("runner: address space for the arrays");
    p += HPC_PAGE;
    for (uint32_t k = 0, own = 0; k < n; k++) {
        const struct hpc_region *r = &region[k];
        if (r->owner && r->owner != rank + 1)
            continue;
        if (mmap(p, r->span, protection, MAP_SHARED | MAP_FIXED, fd, (off_t)r->offset) ==
            MAP_FAILED)
            die("runner: mapping an array");
        array[own++] = p + r->lead;
        if (!&runner_device)
            lay_array(r, p + r->lead);
        p += r->span + HPC_PAGE;
    }
}

/* Sleep until `start` is no longer `last`; returns it. */
static uint32_t next_step(uint32_t *start, uint32_t last)
{
    const int spins = on_device ? SPINS_DEVICE : SPINS;
    uint32_t now = __atomic_load_n(start, __ATOMIC_ACQUIRE);
    for (int i = 0; now == last; i++) {
        if (i >= spins)
            syscall(SYS_futex, start, FUTEX_WAIT, last, NULL, NULL, 0);
        now = __atomic_load_n(start, __ATOMIC_ACQUIRE);
    }
    return now;
}

/* Tell the parent what failed; false. */
static bool failed(enum hpc_status status, int code)
{
    control->code = code;
    say(&control->status, status);
    return false;
}

/* One step of a call. */
static bool take_step(uint32_t step, void *state, const void *const in[], void *const out[])
{
    int code = 0, error = 0;
#ifdef HPC_TEST_DEFENCES
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
#endif
    if (step % HPC_STEPS == HPC_STEP_RUN) {
        __atomic_store_n(&noted.in_run, !on_device, __ATOMIC_RELAXED);
        code = hpc_variant.run(state, in, out);
        __atomic_store_n(&noted.in_run, false, __ATOMIC_RELAXED);
    }
#ifdef HPC_TEST_DEFENCES /* what a grader would believe that has no clock of its own */
    clock_gettime(CLOCK_MONOTONIC, &end);
    if (step % HPC_STEPS == HPC_STEP_RUN && !code)
        control->code =
            (int32_t)((end.tv_sec - begin.tv_sec) * 1000000000L + end.tv_nsec - begin.tv_nsec);
#endif
    if (code)
        return failed(HPC_STATUS_RUN, code);
    if (!on_device)
        return true;
    if (step % HPC_STEPS == HPC_STEP_IN)
        error = runner_device.bring();
    else if (step % HPC_STEPS == HPC_STEP_RUN)
        error = runner_device.wait();
    else
        error = runner_device.fetch();
    return error == 0 || failed(HPC_STATUS_DEVICE, error);
}

/* Steps until `quit`. False when one failed. */
static bool serve(void *state, const void *const in[], void *const out[])
{
    for (uint32_t step = 0;;) {
        step = next_step(&control->start, step);
        if (step == HPC_QUIT)
            return true;
        if (!take_step(step, state, in, out))
            return false;
        say(&control->done, step);
    }
}

/* From open() to close(); true when all went well. A function of its own, so that what `state`
 * points to is no longer in use, to a leak checker, when it returns. */
static bool __attribute__((noinline)) live(const struct hpc_control *own, const void *const fixed[],
                                           const void *const in[], void *const out[])
{
    const struct hpc_env env = {own->threads, own->simd, fixed};
    void *state = NULL;
    int code = hpc_variant.open(&env, own->problem, &state);
    if (!code && own->reopen) {
        hpc_variant.close(state);
        state = NULL;
        code = hpc_variant.open(&env, own->problem, &state);
    }
    if (code)
        return failed(HPC_STATUS_OPEN, code);
    say(&control->status, HPC_STATUS_READY);
    if (!serve(state, in, out))
        return false;
    hpc_variant.close(state);
    return true;
}

/* Overwrites the part of the stack that live() had, so that a leak checker, whose own frames come
 * to lie there, finds no pointer that was left behind. */
static void __attribute__((noinline, no_sanitize("address"))) wipe_stack(void)
{
    volatile char old[16384];
    for (size_t i = 0; i < sizeof old; i++)
        old[i] = 0;
}

/* And the vector registers, in which a copied struct stays, and the mask registers, in which a
 * compiler puts what the others have no room for: a leak checker reads them too. Nothing of ours is
 * in them where a function is called. */
static void __attribute__((noinline)) wipe_registers(void)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f"))
        __asm__ volatile(".irp r, 16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n"
                         "vpxorq %zmm\\r, %zmm\\r, %zmm\\r\n"
                         ".endr\n"
                         ".irp r, 0,1,2,3,4,5,6,7\n"
                         "kxorw %k\\r, %k\\r, %k\\r\n"
                         ".endr");
    if (__builtin_cpu_supports("avx"))
        __asm__ volatile("vzeroall");
    else
        __asm__ volatile(".irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
                         "pxor %xmm\\r, %xmm\\r\n"
                         ".endr");
#endif
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: runner INPUT_FD CONTROL_FD (started by hpclab)\n");
        return 2;
    }
    int input = atoi(argv[1]), output = atoi(argv[2]);
    const bool ranked = &runner_ranks != NULL;
    const uint32_t rank = ranked ? runner_ranks.begin(&input, &output) : 0;
    control = mmap(NULL, HPC_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, output,
                   (off_t)rank * HPC_PAGE); /* this rank's own */
    if (control == MAP_FAILED)
        die("runner: mapping the control page");
    noted.control = control;
    if (ranked)
        runner_ranks.note(&control->rank);
    static struct hpc_control own; /* a copy that no one else writes */
    memcpy(&own, control, sizeof own);
    if (own.abi != HPC_ABI || hpc_variant.abi != HPC_ABI || strcmp(hpc_variant.op, own.op) != 0) {
        say(&control->status, HPC_STATUS_ABI);
        return EXIT_FAILURE;
    }
    void *in[HPC_MAX_ARRAYS] = {NULL}, *out[HPC_MAX_ARRAYS] = {NULL};
    map_regions(input, own.in, own.n_in, PROT_READ, rank, in);
    map_regions(output, own.out, own.n_out, PROT_READ | PROT_WRITE, rank, out);
    close(input);
    close(output);

    const void *fixed[HPC_MAX_ARRAYS], *variant_in[HPC_MAX_ARRAYS];
    void *variant_out[HPC_MAX_ARRAYS];
    for (int k = 0; k < HPC_MAX_ARRAYS; k++) {
        variant_in[k] = in[k];
        variant_out[k] = out[k];
        fixed[k] = own.fixed >> k & 1 ? in[k] : NULL;
    }
    on_device = &runner_device != NULL;
    int error = on_device ? runner_device.open(&own, in, out, variant_in, variant_out) : 0;
    bool good =
        error ? failed(HPC_STATUS_DEVICE, error) : live(&own, fixed, variant_in, variant_out);
    if (good && on_device && (error = runner_device.close()) != 0)
        good = failed(HPC_STATUS_DEVICE, error);
    if (good && on_device) /* else there is much that nobody came to free */
        runner_device.finish();
    if (good && ranked)
        runner_ranks.end();
    if (good && runner_counts)
        runner_counts();
    if (good && runner_phases)
        runner_phases();
    wipe_stack();
    wipe_registers();
    if (good && __lsan_do_recoverable_leak_check && __lsan_do_recoverable_leak_check())
        _exit(EXIT_LEAK);
    if (good)
        say(&control->status, HPC_STATUS_FINISHED);
    fflush(stdout);
    _exit(good ? EXIT_SUCCESS : EXIT_FAILURE);
}
