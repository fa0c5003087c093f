# Median RMSE over the number of runs, a panel per function.    gnuplot -d -c curves.gp DATA OUT FUNCTIONS LABELS COLOURS
# DATA has a block per function and method; LABELS are separated by |, the others by blanks.
data = ARG1
functions = ARG3
colours = ARG5
methods = words(colours)
label(k) = system(sprintf("echo '%s' | cut -d'|' -f%d", ARG4, k))
set terminal svg noenhanced size 1000, 640 font 'sans-serif,14' background rgb 'white'
set output ARG2
set encoding utf8
set border 3 lc rgb '#404040'
set tics nomirror out scale 0.6
set grid lc rgb '#e4e4e4' lt 1 lw 1
set logscale y
set format y '%g'
set xrange [18:62]
set xtics 20, 10, 60
unset key
do for [k = 1:methods] { set label k label(k) at screen 0.03 + 0.97 / methods * (k - 1), screen 0.03 tc rgb word(colours, k) font ',14' }
set multiplot layout 2, 3 margins 0.07, 0.98, 0.16, 0.95 spacing 0.07, 0.12
do for [f = 1:words(functions)] {
  set title word(functions, f) offset 0, -0.5
  set xlabel f > 3 ? 'runs' : ''
  set ylabel (f % 3 == 1) ? 'median RMSE' : ''
  plot for [k = 1:methods] data index (f - 1) * methods + k - 1 using 1:2 with linespoints lw 2 pt 4 + k ps 0.6 \
       lc rgb word(colours, k)
}
unset multiplot
