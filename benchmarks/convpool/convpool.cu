/* The tables of [Suita] on this GPU: convolution, then average pooling, 3 x 3 and 2 x 2, batch 64,
 * maps of 8, 16, 32, 64, channels 32 .. 512, padded so that n/2 x n/2 outputs come out; in fp32,
 * TF32 and half, NCHW and NHWC. One line a method into convpool.csv, which tables.awk reads. */
#include "benchmarks/convpool/gpu_rows.hpp"

static const char usage[] =
    "usage: convpool [--only TEXT] [--time SECONDS] [--rounds N] [--budget SECONDS] [--out "
    "FOLDER]\n"
    "Times every method of convolution-pooling, cold, in CUDA graphs, and checks it: Tables 1 and "
    "2\n"
    "first, then the other layouts and TF32. --only: rows whose key has TEXT, such as \"f16-nhwc\" "
    "or\n"
    "\"-64-512\". --budget: fewer rounds where a row takes longer. Goes on where it ended.\n";

/* The paper's five and the table of sums. */
static const std::vector<std::string> plain = {
    "pool_cudnn_naive",  "pool_cudnn_fused",   "pool_cudnn_direct",
    "pool_cublas_fused", "pool_cublas_direct", "pool_sat",
};
/* Peers with the best convolution that cuDNN has. In fp32 those of fp32's accuracy: of the others,
 * Winograd and FFT, there is one for NCHW and no stride. */
static const std::vector<std::string> best = {"pool_best_naive", "pool_best_fused",
                                              "pool_best_direct"};
static const std::vector<std::string> accurate = {"pool_fma_naive", "pool_fma_fused",
                                                  "pool_fma_direct"};

/* Ours in one launch, NHWC; _alone: launches that do not overlap. Each takes one type only. */
static const std::vector<std::string> fused = {
    "pool_fused_half",       "pool_fused_tf32",       "pool_fused",
    "pool_fused_half_alone", "pool_fused_tf32_alone", "pool_fused_alone",
};

/* Types and layouts, the paper's first. */
static const struct part {
    const char *type, *layout;
} parts[] = {
    {"f32", "nchw"},  {"f16", "nchw"},  {"f16", "nhwc"},
    {"tf32", "nhwc"}, {"tf32", "nchw"}, {"f32", "nhwc"},
};

static void measure(gpu_rows *rows, const gpu_options &o, const part &p, int size, int channels)
{
    const std::string n = std::to_string(size), c = std::to_string(channels);
    const std::string key = std::string(p.type) + "-" + p.layout + "-" + n + "-" + c;
    std::vector<std::string> methods = plain;
    if (!gpu_rows_begin(rows, key))
        return;
    const bool f32 = std::string(p.type) == "f32";
    methods.insert(methods.end(), f32 ? accurate.begin() : best.begin(),
                   f32 ? accurate.end() : best.end());
    if (f32 && std::string(p.layout) == "nchw")
        methods.push_back("pool_best_naive");
    methods.insert(methods.end(), fused.begin(), fused.end());
    gpu_case g = gpu_case();
    gpu_case_open(&g, &convpool_op,
                  "n=64 r=3 pad=1 pool=2 c=" + c + " k=" + c + " h=" + n + " type=" + p.type +
                      " layout=" + p.layout);
    gpu_rows_measure(rows, key, &g, methods, o);
    gpu_case_close(&g);
}

int main(int argc, char **argv)
{
    const gpu_options o = gpu_options_read(argc, argv, usage);
    gpu_rows rows;
    gpu_rows_open(&rows, o, "convpool.csv", "benchmarks/convpool/run");
    for (const part &p : parts)
        for (int size : {8, 16, 32, 64})
            for (int channels : {32, 64, 128, 256, 512})
                measure(&rows, o, p, size, channels);
    return 0;
}
