# Table I and figures 6 to 9 of [Xu], ours beside theirs, as Markdown:
#   awk -v command='..' -v commit=.. -v date=.. [-v picture=FILE] -f tables.awk layers.h paper.csv sparse.csv [sparse-energy.csv]
# Fields of the measurements: gpu_rows.cu. A row that was not measured leaves its cell empty. picture:
# figure 6 for picture.gp: layer, then us of sparse_blocked, im2col, cuDNN FMA, any, TF32, ? where unknown.
BEGIN {
    FS = ","
    fma = "cudnn cudnn_best_fma cudnn_implicit_gemm cudnn_gemm cudnn_precomputed cudnn_direct"
    any = fma " cudnn_best cudnn_fft cudnn_fft_tiling cudnn_winograd cudnn_winograd2"
}
FNR == 1 { file++ }
file == 1 {
    while (match($0, /\{"[^}]*\}/)) {
        n = split(substr($0, RSTART + 2, RLENGTH - 3), f, /"?, */)
        name = f[1]
        $0 = substr($0, RSTART + RLENGTH)
        if (name ~ /^vgg19/) vgg[++n_vgg] = name
        else table1[++n_table1] = name
        shape[name] = f[2] " to " f[3] ", " f[4] "x" f[4] ", " f[6]
        outputs[name] = (f[6] + 2 * f[5] - f[4] + 1) ^ 2
        sparsity[name] = f[7]
    }
    next
}
file == 3 && FNR == 1 { machine = substr($0, index($0, ", ") + 2) }
/^#/ || $1 == "key" || $1 == "layer" { next }
file == 2 { new[$1] = $2; cudnn[$1] = $3; next }
NF < 20 { notes = notes "* " $1 ": " $2 "\n"; next }
file == 4 { joule[$1, $2] = $3 > 0 ? $3 * 1e-6 : 0; next }
{
    time[$1, $2] = $3
    loop[$1, $2] = $7
    workspace[$1, $2] = $9
    floor[$1] = $18
    count[$10]++
    if ($10 == "wrong" || ($1 !~ /^sequence/ && ($15 == "wrong" || $17 == "wrong"))) {
        notes = notes "* wrong, and left out: " $1 " " $2 "\n"
        time[$1, $2] = 0
    }
    if (!mhz_low || $21 < mhz_low) mhz_low = $21
    if ($21 > mhz_high) mhz_high = $21
    if ($23 != "0") throttled++
}

# The least time of the methods, over rows KEY-f32-nchw and KEY-f32-nhwc (or tf32); 0: none.
function least(key, type, methods,    m, j, nm, i, t, best, rows)
{
    split(key "-" type "-nchw " key "-" type "-nhwc", rows, " ")
    nm = split(methods, m, " ")
    for (i = 1; i <= 2; i++)
        for (j = 1; j <= nm; j++) {
            t = time[rows[i], m[j]]
            if (t > 0 && (!best || t < best))
                best = t
        }
    return best + 0
}

function us(t) { return t >= 1000 ? sprintf("%.0f", t) : t > 0 ? sprintf("%.3g", t) : "" }
function over(a, b) { return a > 0 && b > 0 ? sprintf("%.2f", a / b) : "" }
function megabytes(bytes) { return bytes == "" ? "" : sprintf("%.2f", bytes / 1e6) }

# One more ratio for the means called `name`.
function add(name, a, b)
{
    if (a <= 0 || b <= 0)
        return
    if (!(name in k) || a / b < low[name]) low[name] = a / b
    if (a / b > high[name]) high[name] = a / b
    k[name]++
    sum[name] += a / b
    logs[name] += log(a / b)
    slower[name] += a < b
}

function means(name, text)
{
    if (k[name])
        printf "| %s | %d | %.2f | %.2f | %.2f | %.2f | %d |\n", text, k[name], sum[name] / k[name],
            exp(logs[name] / k[name]), low[name], high[name], slower[name]
}

function means_head(what)
{
    print "| " (what ? what : "sparse_blocked faster than") " | layers | arithmetic mean | geometric mean | least | most | slower |\n|---|---|---|---|---|---|---|"
}

function table_one(    i, name, key, row, t)
{
    print "\n## Table I\n\nWhole layers, us: all channels, all filters, compression counted. cuDNN FMA: the best engine of fp32's accuracy, any: with"
    print "Winograd and FFT, TF32: the best engine with TF32 allowed; each in its better layout. Compression: what a second one costs.\n"
    print "| layer | C to K, kernel, size | sparsity | direct | tiled2d | im2col, cuBLAS | csr | sparse_blocked | of it compression | cuDNN FMA | any | TF32 | over FMA | over any | over TF32 | floor |"
    print "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= n_table1; i++) {
        name = table1[i]
        key = "table1-" name
        row = key "-f32-nchw"
        t = time[row, "sparse_blocked"]
        printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", name, shape[name], sparsity[name],
            us(time[row, "direct"]), us(time[row, "tiled2d"]), us(time[row, "im2col_cublas"]), us(time[row, "csr"]), us(t),
            us(time[row, "sparse_blocked_twice"] - t), us(least(key, "f32", fma)), us(least(key, "f32", any)),
            us(least(key, "tf32", any)), over(least(key, "f32", fma), t), over(least(key, "f32", any), t),
            over(least(key, "tf32", any), t), us(floor[row])
        add("fma", least(key, "f32", fma), t)
        add("any", least(key, "f32", any), t)
        add("tf32", least(key, "tf32", any), t)
        add("im2col", time[row, "im2col_cublas"], t)
        add("csr", time[row, "csr"], t)
        add("paper", cudnn[name], new[name])
    }
    print ""
    means_head()
    means("fma", "cuDNN, the best of fp32's accuracy")
    means("any", "cuDNN, the best")
    means("tf32", "cuDNN, the best with TF32 allowed")
    means("im2col", "im2col and cuBLAS")
    means("csr", "csr")
    means("paper", "[Xu]'s own over its cuDNN, GTX 1080 Ti")
}

function table_paper(    i, name, key, a, b)
{
    print "\n## Table I as it was measured\n\nThe paper's times are those of K launches, each for one filter on one map. Such a launch, us in a graph, in brackets in a"
    print "plain loop; its milliseconds beside K of ours. Sparse: sparse_window, Algorithms 1 and 2 as printed; cuDNN: its own choice."
    print "\n| layer | paper: new, ms | cuDNN, ms | ratio | ours: sparse_window | cuDNN | ratio | ratio in a loop | K sparse_window, ms |\n|---|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= n_table1; i++) {
        name = table1[i]
        key = "paper-" name
        a = time[key, "sparse_window"]
        b = time[key, "cudnn"]
        split(shape[name], f, /[ ,]+/)
        printf "| %s | %s | %s | %s | %s (%s) | %s (%s) | %s | %s | %s |\n", name, new[name], cudnn[name], over(cudnn[name], new[name]),
            us(a), us(loop[key, "sparse_window"]), us(b), us(loop[key, "cudnn"]), over(b, a),
            over(loop[key, "cudnn"], loop[key, "sparse_window"]), us(a * f[3] / 1000)
        add("window", b, a)
        add("window loop", loop[key, "cudnn"], loop[key, "sparse_window"])
    }
    print ""
    means_head("faster")
    means("window", "sparse_window over cuDNN, one map, one filter")
    means("window loop", "the same in a plain loop")
}

function figure(stride, title,    i, name, key, row, t, s)
{
    if (!(("sequence-" stride "-f32-nchw", "sparse_blocked") in time) && !(("vgg-" stride "-" vgg[1] "-f32-nchw", "sparse_blocked") in time))
        return
    printf "\n## %s\n\nVGG-19, stride %d, us a layer; inputs of `hpclab featuremaps`.\n\n", title, stride
    print "| layer | sparsity | direct | tiled2d | im2col, cuBLAS | csr | sparse_blocked | cuDNN's choice | cuDNN FMA | any | TF32 | over cuDNN's choice | over FMA | over TF32 |"
    print "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= n_vgg; i++) {
        name = vgg[i]
        key = "vgg-" stride "-" name
        row = key "-f32-nchw"
        t = time[row, "sparse_blocked"]
        if (t == 0)
            continue
        printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", substr(name, 7), sparsity[name], us(time[row, "direct"]),
            us(time[row, "tiled2d"]), us(time[row, "im2col_cublas"]), us(time[row, "csr"]), us(t), us(time[row, "cudnn"]),
            us(least(key, "f32", fma)), us(least(key, "f32", any)), us(least(key, "tf32", any)), over(time[row, "cudnn"], t),
            over(least(key, "f32", fma), t), over(least(key, "tf32", any), t)
        add("v" stride, least(key, "f32", fma), t)
    }
    s = "sequence-" stride
    row = s "-f32-nchw"
    t = time[row, "sparse_blocked"]
    if (t > 0)
        printf "| all, in sequence | | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", us(time[row, "direct"]),
            us(time[row, "tiled2d"]), us(time[row, "im2col_cublas"]), us(time[row, "csr"]), us(t), us(time[row, "cudnn"]),
        us(least(s, "f32", fma)), us(least(s, "f32", any)), us(least(s, "tf32", any)), over(time[row, "cudnn"], t),
            over(least(s, "f32", fma), t), over(least(s, "tf32", any), t)
    print ""
    means_head()
    means("v" stride, "cuDNN, the best of fp32's accuracy")
}

