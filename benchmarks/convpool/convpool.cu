/* The tables of [Suita] on this GPU: convolution, then average pooling, 3 x 3 and 2 x 2, batch 64,
 * maps of 8, 16, 32, 64, channels 32 .. 512, padded so that n/2 x n/2 outputs come out; in fp32,
 * TF32 and half, NCHW and NHWC. One line a method into convpool.csv, which tables.py reads. */
#include "benchmarks/convpool/gpu_rows.hpp"

static const char usage[] =
    "usage: convpool [--only TEXT] [--time SECONDS] [--rounds N] [--out FOLDER]\n"
    "Times every method of convolution-pooling, cold, in CUDA graphs, and checks it. --only: rows\n"
    "whose key has TEXT, such as \"f16-nhwc\" or \"-64-512\". Goes on where it ended.\n";

/* The paper's five, the table of sums, and the peers with the best convolution that cuDNN has. */
static const std::vector<std::string> methods = {
    "pool_cudnn_naive",   "pool_cudnn_fused", "pool_cudnn_direct", "pool_cublas_fused",
    "pool_cublas_direct", "pool_sat",         "pool_best_naive",   "pool_best_fused",
    "pool_best_direct",   "pool_fma_naive",   "pool_fma_fused",    "pool_fma_direct",
};

int main(int argc, char **argv)
{
    const gpu_options o = gpu_options_read(argc, argv, usage);
    gpu_rows rows;
    gpu_rows_open(&rows, o, "convpool.csv", "benchmarks/convpool/run");
    for (const char *type : {"f16", "tf32", "f32"})
        for (int n : {8, 16, 32, 64})
            for (int channels : {32, 64, 128, 256, 512})
                for (const char *layout : {"nhwc", "nchw"}) {
                    const std::string size = std::to_string(n), c = std::to_string(channels);
                    const std::string key = std::string(type) + "-" + layout + "-" + size + "-" + c;
                    if (!gpu_rows_begin(&rows, key))
                        continue;
                    gpu_case g = gpu_case();
                    gpu_case_open(&g, &convpool_op,
                                  "n=64 r=3 pad=1 pool=2 c=" + c + " k=" + c + " h=" + size +
                                      " type=" + type + " layout=" + layout);
                    gpu_rows_measure(&rows, key, &g, methods, o.rounds);
                    gpu_case_close(&g);
                }
    return 0;
}
