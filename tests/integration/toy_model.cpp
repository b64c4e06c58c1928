// A model without physics, through the public interface only: any number of processes, threads and
// mistakes.
#include <pthread.h>
#include <sched.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <epios/epios.hpp>
#include <exception>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "arguments.hpp"
#include "toy_field.hpp"

namespace {

namespace client = epios::client;

struct Options {
  std::string iodef = "iodef.xml";
  std::string code_id = "toy";
  std::vector<std::string> contexts = {"toy"};
  std::string mistake = "none";
  int nx = 20, ny = 14, nz = 3;
  int steps = 12;
  int first_step = 1;  // 0: it sends the state at the start, too
  int threads = 1;
  int columns = 1;  // clients side by side in i
  int halo = 1;
  bool single_precision = false;
  bool init_mpi = false;
  bool host_server = false;
  // Thread 0 begins its time loop so long after all other threads have sent their first step.
  int delay_thread_ms = 0;
  int lenders = 0;    // threads beside each client that help it at each step
  bool bind = false;  // client 0's thread to the first of its processors, once the session is open
  std::string after;  // a file: contexts are not opened before it is there
  std::string second = "none";  // context: at_once, after, after_failure of the first, late
};

/// Threads beside a client, which only help it once a step. Waits
/// for them at its end, after that of the client.
class Lenders {
 public:
  Lenders() = default;
  void start(epios_client* client, int count, int steps) {
    for (int t = 0; t < count; ++t) {
      threads_.emplace_back([client, count, steps] {
        for (int step = 0; step < steps; ++step) {
          if (epios_client_help_at_barrier(client, count + 1) == EPIOS_SUCCESS) continue;
          std::fprintf(stderr, "toy_model: lender: %s\n", epios_last_error());
          return;
        }
      });
    }
  }
  Lenders(const Lenders&) = delete;
  Lenders(Lenders&&) = delete;
  Lenders& operator=(const Lenders&) = delete;
  Lenders& operator=(Lenders&&) = delete;
  ~Lenders() {
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  std::vector<std::thread> threads_;
};

void bind_to_first_processor() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) != 0) throw std::runtime_error("is nowhere");
  std::size_t first = 0;
  while (!CPU_ISSET(first, &set)) ++first;
  CPU_ZERO(&set);
  CPU_SET(first, &set);
  if (sched_setaffinity(0, sizeof(set), &set) != 0) throw std::runtime_error("cannot be bound");
}

/// What the system calls the calling thread, and where that may run.
struct ThreadLook {
  std::array<char, 16> name{};
  cpu_set_t processors{};

  ThreadLook() {
    if (pthread_getname_np(pthread_self(), name.data(), name.size()) != 0 ||
        sched_getaffinity(0, sizeof(processors), &processors) != 0) {
      throw std::runtime_error("is not known to the system");
    }
  }
  bool operator==(const ThreadLook& other) const {
    return name == other.name && CPU_EQUAL(&processors, &other.processors) != 0;
  }
};

/// Threads of this process that have sent their first step.
std::atomic<int> threads_under_way{0};

/// A block of the global grid.
struct Part {
  std::int64_t ibegin, ni, jbegin, nj;
};

Part part_of(const Options& options, int rank, int size) {
  const int columns = std::max(1, std::min(options.columns, size));
  const int rows = size / columns + (size % columns != 0 ? 1 : 0);
  const auto cut = [](std::int64_t n, int parts, int p) { return n * p / parts; };
  // The last row of blocks may have fewer, wider ones.
  const int row = rank / columns;
  const int in_row = row == rows - 1 ? size - row * columns : columns;
  const int column = rank % columns;
  Part part{};
  part.ibegin = cut(options.nx, in_row, column);
  part.ni = cut(options.nx, in_row, column + 1) - part.ibegin;
  part.jbegin = cut(options.ny, rows, row);
  part.nj = cut(options.ny, rows, row + 1) - part.jbegin;
  return part;
}

/// Records that the model has sent, by file.
using Sent = std::map<std::string, long long>;

void print_files(const client::Context& context, const Sent& sent) {
  for (const auto& file : context.file_reports()) {
    const auto own = sent.find(std::filesystem::path(file.path).stem());
    std::printf("%s: %lld records, %lld lost, %lld bytes, of %lld sent\n", file.path.c_str(),
                static_cast<long long>(file.records_written),
                static_cast<long long>(file.records_lost), static_cast<long long>(file.bytes),
                own == sent.end() ? 0 : own->second);
    if (file.records_short + file.records_missing > 0) {
      std::printf("%s: %lld short, %lld missing: %s\n", file.path.c_str(),
                  static_cast<long long>(file.records_short),
                  static_cast<long long>(file.records_missing), file.unsent.c_str());
    }
  }
  std::fflush(stdout);
}

