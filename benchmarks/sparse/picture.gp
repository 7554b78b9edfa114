# gnuplot -e "data='FILE'; out='FILE.svg'" picture.gp: figure 6, tables.awk's data.
set terminal svg size 900,480 font "sans,12" noenhanced background "white"
set output out
set datafile missing "?"
set logscale y
set ylabel "us"
set title "VGG-19's convolutions, batch 1, stride 1"
set xtics rotate by -40
set grid ytics
set key below
set rmargin 7
plot data using 2:xtic(1) with linespoints lc rgb "#d95f02" pt 5 lw 2 title "sparse_blocked", \
    "" using 3 with linespoints lc rgb "#7570b3" pt 9 title "im2col, cuBLAS", \
    "" using 4 with linespoints lc rgb "#1b9e77" pt 7 lw 2 title "cuDNN, FMA", \
    "" using 5 with linespoints lc rgb "#66a61e" pt 6 title "cuDNN, Winograd or FFT allowed", \
    "" using 6 with linespoints lc rgb "#999999" pt 4 title "cuDNN, TF32 allowed"
