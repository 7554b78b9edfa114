/* lab9's prediction: what a merge costs by the model of the handout (latency and bandwidth), on the
 * machine whose two numbers the student has measured, and on a network that the name draws.
 *
 * Which machine that was nobody knows here: the two numbers count where they are possible at all,
 * and what follows from them is marked against the model with these same numbers. */
#include <math.h>
#include <stdio.h>
#include <strings.h>

#include "harness/answers/marker.h"

#define RANKS     1024
#define TOLERANCE 0.05
/* On that share of the networks that are drawn the tree is sooner. */
#define TREE_SOONER 0.95
/* What links of this century do, shared memory included, on a busy machine too. */
#define LEAST_US  0.02
#define MOST_US   10000.0
#define LEAST_GBS 0.01
#define MOST_GBS  2000.0

struct link {
    double latency_us, bytes_per_us;
};

static struct link link_of(double latency_us, double gbs)
{
    return (struct link){latency_us, 1e3 * gbs};
}

/* 2 (R - 1) steps, each of a latency and an R-th of the bytes. */
static double ring_us(const struct link *l, int ranks, double bytes)
{
    return 2 * (ranks - 1) * (l->latency_us + bytes / ranks / l->bytes_per_us);
}

/* log2(R) exchanges of all bytes. */
static double tree_us(const struct link *l, int ranks, double bytes)
{
    return log2(ranks) * (l->latency_us + bytes / l->bytes_per_us);
}

struct predicted {
    double merge, samples; /* on the student's machine, two ranks */
    double ring, tree, efficiency;
};

/* Of a weight so many bytes. */
static struct predicted predict(const struct sheet *s, const struct link *own, double of_weight)
{
    const struct link drawn =
        link_of(sheet_drawn(s, "latency_us"), sheet_drawn(s, "bandwidth_gbs"));
    const double bytes = of_weight * sheet_drawn(s, "weights"),
                 sample = sheet_drawn(s, "sample_us");
    struct predicted p = {.merge = ring_us(own, 2, bytes),
                          .ring = ring_us(&drawn, RANKS, bytes),
                          .tree = tree_us(&drawn, RANKS, bytes)};
    const double epoch = sheet_drawn(s, "samples") * sample;
    p.samples = 2 * p.merge / sample;
    p.efficiency = epoch / (epoch + fmin(p.ring, p.tree));
    return p;
}

/* One of the two that are measured: anything that a link can do. */
static double measured(struct sheet *s, const char *key, double least, double most)
{
    double value;
    sheet_chance(s, key, 1); /* any two numbers would do */
    if (!sheet_number(s, key, &value))
        return 1;
    const bool possible = value >= least && value <= most;
    sheet_mark(s, key, possible, possible ? "" : "another unit?",
               "a number from %g to %g: yours is not looked at more closely", least, most);
    return value > 0 ? value : 1;
}

/* All that the model says is this prediction: what misread it. */
static void misread_model(struct sheet *s, const struct predicted *p, const char *words)
{
    sheet_misread(s, "merge_here_us", p->merge, words);
    sheet_misread(s, "samples_here", p->samples, words);
    sheet_misread(s, "ring_1024_us", p->ring, words);
    sheet_misread(s, "tree_1024_us", p->tree, words);
    sheet_misread(s, "efficiency_1024", p->efficiency, words);
}

