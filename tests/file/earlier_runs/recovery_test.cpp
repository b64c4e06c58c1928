// What is made of a file that a killed run has left. Whole runs:
// tests/integration/kill_calls_case.sh.
#include "file/recovery.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "config/error.hpp"
#include "file/writing_endpoints.hpp"
#include "together.hpp"

namespace epios::io::test::recovery_test {
namespace {

/// A file of 3 records of time and tos (fill value -7), and one record of others.
FileSpec uneven_spec(const std::string& path, FileFormat format) {
  FileSpec spec = small_spec(path, 1, 2);
  spec.format = format;
  spec.variables[1].fill = -7;
  const auto add = [&](const std::string& name, ValueKind kind, std::optional<double> fill) {
    VariableSpec variable = spec.variables[1];
    variable.name = name;
    variable.kind = kind;
    variable.fill = fill;
    spec.variables.push_back(std::move(variable));
  };
  add("filled", ValueKind::float64, 1e20);
  add("unfilled", ValueKind::float32, std::nullopt);
  add("counted", ValueKind::int32, std::nullopt);
  add("packed", ValueKind::int16, -32767);
  return spec;
}

template <class T>
void write_first(OutputFile& file, int variable, T value) {
  file.write({variable, 0, whole({1, 2}), bytes(std::vector<T>(2, value))});
}

TEST(Recovery, records_that_only_others_have_are_unset_as_in_a_whole_file) {
  const Together all;
  WritingEndpoints endpoints(*all.writers());
  for (const FileFormat format : {FileFormat::netcdf4, FileFormat::cdf5}) {
    const std::string name = format == FileFormat::cdf5 ? "cdf" : "hdf";
    const FileSpec spec = uneven_spec(all.file(name + ".nc"), format);
    FileSpec whole_spec = spec;
    whole_spec.path = all.file(name + "_whole.nc");
    for (const FileSpec& its : {spec, whole_spec}) {
      const auto file = format == FileFormat::cdf5 ? create_cdf5(its, all.writers(), endpoints)
                                                   : create_netcdf4(its, all.writers());
      file->reserve(3);
      for (std::int64_t record = 0; record < 3; ++record) write_record(*file, record, 1, 2);
      write_first(*file, 2, 1.5);
      write_first(*file, 3, 2.5F);
      write_first<std::int32_t>(*file, 4, 3);
      write_first<std::int16_t>(*file, 5, 4);
      file->sync();
      if (its.path == spec.path) {
        file->abandon();
        continue;
      }
      file->seal(3);
      file->publish();
    }
    const Recovery recovered = recover_file(spec.path + ".part", "");
    EXPECT_EQ(recovered.records, 3);
    EXPECT_EQ(recovered.shorter.size(), 4U);
    const std::string dump = ncdump("", spec.path);
    EXPECT_EQ(dump, ncdump("", whole_spec.path));
    for (const char* said :
         {"filled =\n  1.5, 1.5,\n  _, _,\n  _, _ ;", "unfilled =\n  2.5, 2.5,\n  NaNf, NaNf,",
          "counted =\n  3, 3,\n  _, _,", "packed =\n  4, 4,\n  _, _,"}) {
      EXPECT_NE(dump.find(said), std::string::npos) << said << '\n' << dump;
    }
  }
}

TEST(Recovery, what_is_written_once_and_was_not_durable_is_unset) {
  const Together all;
  WritingEndpoints endpoints(*all.writers());
  for (const FileFormat format : {FileFormat::netcdf4, FileFormat::cdf5}) {
    FileSpec spec = small_spec(all.file(format == FileFormat::cdf5 ? "c.nc" : "h.nc"), 1, 2);
    spec.format = format;
    VariableSpec once = spec.variables[1];
    once.name = "once";
    once.fill = 1e20;
    once.dimensions.erase(once.dimensions.begin());
    spec.variables.push_back(once);
    const auto file = format == FileFormat::cdf5 ? create_cdf5(spec, all.writers(), endpoints)
                                                 : create_netcdf4(spec, all.writers());
    file->reserve(1);
    write_record(*file, 0, 1, 2);
    file->sync();
    file->abandon();
    EXPECT_EQ(recover_file(spec.path + ".part", "").records, 1);
    EXPECT_NE(ncdump("", spec.path).find("once =\n  _, _ ;"), std::string::npos)
        << ncdump("", spec.path);
  }
}

TEST(Recovery, a_file_whose_list_of_chunks_is_torn_says_so) {
  const Together all;
  const FileSpec spec = small_spec(all.file("torn.nc"), 1, 2);
  {
    const auto file = create_netcdf4(spec, all.writers());
    file->reserve(2);
    for (std::int64_t record = 0; record < 2; ++record) write_record(*file, record, 1, 2);
    file->sync();
    file->abandon();
  }
  const std::string part = spec.path + ".part";
  std::string content;
  {
    std::ifstream in(part, std::ios::binary);
    content.assign(std::istreambuf_iterator<char>(in), {});
  }
  const std::string node("TREE\1", 5);  // of chunks; those of groups have a 0
  std::size_t found = 0;
  for (std::size_t at = content.find(node); at != std::string::npos;
       at = content.find(node, at + 1)) {
    content[at] = 'X';
    ++found;
  }
  ASSERT_GT(found, 0U);
  std::ofstream(part, std::ios::binary) << content;
  try {
    recover_file(part, "");
    FAIL() << "it was recovered";
  } catch (const Error& error) {
    const std::string said = error.what();
    EXPECT_EQ(said.find("file '" + part + "' cannot be recovered (it cannot be read where '"), 0U)
        << said;
    EXPECT_NE(said.find("Was it cut, or the run killed while it flushed? Then its structure is "
                        "torn."),
              std::string::npos)
        << said;
  }
  EXPECT_FALSE(std::filesystem::exists(spec.path));
  EXPECT_FALSE(std::filesystem::exists(spec.path + ".recovered"));
}

TEST(Recovery, two_at_once_do_not_meet) {
  const Together all;
  const FileSpec spec = small_spec(all.file("a.nc"), 1, 2);
  const auto file = create_netcdf4(spec, all.writers());
  file->reserve(1);
  write_record(*file, 0, 1, 2);
  file->sync();
  file->abandon();
  const std::string other = spec.path + ".recovered";
  std::ofstream(other) << "of somebody else";
  try {
    recover_file(spec.path + ".part", "");
    FAIL() << "an error was expected";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(".recovered' already"), std::string::npos)
        << error.what();
  }
  EXPECT_EQ(std::filesystem::file_size(other), 16U);
  std::filesystem::remove(other);
  EXPECT_EQ(recover_file(spec.path + ".part", "").records, 1);
  EXPECT_FALSE(std::filesystem::exists(other));
}

}  // namespace
}  // namespace epios::io::test::recovery_test
