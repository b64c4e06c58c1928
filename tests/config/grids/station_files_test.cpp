// Lists of stations in files: what is asked, what is taken from the answers, and their mistakes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "config/check.hpp"
#include "config/definitions.hpp"
#include "config/file_facts.hpp"
#include "config/model.hpp"
#include "config/read_grids.hpp"
#include "config/stations.hpp"

namespace epios::config::station_files_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

SourceTexts texts(const std::string& attributes = "") {
  return {
      {"iodef.xml",
       "<simulation><context id='c'><calendar type='NoLeap' timestep='1h'/>\n"
       "<domain_definition><domain id='d' type='rectilinear' ni_glo='4' nj_glo='3'/>\n"
       "<domain id='s'><stations file='s.csv' " +
           attributes +
           "/></domain></domain_definition>\n"
           "<field_definition><field id='t' domain_ref='d' operation='instant'/></field_definition>"
           "<file_definition><file id='f' output_freq='1h'><field field_ref='t' "
           "domain_ref='s'/></file></file_definition></context></simulation>"}};
}

FileFacts list(std::vector<double> lon, std::vector<double> lat, std::vector<std::string> names) {
  FileFacts facts;
  facts.path = "s.csv";
  facts.exists = true;
  facts.stations = {std::move(lon), std::move(lat), std::move(names)};
  return facts;
}

/// The findings of a run, or "".
std::string complaint(const FileFacts& facts, const std::string& attributes = "") {
  Definitions definitions{Document(texts(attributes))};
  const ReadGrids grids = definitions.read_grids("c");
  EXPECT_TRUE(grids.lacks_stations);
  EXPECT_EQ(grids.files.size(), 1U);
  try {
    definitions.complete("c", grids, {&facts, 1}, {});
    definitions.resolve("c");
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(StationFiles, are_asked_for_and_make_the_domain) {
  Definitions definitions{Document(texts())};
  const ReadGrids grids = definitions.read_grids("c");
  ASSERT_EQ(grids.files.size(), 1U);
  EXPECT_EQ(grids.files[0].path, "s.csv");
  EXPECT_TRUE(grids.files[0].wants_stations);
  EXPECT_EQ(grids.time_names.size(), 1U);
  EXPECT_FALSE(grids.is_resolved);
  const std::vector<FileFacts> files{list({1, 2, 3}, {4, 5, 6}, {"a", "b", "c"})};
  EXPECT_TRUE(definitions.complete("c", grids, files, {}).empty());
  const Model model = definitions.resolve("c");
  for (const Domain& domain : model.domains) {
    if (domain.id != "s") continue;
    EXPECT_EQ(domain.attributes.ni_glo, 3);
    EXPECT_EQ(domain.attributes.type, "unstructured");
    EXPECT_EQ(domain.attributes.ni, std::nullopt);  // dealt out by the run
    ASSERT_NE(stations_of(domain), nullptr);
    EXPECT_EQ(station_names(*stations_of(domain))[1], "b");
    EXPECT_EQ(station_points(station_list(*stations_of(domain))).lat,
              (std::vector<double>{4, 5, 6}));
  }
}

TEST(StationFiles, that_are_wrong_are_named_with_their_place) {
  EXPECT_EQ(complaint(list({1}, {2}, {})), "");
  FileFacts none;
  none.path = "s.csv";
  none.folder = "/run";
  EXPECT_THAT(complaint(none), HasSubstr("iodef.xml:3:26: error: "));
  EXPECT_THAT(complaint(none),
              HasSubstr("file 's.csv' cannot be read (it does not exist in '/run')"));
  EXPECT_THAT(complaint(none), Not(HasSubstr("has no points"))) << "one cause";
  FileFacts odd = list({}, {}, {});
  odd.error = "line 2: 'x' is no latitude";
  odd.suggestion = "Is it a list?";
  EXPECT_THAT(complaint(odd), HasSubstr("file 's.csv' is no list of stations (line 2: 'x' is no "
                                        "latitude). Is it a list?"));
  EXPECT_THAT(complaint(list({1, 2}, {2, 99}, {})), HasSubstr("file 's.csv': error: "));
  EXPECT_THAT(complaint(list({1, 2}, {2, 99}, {})),
              HasSubstr("value 99 (of point 2) is no latitude"));
  EXPECT_THAT(complaint(list({1, 2}, {2, 3}, {"a", "a"})), HasSubstr("are both called 'a'"));
  EXPECT_THAT(complaint(list({1, 2}, {2, 3}, {"a", ""})), HasSubstr("station 2 has no name"));
  EXPECT_THAT(complaint(list({1}, {2}, {}), "section='true'"),
              HasSubstr("a section has two points at least"));
}

TEST(StationFiles, may_come_later_than_a_check) {
  const auto nothing = [](const std::vector<FileQuestion>& questions) {
    std::vector<FileFacts> out;
    for (const FileQuestion& question : questions) out.emplace_back().path = question.path;
    return out;
  };
  std::string notes;
  for (const Diagnostic& finding : check(texts(), {}, nothing)) {
    EXPECT_EQ(finding.severity, Severity::note) << finding.text();
    notes += finding.text();
  }
  EXPECT_THAT(notes, HasSubstr("It may be there when the model runs."));
  // Would have found that the model was asked for ni_glo, which the file has.
  EXPECT_THAT(notes, Not(HasSubstr("has no points")));
}

TEST(Stations, of_a_section_lie_on_great_circles) {
  const StationList list{{0, 90, 100}, {0, 0, 0}, true, 1000};
  const StationPoints points = station_points(list);
  ASSERT_EQ(points.lon.size(), 1 + 11 + 2U);
  EXPECT_EQ(count_of_points(list), 14);
  EXPECT_NEAR(points.lon[1], 90 / 11.0, 1e-12);
  EXPECT_NEAR(points.distance_km.back(), 6371.229 * 100 / 180 * 3.14159265358979, 1e-6);
  const StationPoints around = station_points({{350, 370}, {10, 10}, true, 300});
  EXPECT_GT(around.lat[around.lat.size() / 2], 10);  // no parallel
  for (std::size_t k = 1; k < around.lon.size(); ++k) EXPECT_GT(around.lon[k], around.lon[k - 1]);
}

}  // namespace
}  // namespace epios::config::station_files_test
