// `epios ragged`: points that come and go (drifters) have a place each in the records of a run.
// Here they become observations, one behind the other, record by record. The first pass over the
// file finds who is there, the second one copies.
#include "ragged_command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include "config/error.hpp"
#include "config/index.hpp"
#include "field_table.hpp"
#include "file/data_file.hpp"
#include "file/written_file.hpp"
#include "grid/index.hpp"

namespace epios::io {

namespace {

constexpr const char* role = "cf_role";
constexpr const char* trajectories = "trajectory_id";

class RaggedMaker {
 public:
  explicit RaggedMaker(const RaggedRequest& request)
      : request_(request), input_(request.input), output_(request.output, input_) {}

  RaggedFile make() {
    find_dimensions();
    find_observations();
    define();
    write();
    output_.publish();
    return std::move(out_);
  }

 private:
  /// One dimension of records and one of points: what becomes of a variable on them.
  enum class Kind { field, of_points, apart, other };

  const StoredVariable& variable(int index) const { return nth(input_.variables(), index); }
  static bool is_named(const StoredVariable& its, const char* standard_name) {
    return its.attribute("standard_name") == standard_name;
  }
  [[noreturn]] void refuse(const std::string& why, const std::string& suggestion) const {
    throw Error(ErrorCode::io, fmt::format("file '{}' cannot be made ragged ({}). {}",
                                           request_.input, why, suggestion));
  }

  /// Returns true for numbers along records and one more dimension.
  bool is_of_points(const StoredVariable& its) const {
    return its.dimensions.size() == 2 && is_of_records(input_, its) &&
           its.content == StoredVariable::Content::numbers;
  }

  int present_variable() const {
    const auto& all = input_.dimensions();
    const auto is_record = [](const StoredDimension& its) { return its.is_record; };
    if (std::none_of(all.begin(), all.end(), is_record)) {
      refuse("none of its dimensions is unlimited: it has no records",
             "Make that of time unlimited (ncks --mk_rec_dmn)?");
    }
    if (!request_.present.empty()) {
      const int found = input_.find(request_.present);
      if (found >= 0 && is_of_points(variable(found))) return found;
      refuse(fmt::format("variable '{}' {}", request_.present,
                         found < 0 ? "is not in it"
                                   : "does not have two dimensions, of records and of points"),
             "Name another one with --present?");
    }
    for (std::size_t v = 0; v < input_.variables().size(); ++v) {
      const StoredVariable& its = input_.variables()[v];
      if (is_of_points(its) && is_named(its, "latitude")) return static_cast<int>(v);
    }
    refuse("no variable of records and points has standard_name 'latitude'",
           "Name one that is missing where a point is not there with --present?");
  }

  void find_dimensions() {
    present_ = present_variable();
    records_ = variable(present_).dimensions[0];
    points_ = variable(present_).dimensions[1];
    out_.records = nth(input_.dimensions(), records_).length;
    out_.points = nth(input_.dimensions(), points_).length;
    const std::string& counter = nth(input_.dimensions(), records_).name;
    for (std::size_t v = 0; v < input_.variables().size(); ++v) {
      const StoredVariable& its = input_.variables()[v];
      if (its.dimensions != std::vector<int>{records_} || !is_named(its, "time")) continue;
      if (time_ < 0 || its.name == counter) time_ = static_cast<int>(v);
    }
    if (time_ < 0) refuse("its records have no time", "Was it written with time_counter=\"none\"?");
  }

  void find_observations() {
    for (std::int64_t record = 0; record < out_.records; ++record) {
      const std::vector<double> values = input_.values(present_, row(record));
      for (std::size_t p = 0; p < values.size(); ++p) {
        if (std::isnan(values[p]) || variable(present_).is_missing(values[p])) continue;
        index_.push_back(static_cast<double>(p));
      }
      ends_.push_back(static_cast<std::int64_t>(index_.size()));
    }
    out_.observations = static_cast<std::int64_t>(index_.size());
    if (out_.observations == 0) {
      refuse(fmt::format("variable '{}' has no value in {} records", variable(present_).name,
                         out_.records),
             "Is it the one that says who is there?");
    }
  }

  Box row(std::int64_t record) const { return {{record, 0}, {1, out_.points}}; }

  Kind kind_of(int index) const {
    const StoredVariable& its = variable(index);
    if (is_of_points(its) && its.dimensions == std::vector<int>{records_, points_})
      return Kind::field;
    const auto has = [&](int dimension) {
      return std::find(its.dimensions.begin(), its.dimensions.end(), dimension) !=
             its.dimensions.end();
    };
    if (has(records_)) return Kind::other;
    const bool is_first = !its.dimensions.empty() && its.dimensions.front() == points_;
    if (!has(points_)) return Kind::apart;
    return is_first ? Kind::of_points : Kind::other;
  }

  /// CF 9.5: the roles of the names of stations, profiles and trajectories, of which a file has
  /// one.
  static bool has_role_of_ids(const StoredVariable& its) {
    const std::string& own = its.attribute(role);
    return own == "timeseries_id" || own == "profile_id" || own == trajectories;
  }

  /// Returns what names the points, rather as trajectories than as stations; -1 if nothing does.
  int variable_of_ids() const {
    int found = -1;
    for (std::size_t v = 0; v < input_.variables().size(); ++v) {
      const int index = static_cast<int>(v);
      if (!has_role_of_ids(variable(index)) || kind_of(index) != Kind::of_points) continue;
      if (variable(index).attribute(role) == trajectories) return index;
      if (found < 0) found = index;
    }
    return found;
  }

  int dimension(int of_input) {
    const StoredDimension& its = nth(input_.dimensions(), of_input);
    const auto [known, is_new] = dimensions_.try_emplace(of_input, -1);
    if (is_new) known->second = output_.add_dimension(its.name, its.length);
    return known->second;
  }

