// io/file alone: one rank writes records through an owned file, and through parallel NetCDF-4 and
// nothing else, in turns, with the same chunks and no fill. Prints medians and their ratio. The raw
// writer's nc_close includes an fsync that HDF5's MPI-IO driver makes (about an eighth of its time
// on ext4); an owned file makes none unless to_disk is set.

#include <netcdf.h>
#include <netcdf_par.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ep/ep.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "config/error.hpp"
#include "file/output_file.hpp"

namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  std::string folder = ".";
  int records = 20;
  int repetitions = 5;
  std::vector<std::int64_t> shape{30, 180, 360};
};

void check(int status) {
  if (status == NC_NOERR) return;
  std::fprintf(stderr, "bench_file: %s\n", nc_strerror(status));
  std::exit(EXIT_FAILURE);
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double write_raw(const Options& options, const std::vector<double>& field) {
  const std::string path = options.folder + "/bench_file_raw.nc";
  std::filesystem::remove(path);
  const auto start = Clock::now();
  int file = -1;
  check(nc_create_par(path.c_str(), NC_NETCDF4 | NC_CLOBBER, MPI_COMM_SELF, MPI_INFO_NULL, &file));
  std::array<int, 4> dimensions{};
  const std::array<const char*, 4> names{"time", "level", "lat", "lon"};
  std::array<std::size_t, 4> count{1};
  check(nc_def_dim(file, names[0], NC_UNLIMITED, dimensions.data()));
  for (std::size_t d = 1; d < 4; ++d) {
    count[d] = static_cast<std::size_t>(options.shape[d - 1]);
    check(nc_def_dim(file, names[d], count[d], &dimensions[d]));
  }
  int variable = -1;
  check(nc_def_var(file, "field", NC_DOUBLE, 4, dimensions.data(), &variable));
  check(nc_def_var_chunking(file, variable, NC_CHUNKED, count.data()));
  check(nc_def_var_fill(file, variable, NC_NOFILL, nullptr));
  check(nc_enddef(file));
  check(nc_var_par_access(file, variable, NC_COLLECTIVE));
  std::array<std::size_t, 4> from{};
  for (int record = 0; record < options.records; ++record) {
    from[0] = static_cast<std::size_t>(record);
    check(nc_put_vara_double(file, variable, from.data(), count.data(), field.data()));
  }
  check(nc_close(file));
  const double seconds = seconds_since(start);
  std::filesystem::remove(path);
  return seconds;
}

double write_ours(const Options& options, const std::vector<double>& field) {
  using namespace epios::io;
  FileSpec spec;
  spec.path = options.folder + "/bench_file_ours.nc";
  std::filesystem::remove(spec.path);
  const auto start = Clock::now();
  spec.dimensions = {{"time", 0},
                     {"level", options.shape[0]},
                     {"lat", options.shape[1]},
                     {"lon", options.shape[2]}};
  VariableSpec variable;
  variable.name = "field";
  variable.kind = ValueKind::float64;
  variable.dimensions = {0, 1, 2, 3};
  variable.chunk = options.shape;
  spec.variables = {variable};
  const auto file = create_netcdf4(spec, nullptr);
  for (int record = 0; record < options.records; ++record) {
    file->reserve(record + 1);
    file->write({0, record, whole(options.shape), std::as_bytes(std::span(field))});
  }
  file->seal(options.records);
  file->publish();
  const double seconds = seconds_since(start);
  std::filesystem::remove(spec.path);
  return seconds;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Owned file against raw parallel NetCDF-4, one rank", "bench_file");
  app.add_option("--folder", options.folder, "where to write")->capture_default_str();
  app.add_option("--records", options.records, "records per file")->capture_default_str();
  app.add_option("--repetitions", options.repetitions, "files of each kind")->capture_default_str();
  app.add_option("--shape", options.shape, "level lat lon")->expected(3);
  if (const auto exit_code = ep::read_arguments(app, argc, argv)) return *exit_code;
  const ep::Environment environment(MPI_THREAD_SINGLE);
  std::vector<double> field(static_cast<std::size_t>(epios::io::volume(options.shape)));
  for (std::size_t c = 0; c < field.size(); ++c) field[c] = static_cast<double>(c % 1000) * 0.25;
  try {
    std::vector<double> raw;
    std::vector<double> ours;
    for (int repetition = 0; repetition < options.repetitions; ++repetition) {
      raw.push_back(write_raw(options, field));
      ours.push_back(write_ours(options, field));
    }
    const double gigabytes =
        static_cast<double>(field.size() * sizeof(double)) * options.records / 1e9;
    std::printf("raw_GB_per_s %.3f\nours_GB_per_s %.3f\nratio %.2f (target >= 1)\n",
                gigabytes / median(raw), gigabytes / median(ours), median(raw) / median(ours));
  } catch (const epios::Error& error) {
    std::fprintf(stderr, "bench_file: %s\n", error.what());
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