function figure_eight(    i, name, row)
{
    print "\n## Figure 8\n\nThe paper finds its speed-up in proportion to sparsity over size. Ours, over cuDNN's best of fp32's accuracy:\n"
    print "| layer | sparsity | outputs of a map | sparsity / outputs | speed-up |\n|---|---|---|---|---|"
    for (i = 1; i <= n_vgg; i++) {
        name = vgg[i]
        row = "vgg-1-" name
        if (time[row "-f32-nchw", "sparse_blocked"] > 0)
            printf "| %s | %s | %d | %.3g | %s |\n", substr(name, 7), sparsity[name], outputs[name], sparsity[name] / outputs[name],
            over(least(row, "f32", fma), time[row "-f32-nchw", "sparse_blocked"])
    }
}

function figure_nine(    i, name, row)
{
    print "\n## Figure 9\n\nWorkspace, MB, of device memory beyond x, w and y while a layer runs (weights in another order count).\n"
    print "| layer | im2col, cuBLAS | csr | sparse_blocked | cuDNN's choice | cuDNN FMA | cuDNN, the best |\n|---|---|---|---|---|---|---|"
    for (i = 1; i <= n_vgg; i++) {
        name = vgg[i]
        row = "vgg-1-" name "-f32-nchw"
        if (time[row, "sparse_blocked"] > 0)
            printf "| %s | %s | %s | %s | %s | %s | %s |\n", substr(name, 7), megabytes(workspace[row, "im2col_cublas"]), megabytes(workspace[row, "csr"]),
            megabytes(workspace[row, "sparse_blocked"]), megabytes(workspace[row, "cudnn"]), megabytes(workspace[row, "cudnn_best_fma"]),
            megabytes(workspace[row, "cudnn_best"])
    }
}

