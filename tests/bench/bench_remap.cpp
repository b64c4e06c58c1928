// Weights between grids: bench_remap SOURCE TARGET THREADS [ORDER]. Grids are regular (360x180) or
// the same with poles elsewhere (turned360x180), for which there are great circles alone.
// run_remap.sh compares with CDO.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <string>
#include <vector>

#include "measuring.hpp"
#include "space/weights.hpp"

namespace {

using epios::io::Cells;

Cells turned(int ni, int nj) {
  constexpr double degrees = 180 / std::numbers::pi;
  Cells cells;
  cells.offsets.push_back(0);
  for (int j = 0; j < nj; ++j) {
    for (int i = 0; i < ni; ++i) {
      for (const auto& [a, b] :
           {std::pair(0, 0), std::pair(1, 0), std::pair(1, 1), std::pair(0, 1)}) {
        const double lon = 360.0 * ((i + a) % ni) / ni / degrees;
        const double lat = (-90 + 180.0 * (j + b) / nj) / degrees;
        const double x = std::cos(lat) * std::cos(lon);
        const double y = std::cos(lat) * std::sin(lon);
        const double z = std::sin(lat);
        constexpr double s = 0.6;
        constexpr double c = 0.8;
        cells.lon.push_back(std::atan2(y, c * x - s * z) * degrees);
        cells.lat.push_back(std::asin(s * x + c * z) * degrees);
      }
      cells.offsets.push_back(static_cast<std::int64_t>(cells.lon.size()));
    }
  }
  return cells;
}

Cells grid(const std::string& name) {
  int ni = 0;
  int nj = 0;
  const bool is_turned = name.starts_with("turned");
  if (std::sscanf(name.c_str() + (is_turned ? 6 : 0), "%dx%d", &ni, &nj) != 2 || ni < 1 || nj < 1) {
    fmt::print(stderr, "bench_remap: no grid '{}' (as in 360x180 or turned360x180)\n", name);
    std::exit(2);
  }
  if (is_turned) return turned(ni, nj);
  std::vector<double> lon;
  std::vector<double> lat;
  for (int i = 0; i < ni; ++i) lon.insert(lon.end(), {360.0 * i / ni, 360.0 * (i + 1) / ni});
  for (int j = 0; j < nj; ++j)
    lat.insert(lat.end(), {-90 + 180.0 * j / nj, -90 + 180.0 * (j + 1) / nj});
  return epios::io::rectilinear_cells(lon, lat);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4 || argc > 5) {
    fmt::print(stderr, "usage: bench_remap SOURCE TARGET THREADS [ORDER]\n");
    return 2;
  }
  const Cells source = grid(argv[1]);
  const Cells target = grid(argv[2]);
  epios::io::RemapOptions options;
  options.threads = std::atoi(argv[3]);
  options.order = argc > 4 ? std::atoi(argv[4]) : 1;
  const auto start = bench::Clock::now();
  const epios::io::Weights weights = epios::io::make_weights(source, target, options);
  bench::print("seconds", bench::seconds_since(start));
  bench::print("weights", static_cast<double>(weights.weight.size()));
  return 0;
}
