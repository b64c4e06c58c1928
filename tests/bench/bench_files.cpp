// What files cost, for run_files.sh: "name value" lines.
//   pwrite   the limit: the records of bench_stream written by one thread with pwrite
//   records  the same records written into a file by one thread, without a server
//   opening  many files with some fields and one record each, opened and closed one after the other
//   memory   many records of many small variables: what a process's memory grows by

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ep/ep.hpp>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "file/output_file.hpp"
#include "file/writing_endpoints.hpp"

namespace {

using Clock = std::chrono::steady_clock;
using namespace epios::io;

struct Options {
  std::string what = "pwrite";
  std::string folder = ".";
  std::string format = "netcdf4";
  int records = 50;
  int fields = 10;
  int files = 1000;
  int endpoints = 1;
  std::int64_t points = 360 * 180 * 30;
};

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void print(const char* name, double value) { std::printf("%s %.9g\n", name, value); }

double cpu_s() {
  struct rusage use = {};
  ::getrusage(RUSAGE_SELF, &use);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds(use.ru_utime) + seconds(use.ru_stime);
}

void run_pwrite(const Options& options) {
  const std::vector<double> field(static_cast<std::size_t>(options.points), 0.25);
  const std::size_t bytes = field.size() * sizeof(double);
  const std::string path = options.folder + "/pwrite.raw";
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0666);
  const auto start = Clock::now();
  const double cpu = cpu_s();
  for (int record = 0; record < options.records; ++record) {
    const auto at = static_cast<off_t>(bytes) * record;
    if (::pwrite(file, field.data(), bytes, at) != static_cast<ssize_t>(bytes)) {
      std::perror("bench_files: pwrite");
      std::exit(EXIT_FAILURE);
    }
  }
  ::close(file);
  print("wall_s", seconds_since(start));
  print("cpu_s", cpu_s() - cpu);
  std::filesystem::remove_all(path);
}

FileFormat format_of(const Options& options) {
  if (options.format == "zarr") return FileFormat::zarr;
  return options.format == "cdf5" ? FileFormat::cdf5 : FileFormat::netcdf4;
}

FileSpec spec_of(const Options& options, const std::string& path) {
  FileSpec spec;
  spec.path = path;
  spec.format = format_of(options);
  spec.dimensions = {{"time_counter", 0}, {"lat", 10}, {"lon", 10}};
  VariableSpec time;
  time.name = "time_counter";
  time.kind = ValueKind::float64;
  time.dimensions = {0};
  time.slab = Box{};
  spec.variables.push_back(time);
  for (int f = 0; f < options.fields; ++f) {
    VariableSpec variable;
    variable.name = "field_" + std::to_string(f);
    variable.dimensions = {0, 1, 2};
    variable.chunk = {10, 10};
    variable.slab = whole({10, 10});
    for (const char* name : {"standard_name", "long_name", "units", "online_operation",
                             "interval_operation", "interval_write", "cell_methods"}) {
      variable.attributes.push_back({name, std::string("text")});
    }
    spec.variables.push_back(std::move(variable));
  }
  return spec;
}

std::unique_ptr<OutputFile> make(const FileSpec& spec, WritingEndpoints& endpoints) {
  return create_file(spec, nullptr, {nullptr, &endpoints});
}

void write_record(OutputFile& file, int fields, std::int64_t record) {
  const std::vector<double> time = {static_cast<double>(record)};
  const std::vector<float> field(100, 1);
  file.reserve(record + 1);
  file.write({0, record, {}, std::as_bytes(std::span(time))});
  for (int f = 0; f < fields; ++f) {
    file.write({f + 1, record, whole({10, 10}), std::as_bytes(std::span(field))});
  }
}

