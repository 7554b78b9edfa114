/* What a GPU asks of the arguments of a library's call: cuBLAS's and cuDNN's. */
#include <stdio.h>
#include <string.h>

#include "device/include/cuda_runtime_api.h"
#include "device/runtime/memory.h"
#include "device/runtime/mode.h"
#include "device/runtime/phase.h"
#include "device/runtime/runtime.h"

static size_t bytes_of(const struct dev_rows *r)
{
    return r->width && r->height ? (r->height - 1) * r->pitch + r->width : 0;
}

/* Whether it is the host's memory. */
static bool on_host(const struct dev_library_call *call, const struct dev_argument *a)
{
    return a->host && !call->numbers_on_device;
}

/* Whether it is the device's memory, and of no allocation. */
static bool freed(const char *p)
{
    return dev_arena && p >= dev_arena && p < dev_arena_end && dev_bytes_behind(p) == SIZE_MAX;
}

/* Whether argument a lies on its side and has room there; else one line that says what it is. */
static bool argument_fits(const struct dev_library_call *call, const struct dev_argument *a)
{
    char expected[120];
    const size_t bytes = bytes_of(&a->rows);
    const bool host = on_host(call, a);
    const char *side = host ? "host" : "device";
    if (bytes == 0 || (!host && dev_is_registered(a->rows.p)))
        return true;
    snprintf(expected, sizeof expected, "a %s pointer as %s", side, a->name);
    struct dev_site site = {"?", 0};
    MODE_CHECK(site = check_site_of(call->from));
    const cudaError_t error = dev_api_pointer(call->name, a->rows.p, !host, bytes, expected, site);
    if (!error)
        return true;
    if (!host && freed((const char *)a->rows.p))
        fprintf(stderr, "hpclab: %s: %s is memory that was freed\n", call->name, a->name);
    else if (a->rows.p && dev_bytes_behind(a->rows.p) < bytes)
        fprintf(stderr, "hpclab: %s: %s has %zu bytes in memory, the call needs %zu\n", call->name,
                a->name, dev_bytes_behind(a->rows.p), bytes);
    else
        fprintf(stderr, "hpclab: %s: %s is %s, expected a %s pointer\n", call->name, a->name,
                !a->rows.p ? "NULL"
                : host     ? "a device pointer"
                           : "a host pointer",
                side);
    return false;
}

#ifdef DEV_CHECK
/* The host's float of that name, NULL where the call has none. */
static const void *factor(const struct dev_library_call *call, const struct dev_argument *all,
                          int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (on_host(call, &all[i]) && strcmp(all[i].name, name) == 0 &&
            all[i].rows.width == sizeof(float))
            return all[i].rows.p;
    return NULL;
}

/* Whether a product counts, or what it is added to. */
static void tell_factor(const struct dev_library_call *call, const struct dev_argument *all, int n)
{
    const void *alpha = factor(call, all, n, "alpha"), *beta = factor(call, all, n, "beta");
    if (alpha && (strstr(call->name, "gemm") || strstr(call->name, "Convolution")))
        check_factor(call->name, alpha, beta, call->from);
}

/* The operation in its stream's order: its last output beside each array that it reads, other
 * outputs, as a workspace, alone. */
static void tell_checker(const struct dev_library_call *call, const struct dev_argument *all, int n)
{
    const struct dev_rows *wrote = NULL;
    int told = 0;
    struct dev_copy copy = {.call = call->name,
                            .site = check_site_of(call->from),
                            .stream = dev_stream_number(call->stream)};
    for (int i = 0; i < n; i++)
        if (!on_host(call, &all[i]) && all[i].rows.write)
            wrote = &all[i].rows;
    for (int i = 0; i < n; i++) {
        const bool alone = all[i].rows.write;
        if (on_host(call, &all[i]) || &all[i].rows == wrote)
            continue;
        copy.rows[0] = all[i].rows;
        copy.rows[1] = wrote && !alone ? *wrote : (struct dev_rows){.p = NULL};
        if (bytes_of(&copy.rows[0]) > 0)
            check_stream_copy(&copy);
        told += !alone;
    }
    if (wrote && !told) {
        copy.rows[0] = *wrote;
        copy.rows[1] = (struct dev_rows){.p = NULL};
        check_stream_copy(&copy);
    }
}
#endif

bool dev_library_fits(const struct dev_library_call *call, const struct dev_argument *all, int n)
{
    for (int i = 0; i < n; i++)
        if (!argument_fits(call, &all[i])) {
            dev_error(cudaErrorIllegalAddress);
            return false;
        }
    return true;
}

bool dev_library_takes(const struct dev_library_call *call, const struct dev_argument *all, int n)
{
    bool waits = false;
    if (!dev_library_fits(call, all, n))
        return false;
    for (int i = 0; i < n; i++)
        waits |= on_host(call, &all[i]) && all[i].rows.write;
    if (!dev_stream_valid(call->stream)) {
        fprintf(stderr, "hpclab: %s: the handle's stream was destroyed\n", call->name);
        return false;
    }
    dev_phase_library(call->name, dev_stream_number(call->stream) == 0, call->from);
    if (waits)
        dev_phase_waits(call->name, call->from);
    MODE_CHECK(tell_factor(call, all, n));
    for (int i = 0; i < n; i++)
        MODE_CHECK(on_host(call, &all[i]) ? (void)0 : check_library_reads(call, &all[i]));
    MODE_CHECK(tell_checker(call, all, n));
    MODE_CHECK(waits ? check_stream_waited(dev_stream_number(call->stream)) : (void)0);
    return true;
}
