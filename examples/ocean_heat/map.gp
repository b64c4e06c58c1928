# Draws one monthly mean. Variables: data (lon lat value per line), picture, title_text.
set terminal pngcairo size 1200,640 font ",13"
set output picture
set title title_text
set xrange [20:380]
set yrange [-90:90]
set xtics 60
set ytics 30
set xlabel "longitude (degrees east)"
set ylabel "latitude (degrees north)"
set cblabel "°C" offset 1,0
set cbrange [-2:32]
set tics out nomirror
set object 1 rectangle from graph 0,0 to graph 1,1 behind fillcolor rgb "#b8b0a0" fillstyle solid noborder
set palette defined (-2 "#20306c", 3 "#2c6fb0", 9 "#5fb3c8", 15 "#a8d8b0", 20 "#f2e394", 25 "#f0a050", 29 "#d64530", 32 "#801525")
plot data using 1:2:3 with image notitle
