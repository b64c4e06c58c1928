#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "config/calendar.hpp"
#include "config/model_fwd.hpp"
#include "config/temporal.hpp"
#include "context/context_account.hpp"
#include "context/context_group.hpp"
#include "context/context_progress.hpp"
#include "context/partner_exchange.hpp"
#include "data/infinite_data.hpp"
#include "data/read_sources.hpp"
#include "data/results.hpp"
#include "data/run_clock.hpp"
#include "links/read_link.hpp"
#include "workflow/workflow.hpp"

namespace epios::client {

/// What the model receives in the time loop: fields of files, results of its own workflow, and
/// fields of other contexts. Fields are given by their numbers (FieldNumbers::received()).
class ReceivedFields {
 public:
  /// Where fields come from; all outlive the ReceivedFields, but for `parts`.
  struct Setup {
    const ContextGroup& group;
    const config::Model& model;
    const io::LocalParts& parts;
    ContextAccount& account;
    ContextProgress& progress;
    RunClock& clock;
    io::Workflow& workflow;
    const Results& results;
    PartnerExchange* exchange;                       ///< null: nothing comes from other contexts
    const std::vector<config::ReadSchedule>& dates;  ///< per Model::read_fields
    const std::unique_ptr<ReadLink>& link;           ///< null in it: nothing is read
  };
  explicit ReceivedFields(const Setup& setup);

  /// Returns the record of each field of a file that is needed first; -1: none is.
  std::vector<std::int64_t> first_records() const;
  /// Returns how many fields the model may receive.
  int count() const;
  /// Returns the id of a field.
  std::string name(int field) const;
  /// Returns the values of the array of a field of a file.
  std::size_t array_size(int field) const;
  /// Returns the extents of the array of a field, fastest first.
  std::vector<std::int64_t> extents(int field) const;
  /// Throws Error{argument} if no field has the number.
  void check_number(int field) const;
  /// True of a field whose values come whatever the model sends: those of a file or of another
  /// context, and what is made of such alone.
  bool comes(int field) const;
  /// True if such a field has values at this date.
  bool is_due(int field) const;
  /// Copies the values at the current date to their places of the model's array.
  template <class T>
  void receive(int field, std::span<T> data);
  /// A date has come: what files and other contexts have at it enters the workflow.
  void begin_date();

  /// Returns infinite values that this client received in single precision, by field.
  std::vector<InfiniteReceived> infinite() const;

 private:
  int files() const { return static_cast<int>(from_.dates.size()); }
  int first_coupled() const;
  std::string place_of(const std::string& id) const;
  void check_size(const std::string& field, std::int64_t wanted, std::size_t got) const;
  void check_record(int field, std::int64_t record) const;
  void warn_of_passed();
  void look_for_results();
  void note_infinite(int field, std::span<const float> data);
  template <class T>
  void receive_from_file(int field, std::span<T> data);
  template <class T>
  void receive_result(int result, std::span<T> data);
  template <class T>
  void receive_coupled(int coupled, std::span<T> data);
  void fetch_result(int result);

  Setup from_;
  ReadSources sources_;
  /// A result for which the model sends nothing: when its data come.
  struct ResultThatComes {
    config::Schedule dates;
    bool is_of_partners = false;  ///< alone
    bool is_due = false;
  };
  std::map<int, ResultThatComes> results_that_come_;  // by number of the result
  std::vector<InfiniteReceived> infinite_;            // by field; empty: there were none
};

}  // namespace epios::client
