#include "config/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <string_view>

#include "config/data_graph.hpp"
#include "config/error.hpp"
#include "config/split_rule.hpp"
#include "language/attribute_fill.hpp"

namespace epios::config {

namespace {

constexpr std::string_view format = "EPIOS statistics 1";
constexpr std::size_t numbers_of_run = 5;
constexpr std::size_t numbers_per_operation = 4;

/// FNV-1a of texts and numbers, one behind the other.
class Hash {
 public:
  Hash& add(std::string_view text) {
    for (const char c : text) add_byte(static_cast<unsigned char>(c));
    return add(static_cast<std::uint64_t>(text.size()));
  }
  Hash& add(std::uint64_t number) {
    for (int shift = 0; shift < 64; shift += 8) add_byte(number >> shift & 0xff);
    return *this;
  }
  Hash& add(double number) { return add(std::bit_cast<std::uint64_t>(number)); }
  std::uint64_t value() const { return value_; }

 private:
  void add_byte(std::uint64_t byte) { value_ = (value_ ^ byte) * 0x100000001b3U; }
  std::uint64_t value_ = 0xcbf29ce484222325U;
};

/// "362 x 292 x 75", first dimension fastest.
std::string shape_text(const Model& model, int grid) {
  std::string text;
  const auto add = [&text](const std::optional<std::int64_t>& size) {
    text += fmt::format("{}{}", text.empty() ? "" : " x ", size.value_or(0));
  };
  for (const GridElement& element : model.grids[static_cast<std::size_t>(grid)].elements) {
    const auto at = static_cast<std::size_t>(element.index);
    if (element.kind == GridElement::Kind::axis) add(model.axes[at].attributes.n_glo);
    if (element.kind != GridElement::Kind::domain) continue;
    add(model.domains[at].attributes.ni_glo);
    add(model.domains[at].attributes.nj_glo);
  }
  return text.empty() ? "one point" : text;
}

void add_sampling(Hash& hash, const DataNode& node) {
  const Sampling& s = node.sampling;
  hash.add(name(s.operation)).add(s.freq_op.text()).add(s.freq_offset.text());
  hash.add(s.output_freq.text()).add(static_cast<std::uint64_t>(node.ignores_missing));
}

/// Per node a number that is the same for equal data, whatever the ids of fields, files and grids
/// around it.
std::vector<std::uint64_t> hashes_of(const Model& model, const DataGraph& graph) {
  std::vector<std::uint64_t> out;
  for (const DataNode& node : graph.nodes) {
    Hash hash;
    hash.add(static_cast<std::uint64_t>(node.kind));
    if (node.kind == DataNode::Kind::number) hash.add(node.number);
    if (node.kind == DataNode::Kind::arithmetic) hash.add(name(node.op));
    if (node.kind == DataNode::Kind::temporal) add_sampling(hash, node);
    if (node.kind == DataNode::Kind::source) {
      const Source& source = model.sources[static_cast<std::size_t>(node.source)];
      hash.add(source.id).add(shape_text(model, source.grid));
      if (source.detect_missing_value) hash.add(source.default_value);
    }
    for (const int argument : node.arguments) hash.add(out[static_cast<std::size_t>(argument)]);
    out.push_back(hash.value());
  }
  return out;
}

/// Of each temporal node the first stream that needs it, in the order of streams.
std::vector<int> first_streams(const DataGraph& graph) {
  std::vector<int> out(graph.nodes.size(), -1);
  std::vector<int> open;
  for (std::size_t s = 0; s < graph.of_stream.size(); ++s) {
    open.assign(1, graph.of_stream[s]);
    while (!open.empty()) {
      const auto at = static_cast<std::size_t>(open.back());
      open.pop_back();
      if (out[at] >= 0) continue;
      out[at] = static_cast<int>(s);
      const std::vector<int>& arguments = graph.nodes[at].arguments;
      open.insert(open.end(), arguments.begin(), arguments.end());
    }
  }
  return out;
}

std::string attribute_of(std::size_t operation) { return fmt::format("operation_{}", operation); }

std::string calendar_text(const Model& model) {
  std::string text(cf_name(model.calendar_type));
  if (model.calendar_type != CalendarType::user_defined) return text;
  const UserCalendar& user = model.user_calendar;
  return text + fmt::format(" {} {} {} {} {} {} {}", user.day_length_s,
                            fmt::join(user.month_lengths, ","), user.year_length_s, user.leap_month,
                            user.leap_drift, user.leap_drift_offset, user.origin_year);
}

std::string joined(const std::map<std::string, std::string>& description) {
  std::string text;
  for (const auto& [key, value] : description) {
    text += fmt::format("{}{}={}", text.empty() ? "" : "; ", key, value);
  }
  return text;
}

std::map<std::string, std::string> parted(std::string_view text) {
  std::map<std::string, std::string> out;
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find("; "));
    text.remove_prefix(std::min(text.size(), item.size() + 2));
    const auto equals = item.find('=');
    if (equals != std::string_view::npos) {
      out.emplace(item.substr(0, equals), item.substr(equals + 1));
    }
  }
  return out;
}

