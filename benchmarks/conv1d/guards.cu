/* What a tile in shared memory saves that the first-level cache does not. tiled_halo asks for zeros
 * around its part of x once, when it loads it; constant compares an index with both ends of the
 * signal at each tap. constant_inner is constant with these comparisons made once a warp, and left
 * out where the warp's window lies inside the signal: whoever is faster then, is so by the tile. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 256, WARP = 32 };

__constant__ float c_mask[CONV1D_MAX_MASK];

__global__ void constant_inner_kernel(const float *x, float *y, int64_t n, int radius)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int64_t warp = i - threadIdx.x % WARP; /* its first output */
    if (i >= n)
        return;
    float sum = 0;
    if (warp >= radius && warp + WARP + radius <= n)
        for (int j = -radius; j <= radius; j++)
            sum += c_mask[j + radius] * x[i + j];
    else
        for (int j = -radius; j <= radius; j++)
            if (i + j >= 0 && i + j < n)
                sum += c_mask[j + radius] * x[i + j];
    y[i] = sum;
}

static contestant constant_inner(const signals *s)
{
    contestant c;
    const int64_t n = s->n;
    const int radius = (int)s->host_mask.size() / 2;
    CUDA(cudaMemcpyToSymbol(c_mask, s->host_mask.data(), s->host_mask.size() * sizeof(float)));
    c.name = "constant_inner";
    c.copy = c.peer = false;
    c.run = [=](const float *x, float *y) {
        constant_inner_kernel<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS>>>(x, y, n,
                                                                                    radius);
        return (int)cudaGetLastError();
    };
    c.close = []() {};
    return c;
}

static const char *const rivals[] = {"multi_block", "constant",        "tiled_halo", "tiled_cached",
                                     "register",    "register_record", "copy"};

static bool time_mask(const options &o, int64_t n, int taps, FILE *report, FILE *samples)
{
    signals s;
    std::vector<contestant> all;
    contestant c;
    bool bad = false;
    signals_open(&s, n, taps, 4);
    for (const char *name : rivals)
        if (open_variant(&c, find_variant(name), &s, strcmp(name, "copy") == 0 ? 0 : THREADS)) {
            c.copy = strcmp(name, "copy") == 0;
            all.push_back(c);
        }
    all.insert(all.begin() + 2, constant_inner(&s));
    time_cold(&all, &s, o);
    fprintf(report, "| %d |", taps);
    for (const contestant &k : all) {
        fprintf(report, " %s |", format_time(k.times.at("cold").median()).c_str());
        for (size_t round = 0; round < k.times.at("cold").seconds.size(); round++)
            fprintf(samples, "%lld,%d,%s,%zu,%g\n", (long long)n, taps, k.name.c_str(), round,
                    k.times.at("cold").seconds[round]);
        if (!(k.timed.most < 2e-5)) {
            fprintf(stderr, "WRONG: %s errs by %.2g of sum |w||x|\n", k.name.c_str(), k.timed.most);
            bad = true;
        }
    }
    fprintf(report, "\n");
    close_all(&all);
    signals_close(&s);
    return bad;
}

static FILE *open_result(const options &o, const char *suffix)
{
    const std::string path = result_path(o, suffix);
    FILE *f = fopen(path.c_str(), "w");
    if (!f) {
        fprintf(stderr, "conv1d: cannot write %s\n", path.c_str());
        exit(3);
    }
    return f;
}

int guards(const options &o)
{
    const int64_t n = 100000000;
    FILE *report = open_result(o, "-guards.md"), *samples = open_result(o, "-guards.csv");
    bool bad = false;
    fprintf(report,
            "# 1D convolution: comparisons at each tap, or once a warp\n\n%s  \nCommand: `%s`. Raw "
            "samples beside this file.\n\nn = %.0e, %d threads a block, kernel alone, nothing in "
            "the caches; medians of up to %d rounds of a call's share of a CUDA graph, contestants "
            "in random order. constant_inner: constant, with the comparisons of an index with the "
            "signal's ends once a warp in place of at each tap.\n\n| mask |",
            machine_line(o).c_str(), o.command.c_str(), (double)n, THREADS, o.rounds);
    fprintf(samples, "n,mask,contestant,round,seconds\n");
    for (const char *name : {"multi_block", "constant", "constant_inner", "tiled_halo",
                             "tiled_cached", "register", "register_record", "copy"})
        fprintf(report, " %s |", name);
    fprintf(report, "\n|---|---|---|---|---|---|---|---|---|\n");
    for (int taps : {3, 9, 17, 31, 33, 49, 127}) {
        bad |= time_mask(o, n, taps, report, samples);
        fflush(report);
        fflush(samples);
    }
    fprintf(report,
            "\nThe board afterwards (SM clock, memory clock, power, degrees, reasons that "
            "throttle): %s\n",
            board_line().c_str());
    return fclose(report) != 0 || fclose(samples) != 0 || bad;
}
