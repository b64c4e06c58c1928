// What happens to values between a model's arrays and the channels, against loops written by hand
// over the same arrays. One client, no servers: a sink that copies each record into one buffer, as
// a channel does. Medians of several rounds; hand-written loops and ours take turns.
#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
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
    record.resize(static_cast<std::size_t>(workflow_.array_size(0)), 1);
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

void report(const std::string& what, double value, double target, const char* unit = "") {
  fmt::print("{:<66} {:8.3f}{} (target {}{})\n", what, value, unit, target, unit);
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
  report("sqrt(u*u+v*v) as instant / fused loop", median(ratios), 1.3);
  report("  the same of borrowed arrays / fused loop", median(borrowed), 1.3);
  fmt::print("{:<66} {:8.3f}\n", "  (fused loop and the copy of one operand) / fused loop",
             median(limits));
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
  Values ours;
  for (int round = 0; round < rounds; ++round) {
    const double hand = seconds([&] {
      for (std::size_t k = 0; k < by_hand.size(); ++k) by_hand[k] = of_the_library(arrays[0][k]);
    });
    ours.push_back(seconds([&] { run.send(arrays); }));
    ratios.push_back(ours.back() / hand);
  }
  report(fmt::format("{}(a) as instant / loop of calls ({:.1f} ms)", name, median(ours) * 1e3),
         median(ratios), target);
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
  report("a ^ 0.286 as instant / loop of calls", median(ratios), 1);
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
  report("daily mean of a*b/c, per hourly send / loop with accumulation", median(ratios), 1.5);
  report("  the same of borrowed arrays / that loop", median(borrowed), 1.5);
  fmt::print("{:<66} {:8.3f}\n", "  (that loop and the copies of two operands) / that loop",
             median(limits));
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
  report("memory of an expression of 20 nodes above one of 3",
         (bytes_of(deep) - bytes_of(small)) / 1e6, 1, " MB");
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
  report("daily mean of one field for 10 files / for one, no record", median(ratios), 1.1);
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
  report("500 expressions of 1,000 points: per expression above arithmetic", median(above), 1,
         " us");
}

}  // namespace

int main() {
  instant_expression();
  elementary_function("exp", std::exp, 0.5);
  elementary_function("log", std::log, 1);
  elementary_function("log10", std::log10, 1);
  elementary_function("sin", std::sin, 0.5);
  elementary_function("cos", std::cos, 0.5);
  elementary_function("tan", std::tan, 0.5);
  power();
  daily_mean();
  memory_of_an_expression();
  many_files();
  many_expressions();
}
