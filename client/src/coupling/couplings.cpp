#include "coupling/couplings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "config/error.hpp"
#include "config/model.hpp"
#include "coupling/given_grids.hpp"

namespace epios::client {

using config::ElementKind;

Couplings::Couplings(const Setup& setup)
    : setup_(setup),
      name_(fmt::format("{}::{}", setup.code, setup.model.context_id)),
      partners_(find_partners()),
      fields_(setup.model, setup.parts, partners_) {
  reserve_memory();
  if (!leads()) return;
  for (const Partner& partner : partners_) send_to_all(partner, io::HandshakeMessage::Kind::hello);
}

/// Where there is not enough, who connects says so.
void Couplings::reserve_memory() {
  if (setup_.buffer_bytes <= 0) return;
  for (std::size_t p = 0; p < partners_.size(); ++p) {
    auto taken = setup_.job.channel_memory().take(fields_.channel_bytes(p),
                                                  static_cast<std::size_t>(setup_.buffer_bytes));
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
  for (const std::string& known : job.watch().process_table().components) {
    all += fmt::format("{}'{}'", all.empty() ? "" : ", ", known);
  }
  throw Error(ErrorCode::configuration,
              fmt::format("{}: context '{}' exchanges fields with '{}', but no component of this "
                          "job is '{}' (there is {}). Is that model started in the same mpiexec, "
                          "with this code id?",
                          where, self, partner, code, all));
}

void Couplings::give(const io::HandshakeMessage& question) const {
  give_grids({setup_.job, setup_.clients, setup_.handshake, setup_.code, setup_.in_component,
              setup_.model, config::GridsOf::model},
             question);
}

std::vector<Partner> Couplings::find_partners() const {
  std::vector<Partner> out;
  for (const config::Coupler& coupler : setup_.model.couplers) {
    const bool is_known = std::any_of(out.begin(), out.end(), [&](const Partner& partner) {
      return partner.code == coupler.partner_code && partner.context == coupler.partner_context;
    });
    if (!is_known && !coupler.fields.empty()) out.push_back(partner_of(coupler));
  }
  return out;
}

Partner Couplings::partner_of(const config::Coupler& coupler) const {
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
  return partner;
}

bool Couplings::are_all_linked() const {
  return std::all_of(partners_.begin(), partners_.end(),
                     [](const Partner& partner) { return partner.link != nullptr; });
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
    ep::wait_until(setup_.handshake.everyone(),
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

}  // namespace epios::client
