#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "config/model.hpp"
#include "data/array_places.hpp"
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
  /// Whether anything did. Throws Error{io} with the field, when it cannot be read.
  bool begin(config::Instant now, ReadLink& link);
  /// The record is here: it has been fetched at its date.
  bool has(int read_field, std::int64_t record) const;
  template <class T>
  void copy(int read_field, std::span<T> array) const;

 private:
  struct Source {
    int source = -1;
    int read_field = -1;
    ArrayPlaces array;
    std::int64_t record = -1;  ///< that the array holds; -1: none
    bool is_due = false;       ///< a record has the date of now
  };
  const Source* find(int read_field) const;
  std::int64_t record_at(const Source& source, config::Instant now) const;
  void fetch(Source& source, std::int64_t record, ReadLink& link);

  const config::Model& model_;
  const std::vector<config::ReadSchedule>& dates_;
  io::Workflow& workflow_;
  std::vector<Source> sources_;  ///< in the order of fields
};

}  // namespace epios::client
