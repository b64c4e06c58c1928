// Checks that results of temporal operations come as often as the operations behind them expect
// samples. It goes through the graph of data and compares the dates of both.
#include "check/data_dates_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/data_graph.hpp"
#include "config/fed_schedules.hpp"
#include "config/index.hpp"
#include "config/model.hpp"
#include "config/temporal.hpp"
#include "time/first_not_over.hpp"

namespace epios::config {

namespace {

constexpr std::int64_t most_samples = 400;  // a year of days, and a leap day

class DatesCheck {
 public:
  DatesCheck(const Model& model, Findings& findings)
      : model_(model),
        findings_(findings),
        calendar_(model.calendar()),
        graph_(data_graph(model)),
        schedules_(model, graph_) {}

  void check() {
    IndexedVector<DataNodeId, std::uint8_t> is_seen(graph_.nodes.size(), 0);
    IndexedVector<DataNodeId, std::uint8_t> makes_records(graph_.nodes.size(), 0);
    for (const DataNodeId n : graph_.of_stream) makes_records[n] = 1;
    const auto check_behind = [&](DataNodeId last, const Stream& stream) {
      std::vector<DataNodeId> open{last};
      while (!open.empty()) {
        const DataNodeId n = open.back();
        open.pop_back();
        if (std::exchange(is_seen[n], std::uint8_t{1}) != 0) continue;
        const DataNode& node = graph_.nodes[n];
        if (node.kind == DataNode::Kind::temporal)
          check_operation(n, stream, makes_records[n] != 0);
        open.insert(open.end(), node.arguments.begin(), node.arguments.end());
      }
    };
    for (const StreamId s : model_.streams.ids()) {
      check_behind(graph_.of_stream[s], model_.streams[s]);
    }
    for (const ResultId r : model_.results.ids()) {
      check_behind(graph_.of_result[r], model_.results[r]);
    }
    // Where data are too rare, it is no wonder that records are missing.
    if (is_too_rare_) return;
    for (const Sampled& sampled : sampled_) check_gaps(sampled);
  }

 private:
  /// An operation that takes samples.
  struct Sampled {
    DataNodeId node;
    const Stream* stream;
    bool is_record;
  };

