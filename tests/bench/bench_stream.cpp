// Sends a field of 360 x 180 x 30 doubles every step and measures what it costs the model. Each
// client process prints nothing but the first, which prints "name value" lines; run_stream.sh makes
// ratios of them.

#include <time.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <epios/epios.hpp>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "arguments.hpp"
#include "measuring.hpp"
#include "server_watch.hpp"

namespace {

using bench::Clock;
using bench::compute;
using bench::median;
using bench::memcpy_s;
using bench::print;
using bench::seconds_since;

struct Options {
  std::string iodef = "bench_stream.xml";
  std::string output = ".";
  std::string file = "every_step";
  int steps = 50;
  double compute_ms = 0;
  double idle_s = 0;
  int ni = 360;
  int nj = 180;
  int levels = 30;
  int lenders = 0;
  double pause_ms = 0;
  bool is_masked = false;
  bool is_smooth = false;
  bool is_bare = false;
};

/// The part of one client: some rows of all levels, longitude fastest.
struct Part {
  int begin = 0;
  int rows = 0;
  std::vector<double> field;
};

/// As bench_deflate has it.
void make_smooth(std::vector<double>& field, std::size_t nx) {
  std::mt19937 random(1);
  std::normal_distribution<double> noise(0, 0.01);
  for (std::size_t c = 0; c < field.size(); ++c) {
    const auto x = static_cast<double>(c % nx);
    const auto y = static_cast<double>(c / nx);
    field[c] = 15 + 12 * std::cos(y * 0.004) + 3 * std::sin(x * 0.01 + y * 0.02) + noise(random);
  }
}

Part make_part(const Options& options, int rank, int size) {
  Part part;
  part.begin = rank * options.nj / size;
  part.rows = (rank + 1) * options.nj / size - part.begin;
  part.field.resize(static_cast<std::size_t>(options.ni) * static_cast<std::size_t>(part.rows) *
                    static_cast<std::size_t>(options.levels));
  if (options.is_smooth) {
    make_smooth(part.field, static_cast<std::size_t>(options.ni));
    return part;
  }
  for (std::size_t c = 0; c < part.field.size(); ++c) {
    part.field[c] = static_cast<double>(c % 1000) * 0.25;
  }
  return part;
}

std::vector<double> centres(int count, double from, double width) {
  std::vector<double> out;
  out.reserve(static_cast<std::size_t>(count));
  for (int k = 0; k < count; ++k) out.push_back(from + (k + 0.5) * width);
  return out;
}

/// True for two thirds of the points: seas between continents.
bool is_sea(int i, int j) { return (i / 30 + j / 20) % 3 != 0; }

void define_mask(epios::client::Context& context, const Options& options, const Part& part) {
  const auto count = static_cast<std::size_t>(options.ni) * static_cast<std::size_t>(part.rows);
  std::vector<unsigned char> mask(count);
  for (std::size_t c = 0; c < count; ++c) {
    const auto row = static_cast<int>(c / static_cast<std::size_t>(options.ni));
    const auto column = static_cast<int>(c % static_cast<std::size_t>(options.ni));
    mask[c] = is_sea(column, part.begin + row) ? 1 : 0;
  }
  context.set("domain", "horizontal", "mask_1d", mask);
}

void define(epios::client::Context& context, const Options& options, const Part& part) {
  context.set("context", "", "output_dir", options.output);
  context.set("domain", "horizontal", "ni_glo", options.ni);
  context.set("domain", "horizontal", "nj_glo", options.nj);
  context.set("domain", "horizontal", "ibegin", 0);
  context.set("domain", "horizontal", "ni", options.ni);
  context.set("domain", "horizontal", "jbegin", part.begin);
  context.set("domain", "horizontal", "nj", part.rows);
  context.set("domain", "horizontal", "data_dim", 2);
  context.set("domain", "horizontal", "lonvalue_1d", centres(options.ni, 0, 360.0 / options.ni));
  const double height = 180.0 / options.nj;
  context.set("domain", "horizontal", "latvalue_1d",
              centres(part.rows, -90 + part.begin * height, height));
  context.set("axis", "level", "n_glo", options.levels);
  context.set("axis", "level", "value", centres(options.levels, 0, 1));
  context.set("file", options.file, "enabled", true);
  if (options.is_masked) define_mask(context, options, part);
}

/// The least that a sample of a mean costs: read the field and add it.
double accumulate_s(const std::vector<double>& field) {
  std::vector<double> sum = field;
  std::vector<double> times;
  for (int round = 0; round < 21; ++round) {
    const auto start = Clock::now();
    for (std::size_t k = 0; k < field.size(); ++k) sum[k] += field[k];
    times.push_back(seconds_since(start));
  }
  if (sum.back() < field.back()) std::abort();  // no sum can be left out
  return median(times);
}

double time_of_copy(const std::vector<double>& from, std::vector<double>& to) {
  const auto start = Clock::now();
  std::memcpy(to.data(), from.data(), from.size() * sizeof(double));
  const double out = seconds_since(start);
  if (to.front() != from.front()) std::abort();  // no copy can be left out
  return out;
}

/// Of the calling thread, or of the whole process.
double cpu_s(clockid_t clock) {
  timespec time{};
  if (clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// CPU of the servers: other processes, or other threads of this one.
double servers_cpu_s(const bench::ServerWatch& servers) {
  if (servers.count() > 0) return servers.look().cpu_s;
  return cpu_s(CLOCK_PROCESS_CPUTIME_ID) - cpu_s(CLOCK_THREAD_CPUTIME_ID);
}

/// CPU of the servers while the model computes and sends nothing.
void run_idle(const Options& options, std::vector<double>& field,
              const bench::ServerWatch& servers) {
  compute(field, 500);  // opening is over
  const double before = servers_cpu_s(servers);
  const auto start = Clock::now();
  compute(field, options.idle_s * 1e3);
  print("idle_cpu_share", (servers_cpu_s(servers) - before) / seconds_since(start));
}

/// Threads that only help the client, once a step.
class Lenders {
 public:
  Lenders(epios_client* client, int count, int steps) {
    for (int t = 0; t < count; ++t) {
      threads_.emplace_back([client, count, steps] {
        for (int step = 0; step < steps; ++step) {
          if (epios_client_help_at_barrier(client, count + 1) == EPIOS_SUCCESS) continue;
          std::fprintf(stderr, "bench_stream: %s\n", epios_last_error());
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

void run_client(const epios::client::Session& session, const Options& options) {
  epios::client::Client client(session);
  epios::client::Context context = client.open_context("bench");
  Part part = make_part(options, client.rank(), client.size());
  const bool speaks = client.rank() == 0;
  const bench::ServerWatch servers;
  define(context, options, part);
  const double copy_s = options.is_bare ? 0 : memcpy_s(part.field);
  const double add_s = options.is_bare ? 0 : accumulate_s(part.field);
  const auto opening = Clock::now();
  context.close_definition();
  const double opening_s = seconds_since(opening);
  const double cpu_before_s = servers.look().cpu_s;

  const double own_before_s = cpu_s(CLOCK_PROCESS_CPUTIME_ID);
  const auto start = Clock::now();
  if (options.idle_s > 0 && speaks) run_idle(options, part.field, servers);
  std::vector<double> sends;
  std::vector<double> copies;
  std::vector<double> target;
  if (options.pause_ms > 0) target = part.field;
  const auto pause = std::chrono::duration<double, std::milli>(options.pause_ms);
  bench::ServerUse most;
  const Lenders lenders(client.get(), options.lenders, options.steps);
  for (int step = 1; step <= options.steps; ++step) {
    if (options.compute_ms > 0) compute(part.field, options.compute_ms);
    if (options.pause_ms > 0) {
      std::this_thread::sleep_for(pause);
      copies.push_back(time_of_copy(part.field, target));
      std::this_thread::sleep_for(pause);
    }
    const auto send_start = Clock::now();
    context.update_calendar(step);
    context.send("field", part.field);
    sends.push_back(seconds_since(send_start));
    if (options.lenders > 0) client.help_at_barrier(options.lenders + 1);
    if (!speaks || options.compute_ms <= 0) continue;
    const bench::ServerUse use = servers.look();
    if (use.anonymous_kb > most.anonymous_kb) most = use;
  }
  const double own_cpu_s = cpu_s(CLOCK_PROCESS_CPUTIME_ID) - own_before_s;
  const epios_statistics statistics = context.statistics();
  const double cpu_s = servers.look().cpu_s - cpu_before_s;
  const std::int64_t own_anonymous_kb = bench::own_anonymous_kb();
  if (options.is_bare && speaks) print("pss_kb", bench::own_pss_kb() + servers.pss_kb());
  context.finalize();
  const double wall_s = seconds_since(start);
  if (speaks) {
    print("clients", client.size());
    print("servers", static_cast<double>(servers.count()));
    print("field_bytes", static_cast<double>(part.field.size() * sizeof(double)));
    print("memcpy_s", copy_s);
    print("accumulate_s", add_s);
    print("close_definition_s", opening_s);
    if (!sends.empty()) {
      print("send_mean_s",
            std::accumulate(sends.begin(), sends.end(), 0.0) / static_cast<double>(sends.size()));
      print("send_median_s", median(sends));
      print("send_p99_s", bench::quantile(sends, 0.99));
      print("send_max_s", *std::max_element(sends.begin(), sends.end()));
    }
    if (!copies.empty()) print("copy_median_s", median(copies));
    print("blocked_s", statistics.blocked_s);
    print("in_library_s", statistics.in_library_s);
    print("wall_s", wall_s);
    print("server_cpu_s", cpu_s);
    print("client_cpu_s", own_cpu_s);
    print("client_anonymous_kb", static_cast<double>(own_anonymous_kb));
    print("server_anonymous_kb", static_cast<double>(most.anonymous_kb));
    print("server_shared_kb", static_cast<double>(most.shared_kb));
  }
  client.close();
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Cost of streaming a large field through EPIOS", "bench_stream");
  app.add_option("--iodef", options.iodef, "XML file")->capture_default_str();
  app.add_option("--output", options.output, "folder of the files")->capture_default_str();
  app.add_option("--file", options.file, "file of the XML to enable")
      ->check(CLI::IsMember({"every_step",
                             "single",
                             "remapped",
                             "remapped_second",
                             "remapped_server",
                             "remapped_second_server",
                             "pixels",
                             "pixels_weights",
                             "pixels_levels",
                             "pixels_server",
                             "pixels_levels_server",
                             "daily_mean",
                             "cdf5",
                             "cdf5_two",
                             "split",
                             "split_cdf5",
                             "zarr",
                             "deflate",
                             "zarr_zstd",
                             "zarr3",
                             "zarr3_zstd"}))
      ->capture_default_str();
  app.add_option("--steps", options.steps, "steps of an hour")->capture_default_str();
  app.add_option("--compute-ms", options.compute_ms, "arithmetic before each send");
  app.add_option("--idle-s", options.idle_s, "compute first for so long without sending");
  app.add_option("--ni", options.ni, "longitudes")->capture_default_str();
  app.add_option("--nj", options.nj, "latitudes")->capture_default_str();
  app.add_option("--levels", options.levels, "levels")->capture_default_str();
  app.add_option("--pause-ms", options.pause_ms,
                 "before each send: sleep, time a memcpy of the field, sleep");
  app.add_flag("--mask", options.is_masked, "a third of the points is masked");
  app.add_flag("--smooth", options.is_smooth,
               "values as models have them, smooth with noise in the last bits");
  app.add_flag("--bare", options.is_bare,
               "measure no limits; print the memory of model and servers after the last send");
  app.add_option("--lenders", options.lenders, "threads that help at the barrier")
      ->capture_default_str();
  if (const auto exit_code = ep::read_arguments(app, argc, argv)) return *exit_code;
  try {
    epios::client::Session session("bench_stream", {.iodef = options.iodef});
    run_client(session, options);
    session.close();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_stream: %s\n", error.what());
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
