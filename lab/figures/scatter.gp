# Strips of draws of the length-scales: a panel per system, the maximum of the posterior in black.
#   gnuplot -d -c scatter.gp DATA OUT TITLE SYSTEMS INPUTS MINIMUM MAXIMUM
# DATA has two blocks per panel. Points: position, log phi, colour, mark. Quantiles: position, 5, 25, 75 and 95%.
# A last block has the maximum: position, log phi.
data = ARG1
title_text = ARG3
systems = ARG4
inputs = ARG5

panel_height = 170
head = 96
foot = 76
gap = 40
width = 820
height = head + words(systems) * (panel_height + gap) - gap + foot
set terminal svg noenhanced size width, height font 'sans-serif,15' background rgb 'white'
set output ARG2

set multiplot
set lmargin at screen 80.0 / width
set rmargin at screen 1.0 - 20.0 / width
set xrange [0.5:words(inputs) + 0.5]
set yrange [real(ARG6):real(ARG7)]
set ytics autofreq
set grid y nox
set ylabel 'log φ' offset character 1.5, 0
set xtics scale 0 ('' 1)

do for [s = 1:words(systems)] {
  top = head + (s - 1) * (panel_height + gap)
  set tmargin at screen 1.0 - top / real(height)
  set bmargin at screen 1.0 - (top + panel_height) / real(height)
  unset label
  if (s == 1) {
    set label 1 title_text at screen 80.0 / width, screen 1.0 - 18.0 / height font ',17'
    set label 2 'black: the maximum of the posterior; grey: 5, 25, 75 and 95% of all draws' \
        at screen 80.0 / width, screen 1.0 - 44.0 / height
  }
  set label 5 word(systems, s) at graph 0, graph 1 offset character 0.5, character 0.7
  if (s == words(systems)) {
    set xtics scale 0 (word(inputs, 1) 1)
    do for [d = 2:words(inputs)] { set xtics add (word(inputs, d) d) }
    set xlabel 'input'
  }
  block = 2 * s - 2
  plot data index block using 1:2:4:3 with points pt variable ps 0.5 lc rgb variable, \
       '' index block + 1 using ($1 + 0.32):2:(0):($5 - $2) with vectors nohead lc rgb '#808080' lw 1.5, \
       '' index block + 1 using ($1 + 0.32):3:(0):($4 - $3) with vectors nohead lc rgb '#808080' lw 6, \
       '' index 2 * words(systems) using ($1 - 0.33):2:(0.54):(0) with vectors nohead lc rgb 'black' lw 2
}
unset multiplot
