#include "output.hpp"

#include <stdexcept>
#include <string>
#include <vector>

namespace ocean {
namespace {

/// Edges of regular cells, (lower, upper) per cell.
std::vector<double> edges(const std::vector<double>& centres, double width) {
  std::vector<double> out;
  for (const double centre : centres) {
    out.push_back(centre - width / 2);
    out.push_back(centre + width / 2);
  }
  return out;
}

}  // namespace

void define_output(epios::client::Context& context, const Options& options, const Grid& grid,
                   const Rows& rows) {
  context.set("context", "", "output_dir", options.output.string());
  context.set("calendar", "", "timestep", std::to_string(options.timestep_hours) + "h");

  const auto domain = [&context](const char* attribute, const auto& value) {
    context.set("domain", "ocean_grid", attribute, value);
  };
  domain("ni_glo", grid.ni);
  domain("nj_glo", grid.nj);
  domain("ibegin", 0);
  domain("ni", grid.ni);
  domain("jbegin", rows.begin);
  domain("nj", rows.count);
  // Arrays come with one halo cell on each side.
  domain("data_dim", 2);
  domain("data_ibegin", -1);
  domain("data_ni", grid.ni + 2);
  domain("data_jbegin", -1);
  domain("data_nj", rows.count + 2);

  const auto south = grid.lat.begin() + rows.begin;
  const std::vector<double> lat(south, south + rows.count);
  const double width = grid.step_degrees();
  domain("lonvalue_1d", grid.lon);
  domain("latvalue_1d", lat);
  const std::vector<double> lon_edges = edges(grid.lon, width);
  const std::vector<double> lat_edges = edges(lat, width);
  context.set("domain", "ocean_grid", "bounds_lon_1d", lon_edges, {2, grid.ni});
  context.set("domain", "ocean_grid", "bounds_lat_1d", lat_edges, {2, rows.count});

  const auto first = grid.wet.begin() + static_cast<std::ptrdiff_t>(rows.begin) * grid.ni;
  const std::vector<unsigned char> mask(first,
                                        first + static_cast<std::ptrdiff_t>(rows.count) * grid.ni);
  context.set("domain", "ocean_grid", "mask_2d", mask, {grid.ni, rows.count});
}

double parameter(const epios::client::Context& context, const char* id, double otherwise) {
  const auto text = context.variable(id);
  if (!text) return otherwise;
  try {
    return std::stod(*text);
  } catch (const std::logic_error&) {
    throw std::runtime_error("variable " + std::string(id) + " of the XML is \"" + *text +
                             "\" (not a number). Write one, as in 30.5.");
  }
}

}  // namespace ocean
