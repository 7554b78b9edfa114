/* The two kernels of conv_dense_split that have plans, as benchmarks/sparse/plans.cu wants them. */
#ifndef HPC_BENCHMARKS_PLAN_KERNELS_H
#define HPC_BENCHMARKS_PLAN_KERNELS_H

#include "conv2d/variants/dense_split.h"
#include "conv2d/variants/near.h"

template <int HALVES> struct split_bench : dense_split<HALVES> {
    enum { PLANS = SPLIT_PLANS };

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

template <int HALVES> struct near_bench : near<HALVES> {
    enum { PLANS = NEAR_PLANS };

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

#endif