void run_records(const Options& options, WritingEndpoints& endpoints) {
  FileSpec spec;
  spec.path = options.folder + "/records.nc";
  spec.format = format_of(options);
  spec.endpoints = options.endpoints;
  spec.dimensions = {{"time", 0}, {"points", options.points}};
  VariableSpec variable;
  variable.name = "field";
  variable.kind = ValueKind::float64;
  variable.dimensions = {0, 1};
  variable.slab = whole({options.points});
  spec.variables = {variable};
  const std::vector<double> field(static_cast<std::size_t>(options.points), 0.25);
  const auto file = make(spec, endpoints);
  const auto start = Clock::now();
  const double cpu = cpu_s();
  for (int record = 0; record < options.records; ++record) {
    file->reserve(record + 1);
    file->write({0, record, *variable.slab, std::as_bytes(std::span(field))});
  }
  file->seal(options.records);
  static_cast<void>(file->publish());
  print("wall_s", seconds_since(start));
  print("cpu_s", cpu_s() - cpu);
  std::filesystem::remove_all(spec.path);
}

void run_opening(const Options& options, WritingEndpoints& endpoints) {
  double opening = 0;
  double closing = 0;
  const auto start = Clock::now();
  for (int n = 0; n < options.files; ++n) {
    const auto begin = Clock::now();
    const auto file =
        make(spec_of(options, options.folder + "/f" + std::to_string(n) + ".nc"), endpoints);
    opening += seconds_since(begin);
    write_record(*file, options.fields, 0);
    const auto end = Clock::now();
    file->seal(1);
    static_cast<void>(file->publish());
    closing += seconds_since(end);
  }
  print("wall_ms", seconds_since(start) * 1e3 / options.files);
  print("opening_ms", opening * 1e3 / options.files);
  print("closing_ms", closing * 1e3 / options.files);
  for (int n = 0; n < options.files; ++n) {
    std::filesystem::remove_all(options.folder + "/f" + std::to_string(n) + ".nc");
  }
}

double anonymous_bytes() {
  std::ifstream status("/proc/self/status");
  std::string word;
  double kb = 0;
  while (status >> word) {
    if (word == "RssAnon:") status >> kb;
  }
  return kb * 1024;
}

void run_memory(const Options& options, WritingEndpoints& endpoints) {
  const std::string path = options.folder + "/memory.nc";
  const auto file = make(spec_of(options, path), endpoints);
  // What does not grow has been taken by then.
  const int warm = options.records / 4;
  for (int record = 0; record < warm; ++record) write_record(*file, options.fields, record);
  file->sync();
  const double before = anonymous_bytes();
  for (int record = warm; record < options.records; ++record) {
    write_record(*file, options.fields, record);
    if (record % 100 == 99) file->sync();
  }
  const double grown = anonymous_bytes() - before;
  print("bytes_per_record_and_variable", grown / (options.records - warm) / (options.fields + 1));
  file->abandon();
  std::filesystem::remove_all(path + ".part");
  std::filesystem::remove_all(path + ".part.records");
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("What files cost", "bench_files");
  app.add_option("what", options.what, "pwrite, records, opening or memory")
      ->check(CLI::IsMember({"pwrite", "records", "opening", "memory"}));
  app.add_option("--folder", options.folder, "of the files")->capture_default_str();
  app.add_option("--format", options.format, "netcdf4, cdf5 or zarr")
      ->check(CLI::IsMember({"netcdf4", "cdf5", "zarr"}));
  app.add_option("--records", options.records, "records of pwrite and memory");
  app.add_option("--fields", options.fields, "fields of a file")->capture_default_str();
  app.add_option("--files", options.files, "files of opening")->capture_default_str();
  app.add_option("--endpoints", options.endpoints, "that write records into a file of cdf5");
  if (const auto exit_code = ep::read_arguments(app, argc, argv)) return *exit_code;
  const ep::Environment environment(MPI_THREAD_MULTIPLE);
  const ep::Comm world = ep::Comm::from_mpi(MPI_COMM_WORLD);
  WritingEndpoints endpoints(world);
  if (options.what == "pwrite") run_pwrite(options);
  if (options.what == "records") run_records(options, endpoints);
  if (options.what == "opening") run_opening(options, endpoints);
  if (options.what == "memory") run_memory(options, endpoints);
  return EXIT_SUCCESS;
}
