// Cells of HEALPix are read by their numbers: their order in the file has to be that of the domain.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "../file/scratch.hpp"
#include "config/error.hpp"
#include "config/model.hpp"
#include "reading/read_source.hpp"

namespace epios::server::healpix_order_test {
namespace {

using ::testing::HasSubstr;

class HealpixOrderTest : public ::testing::Test {
 protected:
  HealpixOrderTest() {
    model_.timestep = {.hour = 1};
    model_.start_date = model_.time_origin = model_.calendar().instant({2000, 1, 1});
    config::Domain& domain = model_.domains.emplace_back();
    domain.id = "pixels";
    domain.attributes.type = "healpix";
    domain.attributes.nside = 1;
    domain.attributes.order = "ring";
    domain.attributes.ni_glo = 12;
    domain.attributes.nj_glo = 1;
    model_.grids.push_back({"one", {{config::GridElement::Kind::domain, 0}}});
    config::ReadFile& file = model_.read_files.emplace_back();
    file.id = "in";
    file.path = scratch_.file("in.nc");
    file.fields = {config::ReadFieldId(0)};
    config::ReadField& field = model_.read_fields.emplace_back();
    field.id = field.name = "v";
    field.grid = config::GridId(0);
    field.reading = {true, {.day = 1}, {}};
  }
  /// `mapping`: attributes of the grid mapping `crs`.
  void make(const std::string& mapping) {
    std::ofstream(scratch_.file("f.cdl"))
        << "netcdf f { dimensions: cell = 12 ; variables: double v(cell) ;"
        << " v:grid_mapping = \"crs\" ; int crs ; " << mapping
        << " data: v = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 ; }\n";
    const auto made = io::test::run("ncgen -k nc4 -o '" + scratch_.file("in.nc") + "' '" +
                                    scratch_.file("f.cdl") + "'");
    ASSERT_EQ(made.status, 0) << made.output;
  }
  /// The text of the error, or "read".
  std::string read() {
    try {
      ReadSource source(model_, config::ReadFileId(0), open_);
      std::vector<double> values(12, -1);
      source.read(config::ReadFieldId(0), 0, {{0}, {12}}, values);
      std::vector<double> wanted(12);
      std::iota(wanted.begin(), wanted.end(), 0.0);
      EXPECT_EQ(values, wanted);
      return "read";
    } catch (const Error& error) {
      return error.what();
    }
  }

  io::test::Scratch scratch_;
  config::Model model_;
  io::OpenFiles open_;
};

TEST_F(HealpixOrderTest, of_a_file_is_that_of_the_domain) {
  make("crs:indexing_scheme = \"nested\" ;");
  EXPECT_THAT(read(), HasSubstr("has the cells of 'v' in order nested, domain 'pixels' has order "
                                "ring (they would be read as those of other places)"));
  make("crs:healpix_order = \"nest\" ;");
  EXPECT_THAT(read(), HasSubstr("in order nested"));
  model_.domains[0].attributes.order = "nested";
  EXPECT_EQ(read(), "read");
  make("crs:healpix_order = \"ring\" ;");
  EXPECT_THAT(read(), HasSubstr("in order ring"));
}

TEST_F(HealpixOrderTest, counts_only_where_both_say_it) {
  make("");
  EXPECT_EQ(read(), "read");
  make("crs:indexing_scheme = \"nested\" ;");
  model_.domains[0].attributes.type = "unstructured";
  EXPECT_EQ(read(), "read");
}

}  // namespace
}  // namespace epios::server::healpix_order_test
