# Level curves of the negative log posterior over two length-scales, with draws at temperature 1 and near zero.
#   gnuplot -d -c levels.gp DATA OUT TITLE NAME1 NAME2
# DATA: block 0 the grid, energies above the least one, a blank line between scans; blocks 1 and 2 the draws.
data = ARG1
title_text = ARG3

side = 400
head = 96
foot = 76
left = 70
gap = 40
width = left + 2 * side + gap + 24
height = head + side + foot

# As data, so that both panels can plot them over points.
set contour base
unset surface
set cntrparam levels discrete 1, 2, 4, 8, 16, 32
set cntrparam linear
set table $curves
splot data index 0 using 1:2:3
unset table
unset contour

set terminal svg noenhanced size width, height font 'sans-serif,15' background rgb 'white'
set output ARG2
set multiplot
set tmargin at screen 1.0 - head / real(height)
set bmargin at screen foot / real(height)
set xrange [-7:7]
set yrange [-7:7]
set xtics -6, 3, 6
set ytics -6, 3, 6
set xlabel ARG4
set ylabel ARG5 offset character 1.5, 0
set style textbox opaque noborder margins 0.2, 0.2
colours = '#0072B2 #D55E00'
marks = '7 9'

do for [p = 1:2] {
  set lmargin at screen (left + (p - 1) * (side + gap)) / real(width)
  set rmargin at screen (left + (p - 1) * (side + gap) + side) / real(width)
  unset label
  if (p == 1) {
    set label 1 title_text at screen left / real(width), screen 1.0 - 18.0 / height font ',17'
    set label 3 \
        'curves at 1, 2, 4, 8, 16 and 32 above the least value with the nugget at its lower bound' \
        at screen left / real(width), screen 1.0 - 44.0 / height
  }
  if (p == 2) { unset ylabel; set format y '' }
  set label 2 (p == 1 ? 'temperature 1, nugget sampled' : 'temperature let down to zero, nugget fixed') \
      at graph 0, graph 1 offset character 0.5, character 0.7
  # Labels would hide among the many points of the first panel.
  plot data index p using 1:2 with points pt int(word(marks, p)) ps 0.45 lc rgb word(colours, p), \
       $curves using 1:2 with lines lc rgb '#404040' lw 1.2, \
       $curves using 1:2:(p == 2 ? sprintf('%g', $3) : '') every 400::10 with labels boxed tc rgb '#404040'
}
unset multiplot
