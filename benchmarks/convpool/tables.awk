# Tables 1 and 2 of [Suita], ours beside theirs, as Markdown:
#   awk -v command='..' -v commit=.. -v date=.. [-v picture=FILE] -f tables.awk -f one_launch.awk paper.csv convpool.csv [pytorch.csv]
# Fields of convpool.csv: gpu_rows.cu. A row that was not measured leaves its cell empty. picture:
# speed-ups over cuDNN(naive) for picture.gp: n, channels, then theirs and ours in fp32, in fp16, ? where unknown.
BEGIN {
    FS = ","
    split("8 16 32 64", sizes, " ")
    split("32 64 128 256 512", widths, " ")
    n_five = split("cudnn_naive cudnn_fused cublas_fused cudnn_direct cublas_direct", five, " ")
    split("cuDNN(naive);cuDNN(fused);cuBLAS(fused);cuDNN(direct);cuBLAS(direct)", named, ";")
    types["f32"] = "fp32"; types["tf32"] = "fp32, TF32 allowed"; types["f16"] = "fp16"
}
FNR == 1 { file++ }
file == 2 && FNR == 1 { machine = substr($0, index($0, ", ") + 2) }
file == 3 && FNR == 1 { torch = substr($0, 3) }
/^#/ || $1 == "key" || $1 == "type" { next }
file == 1 { for (i = 1; i <= 5; i++) paper[$1, $2, $3, five[i]] = $(3 + i); next }
file == 3 { time[$1, "pytorch"] = $2; next }
NF < 20 { notes = notes "* " $1 ": " $2 "\n"; next }
{
    method = substr($2, 6) # without pool_
    time[$1, method] = $3
    measured[$1] = 1
    hot[$1, method] = $6
    floor[$1] = $18
    errors_of[$1, method] = $12 ", " $11 ($25 == "" ? "; ; " : "; " $25 ", " $14 "; " $26 ", " $16)
    rms_of[$1, method, 1] = $12; rms_of[$1, method, 2] = $25; rms_of[$1, method, 3] = $26
    count[$10]++
    split($1, part, "-")
    rms[part[1], method] = rms[part[1], method] > $13 ? rms[part[1], method] : $13
    if ($15 == "wrong" || $17 == "wrong" || $10 == "wrong")
        notes = notes "* wrong: " $1 " " $2 "\n"
    if (!mhz_low || $21 < mhz_low) mhz_low = $21
    if ($21 > mhz_high) mhz_high = $21
    if ($22 > watts) watts = $22
    if ($23 != "0") throttled[$23]++
}

# The least time of these methods in these layouts, of one type and size; 0 where there is none.
function least(type, layouts, methods, n, c,    l, m, i, j, nl, nm, t, best)
{
    best = 0
    who = ""
    nl = split(layouts, l, " ")
    nm = split(methods, m, " ")
    for (i = 1; i <= nl; i++)
        for (j = 1; j <= nm; j++) {
            t = time[type "-" l[i] "-" n "-" c, m[j]]
            if (t > 0 && (best == 0 || t < best)) {
                best = t
                who = m[j] (nl > 1 ? " " toupper(l[i]) : "")
            }
        }
    return best
}

# The same of the paper's, in microseconds.
function least_paper(type, methods, n, c,    m, j, nm, t, best)
{
    nm = split(methods, m, " ")
    for (j = 1; j <= nm; j++) {
        t = 1000 * paper[type, n, c, m[j]]
        if (t > 0 && (!best || t < best))
            best = t
    }
    return best + 0
}

function ms(us) { return us > 0 ? sprintf("%.3g", us / 1000) : "" }
function times(ratio) { return ratio > 0 ? sprintf("%.2f", ratio) : "" }

function add(ratio)
{
    if (ratio <= 0)
        return
    k++
    sum += ratio
    logs += log(ratio)
    slower += ratio < 1
    if (k == 1 || ratio < low) low = ratio
    if (ratio > high) high = ratio
}

function summary(    text)
{
    text = k ? sprintf("%d | %.2f | %.2f | %.2f | %.2f | %d", k, sum / k, exp(logs / k), low, high, slower) \
             : "0 | | | | |"
    k = sum = logs = slower = low = high = 0
    return text
}

