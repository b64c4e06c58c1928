/// @file
/// Where files go when contexts start: processor time of sharing out servers (pools and services on
/// nodes) and files, for more and more files of a context and more and more contexts of a file.
/// What is linear has the same numbers per file in each line.
///
///     bench_placement
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "config/definitions.hpp"
#include "config/document.hpp"
#include "config/model.hpp"
#include "grid/routing.hpp"
#include "session/server_pools.hpp"

namespace {

using namespace epios;

constexpr int nodes = 8;
constexpr int servers = 64;
constexpr int turns = 5;
constexpr std::int64_t shared_record_bytes = std::int64_t{1} << 28U;

double processor_s() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// A model on the first of eight nodes, and eight servers on each.
io::ProcessTable job() {
  io::ProcessTable out;
  out.components = {"ocean"};
  out.processes.emplace_back();
  out.processes.back() = {0, 0, 1, -1};
  for (int n = 0; n < nodes; ++n) out.nodes.push_back(fmt::format("n{}", n));
  for (int s = 0; s < servers; ++s) {
    io::ProcessTable::Process& process = out.processes.emplace_back();
    process.server = s;
    process.node = s / (servers / nodes);
  }
  return out;
}

config::Definitions definitions(int files) {
  std::string text =
      "<simulation><context id='xios'><pool_definition>"
      "<pool name='far' nprocs='8' per_node='1'><service name='w' type='writer' "
      "remain='true'/></pool>"
      "<pool name='near' remain='true' on_node='0-5'><service name='w' type='writer' remain='true' "
      "nb_partitions='8'/></pool></pool_definition></context><context id='c' default_pool='near'>"
      "<calendar type='NoLeap' timestep='1h' start_date='2000-01-01'/>"
      "<domain_definition><domain id='d' type='rectilinear' ni_glo='360' nj_glo='180'/>"
      "</domain_definition><field_definition><field id='a' domain_ref='d' operation='instant'/>"
      "</field_definition><file_definition output_freq='1d'>";
  for (int f = 0; f < files; ++f) {
    text += fmt::format("<file id='f{}'{}><field field_ref='a'/></file>", f,
                        f % 3 == 0 ? " pool_writer='far'" : "");
  }
  text += "</file_definition></context></simulation>";
  return config::Definitions(config::Document({{"iodef.xml", text}}));
}

/// The least of some turns: what else runs on the machine only adds.
template <class Work>
double least_s(Work work) {
  double out = 1e9;
  for (int turn = 0; turn < turns; ++turn) {
    const double start = processor_s();
    work();
    out = std::min(out, processor_s() - start);
  }
  return out;
}

std::size_t placed(const config::ServerPlan& plan, const config::Model& model,
                   const io::ProcessTable& process_table) {
  const io::ServerChoice choice = client::choose_servers(plan, model, process_table);
  return io::place_files(model, servers, shared_record_bytes, choice).size();
}

void run() {
  const io::ProcessTable process_table = job();
  fmt::print("{:>8} {:>22} {:>22}\n", "number", "files of one: us each", "contexts: us each");
  const config::Definitions one = definitions(1);
  const config::Model model_of_one = one.resolve("c");
  const config::ServerPlan plan = one.servers();
  for (const int number : {250, 500, 1000, 2000, 4000}) {
    const config::Model model = definitions(number).resolve("c");
    std::size_t count = 0;
    const double files_s = least_s([&] { count += placed(plan, model, process_table); });
    const double contexts_s = least_s([&] {
      for (int c = 0; c < number; ++c) count += placed(plan, model_of_one, process_table);
    });
    if (count != 2 * static_cast<std::size_t>(turns * number))
      throw std::runtime_error("lost files");
    fmt::print("{:>8} {:>22.2f} {:>22.2f}\n", number, 1e6 * files_s / number,
               1e6 * contexts_s / number);
  }
}

}  // namespace

int main() {
  try {
    run();
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_placement: {}\n", error.what());
    return 1;
  }
}