/// Exact in a double.
double path_number(std::string_view path) {
  return static_cast<double>(Hash().add(path).value() >> 12);
}

/// What two descriptions differ in, but for what says whose they are.
std::string differences(const std::map<std::string, std::string>& wanted,
                        const std::map<std::string, std::string>& found) {
  std::string text;
  for (const auto& [key, value] : wanted) {
    const auto other = found.find(key);
    if (key == "field" || key == "data" || other == found.end() || other->second == value) continue;
    text +=
        fmt::format("{}{} is '{}', was '{}'", text.empty() ? "" : ", ", key, value, other->second);
  }
  return text.empty() ? "its data come from other fields or another expression" : text;
}

std::map<std::string, std::string> without_field(std::map<std::string, std::string> description) {
  description.erase("field");
  return description;
}

/// Compares a file with a Model, and says all that does not fit.
class Comparison {
 public:
  Comparison(const Model& model, const std::vector<KeptOperation>& kept,
             const StoredStatistics& stored)
      : model_(model), kept_(kept), stored_(stored) {
    for (std::size_t k = 0; stored.attributes.contains(attribute_of(k)); ++k) {
      found_.push_back(parted(stored.attributes.at(attribute_of(k))));
    }
  }

  Continuation result() {
    check_file();
    read_numbers();
    compare_run();
    find_operations();
    check_paths();
    refuse_if_any();
    out_.state.operations = std::move(taken_);
    return std::move(out_);
  }

 private:
  std::string attribute(const std::string& name) const {
    const auto found = stored_.attributes.find(name);
    return found == stored_.attributes.end() ? "" : found->second;
  }
  void complain(std::string_view where, const std::string& text) {
    complaints_.push_back(fmt::format("{}: error: {}", where, text));
  }
  void refuse_if_any() const {
    if (complaints_.empty()) return;
    throw Error(ErrorCode::configuration, fmt::format("{}", fmt::join(complaints_, "\n")));
  }
  std::string file() const { return fmt::format("statistics file '{}'", model_.statistics_path); }

  void check_file() {
    if (attribute("statistics_format") != format) {
      complain(model_.statistics_where,
               fmt::format("{} is no statistics file of this version (it has no attribute "
                           "statistics_format = '{}'). Is it the right one, or remove it to begin "
                           "anew?",
                           file(), format));
    } else if (attribute("context") != model_.context_id) {
      complain(model_.statistics_where,
               fmt::format("{} belongs to context '{}', not to '{}'. Give each context a file of "
                           "its own?",
                           file(), attribute("context"), model_.context_id));
    }
    refuse_if_any();
  }

