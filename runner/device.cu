/* Device buffers for a runner (runner/device.h), by CUDA's runtime API alone, so that the
 * file builds for the CPU device and by nvcc.
 *
 * A buffer mirrors an array's whole span in the shared memory: a page of guard words, the array, at
 * least a page of guard words. The parent writes those words and looks at them again after the
 * call. With HPC_EXACT (the CPU device's checker) a buffer holds the array alone, since the checker
 * knows each byte's owner, and outputs are allocated anew for each call: nobody wrote them.
 * While run() works the inputs that may not stay on the host (env->fixed) can't be read there.
 * With HPC_GPU (nvcc) the caches are filled with something else before each call, and nothing in
 * them is kept longer than the rest. */
#include <cuda_runtime.h>
#include <sys/mman.h>

#include "common/defence.h"
#include "runner/device.h"
#ifdef HPC_TEST_DEFENCES
#include "common/defence.c" /* a runner is made of few objects */
#endif

#ifndef HPC_EXACT
#define HPC_EXACT 0
#endif
#ifdef HPC_GPU
#define ON_GPU 1
#else
#define ON_GPU 0
extern "C" int dev_finish(void);
extern "C" void dev_in_run(int on);
extern "C" void dev_wall(int on);
extern "C" void dev_veil(int on);
extern "C" void dev_run_end(uint64_t part, uint64_t whole);
#endif

/* new and new[] of a variant's host code, by -Wl,--wrap (harness/build/nvcc.c): what they give is
 * filled as malloc's is. Behind the bytes: an alignment, std::nothrow, both, or nothing at all.
 * Weak: of a checker's runner they are the device's, which asks runner_given, too. */
#define WRAP_NEW(name)                                                                             \
    void *__real_##name(size_t bytes, size_t more, size_t last);                                   \
    __attribute__((weak)) void *__wrap_##name(size_t bytes, size_t more, size_t last)              \
    {                                                                                              \
        return runner_given(__real_##name(bytes, more, last), bytes, __builtin_return_address(0)); \
    }
extern "C" {
void *runner_given(void *p, size_t bytes, const void *from);
WRAP_NEW(_Znwm)
WRAP_NEW(_Znam)
WRAP_NEW(_ZnwmSt11align_val_t)
WRAP_NEW(_ZnamSt11align_val_t)
WRAP_NEW(_ZnwmRKSt9nothrow_t)
WRAP_NEW(_ZnamRKSt9nothrow_t)
WRAP_NEW(_ZnwmSt11align_val_tRKSt9nothrow_t)
WRAP_NEW(_ZnamSt11align_val_tRKSt9nothrow_t)
}
#undef WRAP_NEW

namespace
{

/* The CPU device calls an allocation by its caller's file and line: here by the array's name. */
#if ON_GPU
#define NAMED(name)
#else
#define NAMED(name) , name, 0
#endif

/* One array: its bytes at `host` (the span's or, with HPC_EXACT, the array's) and `base`. */
struct buffer {
    char *host, *base, *pages;
    size_t bytes, lead, page_bytes; /* of the copy; of the array in it; of its pages on the host */
    const char *name;
    bool fixed;
};

struct buffer ins[HPC_MAX_ARRAYS], outs[HPC_MAX_ARRAYS];
int n_in, n_out;
const void **device_in;
void **device_out;
char *scratch; /* more than the caches hold */
size_t scratch_bytes;
int device; /* a variant may have chosen another since */

cudaError_t allocate(struct buffer *b)
{
    return b->bytes ? cudaMalloc((void **)&b->base, b->bytes NAMED(b->name)) : cudaSuccess;
}

cudaError_t make(struct buffer *b, const struct hpc_region *r, void *host)
{
    b->name = r->name;
    b->lead = HPC_EXACT ? 0 : r->lead;
    b->bytes = HPC_EXACT ? r->bytes : r->span;
    b->host = (char *)host - b->lead;
    b->pages = (char *)host - r->lead;
    b->page_bytes = r->span;
    return allocate(b);
}

cudaError_t to_device(const struct buffer *b)
{
    return b->bytes ? cudaMemcpy(b->base, b->host, b->bytes, cudaMemcpyHostToDevice) : cudaSuccess;
}

/* Whether the host may read the inputs: all but the fixed ones only while they are brought, so that
 * no loop on the host does a kernel's work. */
cudaError_t show_inputs(bool shown)
{
    if (DEFENCE(unseen_inputs))
        for (int k = 0; k < n_in; k++)
            if (!ins[k].fixed &&
                mprotect(ins[k].pages, ins[k].page_bytes, shown ? PROT_READ : PROT_NONE) != 0)
                return cudaErrorUnknown;
    return cudaSuccess;
}

cudaError_t make_scratch(void)
{
    int cache = 0;
    if (!ON_GPU)
        return cudaSuccess;
    cudaError_t error = cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, 0);
    scratch_bytes = 2 * (size_t)cache;
    if (error == cudaSuccess && scratch_bytes)
        error = cudaMalloc((void **)&scratch, scratch_bytes);
    return error;
}

/* The array that has `ahead` elements of 4 bytes more in front, of which none is there. */
char *with_ahead(char *array, const struct hpc_control *control, bool has)
{
    const uintptr_t at = (uintptr_t)array;
    return has && array ? (char *)(at - (uintptr_t)(4 * control->ahead)) : array;
}

/* Of a launch the blocks that are left where only the last elements are there. */
void run_end_alone(const struct hpc_control *control)
{
#if !ON_GPU
    const uint64_t part = control->n_out ? control->out[0].bytes / 4 : 0;
    if (control->ahead)
        dev_run_end(part, part + control->ahead);
#else
    (void)control;
#endif
}

int device_open(const struct hpc_control *control, void *const host_in[], void *const host_out[],
                const void *in[], void *out[])
{
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = make_scratch();
    n_in = (int)control->n_in;
    n_out = (int)control->n_out;
    device_in = in;
    device_out = out;
    for (int k = 0; k < n_in && error == cudaSuccess; k++) {
        error = make(&ins[k], &control->in[k], host_in[k]);
        ins[k].fixed = control->fixed >> k & 1;
        if (error == cudaSuccess && ins[k].fixed)
            error = to_device(&ins[k]);
        in[k] = with_ahead(ins[k].base ? ins[k].base + ins[k].lead : NULL, control,
                           control->ahead_in >> k & 1);
    }
    for (int k = 0; k < n_out && error == cudaSuccess; k++) {
        error = make(&outs[k], &control->out[k], host_out[k]);
        out[k] = with_ahead(outs[k].base ? outs[k].base + outs[k].lead : NULL, control,
                            control->ahead_out >> k & 1);
    }
    run_end_alone(control);
    return error;
}

/* An output that nobody has written, as far as the checker knows. */
cudaError_t renew(struct buffer *b, void **array)
{
    cudaError_t error = cudaFree(b->base);
    b->base = NULL;
    if (error == cudaSuccess)
        error = allocate(b);
    *array = b->base;
    return error;
}

/* Wait until nothing runs on the device. The first error since the last time. */
cudaError_t wait_for_all(void)
{
    cudaError_t launch = cudaGetLastError(), error = cudaSetDevice(device);
    if (DEFENCE(device_sync) && error == cudaSuccess)
        error = cudaDeviceSynchronize();
    return error == cudaSuccess ? launch : error;
}

/* Something else into the caches. Lines that a variant had kept for itself are as all others again;
 * where a GPU has no such thing, that is no error of the variant's. */
cudaError_t fill_caches(void)
{
#if ON_GPU
    if (DEFENCE(persisting)) {
        cudaCtxResetPersistingL2Cache();
        cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0);
        cudaGetLastError();
    }
#endif
    if (DEFENCE(flush) && scratch)
        return cudaMemset(scratch, 1, scratch_bytes);
    return cudaSuccess;
}

