// The limit bench_stream is measured against: the same records written by one rank with parallel
// NetCDF-4 and nothing else.

#include <netcdf.h>
#include <netcdf_par.h>

#include <CLI/CLI.hpp>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ep/ep.hpp>
#include <string>
#include <vector>

#include "arguments.hpp"

namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  std::string path = "raw.nc";
  std::size_t steps = 50;
  std::vector<std::size_t> shape{30, 180, 360};
  std::vector<std::size_t> chunks;
  bool fill = false;
};

void check(int status) {
  if (status == NC_NOERR) return;
  std::fprintf(stderr, "bench_raw_write: %s\n", nc_strerror(status));
  std::exit(EXIT_FAILURE);
}

double write_all(const Options& options, const std::vector<double>& field) {
  constexpr std::size_t rank = 4;
  int file = -1;
  check(nc_create_par(options.path.c_str(), NC_NETCDF4 | NC_CLOBBER, MPI_COMM_SELF, MPI_INFO_NULL,
                      &file));
  std::array<int, rank> dimensions{};
  check(nc_def_dim(file, "time", NC_UNLIMITED, &dimensions[0]));
  const std::array<const char*, rank> names{"time", "level", "lat", "lon"};
  for (std::size_t d = 1; d < rank; ++d) {
    check(nc_def_dim(file, names[d], options.shape[d - 1], &dimensions[d]));
  }
  int variable = -1;
  check(nc_def_var(file, "field", NC_DOUBLE, static_cast<int>(rank), dimensions.data(), &variable));
  if (!options.chunks.empty()) {
    check(nc_def_var_chunking(file, variable, NC_CHUNKED, options.chunks.data()));
  }
  check(nc_def_var_fill(file, variable, options.fill ? NC_FILL : NC_NOFILL, nullptr));
  check(nc_enddef(file));
  check(nc_var_par_access(file, variable, NC_COLLECTIVE));
  // bench_stream counts from the same point: its file is defined before its clock starts.
  const auto start = Clock::now();
  std::array<std::size_t, rank> from{};
  const std::array<std::size_t, rank> count{1, options.shape[0], options.shape[1],
                                            options.shape[2]};
  for (std::size_t step = 0; step < options.steps; ++step) {
    from[0] = step;
    check(nc_put_vara_double(file, variable, from.data(), count.data(), field.data()));
  }
  check(nc_close(file));
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Raw parallel NetCDF-4 write by one rank", "bench_raw_write");
  app.add_option("--path", options.path, "file to write")->capture_default_str();
  app.add_option("--steps", options.steps, "records")->capture_default_str();
  app.add_option("--shape", options.shape, "level lat lon")->expected(3);
  app.add_option("--chunks", options.chunks, "chunk, time first; default: the library's")
      ->expected(4);
  app.add_flag("--fill", options.fill, "fill values are written first");
  if (const auto exit_code = ep::read_arguments(app, argc, argv)) return *exit_code;
  const ep::Environment environment(MPI_THREAD_SINGLE);
  std::vector<double> field(options.shape[0] * options.shape[1] * options.shape[2]);
  for (std::size_t c = 0; c < field.size(); ++c) field[c] = static_cast<double>(c % 1000) * 0.25;
  std::printf("wall_s %.9g\n", write_all(options, field));
  return EXIT_SUCCESS;
}
