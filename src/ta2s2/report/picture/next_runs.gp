# A criterion over one or two inputs, the runs so far and the runs chosen next.
#   gnuplot -d -c next_runs.gp DATA OUT TITLE NAME1 [NAME2]
# DATA: block 0 the criterion on a grid; block 1 the runs, block 2 the chosen points, in their order.
data = ARG1
two = (ARGC == 5)
set terminal svg noenhanced size 640, (two ? 620 : 420) font 'sans-serif,15' background rgb 'white'
set output ARG2
set title ARG3
set xlabel ARG4
set key outside bottom center horizontal
set lmargin 10
if (two) {
  unset grid
  set ylabel ARG5
  set palette defined (0 '#ffffff', 0.5 '#9ecae1', 1 '#08519c')
  set autoscale xfix
  set autoscale yfix
  set size ratio 1
  plot data index 0 using 1:2:3 with image notitle, \
       data index 1 using 1:2 with points pt 7 ps 0.6 lc rgb '#404040' title 'runs', \
       data index 2 using 1:2 with points pt 7 ps 1.4 lc rgb '#D55E00' title 'next runs', \
       data index 2 using 1:2:(sprintf('%d', $0 + 1)) with labels offset character 1.2, 0.7 tc rgb '#D55E00' notitle
} else {
  set yrange [0:*]
  set ylabel 'criterion'
  plot data index 0 using 1:2 with lines lw 2 lc rgb '#0072B2' notitle, \
       data index 1 using 1:(0) with points pt 7 ps 0.7 lc rgb '#404040' title 'runs', \
       data index 2 using 1:(0) with points pt 9 ps 1.4 lc rgb '#D55E00' title 'next runs', \
       data index 2 using 1:(0):(sprintf('%d', $0 + 1)) with labels offset character 0, 1.2 tc rgb '#D55E00' notitle
}
