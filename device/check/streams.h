/* Between the files about streams: clocks (stream_clock.c), the running launch (stream_launch.c),
 * bytes (stream_race.c) and words (stream_report.c). */
#ifndef HPC_DEVICE_CHECK_STREAMS_H
#define HPC_DEVICE_CHECK_STREAMS_H

#include "device/shadow/shadow.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { STREAMS = 62, STREAM_OPS = 512, DEFAULT_STREAM = 0 };

/* Of each stream the number of its operations that are known to come before. */
struct stream_clock {
    uint32_t at[STREAMS];
};

/* A launch, copy or fill that the host does not know to be done. */
struct stream_op {
    unsigned stream;
    uint32_t tick;        /* the stream's count of operations */
    uint32_t first, last; /* stamps of a launch; 0: no launch */
    const char *what;     /* its kernel, or the call */
    struct dev_site site;
    struct dev_rows rows[2]; /* of a copy: to, from; of a launch: constants that it read */
};

/* ---- clocks; all but the lock itself under the lock (stream_clock.c) ------------------------ */

void check_stream_lock(void);
void check_stream_unlock(void);
/* A new operation on a stream comes behind what the result says, itself included. */
struct stream_clock *check_clock_begin(unsigned stream);
/* The same for its last operation. */
struct stream_clock *check_clock_of(unsigned stream);
/* What the running thread of the host comes behind; in a callback, what its stream does. */
struct stream_clock *check_clock_here(void);
bool check_clock_has(const struct stream_clock *c, const struct stream_op *o);
/* From now on o counts as ordered before what has that clock. */
void check_clock_add(struct stream_clock *c, const struct stream_op *o);
/* The operations that the host does not know to be done, oldest first. */
const struct stream_op *check_stream_ops(int *n);
void check_stream_add(const struct stream_op *o);
/* The operations' rows forget [p, p + bytes). */
void check_stream_forget(uintptr_t p, size_t bytes);
/* Where the first event that is behind o was recorded; NULL: there is none. */
const void *check_stream_event(const struct stream_op *o);
bool check_stream_blocks(unsigned stream);
bool check_in_callback(void);
/* Whether the host knows that the event has come; *recorded: where it was. Takes the lock. */
bool check_event_over(const void *event, const void **recorded);

/* ---- the running launch (stream_launch.c) -------------------------------------------------- */

/* A launch on another stream that may run still, by one of its stamps; NULL: the stamp is of an
 * earlier launch that is ordered (and check_now.ordered_from and ordered_to are around it). */
const struct stream_op *check_stream_unordered(uint32_t stamp);

/* Two operations touch the same bytes, and nothing orders them. */
struct stream_hit {
    const struct stream_op *op; /* the earlier one; NULL: there is no hit */
    uintptr_t p;
    bool write, wrote;       /* the later one, the earlier one */
    const void *from, *past; /* in kernels: return addresses of the two accesses, or NULL */
};
/* The running thread's access races with slot s of cell c, which is of an earlier launch. */
void check_stream_note(const struct cell *c, enum slot s, const struct access *a);
const struct stream_hit *check_stream_notes(int *n);
const struct dev_rows *check_stream_constants(void); /* two, width 0: none */

/* ---- words (stream_report.c) ---------------------------------------------------------------- */

/* A race with `now`, and one with an access of the host's. */
void check_stream_report(const struct stream_op *now, const struct stream_hit *h);
void check_stream_report_host(const struct access *a, const struct stream_hit *h);
/* The host asks at `timed` for the time of an event that it has not waited for. */
void check_stream_report_timed(const void *timed, const void *recorded);

#ifdef __cplusplus
}
#endif
#endif
