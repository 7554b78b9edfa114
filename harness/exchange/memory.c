/* The two shared memories of an exchange: made, sealed, filled, flushed, copied, compared. */
#define _GNU_SOURCE
#include "harness/exchange/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

#include "common/defence.h"
#include "common/noise.h"
#include "common/size.h"

#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif

#define LINE  64
#define CHUNK (64 * 1024)
static size_t pages(size_t bytes)
{
    size_t n = (hpc_add(bytes, HPC_PAGE - 1)) / HPC_PAGE;
    return (n ? n : 1) * HPC_PAGE;
}

/* Place n arrays one after another from `offset`; returns the end. */
static size_t place(const struct hpc_array *arrays, int n, bool device, size_t offset,
                    struct hpc_region *region)
{
    for (int k = 0; k < n; k++) {
        size_t bytes = hpc_mul(arrays[k].count, hpc_type_bytes(arrays[k].type));
        size_t span = device ? hpc_add(pages(bytes), 2 * HPC_PAGE) : pages(bytes);
        region[k] =
            (struct hpc_region){.offset = offset,
                                .span = span,
                                .bytes = bytes,
                                .type = arrays[k].type,
                                .owner = (uint32_t)arrays[k].owner,
                                .lead = device ? HPC_PAGE : (uint32_t)hpc_lead(bytes, span)};
        snprintf(region[k].name, sizeof region[k].name, "%.15s", arrays[k].name);
        offset = hpc_add(offset, region[k].span);
    }
    return offset;
}

/* A shared memory mapped here, its size sealed; -1 on failure. */
static int shared_memory(const char *name, size_t bytes, int seals, void **mapped)
{
    int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0)
        return -1;
    *mapped = MAP_FAILED;
    if (ftruncate(fd, (off_t)bytes) == 0)
        *mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    int all = 0;
    if (DEFENCE(seals))
        all = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL | seals;
    if (*mapped != MAP_FAILED && fcntl(fd, F_ADD_SEALS, all) == 0)
        return fd;
    int error = errno;
    if (*mapped != MAP_FAILED)
        munmap(*mapped, bytes);
    *mapped = NULL;
    close(fd);
    errno = error;
    return -1;
}

static char *own_copy(size_t bytes)
{
    void *p = NULL;
    return posix_memalign(&p, LINE, bytes ? bytes : 1) == 0 ? p : NULL;
}

/* Words [first, first + n) of a noise of common/noise.h; `around`: HPC_NOISE_AROUND, or 0. */
static void fill_noise(uint32_t *word, size_t first, size_t n, uint32_t key, uint32_t around)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t hash = (key + (uint32_t)(first + i)) * 2654435761u;
        word[i] = HPC_NOISE | around | ((hash >> 13) & HPC_NOISE_RANDOM);
    }
}

bool memory_create(struct exchange_memory *m, const struct hpc_layout *layout, bool device,
                   struct hpc_error *err)
{
    *m = (struct exchange_memory){.layout = *layout, .input_fd = -1, .control_fd = -1};
    hpc_random_init(&m->random, hpc_random_seed(), 0);
    HPC_ASSERT(sizeof *m->control <= HPC_PAGE && layout->ranks <= HPC_MAX_RANKS);
    const size_t bytes = place(layout->in, layout->n_in, device, 0, m->in);
    m->input_bytes = bytes ? bytes : HPC_PAGE;
    const size_t pages_end = HPC_PAGE * (size_t)memory_pages(m);
    m->control_bytes = place(layout->out, layout->n_out, device, pages_end, m->out);
    void *input = NULL, *control = NULL;
    m->input_fd = shared_memory("hpc-inputs", m->input_bytes, F_SEAL_FUTURE_WRITE, &input);
    if (m->input_fd >= 0)
        m->control_fd = shared_memory("hpc-control", m->control_bytes, 0, &control);
    m->input = input, m->control = control;
    bool good = m->control_fd >= 0;
    if (!good)
        hpc_fail_env(err, "cannot make %zu KiB of sealed shared memory: %s",
                     (m->input_bytes + m->control_bytes) / 1024, strerror(errno));
    for (int k = 0; k < layout->n_in; k++)
        m->fixed |= (uint32_t)layout->in[k].fixed << k;
    for (int k = 0; good && k < layout->n_in; k++)
        good = (m->in_copy[k] = own_copy(m->in[k].bytes)) != NULL;
    for (int k = 0; good && k < layout->n_out; k++)
        good = (m->out_copy[k] = own_copy(m->out[k].bytes)) != NULL;
    for (int k = 0; good && device && k < layout->n_in; k++) /* for who reads too far */
        fill_noise((uint32_t *)(m->input + m->in[k].offset), 0, m->in[k].span / sizeof(uint32_t),
                   hpc_random_u32(&m->random), HPC_NOISE_AROUND);
    if (!good && m->control_fd >= 0)
        hpc_fail_env(err, "not enough memory for the arrays of a call");
    return good;
}

void memory_free(struct exchange_memory *m)
{
    for (int k = 0; k < HPC_MAX_ARRAYS; k++) {
        free(m->in_copy[k]);
        free(m->out_copy[k]);
    }
    if (m->input)
        munmap(m->input, m->input_bytes);
    if (m->control)
        munmap(m->control, m->control_bytes);
    if (m->input_fd >= 0)
        close(m->input_fd);
    if (m->control_fd >= 0)
        close(m->control_fd);
}

/* Where an array starts in a shared memory that is mapped at base. */
static char *array_start(const void *base, const struct hpc_region *r)
{
    return (char *)base + r->offset + r->lead;
}

