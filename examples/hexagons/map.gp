# Draws cells as polygons on a globe. Variables: data (per cell a value, then its corners, then two empty
# lines), picture, title_text, centre (longitude).
set terminal pngcairo size 900,860 font ",13" background rgb "#fafafa"
set output picture
set title title_text
set angles degrees
unset border
unset tics
set size ratio -1
set xrange [-1.02:1.02]
set yrange [-1.02:1.02]
set view map
set style fill solid 1 border
set cblabel "kg/m²" offset 1,0
set cbtics
set cbrange [0:0.4]
set palette defined (0 "#f2efe6", 0.04 "#e8d8ae", 0.12 "#e2a850", 0.25 "#c4582c", 0.4 "#501818")
x(lon, lat) = cos(lat) * sin(lon - centre)
y(lon, lat) = sin(lat)
splot data using (x($1, $2)):(y($1, $2)):3 with polygons fillcolor palette z notitle
