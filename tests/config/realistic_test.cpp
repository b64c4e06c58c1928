// Configurations of the size and kind that models of ocean, atmosphere and land use: nothing in
// them is a mistake, and what a month of them would write is what their authors would expect. Of
// three of them the model says the sizes (model.xml); what is found without and with it is golden,
// and EPIOS_WRITE_GOLDEN=1 writes that of today.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "config/model_part.hpp"
#include "config/plan.hpp"
#include "sample.hpp"

namespace epios::config::realistic_test {
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
  EXPECT_GE(resolved.sources.size() + resolved.unwritten.known.size(), fields);
  EXPECT_EQ(resolved.files.size() + resolved.read_files.size(), files);
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

/// Works in the folder of a configuration whose model says the sizes.
class OfModel : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    std::filesystem::current_path(std::string(EPIOS_TEST_FOLDER "/realistic/") + GetParam());
  }
  void TearDown() override { std::filesystem::current_path(home_); }

  static void compare(const std::string& name, const std::vector<Diagnostic>& findings) {
    std::string text;
    for (const Diagnostic& finding : findings) {
      EXPECT_NE(finding.severity, Severity::error) << finding.text();
      text += finding.text() + "\n";
    }
    if (std::getenv("EPIOS_WRITE_GOLDEN") != nullptr) std::ofstream(name) << text;
    std::ifstream stream(name);
    const std::string committed{std::istreambuf_iterator<char>(stream), {}};
    EXPECT_EQ(text, committed) << name;
  }

 private:
  std::filesystem::path home_ = std::filesystem::current_path();
};

TEST_P(OfModel, is_taken_without_error) {
  const SourceTexts sources = read_sources("iodef.xml");
  const std::vector<Diagnostic> open = check(sources);
  compare("findings.txt", open);
  EXPECT_FALSE(open_places(open).empty());
  Additions additions;
  additions.model = read_sources("model.xml");
  const Checked closed = check_and_resolve(sources, additions);
  compare("with_model.txt", closed.findings);
  EXPECT_TRUE(open_places(closed.findings).empty()) << summary(open_places(closed.findings));
  const Definitions definitions{Document(sources, additions), {}, Purpose::plan};
  for (const Model& model : closed.models) {
    SCOPED_TRACE(model.context_id);
    const Plan plan =
        config::plan(definitions.resolve(model.context_id, Purpose::plan), Duration::parse("1mo"));
    EXPECT_EQ(plan.files.size(), model.files.size());
  }
}

INSTANTIATE_TEST_SUITE_P(Realistic, OfModel, testing::Values("basin", "lfric", "fesom"),
                         [](const auto& folder) { return folder.param; });

Plan month_with_model(const std::string& model, const std::string& context) {
  Additions additions;
  const std::string folder = EPIOS_TEST_FOLDER "/realistic/" + model;
  additions.model = read_sources(folder + "/model.xml");
  const Definitions definitions{
      Document(read_sources(folder + "/iodef.xml"), additions), {}, Purpose::plan};
  return plan(definitions.resolve(context, Purpose::plan), Duration::parse("1mo"));
}

TEST(Realistic, months_of_models_that_say_the_sizes) {
  const Plan basin = month_with_model("basin", "nemo");
  EXPECT_EQ(basin.steps, 30 * 6);
  constexpr std::int64_t layer = 32 * 22;
  expect_file(basin, "file1", "@expname@_5d_@startdate@_@enddate@_grid_T_*.nc", 6, 7,
              layer * (3 * 31 + 4));
  const Plan fesom = month_with_model("fesom", "fesom");
  expect_file(fesom, "f_sst", "sst.fesom_1958-1958.nc", 31, 1, 3140);
  expect_file(fesom, "f_temp", "temp.fesom_1958-1958.nc", 1, 1, 3140 * 47);
  const Plan lfric = month_with_model("lfric", "lfric");
  EXPECT_EQ(lfric.steps, 31 * 48);
  EXPECT_EQ(lfric.files.size(), 2U);
}

}  // namespace
}  // namespace epios::config::realistic_test
