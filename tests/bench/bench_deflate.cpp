// Compressed records through an owned file, against one thread that compresses the same chunks with
// zlib and writes nothing, and through a store of Zarr with zstd, against that file. Prints medians
// and the ratios of their times.
#include <zlib.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ep/ep.hpp>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "config/error.hpp"
#include "file/compressors.hpp"
#include "file/output_file.hpp"

namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  std::string folder = ".";
  int records = 48;
  int repetitions = 3;
  int level = 1;
  int threads = epios::io::Compressors::default_threads();
  std::vector<std::int64_t> shape{30, 180, 360};
  std::vector<std::int64_t> chunk{15, 180, 360};
};

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// A smooth field with noise in its last bits, as models have it.
std::vector<float> make_field(const Options& options) {
  std::vector<float> field(static_cast<std::size_t>(epios::io::volume(options.shape)));
  std::mt19937 random(1);
  std::normal_distribution<float> noise(0, 0.01F);
  const auto nx = static_cast<std::size_t>(options.shape[2]);
  for (std::size_t c = 0; c < field.size(); ++c) {
    const auto x = static_cast<float>(c % nx);
    const auto y = static_cast<float>(c / nx);
    field[c] = 15 + 12 * std::cos(y * 0.004F) + 3 * std::sin(x * 0.01F + y * 0.02F) + noise(random);
  }
  return field;
}

/// What HDF5's own filters do with each chunk; chunks are cut along the first dimension here.
double compress_alone(const Options& options, const std::vector<float>& field, double& megabytes) {
  const auto count = static_cast<std::size_t>(epios::io::volume(options.chunk));
  std::vector<unsigned char> shuffled(count * sizeof(float));
  std::vector<unsigned char> out(compressBound(shuffled.size()));
  megabytes = 0;
  const auto start = Clock::now();
  for (int record = 0; record < options.records; ++record) {
    for (std::size_t begin = 0; begin + count <= field.size(); begin += count) {
      const auto* bytes = reinterpret_cast<const unsigned char*>(field.data() + begin);
      for (std::size_t b = 0; b < sizeof(float); ++b) {
        for (std::size_t i = 0; i < count; ++i)
          shuffled[b * count + i] = bytes[i * sizeof(float) + b];
      }
      uLongf size = out.size();
      if (compress2(out.data(), &size, shuffled.data(), shuffled.size(), options.level) != Z_OK) {
        std::exit(EXIT_FAILURE);
      }
      megabytes += static_cast<double>(size) / 1e6;
    }
  }
  return seconds_since(start);
}

double write_ours(const Options& options, const std::vector<float>& field,
                  epios::io::FileFormat format, double& megabytes) {
  using namespace epios::io;
  const bool is_zarr = format == FileFormat::zarr;
  FileSpec spec;
  spec.path = options.folder + (is_zarr ? "/bench_deflate.zarr" : "/bench_deflate.nc");
  spec.format = format;
  std::filesystem::remove_all(spec.path);
  spec.dimensions = {{"time", 0},
                     {"level", options.shape[0]},
                     {"lat", options.shape[1]},
                     {"lon", options.shape[2]}};
  VariableSpec variable;
  variable.name = "field";
  variable.kind = ValueKind::float32;
  variable.dimensions = {0, 1, 2, 3};
  variable.chunk = options.chunk;
  variable.compression.level = options.level;
  if (is_zarr) variable.compression.method = Compression::Method::zstd;
  spec.variables = {variable};
  Compressors compressors(options.threads);
  const auto start = Clock::now();
  const auto file = create_file(spec, nullptr, {&compressors, nullptr});
  for (int record = 0; record < options.records; ++record) {
    file->reserve(record + 1);
    file->write({0, record, whole(options.shape), std::as_bytes(std::span(field))});
  }
  file->seal(options.records);
  megabytes = static_cast<double>(file->publish()) / 1e6;
  const double seconds = seconds_since(start);
  std::filesystem::remove_all(spec.path);
  return seconds;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Compressed records against zlib in one thread", "bench_deflate");
  app.add_option("--folder", options.folder, "where to write")->capture_default_str();
  app.add_option("--records", options.records, "records per file")->capture_default_str();
  app.add_option("--repetitions", options.repetitions, "of each")->capture_default_str();
  app.add_option("--level", options.level, "of deflate, 1 to 9")->capture_default_str();
  app.add_option("--threads", options.threads, "beside the writing one")->capture_default_str();
  if (const auto exit_code = ep::read_arguments(app, argc, argv)) return *exit_code;
  const ep::Environment environment(MPI_THREAD_SINGLE);
  const std::vector<float> field = make_field(options);
  try {
    std::vector<double> alone;
    std::vector<double> ours;
    double alone_megabytes = 0;
    double ours_megabytes = 0;
    std::vector<double> stores;
    double store_megabytes = 0;
    for (int repetition = 0; repetition < options.repetitions; ++repetition) {
      alone.push_back(compress_alone(options, field, alone_megabytes));
      ours.push_back(write_ours(options, field, epios::io::FileFormat::netcdf4, ours_megabytes));
      stores.push_back(write_ours(options, field, epios::io::FileFormat::zarr, store_megabytes));
    }
    const double megabytes =
        static_cast<double>(field.size() * sizeof(float)) * options.records / 1e6;
    std::printf("data %.0f MB, level %d, %d threads beside the writing one\n", megabytes,
                options.level, options.threads);
    std::printf(
        "zlib_alone %.0f MB/s, %.0f MB\nfile %.0f MB/s, %.0f MB\nratio of times %.2f (target <= "
        "0.5)\n",
        megabytes / median(alone), alone_megabytes, megabytes / median(ours), ours_megabytes,
        median(ours) / median(alone));
    std::printf("store %.0f MB/s, %.0f MB\nzarr (zstd) / NetCDF-4 (deflate) %.2f (target <= 0.8)\n",
                megabytes / median(stores), store_megabytes, median(stores) / median(ours));
  } catch (const epios::Error& error) {
    std::fprintf(stderr, "bench_deflate: %s\n", error.what());
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
