// The fields that a context exchanges with partners, record by record. What goes to a partner is
// put by the workflow, what comes from one is awaited when the model or the workflow needs it; both
// ends of a link know the dates, so that a record that will not come is reported as missing. In
// this order: connecting, what goes to partners, what comes from them.
#include "coupling/coupled_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>

#include "config/data_graph.hpp"
#include "config/error.hpp"
#include "config/fed_schedules.hpp"
#include "config/index.hpp"
#include "config/model.hpp"
#include "event/agreement.hpp"

namespace epios::client {

using config::ElementKind;

/// A record for a partner.
class CoupledFields::CoupledSink final : public io::Sink {
 public:
  CoupledSink(CoupledFields& fields, int sent) : fields_(fields), sent_(sent) {}
  void put(std::int64_t record, std::int64_t samples, const io::ArrayValues& values) override {
    fields_.put(sent_, record, samples, values);
  }

 private:
  CoupledFields& fields_;
  int sent_;
};

CoupledFields::CoupledFields(const config::Model& model, const io::LocalParts& parts,
                             const std::vector<Partner>& partners)
    : model_(model), partners_(partners) {
  const auto sent = config::coupled_fields(model, ElementKind::coupler_out);
  std::vector<config::Schedule> due_dates;
  if (!sent.empty()) due_dates = config::fed_schedules_of_sent(model);
  for (const auto* const field : sent) {
    sent_.push_back({field, partner_of(*field), due_dates[sent_.size()],
                     std::make_unique<io::CoupledGrid>(model, parts, field->grid)});
  }
  const config::Instant before_start{model.start_of_this_run().ms - 1};
  for (const auto* const field : config::coupled_fields(model, ElementKind::coupler_in)) {
    const config::ReadSchedule dates = config::receiving_dates(model, *field);
    Received& received = received_.emplace_back(
        Received{field, partner_of(*field), dates,
                 std::make_unique<io::CoupledGrid>(model, parts, field->grid),
                 ArrayPlaces(model, parts, field->grid),
                 PassedRecords(dates, dates.latest(before_start) + 1)});
    const std::span<double> values = received.array.values();
    std::fill(values.begin(), values.end(), std::numeric_limits<double>::quiet_NaN());
  }
}

int CoupledFields::partner_of(const config::CoupledField& field) const {
  const auto has = [&](const std::vector<config::CouplerField>& fields) {
    return std::any_of(fields.begin(), fields.end(), [&](const config::CouplerField& one) {
      return &config::field_of(model_, one) == &field;
    });
  };
  const auto found = std::find_if(partners_.begin(), partners_.end(), [&](const Partner& partner) {
    return has(partner.sent) || has(partner.received);
  });
  return static_cast<int>(found - partners_.begin());
}

std::size_t CoupledFields::channel_bytes(std::size_t partner) const {
  std::size_t bytes = 0;
  for (const Received& received : received_) {
    if (std::cmp_not_equal(received.partner, partner) || received.array.size() == 0) continue;
    bytes += io::received_channel_bytes(static_cast<std::int64_t>(received.array.size()));
  }
  return bytes;
}

void CoupledFields::add_to(io::CouplingSide& side, const Partner& partner,
                           const config::Pairing& to, const config::Pairing& from) {
  const auto find_field = [&](auto& fields, const config::CouplerField& wanted) -> auto& {
    return *std::find_if(fields.begin(), fields.end(), [&](const auto& one) {
      return one.field == &config::field_of(model_, wanted);
    });
  };
  for (const config::CoupledPair& pair : to.pairs) {
    Sent& sent = find_field(sent_, nth(partner.sent, pair.sent));
    sent.number = static_cast<int>(side.sent.size());
    sent.next = pair.first;
    const config::Calendar calendar = model_.calendar();
    const config::Instant start = model_.start_date;
    side.sent.push_back({sent.field->id, std::move(sent.grid), pair.first,
                         [calendar, start, dates = sent.dates](std::int64_t record) {
                           return calendar.text(
                               calendar.at_step(start, dates.step_of_record(record)));
                         }});
  }
  for (const config::CoupledPair& pair : from.pairs) {
    Received& received = find_field(received_, nth(partner.received, pair.received));
    received.number = static_cast<int>(side.received.size());
    received.shift = pair.shift;
    const config::Calendar calendar = model_.calendar();
    side.received.push_back({received.field->id, std::move(received.grid), pair.first,
                             [calendar, dates = received.dates, pair](std::int64_t record) {
                               return calendar.text(dates.date_of(record - pair.shift));
                             }});
  }
}

std::unique_ptr<io::Sink> CoupledFields::sink(int sent) {
  return std::make_unique<CoupledSink>(*this, sent);
}

io::CouplingLink& CoupledFields::link_of(const std::string& field, int partner) const {
  const Partner& to = nth(partners_, partner);
  if (to.link) return *to.link;
  throw Error(
      ErrorCode::call_order,
      fmt::format("field '{}' is exchanged with '{}', whose definition is not closed. Close "
                  "the definitions of both contexts before the first step?",
                  field, to.name()));
}

void CoupledFields::put(int sent, std::int64_t record, std::int64_t samples,
                        const io::ArrayValues& values) {
  Sent& field = nth(sent_, sent);
  if (samples < field.dates.samples_of(record)) ++field.short_records;
  io::CouplingLink& link = link_of(field.field->id, field.partner);
  if (field.number < 0) return;
  field.next = std::max(field.next, record + 1);
  io::CoupledValues out;
  out.marker = values.marker;
  if (const auto* const doubles = std::get_if<std::span<const double>>(&values.values)) {
    out.doubles = *doubles;
  } else {
    out.floats = std::get<std::span<const float>>(values.values);
  }
  link.send(field.number, record, out);
}

void CoupledFields::report_missing(config::Instant now, std::span<const std::uint8_t> comes_later) {
  for (std::size_t s = 0; s < sent_.size(); ++s) {
    Sent& sent = sent_[s];
    const bool comes = !comes_later.empty() && comes_later[s] != 0;
    if (comes || sent.number < 0 || sent.is_once()) continue;
    io::CouplingLink* const link = nth(partners_, sent.partner).link.get();
    if (link == nullptr) continue;
    for (; now >= sent.dates.due_date(sent.next); ++sent.next) link->miss(sent.number, sent.next);
  }
}

bool CoupledFields::Sent::is_once() const {
  return field->sampling.operation == config::Operation::once;
}

std::vector<std::int64_t> CoupledFields::dropped() const {
  std::vector<std::int64_t> out;
  for (const Sent& sent : sent_) {
    const Partner& to = nth(partners_, sent.partner);
    out.push_back(to.link && sent.number >= 0 ? to.link->dropped(sent.number) : 0);
  }
  return out;
}

std::vector<std::string> CoupledFields::remarks(std::span<const std::int64_t> dropped) const {
  std::vector<std::string> out;
  const auto records = [](std::int64_t count) {
    return fmt::format("{} {}", count, count == 1 ? "record was" : "records were");
  };
  for (std::size_t s = 0; s < sent_.size(); ++s) {
    const Sent& sent = sent_[s];
    const std::string to = nth(partners_, sent.partner).name();
    if (sent.short_records > 0 && sent.number >= 0) {
      out.push_back(
          fmt::format("field '{}': {} made for '{}' of fewer samples than {} period has. "
                      "Does the model send it at each of its dates?",
                      sent.field->id, records(sent.short_records), to,
                      sent.short_records == 1 ? "its" : "their"));
    }
    if (s >= dropped.size() || dropped[s] == 0) continue;
    out.push_back(fmt::format("field '{}': {} not received by '{}' (it had ended)", sent.field->id,
                              records(dropped[s]), to));
  }
  return out;
}

const std::string& CoupledFields::id(int received) const {
  return nth(received_, received).field->id;
}

bool CoupledFields::is_due(int received, config::Instant now) const {
  return nth(received_, received).dates.record_at(now) >= 0;
}

std::int64_t CoupledFields::array_size(int received) const {
  return static_cast<std::int64_t>(nth(received_, received).array.size());
}

void CoupledFields::look_for_passed(config::Instant now, const io::Workflow& workflow) {
  for (Received& received : received_) {
    if (received.field->source < 0) continue;
    const auto lost = received.passed.come_to(now, workflow, received.field->source).lost;
    if (!lost) continue;
    warnings_.push_back(
        passed_text(model_.calendar(),
                    fmt::format("context '{}': field '{}' from '{}'", model_.context_id,
                                received.field->id, nth(partners_, received.partner).name()),
                    *lost, before_.value_or(model_.start_date), now, "the field", "freq_op"));
  }
  before_ = now;
}

bool CoupledFields::begin_date(config::Instant now, io::Workflow& workflow) {
  look_for_passed(now, workflow);
  bool is_wanted = false;
  for (const Received& received : received_) {
    if (received.dates.record_at(now) < 0 || received.field->source < 0) continue;
    workflow.expect(received.field->source, now);
  }
  for (const Received& received : received_) {
    if (received.dates.record_at(now) < 0 || received.field->source < 0) continue;
    is_wanted = is_wanted || workflow.is_active(received.field->source, now);
  }
  return is_wanted;
}

void CoupledFields::fetch(int index, config::Instant now, io::Workflow& workflow) {
  Received& received = nth(received_, index);
  const std::int64_t record = received.dates.record_at(now);
  if (record < 0 || received.entered == now) return;
  if (received.record != record) {
    io::CouplingLink& link = link_of(received.field->id, received.partner);
    link.receive(received.number, record + received.shift, received.array.values());
    received.record = record;
  }
  received.entered = now;
  const int source = received.field->source;
  if (source >= 0 && workflow.is_active(source, now)) {
    workflow.provide(source, now, received.array.values());
  }
}

void CoupledFields::fetch_sources(std::span<const config::SourceId> sources, config::Instant now,
                                  io::Workflow& workflow) {
  for (std::size_t i = 0; i < received_.size(); ++i) {
    if (!std::binary_search(sources.begin(), sources.end(), received_[i].field->source)) continue;
    fetch(static_cast<int>(i), now, workflow);
  }
}

template <class T>
void CoupledFields::copy(int received, std::span<T> array) const {
  const Received& from = nth(received_, received);
  const std::optional<double>& value = from.field->attributes.default_value;
  from.array.copy(value, value, array);
}

template void CoupledFields::copy(int, std::span<double>) const;
template void CoupledFields::copy(int, std::span<float>) const;

void CoupledFields::end_date(config::Instant now, io::Workflow& workflow) {
  for (std::size_t i = 0; i < received_.size(); ++i) {
    Received& received = received_[i];
    const std::int64_t record = received.dates.record_at(now);
    if (record < 0 || received.entered == now) continue;
    const int source = received.field->source;
    if (source >= 0 && workflow.is_active(source, now)) {
      fetch(static_cast<int>(i), now, workflow);
    } else if (!received.dates.is_once() && nth(partners_, received.partner).link) {
      nth(partners_, received.partner).link->drop(received.number, record + received.shift);
    }
  }
}

std::vector<std::string> CoupledFields::left_out_remarks(const ep::Comm& clients) const {
  std::vector<std::int64_t> own;
  for (const Received& received : received_) {
    const Partner& from = nth(partners_, received.partner);
    own.push_back(from.link ? from.link->left_out(received.number) : 0);
  }
  std::vector<std::int64_t> all(own.size());
  if (own.empty()) return {};
  ep::check(EP_Reduce(own.data(), all.data(), ep::message_count(own.size()), MPI_INT64_T, MPI_SUM,
                      0, clients.get()));
  std::vector<std::string> out;
  for (std::size_t i = 0; clients.rank() == 0 && i < all.size(); ++i) {
    const config::CoupledField& field = *received_[i].field;
    if (all[i] == 0 || field.attributes.default_value) continue;
    out.push_back(fmt::format(
        "{}: field '{}': {} {} sent by no client of '{}', and NaN", field.where, field.id, all[i],
        all[i] == 1 ? "point is" : "points are", nth(partners_, received_[i].partner).name()));
  }
  return out;
}

}  // namespace epios::client
