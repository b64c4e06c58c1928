// What local parts of axes and domains may look like.
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "sample.hpp"

namespace epios::config::layout_test {
namespace {

/// The errors of a context with one field on `element`; lines count from 2.
std::string errors(const std::string& element) {
  const std::string kind = element.substr(1, element.find(' ') - 1);
  return test::errors(test::in_context("<" + kind + "_definition>\n" + element + "</" + kind +
                                       "_definition><file_definition><file id='f' "
                                       "output_freq='1d'><field id='a' operation='instant' " +
                                       kind + "_ref='e'/></file></file_definition>"));
}

std::string axis(const std::string& attributes) {
  return errors("<axis id='e' " + attributes + "/>");
}

std::string domain(const std::string& attributes) {
  return errors("<domain id='e' type='rectilinear' ni_glo='4' nj_glo='3' " + attributes + "/>");
}

TEST(AxisLayout, may_be_whole_partial_or_empty) {
  EXPECT_EQ(axis("n_glo='4'"), "");
  EXPECT_EQ(axis("n_glo='4' begin='1' n='3' value='(0,2)[1 2 3]' data_begin='-1' data_n='5'"), "");
  EXPECT_EQ(axis("n_glo='4' begin='4' n='0'"), "");
  EXPECT_EQ(axis("n_glo='2' bounds='(0,1) x (0,1)[0 1 1 2]' mask='(0,1)[yes no]'"), "");
}

TEST(AxisLayout, needs_a_global_size) {
  EXPECT_EQ(axis("unit='m'"),
            "iodef.xml:3:1: error: axis 'e' has no n_glo (the global size is mandatory). Set n_glo "
            "in XML or from the model.");
  EXPECT_EQ(axis("n_glo='0'"),
            "iodef.xml:3:14: error: axis 'e' has 0 as n_glo (the global size is mandatory). Set "
            "n_glo in XML or from the model.");
  EXPECT_EQ(axis("n_glo='-1'"),
            "iodef.xml:3:14: error: attribute 'n_glo' of axis 'e' (-1 is not a size from 1 to "
            "2147483647).");
}

TEST(AxisLayout, needs_begin_and_n_together) {
  EXPECT_EQ(axis("n_glo='4' begin='1'"),
            "iodef.xml:3:24: error: attribute 'begin' of axis 'e' (it is given without 'n'). Give "
            "both, or none for the whole range.");
  EXPECT_EQ(axis("n_glo='4' n='1'"),
            "iodef.xml:3:24: error: attribute 'n' of axis 'e' (it is given without 'begin'). Give "
            "both, or none for the whole range.");
}

TEST(AxisLayout, stays_in_the_global_range) {
  EXPECT_EQ(axis("n_glo='10' begin='8' n='5'"),
            "iodef.xml:3:35: error: attribute 'n' of axis 'e' (the local part leaves the global "
            "range: begin 8, n 5, n_glo 10).");
  EXPECT_EQ(
      axis("n_glo='10' begin='-1' n='5'"),
      "iodef.xml:3:25: error: attribute 'begin' of axis 'e' (the local part leaves the global "
      "range: begin -1, n 5, n_glo 10).");
  EXPECT_EQ(
      axis("n_glo='10' begin='11' n='0'"),
      "iodef.xml:3:25: error: attribute 'begin' of axis 'e' (the local part leaves the global "
      "range: begin 11, n 0, n_glo 10).");
  EXPECT_NE(axis("n_glo='10' begin='9223372036854775807' n='9223372036854775807'"), "");
  EXPECT_NE(axis("n_glo='10' begin='0' n='-1'"), "");
}

TEST(AxisLayout, names_expected_and_received_counts) {
  EXPECT_EQ(axis("n_glo='4' begin='0' n='2' value='(0,2)[1 2 3]'"),
            "iodef.xml:3:40: error: attribute 'value' of axis 'e' (expected 2 values (n), received "
            "3).");
  EXPECT_EQ(
      axis("n_glo='2' bounds='(0,1) x (0,0)[1 2]' mask='(0,0)[n]'"),
      "iodef.xml:3:24: error: attribute 'bounds' of axis 'e' (expected the shape 2 x 2 (2, n), "
      "received 2 x 1).\n"
      "iodef.xml:3:52: error: attribute 'mask' of axis 'e' (expected 2 values (n), received "
      "1).");
}

TEST(AxisLayout, has_lower_and_upper_bounds_in_the_first_dimension) {
  EXPECT_EQ(
      axis("n_glo='3' bounds='(0,2) x (0,1)[0 1 1 2 2 3]'"),
      "iodef.xml:3:24: error: attribute 'bounds' of axis 'e' (expected the shape 2 x 3 (2, n), "
      "received 3 x 2).");
  EXPECT_EQ(
      domain("bounds_lon_1d='(0,3) x (0,1)[0 1 1 2 2 3 3 4]'"),
      "iodef.xml:3:57: error: attribute 'bounds_lon_1d' of domain 'e' (expected the shape 2 x "
      "4 (2, ni), received 4 x 2).");
}

TEST(AxisLayout, has_an_offset_or_positions) {
  EXPECT_EQ(axis("n_glo='3' data_begin='0' data_index='(0,1)[0 2]'"), "");
  EXPECT_EQ(axis("n_glo='3' data_begin='-1' data_index='(0,1)[0 2]'"),
            "iodef.xml:3:24: error: attribute 'data_begin' of axis 'e' (it is -1 beside "
            "'data_index'). Add it to the values of data_index, or leave it out.");
  EXPECT_EQ(domain("data_dim='2' data_jbegin='-1' data_i_index='(0,0)[0]' data_j_index='(0,0)[0]'"),
            "iodef.xml:3:70: error: attribute 'data_jbegin' of domain 'e' (it is -1 beside "
            "'data_j_index'). Add it to the values of data_j_index, or leave it out.");
}

TEST(DomainLayout, has_corners_of_cells_of_any_kind) {
  const std::string corners = "='(0,0) x (0,0) x (0,0)[1]'";
  EXPECT_EQ(
      domain("bounds_lon_2d" + corners),
      "iodef.xml:3:57: error: attribute 'bounds_lon_2d' of domain 'e' (nvertex is not given). "
      "Add nvertex=\"4\"?");
  EXPECT_EQ(
      domain("nvertex='4' bounds_lat_2d" + corners),
      "iodef.xml:3:69: error: attribute 'bounds_lat_2d' of domain 'e' (expected the shape 4 x "
      "4 x 3 (nvertex, ni, nj), received 1 x 1 x 1).");
  EXPECT_NE(domain("nvertex='1000001'"), "");
  EXPECT_EQ(errors("<domain id='e' type='unstructured' ni_glo='1' nvertex='3' "
                   "bounds_lon_1d='(0,2) x (0,0)[1 2 3]'/>"),
            "iodef.xml:3:59: error: attribute 'bounds_lon_1d' of domain 'e' (it is given without "
            "'bounds_lat_1d'). Give both, or none.");
}

// Would have found that cells which are listed could not have the bounds that files and partners
// give to each.
TEST(DomainLayout, listed_cells_may_have_bounds_of_columns_and_rows) {
  const std::string cells = "ni='3' nj='1' i_index='(0,2)[3 0 1]' j_index='(0,2)[0 2 1]' ";
  const std::string lon = "bounds_lon_1d='(0,1)x(0,2)[30 40 0 10 10 20]' ";
  const std::string lat = "bounds_lat_1d='(0,1)x(0,2)[-90 -30 30 90 -30 30]'";
  EXPECT_EQ(domain(cells + lon + lat), "");
  EXPECT_EQ(domain(cells + lon + lat + " nvertex='4'"), "");
  EXPECT_EQ(domain(cells + lat), "");
  EXPECT_NE(domain(cells + lon + "bounds_lat_1d='(0,2)x(0,1)[-90 -30 30 90 -30 30]'"), "");
  EXPECT_NE(domain(lon + lat), "") << "of a block";
}

TEST(DomainLayout, has_sizes_that_can_be_multiplied) {
  EXPECT_EQ(domain("ni='4294967296' nj='4294967296' i_index='(0,0)[0]' j_index='(0,0)[0]'"),
            "iodef.xml:3:57: error: attribute 'ni' of domain 'e' (4294967296 is not a size).");
  EXPECT_EQ(domain("data_dim='2' data_ni='4294967296' data_nj='4294967297' data_i_index='(0,0)[0]' "
                   "data_j_index='(0,0)[0]'"),
            "iodef.xml:3:70: error: attribute 'data_ni' of domain 'e' (4294967296 is not a size).");
}

TEST(DomainLayout, may_be_whole_or_partial) {
  EXPECT_EQ(domain(""), "");
  EXPECT_EQ(domain("ibegin='1' ni='2' jbegin='0' nj='3' data_dim='2' data_ibegin='-1' data_ni='4' "
                   "lonvalue_1d='(0,1)[0 1]' latvalue_1d='(0,2)[0 1 2]' "
                   "mask_2d='(0,1) x (0,2)[y n y n y n]'"),
            "");
}

TEST(DomainLayout, fills_in_what_is_not_given) {
  const auto attributes = [](const std::string& text) {
    return test::model(test::in_context(
                           "<domain_definition><domain id='e' type='rectilinear' ni_glo='4' "
                           "nj_glo='3' " +
                           text +
                           "/></domain_definition><file_definition><file id='f' output_freq='1d'>"
                           "<field id='a' operation='instant' domain_ref='e'/></file>"
                           "</file_definition>"))
        .domains.at(0)
        .attributes;
  };
  const DomainAttributes flat = attributes("jbegin='1' nj='2'");
  EXPECT_EQ(flat.ibegin, 0);
  EXPECT_EQ(flat.ni, 4);
  EXPECT_EQ(flat.jbegin, 1);
  EXPECT_EQ(flat.nj, 2);
  EXPECT_EQ(flat.data_dim, 1);
  EXPECT_EQ(flat.data_ni, 8);
  const DomainAttributes two = attributes("data_dim='2'");
  EXPECT_EQ(two.data_ni, 4);
  EXPECT_EQ(two.data_nj, 3);
}

TEST(DomainLayout, needs_type_and_sizes) {
  EXPECT_EQ(errors("<domain id='e' ni_glo='4'/>"),
            "iodef.xml:3:1: error: domain 'e' has no type (the kind of horizontal grid is "
            "mandatory). Add type=\"rectilinear\".\n"
            "iodef.xml:3:1: error: domain 'e' has no nj_glo (the global size is mandatory). Set "
            "nj_glo in XML or from the model.");
}

TEST(DomainLayout, names_what_is_wrong) {
  EXPECT_EQ(domain("ibegin='2' ni='3'"),
            "iodef.xml:3:68: error: attribute 'ni' of domain 'e' (the local part leaves the global "
            "range: ibegin 2, ni 3, ni_glo 4).");
  EXPECT_EQ(domain("nj='3'"),
            "iodef.xml:3:57: error: attribute 'nj' of domain 'e' (it is given without 'jbegin'). "
            "Give both, or none for the whole range.");
  EXPECT_EQ(domain("latvalue_1d='(0,3)[0 1 2 3]'"),
            "iodef.xml:3:57: error: attribute 'latvalue_1d' of domain 'e' (expected 3 values (nj), "
            "received 4).");
  EXPECT_EQ(domain("mask_1d='(0,10)[y y y y y y y y y y y]'"),
            "iodef.xml:3:57: error: attribute 'mask_1d' of domain 'e' (expected 12 values (ni x "
            "nj), received 11).");
}

TEST(DomainLayout, an_error_in_an_array_set_by_the_model_names_the_call) {
  Definitions definitions = test::definitions(test::sample_xml);
  definitions.set("ocean", ElementKind::domain, "globe", "lonvalue_1d", value::reals{{1, 2}, {2}},
                  "epios_set_reals(domain 'globe', 'lonvalue_1d')");
  try {
    definitions.resolve("ocean");
    FAIL() << "no error";
  } catch (const ConfigError& error) {
    EXPECT_EQ(test::without_codes(error.what()),
              "API call epios_set_reals(domain 'globe', 'lonvalue_1d'): error: attribute "
              "'lonvalue_1d' of domain 'globe' (expected 8 values (ni), received 2).");
  }
}

/// One tile of 2 x 3 cells, and what `more` says of it.
std::string tiled(const std::string& more) {
  const std::string text = domain("data_dim='2' ntiles='1' " + more);
  const std::size_t place = text.find("attribute ");
  return place == std::string::npos ? text : text.substr(place);
}

/// Of a domain of two points, the second of which nobody has.
std::string errors_of_gap(const std::string& call) {
  Definitions definitions = test::definitions(test::in_context(
      "<domain_definition><domain id='e' type='unstructured' ni_glo='2'/></domain_definition>"
      "<file_definition><file id='f' output_freq='1d'><field id='a' operation='instant' "
      "domain_ref='e'/></file></file_definition>"));
  const value::reals gap{{1, std::numeric_limits<double>::quiet_NaN()}, {2}};
  for (const char* name : {"lonvalue_1d", "latvalue_1d"}) {
    definitions.set("ocean", ElementKind::domain, "e", name, gap, call);
  }
  try {
    definitions.resolve("ocean");
  } catch (const Error& error) {
    return test::without_codes(error.what());
  }
  return "";
}

TEST(DomainLayout, coordinates_may_lack_where_they_come_from_files_and_partners) {
  EXPECT_NE(errors_of_gap("epios_set_doubles(domain 'e', 'lonvalue_1d')")
                .find("API call epios_set_doubles(domain 'e', 'lonvalue_1d'): error: attribute "
                      "'lonvalue_1d' of domain 'e' (value 1 is nan)"),
            std::string::npos)
      << errors_of_gap("epios_set_doubles(domain 'e', 'lonvalue_1d')");
  EXPECT_EQ(errors_of_gap("file 'grid.nc' (variable 'lon')"), "");
  EXPECT_EQ(errors_of_gap("context 'atm::sky' (field 'wind')"), "");
}

TEST(DomainLayout, tiles_lie_in_the_local_part) {
  const std::string box = "tile_jbegin='(0,0)[0]' tile_nj='(0,0)[3]' ";
  EXPECT_EQ(tiled(box + "tile_ibegin='(0,0)[2]' tile_ni='(0,0)[2]'"), "");
  EXPECT_EQ(
      tiled(box + "tile_ibegin='(0,0)[3]' tile_ni='(0,0)[2]'"),
      "attribute 'tile_ibegin' of domain 'e' (tile 0 is outside its domain: tile_ibegin 3 and "
      "tile_ni 2 with ni 4).");
  EXPECT_EQ(
      tiled(box + "tile_ibegin='(0,0)[0]'"),
      "attribute 'tile_ni' of domain 'e' (it is missing, and ntiles is given). Give one number "
      "per tile.");
  EXPECT_EQ(tiled(box + "tile_ibegin='(0,0)[0]' tile_ni='(0,1)[2 2]'"),
            "attribute 'tile_ni' of domain 'e' (expected 1 values (ntiles), received 2).");
  EXPECT_EQ(tiled(box + "tile_ibegin='(0,0)[0]' tile_ni='(0,0)[2]' tile_data_ni='(0,0)[-1]'"),
            "attribute 'tile_data_ni' of domain 'e' (-1 is not a size).");
  EXPECT_NE(
      tiled(box + "tile_ibegin='(0,0)[9223372036854775807]' tile_ni='(0,0)[9223372036854775807]'"),
      "");
  EXPECT_NE(tiled(box + "tile_ibegin='(0,0)[0]' tile_ni='(0,0)[2]' tile_data_ni='(0,0)[9999999]'"),
            "");
  EXPECT_EQ(domain("data_dim='2' ntiles='2' tile_ibegin='(0,1)[0 1]' tile_ni='(0,1)[2 3]' "
                   "tile_jbegin='(0,1)[0 2]' tile_nj='(0,1)[2 1]'"),
            "");
  EXPECT_EQ(domain("data_dim='2' ntiles='2' tile_ibegin='(0,1)[0 1]' tile_ni='(0,1)[2 3]' "
                   "tile_jbegin='(0,1)[0 1]' tile_nj='(0,1)[2 2]'"),
            "iodef.xml:3:81: error: attribute 'tile_ibegin' of domain 'e' (tiles 0 and 1 both have "
            "cell (1, 1)). Give each cell to one tile.");
  EXPECT_EQ(domain("tile_ni='(0,0)[2]'"),
            "iodef.xml:3:57: error: attribute 'tile_ni' of domain 'e' (it is given without "
            "'ntiles'). Give ntiles, too.");
  EXPECT_EQ(tiled("data_i_index='(0,1)[0 1]' data_j_index='(0,1)[0 1]'"),
            "attribute 'ntiles' of domain 'e' (tiles are parts of an array of two dimensions). Set "
            "data_dim=\"2\", without data_i_index.");
}

TEST(ScalarLayout, has_two_bounds) {
  EXPECT_EQ(errors("<scalar id='e' bounds='(0,0)[1]'/>"),
            "iodef.xml:3:16: error: attribute 'bounds' of scalar 'e' (expected 2 values (lower and "
            "upper), received 1).");
}

}  // namespace
}  // namespace epios::config::layout_test
