// Files of many fields: how long defining and closing one takes, and what a variable costs on file,
// by EPIOS and by plain NetCDF-4 with the same variables. Prints one line per number of fields;
// what is linear has the same numbers per field in each.

#include <netcdf.h>

#include <CLI/CLI.hpp>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ep/ep.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "file/output_file.hpp"

namespace {

using Clock = std::chrono::steady_clock;
using namespace epios::io;

constexpr std::array<const char*, 9> attributes = {
    "standard_name",  "long_name",    "units",       "online_operation", "interval_operation",
    "interval_write", "cell_methods", "coordinates", "cell_measures"};

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Cost {
  double define_s = 0, close_s = 0;
  double bytes = 0;
};

void check(int status) {
  if (status == NC_NOERR) return;
  std::fprintf(stderr, "bench_definitions: %s\n", nc_strerror(status));
  std::exit(EXIT_FAILURE);
}

Cost by_epios(const std::string& path, int fields) {
  FileSpec spec;
  spec.path = path;
  spec.dimensions = {{"time", 0}, {"lat", 10}, {"lon", 10}};
  for (int f = 0; f < fields; ++f) {
    VariableSpec variable;
    variable.name = "field_" + std::to_string(f);
    variable.dimensions = {0, 1, 2};
    variable.chunk = {10, 10};
    for (const char* name : attributes) variable.attributes.push_back({name, std::string("text")});
    spec.variables.push_back(std::move(variable));
  }
  Cost out;
  auto start = Clock::now();
  const auto file = create_netcdf4(spec, nullptr);
  out.define_s = seconds_since(start);
  start = Clock::now();
  file->seal(0);
  out.bytes = static_cast<double>(file->publish());
  out.close_s = seconds_since(start);
  return out;
}

Cost by_netcdf(const std::string& path, int fields) {
  Cost out;
  auto start = Clock::now();
  int file = -1;
  check(nc_create(path.c_str(), NC_NETCDF4 | NC_CLOBBER, &file));
  std::array<int, 3> dimensions{};
  check(nc_def_dim(file, "time", NC_UNLIMITED, dimensions.data()));
  check(nc_def_dim(file, "lat", 10, &dimensions[1]));
  check(nc_def_dim(file, "lon", 10, &dimensions[2]));
  const std::array<std::size_t, 3> chunk = {10, 10, 10};
  for (int f = 0; f < fields; ++f) {
    int variable = -1;
    const std::string name = "field_" + std::to_string(f);
    check(nc_def_var(file, name.c_str(), NC_FLOAT, 3, dimensions.data(), &variable));
    check(nc_def_var_chunking(file, variable, NC_CHUNKED, chunk.data()));
    check(nc_def_var_fill(file, variable, NC_NOFILL, nullptr));
    for (const char* text : attributes) check(nc_put_att_text(file, variable, text, 4, "text"));
  }
  check(nc_enddef(file));
  out.define_s = seconds_since(start);
  start = Clock::now();
  check(nc_close(file));
  out.close_s = seconds_since(start);
  out.bytes = static_cast<double>(std::filesystem::file_size(path));
  return out;
}

void print(const char* who, int fields, const Cost& cost) {
  std::printf(
      "%-7s %6d fields: define %7.3f s (%6.1f us/field), close %7.3f s, %7.0f bytes/field\n", who,
      fields, cost.define_s, 1e6 * cost.define_s / fields, cost.close_s, cost.bytes / fields);
}

}  // namespace

int main(int argc, char** argv) {
  std::string folder = "/dev/shm";
  std::vector<int> counts = {500, 1000, 2000, 4000};
  CLI::App app{"What many fields in a file cost", "bench_definitions"};
  app.add_option("--folder", folder);
  app.add_option("--fields", counts)->delimiter(',');
  if (const auto exit_code = ep::read_arguments(app, argc, argv)) return *exit_code;
  const ep::Environment environment(MPI_THREAD_SINGLE);
  for (const int fields : counts) {
    const std::string path = folder + "/bench_definitions.nc";
    print("EPIOS", fields, by_epios(path, fields));
    print("NetCDF", fields, by_netcdf(path, fields));
    std::filesystem::remove(path);
  }
  return 0;
}
