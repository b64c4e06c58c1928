# Draws how high the sea came, cell by cell on earth. Variables: data (lon lat value per line, rows of cells
# apart), picture, title_text.
set terminal pngcairo size 1100,700 font ",13" background rgb "#fafafa"
set output picture
set title title_text
set xrange [-75:45]
set yrange [2:66]
set xtics 15
set ytics 15
set size ratio 0.75
set xlabel "longitude (degrees east)"
set ylabel "latitude (degrees north)"
set cblabel "m" offset 1,0
set cbrange [0:1]
set tics out nomirror
set datafile missing "NaN"
set object 1 rectangle from graph 0,0 to graph 1,1 behind fillcolor rgb "#d9d4c8" fillstyle solid noborder
set palette defined (0 "#10204c", 0.1 "#1f5c99", 0.25 "#4fb0c6", 0.45 "#f2e394", 0.7 "#f08a3c", 1 "#a01525")
set pm3d map corners2color c1
splot data using 1:2:3 with pm3d notitle
