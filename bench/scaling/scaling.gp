# Efficiency over ranks, a curve per fit.    gnuplot -d -c scaling.gp DATA OUT NAMES
# DATA has a block per curve: ranks, efficiency in per cent. NAMES are separated by |.
data = ARG1
names = ARG3
set terminal svg noenhanced size 820, 460 font 'sans-serif,15' background rgb 'white'
set output ARG2
colours = '#0072B2 #D55E00 #009E73 #CC79A7 #E69F00'
set lmargin at screen 0.1
set rmargin at screen 0.66
set logscale x 2
set xrange [1:1024]
set yrange [0:105]
set xtics (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
set xlabel 'ranks (simulated)'
set ylabel 'efficiency, %' offset character 1, 0
set arrow 1 from 1, 80 to 1024, 80 nohead lc rgb '#808080' dt 2
set key at screen 0.99, screen 0.9 right top reverse Left
rest = names
array label[8]
count = 0
while (strlen(rest) > 0) {
  cut = strstrt(rest, '|')
  count = count + 1
  label[count] = cut > 0 ? rest[1:cut - 1] : rest
  rest = cut > 0 ? rest[cut + 1:*] : ''
}
plot for [k = 1:count] data index k - 1 using 1:2 with linespoints lw 2 pt 4 + k ps 0.7 lc rgb word(colours, k) title label[k]