/// Longer than any test has time for.
[[noreturn]] void never_come() {
  std::this_thread::sleep_for(std::chrono::hours(1));
  throw std::runtime_error("the model came after all");
}

/// A context of one scalar; two records.
void run_second(client::Client& client, bool is_late = false) {
  client::Context context = client.open_context("second");
  context.close_definition();
  for (std::int64_t step = 1; step <= 2; ++step) {
    context.update_calendar(step);
    context.send("index", toy::index(step));
  }
  // The servers do not need these clients: they have nothing of a scalar that client 0 has.
  if (is_late && client.rank() > 0) std::this_thread::sleep_for(std::chrono::milliseconds(500));
  context.finalize();
  if (client.rank() == 0) print_files(context, {{"second", 2}});
}

class Toy {
 public:
  Toy(const Options& options, client::Client& client, const std::string& context)
      : options_(options),
        client_(client),
        rank_(client.rank()),
        part_(options.mistake == "whole" ? part_of(options, 0, 1)
                                         : part_of(options, client.rank(), client.size())),
        context_(client.open_context(context)) {
    define();
  }

  void close_definition() {
    if (options_.mistake == "send_before_close") context_.send("index", 1.0);
    if (options_.mistake == "never_defines" && rank_ > 0) never_come();
    if (options_.mistake == "late_definition" && rank_ > 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1000));
      if (rank_ == 2) throw std::runtime_error("the model blew up late");
    }
    context_.close_definition();
    if (options_.second == "at_once") run_second(client_);
    if (options_.mistake == "set_after_close") context_.set("domain", "d", "ni", 3);
  }

  void take_step(std::int64_t step) {
    context_.update_calendar(step);
    if (step == 3) make_mistake();
    // At a date of output: at others nothing would leave the client.
    if (step == 2 && options_.mistake == "one_client_other_field" && rank_ == 1) send_profile(step);
    send(step);
  }

  void finalize() {
    if (options_.mistake == "no_finalize") return;
    if (options_.mistake == "one_client_fewer_sends" && rank_ != 0) {
      context_.update_calendar(options_.steps + 2);
      send(options_.steps + 2);
    }
    try {
      context_.finalize();
    } catch (const client::Error&) {
      if (rank_ == 0) print_files(context_, sent_);
      throw;
    }
    if (options_.mistake == "send_after_finalize") context_.send("index", 1.0);
    if (options_.mistake == "throw_after_finalize" && rank_ == 1) {
      throw std::runtime_error("the model blew up at its end");
    }
    if (rank_ == 0) print_files(context_, sent_);
  }

 private:
  void define() {
    // A row that no client has.
    if (options_.mistake == "hole" && rank_ == client_.size() - 1) --part_.nj;
    const int nx = options_.nx;
    const int ny = options_.ny;
    std::vector<double> lon;
    std::vector<double> lat;
    for (std::int64_t i = 0; i < part_.ni; ++i) {
      lon.push_back(360.0 / nx * (static_cast<double>(part_.ibegin + i) + 0.5));
    }
    for (std::int64_t j = 0; j < part_.nj; ++j) {
      lat.push_back(-90.0 + 180.0 / ny * (static_cast<double>(part_.jbegin + j) + 0.5));
    }
    const std::int64_t halo = options_.halo;
    for (const std::string id : {"d", "d_masked"}) {
      context_.set("domain", id, "ni_glo", nx);
      context_.set("domain", id, "nj_glo", ny);
      context_.set("domain", id, "ibegin", part_.ibegin);
      context_.set("domain", id, "ni", part_.ni);
      context_.set("domain", id, "jbegin", part_.jbegin);
      context_.set("domain", id, "nj", part_.nj);
      context_.set("domain", id, "data_dim", 2);
      context_.set("domain", id, "lonvalue_1d", lon);
      context_.set("domain", id, "latvalue_1d", lat);
    }
    context_.set("domain", "d_masked", "data_ibegin", -halo);
    context_.set("domain", "d_masked", "data_jbegin", -halo);
    context_.set("domain", "d_masked", "data_ni", part_.ni + 2 * halo);
    context_.set("domain", "d_masked", "data_nj", part_.nj + 2 * halo);
    std::vector<unsigned char> mask;
    for (std::int64_t j = 0; j < part_.nj; ++j) {
      for (std::int64_t i = 0; i < part_.ni; ++i) {
        mask.push_back(toy::is_land(part_.ibegin + i, part_.jbegin + j) ? 0 : 1);
      }
    }
    context_.set("domain", "d_masked", "mask_2d", mask, {part_.ni, part_.nj});
    if (options_.mistake == "other_coordinates" && rank_ == 1) {
      lon[3] += 1;
      context_.set("domain", "d", "lonvalue_1d", lon);
    }
    context_.set("axis", "levels", "n_glo", options_.nz);
    std::vector<double> depth;
    depth.reserve(static_cast<std::size_t>(options_.nz));
    for (int k = 0; k < options_.nz; ++k) depth.push_back(10.0 * k + 5.0);
    context_.set("axis", "levels", "value", depth);
    if (options_.mistake == "outside_global" && rank_ == 1)
      context_.set("domain", "d", "ibegin", nx - 1);
    if (options_.mistake == "one_client_other_global" && rank_ == 1) {
      context_.set("field", "temp", "unit", "kelvin");
    }
    if (options_.mistake == "unknown_api_attribute") context_.set("domain", "d", "nii", 3);
  }

  void make_mistake() {
    if (options_.mistake == "wrong_size") context_.send("temp", std::vector<double>(5, 0.0));
    if (options_.mistake == "unknown_field") context_.send("tempp", 1.0);
    if (options_.mistake == "time_backwards") context_.update_calendar(1);
    if (options_.mistake == "never_comes" && rank_ == 1) never_come();
    if (options_.mistake == "late" && rank_ == 1) {
      std::this_thread::sleep_for(std::chrono::seconds(1));
      throw std::runtime_error("the model blew up late");
    }
    // Threads that help have come by then.
    if (options_.lenders > 0) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    if (options_.mistake == "throw" && rank_ == 1) throw std::runtime_error("the model blew up");
    if (options_.mistake == "exit" && rank_ == 1) std::exit(7);
    if (options_.mistake == "exit_as_if_all_were_well" && rank_ == 1) std::exit(0);
    if (options_.mistake == "exit_unseen" && rank_ == 1) {
      std::fprintf(stderr, "toy_model: leaves without a word to EPIOS\n");
      std::_Exit(7);
    }
  }

  bool skips_temperature(std::int64_t step) const {
    if (options_.mistake == "skip_one") return step == 5;
    if (options_.mistake == "one_client_skips_one") return step == 5 && rank_ == 1;
    return options_.mistake == "stop_early" && step > 9;
  }

  void send(std::int64_t step) {
    if (!skips_temperature(step)) send_temperature(step);
    send_surface(step);
    context_.send("index", toy::index(step));
    const bool skips_profile = options_.mistake == "one_client_other_field" ||
                               options_.mistake == "never" ||
                               (options_.mistake == "late_profile" && step < 9);
    if (!skips_profile) send_profile(step);
    if (options_.mistake == "twice" && step == 4) send_surface(step);
    // As toy.xml has it: three instants, four means, one average of the surface.
    if (step % 2 == 0) sent_["instant"] += 3;
    if (step % 4 == 0) sent_["means"] += 4;
    if (step % 3 == 0) sent_["surface"] += 1;
  }

  void send_temperature(std::int64_t step) {
    std::vector<double> data;
    for (std::int64_t k = 0; k < options_.nz; ++k) {
      for (std::int64_t j = 0; j < part_.nj; ++j) {
        for (std::int64_t i = 0; i < part_.ni; ++i) {
          data.push_back(toy::temperature(part_.ibegin + i, part_.jbegin + j, k, step));
        }
      }
    }
    if (options_.single_precision) {
      context_.send("temp", std::vector<float>(data.begin(), data.end()));
    } else {
      context_.send("temp", data);
    }
  }

  void send_surface(std::int64_t step) {
    const int halo = options_.halo;
    std::vector<double> data;
    for (std::int64_t j = -halo; j < part_.nj + halo; ++j) {
      for (std::int64_t i = -halo; i < part_.ni + halo; ++i) {
        const bool owned = i >= 0 && i < part_.ni && j >= 0 && j < part_.nj;
        data.push_back(owned ? toy::surface(part_.ibegin + i, part_.jbegin + j, step) : 1e30);
      }
    }
    context_.send("surface", data);
  }

  void send_profile(std::int64_t step) {
    std::vector<double> data;
    for (std::int64_t k = 0; k < options_.nz; ++k) data.push_back(toy::profile(k, step));
    context_.send("profile", data);
  }

  const Options& options_;
  client::Client& client_;
  int rank_;
  Part part_;
  client::Context context_;
  Sent sent_;
};

