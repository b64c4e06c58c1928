#pragma once

#include <cstddef>
#include <cstdint>
#include <ep/fwd.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "config/index.hpp"
#include "config/model_fwd.hpp"
#include "config/temporal.hpp"
#include "coupling/link.hpp"
#include "coupling/partner.hpp"
#include "data/array_places.hpp"
#include "data/passed_records.hpp"
#include "workflow/workflow.hpp"

namespace epios::client {

/// The fields that a context on one client exchanges with its partners: which records leave through
/// the links to them, and which are awaited. Couplings make the links.
class CoupledFields {
 public:
  /// All outlive this, but for `parts`.
  CoupledFields(const config::Model& model, const io::LocalParts& parts,
                const std::vector<Partner>& partners);

  /// Fills in what `side`, the link to a partner, sends and receives, as both contexts have agreed.
  /// Once per partner.
  void add_to(io::CouplingSide& side, const Partner& partner, const config::Pairing& to,
              const config::Pairing& from);
  /// Returns the bytes of channels that fields of a partner come through.
  std::size_t channel_bytes(std::size_t partner) const;

  // What goes to partners, by number among config::coupled_fields() of coupler_out.

  /// Takes what goes to a partner.
  std::unique_ptr<io::Sink> sink(int sent);
  /// The date is over: partners hear of records that were due by it and have not left, of fields
  /// for which `comes_later` is not 1; empty: of all.
  void report_missing(config::Instant now, std::span<const std::uint8_t> comes_later);
  /// Returns the records that came after the partner's end, per field, on this client.
  std::vector<std::int64_t> dropped() const;
  /// Returns what was sent and not wanted any more, a line per field. `dropped`: as dropped(), of
  /// the client with most.
  std::vector<std::string> remarks(std::span<const std::int64_t> dropped) const;

  // What comes from partners, by number among config::coupled_fields() of coupler_in.

  int received() const { return static_cast<int>(received_.size()); }
  const config::CoupledField& field(int received) const { return *nth(received_, received).field; }
  const std::string& id(int received) const;
  const config::ReadSchedule& dates(int received) const { return nth(received_, received).dates; }
  bool is_due(int received, config::Instant now) const;
  std::int64_t array_size(int received) const;
  /// A date has come: the workflow is told what will come at it. Returns true if any of it is
  /// wanted.
  bool begin_date(config::Instant now, io::Workflow& workflow);
  /// Returns what the calendar went past although the workflow wanted it, since the last call: a
  /// line for each field, once. The same on all clients.
  std::vector<std::string> take_warnings() { return std::exchange(warnings_, {}); }
  /// Waits for the record of the date, which enters the workflow. Nothing when it is here.
  void fetch(int received, config::Instant now, io::Workflow& workflow);
  /// The same for all that come from `sources`, ascending, at the date.
  void fetch_sources(std::span<const config::SourceId> sources, config::Instant now,
                     io::Workflow& workflow);
  /// Copies the values of the record that has been fetched.
  template <class T>
  void copy(int received, std::span<T> array) const;
  /// The date is over: what the workflow wants and the model has not received is waited for.
  void end_date(config::Instant now, io::Workflow& workflow);
  /// Returns lines on points that no client of a partner sends, of fields whose default_value does
  /// not say what such points get; on the first client. Collective.
  std::vector<std::string> left_out_remarks(const ep::Comm& clients) const;

 private:
  struct Sent {
    const config::CoupledField* field = nullptr;
    int partner = 0;
    config::Schedule dates;
    std::unique_ptr<io::CoupledGrid> grid;  // until it is connected
    int number = -1;                        // in the link; -1: nobody receives it
    std::int64_t next = 0;                  // record that has not left
    std::int64_t short_records = 0;         // made of fewer samples than there should be
    bool is_once() const;
  };
  struct Received {
    const config::CoupledField* field = nullptr;
    int partner = 0;
    config::ReadSchedule dates;
    std::unique_ptr<io::CoupledGrid> grid;  // until it is connected
    ArrayPlaces array;
    PassedRecords passed;
    int number = -1;
    std::int64_t shift = 0;
    std::int64_t record = -1;                  // that the array holds
    std::optional<config::Instant> entered{};  // when it has entered the workflow
  };
  class CoupledSink;

  void look_for_passed(config::Instant now, const io::Workflow& workflow);
  int partner_of(const config::CoupledField& field) const;
  io::CouplingLink& link_of(const std::string& field, int partner) const;
  void put(int sent, std::int64_t record, std::int64_t samples, const io::ArrayValues& values);

  const config::Model& model_;
  const std::vector<Partner>& partners_;
  std::vector<Sent> sent_;
  std::vector<Received> received_;
  std::optional<config::Instant> before_;  // the date before
  std::vector<std::string> warnings_;
};

}  // namespace epios::client