  void read_numbers() {
    const std::vector<double>& numbers = stored_.numbers;
    const std::size_t least = numbers_of_run + numbers_per_operation * found_.size();
    const bool is_whole =
        numbers.size() >= least && std::none_of(numbers.begin(), numbers.end(), [](double number) {
          return !std::isfinite(number) || std::abs(number) > 9e15 || std::rint(number) != number;
        });
    if (!is_whole || numbers[4] != static_cast<double>(found_.size())) {
      complain(model_.statistics_where,
               fmt::format("{} is damaged (its variable '{}' does not say what it should). Take a "
                           "copy of it, or remove it to begin anew?",
                           file(), numbers_variable));
      refuse_if_any();
    }
    const auto whole = [&](std::size_t i) { return static_cast<std::int64_t>(numbers[i]); };
    out_.state.start_date.ms = whole(0);
    out_.state.time_origin.ms = whole(1);
    out_.state.steps = whole(2);
    out_.state.announced_steps = whole(3);
    for (std::size_t k = 0; k < found_.size(); ++k) {
      const std::size_t at = numbers_of_run + numbers_per_operation * k;
      states_.push_back({{whole(at), whole(at + 1)}, whole(at + 2), whole(at + 3) != 0});
    }
    written_.insert(numbers.begin() + static_cast<std::ptrdiff_t>(least), numbers.end());
  }

  void compare_run() {
    const auto compare = [&](const char* what, const std::string& now, const std::string& before) {
      if (now == before) return;
      complain(
          model_.statistics_where,
          fmt::format("{} of context '{}' is '{}', of the run before it was '{}' ({}). Keep it, "
                      "or remove the file to begin anew?",
                      what, model_.context_id, now, before, file()));
    };
    compare("the calendar", calendar_text(model_), attribute("calendar"));
    compare("timestep", model_.timestep.text(), attribute("timestep"));
    refuse_if_any();  // dates and periods could not be compared
    const Calendar calendar = model_.calendar();
    const RunState& state = out_.state;
    const Instant end = calendar.at_step(state.start_date, state.steps);
    const Instant announced = calendar.at_step(state.start_date, state.announced_steps);
    if (model_.start_date != end && model_.start_date != announced) {
      complain(model_.statistics_where,
               fmt::format("start_date of context '{}' is {}, the run before ended at {} ({}). "
                           "Begin where it ended, or remove the file to begin anew?",
                           model_.context_id, calendar.text(model_.start_date), calendar.text(end),
                           file()));
    }
    // Without time_origin each run would count from its own start.
    if (model_.time_origin != model_.start_date) {
      compare("time_origin", calendar.text(model_.time_origin), calendar.text(state.time_origin));
    }
    if (model_.start_date == announced) out_.state.steps = state.announced_steps;
  }

  void find_operations() {
    std::vector<bool> is_taken(found_.size());
    for (const KeptOperation& operation : kept_) {
      const auto wanted = without_field(operation.description);
      const auto known = std::find_if(found_.begin(), found_.end(), [&](const auto& description) {
        return without_field(description) == wanted;
      });
      if (known == found_.end()) {
        complain_of(operation);
        out_.from.push_back(0);
        taken_.emplace_back();
        continue;
      }
      out_.from.push_back(static_cast<std::size_t>(known - found_.begin()));
      is_taken[out_.from.back()] = true;
      taken_.push_back(states_[out_.from.back()]);
    }
    for (std::size_t k = 0; k < found_.size(); ++k) {
      const std::string& field = found_[k]["field"];
      if (is_taken[k] || told_.contains(field)) continue;
      complain(model_.statistics_where,
               fmt::format("{} goes on in no field ({} has its {} over {}). Write the field, or "
                           "remove the file to begin anew?",
                           field, file(), found_[k]["operation"], found_[k]["output_freq"]));
    }
  }

  void complain_of(const KeptOperation& operation) {
    const std::string& field = operation.description.at("field");
    const auto like = std::find_if(found_.begin(), found_.end(), [&](const auto& description) {
      const auto its = description.find("field");
      return its != description.end() && its->second == field;
    });
    const std::string why = like == found_.end() ? "the run before did not have it"
                                                 : differences(operation.description, *like);
    told_.insert(field);
    complain(operation.where,
             fmt::format("{} cannot go on ({}; {}). Keep what the run before had, or remove the "
                         "file to begin anew?",
                         field, why, file()));
  }

  void check_paths() {
    if (!complaints_.empty()) return;
    Model next = model_;
    next.start_date = out_.state.start_date;
    next.time_origin = out_.state.time_origin;
    next.steps_before = out_.state.steps;
    const std::vector<std::string> paths = paths_at(next, model_.start_date, true);
    for (std::size_t f = 0; f < paths.size(); ++f) {
      if (model_.files[f].attributes.append.value_or(false)) continue;
      if (!written_.contains(path_number(paths[f]))) continue;
      complain(model_.files[f].where,
               fmt::format("file '{}' was written by the run before, whose records this run would "
                           "write over. Add append=\"true\", or give each run another name?",
                           paths[f]));
    }
  }