/// Every client sends all of one context first, each of another one: none can go on once what it
/// sends has no room.
void run_in_a_circle(const Options& options, std::vector<Toy>& toys, int rank) {
  for (std::size_t i = 0; i < toys.size(); ++i) {
    Toy& toy = toys[(i + static_cast<std::size_t>(rank)) % toys.size()];
    for (std::int64_t step = 1; step <= options.steps; ++step) toy.take_step(step);
  }
}

void run_client(const Options& options, const client::Session& session, int index) {
  Lenders lenders;
  client::Client client(session, index);
  while (!options.after.empty() && !std::filesystem::exists(options.after)) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  std::vector<Toy> toys;
  for (const auto& context : options.contexts) toys.emplace_back(options, client, context);
  for (auto& toy : toys) toy.close_definition();
  if (index == 0 && options.delay_thread_ms > 0) {
    const auto pause = std::chrono::milliseconds(options.delay_thread_ms);
    // For ever, if a send waited for a sibling thread.
    while (threads_under_way < options.threads - 1) std::this_thread::sleep_for(pause / 10);
    std::this_thread::sleep_for(pause);
  }
  lenders.start(client.get(), options.lenders, options.steps);
  if (options.mistake == "circle") run_in_a_circle(options, toys, client.rank());
  try {
    for (std::int64_t step = options.first_step; step <= options.steps; ++step) {
      for (auto& toy : toys) toy.take_step(step);
      if (options.lenders > 0) client.help_at_barrier(options.lenders + 1);
      if (step == 1) ++threads_under_way;
    }
    for (auto& toy : toys) toy.finalize();
  } catch (const client::Error&) {
    if (options.second == "after_failure") {
      run_second(client);
      MPI_Barrier(
          session.comm());  // who ends first ends the job, and with it the first one's report
    }
    throw;
  }
  if (options.mistake == "never_closes" && client.rank() == 1) never_come();
  if (options.second == "after") run_second(client);
  if (options.second == "late") run_second(client, true);
  client.close();
}

