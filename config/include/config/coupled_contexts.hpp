/// @file
/// What contexts that exchange fields tell each other, and what they make of it: which fields go
/// from where to where, and which record of one is which of the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "config/calendar.hpp"
#include "config/element_kind.hpp"
#include "config/model_fwd.hpp"
#include "config/temporal.hpp"

namespace epios::config {

/// A field that is sent, or received, and the grid that it is on.
struct CoupledFieldFacts {
  std::string id;
  std::string where;        ///< file:line:column
  Duration period;          ///< one record comes of each, counted from the start
  std::string period_text;  ///< as the model has it
  bool is_once = false;     ///< there is one record
  std::int64_t first = 0;   ///< the first record that is sent, or wanted, in this run
  std::string grid;         ///< its id; empty: that of the partner
  /// Of its elements in model order, scalars left out: extents, slowest first. 0: not known yet,
  /// which fits any; a domain without type is known by none.
  std::vector<std::vector<std::int64_t>> shapes;
};

/// One of two contexts that exchange fields, as the other one knows it.
struct CoupledContext {
  std::string code, context;
  CalendarType calendar_type = CalendarType::gregorian;
  UserCalendar user_calendar;
  Instant start;             ///< that periods are counted from
  bool knows_step = true;    ///< the time step is settled; not in the bytes, which runs exchange
  bool knows_start = true;   ///< and the start, too
  std::vector<int> clients;  ///< their ranks in the component
  std::vector<CoupledFieldFacts> sent, received;  ///< to the other one, and from it; by id
  /// "ocean::ocean"
  std::string name() const { return code + "::" + context; }
};

/// What a model exchanges with one context of a component, of a configuration that is complete but
/// for sizes and the time step; `knows_start`: not for the start of the calendar.
CoupledContext facts_of(const Model& model, const std::string& code,
                        const std::string& partner_code, const std::string& partner_context,
                        bool knows_start = true);

/// A field of a coupler of the model: which coupler, which of its fields.
struct CouplerField {
  int coupler = 0;
  int field = 0;
};
/// Those that go to a partner, or come from it, by id.
std::vector<CouplerField> coupler_fields(const Model& model, ElementKind kind,
                                         const std::string& partner_code,
                                         const std::string& partner_context);
/// The same of a model.
const CoupledField& field_of(const Model& model, const CouplerField& field);

/// The dates at which what comes from a partner is received.
ReadSchedule receiving_dates(const Model& model, const CoupledField& field);

/// A field that goes from one context to the other.
struct CoupledPair {
  int sent = 0;            ///< into CoupledContext::sent of that
  int received = 0;        ///< into CoupledContext::received of this
  std::int64_t shift = 0;  ///< record k of the receiver is record k + shift of the sender
  std::int64_t first = 0;  ///< of the sender's, the first that is exchanged
};

/// What is wrong with a field of one of two contexts, or doubtful.
struct CouplingProblem {
  std::string where;  ///< of the field; empty: all of them
  std::string problem, why, suggestion;
  /// "problem (why). Suggestion?"
  std::string text() const;
};
struct Pairing {
  std::vector<CoupledPair> pairs;
  std::vector<CouplingProblem> remarks;  ///< what is sent and nobody receives
  /// What does not fit: fields that nobody sends, other grids, other calendars, dates that never
  /// meet.
  std::vector<CouplingProblem> problems;
};
/// What goes from `from` to `to`, and what does not fit. The same on both sides. What is not known
/// yet is not judged.
Pairing compare_fields(const CoupledContext& from, const CoupledContext& to);
/// As compare_fields(). Throws Error{configuration} with all that does not fit.
Pairing pair_fields(const CoupledContext& from, const CoupledContext& to);

std::vector<std::byte> encode(const CoupledContext& context);
/// Throws Error{protocol} for bytes that encode() did not make.
CoupledContext decode_coupled_context(std::span<const std::byte> bytes);

}  // namespace epios::config
