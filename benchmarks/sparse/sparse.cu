/* The table and figures of [Xu] on this GPU, batch 1. Into sparse.csv, which tables.py reads:
 *
 *   table1-LAYER-TYPE-LAYOUT   all channels and filters (Table I; with the twice-compressing
 * builds) paper-LAYER                one map, one filter, one launch: K of them are what the paper
 * timed vgg-STRIDE-LAYER-TYPE-LAYOUT     figures 6 and 7, and 8 and 9 from their workspace
 *   sequence-STRIDE-TYPE-LAYOUT      VGG-19's sixteen layers one after another, their weights cold
 * and with --energy into sparse-energy.csv Joule a call, from NVML. */
#include "benchmarks/convpool/gpu_rows.hpp"
#include "benchmarks/sparse/layers.h"

#include <stdio.h>
#include <string.h>

#include "benchmarks/convpool/gpu_board.hpp"
extern "C" {
#include "conv2d/npy.h"
#include "harness/stats.h"
}

static const char usage[] =
    "usage: sparse [--maps FOLDER] [--only TEXT] [--time SECONDS] [--rounds N] [--energy]\n"
    "              [--out FOLDER]\n"
    "Times dense and sparse convolutions at batch 1, cold, in CUDA graphs, and checks them. "
    "--maps:\n"
    "input maps that `hpclab featuremaps` wrote; without, zeros are drawn. --only: rows whose key\n"
    "has TEXT. Goes on where it ended.\n";

typedef std::vector<std::string> names;

static const names dense_all = {"direct",
                                "tiled2d",
                                "im2col_cublas",
                                "cudnn",
                                "cudnn_implicit_gemm",
                                "cudnn_gemm",
                                "cudnn_precomputed",
                                "cudnn_direct",
                                "cudnn_fft",
                                "cudnn_fft_tiling",
                                "cudnn_winograd",
                                "cudnn_winograd2",
                                "cudnn_best",
                                "cudnn_best_fma",
                                "csr",
                                "sparse_blocked",
                                "sparse_blocked_twice"};
static const names peers = {"im2col_cublas", "cudnn", "cudnn_best", "cudnn_best_fma"};
static const names one_map = {
    "direct",        "im2col_cublas",       "cudnn",         "cudnn_best", "csr",
    "sparse_window", "sparse_window_twice", "sparse_blocked"};
static const names in_sequence = {"direct", "tiled2d",       "im2col_cublas",
                                  "cudnn",  "cudnn_best",    "cudnn_best_fma",
                                  "csr",    "sparse_blocked"};

static std::string words(const sparse_layer &l, int stride, const std::string &type,
                         const std::string &layout)
{
    char text[200];
    snprintf(text, sizeof text, "n=1 c=%d k=%d h=%d r=%d pad=%d stride=%d sparsity=%g", l.c, l.k,
             l.size, l.r, l.pad, stride, l.sparsity);
    return std::string(text) + " type=" + type + " layout=" + layout;
}

/* The layer's map from the folder, in this layout; empty where there is no folder. */
static std::vector<float> read_map(const gpu_options &o, const sparse_layer &l,
                                   const std::string &layout)
{
    std::vector<float> map;
    struct npy array = {};
    struct hpc_error err = {};
    if (o.maps.empty())
        return map;
    if (!npy_read((o.maps + "/" + l.name + ".npy").c_str(), &array, &err))
        exit(hpc_report(&err));
    const size_t plane = (size_t)l.size * l.size, count = plane * l.c;
    if (array.count != count) {
        fprintf(stderr, "%s.npy: %zu elements, expected %d x %d x %d\n", l.name, array.count, l.c,
                l.size, l.size);
        exit(HPC_EXIT_USAGE);
    }
    map.resize(count);
    for (size_t i = 0; i < count; i++)
        map[layout == "nhwc" ? i % plane * l.c + i / plane : i] = array.value[i];
    npy_free(&array);
    return map;
}

static void layer_row(gpu_rows *rows, const gpu_options &o, const std::string &key,
                      const sparse_layer &l, int stride, const char *type, const char *layout,
                      const names &methods)
{
    if (!gpu_rows_begin(rows, key))
        return;
    gpu_case g = gpu_case();
    const std::vector<float> map = read_map(o, l, layout);
    gpu_case_open(&g, &conv2d_op, words(l, stride, type, layout), map.empty() ? NULL : map.data());
    gpu_rows_measure(rows, key, &g, methods, o.rounds);
    gpu_case_close(&g);
}

/* One map and one filter of the layer. */
static void paper_row(gpu_rows *rows, const gpu_options &o, const sparse_layer &l)
{
    sparse_layer one = l;
    one.c = one.k = 1;
    gpu_options noise = o;
    noise.maps = "";
    layer_row(rows, noise, std::string("paper-") + l.name, one, 1, "f32", "nchw", one_map);
}

/* All layers, one after another, twice over in a graph; the method's time is that of all sixteen.
 */
