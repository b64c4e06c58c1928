#include "check/data_dates_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/data_graph.hpp"
#include "config/temporal.hpp"

namespace epios::config {

namespace {

/// Of a stream.
Origin origin_of_text(const std::string& where) {
  constexpr std::string_view call = "API call ";
  if (where.starts_with(call)) return {{}, where.substr(call.size())};
  const std::size_t column = where.rfind(':');
  const std::size_t line = column == std::string::npos ? column : where.rfind(':', column - 1);
  if (line == std::string::npos) return {{where, 0, 0}, {}};
  return {{where.substr(0, line), std::stoi(where.substr(line + 1)),
           std::stoi(where.substr(column + 1))},
          {}};
}

constexpr std::int64_t most_samples = 400;  // a year of days, and a leap day

class DatesCheck {
 public:
  DatesCheck(const Model& model, Findings& findings)
      : model_(model),
        findings_(findings),
        calendar_(model.calendar()),
        graph_(data_graph(model)) {}

  void check() {
    std::vector<std::uint8_t> is_seen(graph_.nodes.size(), 0);
    std::vector<int> open;
    const std::size_t streams = graph_.of_stream.size();
    for (std::size_t s = 0; s < streams + graph_.of_result.size(); ++s) {
      const Stream& stream = s < streams ? model_.streams[s] : model_.results[s - streams];
      open.assign(1, s < streams ? graph_.of_stream[s] : graph_.of_result[s - streams]);
      while (!open.empty()) {
        const auto at = static_cast<std::size_t>(open.back());
        open.pop_back();
        if (std::exchange(is_seen[at], std::uint8_t{1}) != 0) continue;
        const DataNode& node = graph_.nodes[at];
        if (node.kind == DataNode::Kind::temporal) check_operation(node, stream);
        open.insert(open.end(), node.arguments.begin(), node.arguments.end());
      }
    }
  }

 private:
  Schedule schedule(const DataNode& node) const {
    return {calendar_, model_.start_date, node.sampling};
  }
  /// nullptr: the node is not what a file has.
  const ReadField* read_field_of(const DataNode& node) const {
    if (node.kind != DataNode::Kind::source) return nullptr;
    const int read = model_.sources[static_cast<std::size_t>(node.source)].read_field;
    return read < 0 ? nullptr : &model_.read_fields[static_cast<std::size_t>(read)];
  }
  bool comes_once(const DataNode& node) const {
    const ReadField* const read = read_field_of(node);
    return read != nullptr ? read->reading.is_once : node.sampling.operation == Operation::once;
  }
  Duration period_of(const DataNode& node) const {
    const ReadField* const read = read_field_of(node);
    return read != nullptr ? read->reading.period : node.sampling.output_freq;
  }
  /// The dates that a node has data at.
  std::function<Instant(std::int64_t)> dates_of(const DataNode& node) const {
    if (const ReadField* const read = read_field_of(node)) {
      return
          [dates = model_.schedule(*read)](std::int64_t record) { return dates.date_of(record); };
    }
    return [this, results = schedule(node)](std::int64_t record) {
      return calendar_.at_step(model_.start_date, results.step_of_record(record));
    };
  }

  /// Temporal operations, and data of files, that the data of an operation are made from, without
  /// operations between.
  std::vector<int> results_behind(const DataNode& operation) const {
    std::vector<int> found;
    std::vector<int> open = operation.arguments;
    std::vector<std::uint8_t> is_seen(graph_.nodes.size(), 0);
    while (!open.empty()) {
      const int n = open.back();
      const auto at = static_cast<std::size_t>(n);
      open.pop_back();
      if (std::exchange(is_seen[at], std::uint8_t{1}) != 0) continue;
      const bool is_temporal = graph_.nodes[at].kind == DataNode::Kind::temporal;
      if (is_temporal || read_field_of(graph_.nodes[at]) != nullptr) {
        found.push_back(n);
        continue;
      }
      open.insert(open.end(), graph_.nodes[at].arguments.begin(), graph_.nodes[at].arguments.end());
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  /// Every sample of the first two records has a result of its own.
  void check_operation(const DataNode& operation, const Stream& stream) {
    if (operation.sampling.operation == Operation::once) return;
    // The default of freq_op: whatever comes.
    if (operation.sampling.freq_op == model_.timestep) return;
    const Schedule samples = schedule(operation);
    const std::int64_t count =
        std::min(most_samples, samples.samples_of(0) + samples.samples_of(1));
    for (const int behind : results_behind(operation)) {
      const DataNode& node = graph_.nodes[static_cast<std::size_t>(behind)];
      if (comes_once(node)) continue;
      const auto date_of_record = dates_of(node);
      std::int64_t record = 0;
      for (std::int64_t k = 0; k < count; ++k) {
        const Instant wanted = samples.sampling_date(k);
        while (date_of_record(record) < wanted) ++record;
        const Instant comes = date_of_record(record);
        if (comes < samples.sampling_date(k + 1)) continue;
        complain(operation, node, stream, {wanted, comes});
        return;
      }
    }
  }

  struct Dates {
    Instant wanted, comes;
  };
  void complain(const DataNode& operation, const DataNode& behind, const Stream& stream,
                const Dates& dates) {
    findings_.error(
        Code::data_too_rare, origin_of_text(stream.where),
        fmt::format("field '{}' takes a sample every {}", stream.name,
                    operation.sampling.freq_op.text()),
        fmt::format("of data that come every {}: the one of {} would have to wait for {}",
                    period_of(behind).text(), calendar_.text(dates.wanted),
                    calendar_.text(dates.comes)),
        fmt::format("Set freq_op=\"{}\".", period_of(behind).text()));
  }

  const Model& model_;
  Findings& findings_;
  Calendar calendar_;
  DataGraph graph_;
};

}  // namespace

void check_data_dates(const Model& model, Findings& findings) {
  if (model.timestep.is_zero()) return;  // the model sets it
  DatesCheck(model, findings).check();
}

}  // namespace epios::config
