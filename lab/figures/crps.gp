# Box plots of the CRPS: a panel per prior, a row per system.
#   gnuplot -d -c crps.gp DATA OUT TITLE PRIORS SYSTEMS MINIMA MAXIMA SCALES
# Each panel has an axis of its own: between priors the CRPS may differ more than between systems.
# DATA has two blocks per panel. Boxes: row, quartiles, whiskers, colour, 1 for a thinned sample. Points: row, value, colour, mark.
data = ARG1
title_text = ARG3
priors = ARG4
systems = ARG5

row_height = 42
head = 96
foot = 80
gap = 78
width = 820
panel_height = words(systems) * row_height + 10
height = head + words(priors) * (panel_height + gap) - gap + foot
set terminal svg noenhanced size width, height font 'sans-serif,15' background rgb 'white'
set output ARG2

set multiplot
set lmargin at screen margin_left / real(width)
set rmargin at screen 1.0 - 90.0 / width
set yrange [-words(systems) - 0.5:-0.5]
set ytics scale 0 (word(systems, 1) -1)
do for [s = 2:words(systems)] { set ytics add (word(systems, s) -s) }
set grid x noy
half = 0.15

do for [p = 1:words(priors)] {
  top = head + (p - 1) * (panel_height + gap)
  set tmargin at screen 1.0 - top / real(height)
  set bmargin at screen 1.0 - (top + panel_height) / real(height)
  unset label
  unset object
  if (p == 1) {
    set label 1 title_text at screen margin_left / real(width), screen 1.0 - 18.0 / height font ',17'
    set object 1 rectangle at screen (margin_left + 10.0) / width, screen 1.0 - 46.0 / height \
        size screen 20.0 / width, screen 12.0 / height fc rgb '#808080' fs solid border lc rgb 'black'
    set label 2 'above: all draws (filled)' at screen (margin_left + 28.0) / width, screen 1.0 - 46.0 / height
    set object 2 rectangle at screen (margin_left + 240.0) / width, screen 1.0 - 46.0 / height \
        size screen 20.0 / width, screen 12.0 / height fc rgb '#808080' fs pattern 4 border lc rgb 'black'
    set label 3 'below: 100 of them (hollow)' at screen (margin_left + 258.0) / width, screen 1.0 - 46.0 / height
    set label 4 'median' at screen 1.0 - 82.0 / width, screen 1.0 - 84.0 / height
  }
  set label 5 (word(priors, p) eq 'default' ? 'default settings' : word(priors, p).' prior') at graph 0, graph 1 offset character 0.5, character 0.7
  maximum = real(word(ARG7, p))
  unset logscale x
  set xtics autofreq
  set xrange [real(word(ARG6, p)):maximum]
  if (p == words(priors)) { set xlabel 'CRPS (less is better; axes differ)' }
  # gnuplot's own ticks of a logarithmic axis are powers of ten: too few here.
  if (word(ARG8, p) eq 'log') {
    set logscale x
    set xtics ('1' 1)
    do for [power = -6:6] {
      do for [digit in '1 1.5 2 3 5 7'] { set xtics add (sprintf('%g', digit * 10.0**power) digit * 10.0**power) }
    }
  }
  box = 2 * p - 2
  plot data index box using 5:1:($6 - $5):(0):7 with vectors nohead lc rgb variable lw 2.5, \
       '' index box using ($8 == 0 ? $3 : NaN):1:2:4:($1 - half):($1 + half):7 with boxxyerror lc rgb variable fs solid border rgb 'black', \
       '' index box using ($8 == 1 ? $3 : NaN):1:2:4:($1 - half):($1 + half):7 with boxxyerror lc rgb variable fs pattern 4 border rgb 'black', \
       '' index box using 3:($1 - half):(0):(2 * half) with vectors nohead lc rgb 'black' lw 2.5, \
       '' index box + 1 using 2:1:4:3 with points pt variable ps 0.7 lw 1.5 lc rgb variable, \
       '' index box using (maximum):1:(sprintf('%.4g', $3)) with labels left offset character 1, 0
}
unset multiplot
