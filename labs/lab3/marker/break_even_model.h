/* The arithmetic behind lab3's prediction: how a speed-up of two threads over one depends on how
 * far apart their processors are. */
#ifndef LAB3_BREAK_EVEN_MODEL_H
#define LAB3_BREAK_EVEN_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/trial/trial.h"

#define BREAK_EVEN_THREADS 2
#define BREAK_EVEN_FACTOR  2.0 /* a prediction is right within it, half right within its square */
#define BREAK_EVEN_CHANCE  0.5 /* that a number by lot from 1/20 to 2 has such a speed-up right */
#define BREAK_EVEN_RATIOS  5   /* a width */

enum { BREAK_EVEN_WIDTHS = 4 };
extern const int break_even_widths[BREAK_EVEN_WIDTHS];

/* What was measured at a width: the smallest, the middle and the largest of some ratios of flat's
 * time to openmp_inner's with two threads. Above 1 two threads win. */
struct break_even_ratio {
    double low, mid, high;
};

/* The ratio to expect where processors are `to` ns apart, after it was `ratio` where they were
 * `from` ns apart. Of openmp_inner's time half of flat's is work, the rest is waiting for cache
 * lines, which takes the longer the further they travel: 1 / (1/2 + (1/ratio - 1/2) to/from).
 * A ratio of 2 or more has no waiting in it and stays. */
double break_even_convert(double ratio, double from, double to);

/* The answer "wins from widths[answer] on, and at no smaller one", answer == n for never, against
 * what was measured at n widths: 1 where no ratio contradicts it, 0.5 where the answer next to it
 * is one like that, else 0. Ratios within 10% of 1 contradict nothing. */
double break_even_credit(const struct break_even_ratio *ratio, int n, int answer);

/* The factor by which an answer is outside of what was measured; 1 inside. */
double break_even_factor(const struct break_even_ratio *ratio, double answer);
/* The mark of a speed-up that is said for a distance of `said` ns: 1 within BREAK_EVEN_FACTOR, 0.5
 * within its square, of what was measured, converted to that distance, and of what was measured
 * `here`, the answer being converted: near 0 ns all ratios are 2, and far away all answers are one.
 */
double break_even_speedup(const struct break_even_ratio *at_said,
                          const struct break_even_ratio *at_here, double answer, double said,
                          double here);
/* Whether an answer is how many times as slow, where as fast is asked for: its inverse is right, on
 * the other side of 1. */
bool break_even_inverse(const struct break_even_ratio *ratio, double answer);
/* Whether all of n ratios are 1, as far as can be told: threads cost nothing and win nothing. */
bool break_even_flat(const struct break_even_ratio *ratio, int n);

/* One measurement: what of, and how it failed. */
struct break_even {
    struct trial *trial;    /* of openmp_inner */
    uint64_t seed;          /* of the next ratio's inputs */
    bool quick;             /* fewer ratios */
    struct outcome outcome; /* why it failed */
};

struct break_even_curve {
    int n;                                              /* ratios a width */
    double ns[BREAK_EVEN_WIDTHS][BREAK_EVEN_RATIOS];    /* the distance at each */
    double ratio[BREAK_EVEN_WIDTHS][BREAK_EVEN_RATIOS]; /* as measured */
    double flat[BREAK_EVEN_WIDTHS][BREAK_EVEN_RATIOS];  /* its seconds */
    struct break_even_ratio at[BREAK_EVEN_WIDTHS];      /* by break_even_at */
};

/* Fill ns and ratio; all widths in turn, so that what changes slowly meets them all. False with
 * s->outcome: a fault of the runner's, or VERDICT_NOISY where the processors' distance
 * does not keep still, or other programs have the processors. */
bool break_even_measure(struct break_even *s, struct break_even_curve *c);

/* Fill `at`: quartiles and median at each width, converted to `ns`. Where they are further apart
 * than what full marks allow: false, with VERDICT_NOISY, if flat's times or the distance changed
 * too; else it is openmp_inner's own doing, and the median counts alone. */
bool break_even_at(struct break_even *s, struct break_even_curve *c, double ns);

#endif
