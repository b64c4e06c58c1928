// How long a model waits from `initialize` to its first step, for run_stream.sh: bench_start. With
// --raw the least that this can take: MPI starts, and one process reads the XML. The first process
// prints "start_s value".
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <epios/epios.hpp>
#include <exception>

#include "arguments.hpp"
#include "config/definitions.hpp"
#include "config/document.hpp"
#include "measuring.hpp"

namespace {

using bench::Clock;

constexpr int longitudes = 360;
constexpr int latitudes = 180;

void start_model(Clock::time_point start) {
  epios::client::Session session("bench_start");
  epios::client::Client client(session);
  epios::client::Context context = client.open_context("bench");
  const int begin = client.rank() * latitudes / client.size();
  context.set("domain", "d", "ibegin", 0);
  context.set("domain", "d", "ni", longitudes);
  context.set("domain", "d", "jbegin", begin);
  context.set("domain", "d", "nj", (client.rank() + 1) * latitudes / client.size() - begin);
  context.close_definition();
  context.update_calendar(1);
  if (client.rank() == 0) bench::print("start_s", bench::seconds_since(start));
  context.finalize();
  client.close();
  session.close();
}

void start_raw(Clock::time_point start) {
  MPI_Init(nullptr, nullptr);  // errors end the program
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    const epios::config::Definitions definitions{
        epios::config::Document(epios::config::read_sources("iodef.xml"))};
    bench::print("start_s", bench::seconds_since(start));
  }
  MPI_Finalize();
}

}  // namespace

int main(int argc, char** argv) {
  const auto start = Clock::now();
  bool is_raw = false;
  CLI::App app("Time from initialize to the first step", "bench_start");
  app.add_flag("--raw", is_raw, "start MPI and read the XML, nothing else");
  if (const auto exit_code = ep::read_arguments(app, argc, argv)) return *exit_code;
  try {
    is_raw ? start_raw(start) : start_model(start);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_start: %s\n", error.what());
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
