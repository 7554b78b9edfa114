/* Data-parallel training of an MLP on the GPUs of one host, over NCCL: a table of what an
 * ncclAllReduce takes by its length, and one of efficiency beside what that time predicts.
 *
 *   gpus --check                     small problems against replicas on the processor
 *   gpus [--rounds N] [--csv FILE]   checks, times, prints the tables; ends with 1 where a result is
 *                                    wrong. benchmarks/ranks/run builds and runs it. */
#include "benchmarks/ranks/training.cuh"

static const double BOUND = 1e-11; /* sums of a layer in another order, over an epoch or three */

static int check_small(void)
{
    const struct {
        std::vector<int> layers;
        int samples, replicas, epochs;
    } cases[] = {{{5, 3, 2}, 23, 3, 3}, {{64, 32, 10}, 100, 4, 3}, {{300, 90, 40, 7}, 12, 2, 2},
                 {{7, 256, 1}, 9, 10, 2}};
    int wrong = 0;
    for (const auto &c : cases) {
        training t;
        training_open(&t, problem(c.layers, c.samples, c.replicas * n_gpus), n_gpus);
        const double off = difference(&t, c.epochs);
        printf("%s %d samples, %d replicas, GPUs: %d, epochs: %d, off by %.1e\n",
               off <= BOUND ? "right:" : "WRONG:", c.samples, c.replicas * n_gpus, n_gpus, c.epochs,
               off);
        wrong |= off > BOUND;
        training_close(&t);
    }
    return wrong;
}

struct samples {
    std::vector<double> us;
    double median(void) const
    {
        std::vector<double> s = us;
        std::sort(s.begin(), s.end());
        return s[s.size() / 2];
    }
    double low(void) const { return *std::min_element(us.begin(), us.end()); }
    double high(void) const { return *std::max_element(us.begin(), us.end()); }
};

/* us of one `step` of t, from enough of them to fill 20 ms. */
template <typename F> static double time_of(training *t, F step)
{
    for (int steps = 4;; steps *= 2) {
        wait(t);
        const auto begin = std::chrono::steady_clock::now();
        for (int i = 0; i < steps; i++)
            step(t);
        wait(t);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        if (took.count() > 0.02)
            return 1e6 * took.count() / steps;
    }
}

static void write_csv(FILE *csv, const char *net, int a_replica, const char *what, const samples &s)
{
    for (size_t i = 0; csv && i < s.us.size(); i++)
        fprintf(csv, "%s,%d,%s,%zu,%.3f\n", net, a_replica, what, i, s.us[i]);
}

static void all_reduce_alone(training *t, size_t n, int rounds, FILE *csv)
{
    double *room[MOST_GPUS];
    for (int g = 0; g < t->gpus; g++) {
        CUDA(cudaSetDevice(g));
        CUDA(cudaMalloc(&room[g], n * sizeof(double)));
        CUDA(cudaMemset(room[g], 0, n * sizeof(double)));
    }
    samples s;
    for (int i = 0; i <= rounds; i++) { /* the first warms up */
        const double us =
            time_of(t, [&](training *u) { all_reduce(u->gpus, room, n, u->streams); });
        if (i > 0)
            s.us.push_back(us);
    }
    printf("| %zu | %.1f | %.1f to %.1f | %.1f |\n", n, s.median(), s.low(), s.high(),
           8e-3 * n / s.median());
    write_csv(csv, "all-reduce", (int)n, "all_reduce", s);
    for (int g = 0; g < t->gpus; g++) {
        CUDA(cudaSetDevice(g));
        CUDA(cudaFree(room[g]));
    }
}

static void table_all_reduce(int rounds, FILE *csv)
{
    training t;
    training_open(&t, problem({2, 1}, n_gpus, n_gpus), n_gpus);
    printf("| doubles | us | least to most | GB/s of the vector |\n|---|---|---|---|\n");
    for (size_t n = 1; n <= (size_t)1 << 24; n *= 16)
        all_reduce_alone(&t, n, rounds, csv);
    training_close(&t);
}

