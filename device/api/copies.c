/* Copies and fills: between the host and the device, in rows, to and from symbols. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/include/cuda_runtime_api.h"
#include "device/runtime/runtime.h"
#include "device/runtime/guards.h"
#include "device/runtime/memory.h"
#include "device/runtime/mode.h"
#include "device/runtime/phase.h"
#include "device/runtime/symbols.h"

enum side { SIDE_HOST, SIDE_DEVICE, SIDE_BOTH, SIDE_SYMBOL };

/* Where a pointer belongs; *left: bytes from it to the end of its allocation, none where the device
 * has none there, SIZE_MAX on the host.
 * SIDE_SYMBOL: the address that a variable of the device has on the host. */
static enum side side_of(const void *p, size_t *left)
{
    struct allocation a;
    const struct dev_symbol *s = dev_symbol_of(p);
    *left = SIZE_MAX;
    if (s) {
        *left = (size_t)(s->base + s->bytes - (const char *)p);
        return s->kind == DEV_MANAGED   ? SIDE_BOTH
               : dev_symbol_is_hosts(s) ? SIDE_SYMBOL
                                        : SIDE_DEVICE;
    }
    if (dev_memory_find(p, &a)) {
        *left = a.bytes - (size_t)((const char *)p - dev_memory_base(&a));
        return a.kind == DEV_MANAGED ? SIDE_BOTH : SIDE_DEVICE;
    }
    if (!dev_arena || (const char *)p < dev_arena || (const char *)p >= dev_arena_end)
        return SIDE_HOST;
    *left = 0;
    return SIDE_DEVICE;
}

cudaError_t dev_api_pointer(const char *call, const void *p, bool device, size_t bytes,
                            const char *expected, struct dev_site site)
{
    size_t left;
    enum side side = side_of(p, &left);
    if (side == SIDE_SYMBOL && strstr(call, "Symbol")) /* cudaMemcpyToSymbol found it by name */
        side = SIDE_DEVICE;
    bool wrong_side = side == SIDE_SYMBOL || (side != SIDE_BOTH && device != (side == SIDE_DEVICE));
#ifdef DEV_CHECK
    const size_t most = !wrong_side && side == SIDE_HOST ? dev_host_bytes(p, bytes) : bytes;
    if (most < bytes) {
        check_past_host(call, p, bytes, most, site);
        return cudaErrorInvalidValue;
    }
    size_t there;
    /* a struct may begin with a pointer, of which a constant is seldom filled */
    if (!wrong_side && side == SIDE_HOST && strstr(call, "Symbol") &&
        dev_host_pointer_at(p, bytes) && side_of(*(void *const *)p, &there) == SIDE_HOST)
        check_bad_pointer(call, p, "the data: a pointer variable stands there", site);
#endif
    if (!wrong_side && bytes <= left)
        return cudaSuccess;
#ifdef DEV_CHECK
    if (side == SIDE_SYMBOL)
        check_symbol_address(call, dev_symbol_of(p)->name, site);
    else if (wrong_side)
        check_bad_pointer(call, p, expected, site);
    else
        check_overrun(call, p, bytes, site);
#endif
    (void)call, (void)expected, (void)site;
    return cudaErrorInvalidValue;
}

/* One side of a copy. */
static cudaError_t pointer_error(const char *call, const void *p, bool device, size_t bytes,
                                 struct dev_site site)
{
    return dev_api_pointer(call, p, device, bytes, device ? "a device pointer" : "a host pointer",
                           site);
}