  void define() {
    const std::string points = nth(input_.dimensions(), points_).name;
    const int along = dimension(points_);
    observations_ = output_.add_dimension(free_name("obs"), out_.observations);
    time_id_ = output_.add_variable(free_name("time"), ValueKind::float64, {observations_});
    output_.copy_attributes(time_, time_id_,
                            {"bounds", "climatology", "axis", "_FillValue", "missing_value"});
    index_id_ =
        output_.add_variable(free_name(points + "_index"), ValueKind::int32, {observations_});
    output_.set_attribute(index_id_, {"long_name", "Number of the trajectory, from 0"});
    output_.set_attribute(index_id_, {"instance_dimension", points});
    const int ids = variable_of_ids();
    for (std::size_t v = 0; v < input_.variables().size(); ++v) {
      const int index = static_cast<int>(v);
      const StoredVariable& its = variable(index);
      const Kind kind = kind_of(index);
      if (kind == Kind::other) {
        if (is_field(input_, its)) note_left_out(its);
        continue;
      }
      std::vector<int> dimensions{observations_};
      if (kind != Kind::field) {
        dimensions.clear();
        for (const int d : its.dimensions) dimensions.push_back(dimension(d));
      }
      const std::vector<std::string> except =
          has_role_of_ids(its) ? std::vector<std::string>{role} : std::vector<std::string>();
      const int id = output_.add_copy(index, dimensions, except);
      if (index == ids) output_.set_attribute(id, {role, trajectories});
      copies_.emplace(index, id);
      if (kind == Kind::field) settle_attributes(its, id);
    }
    if (ids < 0) {
      number_id_ = output_.add_variable(free_name(points + "_id"), ValueKind::int32, {along});
      output_.set_attribute(number_id_, {"long_name", "Number of the trajectory, from 1"});
      output_.set_attribute(number_id_, {role, trajectories});
    }
    output_.copy_attributes(-1, -1, {"featureType"});
    output_.set_attribute(-1, {"featureType", "trajectory"});
    output_.end_definitions();
  }

  void note_left_out(const StoredVariable& its) {
    std::vector<std::string> names;
    for (const int d : its.dimensions) names.push_back(nth(input_.dimensions(), d).name);
    out_.left_out.push_back(fmt::format("'{}' ({})", its.name, fmt::join(names, ", ")));
  }

  static bool is_position(const StoredVariable& its) {
    return is_named(its, "latitude") || is_named(its, "longitude");
  }

  /// Positions are coordinates of all others.
  void settle_attributes(const StoredVariable& its, int id) {
    output_.compress(id, 1);
    std::string coordinates = free_name("time");
    for (const StoredVariable& other : input_.variables()) {
      const bool is_its = is_position(other) && other.dimensions == its.dimensions;
      if (is_its && !is_position(its)) coordinates += " " + other.name;
    }
    output_.set_attribute(id, {"coordinates", coordinates});
  }

  /// A name that nothing of the input has which may be in the output, too.
  std::string free_name(std::string name) const {
    const auto is_taken = [&] {
      const int known = input_.find(name);
      if (known >= 0 && known != time_) return true;
      for (std::size_t d = 0; d < input_.dimensions().size(); ++d) {
        const bool stays = static_cast<int>(d) != records_;
        if (stays && input_.dimensions()[d].name == name) return true;
      }
      return false;
    };
    while (is_taken()) name += "_";
    return name;
  }

  void write() {
    const Box all = whole({out_.observations});
    output_.write(index_id_, all, index_);
    const std::vector<double> times = input_.stored_values(time_, whole({out_.records}));
    std::vector<double> of_observations;
    for (std::size_t r = 0; r < ends_.size(); ++r) {
      of_observations.resize(as_index(ends_[r]), times[r]);
    }
    output_.write(time_id_, all, of_observations);
    if (number_id_ >= 0) {
      std::vector<double> numbers(as_index(out_.points));
      for (std::size_t p = 0; p < numbers.size(); ++p) numbers[p] = static_cast<double>(p + 1);
      output_.write(number_id_, whole({out_.points}), numbers);
    }
    for (const auto& [from, to] : copies_) {
      if (kind_of(from) == Kind::field) {
        write_field(from, to);
      } else {
        output_.copy_values(from, to);
      }
    }
  }

  void write_field(int from, int to) {
    std::int64_t begin = 0;
    for (std::size_t r = 0; r < ends_.size(); ++r) {
      const std::int64_t end = ends_[r];
      if (end == begin) continue;
      const std::vector<double> row_values =
          input_.stored_values(from, row(static_cast<std::int64_t>(r)));
      std::vector<double> values;
      for (std::int64_t n = begin; n < end; ++n) {
        values.push_back(nth(row_values, std::llround(nth(index_, n))));
      }
      output_.write(to, {{begin}, {end - begin}}, values);
      begin = end;
    }
  }

  const RaggedRequest& request_;
  DataFile input_;
  WrittenFile output_;
  RaggedFile out_;
  int present_ = -1, time_ = -1;
  int records_ = -1, points_ = -1;  // dimensions of the input
  std::vector<double> index_;       // of each observation: its place in the record
  std::vector<std::int64_t> ends_;  // of each record: the number of observations up to it
  std::map<int, int> dimensions_, copies_;
  int observations_ = -1;
  int time_id_ = -1, index_id_ = -1, number_id_ = -1;
};

}  // namespace

RaggedFile make_ragged(const RaggedRequest& request) {
  refuse_to_overwrite(request.output, std::array{request.input});
  return RaggedMaker(request).make();
}

}  // namespace epios::io
