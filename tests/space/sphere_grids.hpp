/// @file
/// Grids of all kinds that cover the sphere, for tests of weights.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "space/cells.hpp"

namespace sphere_grids {

using Point = std::array<double, 3>;

/// Regular longitudes from `west` and latitudes.
epios::io::Cells regular(int ni, int nj, double west = 0);
/// The same corners with great circles between them: curvilinear grids and meshes of which rows are
/// parallels.
epios::io::Cells plain(int ni, int nj, double west = 0);
/// Latitudes that are close in the middle and at the poles in turn.
epios::io::Cells uneven(int ni, int nj);
/// Rows of boxes, fewer towards the poles; hanging corners.
epios::io::Cells reduced(int nj);
/// Regular in coordinates of its own whose poles lie elsewhere; great circles. Poles of the sphere
/// lie inside cells.
epios::io::Cells rotated(int ni, int nj);
/// Quadrilaterals of a cube blown up.
epios::io::Cells cubed(int n);
/// Triangles of an icosahedron whose sides are cut into n parts; `padded`: a fourth corner that is
/// the third one.
epios::io::Cells triangles(int n, bool padded = false);
/// Hexagons, and twelve pentagons, around the corners of those triangles.
epios::io::Cells hexagons(int n);
/// Few cells, each bent inwards somewhere: the faces of a cube, their edges broken.
epios::io::Cells bent(int n);

struct Named {
  std::string name;
  epios::io::Cells cells;
};
/// One of each kind, of some `size` cells along a great circle's quarter.
std::vector<Named> all(int size);

Point point_at(double lon, double lat);

}  // namespace sphere_grids