/// Says why and ends the process, and with it the job.
[[noreturn]] void end_job(const std::exception_ptr& reason) {
  try {
    std::rethrow_exception(reason);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "toy_model: error: %s\n", error.what());
    std::fflush(stderr);
  }
  std::_Exit(1);
}

void run(const Options& options) {
  client::Session::Options session_options;
  session_options.iodef = options.iodef;
  session_options.clients = options.threads;
  session_options.host_server = options.host_server;
  client::Session session(options.code_id, session_options);
  if (options.mistake == "no_clients") return session.close();
  std::thread server;
  std::exception_ptr server_error;
  if (options.host_server) {
    server = std::thread([&] {
      try {
        const ThreadLook before;
        session.serve();
        if (!(ThreadLook() == before)) {
          throw std::runtime_error("the thread that has served is not as it was");
        }
      } catch (...) {
        server_error = std::current_exception();
      }
    });
  }
  if (options.bind) bind_to_first_processor();
  std::vector<std::thread> threads;
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(options.threads));
  const auto body = [&](int index) {
    try {
      run_client(options, session, index);
    } catch (...) {
      errors[static_cast<std::size_t>(index)] = std::current_exception();
    }
  };
  for (int t = 1; t < options.threads; ++t) threads.emplace_back(body, t);
  body(0);
  // Other threads may wait for ever for one that failed, so they are not joined then.
  if (errors[0]) end_job(errors[0]);
  for (auto& thread : threads) thread.join();
  for (const auto& error : errors) {
    if (error) end_job(error);
  }
  if (server.joinable()) server.join();
  if (server_error) std::rethrow_exception(server_error);
  session.close();
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{"Toy model of the integration tests", "toy_model"};
  app.add_option("--iodef", options.iodef);
  app.add_option("--code-id", options.code_id);
  app.add_option("--contexts", options.contexts)->delimiter(',');
  app.add_option("--mistake", options.mistake);
  app.add_option("--nx", options.nx);
  app.add_option("--ny", options.ny);
  app.add_option("--nz", options.nz);
  app.add_option("--steps", options.steps);
  app.add_option("--first-step", options.first_step);
  app.add_option("--threads", options.threads);
  app.add_option("--columns", options.columns);
  app.add_option("--halo", options.halo);
  app.add_option("--delay-thread-ms", options.delay_thread_ms);
  app.add_option("--second", options.second);
  app.add_option("--after", options.after);
  app.add_option("--lenders", options.lenders);
  app.add_flag("--bind", options.bind);
  app.add_flag("--single", options.single_precision);
  app.add_flag("--init-mpi", options.init_mpi);
  app.add_flag("--host-server", options.host_server);
  if (const auto exit_code = ep::read_arguments(app, argc, argv)) return *exit_code;
  if (options.init_mpi) MPI_Init(&argc, &argv);
  try {
    run(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "toy_model: error: %s\n", error.what());
    return 1;
  }
  if (options.init_mpi) MPI_Finalize();
  return 0;
}
