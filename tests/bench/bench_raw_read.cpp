// The limit bench_reading is measured against: the same records read by one rank with NetCDF-C and
// nothing else, or a file opened and its variables looked at.

#include <netcdf.h>

#include <CLI/CLI.hpp>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "arguments.hpp"

namespace {

using Clock = std::chrono::steady_clock;

void check(int status) {
  if (status == NC_NOERR) return;
  std::fprintf(stderr, "bench_raw_read: %s\n", nc_strerror(status));
  std::exit(EXIT_FAILURE);
}

/// All records of a variable, one after the other.
void read_all(const std::string& path, const std::string& name) {
  int file = -1;
  check(nc_open(path.c_str(), NC_NOWRITE, &file));
  int variable = -1;
  int rank = 0;
  std::array<int, NC_MAX_VAR_DIMS> dimensions{};
  check(nc_inq_varid(file, name.c_str(), &variable));
  check(nc_inq_var(file, variable, nullptr, nullptr, &rank, dimensions.data(), nullptr));
  std::vector<std::size_t> from(static_cast<std::size_t>(rank), 0);
  std::vector<std::size_t> count;
  std::size_t values = 1;
  for (int d = 0; d < rank; ++d) {
    std::size_t length = 0;
    check(nc_inq_dimlen(file, dimensions.at(static_cast<std::size_t>(d)), &length));
    count.push_back(length);
    if (d > 0) values *= length;
  }
  const std::size_t records = count.front();
  count.front() = 1;
  std::vector<double> field(values);
  // bench_reading counts from the same point: its file is open before its clock starts.
  const auto start = Clock::now();
  for (from.front() = 0; from.front() < records; ++from.front()) {
    check(nc_get_vara_double(file, variable, from.data(), count.data(), field.data()));
  }
  std::printf("wall_s %.9g\n", std::chrono::duration<double>(Clock::now() - start).count());
  check(nc_close(file));
}

/// What a reader must know of a file: names, types, dimensions and marks of its variables.
void look_at(const std::string& path) {
  const auto start = Clock::now();
  int file = -1;
  check(nc_open(path.c_str(), NC_NOWRITE, &file));
  int variables = 0;
  check(nc_inq_nvars(file, &variables));
  for (int v = 0; v < variables; ++v) {
    std::array<char, NC_MAX_NAME + 1> name{};
    nc_type type = NC_NAT;
    int rank = 0;
    int attributes = 0;
    std::array<int, NC_MAX_VAR_DIMS> dimensions{};
    check(nc_inq_var(file, v, name.data(), &type, &rank, dimensions.data(), &attributes));
    for (const char* mark : {"scale_factor", "add_offset", "_FillValue", "missing_value"}) {
      std::size_t length = 0;
      static_cast<void>(nc_inq_attlen(file, v, mark, &length));
    }
  }
  std::printf("open_s %.9g\n", std::chrono::duration<double>(Clock::now() - start).count());
  check(nc_close(file));
}

}  // namespace

int main(int argc, char** argv) {
  std::string path = "plain.nc";
  std::string variable = "field";
  bool opens = false;
  CLI::App app("Raw NetCDF read by one rank", "bench_raw_read");
  app.add_option("--path", path, "file to read")->capture_default_str();
  app.add_option("--variable", variable, "that is read")->capture_default_str();
  app.add_flag("--open", opens, "open the file and look at its variables instead");
  if (const auto exit_code = ep::read_arguments(app, argc, argv)) return *exit_code;
  if (opens) {
    look_at(path);
  } else {
    read_all(path, variable);
  }
  return EXIT_SUCCESS;
}
