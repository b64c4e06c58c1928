// Variables that are compressed by plug-ins of HDF5: with those of the distribution (ZFP), with
// ones made for this test (as if somebody had installed SZ and zstd), and without any.
#include "chunks/filter_plugin.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <sstream>
#include <tuple>
#include <utility>

#include "config/error.hpp"
#include "file/compressors.hpp"
#include "file/data_file.hpp"
#include "file/recovery.hpp"
#include "file/source_file.hpp"
#include "scratch.hpp"

namespace epios::io::test::filter_plugin_test {
namespace {

using Method = Compression::Method;

constexpr std::int64_t ny = 40;
constexpr std::int64_t nx = 60;

/// Where plug-ins are looked for while it lives.
class PluginPath {
 public:
  explicit PluginPath(const std::string& path) { ::setenv("HDF5_PLUGIN_PATH", path.c_str(), 1); }
  PluginPath(const PluginPath&) = delete;
  PluginPath& operator=(const PluginPath&) = delete;
  ~PluginPath() { ::unsetenv("HDF5_PLUGIN_PATH"); }
};

FileSpec spec_by(const std::string& path, Method method, std::vector<double> parameters = {}) {
  FileSpec spec = small_spec(path, ny, nx, {20, 30});
  spec.variables[1].compression = {4, method, std::move(parameters)};
  return spec;
}

/// Smooth, and a chunk of zeros.
std::vector<float> field(std::int64_t record) {
  std::vector<float> out(static_cast<std::size_t>(ny * nx));
  for (std::int64_t i = 0; i < ny * nx; ++i) {
    const bool is_empty = i / nx >= ny / 2 && i % nx >= nx / 2;
    out[static_cast<std::size_t>(i)] =
        is_empty ? 0 : std::sin(0.003F * static_cast<float>(i + 7 * record));
  }
  return out;
}

constexpr std::int64_t records = 5;

std::unique_ptr<OutputFile> written(const FileSpec& spec, Compressors* compressors = nullptr) {
  auto file = create_netcdf4(spec, nullptr, compressors);
  for (std::int64_t record = 0; record < records; ++record) {
    file->reserve(record + 1);
    const std::vector<double> time = {static_cast<double>(record)};
    file->write({0, record, {}, bytes(time)});
    file->write({1, record, whole({ny, nx}), bytes(field(record))});
  }
  return file;
}

void write_file(const FileSpec& spec, Compressors* compressors = nullptr) {
  const auto file = written(spec, compressors);
  file->seal(records);
  file->publish();
}

/// Largest difference to what was written, as our own readers see it: by the records of a run, and
/// as `epios diff` does.
double error_of(const std::string& path) {
  const SourceFile source(path, "time");
  const auto variable = source.find("tos", {ny, nx}, std::nullopt, std::nullopt);
  const DataFile data(path);
  double out = 0;
  for (std::int64_t record = 0; record < records; ++record) {
    std::vector<double> values(static_cast<std::size_t>(ny * nx));
    source.read(variable, record, whole({ny, nx}), std::nullopt, values);
    EXPECT_EQ(data.values(data.find("tos"), {{record, 0, 0}, {1, ny, nx}}), values);
    const std::vector<float> expected = field(record);
    for (std::size_t i = 0; i < values.size(); ++i) {
      out = std::max(out, std::abs(values[i] - static_cast<double>(expected[i])));
    }
  }
  return out;
}

bool has_zfp() { return FilterPlugin::find(zfp_filter).has_value(); }

TEST(FilterPlugin, of_the_distribution_is_what_the_distributions_reader_needs) {
  if (!has_zfp()) GTEST_SKIP() << FilterPlugin::missing_text(zfp_filter);
  const Scratch scratch;
  const FileSpec spec = spec_by(scratch.file("a.nc"), Method::zfp);
  write_file(spec);
  write_file(small_spec(scratch.file("plain.nc"), ny, nx, {20, 30}));
  const auto data = [](const std::string& path) {
    const std::string dump = ncdump("-p 9,17", path);
    return dump.substr(dump.find("data:"));
  };
  EXPECT_EQ(data(spec.path), data(scratch.file("plain.nc")));
  EXPECT_NE(ncdump("-hs", spec.path).find("tos:_Filter = \"32013,"), std::string::npos);
  EXPECT_LT(std::filesystem::file_size(spec.path),
            std::filesystem::file_size(scratch.file("plain.nc")));
  EXPECT_EQ(error_of(spec.path), 0);
}

TEST(FilterPlugin, loses_what_it_may_lose_and_no_more) {
  if (!has_zfp()) GTEST_SKIP() << FilterPlugin::missing_text(zfp_filter);
  const Scratch scratch;
  const FileSpec exact = spec_by(scratch.file("exact.nc"), Method::zfp, {5});
  write_file(exact);
  const auto size = std::filesystem::file_size(exact.path);
  for (const auto& [parameters, least, most] :
       std::vector<std::tuple<std::vector<double>, double, double>>{
           {{1, 8}, 1e-9, 0.1},
           {{2, 16}, 1e-9, 0.1},
           {{3, 0.01}, 1e-9, 0.01},
           {{4, 1, 16658, 14, -1074}, 1e-9, 0.1}}) {
    const FileSpec spec = spec_by(scratch.file("a.nc"), Method::zfp, parameters);
    write_file(spec);
    const double error = error_of(spec.path);
    EXPECT_GE(error, least) << parameters.front();
    EXPECT_LE(error, most) << parameters.front();
    EXPECT_LT(std::filesystem::file_size(spec.path), size) << parameters.front();
  }
}

TEST(FilterPlugin, works_in_several_threads) {
  if (!has_zfp()) GTEST_SKIP() << FilterPlugin::missing_text(zfp_filter);
  const Scratch scratch;
  write_file(spec_by(scratch.file("a.nc"), Method::zfp));
  Compressors compressors(3);
  write_file(spec_by(scratch.file("b.nc"), Method::zfp), &compressors);
  EXPECT_EQ(read_text(scratch.file("a.nc")), read_text(scratch.file("b.nc")));
}

TEST(FilterPlugin, says_what_it_does_not_take) {
  if (!has_zfp()) GTEST_SKIP() << FilterPlugin::missing_text(zfp_filter);
  const Scratch scratch;
  FileSpec spec = spec_by(scratch.file("a.nc"), Method::zfp);
  spec.variables[1].kind = ValueKind::int16;
  EXPECT_NE(
      io_error([&] { create_netcdf4(spec, nullptr); })
          .find("variable 'tos' cannot be compressed: filter 32013 does not take it (chunks of "
                "1 x 20 x 30; parameters none)"),
      std::string::npos);
}

TEST(FilterPlugin, that_is_not_there_is_named_with_its_package) {
  const Scratch scratch;
  const PluginPath path(scratch.path() + ":/nowhere");
  const auto problem = [&](Method method) {
    return io_error([&] { create_netcdf4(spec_by(scratch.file("a.nc"), method), nullptr); });
  };
  EXPECT_EQ(
      problem(Method::zfp),
      "file '" + scratch.file("a.nc") +
          "': variable 'tos' cannot be compressed: filter ZFP (32013) of HDF5 is not "
          "installed (no plug-in of it in " +
          scratch.path() +
          ", /nowhere). Install the package hdf5-filter-plugin-zfp-serial, or name the folder "
          "of its plug-in in HDF5_PLUGIN_PATH.");
  for (const auto& [method, name] :
       {std::pair(Method::zstd, "zstd (32015)"), std::pair(Method::sz, "SZ (32017)")}) {
    const std::string text = problem(method);
    EXPECT_NE(text.find(std::string("filter ") + name), std::string::npos) << text;
    EXPECT_NE(text.find("Debian 12 has no package with it"), std::string::npos) << text;
  }
  EXPECT_FALSE(std::filesystem::exists(scratch.file("a.nc")));
}

/// Numbers that the plug-in of this test was told.
std::string told(const Scratch& scratch) { return read_text(scratch.file("log")); }

TEST(FilterPlugin, from_elsewhere_is_told_what_it_wants) {
  const Scratch scratch;
  const PluginPath path(OWN_PLUGINS);
  ::setenv("OWN_FILTER_LOG", scratch.file("log").c_str(), 1);
  write_file(spec_by(scratch.file("sz.nc"), Method::sz, {1, 0.5, -2, 0, 1e300}));
  std::istringstream words(told(scratch));
  std::vector<std::uint64_t> numbers{std::istream_iterator<std::uint64_t>(words), {}};
  // Of each double the upper 32 bits first.
  ASSERT_EQ(numbers.size(), 9U);
  EXPECT_EQ(numbers[0], 1U);
  const std::vector<double> expected{0.5, -2, 0, 1e300};
  for (std::size_t n = 0; n < expected.size(); ++n) {
    const std::uint64_t bits = numbers[2 * n + 1] << 32U | numbers[2 * n + 2];
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    EXPECT_EQ(value, expected[n]);
  }
  EXPECT_EQ(error_of(scratch.file("sz.nc")), 0);

  write_file(spec_by(scratch.file("zstd.nc"), Method::zstd));
  EXPECT_EQ(told(scratch), "4 ");  // the level
  EXPECT_EQ(error_of(scratch.file("zstd.nc")), 0);
  const std::string header = ncdump("-hs", scratch.file("zstd.nc"));
  EXPECT_NE(header.find("tos:_Shuffle = \"true\""), std::string::npos) << header;
  EXPECT_NE(header.find("tos:_Filter = \"32015,4\""), std::string::npos) << header;
  // The filter makes all chunks but one longer: they stand there without it.
  for (const char* name : {"sz.nc", "zstd.nc"}) {
    EXPECT_LT(std::filesystem::file_size(scratch.file(name)), ny * nx * records * 4 * 7 / 8 + 16384)
        << name;
  }
  ::unsetenv("OWN_FILTER_LOG");
}

TEST(FilterPlugin, goes_on_in_what_a_killed_run_left) {
  const Scratch scratch;
  const PluginPath path(OWN_PLUGINS);
  const FileSpec spec = spec_by(scratch.file("a.nc"), Method::zstd);
  {
    const auto file = written(spec);
    file->sync();
    file->abandon();
  }
  const Recovery recovered = recover_file(spec.path + ".part", "");
  EXPECT_EQ(recovered.records, records);
  EXPECT_EQ(error_of(spec.path), 0);
  EXPECT_NE(ncdump("-hs", spec.path).find("tos:_Filter = \"32015,4\""), std::string::npos);
}

/// HDF5 keeps what it has learnt: another process looks.
TEST(FilterPlugin, that_a_reader_lacks_is_named_with_the_variable) {
  const Scratch scratch;
  {
    const PluginPath path(OWN_PLUGINS);
    write_file(spec_by(scratch.file("a.nc"), Method::zstd));
  }
  const CommandResult result = run("HDF5_PLUGIN_PATH=/nowhere '" EPIOS_FILES "' diff '" +
                                   scratch.file("a.nc") + "' '" + scratch.file("a.nc") + "'");
  EXPECT_NE(result.status, 0) << result.output;
  EXPECT_NE(result.output.find("variable 'tos'"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("filter zstd (32015) of HDF5 is not installed"), std::string::npos)
      << result.output;
}

}  // namespace
}  // namespace epios::io::test::filter_plugin_test