/* What misreadings give. */
static void mark_misread(struct sheet *s, const struct link *own, const struct predicted *right)
{
    static const struct {
        double of_weight;
        const char *words;
    } known[] = {{1, "by a byte a weight: a double has 8"},
                 {4, "by 4 bytes a weight: a double has 8"},
                 {64, "by bits for bytes: a weight has 8 bytes, GB/s are bytes, too"}};
    const double us = sheet_drawn(s, "latency_us"), ring = right->ring, tree = right->tree;
    double merge;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const struct predicted p = predict(s, own, known[i].of_weight);
        misread_model(s, &p, known[i].words);
    }
    if (sheet_number(s, "merge_here_us", &merge) && fabs(merge / right->merge - 1) > TOLERANCE)
        sheet_misread(s, "samples_here", 2 * merge / sheet_drawn(s, "sample_us"),
                      "it follows from your merge_here_us");
    sheet_misread(s, "samples_here", right->merge / sheet_drawn(s, "sample_us"),
                  "half of what is right: two ranks save half an epoch, not a whole one");
    sheet_misread(s, "ring_1024_us", ring - 2 * (RANKS - 1) * us, "the latency is left out");
    sheet_misread(s, "tree_1024_us", tree - log2(RANKS) * us, "the latency is left out");
    sheet_misread(s, "tree_1024_us", log(RANKS) * tree / log2(RANKS),
                  "ln(1024) steps, the natural logarithm: ranks double in each step, log2(1024)");
    sheet_misread(s, "tree_1024_us", log10(RANKS) * tree / log2(RANKS),
                  "log10(1024) steps: ranks double in each step, log2(1024)");
    sheet_misread(s, "ring_1024_us", 2 * (RANKS - 1) * tree / log2(RANKS),
                  "by all weights in each step: a piece is one of 1024");
    sheet_misread(s, "tree_1024_us", RANKS * tree / log2(RANKS),
                  "by 1024 steps: there are log2(1024) of them");
}

/* Of a merge that latency decides one number serves all weights: how likely it does. */
static double merge_chance(const struct sheet *s, const struct link *own, double merge)
{
    const double bandwidth_us = 8 * sheet_drawn(s, "weights") / own->bytes_per_us;
    return fmin(1, 2 * TOLERANCE * merge / bandwidth_us);
}

static void mark(struct sheet *s, const struct marking *m)
{
    const double us = measured(s, "latency_us", LEAST_US, MOST_US);
    const double gbs = measured(s, "bandwidth_gbs", LEAST_GBS, MOST_GBS);
    const struct link own = link_of(us, gbs);
    const struct predicted p = predict(s, &own, 8);
    const char *sooner = p.ring < p.tree ? "ring" : "tree";
    (void)m;
    sheet_chance(s, "merge_here_us", merge_chance(s, &own, p.merge));
    sheet_chance(s, "sooner_1024", TREE_SOONER);
    sheet_count(s, "merge_here_us", p.merge, TOLERANCE, "with your two numbers");
    sheet_count(s, "samples_here", p.samples, TOLERANCE, "half an epoch is a merge then");
    sheet_count(s, "ring_1024_us", p.ring, TOLERANCE, "2 x 1023 steps");
    sheet_count(s, "tree_1024_us", p.tree, TOLERANCE, "10 steps");
    sheet_mark(s, "sooner_1024", strcasecmp(sheet_text(s, "sooner_1024"), sooner) == 0, "",
               "%s: %.0f us and %.0f us", sooner, p.ring, p.tree);
    sheet_count(s, "efficiency_1024", p.efficiency, TOLERANCE, "an epoch's share of all time");
    mark_misread(s, &own, &p);
}

/* A machine whose two numbers are the network's. */
static bool answer(struct sheet *s, const struct marking *m, FILE *f)
{
    const double us = sheet_drawn(s, "latency_us"), gbs = sheet_drawn(s, "bandwidth_gbs");
    const struct link own = link_of(us, gbs);
    const struct predicted p = predict(s, &own, 8);
    (void)m;
    fprintf(f,
            "latency_us = %g\nbandwidth_gbs = %g\nmerge_here_us = %.4f\nsamples_here = %.4f\n"
            "ring_1024_us = %.4f\ntree_1024_us = %.4f\nsooner_1024 = %s\nefficiency_1024 = %.6f\n",
            us, gbs, p.merge, p.samples, p.ring, p.tree, p.ring < p.tree ? "ring" : "tree",
            p.efficiency);
    return true;
}

const struct marker lab9_markers[] = {{"prediction", answer, mark}, {0}};
