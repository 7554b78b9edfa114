# A part of tables.awk: the kernels of one launch beside their peers.

# Least microseconds of a type's best: bytes at 4.3 TB/s, products of halves at 740 TFLOP/s, three for fp32's accuracy.
function fused_floor(type, n, c,    bytes, flop, memory, products)
{
    bytes = 64 * c * n * n * 1.25 + 9 * c * c
    bytes *= type == "f16" ? 2 : 4
    flop = 64 * n * n / 4 * c * c * 18 * (type == "f32" ? 3 : 1)
    memory = bytes / 4.3e6
    products = flop / 740e6
    return 1.2 + (memory > products ? memory : products)
}

# The largest ratio of its rms errors, on the three kinds of inputs, to those of cuDNN's FMA convolution.
function over_fma(key, ours,    i, most, ratio)
{
    for (i = 1; i <= 3; i++) {
        ratio = rms_of[key, "fma_naive", i] > 0 ? rms_of[key, ours, i] / rms_of[key, "fma_naive", i] : 0
        most = ratio > most ? ratio : most
    }
    return most > 0 ? sprintf(" %.2f |", most) : " |"
}

# The fused kernels in one launch, in this layout, beside the best peer of these.
function one_launch(type, ours, layout, layouts,    i, j, a, b, peer, key, floor_us, there)
{
    for (i = 1; i <= 4; i++)
        for (j = 1; j <= 5; j++)
            there += time[type "-" layout "-" sizes[i] "-" widths[j], ours] > 0
    if (!there)
        return
    printf "\n### %s: `pool_%s`, %s\n\n| n, channels | ours, us | alone | best peer, us | ratio | floor, us | share | error: rms, most; positive; scaled |%s\n|---|---|---|---|---|---|---|---|%s\n", types[type], ours, toupper(layout), (type == "f32" ? " rms over FMA's |" : ""), (type == "f32" ? "---|" : "")
    for (i = 1; i <= 4; i++)
        for (j = 1; j <= 5; j++) {
            key = type "-" layout "-" sizes[i] "-" widths[j]
            a = time[key, ours]
            if (!(a > 0))
                continue
            b = least(type, layouts, all_peers, sizes[i], widths[j])
            peer = b > 0 ? sprintf("%.4g (%s)", b, who) : ""
            floor_us = fused_floor(type, sizes[i], widths[j])
            printf "| %d, %d | %.4g | %s | %s | %s | %.4g | %.0f%% | %s |%s\n", sizes[i], widths[j], a,
                (time[key, ours "_alone"] > 0 ? sprintf("%.4g", time[key, ours "_alone"]) : ""),
                peer, times(b > 0 ? b / a : 0), floor_us, 100 * floor_us / a, errors_of[key, ours], (type == "f32" ? over_fma(key, ours) : "")
        }
    print "\n| faster than | sizes | arithmetic mean | geometric mean | least | most | slower |\n|---|---|---|---|---|---|---|"
    claim("the best peer", type, layouts, all_peers, ours, 0, layout)
    claim("the best peer, launches that do not overlap", type, layouts, all_peers, ours "_alone", 0, layout)
    claim("the best of naive and fused", type, layouts, naive_or_fused, ours, 0, layout)
    claim("naive, best engine and layout", type, layouts, "cudnn_naive best_naive fma_naive", ours, 0, layout)
}

function in_one_launch()
{
    naive_or_fused = "cudnn_naive cudnn_fused cublas_fused best_naive best_fused fma_naive fma_fused"
    all_peers = naive_or_fused " cudnn_direct cublas_direct best_direct fma_direct"
    if (any_of("f16", "nhwc") || any_of("tf32", "nhwc") || any_of("f32", "nhwc") ||
        any_of("f16", "nchw") || any_of("tf32", "nchw") || any_of("f32", "nchw")) {
        print "\n## In one launch\n\nKernels of our own (`conv2d/variants/pool_kernel.h`), a shape a size by the rule in `pool_shapes.h`. Launches may overlap: while one"
        print "ends, the next one loads its weights, and its first box of x as far as the L2 (programmatic dependent launch); \"alone\": they may not."
        print "Peers of NHWC are all others in this table, of both layouts, of NCHW those in NCHW, the direct sums of our own in several launches among them, as their libraries launch them:"
        print "none offers such an overlap. Floor: 1.2 us, and the larger of bytes at an H200's 4.3 TB/s and products of halves at 740 TFLOP/s. Error: rms and"
        print "largest of |error| / sum|x||w|, of inputs with random signs, positive ones, and channels scaled by powers of two."
    }
    one_launch("f16", "fused_half", "nhwc", "nchw nhwc")
    one_launch("f32", "fused", "nhwc", "nchw nhwc")
    one_launch("tf32", "fused_tf32", "nhwc", "nchw nhwc")
    one_launch("f16", "fused_half", "nchw", "nchw")
    one_launch("f32", "fused", "nchw", "nchw")
    one_launch("tf32", "fused_tf32", "nchw", "nchw")
}