static cudaError_t resolve_sides(const char *call, const void *to, const void *from,
                                 size_t to_bytes, size_t from_bytes, enum cudaMemcpyKind kind,
                                 bool *to_device, bool *from_device, struct dev_site site)
{
    size_t left;
    if ((unsigned)kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    if (!to || !from)
        return cudaErrorInvalidValue;
    if (kind == cudaMemcpyDefault) {
        *to_device = side_of(to, &left) != SIDE_HOST;
        *from_device = side_of(from, &left) != SIDE_HOST;
    } else {
        *to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
        *from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    }
    cudaError_t error = pointer_error(call, to, *to_device, to_bytes, site);
    return error ? error : pointer_error(call, from, *from_device, from_bytes, site);
}

/* The host's calls, in a kernel, would bring it data that the checker sees nobody load. */
static void of_host_alone(const char *call, struct dev_site site)
{
    if (dev_self)
        dev_refuse_at(site, "%s in a kernel (%s)", call, dev_self->launch->kernel);
}

/* Whether an array is one that a runner allocated, by its name (runner/device.cu). */
static bool is_runners(const void *p)
{
    struct allocation a;
    return dev_memory_find(p, &a) && a.line == 0;
}

static void move_row(char *to, const char *from, size_t bytes, bool to_device, bool from_device)
{
    memmove(to, from, bytes);
#ifdef DEV_CHECK
    if (to_device && from_device)
        check_copied(to, from, bytes);
    else if (to_device)
        check_written(to, bytes);
#endif
    (void)to_device;
    (void)from_device;
}

#ifdef DEV_CHECK
/* Whether the host goes on only when the copy is done (from NULL: the fill). A copy within the
 * device is not waited for, nor is a fill of its memory; to the host's pages, which the device
 * can't reach by itself, even an asynchronous one is. */
static bool is_waited(const char *call, const void *to, const void *from)
{
    size_t left;
    const enum side t = side_of(to, &left), f = from ? side_of(from, &left) : SIDE_DEVICE;
    if (strstr(call, "Async"))
        return t == SIDE_HOST;
    return t == SIDE_BOTH || t == SIDE_HOST || f == SIDE_BOTH || f == SIDE_HOST;
}

/* `within`: what is moved stays on the device. */
static void tell_checker(const char *call, cudaStream_t stream, struct dev_site site,
                         const struct dev_rows *to, const struct dev_rows *from, bool within)
{
    struct dev_copy copy = {.call = call,
                            .site = site,
                            .stream = dev_stream_number(stream),
                            .waited = is_waited(call, to->p, from ? from->p : NULL),
                            .rows = {*to}};
    if (from)
        copy.rows[1] = *from;
    check_stream_copy(&copy);
    if (within)
        check_moved(&copy);
}
#endif

cudaError_t dev_api_copy2d(const char *call, void *to, size_t to_pitch, const void *from,
                           size_t from_pitch, size_t width, size_t height, enum cudaMemcpyKind kind,
                           cudaStream_t stream, struct dev_site site)
{
    bool to_device = false, from_device = false;
    of_host_alone(call, site);
    if (dev_error_of_device())
        return dev_error(dev_error_of_device());
    if (!dev_stream_valid(stream))
        return dev_error(cudaErrorInvalidResourceHandle);
    if (width == 0 || height == 0)
        return cudaSuccess;
    if (height > 1 && (to_pitch < width || from_pitch < width))
        return dev_error(cudaErrorInvalidPitchValue);
    size_t rows = height - 1;
    if (height > SIZE_MAX / 4 / (to_pitch + from_pitch + width))
        return dev_error(cudaErrorInvalidValue);
    cudaError_t error =
        resolve_sides(call, to, from, rows * to_pitch + width, rows * from_pitch + width, kind,
                      &to_device, &from_device, site);
    if (error)
        return dev_error(error);
    dev_phase_copies(call, to_device, from_device, is_runners(to), site);
    MODE_CHECK(tell_checker(
        call, stream, site, &(struct dev_rows){to, to_pitch, width, height, true},
        &(struct dev_rows){from, from_pitch, width, height, false}, to_device && from_device));
    dev_wall_lift();
    for (size_t y = 0; y < height; y++)
        move_row((char *)to + y * to_pitch, (const char *)from + y * from_pitch, width, to_device,
                 from_device);
    dev_wall_drop();
    if (from_device && !to_device) {
        MODE_CHECK(check_copied_out(call, from, width, site));
        dev_schedule_copied(to, to_pitch, width, height, site);
    }
    return cudaSuccess;
}

cudaError_t dev_api_copy(const char *call, void *to, const void *from, size_t bytes,
                         enum cudaMemcpyKind kind, cudaStream_t stream, struct dev_site site)
{
    return dev_api_copy2d(call, to, bytes, from, bytes, bytes, 1, kind, stream, site);
}

cudaError_t dev_api_fill(const char *call, void *to, size_t pitch, int value, size_t width,
                         size_t height, cudaStream_t stream, struct dev_site site)
{
    of_host_alone(call, site);
    if (dev_error_of_device())
        return dev_error(dev_error_of_device());
    if (!dev_stream_valid(stream))
        return dev_error(cudaErrorInvalidResourceHandle);
    if (width == 0 || height == 0)
        return cudaSuccess;
    if (!to || (height > 1 && pitch < width) || height > SIZE_MAX / 4 / (pitch + width))
        return dev_error(cudaErrorInvalidValue);
    cudaError_t error = pointer_error(call, to, true, (height - 1) * pitch + width, site);
    if (error)
        return dev_error(error);
    dev_phase_fills(value, site);
    MODE_CHECK(tell_checker(call, stream, site, &(struct dev_rows){to, pitch, width, height, true},
                            NULL, true));
    dev_wall_lift();
    for (size_t y = 0; y < height; y++) {
        memset((char *)to + y * pitch, value, width);
        MODE_CHECK(check_written((char *)to + y * pitch, width));
    }
    dev_wall_drop();
    return cudaSuccess;
}

cudaError_t dev_api_symbol(const char *call, const void *symbol, size_t bytes, size_t offset,
                           void **address, struct dev_site site)
{
    (void)site;
    const struct dev_symbol *s = dev_symbol_of(symbol);
    if (!s || s->base != symbol || !address) {
        MODE_CHECK(check_bad_pointer(call, symbol, "a __device__ or __constant__ variable", site));
        (void)call;
        return dev_error(cudaErrorInvalidSymbol);
    }
    if (offset > s->bytes || bytes > s->bytes - offset) {
        MODE_CHECK(check_overrun(call, (const char *)symbol + offset, bytes, site));
        return dev_error(cudaErrorInvalidValue);
    }
    *address = (void *)symbol;
    if (strcmp(call, "cudaGetSymbolAddress") == 0)
        dev_symbol_asked(s);
    return cudaSuccess;
}

void dev_api_symbol_element(const char *call, const void *symbol, size_t element, size_t offset,
                            struct dev_site site)
{
    const struct dev_symbol *s = dev_symbol_of(symbol);
    if (s && s->base == symbol && offset < s->bytes)
        MODE_CHECK(check_within(call, symbol, element, offset, site));
    (void)call, (void)element, (void)site;
}

cudaError_t dev_api_symbol_size(size_t *bytes, const void *symbol)
{
    const struct dev_symbol *s = dev_symbol_of(symbol);
    if (!s || s->base != symbol || !bytes)
        return dev_error(cudaErrorInvalidSymbol);
    *bytes = s->bytes;
    return cudaSuccess;
}
