// What happens to values between a model's arrays and the channels, against loops written by hand
// over the same arrays. One client, no servers: a sink that copies each record into one buffer, as
// a channel does. Medians of several rounds; hand-written loops and ours take turns. Prints rows of
// a table: figure, target, value.
#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "config/check.hpp"
#include "config/definitions.hpp"
#include "config/elementary.hpp"
#include "grid/part.hpp"
#include "workflow/workflow.hpp"

namespace {

using namespace epios;
using Values = std::vector<double>;

constexpr int rounds = 15;
constexpr std::int64_t large = 1'937'500;  // 15.5 MB of doubles

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(Values values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// What a channel does with a record.
struct Copy : io::Sink {
  explicit Copy(Values& to) : to_(to) {}
  void put(std::int64_t /*record*/, std::int64_t /*samples*/,
           const io::ArrayValues& values) override {
    const auto array = std::get<std::span<const double>>(values.values);
    std::memcpy(to_.data(), array.data(), array.size_bytes());
  }
  bool works_out() const override { return true; }
  void put_worked_out(std::int64_t /*record*/, std::int64_t /*samples*/,
                      io::Calculation& values) override {
    values.work_out(0, static_cast<std::int64_t>(to_.size()), to_.data());
  }

 private:
  Values& to_;
};

/// Hourly steps; fields a0 ... of `points` points and what the body adds.
config::Model model_of(std::int64_t points, int sources, const std::string& fields,
                       const std::string& files) {
  std::string xml = fmt::format(
      "<simulation><context id='c'><calendar type='NoLeap' timestep='1h'/><axis_definition><axis "
      "id='x' n_glo='{}'/></axis_definition><field_definition axis_ref='x' operation='average' "
      "prec='8'>",
      points);
  for (int i = 0; i < sources; ++i) xml += fmt::format("<field id='a{}'/>", i);
  xml += fields + "</field_definition><file_definition>" + files +
         "</file_definition></context></simulation>";
  const config::Definitions definitions{config::Document({{"iodef.xml", xml}})};
  return definitions.resolve("c");
}

class Run {
 public:
  explicit Run(const config::Model& model)
      : model_(model),
        calendar_(model.calendar()),
        parts_(model),
        workflow_(model, parts_, [this](int) { return std::make_unique<Copy>(record); }) {
    record.resize(static_cast<std::size_t>(workflow_.layout(model.sources[0].grid).size()), 1);
  }
  void send(const std::vector<Values>& arrays,
            io::Workflow::Array lifetime = io::Workflow::Array::is_the_models) {
    ++step_;
    const auto now = calendar_.at_step(model_.start_date, step_);
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      workflow_.send(static_cast<int>(i), now, std::span<const double>(arrays[i]), lifetime);
    }
  }
  Values record;

 private:
  const config::Model& model_;
  config::Calendar calendar_;
  io::LocalParts parts_;
  io::Workflow workflow_;
  std::int64_t step_ = 0;
};

std::vector<Values> arrays_of(int count, std::int64_t points) {
  std::vector<Values> out;
  for (int i = 0; i < count; ++i) {
    Values& values = out.emplace_back(static_cast<std::size_t>(points));
    for (std::size_t k = 0; k < values.size(); ++k) {
      values[k] = 1 + static_cast<double>((k * 7 + static_cast<std::size_t>(i)) % 1000) / 1000;
    }
  }
  return out;
}

std::string file_of(const std::string& id, const std::string& freq, const std::string& field) {
  return fmt::format("<file id='{}' output_freq='{}'>{}</file>", id, freq, field);
}

void report(const std::string& what, double value, double target = 0) {
  const std::string limit = target > 0 ? fmt::format("≤ {}", target) : "";
  fmt::print("| {} | {} | {:.3f} |\n", what, limit, value);
}

void instant_expression() {
  const auto model = model_of(large, 2, "<field id='e'> sqrt(a0*a0 + a1*a1) </field>",
                              file_of("f", "1h", "<field field_ref='e' operation='instant'/>"));
  Run run(model);
  const auto arrays = arrays_of(2, large);
  Values by_hand(static_cast<std::size_t>(large), 1);
  Values ratios;
  Values borrowed;
  Values limits;
  for (int round = 0; round < rounds; ++round) {
    const double hand = seconds([&] {
      for (std::size_t k = 0; k < by_hand.size(); ++k) {
        by_hand[k] = std::sqrt(arrays[0][k] * arrays[0][k] + arrays[1][k] * arrays[1][k]);
      }
    });
    const double copy = seconds(
        [&] { std::memcpy(by_hand.data(), arrays[1].data(), by_hand.size() * sizeof(double)); });
    ratios.push_back(seconds([&] { run.send(arrays); }) / hand);
    borrowed.push_back(seconds([&] { run.send(arrays, io::Workflow::Array::stays); }) / hand);
    limits.push_back((hand + copy) / hand);
  }
  report("sqrt(u*u+v*v) as instant ÷ fused loop written by hand", median(ratios), 1.3);
  report("the same of borrowed arrays", median(borrowed), 1.3);
  report("that loop and the copy of one operand ÷ that loop", median(limits));
}

using Function = double (*)(double);

/// One elementary function of a field, against a loop that calls the C library's.
void elementary_function(const std::string& name, Function of_the_library, double target) {
  const auto model = model_of(large, 1, "<field id='e'> " + name + "(a0) </field>",
                              file_of("f", "1h", "<field field_ref='e' operation='instant'/>"));
  Run run(model);
  const auto arrays = arrays_of(1, large);
  Values by_hand(static_cast<std::size_t>(large), 1);
  Values ratios;
  for (int round = 0; round < rounds; ++round) {
    const double hand = seconds([&] {
      for (std::size_t k = 0; k < by_hand.size(); ++k) by_hand[k] = of_the_library(arrays[0][k]);
    });
    ratios.push_back(seconds([&] { run.send(arrays); }) / hand);
  }
  report(fmt::format("{}(a) as instant ÷ loop of calls", name), median(ratios), target);
}

/// The same of a power whose exponent is no whole number.
void power() {
  const auto model = model_of(large, 1, "<field id='e'> a0 ^ 0.286 </field>",
                              file_of("f", "1h", "<field field_ref='e' operation='instant'/>"));
  Run run(model);
  const auto arrays = arrays_of(1, large);
  Values by_hand(static_cast<std::size_t>(large), 1);
  Values ratios;
  for (int round = 0; round < rounds; ++round) {
    const double hand = seconds([&] {
      for (std::size_t k = 0; k < by_hand.size(); ++k) by_hand[k] = std::pow(arrays[0][k], 0.286);
    });
    ratios.push_back(seconds([&] { run.send(arrays); }) / hand);
  }
  report("a ^ 0.286 as instant ÷ loop of calls", median(ratios), 1);
}

void daily_mean() {
  const auto model = model_of(large, 3, "<field id='e'> a0 * a1 / a2 </field>",
                              file_of("f", "1d", "<field field_ref='e'/>"));
  Run run(model);
  const auto arrays = arrays_of(3, large);
  Values sum(static_cast<std::size_t>(large), 1);
  Values ratios;
  Values borrowed;
  Values limits;
  for (int round = 0; round < rounds; ++round) {
    const double hand = seconds([&] {
      for (std::size_t k = 0; k < sum.size(); ++k) {
        sum[k] += arrays[0][k] * arrays[1][k] / arrays[2][k];
      }
    });
    const double copy =
        seconds([&] { std::memcpy(run.record.data(), sum.data(), sum.size() * sizeof(double)); });
    ratios.push_back(seconds([&] { run.send(arrays); }) / hand);
    limits.push_back((hand + 2 * copy) / hand);
  }
  for (int round = 0; round < rounds; ++round) {
    const double hand = seconds([&] {
      for (std::size_t k = 0; k < sum.size(); ++k) {
        sum[k] += arrays[0][k] * arrays[1][k] / arrays[2][k];
      }
    });
    borrowed.push_back(seconds([&] { run.send(arrays, io::Workflow::Array::stays); }) / hand);
  }
  report("daily mean of a*b/c, per hourly send ÷ loop with accumulation", median(ratios), 1.5);
  report("the same of borrowed arrays", median(borrowed), 1.5);
  report("that loop and the copies of two operands ÷ that loop", median(limits));
}

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define BENCH_CLONES __attribute__((target_clones("default", "avx2")))
#else
#define BENCH_CLONES
#endif

/// The three expressions by hand, in blocks that stay in the cache of level 1.
BENCH_CLONES
void add_three(const double* __restrict from, std::size_t count, double* __restrict root,
               double* __restrict quotient, double* __restrict growth) {
  constexpr std::size_t most = 512;
  std::array<double, most> powers{};
  for (std::size_t first = 0; first < count; first += most) {
    const std::size_t end = std::min(count, first + most);
    for (std::size_t k = first; k < end; ++k) {
      const double f = from[k];
      root[k] += std::sqrt(f * f + 2 * f);
      quotient[k] += f * f / (f + 3);
      powers[k - first] = f / 100;
    }
    config::elementary(config::ExpressionOp::exp, powers.data(), powers.data(),
                       static_cast<std::int64_t>(end - first));
    for (std::size_t k = first; k < end; ++k) growth[k] += powers[k - first] - from[k];
  }
}

void three_expressions() {
  const auto model = model_of(
      large, 1,
      "<field id='e'> sqrt(a0*a0 + 2*a0) </field><field id='g'> a0*a0/(a0 + 3) </field><field "
      "id='h'> exp(a0/100) - a0 </field>",
      file_of("f", "1mo",
              "<field field_ref='e'/><field field_ref='g'/><field "
              "field_ref='h'/>"));
  Run run(model);
  const auto arrays = arrays_of(1, large);
  auto sums = arrays_of(3, large);
  run.send(arrays);  // which prepares sums
  Values ours;
  Values ratios;
  for (int round = 0; round < rounds; ++round) {
    const double hand = seconds([&] {
      add_three(arrays[0].data(), arrays[0].size(), sums[0].data(), sums[1].data(), sums[2].data());
    });
    ours.push_back(seconds([&] { run.send(arrays); }));
    ratios.push_back(ours.back() / hand);
  }
  report("three expressions of one field, means: per send ÷ loop with vectors by hand",
         median(ratios), 1.3);
  report("the same, ms", median(ours) * 1e3, 8);
}

constexpr int halo = 2;
constexpr int longitudes = 362;
constexpr int latitudes = 332;
constexpr int levels = 16;

/// True for two thirds of the points: seas between continents.
bool is_sea(int i, int j) { return (i / 40 + j / 25) % 3 != 0; }

config::Model masked_model() {
  std::string mask;
  for (int j = 0; j < latitudes; ++j) {
    for (int i = 0; i < longitudes; ++i) mask += is_sea(i, j) ? "y " : "n ";
  }
  const std::string xml = fmt::format(
      "<simulation><context id='c'><calendar type='NoLeap' timestep='1h'/><domain_definition>"
      "<domain id='d' type='curvilinear' ni_glo='{0}' nj_glo='{1}' data_dim='2' data_ibegin='-{2}' "
      "data_ni='{3}' data_jbegin='-{2}' data_nj='{4}' mask_1d='(0,{5})[{6}]'/></domain_definition>"
      "<axis_definition><axis id='x' n_glo='{7}'/></axis_definition><grid_definition><grid id='g'>"
      "<domain domain_ref='d'/><axis axis_ref='x'/></grid></grid_definition><field_definition>"
      "<field id='a0' grid_ref='g' operation='average' prec='8'/></field_definition>"
      "<file_definition><file id='f' output_freq='1mo'><field field_ref='a0'/></file>"
      "</file_definition></context></simulation>",
      longitudes, latitudes, halo, longitudes + 2 * halo, latitudes + 2 * halo,
      longitudes * latitudes - 1, mask, levels);
  const config::Definitions definitions{config::Document({{"iodef.xml", xml}})};
  return definitions.resolve("c");
}

/// The mean of a field with halo and mask, against a loop over the runs of its points.
void masked_mean() {
  const auto model = masked_model();
  Run run(model);
  const auto arrays = arrays_of(1, static_cast<std::int64_t>(run.record.size()));
  Values sum(run.record.size(), 1);
  std::vector<std::pair<std::size_t, std::size_t>> seas;  // first, count
  constexpr std::size_t row = longitudes + 2 * halo;
  for (int k = 0; k < levels; ++k) {
    for (int j = 0; j < latitudes; ++j) {
      const std::size_t above = static_cast<std::size_t>(k) * (latitudes + 2 * halo);
      const std::size_t begin = (above + static_cast<std::size_t>(j + halo)) * row + halo;
      bool is_open = false;
      for (int i = 0; i < longitudes; ++i) {
        if (is_sea(i, j)) {
          if (!is_open) seas.emplace_back(begin + static_cast<std::size_t>(i), 0);
          ++seas.back().second;
        }
        is_open = is_sea(i, j);
      }
    }
  }
  run.send(arrays);
  Values ratios;
  for (int round = 0; round < rounds; ++round) {
    const double hand = seconds([&] {
      const double* const from = arrays[0].data();
      for (const auto& [first, count] : seas) {
        for (std::size_t k = first; k < first + count; ++k) sum[k] += from[k];
      }
    });
    ratios.push_back(seconds([&] { run.send(arrays); }) / hand);
  }
  report("mean of a curvilinear field with halo and mask: per send ÷ bare masked loop",
         median(ratios), 1.2);
}

std::size_t bytes_in_use() {
  const auto info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

void memory_of_an_expression() {
  std::string text = "a0";
  for (int i = 1; i < 10; ++i) text += fmt::format(" + {} * a{}", i, i % 2);
  const std::string file = file_of("f", "1d", "<field field_ref='e'/>");
  const auto small = model_of(large, 2, "<field id='e'> a0 + a1 </field>", file);
  const auto deep = model_of(large, 2, "<field id='e'> " + text + " </field>", file);
  const auto bytes_of = [](const config::Model& model) {
    const std::size_t before = bytes_in_use();
    const Run run(model);
    return static_cast<double>(bytes_in_use() - before);
  };
  // Sources' copies and the result are the same in both.
  report("memory of an expression of 20 nodes above one of 3, MB",
         (bytes_of(deep) - bytes_of(small)) / 1e6, 1);
}

void many_files() {
  std::string files;
  for (int i = 0; i < 10; ++i) {
    files += file_of(fmt::format("f{}", i), "1d", "<field field_ref='a0'/>");
  }
  const auto one = model_of(large, 1, "", file_of("f", "1d", "<field field_ref='a0'/>"));
  const auto ten = model_of(large, 1, "", files);
  Run of_one(one);
  Run of_ten(ten);
  const auto arrays = arrays_of(1, large);
  Values ratios;
  for (int round = 0; round < rounds; ++round) {
    const double first = seconds([&] { of_one.send(arrays); });
    ratios.push_back(seconds([&] { of_ten.send(arrays); }) / first);
  }
  report("daily mean of one field for 10 files ÷ for one, sends without record", median(ratios),
         1.1);
}

void many_expressions() {
  constexpr int count = 500;
  constexpr std::int64_t points = 1000;
  std::string fields;
  std::string written;
  for (int i = 0; i < count; ++i) {
    fields += fmt::format("<field id='e{}'> a{} * {} + a{} </field>", i, i % 10, i, (i + 3) % 10);
    written += fmt::format("<field field_ref='e{}'/>", i);
  }
  const auto model = model_of(points, 10, fields, file_of("f", "1mo", written));
  Run run(model);
  const auto arrays = arrays_of(10, points);
  std::vector<Values> sums(count, Values(static_cast<std::size_t>(points), 1));
  Values above;
  for (int round = 0; round < rounds; ++round) {
    const double hand = seconds([&] {
      for (std::size_t i = 0; i < count; ++i) {
        const Values& a = arrays[i % 10];
        const Values& b = arrays[(i + 3) % 10];
        for (std::size_t k = 0; k < a.size(); ++k) {
          sums[i][k] += a[k] * static_cast<double>(i) + b[k];
        }
      }
    });
    above.push_back((seconds([&] { run.send(arrays); }) - hand) / count * 1e6);
  }
  report("500 expressions of 1,000 points: per expression and step above the arithmetic, µs",
         median(above), 1);
}

void functions() {
  elementary_function("exp", std::exp, 0.5);
  elementary_function("log", std::log, 1);
  elementary_function("log10", std::log10, 1);
  elementary_function("sin", std::sin, 0.5);
  elementary_function("cos", std::cos, 0.5);
  elementary_function("tan", std::tan, 0.5);
  power();
}

}  // namespace

/// With a word it measures only that, for a profile.
int main(int argc, char** argv) {
  const std::vector<std::pair<std::string, void (*)()>> all = {
      {"instant", instant_expression}, {"functions", functions},
      {"daily", daily_mean},           {"three", three_expressions},
      {"masked", masked_mean},         {"memory", memory_of_an_expression},
      {"files", many_files},           {"many", many_expressions}};
  bool is_any = false;
  for (const auto& [name, measure] : all) {
    if (argc > 1 && name != argv[1]) continue;
    measure();
    is_any = true;
  }
  if (!is_any) fmt::print(stderr, "bench_workflow: measures nothing called '{}'\n", argv[1]);
  return is_any ? 0 : 2;
}