# How much faster `ours` is than `theirs`, over all sizes; `like`: of the paper's type too.
function claim(text, type, layouts, theirs, ours, like, own,    i, j, a, b, all, only, same)
{
    for (i = 1; i <= 4; i++)
        for (j = 1; j <= 5; j++) {
            a = least(type, layouts, theirs, sizes[i], widths[j])
            b = least(type, own ? own : layouts, ours, sizes[i], widths[j])
            add(a > 0 && b > 0 ? a / b : 0)
            same[sizes[i], widths[j]] = a > 0 && b > 0
        }
    if (!k && !like)
        return
    all = k == 20
    printf "| %s | %s |\n", text, summary()
    for (only = all; like && only < 2; only++) {
        for (i = 1; i <= 4; i++)
            for (j = 1; j <= 5; j++)
                if (only || same[sizes[i], widths[j]])
                    add(least_paper(type, theirs, sizes[i], widths[j]) / least_paper(type, ours, sizes[i], widths[j]))
        printf "| the paper, on a V100%s | %s |\n", only ? "" : ", these sizes", summary()
    }
}

# Whether anything of this type was measured, in this layout.
function any_of(type, layout,    i, j, there)
{
    for (i = 1; i <= 4; i++)
        for (j = 1; j <= 5; j++)
            there += measured[type "-" layout "-" sizes[i] "-" widths[j]]
    return there + 0
}

function claims(type,    best_naive, best_fused, best_direct)
{
    if (!any_of(type, "nchw") && !any_of(type, "nhwc"))
        return
    best_naive = "cudnn_naive best_naive fma_naive"
    best_fused = "cudnn_fused cublas_fused best_fused fma_fused"
    best_direct = "cudnn_direct cublas_direct best_direct fma_direct"
    printf "\n### %s\n\n| faster than | sizes | arithmetic mean | geometric mean | least | most | slower |\n|---|---|---|---|---|---|---|\n", types[type]
    claim("cuDNN(naive), NCHW, cuDNN's own choice: as the paper measured", type, "nchw", "cudnn_naive",
          "cudnn_direct cublas_direct", type != "tf32")
    claim("the better of the fused, likewise", type, "nchw", "cudnn_fused cublas_fused", "cudnn_direct cublas_direct",
          type != "tf32")
    claim("cuDNN(naive), NHWC, cuDNN's own choice", type, "nhwc", "cudnn_naive", "cudnn_direct cublas_direct")
    if (type == "f32") {
        claim("naive of fp32's accuracy, best engine and layout", type, "nchw nhwc", "cudnn_naive fma_naive",
              "cudnn_direct cublas_direct fma_direct")
        claim("the best peer of fp32's accuracy, naive or fused", type, "nchw nhwc",
              "cudnn_naive fma_naive cudnn_fused cublas_fused fma_fused", "cudnn_direct cublas_direct fma_direct")
    }
    claim("naive, best engine and layout", type, "nchw nhwc", best_naive, best_direct)
    claim("the best peer, naive or fused, best engine and layout", type, "nchw nhwc", best_naive " " best_fused, best_direct)
    if (torch != "")
        claim("PyTorch, its better layout", type, "nchw nhwc", "pytorch", best_direct)
}

# The paper's table: five methods, theirs in brackets, the best of the five in bold.
function table(type, layout,    i, j, m, key, best, t, p, row, like)
{
    like = layout == "nchw" && type != "tf32"
    if (!any_of(type, layout))
        return
    printf "\n### %s, %s\n\n| n, channels |", types[type], toupper(layout)
    for (m = 1; m <= 5; m++)
        printf " %s |", named[m]
    print " sums by SAT | PyTorch | best of the five | floor | over naive | over fused |"
    print "|---|---|---|---|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= 4; i++)
        for (j = 1; j <= 5; j++) {
            key = type "-" layout "-" sizes[i] "-" widths[j]
            if (!measured[key] && !like)
                continue
            best = least(type, layout, "cudnn_naive cudnn_fused cublas_fused cudnn_direct cublas_direct", sizes[i], widths[j])
            row = "| " sizes[i] ", " widths[j] " |"
            for (m = 1; m <= 5; m++) {
                t = ms(time[key, five[m]])
                p = paper[type, sizes[i], widths[j], five[m]]
                row = row " " (time[key, five[m]] == best && best ? "**" t "**" : t) (like ? " (" p ")" : "") " |"
            }
            t = least(type, layout, "cudnn_direct cublas_direct", sizes[i], widths[j])
            p = least_paper(type, "cudnn_direct cublas_direct", sizes[i], widths[j])
            printf "%s %s | %s | %s | %s | %s%s | %s%s |\n", row, ms(time[key, "sat"]), ms(time[key, "pytorch"]), ms(best),
                ms(floor[key]), times(t ? time[key, "cudnn_naive"] / t : 0),
                like ? sprintf(" (%.2f)", least_paper(type, "cudnn_naive", sizes[i], widths[j]) / p) : "",
                times(t ? least(type, layout, "cudnn_fused cublas_fused", sizes[i], widths[j]) / t : 0),
                like ? sprintf(" (%.2f)", least_paper(type, "cudnn_fused cublas_fused", sizes[i], widths[j]) / p) : ""
        }
}