/* The CPU device's checker looks at what run() does. */
void say_in_run(int on)
{
#if !ON_GPU
    if (DEFENCE(host_reach))
        dev_wall(on);
    if (DEFENCE(veil))
        dev_veil(on);
    dev_in_run(on);
#else
    (void)on;
#endif
}

int device_bring(void)
{
    cudaError_t error = cudaSetDevice(device), hidden = show_inputs(true);
    error = error == cudaSuccess ? hidden : error;
    for (int k = 0; k < n_in && error == cudaSuccess; k++)
        if (!ins[k].fixed)
            error = to_device(&ins[k]);
    hidden = show_inputs(false);
    error = error == cudaSuccess ? hidden : error;
    for (int k = 0; k < n_out && error == cudaSuccess; k++)
        error = HPC_EXACT ? renew(&outs[k], &device_out[k]) : to_device(&outs[k]);
    if (error == cudaSuccess)
        error = fill_caches();
    if (error == cudaSuccess)
        error = wait_for_all();
    say_in_run(1); /* which comes next */
    return error;
}

int device_wait(void)
{
    say_in_run(0);
    return wait_for_all();
}

int device_fetch(void)
{
    cudaError_t error = cudaSetDevice(device);
    for (int k = 0; k < n_out && error == cudaSuccess; k++)
        if (outs[k].bytes)
            error = cudaMemcpy(outs[k].host, outs[k].base, outs[k].bytes, cudaMemcpyDeviceToHost);
    return error;
}

int device_close(void)
{
    cudaError_t error = cudaFree(scratch);
    for (int k = 0; k < n_in && error == cudaSuccess; k++)
        error = cudaFree(ins[k].base);
    for (int k = 0; k < n_out && error == cudaSuccess; k++)
        error = cudaFree(outs[k].base);
    return error == cudaSuccess ? cudaDeviceSynchronize() : error;
}

void device_finish(void)
{
#if !ON_GPU
    dev_finish();
#endif
}

} // namespace

extern "C" {
extern const struct runner_device runner_device;
const struct runner_device runner_device = {device_open,  device_bring, device_wait,
                                            device_fetch, device_close, device_finish};
}
