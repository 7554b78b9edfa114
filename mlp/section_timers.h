/* Timers around the eight sections of serial's back_propagation, after [Dong], figures 8 to 12.
 * With -DMLP_SECTION_TIMERS, SECTION(s) charges the time since the last SECTION to section s
 * (s < 0 only starts the clock), and serial_sections() gives the sums; without, SECTION is nothing.
 * The variant that is timed defines MLP_SECTION_TIMERS_HERE before it includes this. One variant
 * in a program, called by one thread: the sums are static. */
#ifndef HPC_MLP_SECTION_TIMERS_H
#define HPC_MLP_SECTION_TIMERS_H

#define MLP_SECTIONS 8

/* Seconds of each section so far; defined by the variant that is timed. */
void serial_sections(double seconds[MLP_SECTIONS]);

#if defined MLP_SECTION_TIMERS && defined MLP_SECTION_TIMERS_HERE
#include <time.h>

static double section_seconds[MLP_SECTIONS];
static struct timespec section_mark;

static inline void section_end(int s)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (s >= 0)
        section_seconds[s] += (double)(now.tv_sec - section_mark.tv_sec) +
                              1e-9 * (double)(now.tv_nsec - section_mark.tv_nsec);
    section_mark = now;
}

void serial_sections(double seconds[MLP_SECTIONS])
{
    for (int s = 0; s < MLP_SECTIONS; s++)
        seconds[s] = section_seconds[s];
}
#define SECTION(s) section_end(s)
#else
#define SECTION(s) ((void)0)
#endif

#endif
