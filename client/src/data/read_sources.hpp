#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "config/model_fwd.hpp"
#include "data/array_places.hpp"
#include "data/passed_records.hpp"
#include "links/read_link.hpp"
#include "workflow/workflow.hpp"

namespace epios::client {

/// Fields of files whose data other fields have: at its date a record enters the workflow before
/// the model sends anything, and the model may receive it, too. Which records are fetched follows
/// from the dates and the model's calls, so that all clients ask alike.
class ReadSources {
 public:
  /// What is given outlives this, but for `parts`. `dates`: per Model::read_fields.
  ReadSources(const config::Model& model, const io::LocalParts& parts,
              const std::vector<config::ReadSchedule>& dates, io::Workflow& workflow);

  bool is_empty() const { return sources_.empty(); }
  /// The record of a field, from `from` on, that is needed next; -1: none in sight, or it is read
  /// once.
  std::int64_t next_record(int read_field, std::int64_t from) const;

  /// The date has come: what is read at it and somebody wants is fetched and enters the workflow.
  /// Whether anything did. Dates only go forward. What cannot be read keeps nothing else back:
  /// take_problem() has the first error.
  bool begin(config::Instant now, ReadLink& link);
  /// Of the last begin(): Error{io} with the field that could not be read; or none.
  std::exception_ptr take_problem() { return std::exchange(problem_, nullptr); }
  /// What the calendar went past although somebody wanted it, since the last call: a line for each
  /// field, once. The same on all clients.
  std::vector<std::string> take_warnings() { return std::exchange(warnings_, {}); }
  /// The record is here: it has been fetched at its date.
  bool has(int read_field, std::int64_t record) const;
  template <class T>
  void copy(int read_field, std::span<T> array) const;

 private:
  struct Source {
    int source = -1;
    config::ReadFieldId read_field;
    ArrayPlaces array;
    PassedRecords passed;
    std::int64_t record = -1;  ///< that the array holds; -1: none
    std::int64_t due = -1;     ///< that has the date of now; -1: none
  };
  const Source* find(int read_field) const;
  void look_for_due(Source& source, config::Instant now);
  void fetch(Source& source, std::int64_t record, ReadLink& link);

  const config::Model& model_;
  const std::vector<config::ReadSchedule>& dates_;
  io::Workflow& workflow_;
  config::Calendar calendar_;
  std::vector<Source> sources_;            ///< in the order of fields
  std::optional<config::Instant> before_;  ///< the date before
  std::vector<std::string> warnings_;
  std::exception_ptr problem_;
};

}  // namespace epios::client
