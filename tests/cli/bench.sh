#!/usr/bin/env bash
# bench: tables line by line, a fit, pictures where gnuplot is; without a GPU what the CPU device counts. No time is judged.
. tests/tap.sh
hpclab=$PWD/build/hpclab
project=$PWD
export HPC_ROOT=$scratch/root
copy_project "$HPC_ROOT" lib device
short_cases
share_builds
cd "$HPC_ROOT" || exit 1
cp "$project"/mlp/variants/openmp_{inner,trainer}.c labs/lab3/
bench=results/lab3/bench
# columns FILE N: each line has N fields outside quotes.
columns() { sed 's/"[^"]*"/q/g' "$1" | awk -F, -v n="$2" 'NF != n { exit 1 } END { exit NR < 2 }'; }

check 'a lab of threads' "$hpclab" bench lab3 --quick --plain --seed 3
cp "$scratch/.output" "$scratch/said"
shows 'copy and FMA peaks, .* measured: [0-9.]+ GB/s, [0-9.]+ GFLOP/s' 'the ceilings were measured'
for table in staircase:2 size:7 roofline:7 ceilings:3; do
    check "a table ${table%:*}" columns $bench/${table%:*}.csv ${table#*:}
done
check 'sizes of both' test "$(grep -c '^"openmp_trainer, yours",samples,' $bench/size.csv)$(grep -c '^"mlp/flat, baseline",samples,' $bench/size.csv)" = 33
for point in 'mlp/flat, baseline",paper_replicas' 'openmp_trainer, yours",paper_replicas' 'openmp_inner, yours",broad'; do
    check "on the roofline: ${point%\"*}" grep -q "^\"$point," $bench/roofline.csv
done
check 'each picture in a sentence with units' sh -c 'cd $1 && grep -q " from [0-9.]* ns at 4 KiB to [0-9.]* ns at " staircase.txt &&
    grep -qE "baseline [0-9.]+ GFLOP/s at [0-9.]+ FLOP a byte;" roofline.txt &&
    grep -qE "baseline from [0-9.]+ [mu]?s at [0-9.]+ MFLOP to " size.txt' - $bench
check 'its roof is over all of them' python3 - $bench/roofline.gp <<'PY'
import re, sys
blocks = [[[float(x) for x in row.split()] for row in rows.splitlines()]
          for rows in re.findall(r'\$d\d+ << END\n(.*?)END', open(sys.argv[1]).read(), re.S)]
roofs = [row[0] for rows in blocks if len(rows) > 1 for row in rows]
points = [rows[0][0] for rows in blocks if len(rows) == 1]
assert len(points) == 3 and min(roofs) < min(points) and max(points) < max(roofs), (roofs, points)
PY
# shellcheck disable=SC2016 # awk's fields
check 'the interval holds the median' awk -F, 'NR > 1 && !($(NF-1) <= $(NF-2) && $(NF-2) <= $NF) { exit 1 }' $bench/size.csv
if ! grep -q "peaks, 1 thread, measured" "$scratch/said"; then
    check 'a table threads' columns $bench/threads.csv 9
    check 'the fit is of these times' python3 - $bench <<'PY'
import csv, sys
rows = [r for r in csv.DictReader(open(sys.argv[1] + "/threads.csv")) if r["scaling"] == "strong" and r["variant"] == "openmp_trainer, yours"]
one = float(rows[0]["seconds"])
x = [(1 - 1 / int(r["threads"]), float(r["seconds"]) / one - 1 / int(r["threads"])) for r in rows]
want = sum(a * b for a, b in x) / sum(a * a for a, _ in x)
got = [float(r["serial_fraction"]) for r in csv.DictReader(open(sys.argv[1] + "/amdahl.csv")) if r["variant"] == "openmp_trainer, yours"][0]
assert abs(got - want) < 1e-3 * max(1, abs(want)), (got, want)
PY
    # A law's curve goes on behind the threads that were measured, for through two of them it is theirs.
    check 'its curve is seen beside the times' python3 - $bench/speedup.gp <<'PY'
import re, sys
text = open(sys.argv[1]).read()
blocks = {n: [[float(x) for x in row.split()] for row in rows.splitlines()]
          for n, rows in re.findall(r'\$(d\d+) << END\n(.*?)END', text, re.S)}
drawn = re.findall(r"\$(d\d+) using 1:2 with (lines\w*) .*?title '(.*?)'", text)
laws = [n for n, how, title in drawn if how == "lines" and title.startswith("Amdahl")]
times = [n for n, how, title in drawn if how == "linespoints" and title.endswith(", yours")]
assert laws and len(laws) == len(times) and drawn[0][0] in laws and drawn[-1][0] in times, drawn
for law, time in zip(laws, times):
    assert blocks[law][0][:2] == [1, 1] and blocks[law][-1][0] == 2 * blocks[time][-1][0], (law, time)
assert "set xtics 1\n" in text
PY
    check '  and in a sentence' grep -qE 'openmp_trainer, yours from 1x at 1 thread to [0-9.]+x at [0-9]+ threads; Amdahl' $bench/speedup.txt
    grep -q "efficiency [0-9]*%; .*Amdahl's law" "$scratch/said"
    tap_result $? 'and is said'
fi
if command -v gnuplot >/dev/null; then
    for picture in staircase size roofline; do
        check "a picture $picture" test -s $bench/$picture.svg -a -s $bench/$picture.png -a -s $bench/$picture.txt
        python3 - $bench/$picture.svg >"$scratch/.output" 2>&1 <<'PY'
import re, sys
boxes = []
for x, y, more, words in re.findall(r'translate\(([\d.]+),([\d.]+)\)"([^>]*)>\s*<text>(?:<tspan[^>]*>)?([^<]*)', open(sys.argv[1]).read()):
    width = 6.5 * len(words.strip())
    left = float(x) - width * {"end": 1, "middle": 0.5}.get((re.findall('text-anchor="(.*?)"', more) or ["start"])[0], 0)
    boxes.append((left, left + width, float(y), words))
assert len(boxes) > 8 and any(b[3].startswith("mlp/") or "core" in b[3] for b in boxes), boxes
for i, a in enumerate(boxes):
    for b in boxes[:i]:
        assert abs(a[2] - b[2]) >= 15 or a[1] < b[0] or b[1] < a[0], (a, b)
PY
        tap_result $? '  none of its words lies on another'
        check '  its sizes are told as one says them' sh -c "! grep 'e+0[3-6]' $bench/$picture.txt"
    done
fi
mkdir "$scratch/none"
printf '#!/bin/sh\nexit 127\n' >"$scratch/none/gnuplot"
chmod +x "$scratch/none/gnuplot"
# Nobody has begun, so that the baseline is alone: and its tables stay without gnuplot.
cp labs/lab1/starter/flat.c labs/lab1/flat.c
check 'without gnuplot' env PATH="$scratch/none:$PATH" "$hpclab" bench lab1 --quick --plain
shows '^gnuplot is not here: no pictures' 'says so'
shows '^  left out: flat, yours: labs/lab1/flat.c is the starter as it was handed out: begin there$' 'and what is left out'
check 'which is in no table' sh -c '! grep -q yours results/lab1/bench/*.csv'
check 'the tables stay' columns results/lab1/bench/size.csv 7

check 'a lab of 2D convolutions without a GPU' env HPC_NVCC=none "$hpclab" bench lab7 --quick --plain --only tiled2d --reference
shows 'no task here is timed without a GPU' 'says what is not there'
check 'the axis of a share begins at 0' grep -qE '^set xrange \[-0\.0' results/lab7/bench/sparsity.gp
check 'that of layers names whole ones' grep -q '^set xtics 1$' results/lab7/bench/layers.gp
check 'ratios of sectors over layers and sparsity' test "$(grep -c 'layers,.*,sectors,' results/lab7/bench/ratios.csv)$(grep -c 'sparsity,.*,sectors,' results/lab7/bench/ratios.csv)" = 46

says 0 '^  left out: conv2d/cudnn_best_fma, baseline needs a GPU' 'a baseline for a GPU alone' \
    env HPC_NVCC=none "$hpclab" bench lab7 --quick --plain --only own_convolution

check 'a lab of 1D kernels without one' env HPC_NVCC=none "$hpclab" bench lab5 --quick --plain --only multi_block --reference
shows '^  left out: multi_block, yours: build' 'leaves out what is no file'
shows 'no task here is timed without a GPU: ./grade lab5 counts what each moves' 'names no table that is not written'
check 'there is none' test ! -e results/lab5/bench/ratios.csv

fails 2 'no such task' "$hpclab" bench lab3 --only openmp
shows 'lab3 has no variant task of that name' 'is named'
fails 2 'two labs' "$hpclab" bench lab1 lab2
done_testing
