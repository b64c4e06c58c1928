// Compares the state that a run has left with the operations of the next one. It checks that the
// file belongs to the same context, calendar and time step, matches the operations, and reports all
// differences at once.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/error.hpp"
#include "config/model.hpp"
#include "config/statistics.hpp"
#include "restart/statistics_format.hpp"

namespace epios::config {

namespace {

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
/// A period in the one spelling of all that are as long; other text as it is.
std::string normal_text(const Calendar& calendar, const std::string& text) {
  try {
    return calendar.normal(Duration::parse(text)).text();
  } catch (const Error&) {
    return text;
  }
}

using Description = std::map<std::string, std::string>;

/// Returns a description that is equal for equal operations, however their periods are written.
Description normal(const Calendar& calendar, Description description) {
  for (const char* const key : {"freq_op", "freq_offset", "output_freq"}) {
    const auto found = description.find(key);
    if (found != description.end()) found->second = normal_text(calendar, found->second);
  }
  return description;
}

/// Returns the differences of two descriptions, ignoring whose they are.
std::string differences(const Calendar& calendar, const Description& wanted,
                        const Description& found) {
  const Description normal_wanted = normal(calendar, wanted);
  const Description normal_found = normal(calendar, found);
  std::string text;
  for (const auto& [key, value] : wanted) {
    const auto other = found.find(key);
    if (key == "field" || key == "data" || other == found.end() ||
        normal_wanted.at(key) == normal_found.at(key)) {
      continue;
    }
    text +=
        fmt::format("{}{} is '{}', was '{}'", text.empty() ? "" : ", ", key, value, other->second);
  }
  return text.empty() ? "its data come from other fields or another expression" : text;
}

Description without_field(Description description) {
  description.erase("field");
  return description;
}

/// Compares a file with a Model, and says all that does not fit.
class Comparison {
 public:
  Comparison(const Model& model, const std::vector<KeptOperation>& kept,
             const StoredStatistics& stored)
      : model_(model), calendar_(model.calendar()), kept_(kept), stored_(stored) {
    for (std::size_t k = 0; stored.attributes.contains(attribute_of_operation(k)); ++k) {
      found_.push_back(parted(stored.attributes.at(attribute_of_operation(k))));
      alike_[without_field(normal(calendar_, found_.back()))].push_back(k);
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
  std::string file() const { return fmt::format("statistics file '{}'", model_.statistics.path); }

  void check_file() {
    if (attribute("statistics_format") != statistics_format) {
      complain(model_.statistics.where,
               fmt::format("{} is no statistics file of this version (it has no attribute "
                           "statistics_format = '{}'). Is it the right one, or remove it to begin "
                           "anew?",
                           file(), statistics_format));
    } else if (attribute("context") != model_.context_id) {
      complain(model_.statistics.where,
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
    if (!is_whole || numbers[4] != static_cast<double>(found_.size())) refuse_numbers();
    const auto whole = [&](std::size_t i) { return static_cast<std::int64_t>(numbers[i]); };
    out_.state.start_date.ms = whole(0);
    out_.state.time_origin.ms = whole(1);
    out_.state.steps = whole(2);
    out_.state.announced_steps = whole(3);
    for (std::size_t k = 0; k < found_.size(); ++k) {
      const std::size_t at = numbers_of_run + numbers_per_operation * k;
      states_.push_back({{whole(at), whole(at + 1)},
                         whole(at + 2),
                         whole(at + 3) != 0,
                         whole(at + 4),
                         {whole(at + 5)}});
    }
    written_.insert(numbers.begin() + static_cast<std::ptrdiff_t>(least), numbers.end());
    const bool are_possible = out_.state.steps >= 0 && out_.state.announced_steps >= 0 &&
                              std::all_of(states_.begin(), states_.end(), is_possible);
    if (!are_possible) refuse_numbers();
  }

  /// Returns false for a state that no run leaves.
  static bool is_possible(const OperationState& state) {
    const bool has_record = state.counters.records > 0 || state.held_samples == 0;
    return has_record && state.counters.samples >= 0 && state.counters.records >= 0 &&
           state.samples >= 0 && state.held_samples >= 0;
  }

  void refuse_numbers() {
    complain(model_.statistics.where,
             fmt::format("{} is damaged (its variable '{}' does not say what it should). Take a "
                         "copy of it, or remove it to begin anew?",
                         file(), numbers_variable));
    refuse_if_any();
  }

  void compare_run() {
    const auto compare = [&](const char* what, const std::string& now, const std::string& before) {
      if (now == before) return;
      complain(
          model_.statistics.where,
          fmt::format("{} of context '{}' is '{}', of the run before it was '{}' ({}). Keep it, "
                      "or remove the file to begin anew?",
                      what, model_.context_id, now, before, file()));
    };
    compare("the calendar", calendar_text(model_), attribute("calendar"));
    const std::string timestep = model_.timestep.text();
    const std::string before = attribute("timestep");
    const bool is_same = normal_text(calendar_, timestep) == normal_text(calendar_, before);
    compare("timestep", timestep, is_same ? timestep : before);
    refuse_if_any();  // dates and periods could not be compared
    const Calendar& calendar = calendar_;
    const RunState& state = out_.state;
    const Instant end = calendar.at_step(state.start_date, state.steps);
    const Instant announced = calendar.at_step(state.start_date, state.announced_steps);
    if (model_.start_date != end && model_.start_date != announced) {
      complain(model_.statistics.where,
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
      const std::size_t known = counterpart(operation, is_taken);
      if (known == found_.size()) {
        complain_of(operation);
        out_.from.push_back(0);
        taken_.emplace_back();
        continue;
      }
      out_.from.push_back(known);
      is_taken[known] = true;
      taken_.push_back(states_[known]);
    }
    for (std::size_t k = 0; k < found_.size(); ++k) {
      const std::string& field = found_[k]["field"];
      if (is_taken[k] || told_.contains(field)) continue;
      if (found_[k].contains("period")) told_.insert(field);
      complain(model_.statistics.where,
               fmt::format("{} goes on in no field ({} has its {} over {}). Write the field, or "
                           "remove the file to begin anew?",
                           field, file(), found_[k]["operation"], found_[k]["output_freq"]));
    }
  }

  /// Returns the stored operation that continues in `operation`: preferably that of its own field;
  /// among several equal ones, one that no other has, since one expression may be on two grids of
  /// one shape. Returns the number of operations if there is none.
  std::size_t counterpart(const KeptOperation& operation, const std::vector<bool>& is_taken) const {
    const auto alike = alike_.find(without_field(normal(calendar_, operation.description)));
    if (alike == alike_.end()) return found_.size();
    const std::string& field = operation.description.at("field");
    std::size_t best = found_.size();
    int most = -1;
    for (const std::size_t k : alike->second) {
      const auto its = found_[k].find("field");
      const bool is_own = its != found_[k].end() && its->second == field;
      const int merit = (is_own ? 2 : 0) + (is_taken[k] ? 0 : 1);
      if (merit > most) best = k;
      most = std::max(most, merit);
    }
    return best;
  }

  void complain_of(const KeptOperation& operation) {
    const std::string& field = operation.description.at("field");
    if (operation.slot > 0 && told_.contains(field)) return;
    const auto like = std::find_if(found_.begin(), found_.end(), [&](const auto& description) {
      const auto its = description.find("field");
      return its != description.end() && its->second == field;
    });
    const std::string why = like == found_.end()
                                ? "the run before did not have it"
                                : differences(calendar_, operation.description, *like);
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
    for (const FileId f : model_.files.ids()) {
      if (model_.files[f].attributes.append.value_or(false)) continue;
      if (!written_.contains(path_number(nth(paths, f)))) continue;
      complain(model_.files[f].where,
               fmt::format("file '{}' was written by the run before, whose records this run would "
                           "write over. Add append=\"true\", or give each run another name?",
                           nth(paths, f)));
    }
  }

  const Model& model_;
  const Calendar calendar_;
  const std::vector<KeptOperation>& kept_;
  const StoredStatistics& stored_;
  std::vector<Description> found_;  ///< descriptions in the file
  std::map<Description, std::vector<std::size_t>>
      alike_;  ///< equal stored operations, whatever their fields
  std::vector<OperationState> states_;
  std::vector<OperationState> taken_;
  std::set<double> written_;
  std::set<std::string> told_;
  std::vector<std::string> complaints_;
  Continuation out_;
};

}  // namespace

Continuation continuation(const Model& model, const std::vector<KeptOperation>& kept,
                          const StoredStatistics& stored) {
  return Comparison(model, kept, stored).result();
}

}  // namespace epios::config
