/* The table and figures of [Xu] on this GPU, batch 1. Into sparse.csv, which tables.awk reads:
 *
 *   table1-LAYER-TYPE-LAYOUT     all channels and filters (Table I), some builds compressing twice
 *   paper-LAYER                  one map, one filter, one launch: the paper timed K of them
 *   sequence-STRIDE-TYPE-LAYOUT  VGG-19's sixteen layers one after another, their weights cold
 *   vgg-STRIDE-LAYER-TYPE-LAYOUT figures 6 and 7, and 8 and 9 from their workspace
 *   fastest-..                   the first and the third with the best peers and our fastest alone
 *   skip-SPARSITY-LAYER          noise of this sparsity: from where on is skipping the faster?
 *
 * and with --energy, alone, into sparse-energy.csv Joule a call, from NVML. */
#include "benchmarks/convpool/gpu_rows.hpp"
#include "benchmarks/sparse/layers.h"

#include <stdio.h>
#include <string.h>

#include "benchmarks/convpool/gpu_board.hpp"
extern "C" {
#include "conv2d/featuremaps/npy.h"
#include "common/stats.h"
}

static const char usage[] =
    "usage: sparse [--maps FOLDER] [--only TEXT] [--time SECONDS] [--rounds N]\n"
    "              [--budget SECONDS] [--energy] [--out FOLDER]\n"
    "Times dense and sparse convolutions at batch 1, cold, in CUDA graphs, and checks them.\n"
    "--maps: input maps that `hpclab featuremaps` wrote; without, zeros are drawn. --only: rows\n"
    "whose key has TEXT. --budget: fewer rounds where a row takes longer. --energy: Joule a call\n"
    "instead of times. Goes on where it ended.\n";

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
                                "sparse_blocked_twice",
                                "conv_skip",
                                "conv_dense_split",
                                "conv_fastest"};
static const names peers = {"im2col_cublas",  "cudnn",           "cudnn_best",
                            "cudnn_best_fma", "conv_dense_tf32", "conv_dense_split"};
static const names one_map = {
    "direct",        "im2col_cublas",       "cudnn",         "cudnn_best", "csr",
    "sparse_window", "sparse_window_twice", "sparse_blocked"};
static const names strided = {"tiled2d",          "im2col_cublas", "cudnn",          "cudnn_best",
                              "cudnn_best_fma",   "csr",           "sparse_blocked", "conv_skip",
                              "conv_dense_split", "conv_fastest"};
static const names in_sequence = {
    "direct",     "tiled2d",          "im2col_cublas", "cudnn",
    "cudnn_best", "cudnn_best_fma",   "csr",           "sparse_blocked",
    "conv_skip",  "conv_dense_split", "conv_fastest"};

static const names best_f32 = {"cudnn_best_fma", "im2col_cublas",    "sparse_blocked",
                               "conv_skip",      "conv_dense_split", "conv_fastest"};
static const names best_tf32 = {"cudnn_best", "conv_dense_tf32"};
static const names skipping = {"conv_skip", "conv_dense_split"};

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
                      const names &methods, int slots = 0)
{
    if (!gpu_rows_begin(rows, key))
        return;
    gpu_case g = gpu_case();
    const std::vector<float> map = read_map(o, l, layout);
    gpu_case_open(&g, &conv2d_op, words(l, stride, type, layout), map.empty() ? NULL : map.data(),
                  slots);
    gpu_rows_measure(rows, key, &g, methods, o);
    gpu_case_close(&g);
}

/* One map and one filter of the layer, which no number of slots would keep out of the L2. */
static void paper_row(gpu_rows *rows, const gpu_options &o, const sparse_layer &l)
{
    sparse_layer one = l;
    one.c = one.k = 1;
    gpu_options noise = o;
    noise.maps = "";
    layer_row(rows, noise, std::string("paper-") + l.name, one, 1, "f32", "nchw", one_map, 40);
}

static void time_sequence(const gpu_options &o, std::vector<gpu_method> *timed)
{
    std::vector<gpu_launch> launches;
    double round_s = 0;
    for (const gpu_method &m : *timed)
        launches.push_back({m.cold[0], m.nodes});
    for (double seconds : gpu_launches_time(launches))
        round_s += 2 * seconds;
    const int rounds = gpu_rounds_within(o.rounds, round_s, o.budget);
    for (int round = 0; round < rounds; round++) {
        const std::vector<double> seconds = gpu_launches_time(launches);
        for (size_t i = 0; i < timed->size(); i++)
            (*timed)[i].samples.push_back(seconds[i]);
    }
}

/* All layers, one after another, twice over in a graph; the method's time is that of all sixteen.
 */
static void sequence_row(gpu_rows *rows, const gpu_options &o, int stride, const char *type,
                         const char *layout, const names &methods, const std::string &head = "")
{
    const std::string key = head + "sequence-" + std::to_string(stride) + "-" + type + "-" + layout;
    std::vector<gpu_case> cases(sizeof vgg19_layers / sizeof *vgg19_layers);
    std::vector<gpu_method> timed;
    if (!gpu_rows_begin(rows, key))
        return;
    for (int i = 0; i < (int)cases.size(); i++) {
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
    time_sequence(o, &timed);
    for (gpu_method &m : timed)
        gpu_method_check_sequence(&m, &cases);
    gpu_rows_end(rows, key, &cases[0], timed);
    for (gpu_method &m : timed)
        gpu_method_close(&m);
    for (gpu_case &g : cases)
        gpu_case_close(&g);
}

/* Joule a call: graphs again and again for 0.4 seconds. */
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
        const std::vector<gpu_launch> launches(10, {m.cold[0], m.nodes});
        const double begin = gpu_now(), before = gpu_board_joule();
        double calls = 0;
        while (gpu_now() - begin < 0.4) {
            gpu_launches_time(launches);
            calls += 10 * m.nodes;
        }
        const double joule = gpu_board_joule() - before;
        m.samples.push_back(before < 0 ? -1 : joule / calls);
        printf("%-28s %-20s %.3g J a call, %.1f W\n", key.c_str(), name, m.samples[0],
               before < 0 ? -1 : joule / (gpu_now() - begin));
        timed.push_back(m);
    }
    gpu_rows_end(rows, key, &g, timed); /* its "us" are microjoule */
    for (gpu_method &m : timed)
        gpu_method_close(&m);
    gpu_case_close(&g);
}

