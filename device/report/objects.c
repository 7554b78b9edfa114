/* What a variant makes by a call and has to destroy by another: handles and descriptors of
 * libraries, streams, events. What is left at a runner's end is a leak; whole programs end with
 * their process.
 */
#include <pthread.h>
#include <stdlib.h>

#include "device/report/report.h"

struct object {
    const void *p, *from; /* where the call that made it returned to */
    const char *call;
    struct object *next;
};

static struct object *all;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void check_object_made(const void *p, const char *call, const void *from)
{
    struct object *o = malloc(sizeof *o);
    if (!o)
        return;
    pthread_mutex_lock(&lock);
    *o = (struct object){p, from, call, all};
    all = o;
    pthread_mutex_unlock(&lock);
}

void check_object_gone(const void *p)
{
    struct object *found = NULL;
    pthread_mutex_lock(&lock);
    for (struct object **o = &all; *o && !found; o = found ? o : &(*o)->next)
        if ((*o)->p == p) {
            found = *o;
            *o = found->next;
        }
    pthread_mutex_unlock(&lock);
    free(found);
}

void check_objects_left(void)
{
    for (const struct object *o = all; o; o = o->next) {
        if (check_report_seen("leak", o->from, NULL))
            continue;
        struct finding f = check_finding_here("leak", o->from);
        f.note = true;
        check_append(f.text, sizeof f.text, "leak: what %s made at %s:%d was never destroyed",
                     o->call, f.at.place.file, f.at.place.line);
        check_append(f.advice, sizeof f.advice,
                     "destroy in close() what open() creates, by the call that belongs to it");
        check_report_add(&f, o->from, NULL);
    }
}
