# Of fused_picture's data: gnuplot -e "data='FILE'; out='FILE.svg'" benchmarks/convpool/fused.gp
set terminal svg size 900,720 font 'sans-serif,13' background 'white'
set output out
names = 'fp16 fp32 TF32'
colours = '#1f77b4 #2ca02c #d62728'
set multiplot layout 2,1
set key outside top center horizontal
set grid ytics
set ylabel 'times the best peer'
set xrange [-2:80]
set yrange [0:*]
set xtics rotate by -45 font ',10' scale 0
plot data index 0 using ($0 * 4):4 with impulses lw 8 lc rgb word(colours, 1) title word(names, 1), \
    "" index 1 using ($0 * 4 + 1):4:xtic(stringcolumn(2).', '.stringcolumn(3)) with impulses lw 8 lc rgb word(colours, 2) \
        title word(names, 2), \
    "" index 2 using ($0 * 4 + 2):4 with impulses lw 8 lc rgb word(colours, 3) title word(names, 3), \
    1 lc rgb 'black' notitle
reset
set key bottom right
set logscale xy
set grid
set xlabel 'FLOP a byte that must move (map, filters, outputs, once each)'
set ylabel 'TFLOP/s'
set xrange [30:3000]
set yrange [5:1000]
roof(x, peak) = 4.3 * x < peak ? 4.3 * x : peak
plot roof(x, 740) lw 2 lc rgb 'black' title 'halves: 4.3 TB/s, 740 TFLOP/s', \
    roof(x, 740.0 / 3) lw 2 dt 2 lc rgb 'black' title 'three products of halves', \
    for [t = 0:2] data index t using 5:6 with points pt 7 ps 0.8 lc rgb word(colours, t + 1) title word(names, t + 1)
