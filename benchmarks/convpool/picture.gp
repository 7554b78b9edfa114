# gnuplot -e "data='FILE'; out='FILE.svg'" picture.gp: speed-ups over cuDNN(naive), tables.awk's data.
set terminal svg size 900,560 font "sans,12" background "white"
set output out
set datafile missing "?"
set logscale x 2
set logscale y
set xrange [24:680]
set yrange [0.3:16]
set xtics (32, 64, 128, 256, 512)
set ytics (0.5, 1, 2, 3, 5, 10)
set grid ytics
set key off
set multiplot layout 2,2 title "cuDNN(naive) over the better of cuDNN(direct) and cuBLAS(direct), NCHW"
do for [i = 0:3] {
    set title sprintf("%d x %d", 8 * 2 ** i, 8 * 2 ** i)
    set xlabel (i > 1 ? "channels" : "")
    if (i == 2) { set key bottom right horizontal maxcols 2 samplen 2 } else { set key off }
    plot data index i using 2:3 with linespoints lc rgb "#999999" pt 4 dt 2 title "fp32, V100", \
        "" index i using 2:4 with linespoints lc rgb "#d95f02" pt 5 lw 2 title "fp32, here", \
        "" index i using 2:5 with linespoints lc rgb "#999999" pt 6 dt 3 title "fp16, V100", \
        "" index i using 2:6 with linespoints lc rgb "#1b9e77" pt 7 lw 2 title "fp16, here", \
        1 lc rgb "black" lw 0.5 notitle
}
unset multiplot
