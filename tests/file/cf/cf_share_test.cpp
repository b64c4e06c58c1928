// What one writer of a file of type multiple_file has of it.
#include <algorithm>
#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

#include "cf/coordinates.hpp"
#include "cf/models.hpp"
#include "config/error.hpp"
#include "file/cf.hpp"
#include "scratch.hpp"

namespace epios::io::test::cf_share_test {
namespace {

/// Domains t of 5 and u of 2 rows, an axis that only a profile has.
config::Model two_domains(bool is_small_first = false) {
  config::Model model = empty_model();
  std::vector<std::tuple<const char*, int, int>> domains = {{"t", 4, 5}, {"u", 3, 2}};
  if (is_small_first) std::swap(domains[0], domains[1]);
  for (const auto& [name, ni, nj] : domains) {
    model.domains.push_back({name, name, {}});
    model.domains.back().attributes.ni_glo = ni;
    model.domains.back().attributes.nj_glo = nj;
  }
  model.axes.push_back({"z", "z", {}});
  model.axes[0].attributes.n_glo = 2;
  add_field(model, "on_" + model.domains[0].name, {domain_of(0)});
  add_field(model, "on_" + model.domains[1].name, {domain_of(1)});
  add_field(model, "on_z", {axis_of(0)});
  model.files[0].attributes.type = "multiple_file";
  return model;
}

/// The header of the file of writer `writer` of three.
std::string header(const config::Model& model, int writer) {
  const Scratch scratch;
  config::Model placed = model;
  placed.files[0].path = scratch.file("a.nc");
  const FilePlacement placement = place_files(placed, 3, 1 << 20)[0];
  Coordinates coordinates(placed);
  const int t = placed.domains[0].name == "t" ? 0 : 1;
  CoordinateSlab& slab = coordinates.whole_of(domain_of(t));
  slab.lon = {0, 90, 180, 270};
  slab.lat = {-60, -30, 0, 30, 60};
  coordinates.whole_of(axis_of(0)).values = {1, 2};
  std::vector<StreamPlacement> streams;
  std::vector<Box> slabs;
  for (int s = 0; s < 3; ++s) {
    streams.push_back(place_stream(placed, s, placement));
    slabs.push_back(streams.back().slabs[static_cast<std::size_t>(writer)]);
  }
  std::vector<CoordinateSlab> own = {slab, coordinates.whole_of(axis_of(0))};
  own[0].window =
      coordinate_windows(placed, domain_of(t), placement)[static_cast<std::size_t>(writer)];
  const auto first = slab.lat.begin() + own[0].window.begin[0];
  own[0].lat.assign(first, first + own[0].window.size[0]);
  CfFile described = describe_file(placed, 0, coordinates.forms(), pointers(own), streams);
  take_share(described, placed, 0, writer, 3, slabs);
  const auto file = create_netcdf4(described.spec, nullptr);
  file->seal(0);
  file->publish();
  return ncdump("", placed.files[0].path);
}

void expect_lines(const std::string& text, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    EXPECT_NE(text.find(line), std::string::npos) << line << " not in " << text;
  }
}

TEST(CfShare, each_domain_has_its_position) {
  expect_lines(header(two_domains(), 1), {"lat_t = 2 ;",
                                          "lon_t = 4 ;",
                                          "lat_u = 1 ;",
                                          "ibegin_t = 0 ;",
                                          "ni_t = 4 ;",
                                          "jbegin_t = 2 ;",
                                          "nj_t = 2 ;",
                                          "jbegin_u = 1 ;",
                                          "nj_u = 1 ;",
                                          "DOMAIN_number_total = 3 ;",
                                          "DOMAIN_number = 1 ;",
                                          "DOMAIN_size_global = 4, 5 ;",
                                          "DOMAIN_size_local = 4, 2 ;",
                                          "DOMAIN_position_first = 1, 3 ;",
                                          "DOMAIN_position_last = 4, 4 ;",
                                          "DOMAIN_number_total_u = 2 ;",
                                          "DOMAIN_size_global_u = 3, 2 ;",
                                          "DOMAIN_position_first_u = 1, 2 ;",
                                          "DOMAIN_type = \"box\" ;",
                                          " lat_t = 0, 30 ;",
                                          "lon_t = 0, 90, 180, 270 ;"});
}

// By what tools for one domain read, all files are there: of u two writers have something.
TEST(CfShare, the_position_without_a_name_is_that_of_a_domain_that_all_have) {
  for (int writer = 0; writer < 3; ++writer) {
    const std::string text = header(two_domains(true), writer);
    expect_lines(text,
                 {"DOMAIN_number_total = 3 ;", "DOMAIN_number = " + std::to_string(writer) + " ;",
                  "DOMAIN_size_global = 4, 5 ;"});
    if (writer < 2) expect_lines(text, {"DOMAIN_number_total_u = 2 ;"});
  }
}

TEST(CfShare, ids_of_dimensions_are_those_of_the_file) {
  const std::string text = header(two_domains(), 0);
  // Counted from 1: the order of ncdump is that of the ids.
  const auto place = [&](const std::string& name) {
    const auto end = text.find("\t" + name + " = ");
    return std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n') - 1;
  };
  expect_lines(text, {"DOMAIN_dimensions_ids = " + std::to_string(place("lon_t")) + ", " +
                      std::to_string(place("lat_t")) + " ;"});
}

TEST(CfShare, what_a_writer_has_nothing_of_is_not_in_its_file) {
  const config::Model model = two_domains();
  expect_lines(header(model, 0), {"float on_t(", "float on_u(", "float on_z(", "z = 2 ;"});
  const std::string last = header(model, 2);
  expect_lines(last, {"float on_t(", "lat_t = 1 ;"});
  for (const char* other : {"on_u", "on_z", "lat_u", "lon_u", "\tz = ", "DOMAIN_number_u"}) {
    EXPECT_EQ(last.find(other), std::string::npos) << other << " in " << last;
  }
}

}  // namespace
}  // namespace epios::io::test::cf_share_test
