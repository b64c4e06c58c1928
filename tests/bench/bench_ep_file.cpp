/// @file
/// Seconds of a collective write of interleaved 4 KiB blocks, one "name seconds" a line;
/// run_ep_file.sh makes the ratios.
///
///     mpiexec -n 1 bench_ep_file --endpoints 8 --folder /dev/shm   endpoints, and one pwrite
///     mpiexec -n 8 bench_ep_file --raw --folder /dev/shm           MPI_File_write_all
#include <fcntl.h>
#include <mpi.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ep/ep.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "arguments.hpp"

namespace {

constexpr int block = 4096;
constexpr int rounds = 9;

struct Settings {
  int endpoints = 8;
  int mib = 64;  ///< of all together
  bool raw = false;
  std::string folder = "/tmp";

  std::string file() const { return folder + "/bench_ep_file.data"; }
  std::int64_t bytes() const { return std::int64_t{mib} * 1024 * 1024; }
};

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void check_mpi(int code) {
  if (code != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, code);
}

/// Block i of the file belongs to rank i % size.
MPI_Datatype turns_of(int size) {
  MPI_Datatype once = MPI_DATATYPE_NULL;
  MPI_Datatype turns = MPI_DATATYPE_NULL;
  check_mpi(MPI_Type_contiguous(block, MPI_BYTE, &once));
  check_mpi(MPI_Type_create_resized(once, 0, MPI_Aint{block} * size, &turns));
  check_mpi(MPI_Type_commit(&turns));
  check_mpi(MPI_Type_free(&once));
  return turns;
}

// Every round writes over a file that is there, so that no round pays for its pages.
double seconds_of_pwrite(const Settings& settings) {
  const std::vector<char> data(static_cast<std::size_t>(settings.bytes()), 'x');
  const int fd = open(settings.file().c_str(), O_RDWR | O_CREAT, 0666);
  if (fd < 0) throw std::runtime_error("cannot open " + settings.file());
  std::vector<double> times;
  for (int round = 0; round <= rounds; ++round) {
    const double begin_s = now_s();
    if (pwrite(fd, data.data(), data.size(), 0) != settings.bytes()) {
      throw std::runtime_error("cannot write " + settings.file());
    }
    if (round > 0) times.push_back(now_s() - begin_s);
  }
  if (close(fd) != 0) throw std::runtime_error("cannot close " + settings.file());
  return median(times);
}

/// Of the endpoint that took longest: the median of some rounds.
double seconds_of_endpoint(const Settings& settings, const ep::Comm& comm) {
  EP_File file = EP_FILE_NULL;
  ep::check(EP_File_open(comm.get(), settings.file().c_str(), EP_MODE_RDWR | EP_MODE_CREATE,
                         MPI_INFO_NULL, &file));
  MPI_Datatype turns = turns_of(comm.size());
  ep::check(EP_File_set_view(file, MPI_Offset{block} * comm.rank(), MPI_BYTE, turns, "native",
                             MPI_INFO_NULL));
  const auto mine = static_cast<int>(settings.bytes() / comm.size());
  const std::vector<char> data(static_cast<std::size_t>(mine),
                               static_cast<char>('a' + comm.rank()));
  std::vector<double> times;
  for (int round = 0; round <= rounds; ++round) {
    ep::check(EP_Barrier(comm.get()));
    const double begin_s = now_s();
    ep::check(EP_File_write_at_all(file, 0, data.data(), mine, MPI_BYTE, EP_STATUS_IGNORE));
    const double mine_s = now_s() - begin_s;
    double longest_s = 0;
    ep::check(EP_Allreduce(&mine_s, &longest_s, 1, MPI_DOUBLE, MPI_MAX, comm.get()));
    if (round > 0) times.push_back(longest_s);
  }
  check_mpi(MPI_Type_free(&turns));
  ep::check(EP_File_close(&file));
  return median(times);
}

void measure_endpoints(const Settings& settings) {
  const ep::Comm world = ep::Comm::from_mpi(MPI_COMM_WORLD);
  if (world.rank() == 0) std::printf("pwrite_s %.4g\n", seconds_of_pwrite(settings));
  const std::vector<ep::Comm> mine = world.create_endpoints(settings.endpoints / world.size());
  std::vector<std::thread> threads;
  for (const ep::Comm& comm : mine) {
    threads.emplace_back([&] {
      const double seconds = seconds_of_endpoint(settings, comm);
      if (comm.rank() == 0) std::printf("endpoints_s %.4g\n", seconds);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

void measure_raw(const Settings& settings) {
  int rank = 0;
  int size = 0;
  check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  check_mpi(MPI_Comm_size(MPI_COMM_WORLD, &size));
  MPI_File file = MPI_FILE_NULL;
  check_mpi(MPI_File_open(MPI_COMM_WORLD, settings.file().c_str(), MPI_MODE_RDWR | MPI_MODE_CREATE,
                          MPI_INFO_NULL, &file));
  MPI_Datatype turns = turns_of(size);
  check_mpi(
      MPI_File_set_view(file, MPI_Offset{block} * rank, MPI_BYTE, turns, "native", MPI_INFO_NULL));
  const auto mine = static_cast<int>(settings.bytes() / size);
  const std::vector<char> data(static_cast<std::size_t>(mine), 'r');
  std::vector<double> times;
  for (int round = 0; round <= rounds; ++round) {
    check_mpi(MPI_Barrier(MPI_COMM_WORLD));
    const double begin_s = now_s();
    check_mpi(MPI_File_write_at_all(file, 0, data.data(), mine, MPI_BYTE, MPI_STATUS_IGNORE));
    const double mine_s = now_s() - begin_s;
    double longest_s = 0;
    check_mpi(MPI_Allreduce(&mine_s, &longest_s, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD));
    if (round > 0) times.push_back(longest_s);
  }
  check_mpi(MPI_Type_free(&turns));
  check_mpi(MPI_File_close(&file));
  if (rank == 0) std::printf("raw_s %.4g\n", median(times));
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app("Collective writes of interleaved blocks", "bench_ep_file");
  app.add_option("--endpoints", settings.endpoints, "endpoints of all processes together");
  app.add_option("--mib", settings.mib, "size of the file");
  app.add_option("--folder", settings.folder, "where the file is");
  app.add_flag("--raw", settings.raw, "MPI_File_write_at_all between processes");
  if (const auto exit_code = ep::read_arguments(app, argc, argv)) return *exit_code;
  try {
    const ep::Environment environment;
    if (settings.raw) {
      measure_raw(settings);
    } else {
      measure_endpoints(settings);
    }
    int rank = 0;
    check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    check_mpi(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0) std::remove(settings.file().c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_ep_file: %s\n", error.what());
    return 1;
  }
  return 0;
}