function peers(type,    i, j, a, b, c, whose, key)
{
    if (!any_of(type, "nchw") && !any_of(type, "nhwc"))
        return
    printf "\n### %s\n\n| n, channels | naive | fused | direct | direct over naive | over both | floor | best: share of the floor |\n|---|---|---|---|---|---|---|---|\n", types[type]
    for (i = 1; i <= 4; i++)
        for (j = 1; j <= 5; j++) {
            a = least(type, "nchw nhwc", "cudnn_naive best_naive fma_naive", sizes[i], widths[j])
            if (a == 0)
                continue
            whose = "| " sizes[i] ", " widths[j] " | " ms(a) " (" who ") |"
            b = least(type, "nchw nhwc", "cudnn_fused cublas_fused best_fused fma_fused", sizes[i], widths[j])
            whose = whose " " ms(b) " (" who ") |"
            c = least(type, "nchw nhwc", "cudnn_direct cublas_direct best_direct fma_direct", sizes[i], widths[j])
            whose = whose " " ms(c) " (" who ") |"
            key = floor[type "-nchw-" sizes[i] "-" widths[j]]
            key = key ? key : floor[type "-nhwc-" sizes[i] "-" widths[j]]
            printf "%s %s | %s | %s | %s |\n", whose, times(c ? a / c : 0), times(c ? (a < b ? a : b) / c : 0), ms(key),
                key && c ? sprintf("%.0f%%", 100 * key / (c < a ? (c < b ? c : b) : (a < b ? a : b))) : ""
        }
}

# Speed-up of the better direct one over naive, NCHW: of the paper, or ours.
function over_naive(type, n, c, theirs,    a, b)
{
    a = theirs ? least_paper(type, "cudnn_naive", n, c) : least(type, "nchw", "cudnn_naive", n, c)
    b = theirs ? least_paper(type, "cudnn_direct cublas_direct", n, c) : least(type, "nchw", "cudnn_direct cublas_direct", n, c)
    return a > 0 && b > 0 ? a / b : "?"
}

function draw(    i, j, n, c)
{
    for (i = 1; i <= 4; i++) {
        n = sizes[i]
        for (j = 1; j <= 5; j++) {
            c = widths[j]
            print n, c, over_naive("f32", n, c, 1), over_naive("f32", n, c, 0), over_naive("f16", n, c, 1), over_naive("f16", n, c, 0) >picture
        }
        printf "\n\n" >picture
    }
}

END {
    if (picture != "")
        draw()
    print "# Convolution, then average pooling: [Suita]'s tables again\n"
    print machine (torch != "" ? "; " torch : "") "; commit " commit "; " date ".  "
    print "Command: `" command "`. Raw samples: the CSV file of the same name.\n"
    print "3 x 3 filters, 2 x 2 pooling, batch 64, padded so that n/2 x n/2 outputs come out. Milliseconds; a V100's, of the"
    print "paper, in brackets. Every time is the median of 15 replays (5 at least for the largest) of a CUDA graph, in random"
    print "order with all other methods; x, w and y go round 240 MB or more, so that the L2 holds nothing. Graphs have 20 calls or"
    print "more (once or twice round x, w and y where a call takes over 0.5 ms). Transformations of filters are done once; all else counts."
    print "Floor: 1.2 us, and the larger of bytes at an H200's 4.3 TB/s and operations of the interchange at the type's peak.\n"
    printf "Outputs that were timed: %d right in each element, %d in their norm (Winograd, FFT), %d wrong. ", count["each"], count["normwise"], count["wrong"]
    printf "SM clock %d to %d MHz, at most %d W", mhz_low, mhz_high, watts
    for (t in throttled)
        printf ", NVML's reasons for throttling %s in %d lines", t, throttled[t]
    print ".\n\n## How much faster the interchange is\n\nThe better of cuDNN(direct) and cuBLAS(direct) over what the line says; \"slower\": in how many sizes it loses."
    split("f32 f16 tf32", order, " ")
    for (o = 1; o <= 3; o++)
        claims(order[o])
    if (picture != "")
        print "\n![Speed-ups over cuDNN(naive), the paper's and ours](" base ".svg)"
    in_one_launch()
    print "\n## Tables 1 and 2"
    table("f32", "nchw")
    table("f16", "nchw")
    if (any_of("f16", "nhwc") || any_of("tf32", "nchw") || any_of("tf32", "nhwc") || any_of("f32", "nhwc"))
        print "\n## Other layouts and TF32"
    table("f16", "nhwc")
    table("tf32", "nhwc")
    table("tf32", "nchw")
    table("f32", "nhwc")
    print "\n## With the best engine that a search finds, in the better layout"
    for (o = 1; o <= 3; o++)
        peers(order[o])
    if (notes != "")
        printf "\n## Notes\n\n%s", notes
}
