// Lists of stations as people write them: texts of spreadsheets, NetCDF, and what is neither.
#include "reading/station_list.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "config/error.hpp"
#include "file/file_facts.hpp"
#include "scratch.hpp"

namespace epios::io::station_list_test {
namespace {

using ::testing::HasSubstr;
using Names = std::vector<std::string>;
using Reals = std::vector<double>;

std::string complaint(const std::string& text) {
  try {
    stations_of_text(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(StationList, of_a_spreadsheet) {
  const auto list = stations_of_text(
      "\xEF\xBB\xBFStation;LON;Depth;Latitude\r\n"
      "# a remark\r\n"
      "\r\n"
      "\"Brest; \"\"Penfeld\"\"\"; -4.5 ;3;+48.4\r\n"
      "St. John's;1e2;;-0.5");
  EXPECT_EQ(list.names, (Names{"Brest; \"Penfeld\"", "St. John's"}));
  EXPECT_EQ(list.lon, (Reals{-4.5, 100}));
  EXPECT_EQ(list.lat, (Reals{48.4, -0.5}));
}

TEST(StationList, may_have_no_names) {
  const auto list = stations_of_text("lat\tlon\n1\t2\n3\t4\n");
  EXPECT_TRUE(list.names.empty());
  EXPECT_EQ(list.lon, (Reals{2, 4}));
  EXPECT_EQ(list.lat, (Reals{1, 3}));
}

TEST(StationList, says_what_is_wrong_in_which_line) {
  EXPECT_EQ(complaint(""), "it lists no station");
  EXPECT_EQ(complaint("lon,lat\n"), "it lists no station");
  EXPECT_EQ(complaint("1,2\n"), "line 1: no column is called lon, the first line names columns");
  EXPECT_EQ(complaint("lon,name\n"),
            "line 1: no column is called lat, the first line names columns");
  EXPECT_EQ(complaint("#\nlon,lat\n\n1,2\n3\n"), "line 5: 1 columns, the first line names 2");
  EXPECT_EQ(complaint("lon,lat\n1,2 N\n"), "line 2: '2 N' is no latitude");
  EXPECT_EQ(complaint("lon,lat\nnan,2\n"), "line 2: 'nan' is no longitude");
  EXPECT_EQ(complaint("lon,lat\n,2\n"), "line 2: '' is no longitude");
}

/// What is said of a file of the kind.
config::FileFacts looked_at(const std::string& path) {
  config::FileQuestion question{path, {}};
  question.wants_stations = true;
  return file_facts(question);
}

/// Of the format that the parameter says.
class StationFiles : public ::testing::TestWithParam<const char*> {
 protected:
  config::FileFacts of_cdl(const std::string& cdl) const {
    const std::string text = scratch_.file("list.cdl");
    const std::string path = scratch_.file("list.nc");
    std::ofstream(text) << "netcdf list {\n" << cdl << "}\n";
    const std::string command = std::string("ncgen ") + GetParam() + " -o " + path + " " + text;
    EXPECT_EQ(std::system(command.c_str()), 0);
    return looked_at(path);
  }

 private:
  test::Scratch scratch_;
};

TEST_P(StationFiles, have_names_of_characters) {
  const auto facts = of_cdl(
      "dimensions: s = 2 ; w = 6 ; variables: float x(s) ; x:standard_name = \"longitude\" ; "
      "double y(s) ; y:units = \"degrees_north\" ; char id(s, w) ; id:cf_role = "
      "\"timeseries_id\" ;\ndata: x = -4.5, 7 ; y = 48.25, 1 ; id = \"Brest\", \"C d'or\" ;");
  EXPECT_EQ(facts.error, "");
  EXPECT_EQ(facts.stations.lon, (Reals{-4.5, 7}));
  EXPECT_EQ(facts.stations.lat, (Reals{48.25, 1}));
  EXPECT_EQ(facts.stations.names, (Names{"Brest", "C d'or"}));
}

TEST_P(StationFiles, have_numbers_for_names) {
  const auto facts = of_cdl(
      "dimensions: s = 2 ; variables: float lon(s), lat(s) ; int id(s) ; id:cf_role = "
      "\"timeseries_id\" ;\ndata: lon = 1, 2 ; lat = 3, 4 ; id = 17, 18 ;");
  EXPECT_EQ(facts.error, "");
  EXPECT_EQ(facts.stations.names, (Names{"17", "18"}));
}

TEST_P(StationFiles, are_no_grids) {
  const auto facts = of_cdl(
      "dimensions: lon = 2 ; lat = 2 ; variables: float lon(lon), lat(lat) ;\n"
      "data: lon = 1, 2 ; lat = 3, 4 ;");
  EXPECT_EQ(facts.error, "'lon' and 'lat' are along different dimensions: they are of a grid");
  EXPECT_THAT(facts.suggestion, HasSubstr("name,lon,lat"));
}

TEST_P(StationFiles, have_each_coordinate) {
  EXPECT_EQ(of_cdl("dimensions: s = 2 ; variables: float lon(s) ;\ndata: lon = 1, 2 ;").error,
            "no variable along one dimension is a latitude");
  EXPECT_EQ(of_cdl("dimensions: s = 2 ; variables: float lon(s), lat(s) ; lat:_FillValue = 9.f ;\n"
                   "data: lon = 1, 2 ; lat = 3, _ ;")
                .error,
            "'lat' of station 2 is missing");
}

INSTANTIATE_TEST_SUITE_P(Formats, StationFiles, ::testing::Values("-k nc3", "-k nc4"));

TEST(StationFile, is_a_text_or_nothing) {
  const test::Scratch scratch;
  const std::string path = scratch.file("list.csv");
  EXPECT_FALSE(looked_at(scratch.file("nothing.csv")).exists);
  std::ofstream(path) << "lon,lat,name\n1,2,a\n";
  EXPECT_EQ(looked_at(path).stations.names, Names{"a"});
  std::ofstream(path) << "lon,lat,name\n1,2\n";
  const auto facts = looked_at(path);
  EXPECT_TRUE(facts.exists);
  EXPECT_EQ(facts.error, "line 2: 2 columns, the first line names 3");
}

TEST(StationList, survives_its_bytes) {
  config::FileFacts facts;
  facts.path = "x";
  facts.stations = {{1, 2}, {3, 4}, {"a", "b"}};
  const std::vector<config::FileFacts> one{facts};
  const auto back = config::decode_facts(config::encode(one));
  ASSERT_EQ(back.size(), 1U);
  EXPECT_EQ(back[0].stations.lat, facts.stations.lat);
  EXPECT_EQ(back[0].stations.names, facts.stations.names);
}

}  // namespace
}  // namespace epios::io::station_list_test