/* One row: `each` samples a replica on one GPU. */
static int row(const std::vector<int> &layers, int each, int blocks, int rounds, FILE *csv)
{
    enum { ONE, WEAK, STRONG, SETUPS };
    const mlp_problem of[] = {problem(layers, each * blocks, blocks),
                              problem(layers, each * blocks * n_gpus, blocks * n_gpus),
                              problem(layers, each * blocks, blocks * n_gpus)};
    const char *const names[] = {"one", "weak", "strong"};
    training t[SETUPS];
    samples whole[SETUPS], alone, local, reduce;
    int wrong = 0;
    for (int k = 0; k < SETUPS; k++) {
        training_open(&t[k], of[k], k == ONE ? 1 : n_gpus);
        wrong |= !(difference(&t[k], 1) <= BOUND);
    }
    double *sums[MOST_GPUS];
    for (int g = 0; g < n_gpus; g++)
        sums[g] = t[WEAK].on[g].sum;
    const auto both = [](training *u) { epoch(u), merge(u); };
    for (int i = 0; i < rounds; i++) {
        for (int k = 0; k < SETUPS; k++)
            whole[k].us.push_back(time_of(&t[k], both));
        alone.us.push_back(time_of(&t[ONE], epoch));
        local.us.push_back(time_of(&t[ONE], merge));
        reduce.us.push_back(time_of(&t[WEAK], [&](training *u) {
            all_reduce(u->gpus, sums, u->on[0].n, u->streams);
        }));
    }
    char net[64] = "";
    for (int size : layers)
        snprintf(net + strlen(net), sizeof net - strlen(net), "%s%d", *net ? "-" : "", size);
    const double one = whole[ONE].median(), weak = whole[WEAK].median(),
                 strong = whole[STRONG].median(), merging = local.median() + reduce.median();
    printf("| %s | %zu | %d | %.1f | %.1f | %.1f | %.1f | %.1f (%.1f to %.1f) | %.2f | %.2f |"
           " %.1f (%.1f to %.1f) | %.2f | %.2f |%s\n",
           net, t[ONE].on[0].n, each, alone.median(), local.median(), reduce.median(), one, weak,
           whole[WEAK].low(), whole[WEAK].high(), one / weak,
           (alone.median() + local.median()) / (alone.median() + merging), strong,
           whole[STRONG].low(), whole[STRONG].high(), one / strong / n_gpus,
           (alone.median() + local.median()) / (alone.median() + n_gpus * merging),
           wrong ? " WRONG" : "");
    for (int k = 0; k < SETUPS; k++) {
        write_csv(csv, net, each, names[k], whole[k]);
        training_close(&t[k]);
    }
    write_csv(csv, net, each, "epoch", alone);
    write_csv(csv, net, each, "merge", local);
    write_csv(csv, net, each, "all_reduce", reduce);
    fflush(stdout);
    return wrong;
}

static int tables(int rounds, const char *path)
{
    int wrong = check_small(), blocks;
    FILE *csv = path ? fopen(path, "w") : NULL;
    if (path && !csv) {
        perror(path);
        return 2;
    }
    if (csv)
        fprintf(csv, "net,samples_a_replica,what,round,us\n");
    CUDA(cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, 0));
    printf("\nGPUs: %d, replicas on each: %d; median of %d rounds, least to most in parentheses.\n\n",
           n_gpus, blocks, rounds);
    table_all_reduce(rounds, csv);
    printf("\n| net | weights | samples a replica | its epoch, us | merge on one GPU | all-reduce |"
           " both on one | weak: all GPUs | efficiency | predicted | strong: all GPUs | efficiency |"
           " predicted |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
    const std::vector<int> nets[] = {{64, 32, 10}, {784, 30, 10}, {784, 128, 10}};
    for (const auto &layers : nets)
        for (int each : {8, 64, 512})
            wrong |= row(layers, each, blocks, rounds, csv);
    if (csv)
        wrong |= fclose(csv) != 0;
    return wrong;
}

int main(int argc, char **argv)
{
    int rounds = 15, only_check = 0;
    const char *csv = NULL;
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--check"))
            only_check = 1;
        else if (!strcmp(argv[i], "--rounds") && i + 1 < argc && atoi(argv[i + 1]) > 0)
            rounds = atoi(argv[++i]);
        else if (!strcmp(argv[i], "--csv") && i + 1 < argc)
            csv = argv[++i];
        else {
            fprintf(stderr, "gpus: %s: expected --check, --rounds N or --csv FILE\n", argv[i]);
            return 2;
        }
    n_gpus = all_reduce_open();
    return only_check ? check_small() : tables(rounds, csv);
}
