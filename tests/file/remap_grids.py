"""CDL of a field on triangles that cover the sphere: a list of cells with bounds, a UGRID mesh, or cells without bounds."""

import math
import sys

kind, parts = sys.argv[1], int(sys.argv[2])
triangles = []
for x in (1, -1):
    for y in (1, -1):
        for z in (1, -1):
            a, b, c = (x, 0, 0), (0, y, 0), (0, 0, z)

            def at(i, j):
                p = [(parts - i - j) * u + i * v + j * w for u, v, w in zip(a, b, c)]
                p = (0.8 * p[0] - 0.6 * p[2], p[1], 0.6 * p[0] + 0.8 * p[2])
                # No edge may run over a pole: CDO 2.1 takes such cells for others.
                turned = (p[0], 0.96 * p[1] - 0.28 * p[2], 0.28 * p[1] + 0.96 * p[2])
                length = math.sqrt(sum(u * u for u in turned))
                return tuple(u / length for u in turned)

            for i in range(parts):
                for j in range(parts - i):
                    triangles.append((at(i, j), at(i + 1, j), at(i, j + 1)))
                    if i + j + 1 < parts:
                        triangles.append((at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)))


def lon_lat(p):
    return math.degrees(math.atan2(p[1], p[0])), math.degrees(math.atan2(p[2], math.hypot(p[0], p[1])))


def middle(corners):
    return lon_lat([sum(p[k] for p in corners) for k in range(3)])


def text(values):
    return ", ".join(repr(v) for v in values)


centres = [middle(t) for t in triangles]
field = [10 + math.sin(math.radians(lat)) + math.cos(math.radians(lon)) * math.cos(math.radians(lat)) for lon, lat in centres]
count = len(triangles)
lon, lat = [c[0] for c in centres], [c[1] for c in centres]
if kind == "mesh":
    nodes = {}
    table = []
    for t in triangles:
        for p in t:
            nodes.setdefault(tuple(round(u, 9) for u in p), (len(nodes), p))
        table.append([nodes[tuple(round(u, 9) for u in p)][0] for p in t])
    points = [lon_lat(p) for _, p in nodes.values()]
    print(f"""netcdf mesh {{ dimensions: face = {count} ; node = {len(points)} ; four = 4 ;
variables: int mesh ; mesh:cf_role = "mesh_topology" ; mesh:topology_dimension = 2 ;
  mesh:node_coordinates = "node_lon node_lat" ; mesh:face_node_connectivity = "faces" ;
  double node_lon(node) ; node_lon:standard_name = "longitude" ; node_lon:units = "degrees_east" ;
  double node_lat(node) ; node_lat:standard_name = "latitude" ; node_lat:units = "degrees_north" ;
  int faces(face, four) ; faces:start_index = 1 ; faces:_FillValue = -1 ;
  double t(face) ; t:mesh = "mesh" ; t:location = "face" ;
data: node_lon = {text(p[0] for p in points)} ; node_lat = {text(p[1] for p in points)} ;
  faces = {", ".join(f"{a + 1}, {b + 1}, {c + 1}, -1" for a, b, c in table)} ;
  t = {text(field)} ; }}""")
else:
    corners = [[lon_lat(p) for p in t] for t in triangles]
    bounds = kind == "cells"
    print(f"""netcdf cells {{ dimensions: cell = {count} ; corner = 4 ;
variables: double lon(cell) ; lon:standard_name = "longitude" ; lon:units = "degrees_east" ;{' lon:bounds = "lon_bnds" ;' if bounds else ''}
  double lat(cell) ; lat:standard_name = "latitude" ; lat:units = "degrees_north" ;{' lat:bounds = "lat_bnds" ;' if bounds else ''}
  double lon_bnds(cell, corner) ; double lat_bnds(cell, corner) ;
  double t(cell) ; t:coordinates = "lon lat" ;
data: lon = {text(lon)} ; lat = {text(lat)} ;
  lon_bnds = {text(c[k][0] for c in corners for k in (0, 1, 2, 2))} ;
  lat_bnds = {text(c[k][1] for c in corners for k in (0, 1, 2, 2))} ;
  t = {text(field)} ; }}""")