  const Model& model_;
  const std::vector<KeptOperation>& kept_;
  const StoredStatistics& stored_;
  std::vector<std::map<std::string, std::string>> found_;  ///< descriptions in the file
  std::vector<OperationState> states_;
  std::vector<OperationState> taken_;
  std::set<double> written_;
  std::set<std::string> told_;
  std::vector<std::string> complaints_;
  Continuation out_;
};

Variable text_attribute(std::string name, std::string text) {
  Variable out;
  out.id = name;
  out.name = std::move(name);
  out.attributes.type = "string";
  out.text = std::move(text);
  return out;
}

/// Adds what is sent once, and its variable.
int add_array(Model& model, File& file, const std::string& name, int grid) {
  Source source;
  source.id = fmt::format("{} of statistics", name);
  source.grid = grid;
  model.sources.push_back(source);
  Stream stream;
  stream.id = name;
  stream.name = name;
  stream.file = model.statistics_file;
  stream.source = static_cast<int>(model.sources.size()) - 1;
  stream.grid = grid;
  stream.attributes = filled<FieldAttributes>(Resolved(ElementKind::field));
  stream.attributes.prec = 8;
  stream.attributes.operation = "once";
  stream.sampling.operation = Operation::once;
  stream.sampling.freq_op.timestep = 1;
  stream.sampling.freq_offset.timestep = -1;  // from the start on
  stream.sampling.output_freq.timestep = 1'000'000;
  stream.where = file.where;
  file.streams.push_back(static_cast<int>(model.streams.size()));
  model.streams.push_back(std::move(stream));
  return static_cast<int>(model.sources.size()) - 1;
}

}  // namespace

std::string values_variable(std::size_t operation) { return fmt::format("values_{}", operation); }
std::string counts_variable(std::size_t operation) { return fmt::format("counts_{}", operation); }

std::vector<KeptOperation> kept_operations(const Model& model) {
  const DataGraph graph = data_graph(model);
  const std::vector<std::uint64_t> hashes = hashes_of(model, graph);
  const std::vector<int> streams = first_streams(graph);
  std::vector<KeptOperation> out;
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const DataNode& node = graph.nodes[n];
    if (node.kind != DataNode::Kind::temporal) continue;
    // Operations of expressions that no file needs are in no Model.
    const Stream& stream = model.streams[static_cast<std::size_t>(std::max(streams[n], 0))];
    const bool is_own = streams[n] >= 0 && graph.of_stream[static_cast<std::size_t>(streams[n])] ==
                                               static_cast<int>(n);
    const Sampling& s = node.sampling;
    KeptOperation& made = out.emplace_back();
    made.field = fmt::format(
        "{}field '{}' of file '{}'", is_own ? "" : "the expression of ", stream.name,
        model.files.empty() ? "" : model.files[static_cast<std::size_t>(stream.file)].id);
    made.where = stream.where;
    made.grid = node.grid;
    made.sampling = s;
    const bool is_sum = s.operation == Operation::average || s.operation == Operation::accumulate;
    const bool is_each = s.operation == Operation::instant && s.freq_op == s.output_freq;
    made.has_values = !is_each;
    made.has_counts = is_sum && node.ignores_missing;
    made.description = {
        {"field", made.field},
        {"operation", std::string(name(s.operation))},
        {"freq_op", s.freq_op.text()},
        {"freq_offset", s.freq_offset.text()},
        {"output_freq", s.output_freq.text()},
        {"detect_missing_value", node.ignores_missing ? "true" : "false"},
        {"points", shape_text(model, node.grid)},
        {"data", fmt::format("{:016x}", hashes[static_cast<std::size_t>(node.arguments.front())])}};
  }
  return out;
}

