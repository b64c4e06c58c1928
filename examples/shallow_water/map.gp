# Draws a field of cells on earth. Variables: data (lon lat value per line, rows of cells apart), picture, title_text, largest.
set terminal pngcairo size 1000,760 font ",13" background rgb "#fafafa"
set output picture
set title title_text
set size ratio 0.72
set xlabel "longitude (degrees east)"
set ylabel "latitude (degrees north)"
set cblabel "cm" offset 1,0
set cbrange [-largest:largest]
set tics out nomirror
set object 1 rectangle from graph 0,0 to graph 1,1 behind fillcolor rgb "#d9d4c8" fillstyle solid noborder
set palette defined (-1 "#10204c", -0.4 "#4fb0c6", 0 "#f4f4ec", 0.4 "#f08a3c", 1 "#a01525")
set pm3d map corners2color c1
splot data using 1:2:(100*$3) with pm3d notitle
