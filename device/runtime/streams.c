/* Streams and events. A call or a launch has done its work when it returns, so a stream is only a
 * name, and an event a time. */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "device/include/cuda_runtime_api.h"
#include "device/runtime/mode.h"
#include "device/runtime/phase.h"
#include "device/runtime/runtime.h"

struct CUstream_st {
    unsigned flags;
    int priority;
    unsigned number;       /* check mode: the checker's */
    unsigned long long id; /* of no other stream */
    struct CUstream_st *next;
};

struct CUevent_st {
    unsigned flags;
    bool recorded;
    struct timespec at;
    void *check; /* check mode: the checker's */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long long last_id = 2; /* those of the default streams are below */
static struct CUstream_st *all;

bool dev_stream_valid(const void *stream)
{
    if (!stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread)
        return true;
    pthread_mutex_lock(&lock);
    const struct CUstream_st *s = all;
    while (s && s != stream)
        s = s->next;
    pthread_mutex_unlock(&lock);
    return s != NULL;
}

unsigned dev_stream_number(const void *stream)
{
    if (!stream || stream == cudaStreamLegacy)
        return 0;
    return stream == cudaStreamPerThread ? 1 : ((const struct CUstream_st *)stream)->number;
}

static cudaError_t valid(cudaStream_t stream)
{
    return dev_error(dev_stream_valid(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

static cudaError_t create(cudaStream_t *stream, unsigned flags, int priority, const void *from)
{
    struct CUstream_st *s = stream ? malloc(sizeof *s) : NULL;
    if (!s)
        return dev_error(cudaErrorInvalidValue);
    *s = (struct CUstream_st){.flags = flags, .priority = priority};
    MODE_CHECK(s->number = check_stream_made(!(flags & cudaStreamNonBlocking)));
    pthread_mutex_lock(&lock);
    s->id = ++last_id;
    s->next = all;
    all = s;
    pthread_mutex_unlock(&lock);
    *stream = s;
    dev_object_made(s, "cudaStreamCreate", from);
    return cudaSuccess;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority)
{
    return create(stream, flags, priority, __builtin_return_address(0));
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    return create(stream, flags, 0, __builtin_return_address(0));
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    return create(stream, cudaStreamDefault, 0, __builtin_return_address(0));
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    bool found = false;
    dev_object_gone(stream);
    pthread_mutex_lock(&lock);
    for (struct CUstream_st **s = &all; *s && !found; s = &(*s)->next)
        if (*s == stream) {
            *s = stream->next;
            found = true;
            break;
        }
    pthread_mutex_unlock(&lock);
    if (found) {
        MODE_CHECK(check_stream_destroyed(stream->number));
        free(stream);
    }
    return dev_error(found ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    cudaError_t error = valid(stream);
    if (error)
        return error;
    MODE_CHECK(check_stream_waited(dev_stream_number(stream)));
    return dev_error(dev_error_of_device());
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    dev_phase_waits("cudaStreamSynchronize", __builtin_return_address(0));
    return cudaStreamQuery(stream);
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags)
{
    if (!flags || valid(stream) != cudaSuccess)
        return dev_error(cudaErrorInvalidValue);
    *flags = (uintptr_t)stream > 2 ? stream->flags : 0;
    return cudaSuccess;
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id)
{
    if (!id || valid(stream) != cudaSuccess)
        return dev_error(cudaErrorInvalidValue);
    *id = (uintptr_t)stream > 2 ? stream->id : (uintptr_t)stream + !stream;
    return cudaSuccess;
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority)
{
    if (!priority || valid(stream) != cudaSuccess)
        return dev_error(cudaErrorInvalidValue);
    *priority = (uintptr_t)stream > 2 ? stream->priority : 0;
    return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    (void)flags;
    if (!event || !dev_stream_valid(stream))
        return dev_error(cudaErrorInvalidResourceHandle);
    MODE_CHECK(check_event_awaited(event->check, dev_stream_number(stream)));
    return cudaSuccess;
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                  unsigned flags)
{
    (void)flags;
    cudaError_t error = valid(stream);
    const unsigned number = error ? 0 : dev_stream_number(stream); /* it may be destroyed then */
    if (!error && callback) {
        MODE_CHECK(check_callback(number, true));
        callback(stream, dev_error_of_device(), data);
        MODE_CHECK(check_callback(number, false));
    }
    (void)number;
    return error;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data)
{
    cudaError_t error = valid(stream);
    const unsigned number = error ? 0 : dev_stream_number(stream); /* it may be destroyed then */
    if (!error && function) {
        MODE_CHECK(check_callback(number, true));
        function(data);
        MODE_CHECK(check_callback(number, false));
    }
    (void)number;
    return error;
}

static cudaError_t create_event(cudaEvent_t *event, unsigned flags, const void *from)
{
    struct CUevent_st *e = event ? calloc(1, sizeof *e) : NULL;
    if (!e)
        return dev_error(cudaErrorInvalidValue);
    e->flags = flags;
    *event = e;
    dev_object_made(e, "cudaEventCreate", from);
    return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    return create_event(event, flags, __builtin_return_address(0));
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return create_event(event, cudaEventDefault, __builtin_return_address(0));
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    MODE_CHECK(event ? check_event_forgotten(event->check) : (void)0);
    dev_object_gone(event);
    free(event);
    return dev_error(event ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

static cudaError_t record(cudaEvent_t event, cudaStream_t stream, const void *from)
{
    (void)from;
    if (!event || !dev_stream_valid(stream))
        return dev_error(cudaErrorInvalidResourceHandle);
    clock_gettime(CLOCK_MONOTONIC, &event->at);
    event->recorded = true;
    MODE_CHECK(check_event_recorded(&event->check, dev_stream_number(stream), from));
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    return record(event, stream, __builtin_return_address(0));
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags)
{
    (void)flags;
    return record(event, stream, __builtin_return_address(0));
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    if (!event)
        return dev_error(cudaErrorInvalidResourceHandle);
    MODE_CHECK(check_event_waited(event->check));
    return dev_error(dev_error_of_device());
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    dev_phase_waits("cudaEventSynchronize", __builtin_return_address(0));
    return cudaEventQuery(event);
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end)
{
    if (!milliseconds)
        return dev_error(cudaErrorInvalidValue);
    if (!start || !end || !start->recorded || !end->recorded ||
        ((start->flags | end->flags) & cudaEventDisableTiming))
        return dev_error(cudaErrorInvalidResourceHandle);
    MODE_CHECK(check_event_timed(end->check, __builtin_return_address(0)));
    MODE_CHECK(check_event_timed(start->check, __builtin_return_address(0)));
    *milliseconds = (float)(1e3 * (double)(end->at.tv_sec - start->at.tv_sec) +
                            1e-6 * (double)(end->at.tv_nsec - start->at.tv_nsec));
    return cudaSuccess;
}
