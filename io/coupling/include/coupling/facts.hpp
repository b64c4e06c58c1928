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
#include "config/model.hpp"
#include "grid/box.hpp"

namespace epios::io {

/// A field that is sent, or received, and the grid that it is on.
struct CoupledFieldFacts {
  std::string id;
  std::string where;        ///< file:line:column
  config::Duration period;  ///< one record comes of each, counted from the start
  std::string period_text;  ///< as the model has it
  bool is_once = false;     ///< there is one record
  std::int64_t first = 0;   ///< the first record that is sent, or wanted, in this run
  std::string grid;         ///< its id
  /// Of its elements in model order, scalars left out, each with its io::element_shape().
  std::vector<Extents> shapes;
};

/// One of two contexts that exchange fields, as the other one knows it.
struct CoupledContext {
  std::string code, context;
  config::CalendarType calendar_type = config::CalendarType::gregorian;
  config::UserCalendar user_calendar;
  config::Instant start;                          ///< that periods are counted from
  std::vector<int> clients;                       ///< their ranks in the component
  std::vector<CoupledFieldFacts> sent, received;  ///< to the other one, and from it; by id
  /// "ocean::ocean"
  std::string name() const { return code + "::" + context; }
};

/// What a model exchanges with one context of a component. Lists as couplers_with() has them.
CoupledContext facts_of(const config::Model& model, const std::string& code,
                        const std::string& partner_code, const std::string& partner_context);

/// A field of a coupler of the model: which coupler, which of its fields.
struct CouplerField {
  int coupler = 0;
  int field = 0;
};
/// Those that go to a partner, or come from it, by id.
std::vector<CouplerField> coupler_fields(const config::Model& model, config::ElementKind kind,
                                         const std::string& partner_code,
                                         const std::string& partner_context);
/// The same of a model.
inline const config::CoupledField& field_of(const config::Model& model, const CouplerField& field) {
  return model.couplers[static_cast<std::size_t>(field.coupler)]
      .fields[static_cast<std::size_t>(field.field)];
}

/// The dates at which what comes from a partner is received.
config::ReadSchedule receiving_dates(const config::Model& model, const config::CoupledField& field);

/// A field that goes from one context to the other.
struct CoupledPair {
  int sent = 0;            ///< into CoupledContext::sent of that
  int received = 0;        ///< into CoupledContext::received of this
  std::int64_t shift = 0;  ///< record k of the receiver is record k + shift of the sender
  std::int64_t first = 0;  ///< of the sender's, the first that is exchanged
};

struct Pairing {
  std::vector<CoupledPair> pairs;
  std::vector<std::string> remarks;  ///< what is sent and nobody receives
};
/// What goes from `from` to `to`. The same on both sides. Throws Error{configuration} with all that
/// does not fit: fields that nobody sends, other grids, other calendars, dates that never meet.
Pairing pair_fields(const CoupledContext& from, const CoupledContext& to);

std::vector<std::byte> encode(const CoupledContext& context);
/// Throws Error{protocol} for bytes that encode() did not make.
CoupledContext decode_coupled_context(std::span<const std::byte> bytes);

}  // namespace epios::io
