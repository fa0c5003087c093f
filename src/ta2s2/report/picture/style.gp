# What all figures share. Systems keep their colour (Okabe and Ito's, safe for colour-blind readers) and their mark.
set encoding utf8
set datafile missing 'NaN'
margin_left = 110
set border 3 lc rgb '#404040'
set tics nomirror out scale 0.6
set grid lc rgb '#e4e4e4' lt 1 lw 1
unset key
