# Draws sea and sky of one day. Variables: sea, heat (lon lat value per line), winds (lon lat u v per line),
# picture, title_text.
set terminal pngcairo size 1200,1220 font ",13"
set output picture
set multiplot layout 2,1 title title_text
set xrange [20:380]
set yrange [-90:90]
set xtics 60
set ytics 30
set ylabel "latitude (degrees north)"
set tics out nomirror
set object 1 rectangle from graph 0,0 to graph 1,1 behind fillcolor rgb "#b8b0a0" fillstyle solid noborder
set title "temperature of the sea (ocean, 2°) and wind (atmosphere, 6° x 4°)"
set cblabel "°C" offset 1,0
set cbrange [-2:32]
set palette defined (-2 "#20306c", 3 "#2c6fb0", 9 "#5fb3c8", 15 "#a8d8b0", 20 "#f2e394", 25 "#f0a050", 29 "#d64530", 32 "#801525")
plot sea using 1:2:3 with image notitle, \
     winds using 1:2:($3*0.8):($4*0.8) with vectors head size 1.2,25 filled linecolor rgb "#202020" linewidth 1 notitle
set xlabel "longitude (degrees east)"
set title "heat into the sea, worked out by the atmosphere, as the ocean receives it"
set cblabel "W/m²" offset 1,0
set cbrange [-40:40]
set palette defined (-40 "#20408c", -20 "#6a9bd0", 0 "#f4f2ec", 20 "#e08a60", 40 "#962020")
plot heat using 1:2:3 with image notitle
unset multiplot