function energy(    i, name, key, any_there)
{
    for (i = 1; i <= n_vgg; i++)
        if (joule["energy-" vgg[i], "cudnn"] != "" && !any_there++)
            print "\n## Energy\n\nMillijoule a call, from NVML's counter over 0.4 s.\n\n| layer | cuDNN's choice | cuDNN FMA | im2col, cuBLAS | sparse_blocked |\n|---|---|---|---|---|"
    for (i = 1; i <= n_vgg; i++) {
        key = "energy-" vgg[i]
        if (joule[key, "cudnn"] != "")
            printf "| %s | %s | %s | %s | %s |\n", substr(vgg[i], 7), us(joule[key, "cudnn"] * 1000), us(joule[key, "cudnn_best_fma"] * 1000),
                us(joule[key, "im2col_cublas"] * 1000), us(joule[key, "sparse_blocked"] * 1000)
    }
}

function known(t) { return t > 0 ? t : "?" }

function draw(    i, key, row)
{
    for (i = 1; i <= n_vgg; i++) {
        key = "vgg-1-" vgg[i]
        row = key "-f32-nchw"
        print substr(vgg[i], 7), known(time[row, "sparse_blocked"]), known(time[row, "im2col_cublas"]), known(least(key, "f32", fma)),
            known(least(key, "f32", any)), known(least(key, "tf32", any)) >picture
    }
}

END {
    if (picture != "")
        draw()
    print "# Skipping zeros: [Xu]'s table and figures again\n"
    print machine "; commit " commit "; " date ".  "
    print "Command: `" command "`. Raw samples: the CSV file of the same name.\n"
    print "Batch 1. Every time is the median of 15 replays (5 at least) of a CUDA graph of 20 calls or more, in random order with all other"
    print "methods; x, w (whatever order they are kept in) and y go round 240 MB, so that the L2 holds nothing; sequences go round two copies"
    print "of 160 MB of weights. Putting weights into another order once is not counted; compression of the map is."
    printf "Outputs that were timed: %d right in each element, %d in their norm (Winograd, FFT), %d wrong. SM clock %d to %d MHz, throttled in %d lines.\n",
        count["each"], count["normwise"], count["wrong"], mhz_low, mhz_high, throttled
    table_one()
    table_paper()
    figure(1, "Figure 6")
    if (picture != "")
        print "\n![Figure 6, stride 1](" base ".svg)"
    figure(2, "Figure 7, stride 2")
    figure(3, "Figure 7, stride 3")
    figure_eight()
    figure_nine()
    energy()
    if (notes != "")
        printf "\n## Notes\n\n%s", notes
}
