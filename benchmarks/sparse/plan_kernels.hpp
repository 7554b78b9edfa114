/* The kernels of conv_dense_split, which all have plans, as benchmarks/sparse/plans.cu wants them.
 */
#ifndef HPC_BENCHMARKS_PLAN_KERNELS_H
#define HPC_BENCHMARKS_PLAN_KERNELS_H

#include "conv2d/variants/box.h"
#include "conv2d/variants/dense_split.h"
#include "conv2d/variants/near.h"
#include "conv2d/variants/wide.h"

#include <stdio.h>
#include <string>

static const char split_plan_words[] = "mt,nt,wm,wn,wk,th,tw,split,chunk";

static inline std::string plan_text(const struct split_plan &s)
{
    char text[100];
    snprintf(text, sizeof text, "%d,%d,%d,%d,%d,%d,%d,%d,%d", s.mt, s.nt, s.wm, s.wn, s.wk, s.th,
             s.tw, s.split, s.chunk);
    return text;
}

template <int HALVES> struct split_bench : dense_split<HALVES> {
    enum { PLANS = SPLIT_PLANS };
    typedef struct split_plan plan_type;

    static bool plan_at(const struct conv2d_problem *p, const struct split_gpu *g, int at,
                        struct split_plan *s, double *cost)
    {
        const bool is = split_plan_at(p, g, at, s);
        *cost = is ? split_cost(p, s, g) : 0;
        return is;
    }

    void take(const struct conv2d_problem &p, const float *w)
    {
        struct split_weights weights = {};
        this->job.p = p;
        split_weights_make(&p, w, HALVES, &weights);
        this->held[0] = gpu_copy(weights.halves, weights.count * sizeof *weights.halves);
        this->held[1] = gpu_copy(weights.unit, weights.filters * sizeof *weights.unit);
        this->job.unit = (const float *)this->held[1];
        this->job.filters = weights.filters;
        bytes = weights.count * sizeof *weights.halves;
        split_weights_free(&weights);
    }

    void set(const struct split_plan &plan)
    {
        this->job.plan = plan;
        this->set_plan();
        this->shared_most = this->job.memory.all;
        this->prepare_any();
    }

    void *first() const
    {
        return this->held[0];
    }

    void weigh(const void *halves)
    {
        this->job.halves = (const uint4 *)halves;
    }

    size_t bytes;
};

template <int HALVES, bool FETCHED> struct near_bench : near<HALVES> {
    enum { PLANS = NEAR_PLANS };
    typedef struct split_plan plan_type;

    static bool plan_at(const struct conv2d_problem *p, const struct split_gpu *g, int at,
                        struct split_plan *s, double *cost)
    {
        const bool is = near_plan_at(p, g, at, s);
        *cost = is ? near_cost(p, s, g) : 0;
        return is;
    }

    void take(const struct conv2d_problem &p, const float *w)
    {
        this->job.p = p;
        this->job.fetched = FETCHED;
        this->clusters = true;
        this->open_weights(w);
        bytes = (size_t)split_up(p.k, 16) * split_up(p.c, 16) * p.r * p.s * 1024;
    }

    void set(const struct split_plan &plan)
    {
        this->job.plan = plan;
        this->set_plan();
        this->prepare(this->job.memory.all);
    }

    void *first() const
    {
        return this->held;
    }

    void weigh(const void *floats)
    {
        this->job.weights = (const uint4 *)floats;
    }

    size_t bytes;
};

static const char wide_plan_words[] = "columns,wn,th,tw,step,cluster,deep,xs,ws";

static inline std::string plan_text(const struct wide_plan &s)
{
    char text[100];
    snprintf(text, sizeof text, "%d,%d,%d,%d,%d,%d,%d,%d,%d", s.columns, s.wn, s.th, s.tw, s.step,
             s.cluster, s.deep, s.x_stages, s.w_stages);
    return text;
}

template <int HALVES> struct wide_bench : wide<HALVES> {
    enum { PLANS = WIDE_PLANS };
    typedef struct wide_plan plan_type;

    static bool plan_at(const struct conv2d_problem *p, const struct split_gpu *g, int at,
                        struct wide_plan *s, double *cost)
    {
        const struct wide_gpu gpu = {g->processors, g->shared_bytes, HALVES};
        const bool is = wide_plan_at(p, &gpu, at, s);
        *cost = is ? wide_cost(p, s, &gpu) : 0;
        return is;
    }

    /* The weights' order is that of all plans of a problem. */
    void take(const struct conv2d_problem &p, const float *w)
    {
        const struct split_gpu gpu = {132, SHARED, HALVES, true, false};
        struct wide_plan s = {};
        double cost = 0;
        for (int i = 0; i < PLANS && !plan_at(&p, &gpu, i, &s, &cost); i++)
            ;
        this->job.p = p;
        this->job.plan = s;
        this->held[0] = this->held[1] = NULL;
        this->open_weights(w);
        bytes = (size_t)wide_up(p.k, WIDE_FILTERS) * wide_groups(&p) * wide_tap_rows(&p) *
                wide_taps_each(&p) * WIDE_PIECE * HALVES;
    }

    void set(const struct wide_plan &plan)
    {
        this->job.plan = plan;
        this->set_plan(132, SHARED);
    }

    void *first() const
    {
        return this->held[0];
    }

    void weigh(const void *halves)
    {
        this->job.weights = (const char *)halves;
    }

    enum { SHARED = 227 * 1024 };
    size_t bytes;
};

static const char box_plan_words[] = "blocks,wk,th,tw,cluster,xs,ws";

static inline std::string plan_text(const struct box_plan &s)
{
    char text[100];
    snprintf(text, sizeof text, "%d,%d,%d,%d,%d,%d,%d", s.blocks, s.wk, s.th, s.tw, s.cluster,
             s.x_stages, s.w_stages);
    return text;
}

template <int HALVES> struct box_bench : box<HALVES> {
    enum { PLANS = BOX_PLANS };
    typedef struct box_plan plan_type;

    static bool plan_at(const struct conv2d_problem *p, const struct split_gpu *g, int at,
                        struct box_plan *s, double *cost)
    {
        const struct wide_gpu gpu = {g->processors, g->shared_bytes, HALVES};
        const bool is = box_plan_at(p, &gpu, at, s);
        *cost = is ? box_cost(p, s, &gpu) : 0;
        return is;
    }

    void take(const struct conv2d_problem &p, const float *w)
    {
        this->job.p = p;
        this->open_weights(w);
        bytes = box_weights_count(&p, HALVES) * 2;
    }

    void set(const struct box_plan &plan)
    {
        this->job.plan = plan;
        this->set_plan(227 * 1024);
    }

    void *first() const
    {
        return this->held[0];
    }

    void weigh(const void *halves)
    {
        this->job.weights = (const char *)halves;
    }

    size_t bytes;
};

#endif