#ifdef __x86_64__
__attribute__((target("clflushopt"))) static void flush_fast(const char *p, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += LINE)
        __builtin_ia32_clflushopt((void *)(p + i));
}

static void flush(const void *p, size_t bytes)
{
    unsigned a, b = 0, c, d;
    __builtin_ia32_mfence();
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_CLFLUSHOPT))
        flush_fast(p, bytes);
    else
        for (size_t i = 0; i < bytes; i += LINE)
            __builtin_ia32_clflush((const char *)p + i);
    __builtin_ia32_mfence();
}
#elif defined(__aarch64__)
static void flush(const void *p, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += LINE)
        __asm__ volatile("dc civac, %0" ::"r"((const char *)p + i) : "memory");
    __asm__ volatile("dsb sy" ::: "memory");
}
#else
static void flush(const void *p, size_t bytes)
{
    (void)p;
    (void)bytes;
}
#endif

static void publish_inputs(struct exchange_memory *m, bool fixed)
{
    for (int k = 0; k < m->layout.n_in; k++)
        if (m->layout.in[k].fixed == fixed)
            memcpy(array_start(m->input, &m->in[k]), m->in_copy[k], m->in[k].bytes);
}

const void *memory_shared_input(const struct exchange_memory *m, int k)
{
    return array_start(m->input, &m->in[k]);
}

void memory_publish_fixed(struct exchange_memory *m)
{
    publish_inputs(m, true);
}

#ifdef HPC_TEST_DEFENCES
/* Without the defence "reuse": the memory is not this runner's alone, and the output of the one
 * before lies in it. */
static struct {
    char *bytes;
    size_t n;
} left;

static void keep_output(const struct exchange_memory *m)
{
    left.n = m->out[0].bytes;
    left.bytes = hpc_realloc(left.bytes, left.n + 1);
    memcpy(left.bytes, m->out_copy[0], left.n);
}

static void leave_output(struct exchange_memory *m)
{
    if (DEFENCE(reuse))
        return;
    if (left.n == m->out[0].bytes)
        memcpy(array_start(m->control, &m->out[0]), left.bytes, left.n);
}
#endif

void memory_publish(struct exchange_memory *m)
{
    m->noise = hpc_random_u32(&m->random);
    publish_inputs(m, false);
    if (DEFENCE(poison))
        for (int k = 0; k < m->layout.n_out; k++)
            fill_noise((uint32_t *)((char *)m->control + m->out[k].offset), 0,
                       m->out[k].span / sizeof(uint32_t), m->noise + (uint32_t)k, 0);
#ifdef HPC_TEST_DEFENCES
    leave_output(m);
#endif
    if (DEFENCE(flush)) {
        flush(m->input, m->input_bytes);
        flush(m->control, m->control_bytes);
    }
}

void memory_snapshot(struct exchange_memory *m)
{
    for (int k = 0; k < m->layout.n_out; k++) {
        const struct hpc_region *region = &m->control->out[k]; /* which the runner can write to */
        if (DEFENCE(sizes))
            region = &m->out[k];
        const char *from = array_start(m->control, region);
        size_t bytes = m->out[k].bytes, chunks = (bytes + CHUNK - 1) / CHUNK;
        int *order = hpc_malloc(chunks * sizeof *order);
        hpc_random_permutation(&m->random, order, (int)chunks);
        for (size_t i = 0; i < chunks; i++) {
            size_t begin = (size_t)order[i] * CHUNK;
            memcpy(m->out_copy[k] + begin, from + begin,
                   bytes - begin < CHUNK ? bytes - begin : CHUNK);
        }
        free(order);
    }
#ifdef HPC_TEST_DEFENCES
    keep_output(m);
#endif
}

const char *memory_changed_output(const struct exchange_memory *m)
{
    for (int k = 0; k < m->layout.n_out; k++)
        if (memcmp(array_start(m->control, &m->out[k]), m->out_copy[k], m->out[k].bytes) != 0)
            return m->layout.out[k].name;
    return NULL;
}

const char *memory_changed_input(const struct exchange_memory *m)
{
    if (DEFENCE(compare_inputs))
        for (int k = 0; k < m->layout.n_in; k++)
            if (memcmp(array_start(m->input, &m->in[k]), m->in_copy[k], m->in[k].bytes) != 0)
                return m->layout.in[k].name;
    return NULL;
}

/* Whether bytes [begin, end) of an output's span, from the first whole word on, are its noise. */
static bool untouched(const struct exchange_memory *m, int k, size_t begin, size_t end)
{
    uint32_t noise[HPC_PAGE / sizeof(uint32_t)];
    const char *span = (const char *)m->control + m->out[k].offset;
    begin = (begin + sizeof *noise - 1) / sizeof *noise * sizeof *noise;
    for (size_t bytes; begin < end; begin += bytes) {
        bytes = end - begin < sizeof noise ? end - begin : sizeof noise;
        fill_noise(noise, begin / sizeof *noise, bytes / sizeof *noise, m->noise + (uint32_t)k, 0);
        if (memcmp(span + begin, noise, bytes) != 0)
            return false;
    }
    return true;
}

const char *memory_overrun(const struct exchange_memory *m)
{
    if (DEFENCE(guard) && DEFENCE(poison))
        for (int k = 0; k < m->layout.n_out; k++) {
            const struct hpc_region *r = &m->out[k];
            if (!untouched(m, k, 0, r->lead) || !untouched(m, k, r->lead + r->bytes, r->span))
                return m->layout.out[k].name;
        }
    return NULL;
}