  /// Returns when an operation wishes data, whenever they come.
  Schedule wishes_of(const DataNode& node) const {
    return {calendar_, model_.start_date, node.sampling};
  }
  /// nullptr: the node is not what a file has.
  const ReadField* read_field_of(const DataNode& node) const {
    if (node.kind != DataNode::Kind::source) return nullptr;
    const ReadFieldId read = model_.sources[node.source].read_field;
    return read < 0 ? nullptr : &model_.read_fields[read];
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
  std::function<Instant(std::int64_t)> dates_of(DataNodeId number) const {
    const DataNode& node = graph_.nodes[number];
    if (const ReadField* const read = read_field_of(node)) {
      return
          [dates = model_.schedule(*read)](std::int64_t record) { return dates.date_of(record); };
    }
    return [this, results = schedules_.of(number)](std::int64_t record) {
      return calendar_.at_step(model_.start_date, results.step_of_record(record));
    };
  }

  /// Temporal operations, and data of files, that the data of an operation are made from, without
  /// operations between.
  std::vector<DataNodeId> results_behind(const DataNode& operation) const {
    std::vector<DataNodeId> found;
    std::vector<DataNodeId> open = operation.arguments;
    IndexedVector<DataNodeId, std::uint8_t> is_seen(graph_.nodes.size(), 0);
    while (!open.empty()) {
      const DataNodeId n = open.back();
      open.pop_back();
      if (std::exchange(is_seen[n], std::uint8_t{1}) != 0) continue;
      const DataNode& node = graph_.nodes[n];
      if (node.kind == DataNode::Kind::temporal || read_field_of(node) != nullptr) {
        found.push_back(n);
        continue;
      }
      open.insert(open.end(), node.arguments.begin(), node.arguments.end());
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  /// Whenever the operation wants data, something comes: for each sample or, where it takes
  /// whatever comes, for each of its results.
  void check_operation(DataNodeId number, const Stream& stream, bool is_record) {
    const DataNode& operation = graph_.nodes[number];
    if (operation.sampling.operation == Operation::once) return;
    check_anchor(number, stream);
    const bool takes_all = calendar_.are_equal(operation.sampling.freq_op, model_.timestep);
    // Without a period that somebody has asked for there is a result whenever there can be one.
    const bool is_asked =
        is_record || !calendar_.are_equal(operation.sampling.output_freq, model_.timestep);
    if (takes_all && !is_asked) return;
    if (operation.sampling.dates.leaves_out()) {  // nothing is wished for all the time
      sampled_.push_back({number, &stream, is_record});
      return;
    }
    const Wishes wishes{wishes_of(operation), takes_all, is_record};
    for (const DataNodeId behind : results_behind(operation)) {
      const DataNode& node = graph_.nodes[behind];
      if (read_field_of(node) != nullptr && read_field_of(node)->reading.is_once) continue;
      if (check_data(operation, wishes, behind, stream)) return;
    }
    if (!takes_all) sampled_.push_back({number, &stream, is_record});
  }

  /// Results of '@' count from the start of the run: where records of a file end beside them, data
  /// of one record would go into the next without a word.
  void check_anchor(DataNodeId number, const Stream& stream) {
    const DataNode& operation = graph_.nodes[number];
    // A job that goes on has the start of the first one, which is not known here.
    if (!operation.sampling.dates.has_anchor || !model_.statistics.path.empty()) return;
    const Schedule& own = schedules_.of(number);
    const Instant end = own.times().end_of(own.before_start().records);
    for (const DataNodeId behind : results_behind(operation)) {
      const DataNode& node = graph_.nodes[behind];
      if (node.kind != DataNode::Kind::temporal || comes_once(node)) continue;
      const RecordTimes& results = schedules_.of(behind).times();
      const RecordTime its =
          results.of(first_not_over(0, [&](std::int64_t n) { return results.end_of(n) < end; }));
      if (its.end == end) continue;
      findings_.warning(
          Code::bad_output_dates, origin_of_text(stream.where),
          fmt::format("field '{}' is made of results of '@' that go beyond its records",
                      stream.name),
          fmt::format("one is of {} to {}, since '@' counts from the start of the run, and "
                      "output_anchor ends a record at {}",
                      calendar_.text(its.begin), calendar_.text(its.end), calendar_.text(end)),
          "Start at a date at which both begin, or remove output_anchor?");
      return;
    }
  }

  /// Data that come in time for no sample of a record: it is missing, which only the end of a run
  /// would tell.
  void check_gaps(const Sampled& sampled) {
    const DataNode& operation = graph_.nodes[sampled.node];
    const Schedule& own = schedules_.of(sampled.node);
    const Schedule::NextData* const data = own.fed_by();
    if (data == nullptr) return;
    const Schedule wishes = wishes_of(operation);
    const std::int64_t first = own.before_start().records;
    constexpr std::int64_t most_records = 24;
    for (std::int64_t record = first; record < first + most_records; ++record) {
      if (own.has_data(record) || wishes.samples_of(record) == 0) continue;
      const Instant wanted = wishes.sampling_date(wishes.numbers_of(record).end - 1);
      const std::string end = calendar_.text(own.times().of(record).end);
      const std::string what = sampled.is_record
                                   ? fmt::format("has no data for its record of {}", end)
                                   : fmt::format("has '@' without a result of {}", end);
      findings_.warning(Code::data_too_rare, origin_of_text(sampled.stream->where),
                        fmt::format("field '{}' {}", sampled.stream->name, what),
                        fmt::format("a sample is due at {}, but {}", calendar_.text(wanted),
                                    what_comes((*data)(wanted), own.times().of(record).end)),
                        way_out(operation.sampling, *data));
      return;
    }
  }
  /// Says which data come instead of those of the period that ends at `end`.
  std::string what_comes(const Schedule::Data& data, Instant end) const {
    const std::string date = calendar_.text(data.date);
    if (data.of > end) return fmt::format("data come at {}, when that period is over", date);
    return fmt::format("the data of {} are the late sample of the record before", date);
  }
  /// How samples would meet data.
  std::string way_out(const Sampling& sampling, const Schedule::NextData& data) const {
    const Instant first = data(model_.start_date).date;
    const Instant second = data({first.ms + 1}).date;
    const auto offset = static_cast<double>(first.ms - model_.start_date.ms) / 1000;
    Sampling other = sampling;
    other.freq_offset = Duration{.second = offset} + model_.timestep * -1.0;
    const Schedule moved(calendar_, model_.start_date, other);
    if (!(moved.sampling_date(0) == first) || !(moved.sampling_date(1) == second)) {
      return "Choose periods that are multiples of the one in which data come?";
    }
    return fmt::format("Set freq_offset=\"{}\"?", calendar_.normal(other.freq_offset).text());
  }

  /// When data are wanted, one after the other.
  struct Wishes {
    Schedule schedule;
    bool are_results =
        false;  ///< they are results of whatever comes before they are due; otherwise samples
    bool are_records = false;  ///< they are records of a file
    std::int64_t count() const {
      constexpr std::int64_t most_results = 24;
      if (are_results) return most_results;
      const std::int64_t record = schedule.before_start().records;
      return std::min(most_samples, schedule.samples_of(record) + schedule.samples_of(record + 1));
    }
    /// Number of the first one of the run.
    std::int64_t begin() const {
      return are_results ? schedule.before_start().records : schedule.before_start().samples;
    }
    Instant date(std::int64_t k) const {
      return are_results ? schedule.due_date(k) : schedule.sampling_date(k);
    }
    /// Data of the wish are dated so or later,
    Instant first(std::int64_t k) const {
      if (!are_results) return schedule.sampling_date(k);
      if (k == 0) return schedule.sampling_date(schedule.before_start().samples);
      return {schedule.due_date(k - 1).ms + 1};
    }
    /// and before this.
    Instant end(std::int64_t k) const { return first(k + 1); }
  };

  /// Returns true if the dates of node `behind` are wrong for the operation.
  bool check_data(const DataNode& operation, const Wishes& wishes, DataNodeId behind,
                  const Stream& stream) {
    const DataNode& node = graph_.nodes[behind];
    const auto date_of_record = dates_of(behind);
    std::int64_t record = 0;
    const std::int64_t begin = wishes.begin();
    const std::int64_t end = begin + wishes.count();
    for (std::int64_t k = begin; k < end; ++k) {
      const bool is_over = comes_once(node) && date_of_record(0) < wishes.first(k);
      if (!is_over) {
        record = first_not_over(
            record, [&](std::int64_t n) { return date_of_record(n) < wishes.first(k); });
      }
      if (!is_over && date_of_record(record) < wishes.end(k)) continue;
      const std::string wanted = calendar_.text(wishes.date(k));
      const std::string comes = calendar_.text(date_of_record(record));
      const std::string how =
          comes_once(node) ? "come once, at " + comes : "come every " + period_of(node).text();
      const std::string until = is_over ? std::string() : " before " + comes;
      complain(
          operation, wishes, stream,
          fmt::format("of data that {}: there are none for the one of {}{}", how, wanted, until),
          comes_once(node) ? std::string() : period_of(node).text());
      return true;
    }
    return false;
  }
  /// `period`: of the data; empty: they come once.
  void complain(const DataNode& operation, const Wishes& wishes, const Stream& stream,
                std::string why, const std::string& period) {
    const Sampling& sampling = operation.sampling;
    const std::string what =
        !wishes.are_results ? "takes a sample every " + sampling.freq_op.text()
        : wishes.are_records
            ? "has a record every " + sampling.output_freq.text()
            : "has '@' with a result every " + sampling.output_freq.text() + " in its expression";
    const bool is_of_file = wishes.are_results && wishes.are_records;
    is_too_rare_ = true;
    findings_.error(Code::data_too_rare, origin_of_text(stream.where),
                    fmt::format("field '{}' {}", stream.name, what), std::move(why),
                    period.empty() ? "Set operation=\"once\" of the field, too?"
                    : is_of_file
                        ? fmt::format("Write it to a file with output_freq=\"{}\".", period)
                        : fmt::format("Set freq_op=\"{}\".", period));
  }

  const Model& model_;
  Findings& findings_;
  Calendar calendar_;
  DataGraph graph_;
  FedSchedules schedules_;
  std::vector<Sampled> sampled_;
  bool is_too_rare_ = false;
};

}  // namespace

void check_data_dates(const Model& model, Findings& findings) {
  if (model.timestep.is_zero()) return;  // the model sets it
  DatesCheck(model, findings).check();
}

}  // namespace epios::config