static void vgg_row(gpu_rows *rows, const gpu_options &o, const sparse_layer &l, int stride,
                    const char *type, const char *layout, const names &methods,
                    const std::string &head = "")
{
    const std::string key = head + "vgg-" + std::to_string(stride) + "-" + l.name;
    layer_row(rows, o, key + "-" + type + "-" + layout, l, stride, type, layout, methods);
}

/* One map's noise in five sparsities. */
static void skip_rows(gpu_rows *rows, const gpu_options &o, const sparse_layer &l)
{
    gpu_options noise = o;
    noise.maps = "";
    for (const char *sparsity : {"0.5", "0.75", "0.9", "0.95", "0.99"}) {
        sparse_layer at = l;
        at.sparsity = atof(sparsity);
        layer_row(rows, noise, std::string("skip-") + sparsity + "-" + l.name, at, 1, "f32", "nchw",
                  skipping);
    }
}

static void time_fastest(gpu_rows *rows, const gpu_options &o)
{
    for (const sparse_layer &l : table1_layers) {
        const std::string key = std::string("fastest-table1-") + l.name;
        for (const std::string layout : {"nchw", "nhwc"}) {
            layer_row(rows, o, key + "-f32-" + layout, l, 1, "f32", layout.c_str(), best_f32);
            layer_row(rows, o, key + "-tf32-" + layout, l, 1, "tf32", layout.c_str(), best_tf32);
        }
    }
    for (int stride = 1; stride <= 3; stride++)
        for (const char *layout : {"nchw", "nhwc"}) {
            sequence_row(rows, o, stride, "f32", layout, best_f32, "fastest-");
            sequence_row(rows, o, stride, "tf32", layout, best_tf32, "fastest-");
        }
    for (int i : {1, 3, 5, 9, 13})
        skip_rows(rows, o, vgg19_layers[i]);
    for (const sparse_layer &l : table1_layers)
        skip_rows(rows, o, l);
    for (int stride = 1; stride <= 3; stride++)
        for (int i : {0, 1, 2, 3, 4, 5, 8, 9, 12}) { /* those that differ in size */
            for (const char *layout : {"nchw", "nhwc"}) {
                vgg_row(rows, o, vgg19_layers[i], stride, "f32", layout, best_f32, "fastest-");
                vgg_row(rows, o, vgg19_layers[i], stride, "tf32", layout, best_tf32, "fastest-");
            }
        }
}

static void time_all(gpu_rows *rows, const gpu_options &o)
{
    time_fastest(rows, o);
    for (const sparse_layer &l : table1_layers) {
        const std::string key = std::string("table1-") + l.name;
        layer_row(rows, o, key + "-f32-nchw", l, 1, "f32", "nchw", dense_all);
        layer_row(rows, o, key + "-tf32-nhwc", l, 1, "tf32", "nhwc", peers);
        layer_row(rows, o, key + "-tf32-nchw", l, 1, "tf32", "nchw", peers);
        paper_row(rows, o, l);
    }
    sequence_row(rows, o, 1, "f32", "nchw", in_sequence);
    for (const sparse_layer &l : vgg19_layers)
        vgg_row(rows, o, l, 1, "f32", "nchw", dense_all);
    sequence_row(rows, o, 2, "f32", "nchw", in_sequence);
    sequence_row(rows, o, 3, "f32", "nchw", in_sequence);
    sequence_row(rows, o, 1, "tf32", "nhwc", peers);
    for (int stride = 2; stride <= 3; stride++)
        for (const sparse_layer &l : vgg19_layers)
            vgg_row(rows, o, l, stride, "f32", "nchw", strided);
    for (int stride = 1; stride <= 3; stride++) {
        if (stride > 1)
            sequence_row(rows, o, stride, "tf32", "nhwc", peers);
        for (const sparse_layer &l : vgg19_layers)
            vgg_row(rows, o, l, stride, "tf32", "nhwc", peers);
    }
    for (const sparse_layer &l : table1_layers)
        layer_row(rows, o, std::string("table1-") + l.name + "-f32-nhwc", l, 1, "f32", "nhwc",
                  peers);
    sequence_row(rows, o, 1, "f32", "nhwc", peers);
    sequence_row(rows, o, 1, "tf32", "nchw", peers);
}

int main(int argc, char **argv)
{
    const gpu_options o = gpu_options_read(argc, argv, usage);
    gpu_rows rows;
    gpu_rows_open(&rows, o, o.energy ? "sparse-energy.csv" : "sparse.csv", "benchmarks/sparse/run");
    if (!o.energy)
        time_all(&rows, o);
    else
        for (int i : {1, 3, 5, 9, 13}) /* the layers of VGG-19 that differ in size */
            energy_row(&rows, o, vgg19_layers[i]);
    return 0;
}