std::vector<double> numbers_of(const RunState& state) {
  std::vector<double> out;
  const auto add = [&out](std::int64_t number) { out.push_back(static_cast<double>(number)); };
  add(state.start_date.ms);
  add(state.time_origin.ms);
  add(state.steps);
  add(state.announced_steps);
  add(static_cast<std::int64_t>(state.operations.size()));
  for (const OperationState& operation : state.operations) {
    add(operation.counters.samples);
    add(operation.counters.records);
    add(operation.samples);
    add(operation.misses_some ? 1 : 0);
  }
  for (const std::string& path : state.paths) out.push_back(path_number(path));
  return out;
}

Continuation continuation(const Model& model, const std::vector<KeptOperation>& kept,
                          const StoredStatistics& stored) {
  return Comparison(model, kept, stored).result();
}

void go_on(Model& model, const std::vector<KeptOperation>& kept, const RunState& state) {
  model.start_date = state.start_date;
  model.time_origin = state.time_origin;
  model.steps_before = state.steps;
  const DataGraph graph = data_graph(model);
  std::vector<int> number_of_node(graph.nodes.size(), -1);
  int number = 0;
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    if (graph.nodes[n].kind == DataNode::Kind::temporal) number_of_node[n] = number++;
  }
  for (File& file : model.files) {
    std::optional<std::int64_t> first;
    for (const int s : file.streams) {
      const int node = graph.of_stream[static_cast<std::size_t>(s)];
      const auto k = static_cast<std::size_t>(number_of_node[static_cast<std::size_t>(node)]);
      if (!has_time(kept[k].sampling.operation)) continue;
      const std::int64_t records = state.operations[k].counters.records;
      first = std::min(first.value_or(records), records);
    }
    file.first_record = first.value_or(0);
  }
}

StatisticsSources add_statistics_file(Model& model, const std::vector<KeptOperation>& kept) {
  RunState sample;
  sample.operations.resize(kept.size());
  sample.paths.resize(model.files.size());
  Axis axis;
  axis.id = axis.name = "numbers_of_statistics";
  axis.attributes = filled<AxisAttributes>(Resolved(ElementKind::axis));
  axis.attributes.n_glo = static_cast<std::int64_t>(numbers_of(sample).size());
  model.axes.push_back(std::move(axis));
  Grid grid;
  grid.id = "numbers_of_statistics";
  grid.elements = {{GridElement::Kind::axis, static_cast<int>(model.axes.size()) - 1}};
  model.grids.push_back(std::move(grid));

  model.kept_operations = static_cast<int>(kept.size());
  model.statistics_file = static_cast<int>(model.files.size());
  File file;
  file.id = "statistics";
  file.path = model.statistics_path;
  file.where = model.statistics_where;
  file.attributes = filled<FileAttributes>(Resolved(ElementKind::file));
  file.attributes.output_freq = Duration{0, 0, 0, 0, 0, 0, 1'000'000};
  file.variables = {text_attribute("statistics_format", std::string(format)),
                    text_attribute("context", model.context_id),
                    text_attribute("calendar", calendar_text(model)),
                    text_attribute("timestep", model.timestep.text())};
  for (std::size_t k = 0; k < kept.size(); ++k) {
    file.variables.push_back(text_attribute(attribute_of(k), joined(kept[k].description)));
  }
  StatisticsSources out;
  out.numbers = add_array(model, file, std::string(numbers_variable),
                          static_cast<int>(model.grids.size()) - 1);
  for (std::size_t k = 0; k < kept.size(); ++k) {
    out.values.push_back(
        kept[k].has_values ? add_array(model, file, values_variable(k), kept[k].grid) : -1);
    out.counts.push_back(
        kept[k].has_counts ? add_array(model, file, counts_variable(k), kept[k].grid) : -1);
  }
  model.files.push_back(std::move(file));
  return out;
}

std::vector<std::string> paths_at(const Model& model, Instant date, bool is_next) {
  std::vector<std::string> out;
  for (std::size_t f = 0; f < model.files.size(); ++f) {
    if (static_cast<int>(f) == model.statistics_file) continue;
    const File& file = model.files[f];
    const FileSeries series = series_of(model, file);
    const std::int64_t part = series.part_of({date.ms + (is_next ? 1 : 0)});
    out.push_back(path_of_part(series, file.path, part));
  }
  return out;
}

}  // namespace epios::config
