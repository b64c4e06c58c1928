// What fields cost the model whose cells come in any order, or that are many and small, or
// borrowed. Prints "name value" lines of the first client; run_cells.sh makes ratios of them.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <epios/epios.hpp>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "arguments.hpp"

namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}
double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

struct Options {
  std::string output = ".";
  std::string order = "blocks";  // of 1,000 cells, random, or box: the cells in one block
  std::int64_t cells = 1'000'000;
  std::int64_t levels = 10;
  int fields = 1;
  int steps = 30;
  double compute_ms = 100;
  bool has_coordinates = false;
  bool borrows = false;
};

/// Cells of one client, the same for any run.
std::vector<std::int64_t> cells_of(const Options& options, int rank, int size) {
  const std::int64_t block = options.order == "blocks" ? std::min<std::int64_t>(1000, options.cells)
                             : options.order == "random" ? 1
                                                         : (options.cells + size - 1) / size;
  std::vector<std::int64_t> blocks(static_cast<std::size_t>((options.cells + block - 1) / block));
  std::iota(blocks.begin(), blocks.end(), std::int64_t{0});
  std::mt19937_64 random(1);
  if (options.order != "box") std::shuffle(blocks.begin(), blocks.end(), random);
  std::vector<std::int64_t> out;
  for (std::size_t b = static_cast<std::size_t>(rank); b < blocks.size();
       b += static_cast<std::size_t>(size)) {
    const std::int64_t end = std::min(options.cells, (blocks[b] + 1) * block);
    for (std::int64_t cell = blocks[b] * block; cell < end; ++cell) out.push_back(cell);
  }
  return out;
}

std::string field_id(int number) { return "f" + std::to_string(number); }

void define(epios::client::Context& context, const Options& options,
            const std::vector<std::int64_t>& cells) {
  context.set("context", "", "output_dir", options.output);
  context.at("calendar").set("type", "NoLeap").set("timestep", "1h");
  context.at("calendar").set("start_date", "2000-01-01 00:00:00");
  const auto domain = context.at("domain_definition").child("domain", "d");
  domain.set("type", "unstructured").set("ni_glo", options.cells);
  if (options.order == "box") {
    domain.set("ibegin", cells.empty() ? std::int64_t{0} : cells.front());
    domain.set("ni", static_cast<std::int64_t>(cells.size()));
  } else {
    domain.set("i_index", std::span<const std::int64_t>(cells));
  }
  if (options.has_coordinates) {
    std::vector<double> values(4 * cells.size());
    for (std::size_t k = 0; k < cells.size(); ++k) {
      values[k] = 360.0 * static_cast<double>(cells[k]) / static_cast<double>(options.cells);
    }
    const auto points = std::span<const double>(values).first(cells.size());
    domain.set("lonvalue_1d", points).set("latvalue_1d", points);
    const std::span<const double> corners(values);
    const auto count = static_cast<std::int64_t>(cells.size());
    domain.set("nvertex", 4);
    domain.set("bounds_lon_1d", corners, {4, count}).set("bounds_lat_1d", corners, {4, count});
  }
  context.at("axis_definition").child("axis", "a").set("n_glo", options.levels);
  const auto grid = context.at("grid_definition").child("grid", "g");
  grid.child("domain").set("domain_ref", "d");
  grid.child("axis").set("axis_ref", "a");
  const auto file = context.at("file_definition").child("file", "bench_cells");
  file.set("output_freq", "1h");
  for (int f = 0; f < options.fields; ++f) {
    const auto field = context.at("field_definition").child("field", field_id(f));
    field.set("grid_ref", "g");
    file.child("field").set("field_ref", field_id(f)).set("operation", "instant").set("prec", 8);
  }
}

