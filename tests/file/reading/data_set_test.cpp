// The files of several writers (type="multiple_file") as the one that they make: packed values, and
// what a run that reads it is told of its grid. Whole runs: tests/reading.
#include <cmath>
#include <filesystem>
#include <fstream>

#include "config/error.hpp"
#include "file/data_file.hpp"
#include "file/file_facts.hpp"
#include "file/source_file.hpp"
#include "scratch.hpp"

namespace epios::io::test::data_set_test {
namespace {

/// Two files of 1 of 2 rows of `tos` each, packed by 0.5 and 10, -9 where there is none.
void make_set(const Scratch& scratch, const std::string& name, int files = 2,
              const std::string& kind = "nc4") {
  for (int n = 0; n < files; ++n) {
    const std::string cdl = scratch.file("one.cdl");
    std::ofstream(cdl)
        << "netcdf one { dimensions: time = UNLIMITED ; lat = 1 ; lon = 3 ;\n"
           "variables: double lat(lat) ; lat:units = \"degrees_north\" ;\n"
           " double date(time) ; date:units = \"days since 2000-01-01\" ;\n"
           " double lon(lon) ; lon:units = \"degrees_east\" ;\n"
           " short tos(time, lat, lon) ; tos:scale_factor = 0.5 ; tos:add_offset = 10. ;\n"
           " tos:_FillValue = -9s ; tos:note = \"not asked for\" ;\n"
           ":DOMAIN_number_total = 2 ; :DOMAIN_number = "
        << n
        << " ; :DOMAIN_dimensions_ids = 3, 2 ;\n"
           ":DOMAIN_size_global = 3, 2 ; :DOMAIN_size_local = 3, 1 ;\n"
           ":DOMAIN_position_first = 1, "
        << n + 1 << " ; :DOMAIN_position_last = 3, " << n + 1
        << " ;\n"
           "data: date = 4 ; lat = "
        << n << " ; lon = 1, 2, 3 ; tos = " << 10 * n << ", -9, " << 10 * n + 2 << " ; }\n";
    const std::string path = scratch.file(name + "_" + std::to_string(n) + ".nc");
    const CommandResult made = run("ncgen -k " + kind + " -o '" + path + "' '" + cdl + "'");
    ASSERT_EQ(made.status, 0) << made.output;
  }
}

std::vector<double> read(const SourceFile& source, std::optional<double> factor,
                         std::optional<double> offset, std::optional<double> missing) {
  std::vector<double> values(6);
  source.read(source.find("tos", {2, 3}, factor, offset), 0, whole({2, 3}), missing, values);
  return values;
}

TEST(DataSet, is_unpacked_by_its_own_numbers_or_by_those_of_the_configuration_but_not_by_both) {
  const Scratch scratch;
  make_set(scratch, "a");
  const SourceFile source(scratch.file("a.nc"), "time");
  using Values = std::vector<double>;
  EXPECT_EQ(read(source, {}, {}, -1), (Values{10, -1, 11, 15, -1, 16}));
  EXPECT_EQ(read(source, 2, {}, -1), (Values{10, -1, 14, 30, -1, 34}));
  EXPECT_EQ(read(source, {}, 0, -1), (Values{0, -1, 1, 5, -1, 6}));
  EXPECT_EQ(read(source, 2, 1, -1), (Values{1, -1, 5, 21, -1, 25}));
  // Without a value for missing ones the file's goes through the same numbers, as of a single file.
  const SourceFile single(scratch.file("a_0.nc"), "time");
  Values row(3);
  single.read(single.find("tos", {1, 3}, {}, {}), 0, whole({1, 3}), {}, row);
  const Values all = read(source, {}, {}, {});
  EXPECT_EQ(Values(all.begin(), all.begin() + 3), row);
  // Longitudes, which each file has all of.
  const DataFile both(scratch.file("a.nc"));
  EXPECT_EQ(both.values(both.find("lon"), {{0}, {3}}), (Values{1, 2, 3}));
  EXPECT_EQ(both.values(both.find("lat"), {{0}, {2}}), (Values{0, 1}));
  // Tools see what is missing.
  const DataFile data(scratch.file("a.nc"));
  EXPECT_TRUE(std::isnan(data.values(data.find("tos"), {{0, 0, 0}, {1, 2, 3}})[1]));
}

TEST(DataSet, of_files_that_differ_in_what_no_domain_cuts_is_refused) {
  const Scratch scratch;
  for (int n = 0; n < 2; ++n) {
    const std::string levels = std::to_string(n + 4);
    const std::string cdl = scratch.file("one.cdl");
    std::ofstream(cdl) << "netcdf one { dimensions: lat = 1 ; z = " << levels
                       << " ; variables: short tos(lat, z) ; :DOMAIN_number_total = 2 ;\n"
                          ":DOMAIN_number = "
                       << n
                       << " ; :DOMAIN_dimensions_ids = 1 ; :DOMAIN_size_global = 2 ;\n"
                          ":DOMAIN_position_first = "
                       << n + 1 << " ; }\n";
    const std::string path = scratch.file("a_" + std::to_string(n) + ".nc");
    ASSERT_EQ(run("ncgen -k nc4 -o '" + path + "' '" + cdl + "'").status, 0);
  }
  EXPECT_EQ(io_error([&] { const DataFile set(scratch.file("a.nc")); }),
            "file '" + scratch.file("a.nc") + "' cannot be put together (dimension 'z' is 4 in '" +
                scratch.file("a_0.nc") + "' and 5 in '" + scratch.file("a_1.nc") +
                "'). Are they of one run?");
}

TEST(DataSet, says_of_its_grid_what_a_single_file_would) {
  const Scratch scratch;
  make_set(scratch, "a");
  const config::FileFacts facts = file_facts({scratch.file("a.nc"), {"tos"}});
  EXPECT_TRUE(facts.exists);
  EXPECT_EQ(facts.error, "");
  ASSERT_NE(facts.find("tos"), nullptr);
  EXPECT_EQ(facts.shape(*facts.find("tos")), (std::vector<std::int64_t>{1, 2, 3}));
  EXPECT_TRUE(facts.dimensions[0].is_unlimited);
  EXPECT_EQ(facts.find("lat")->attribute("units"), "degrees_north");
  EXPECT_EQ(facts.find("tos")->attribute("note"), "");
}

TEST(DataSet, that_is_not_whole_is_an_error_and_one_that_is_not_there_is_none) {
  const Scratch scratch;
  make_set(scratch, "a", 1);
  const config::FileFacts half = file_facts({scratch.file("a.nc"), {"tos"}});
  EXPECT_TRUE(half.exists);
  EXPECT_EQ(half.error, "it cannot be put together: number 1 of its 2 files is not there");
  EXPECT_EQ(half.suggestion, "Has its writer failed?");
  EXPECT_FALSE(file_facts({scratch.file("b.nc"), {"tos"}}).exists);
}

/// What reading it says; "" when it can be read.
std::string problem(const std::string& path) {
  try {
    const SourceFile source(path, "time");
    const std::vector<double> values = read(source, {}, {}, {});
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(DataSet, with_a_file_that_is_cut_or_none_is_an_error_that_names_this_file) {
  for (const std::string kind : {"nc3", "nc6", "cdf5", "nc4"}) {
    const Scratch scratch;
    make_set(scratch, "a", 2, kind);
    ASSERT_EQ(problem(scratch.file("a.nc")), "");
    const std::string member = scratch.file("a_1.nc");
    std::filesystem::resize_file(member, std::filesystem::file_size(member) - 4);
    const auto is_named = [&](const std::string& text) {
      return text.find("file '" + scratch.file("a.nc") + "' cannot be put together: file '" +
                       member + "' cannot be ") != std::string::npos;
    };
    EXPECT_TRUE(is_named(problem(scratch.file("a.nc")))) << kind << problem(scratch.file("a.nc"));
    std::ofstream(member, std::ios::trunc) << "nothing";
    EXPECT_TRUE(is_named(problem(scratch.file("a.nc")))) << kind << problem(scratch.file("a.nc"));
    const config::FileFacts facts = file_facts({scratch.file("a.nc"), {"tos"}});
    EXPECT_TRUE(facts.exists);
    EXPECT_TRUE(
        facts.error.starts_with("it cannot be put together: file '" + member + "' cannot be "))
        << facts.error;
  }
}

TEST(DataSet, is_not_spoilt_by_a_file_that_only_has_such_a_name) {
  const Scratch scratch;
  make_set(scratch, "a");
  std::ofstream(scratch.file("a_7.nc")) << "nothing";
  EXPECT_EQ(problem(scratch.file("a.nc")), "");
}

TEST(DataSet, notices_that_one_of_its_files_is_another_one_now) {
  const Scratch scratch;
  make_set(scratch, "a");
  const SourceFile source(scratch.file("a.nc"), "time");
  EXPECT_EQ(read(source, {}, {}, {}).size(), 6U);
  std::filesystem::copy_file(scratch.file("a_1.nc"), scratch.file("other.nc"));
  std::filesystem::rename(scratch.file("other.nc"), scratch.file("a_1.nc"));
  try {
    read(source, {}, {}, {});
    FAIL() << "was read all the same";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "record 0 of variable 'tos' of file '" + scratch.file("a.nc") +
                  "' cannot be read: file '" + scratch.file("a_1.nc") +
                  "' has been changed since it was opened (variable 'tos' is not read). Does "
                  "another program write to it?");
  }
}

TEST(DataSet, has_dates_in_a_variable_of_another_name_than_its_dimension) {
  const Scratch scratch;
  make_set(scratch, "a");
  const SourceFile source(scratch.file("a.nc"), "date");
  const SourceFile::Stamps stamps = source.stamps(source.find("tos", {2, 3}, {}, {}));
  EXPECT_EQ(stamps.units, "days since 2000-01-01");
}

}  // namespace
}  // namespace epios::io::test::data_set_test
