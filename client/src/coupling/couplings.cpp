#include "coupling/couplings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>
#include <variant>

#include "config/data_graph.hpp"
#include "config/error.hpp"
#include "config/fed_schedules.hpp"
#include "config/model.hpp"
#include "coupling/given_grids.hpp"

namespace epios::client {

using config::ElementKind;

/// A record for a partner.
class Couplings::CoupledSink final : public io::Sink {
 public:
  CoupledSink(Couplings& couplings, int sent) : couplings_(couplings), sent_(sent) {}
  void put(std::int64_t record, std::int64_t samples, const io::ArrayValues& values) override {
    couplings_.put(sent_, record, samples, values);
  }

 private:
  Couplings& couplings_;
  int sent_;
};

Couplings::Couplings(const Setup& setup)
    : setup_(setup), name_(fmt::format("{}::{}", setup.code, setup.model.context_id)) {
  const config::Model& model = setup.model;
  for (const config::Coupler& coupler : model.couplers) add_partner(coupler);
  const auto partner_of = [&](const config::CoupledField* field) {
    const auto has = [&](const std::vector<config::CouplerField>& fields) {
      return std::any_of(fields.begin(), fields.end(), [&](const config::CouplerField& one) {
        return &config::field_of(model, one) == field;
      });
    };
    const auto found = std::find_if(
        partners_.begin(), partners_.end(),
        [&](const Partner& partner) { return has(partner.sent) || has(partner.received); });
    return static_cast<int>(found - partners_.begin());
  };
  const auto all_sent = config::coupled_fields(model, ElementKind::coupler_out);
  std::vector<config::Schedule> due_dates;
  if (!all_sent.empty()) due_dates = config::fed_schedules_of_sent(model);
  for (const auto* const field : all_sent) {
    sent_.push_back({field, partner_of(field), due_dates[sent_.size()],
                     std::make_unique<io::CoupledGrid>(model, setup.parts, field->grid)});
  }
  for (const auto* const field : config::coupled_fields(model, ElementKind::coupler_in)) {
    ReceivedField& received = received_.emplace_back(
        ReceivedField{field, partner_of(field), config::receiving_dates(model, *field),
                      std::make_unique<io::CoupledGrid>(model, setup.parts, field->grid),
                      ArrayPlaces(model, setup.parts, field->grid)});
    const std::span<double> values = received.array.values();
    std::fill(values.begin(), values.end(), std::numeric_limits<double>::quiet_NaN());
  }
  reserve_memory();
  if (!leads()) return;
  for (const Partner& partner : partners_) tell_all(partner, io::Letter::Kind::greeting);
}

/// Where there is not enough, who connects says so.
void Couplings::reserve_memory() {
  if (setup_.buffer_bytes <= 0) return;
  for (std::size_t p = 0; p < partners_.size(); ++p) {
    std::size_t bytes = 0;
    for (const ReceivedField& received : received_) {
      if (at(received.partner) != p || received.array.size() == 0) continue;
      bytes += io::received_channel_bytes(static_cast<std::int64_t>(received.array.size()));
    }
    auto taken =
        setup_.job.channel_memory().take(bytes, static_cast<std::size_t>(setup_.buffer_bytes));
    if (taken.share) partners_[p].reserved = std::move(*taken.share);
  }
}

int Couplings::component_of(const io::Job& job, const std::string& code, const std::string& partner,
                            const std::string& where, const std::string& self) {
  const int found = job.find_component(code);
  if (partner == self) {
    throw Error(ErrorCode::configuration,
                fmt::format("{}: context '{}' exchanges fields with itself. Refer to them by "
                            "field_ref instead?",
                            where, self));
  }
  if (found >= 0) return found;
  std::string all;
  for (const std::string& known : job.watch().roster().components) {
    all += fmt::format("{}'{}'", all.empty() ? "" : ", ", known);
  }
  throw Error(ErrorCode::configuration,
              fmt::format("{}: context '{}' exchanges fields with '{}', but no component of this "
                          "job is '{}' (there is {}). Is that model started in the same mpiexec, "
                          "with this code id?",
                          where, self, partner, code, all));
}

void Couplings::give(const io::Letter& question) const {
  give_grids({setup_.job, setup_.clients, setup_.letters, setup_.code, setup_.in_component,
              setup_.model, config::GridsOf::model},
             question);
}

void Couplings::add_partner(const config::Coupler& coupler) {
  const bool is_known =
      std::any_of(partners_.begin(), partners_.end(), [&](const Partner& partner) {
        return partner.code == coupler.partner_code && partner.context == coupler.partner_context;
      });
  if (is_known || coupler.fields.empty()) return;
  Partner partner;
  partner.code = coupler.partner_code;
  partner.context = coupler.partner_context;
  partner.where = coupler.where;
  partner.component = component_of(setup_.job, partner.code, partner.name(), coupler.where, name_);
  partner.sent =
      config::coupler_fields(setup_.model, ElementKind::coupler_out, partner.code, partner.context);
  partner.received =
      config::coupler_fields(setup_.model, ElementKind::coupler_in, partner.code, partner.context);
  for (const auto* const fields : {&partner.sent, &partner.received}) {
    const auto same = std::adjacent_find(
        fields->begin(), fields->end(),
        [&](const config::CouplerField& a, const config::CouplerField& b) {
          return config::field_of(setup_.model, a).id == config::field_of(setup_.model, b).id;
        });
    if (same == fields->end()) continue;
    const config::CoupledField& one = config::field_of(setup_.model, *same);
    const config::CoupledField& other = config::field_of(setup_.model, *std::next(same));
    throw Error(ErrorCode::configuration,
                fmt::format("{}: two couplers of context '{}' with '{}' have a field '{}' (the "
                            "other one is at {}). Give one of them another id?",
                            other.where, name_, partner.name(), one.id, one.where));
  }
  partners_.push_back(std::move(partner));
}

std::unique_ptr<io::Sink> Couplings::sink(int sent) {
  return std::make_unique<CoupledSink>(*this, sent);
}

io::CouplingLink& Couplings::link_of(const std::string& field, int partner) const {
  const Partner& to = partners_[at(partner)];
  if (to.link) return *to.link;
  throw Error(
      ErrorCode::call_order,
      fmt::format("field '{}' is exchanged with '{}', whose definition is not closed. Close "
                  "the definitions of both contexts before the first step?",
                  field, to.name()));
}

void Couplings::put(int sent, std::int64_t record, std::int64_t samples,
                    const io::ArrayValues& values) {
  SentField& field = sent_[at(sent)];
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

void Couplings::tell_missing(config::Instant now, std::span<const std::uint8_t> comes_later) {
  for (std::size_t s = 0; s < sent_.size(); ++s) {
    SentField& sent = sent_[s];
    const bool comes = !comes_later.empty() && comes_later[s] != 0;
    if (comes || sent.number < 0 || sent.is_once()) continue;
    io::CouplingLink* const link = partners_[at(sent.partner)].link.get();
    if (link == nullptr) continue;
    for (; now >= sent.dates.due_date(sent.next); ++sent.next) link->miss(sent.number, sent.next);
  }
}

int Couplings::find(std::string_view id) const {
  const auto found = std::find_if(received_.begin(), received_.end(),
                                  [&](const ReceivedField& one) { return one.field->id == id; });
  return found == received_.end() ? -1 : static_cast<int>(found - received_.begin());
}

const std::string& Couplings::id(int received) const { return received_[at(received)].field->id; }

bool Couplings::SentField::is_once() const {
  return field->sampling.operation == config::Operation::once;
}

bool Couplings::is_due(int received, config::Instant now) const {
  return received_[at(received)].dates.record_at(now) >= 0;
}

std::int64_t Couplings::array_size(int received) const {
  return static_cast<std::int64_t>(received_[at(received)].array.size());
}

bool Couplings::begin_date(config::Instant now, io::Workflow& workflow) {
  bool is_wanted = false;
  for (const ReceivedField& received : received_) {
    if (received.dates.record_at(now) < 0 || received.field->source < 0) continue;
    workflow.expect(received.field->source, now);
  }
  for (const ReceivedField& received : received_) {
    if (received.dates.record_at(now) < 0 || received.field->source < 0) continue;
    is_wanted = is_wanted || workflow.is_active(received.field->source, now);
  }
  return is_wanted;
}

void Couplings::fetch(int index, config::Instant now, io::Workflow& workflow) {
  ReceivedField& received = received_[at(index)];
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

void Couplings::fetch_sources(std::span<const int> sources, config::Instant now,
                              io::Workflow& workflow) {
  for (std::size_t i = 0; i < received_.size(); ++i) {
    if (!std::binary_search(sources.begin(), sources.end(), received_[i].field->source)) continue;
    fetch(static_cast<int>(i), now, workflow);
  }
}

template <class T>
void Couplings::copy(int received, std::span<T> array) const {
  const ReceivedField& from = received_[at(received)];
  const std::optional<double>& value = from.field->attributes.default_value;
  from.array.copy(value, value, array);
}

template void Couplings::copy(int, std::span<double>) const;
template void Couplings::copy(int, std::span<float>) const;

void Couplings::end_date(config::Instant now, io::Workflow& workflow) {
  for (std::size_t i = 0; i < received_.size(); ++i) {
    ReceivedField& received = received_[i];
    const std::int64_t record = received.dates.record_at(now);
    if (record < 0 || received.entered == now) continue;
    const int source = received.field->source;
    if (source >= 0 && workflow.is_active(source, now)) {
      fetch(static_cast<int>(i), now, workflow);
    } else if (!received.dates.is_once() && partners_[at(received.partner)].link) {
      partners_[at(received.partner)].link->drop(received.number, record + received.shift);
    }
  }
  progress();
}

void Couplings::progress() {
  for (const Partner& partner : partners_) {
    if (partner.link) partner.link->progress();
  }
}

bool Couplings::has_all_clients_of(const Couplings& other) const {
  const std::vector<int>& all = setup_.in_component;
  return std::all_of(
      other.setup_.in_component.begin(), other.setup_.in_component.end(),
      [&](int rank) { return std::find(all.begin(), all.end(), rank) != all.end(); });
}

void Couplings::let_go() {
  progress();
  for (Partner& partner : partners_) {
    if (!partner.link || !partner.link->is_over()) continue;
    partner.is_over = true;
    partner.link.reset();
  }
}

void Couplings::end(const std::string& why) {
  for (const Partner& partner : partners_) {
    if (partner.link) partner.link->end(why);
  }
}

void Couplings::wait_for_partners() {
  for (const Partner& partner : partners_) {
    if (!partner.link || partner.link->is_over()) continue;
    const std::string what =
        fmt::format("the end of '{}', which '{}' exchanges fields with", partner.name(), name_);
    io::Waiting waiting(setup_.job.watch());
    // The partner may go on for long, which is no wait in vain: it is told, and never given up.
    waiting.set(setup_.self, what, partner.link->unfinished(), {setup_.patience_s, 0, 0});
    std::size_t told = partner.link->unfinished().size();
    ep::wait_until(setup_.letters.everyone(),
                   {"the end of a context that fields are exchanged with"}, [&] {
                     setup_.poll();  // others may wait for this client meanwhile
                     if (!partner.link || partner.link->is_over()) return true;
                     std::vector<io::Actor> unfinished = partner.link->unfinished();
                     if (std::exchange(told, unfinished.size()) != unfinished.size()) {
                       waiting.set_whom(std::move(unfinished));
                     }
                     return false;
                   });
  }
}

double Couplings::waited_s() const {
  double out = 0;
  for (const Partner& partner : partners_) {
    if (partner.link) out += partner.link->waited_s();
  }
  return out;
}

/// Of fields whose default_value does not say what such points get. Collective over the clients of
/// the context; on the first client.
std::vector<std::string> Couplings::left_out_remarks() const {
  std::vector<std::int64_t> own;
  for (const ReceivedField& received : received_) {
    const Partner& from = partners_[at(received.partner)];
    own.push_back(from.link ? from.link->left_out(received.number) : 0);
  }
  std::vector<std::int64_t> all(own.size());
  if (own.empty()) return {};
  ep::check(EP_Reduce(own.data(), all.data(), ep::message_count(own.size()), MPI_INT64_T, MPI_SUM,
                      0, setup_.clients.get()));
  std::vector<std::string> out;
  for (std::size_t i = 0; leads() && i < all.size(); ++i) {
    const config::CoupledField& field = *received_[i].field;
    if (all[i] == 0 || field.attributes.default_value) continue;
    out.push_back(fmt::format(
        "{}: field '{}': {} {} sent by no client of '{}', and NaN", field.where, field.id, all[i],
        all[i] == 1 ? "point is" : "points are", partners_[at(received_[i].partner)].name()));
  }
  return out;
}

std::vector<std::int64_t> Couplings::dropped() const {
  std::vector<std::int64_t> out;
  for (const SentField& sent : sent_) {
    const Partner& to = partners_[at(sent.partner)];
    out.push_back(to.link && sent.number >= 0 ? to.link->dropped(sent.number) : 0);
  }
  return out;
}

std::vector<std::string> Couplings::remarks(std::span<const std::int64_t> dropped) const {
  std::vector<std::string> out;
  const auto records = [](std::int64_t count) {
    return fmt::format("{} {}", count, count == 1 ? "record was" : "records were");
  };
  for (std::size_t s = 0; s < sent_.size(); ++s) {
    const SentField& sent = sent_[s];
    const std::string to = partners_[at(sent.partner)].name();
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

}  // namespace epios::client
