/// @file
/// What contexts that exchange fields tell each other, and what follows from it: which fields go
/// from where to where, and which record of one context matches which record of the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "config/calendar.hpp"
#include "config/element_kind.hpp"
#include "config/model_fwd.hpp"
#include "config/model_ids.hpp"
#include "config/temporal.hpp"

namespace epios::config {

/// A field that is sent or received, and its grid.
struct CoupledFieldFacts {
  std::string id;
  std::string where;        ///< file:line:column
  Duration period;          ///< time between records, counted from the start
  std::string period_text;  ///< the period as the model writes it
  bool is_once = false;     ///< true if there is one record only
  std::int64_t first = 0;   ///< first record that is sent, or wanted, in this run
  std::string grid;         ///< id of the grid; empty if it is the grid of the partner
  /// Extents of the elements of the grid in model order, without scalars, slowest dimension first.
  /// 0 means not known yet, which matches any extent. A domain without type has no extents.
  std::vector<std::vector<std::int64_t>> shapes;
  /// Order of the cells of each of these elements, "nested" or "ring"; "" if it is not of HEALPix.
  std::vector<std::string> orders;
};

/// One of two contexts that exchange fields, as the other one knows it.
struct CoupledContext {
  std::string code, context;
  CalendarType calendar_type = CalendarType::gregorian;
  UserCalendar user_calendar;
  Instant start;             ///< date from which periods are counted
  bool knows_step = true;    ///< false while the time step is not settled; not part of the bytes,
                             ///< which runs exchange
  bool knows_start = true;   ///< false while the start is not settled; likewise
  std::vector<int> clients;  ///< their ranks in the component
  std::vector<CoupledFieldFacts> sent,
      received;  ///< fields sent to the other context and received from it, sorted by id
  /// Returns "ocean::ocean".
  std::string name() const { return code + "::" + context; }
};

/// Returns what a model exchanges with one context of a component. The configuration must be
/// complete except for sizes and the time step, and, unless `knows_start`, the start of the
/// calendar.
CoupledContext facts_of(const Model& model, const std::string& code,
                        const std::string& partner_code, const std::string& partner_context,
                        bool knows_start = true);

/// A field of a coupler: number of the coupler, and of the field in it.
struct CouplerField {
  CouplerId coupler{0};
  int field = 0;
};
/// Returns the fields that go to a partner or come from it, sorted by id.
std::vector<CouplerField> coupler_fields(const Model& model, ElementKind kind,
                                         const std::string& partner_code,
                                         const std::string& partner_context);
/// Returns the field of the model.
const CoupledField& field_of(const Model& model, const CouplerField& field);

/// Returns the dates at which a field is received from a partner.
ReadSchedule receiving_dates(const Model& model, const CoupledField& field);

/// A field that goes from one context to the other.
struct CoupledPair {
  int sent = 0;            ///< index into CoupledContext::sent of the sender
  int received = 0;        ///< index into CoupledContext::received of the receiver
  std::int64_t shift = 0;  ///< record k of the receiver is record k + shift of the sender
  std::int64_t first = 0;  ///< first record that is exchanged, in the numbering of the sender
};

/// A mistake in a field of one of two contexts, or a doubt about it.
struct CouplingProblem {
  std::string where;  ///< place of the field; empty if all fields are concerned
  std::string problem, why, suggestion;
  /// Returns "problem (why). Suggestion?".
  std::string text() const;
};
struct Pairing {
  std::vector<CoupledPair> pairs;
  std::vector<CouplingProblem> remarks;  ///< fields that are sent and that nobody receives
  /// Mismatches: fields that nobody sends, different grids or calendars, dates that never coincide.
  std::vector<CouplingProblem> problems;
};
/// Finds the fields that go from `from` to `to`, and the mismatches. Both sides get the same
/// result. What is not known yet is not judged.
Pairing compare_fields(const CoupledContext& from, const CoupledContext& to);
/// Like compare_fields(), but throws Error{configuration} with all mismatches.
Pairing pair_fields(const CoupledContext& from, const CoupledContext& to);

std::vector<std::byte> encode(const CoupledContext& context);
/// Throws Error{protocol} for bytes that encode() did not make.
CoupledContext decode_coupled_context(std::span<const std::byte> bytes);

}  // namespace epios::config
