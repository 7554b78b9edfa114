/* How busy others keep the processors that this process may use. */
#ifndef HPC_HARNESS_MACHINE_BUSY_H
#define HPC_HARNESS_MACHINE_BUSY_H

#include <stdbool.h>

/* Seconds since some fixed point: of the clock, of all work on our processors (time stolen by a
 * hypervisor too), and of our own process with its ended children. */
struct busy {
    double wall, all, own;
};

/* False where the kernel does not tell. Resolution: 10 ms a processor. */
bool busy_read(struct busy *b);

/* Seconds that a process's first thread was ready to run and had no processor, so far; of process 0
 * the calling thread. Negative where the kernel does not tell. The wait of a thread that is ready
 * now is not in it yet. */
double busy_waited(int process);

/* Some stretches of time together: how long they were, and what others had of our processors. */
struct busy_total {
    double wall, others;
};
void busy_add(struct busy_total *total, const struct busy *from, const struct busy *to);

/* Processors that others kept busy on average; at least 0. */
double busy_others(const struct busy_total *total);

/* Short stretches hold few ticks: where these say that others had more than so many processors,
 * watch on, until it is so many seconds in all. */
void busy_watch(struct busy_total *total, double processors, double seconds);

#endif