static void sequence_row(gpu_rows *rows, const gpu_options &o, int stride, const char *type,
                         const char *layout, const names &methods)
{
    const std::string key = "sequence-" + std::to_string(stride) + "-" + type + "-" + layout;
    const int layers = sizeof vgg19_layers / sizeof *vgg19_layers;
    std::vector<gpu_case> cases(layers);
    std::vector<gpu_method> timed;
    if (!gpu_rows_begin(rows, key))
        return;
    for (int i = 0; i < layers; i++) {
        const std::vector<float> map = read_map(o, vgg19_layers[i], layout);
        gpu_case_open(&cases[i], &conv2d_op, words(vgg19_layers[i], stride, type, layout),
                      map.empty() ? NULL : map.data(), 2);
    }
    for (const std::string &name : methods) {
        gpu_method m = gpu_method();
        m.name = name;
        if (gpu_method_open_sequence(&m, gpu_variant(name), &cases))
            timed.push_back(m);
    }
    for (int round = 0; round <= o.rounds; round++)
        for (gpu_method &m : timed) {
            const double seconds = gpu_graph_time(m.cold, 2);
            if (round > 0)
                m.samples.push_back(seconds);
        }
    for (gpu_method &m : timed)
        gpu_method_check_sequence(&m, &cases);
    gpu_rows_end(rows, key, &cases[0], timed);
    for (gpu_method &m : timed)
        gpu_method_close(&m);
    for (gpu_case &g : cases)
        gpu_case_close(&g);
}

/* Joule a call: a graph again and again for half a second. */
static void energy_row(gpu_rows *rows, const gpu_options &o, const sparse_layer &l)
{
    const std::string key = std::string("energy-") + l.name;
    if (!gpu_rows_begin(rows, key))
        return;
    gpu_case g = gpu_case();
    std::vector<gpu_method> timed;
    const std::vector<float> map = read_map(o, l, "nchw");
    gpu_case_open(&g, &conv2d_op, words(l, 1, "f32", "nchw"), map.empty() ? NULL : map.data());
    for (const char *name : {"cudnn", "cudnn_best_fma", "im2col_cublas", "sparse_blocked"}) {
        gpu_method m = gpu_method();
        m.name = name;
        if (!gpu_method_open(&m, gpu_variant(name), &g))
            continue;
        const int replays = (int)(0.5 / (gpu_graph_time(m.cold, 1) + 1e-6)) + 1;
        const double before = gpu_board_joule();
        double seconds = 0;
        for (int i = 0; i < replays; i++)
            seconds += gpu_graph_time(m.cold, 1);
        const double joule = gpu_board_joule() - before;
        m.samples.push_back(before < 0 ? -1 : joule / replays / g.nodes);
        printf("%-28s %-20s %.3g J a call, %.1f W\n", key.c_str(), name, m.samples[0],
               before < 0 ? -1 : joule / seconds);
        timed.push_back(m);
    }
    gpu_rows_end(rows, key, &g, timed); /* its "us" are microjoule */
    for (gpu_method &m : timed)
        gpu_method_close(&m);
    gpu_case_close(&g);
}

int main(int argc, char **argv)
{
    const gpu_options o = gpu_options_read(argc, argv, usage);
    gpu_rows rows, energy;
    gpu_rows_open(&rows, o, "sparse.csv", "benchmarks/sparse/run");
    for (const sparse_layer &l : table1_layers) {
        const std::string key = std::string("table1-") + l.name;
        layer_row(&rows, o, key + "-f32-nchw", l, 1, "f32", "nchw", dense_all);
        layer_row(&rows, o, key + "-f32-nhwc", l, 1, "f32", "nhwc", peers);
        layer_row(&rows, o, key + "-tf32-nchw", l, 1, "tf32", "nchw", peers);
        layer_row(&rows, o, key + "-tf32-nhwc", l, 1, "tf32", "nhwc", peers);
        paper_row(&rows, o, l);
    }
    for (int stride = 1; stride <= 3; stride++) {
        for (const sparse_layer &l : vgg19_layers) {
            const std::string key = "vgg-" + std::to_string(stride) + "-" + l.name;
            layer_row(&rows, o, key + "-f32-nchw", l, stride, "f32", "nchw",
                      stride == 1 ? dense_all : in_sequence);
            layer_row(&rows, o, key + "-tf32-nhwc", l, stride, "tf32", "nhwc", peers);
        }
        for (const char *type : {"f32", "tf32"})
            for (const char *layout : {"nchw", "nhwc"})
                if (stride == 1 || (*type == 'f') == !strcmp(layout, "nchw")) /* the better ones */
                    sequence_row(&rows, o, stride, type, layout, in_sequence);
    }
    if (!o.energy)
        return 0;
    gpu_rows_open(&energy, o, "sparse-energy.csv", "benchmarks/sparse/run --energy");
    for (const sparse_layer &l : vgg19_layers)
        energy_row(&energy, o, l);
    return 0;
}
