/* The variants of conv1d/ for the processor, in this process: right on odd shapes with 1 to 3
 * threads, twice the same, nothing read or written beside their arrays, their inputs as they were.
 * Those in CUDA: tests/cli/conv1d.sh. */
#include "tests/unit/conv1d_case.h"

#include <sys/mman.h>
#include <unistd.h>

#include "harness/machine/machine.h"

extern const struct hpc_variant hpc_variant_cpu, hpc_variant_cpu_simd;
static const struct hpc_variant *const variants[] = {&hpc_variant_cpu, &hpc_variant_cpu_simd};
enum { VARIANTS = sizeof variants / sizeof *variants };

/* Room for bytes that ends at most 63 bytes before a page without rights, as in a runner. */
struct guarded {
    char *pages;
    size_t span, bytes;
    float *array;
};

static struct guarded guarded_open(size_t bytes)
{
    struct guarded g = {.bytes = bytes, .span = (bytes + HPC_PAGE) / HPC_PAGE * HPC_PAGE};
    g.pages = mmap(NULL, g.span + 2 * HPC_PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(g.pages != MAP_FAILED);
    assert_int_equal(mprotect(g.pages + HPC_PAGE, g.span, PROT_READ | PROT_WRITE), 0);
    memset(g.pages + HPC_PAGE, 0xa5, g.span);
    g.array = (float *)(g.pages + HPC_PAGE + hpc_lead(bytes, g.span));
    return g;
}

/* Whether nothing was written between the array's end and the page's. */
static bool guarded_whole(const struct guarded *g)
{
    const unsigned char *first = (unsigned char *)g->pages + HPC_PAGE, *end = first + g->span;
    const unsigned char *array = (unsigned char *)g->array;
    for (const unsigned char *c = first; c < end; c++)
        if ((c < array || c >= array + g->bytes) && *c != 0xa5)
            return false;
    return true;
}

static void guarded_close(struct guarded *g)
{
    munmap(g->pages, g->span + 2 * HPC_PAGE);
}

static void try_variant(const struct hpc_variant *v, uint64_t n, int mask, int threads)
{
    struct conv1d_case c = {.p = {.n = n, .radius = mask / 2}};
    struct guarded x = guarded_open(n * 4), w = guarded_open((size_t)mask * 4);
    struct guarded y = guarded_open(n * 4);
    float *was = hpc_malloc(n * 4 + 1), *first = hpc_malloc(n * 4 + 1);
    void *state = NULL;
    c.x = x.array;
    c.w = w.array;
    c.y = y.array;
    conv1d_draw(&c, 3, 0);
    const void *fixed[HPC_MAX_ARRAYS] = {NULL, c.w};
    const struct hpc_env env = {threads, machine_here()->simd, fixed};
    assert_int_equal(v->open(&env, &c.p, &state), 0);
    for (uint64_t call = 0; call < 3; call++) {
        conv1d_draw(&c, 3, call % 2); /* 0, 1, and 0 again */
        memcpy(was, c.x, n * 4);
        assert_int_equal(v->run(state, (const void *[]){c.x, c.w}, (void *[]){c.y}), 0);
        conv1d_assert_right(&c);
        assert_memory_equal(was, c.x, n * 4);
        assert_true(guarded_whole(&y));
        if (call == 0)
            memcpy(first, c.y, n * 4);
    }
    if (memcmp(first, c.y, n * 4) != 0)
        fail_msg("%s, n %llu, mask %d: another result for the same inputs", v->name,
                 (unsigned long long)n, mask);
    v->close(state);
    free(was);
    free(first);
    guarded_close(&x);
    guarded_close(&w);
    guarded_close(&y);
}

static void every_variant_is_right(void **state)
{
    (void)state;
    static const struct {
        uint64_t n;
        int mask;
    } shapes[] = {{0, 1},      {0, 9},      {1, 1},     {1, 9},      {2, 16383},    {31, 3},
                  {127, 9},    {128, 9},    {129, 9},   {97, 101},   {1000, 31},    {4095, 127},
                  {4096, 127}, {4097, 127}, {20011, 5}, {777, 1023}, {2000, 16383}, {131101, 31}};
    for (int i = 0; i < VARIANTS; i++) {
        assert_int_equal(variants[i]->abi, HPC_ABI);
        assert_string_equal(variants[i]->op, "conv1d");
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
            for (int threads = 1; threads <= 3; threads++)
                try_variant(variants[i], shapes[s].n, shapes[s].mask, threads);
    }
}

/* Outputs written past the caches: a signal beyond any of them. */
static void long_signals_are_right(void **state)
{
    (void)state;
    try_variant(&hpc_variant_cpu_simd, ((uint64_t)1 << 25) + 77, 3, 2);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_variant_is_right),
        cmocka_unit_test(long_signals_are_right),
    };
    (void)argc;
    if (!getenv("OMP_WAIT_POLICY")) { /* read before main: three threads may share two cores */
        setenv("OMP_WAIT_POLICY", "passive", 1);
        execv("/proc/self/exe", argv);
        return 1;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
