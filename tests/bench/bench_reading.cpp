// Reads what a file has through EPIOS and measures what it costs the model. The first client prints
// "name value" lines; run_reading.sh makes ratios of them.
//
//   make    writes the files: 50 records of 360 x 180 x 30 doubles, as they are and compressed;
//   many
//           small forcing fields; a file of many variables. One process, no server.
//   stream  receives the records of a large field.
//   forcing receives many small fields every step.
//   open    opens a file of many variables.

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
#include <vector>

#include "arguments.hpp"
#include "measuring.hpp"

namespace {

using bench::Clock;
using bench::compute;
using bench::median;
using bench::memcpy_s;
using bench::print;
using bench::seconds_since;

struct Options {
  std::string what = "stream";
  std::string folder = ".";
  std::string file = "plain";
  int steps = 50;
  double compute_ms = 0;
  int ni = 360, nj = 180, levels = 30;
  int fields = 200;        // of forcing: 64 kB each
  int variables = 2000;    // of the file that is opened
  int forcing_steps = 48;  // hours
};

constexpr int forcing_ni = 128, forcing_nj = 64;

/// Rows of a client.
struct Part {
  int begin = 0, rows = 0;
  Part(int nj, int rank, int size)
      : begin(rank * nj / size), rows((rank + 1) * nj / size - begin) {}
};

void define_time(epios::client::Context& context) {
  context.at("calendar").set("type", "NoLeap").set("timestep", "1h");
  context.at("calendar").set("start_date", "2001-01-01 00:00:00");
}

void define_domain(epios::client::Context& context, int ni, int nj, const Part& part) {
  const auto domain = context.at("domain_definition").child("domain", "horizontal");
  domain.set("type", "rectilinear").set("ni_glo", ni).set("nj_glo", nj);
  domain.set("ibegin", 0).set("ni", ni).set("jbegin", part.begin).set("nj", part.rows);
}

void define_volume(epios::client::Context& context, const Options& options, const Part& part) {
  define_domain(context, options.ni, options.nj, part);
  context.at("axis_definition").child("axis", "level").set("n_glo", options.levels);
  const auto grid = context.at("grid_definition").child("grid", "volume");
  grid.child("domain").set("domain_ref", "horizontal");
  grid.child("axis").set("axis_ref", "level");
}

/// A smooth field with noise in its last digits, as models have it.
std::vector<double> smooth(std::size_t count, int ni, unsigned seed) {
  std::vector<double> out(count);
  std::mt19937 random(seed);
  std::normal_distribution<float> noise(0, 0.01F);
  for (std::size_t c = 0; c < count; ++c) {
    const auto x = static_cast<double>(c % static_cast<std::size_t>(ni));
    const auto y = static_cast<double>(c / static_cast<std::size_t>(ni));
    out[c] = static_cast<double>(static_cast<float>(
        15 + 12 * std::cos(y * 0.004) + 3 * std::sin(x * 0.01 + y * 0.02) + noise(random)));
  }
  return out;
}

struct Field {
  std::string id;
  std::vector<double> values;
};

/// A file of fields on one grid, `records` of each.
void make_file(epios::client::Client& client, const Options& options, const std::string& name,
               const std::string& grid, int level, std::vector<Field> fields, int records) {
  epios::client::Context context = client.open_context("make_" + name);
  define_time(context);
  if (grid == "volume") {
    define_volume(context, options, Part(options.nj, 0, 1));
  } else {
    define_domain(context, forcing_ni, forcing_nj, Part(forcing_nj, 0, 1));
  }
  context.set("context", "", "output_dir", options.folder);
  const auto file = context.at("file_definition").child("file", "file");
  file.set("name", name).set("output_freq", "1h").set("compression_level", level);
  for (const Field& field : fields) {
    const auto to = file.child("field").set("name", field.id).set("operation", "instant");
    context.at("field_definition")
        .child("field", field.id)
        .set(grid == "volume" ? "grid_ref" : "domain_ref", grid == "volume" ? grid : "horizontal");
    to.set("field_ref", field.id).set("prec", 8);
  }
  context.close_definition();
  for (int step = 1; step <= records; ++step) {
    context.update_calendar(step);
    for (Field& field : fields) {
      field.values[0] = step;
      context.send(field.id, field.values);
    }
  }
  context.finalize();
}

void make(epios::client::Client& client, const Options& options) {
  const auto volume = static_cast<std::size_t>(options.ni) * static_cast<std::size_t>(options.nj) *
                      static_cast<std::size_t>(options.levels);
  const auto name = [](int f) { return "f" + std::to_string(f); };
  make_file(client, options, "plain", "volume", 0, {{"field", smooth(volume, options.ni, 1)}},
            options.steps);
  make_file(client, options, "deflate", "volume", 4, {{"field", smooth(volume, options.ni, 1)}},
            options.steps);
  std::vector<Field> small;
  for (int f = 0; f < options.fields; ++f) {
    small.push_back({name(f), smooth(std::size_t{forcing_ni} * forcing_nj, forcing_ni,
                                     static_cast<unsigned>(f))});
  }
  make_file(client, options, "forcing", "surface", 0, std::move(small), options.forcing_steps);
  std::vector<Field> many;
  for (int f = 0; f < options.variables; ++f) {
    many.push_back({name(f), std::vector<double>(std::size_t{forcing_ni} * forcing_nj, f)});
  }
  make_file(client, options, "many", "surface", 0, std::move(many), 1);
}

void define_reading(epios::client::Context& context, const Options& options,
                    const std::string& name, int fields) {
  const auto file = context.at("file_definition").child("file", "file");
  file.set("name", options.folder + "/" + name).set("output_freq", "1h").set("mode", "read");
  for (int f = 0; f < fields; ++f) {
    file.child("field", "f" + std::to_string(f))
        .set("domain_ref", "horizontal")
        .set("operation", "instant")
        .set("read_access", true);
  }
}

void stream(epios::client::Client& client, const Options& options) {
  epios::client::Context context = client.open_context("stream");
  const Part part(options.nj, client.rank(), client.size());
  define_time(context);
  define_volume(context, options, part);
  const auto file = context.at("file_definition").child("file", "file");
  file.set("name", options.folder + "/" + options.file).set("output_freq", "1h");
  file.set("mode", "read");
  file.child("field", "field")
      .set("grid_ref", "volume")
      .set("operation", "instant")
      .set("read_access", true);
  std::vector<double> field(static_cast<std::size_t>(options.ni) *
                            static_cast<std::size_t>(part.rows) *
                            static_cast<std::size_t>(options.levels));
  std::vector<double> work(field.size(), 1);
  const double copy_s = memcpy_s(field);
  context.close_definition();
  const auto start = Clock::now();
  std::vector<double> receives;
  for (int step = 0; step < options.steps; ++step) {
    if (options.compute_ms > 0) compute(work, options.compute_ms);
    const auto receive_start = Clock::now();
    context.update_calendar(step);
    context.receive("field", field);
    receives.push_back(seconds_since(receive_start));
    if (client.rank() == 0 && field[0] != step + 1) {
      throw std::runtime_error("record " + std::to_string(step) + " has other values");
    }
  }
  const double wall_s = seconds_since(start);
  context.finalize();
  if (client.rank() != 0) return;
  print("field_bytes", static_cast<double>(field.size() * sizeof(double)));
  print("memcpy_s", copy_s);
  print("receive_mean_s", std::accumulate(receives.begin(), receives.end(), 0.0) / options.steps);
  print("receive_median_s", median(receives));
  print("receive_max_s", *std::max_element(receives.begin(), receives.end()));
  print("wall_s", wall_s);
}

void forcing(epios::client::Client& client, const Options& options) {
  epios::client::Context context = client.open_context("forcing");
  const Part part(forcing_nj, client.rank(), client.size());
  define_time(context);
  define_domain(context, forcing_ni, forcing_nj, part);
  define_reading(context, options, "forcing", options.fields);
  context.close_definition();
  std::vector<std::string> ids;
  for (int f = 0; f < options.fields; ++f) ids.push_back("f" + std::to_string(f));
  std::vector<double> field(static_cast<std::size_t>(forcing_ni) *
                            static_cast<std::size_t>(part.rows));
  std::vector<double> work(1000, 1);
  std::vector<double> per_receive;
  for (int step = 0; step < options.forcing_steps; ++step) {
    compute(work, options.compute_ms);
    const auto start = Clock::now();
    context.update_calendar(step);
    for (const std::string& id : ids) context.receive(id, field);
    if (step > 0) per_receive.push_back(seconds_since(start) / options.fields);
  }
  context.finalize();
  if (client.rank() != 0) return;
  print("receive_mean_s", std::accumulate(per_receive.begin(), per_receive.end(), 0.0) /
                              static_cast<double>(per_receive.size()));
  print("receive_median_s", median(per_receive));
  print("memcpy_s", memcpy_s(field));
}

void open(epios::client::Client& client, const Options& options) {
  epios::client::Context context = client.open_context("open");
  define_time(context);
  define_domain(context, forcing_ni, forcing_nj, Part(forcing_nj, client.rank(), client.size()));
  define_reading(context, options, "many", options.variables);
  const auto start = Clock::now();
  context.close_definition();
  const double open_s = seconds_since(start);
  context.finalize();
  if (client.rank() == 0) print("open_s", open_s);
}

void run(const epios::client::Session& session, const Options& options) {
  epios::client::Client client(session);
  if (options.what == "make") make(client, options);
  if (options.what == "stream") stream(client, options);
  if (options.what == "forcing") forcing(client, options);
  if (options.what == "open") open(client, options);
  client.close();
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Cost of reading through EPIOS", "bench_reading");
  app.add_option("what", options.what, "make, stream, forcing or open")
      ->check(CLI::IsMember({"make", "stream", "forcing", "open"}))
      ->capture_default_str();
  app.add_option("--folder", options.folder, "of the files")->capture_default_str();
  app.add_option("--file", options.file, "that stream reads: plain or deflate")
      ->check(CLI::IsMember({"plain", "deflate"}))
      ->capture_default_str();
  app.add_option("--steps", options.steps, "records")->capture_default_str();
  app.add_option("--compute-ms", options.compute_ms, "arithmetic before each step");
  app.add_option("--fields", options.fields, "of forcing")->capture_default_str();
  app.add_option("--variables", options.variables, "of the file to open")->capture_default_str();
  if (const auto exit_code = ep::read_arguments(app, argc, argv)) return *exit_code;
  try {
    epios::client::Session session("bench_reading");
    run(session, options);
    session.close();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_reading: %s\n", error.what());
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
