/* The running launch among those on other streams that may run still: which these are, and what its
 * accesses have in common with them. Launches run one at a time, so all of it is of one OS thread.
 */
#include "device/check/check.h"
#include "device/check/streams.h"

enum { MAX_NOTES = 64 };

static struct stream_op others[STREAM_OPS]; /* by stamp */
static int n_others;
static struct stream_hit notes[MAX_NOTES];
static int n_notes;
static struct dev_rows constants[2];

void check_stream_launch_begins(const struct dev_launch *launch)
{
    int n = 0;
    n_others = n_notes = 0;
    check_now.ordered_from = check_now.ordered_to = 0;
    constants[0].width = constants[1].width = 0;
    check_now.constant_bytes = 0; /* the first read of a constant comes to check_stream_constant */
    check_stream_lock();
    const struct stream_clock *c = check_clock_begin(launch->stream);
    const struct stream_op *ops = check_stream_ops(&n);
    for (int i = 0; i < n; i++)
        if (ops[i].first && !check_clock_has(c, &ops[i]))
            others[n_others++] = ops[i];
    check_stream_unlock();
    check_now.ordered_first = n_others > 0 ? others[0].first : check_now.launch_first;
}

const struct stream_op *check_stream_unordered(uint32_t stamp)
{
    int low = 0, high = n_others;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (others[middle].last < stamp)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < n_others && others[low].first <= stamp)
        return &others[low];
    check_now.ordered_from = low > 0 ? others[low - 1].last + 1 : 0;
    check_now.ordered_to = low < n_others ? others[low].first : check_now.launch_first;
    return NULL;
}

void check_stream_note(const struct cell *c, enum slot s, const struct access *a)
{
    const struct stream_op *o = check_stream_unordered(c->stamp[s]);
    for (int i = 0; i < n_notes; i++)
        if (notes[i].op == o)
            return;
    if (!o || n_notes == MAX_NOTES)
        return;
    notes[n_notes++] = (struct stream_hit){.op = o,
                                           .p = a->p,
                                           .write = check_writes(a->kind),
                                           .wrote = s == WRITER || c->who[s] & WHO_WROTE,
                                           .from = a->from,
                                           .past = check_place_whole(c->place[s])};
}

const struct stream_hit *check_stream_notes(int *n)
{
    *n = n_notes;
    return notes;
}

void check_stream_constant(uintptr_t base, size_t bytes)
{
    int i = constants[0].width && (uintptr_t)constants[0].p != base;
    constants[i] = (struct dev_rows){(const char *)base, bytes, bytes, 1, false};
}

const struct dev_rows *check_stream_constants(void)
{
    return constants;
}

void check_event_timed(const void *event, const void *from)
{
    const void *recorded;
    if (!check_in_callback() && !check_event_over(event, &recorded))
        check_stream_report_timed(from, recorded);
    check_event_waited(event); /* an answer says that it has come */
}
