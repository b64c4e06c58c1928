// Configurations of the size and kind that models of ocean, atmosphere and land use: nothing in
// them is a mistake, and what a month of them would write is what their authors would expect.
#include <gtest/gtest.h>

#include <algorithm>

#include "config/plan.hpp"
#include "sample.hpp"

namespace epios::config {
namespace {

SourceTexts sources_of(const std::string& model) {
  return read_sources(std::string(EPIOS_TEST_FOLDER "/realistic/") + model + "/iodef.xml");
}

Plan month_of(const std::string& model, const std::string& context) {
  const Definitions definitions{Document(sources_of(model))};
  return plan(definitions.resolve(context, Purpose::plan), Duration::parse("1mo"));
}

/// Records of 4 byte values: `points` of all fields together.
void expect_file(const Plan& plan, const std::string& id, const std::string& path,
                 std::int64_t records, std::size_t fields, std::int64_t points) {
  SCOPED_TRACE(id);
  const auto file = std::find_if(plan.files.begin(), plan.files.end(),
                                 [&](const PlannedFile& f) { return f.id == id; });
  ASSERT_NE(file, plan.files.end());
  EXPECT_EQ(file->records, records);
  EXPECT_EQ(file->fields.size(), fields);
  std::int64_t bytes_per_record = 0;
  for (const PlannedField& field : file->fields) {
    EXPECT_EQ(field.records, records) << field.name;
    bytes_per_record += field.record_bytes;
  }
  EXPECT_EQ(bytes_per_record, 4 * points);
  // Times are a few numbers for each record.
  EXPECT_GE(file->bytes, records * 4 * points);
  EXPECT_LE(file->bytes, records * (4 * points + 72));
  ASSERT_EQ(file->parts.size(), records == 0 ? 0U : 1U);
  if (records > 0) {
    EXPECT_EQ(file->parts[0].path, path);
  }
}

void expect_nothing_wrong(const std::string& model, std::size_t fields, std::size_t files) {
  const Checked checked = check_and_resolve(sources_of(model));
  for (const Diagnostic& finding : checked.findings) {
    EXPECT_EQ(finding.severity, Severity::note) << finding.text();
  }
  ASSERT_EQ(checked.models.size(), 1U);
  const Model& resolved = checked.models[0];
  EXPECT_GE(resolved.sources.size() + resolved.known_fields.size(), fields);
  EXPECT_EQ(resolved.files.size(), files);
}

TEST(Realistic, configurations_hold_no_mistake) {
  expect_nothing_wrong("ocean", 380, 21);
  expect_nothing_wrong("atmosphere", 320, 9);
  expect_nothing_wrong("land", 190, 14);
}

TEST(Realistic, month_of_an_ocean) {
  const Plan plan = month_of("ocean", "nemo");
  EXPECT_EQ(plan.steps, 31 * 32);
  constexpr std::int64_t layer = 362 * 332;
  // Three fields of 75 levels, ten of one.
  expect_file(plan, "file11", "output/eORCA1_5d_grid_T.nc", 6, 13, layer * (3 * 75 + 10));
  expect_file(plan, "file12", "output/eORCA1_5d_grid_U.nc", 6, 6, layer * (3 * 75 + 3));
  expect_file(plan, "file52", "output/eORCA1_1d_icemod_200001-200001.nc", 31, 6, layer * 6);
  expect_file(plan, "file02", "output/eORCA1_1d_web_200001-200001.nc", 31, 2, 360 * 180 * 2);
  expect_file(plan, "file61", "output/eORCA1_1m_ptrc_T_2000-2000.nc", 1, 25, layer * 25 * 75);
  expect_file(plan, "file26", "output/eORCA1_1m_scalar_2000-2000.nc", 1, 21, 20 + 21);
  expect_file(plan, "file31", "", 0, 16, layer * (3 * 75 + 13));
}

TEST(Realistic, month_of_an_atmosphere) {
  const Plan plan = month_of("atmosphere", "LMDZ");
  EXPECT_EQ(plan.steps, 30 * 96);
  constexpr std::int64_t layer = 144 * 143;
  expect_file(plan, "histhf", "output/histhf.nc", 120, 9, layer * 9);
  expect_file(plan, "histmthNMC", "output/histmthNMC.nc", 1, 14, layer * 14 * 19);
  expect_file(plan, "histdayNMC", "output/histdayNMC.nc", 30, 7, layer * 7 * 8);
  expect_file(plan, "histhfNMC", "output/histhfNMC.nc", 120, 3, layer * 3 * 3);
  // Seven maps, one for each of five angles, one for each of 7 x 7 classes of clouds.
  expect_file(plan, "histmthCOSP", "output/histmthCOSP.nc", 1, 9, layer * (7 + 5 + 49));
}

TEST(Realistic, month_of_a_land) {
  const Plan plan = month_of("land", "orchidee");
  EXPECT_EQ(plan.steps, 31 * 48);
  constexpr std::int64_t layer = 720 * 360;
  expect_file(plan, "cmip_cVeg", "output/cVeg_Lmon.nc", 1, 1, layer * 15);
  expect_file(plan, "cmip_mrsol", "output/mrsol_Lmon.nc", 1, 1, layer * 11);
  expect_file(plan, "cmip_landuse", "output/landuse_Lmon.nc", 1, 6, layer * 6 * 4);
  expect_file(plan, "stomate2", "", 0, 4, layer * 4 * 15);
}

}  // namespace
}  // namespace epios::config