/// The limits: a copy of the array, and a bare loop that puts it into the order of the cells. They
/// take turns with the sends, so that both find the same caches.
class Limits {
 public:
  Limits(const std::vector<std::int64_t>& cells, const std::vector<double>& data)
      : data_(data), order_(cells.size()), to_(data.size()) {
    std::iota(order_.begin(), order_.end(), 0U);
    std::sort(order_.begin(), order_.end(),
              [&](std::uint32_t a, std::uint32_t b) { return cells[a] < cells[b]; });
  }
  void copy() {
    const auto start = Clock::now();
    std::memcpy(to_.data(), data_.data(), data_.size() * sizeof(double));
    copies_.push_back(seconds_since(start));
  }
  void gather() {
    const auto start = Clock::now();
    for (std::size_t first = 0; first < data_.size(); first += order_.size()) {
      const double* const from = data_.data() + first;
      double* const level = to_.data() + first;
      for (std::size_t k = 0; k < order_.size(); ++k) level[k] = from[order_[k]];
    }
    gathers_.push_back(seconds_since(start));
  }
  void print() const {
    if (to_[data_.size() / 2] < 0) std::printf("never %g\n", to_[0]);
    std::printf("memcpy_s %.9f\ngather_s %.9f\n", median(copies_), median(gathers_));
  }

 private:
  const std::vector<double>& data_;
  std::vector<std::uint32_t> order_;
  std::vector<double> to_;
  std::vector<double> copies_;
  std::vector<double> gathers_;
};

/// Seconds that the calls of one send took.
double send(const epios::client::Field& field, std::vector<double>& data, bool borrows, int step) {
  if (!borrows) {
    const auto start = Clock::now();
    field.send(data);
    return seconds_since(start);
  }
  auto start = Clock::now();
  const std::span<double> array = field.borrow();
  double took = seconds_since(start);
  for (double& value : array) value = step;  // the model computes
  start = Clock::now();
  field.send(array);
  took += seconds_since(start);
  return took;
}

void run(const Options& options) {
  epios::client::Session session("bench_cells");
  epios::client::Client client(session);
  const auto cells = cells_of(options, client.rank(), client.size());
  std::vector<double> data(cells.size() * static_cast<std::size_t>(options.levels));
  for (std::size_t k = 0; k < data.size(); ++k) data[k] = static_cast<double>(k % 1000);
  epios::client::Context context = client.open_context("bench");
  define(context, options, cells);
  const bool is_first = client.rank() == 0;
  MPI_Barrier(session.comm());
  auto start = Clock::now();
  context.close_definition();
  if (is_first) std::printf("close_definition_s %.6f\n", seconds_since(start));
  std::vector<epios::client::Field> fields;
  for (int f = 0; f < options.fields; ++f) fields.push_back(context.field(field_id(f)));
  Limits limits(cells, data);
  std::vector<double> sends;
  for (int step = 1; step <= options.steps; ++step) {
    const auto pause = std::chrono::duration<double, std::milli>(options.compute_ms / 3);
    std::this_thread::sleep_for(pause);
    limits.copy();
    std::this_thread::sleep_for(pause);
    limits.gather();
    std::this_thread::sleep_for(pause);
    context.update_calendar(step);
    double step_s = 0;
    for (const auto& field : fields) step_s += send(field, data, options.borrows, step);
    if (step > 3) sends.push_back(step_s / options.fields);  // memory has been touched
  }
  const auto statistics = context.statistics();
  context.finalize();
  if (is_first) {
    std::printf("send_s %.9f\nblocked_s %.6f\nfield_bytes %zu\n", median(sends),
                statistics.blocked_s, data.size() * sizeof(double));
    limits.print();
  }
  client.close();
  session.close();
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Sends fields of cells in any order", "bench_cells");
  app.add_option("--output", options.output);
  app.add_option("--order", options.order)->check(CLI::IsMember({"blocks", "random", "box"}));
  app.add_option("--cells", options.cells);
  app.add_option("--levels", options.levels);
  app.add_option("--fields", options.fields);
  app.add_option("--steps", options.steps);
  app.add_option("--compute-ms", options.compute_ms);
  app.add_flag("--coordinates", options.has_coordinates);
  app.add_flag("--borrow", options.borrows);
  if (const auto exit_code = ep::read_arguments(app, argc, argv)) return *exit_code;
  try {
    run(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_cells: %s\n", error.what());
    std::fflush(nullptr);
    std::_Exit(EXIT_FAILURE);
  }
}
