# Our fastest beside the best peers, as Markdown: awk -f fastest.awk layers.h sparse.csv [earlier.csv]
# earlier.csv: a run with more of cuDNN's FMA (NHWC, single algorithms); the least counts.
# Rows of sparse.csv whose keys begin with fastest- and skip-; fields: gpu_rows.cu. A peer's time is
# the least over its layouts, ours too. The floor: 1.2 us, and compulsory bytes at 4.3 TB/s or three
# products of halves at 740 TFLOP/s.
BEGIN { FS = "," }
FNR == 1 { file++ }
file == 1 {
    while (match($0, /\{"[^}]*\}/)) {
        split(substr($0, RSTART + 2, RLENGTH - 3), f, /"?, */)
        name[++layers] = f[1]
        out = f[6] + 2 * f[5] - f[4] + 1
        mac = f[2] * f[3] * f[4] * f[4] * out * out
        bytes = 4 * (f[2] * f[6] * f[6] + f[3] * out * out + f[2] * f[3] * f[4] * f[4])
        memory = bytes / 4.3e6
        products = 6 * mac / 740e6
        floor[f[1]] = 1.2 + (memory > products ? memory : products)
        $0 = substr($0, RSTART + RLENGTH)
    }
    next
}
file == 3 {
    if ($1 ~ /^(table1|vgg-1)-.*-f32-n/ && $2 ~ /^cudnn(_best_fma|_implicit_gemm|_gemm|_precomputed|_direct)?$/) {
        sub(/-n...$/, "", $1)
        key = "fastest-" $1
        if ($3 > 0 && (!earlier[key] || $3 < earlier[key])) earlier[key] = $3
    }
    next
}
/^#/ { machine = substr($0, index($0, ", ") + 2) }
NF > 20 {
    key = $1
    sub(/-(nchw|nhwc)$/, "", key)
    if (!((key, $2) in time) || $3 < time[key, $2]) {
        time[key, $2] = $3
        spread[key, $2] = sprintf("%.2f to %.2f", $4, $5)
    }
    if ($1 ~ /f32-nchw$/) {
        rms[key, $2] = $12
        positive[key, $2] = $25
        scaled[key, $2] = $26
        worst[$10]++
    }
}
function us(t) { return t ? sprintf(t < 100 ? "%.2f" : "%.0f", t) : "" }
function over(a, b) { return a && b ? sprintf("%.2f", a / b) : "" }
function errors(f) { return over(rms[f, "conv_dense_split"], rms[f, "cudnn_best_fma"]) " " over(positive[f, "conv_dense_split"], positive[f, "cudnn_best_fma"]) " " over(scaled[f, "conv_dense_split"], scaled[f, "cudnn_best_fma"]) }
function mean(name, a, b) { if (a && b) { sum[name] += log(a / b); n[name]++; if (!low[name] || a / b < low[name]) low[name] = a / b } }
function row(title, key, where,    f, t)
{
    f = key "-f32"
    t = key "-tf32"
    if (!time[f, "conv_dense_split"])
        return
    if (earlier[f] && earlier[f] < time[f, "cudnn_best_fma"]) {
        time[f, "cudnn_best_fma"] = earlier[f]
        title = title " (*)"
    }
    printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", title, us(time[f, "conv_dense_split"]), spread[f, "conv_dense_split"],
        us(time[f, "cudnn_best_fma"]), us(time[f, "im2col_cublas"]), us(time[t, "cudnn_best"]), over(time[f, "cudnn_best_fma"], time[f, "conv_dense_split"]),
        over(time[t, "cudnn_best"], time[f, "conv_dense_split"]), us(time[t, "conv_dense_tf32"]), over(time[t, "cudnn_best"], time[t, "conv_dense_tf32"]),
        us(time[f, "conv_skip"]), where ? sprintf("%.0f%%", 100 * floor[where] / time[f, "conv_dense_split"]) : "",
        (rms[f, "cudnn_best_fma"] > 0 ? errors(f) : "")
    mean(title ~ /vgg|sequence/ ? "vgg fma" : "fma", time[f, "cudnn_best_fma"], time[f, "conv_dense_split"])
    mean(title ~ /vgg|sequence/ ? "vgg tf32" : "tf32", time[t, "cudnn_best"], time[t, "conv_dense_tf32"])
}
END {
    print "# Dense convolution at batch 1 by three products, and skipping zeros\n\n" machine "\n"
    print "us, cold, graphs of 20 calls or more, median of 15 and its bootstrap interval; errors: rms over that of cuDNN's FMA. Launches of ours may"
    print "overlap in the graph (programmatic dependent launch).\n"
    print "| layer | conv_dense_split | interval | cuDNN FMA | im2col, cuBLAS | cuDNN TF32 | over FMA | over TF32 | conv_dense_tf32 | over TF32 | conv_skip | of the floor | rms over FMA's: random signs, positive, ill-scaled |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= layers; i++)
        row(name[i], (name[i] ~ /^vgg/ ? "fastest-vgg-1-" : "fastest-table1-") name[i], name[i])
    for (k = 2; k <= 3; k++)
        for (i = 1; i <= layers; i++)
            if (name[i] ~ /^vgg/)
                row(name[i] ", stride " k, "fastest-vgg-" k "-" name[i])
    for (i = 1; i <= 3; i++)
        row("VGG-19 in sequence, stride " i, "fastest-sequence-" i)
    if (file == 3)
        print "\n(*) cuDNN's FMA from an earlier run (h200-sparse.csv), which had every algorithm beside: this one has the search alone."
    printf "\nTable I: geometric mean over FMA %.2f, least %.2f; TF32 allowed, over cuDNN's TF32 %.2f, least %.2f.\n", exp(sum["fma"] / n["fma"]), low["fma"],
        exp(sum["tf32"] / n["tf32"]), low["tf32"]
    split("0.5 0.75 0.9 0.95 0.99", s, " ")
    for (i = 1; i <= layers; i++) {
        line = "| " name[i]
        any = 0
        for (k = 1; k <= 5; k++) {
            key = "skip-" s[k] "-" name[i] "-f32"
            if (!((key, "conv_skip") in time)) key = "skip-" s[k] "-" name[i]
            line = line " | " over(time[key, "conv_skip"], time[key, "conv_dense_split"])
            any += time[key, "conv_skip"] > 0
        }
        if (any && !begun++) {
            print "\n## From which sparsity is skipping the faster?\n\nconv_skip over conv_dense_split in time, noise of this sparsity; below 1 skipping wins.\n"
            print "| layer | .5 | .75 | .9 | .95 | .99 |\n|---|---|---|---|---|---|"
        }
        if (any) print line " |"
    }
}
