// What the first client of a context writes to others before they are connected.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "config/error.hpp"
#include "config/model.hpp"
#include "coupling/couplings.hpp"

namespace epios::client {

using Kind = io::HandshakeMessage::Kind;

namespace {

/// Of an opening of a context: its rank in the component (ClientState::next_opening).
std::uint64_t first_client_of(std::uint64_t opening) { return opening >> 32U; }

}  // namespace

io::HandshakeMessage Couplings::message_to(const Partner& partner, Kind kind) const {
  io::HandshakeMessage out;
  out.kind = kind;
  out.from_code = setup_.code;
  out.from_context = setup_.model.context_id;
  out.from_opening = setup_.opening;
  out.to_code = partner.code;
  out.to_context = partner.context;
  out.to_opening = partner.opening;
  return out;
}

bool Couplings::is_from(const Partner& partner, const io::HandshakeMessage& message) const {
  return message.from_code == partner.code && message.from_context == partner.context &&
         message.to_code == setup_.code && message.to_context == setup_.model.context_id;
}

/// One that has come, and is for this opening of the context. A refusal may be somebody's who is
/// asked in vain, anything else but a hello is the counterpart's.
std::optional<io::HandshakeMessage> Couplings::take_message(const Partner& partner,
                                                            Kind kind) const {
  return setup_.handshake.take([&](const io::HandshakeMessage& message) {
    if (message.kind != kind || !is_from(partner, message)) return false;
    if (kind == Kind::hello) return true;
    return message.to_opening == setup_.opening &&
           (kind == Kind::refusal || message.from_opening == partner.opening);
  });
}

/// Contexts of one id on other clients than the counterpart's.
void Couplings::refuse_twins(Partner& partner) const {
  const auto twin = setup_.handshake.take([&](const io::HandshakeMessage& message) {
    return message.kind == Kind::hello && is_from(partner, message) &&
           message.rank != partner.counterpart;
  });
  if (!twin) return;
  const std::string why = fmt::format(
      "component '{}' has two contexts '{}', whose first clients are {} and {} there. Give them "
      "different ids?",
      partner.code, partner.context, first_client_of(partner.opening),
      first_client_of(twin->from_opening));
  partner.error.emplace(ErrorCode::configuration,
                        fmt::format("{}: context '{}' exchanges fields with '{}', but {}",
                                    partner.where, name_, partner.name(), why));
  setup_.handshake.send(io::refusal_of(*twin, why, true), twin->rank);
}

void Couplings::send_to_all(const Partner& partner, Kind kind, const std::string& text) const {
  io::HandshakeMessage message = message_to(partner, kind);
  message.text = text;
  const int clients = setup_.job.clients_in(partner.component);
  for (int rank = 0; rank < clients; ++rank) {
    const io::Actor client = io::Actor::client_in(partner.component, rank);
    setup_.handshake.send(message, setup_.job.rank_among_everyone(client));
  }
}

/// Nobody who has been sent a hello, and opens a context later, shall take this one for it.
void Couplings::cancel_hellos(const std::string& why) const {
  for (const Partner& partner : partners_) send_to_all(partner, Kind::cancel, why);
}

Partner* Couplings::find_partner(const std::string& code, const std::string& context) {
  const auto found = std::find_if(partners_.begin(), partners_.end(), [&](const Partner& one) {
    return one.code == code && one.context == context;
  });
  return found == partners_.end() ? nullptr : &*found;
}

const Partner* Couplings::find_partner(const std::string& code, const std::string& context) const {
  return const_cast<Couplings*>(this)->find_partner(code, context);
}

bool Couplings::knows(const std::string& code, const std::string& context) const {
  return find_partner(code, context) != nullptr;
}

bool Couplings::has_met(const io::HandshakeMessage& hello) const {
  const Partner* const partner = find_partner(hello.from_code, hello.from_context);
  return partner != nullptr && (partner->link || partner->is_over) &&
         partner->opening == hello.from_opening;
}

std::string Couplings::refusal_text(const io::HandshakeMessage& hello) const {
  const Partner* const partner = find_partner(hello.from_code, hello.from_context);
  if (partner == nullptr) return io::not_coupled_text(hello);
  if (!partner->link || partner->opening == hello.from_opening) return {};
  if (partner->link->is_over())
    return {};  // opened again: this one may end, and be opened again, too
  if (first_client_of(partner->opening) != first_client_of(hello.from_opening)) {
    return fmt::format(
        "that one exchanges fields with another context '{}', whose first client is {} of '{}'. "
        "Give contexts on different clients different ids?",
        partner->name(), first_client_of(partner->opening), partner->code);
  }
  return fmt::format("that one exchanges fields with an earlier context '{}', and is still open",
                     partner->name());
}

Error Couplings::overlap_error(const std::string& where, const std::string& self,
                               const std::string& partner) {
  return Error(
      ErrorCode::configuration,
      fmt::format("{}: contexts '{}' and '{}' exchange fields, and some of their clients are "
                  "the same, others not. Open both on the same clients, or on different "
                  "ones?",
                  where, self, partner));
}

Error Couplings::nobody_error(const std::string& where, const std::string& self,
                              const std::string& code, const std::string& partner) {
  return Error(ErrorCode::configuration,
               fmt::format("{}: context '{}' waits for '{}' in vain (no client of '{}' that could "
                           "open it is left). Open both before the definition of one is closed, "
                           "or is its id another one?",
                           where, self, partner, code));
}

bool Couplings::is_on(std::vector<int> in_component) const {
  std::vector<int> own = setup_.in_component;
  std::sort(own.begin(), own.end());
  std::sort(in_component.begin(), in_component.end());
  return own == in_component;
}

std::string Couplings::waits_at(const std::string& context) const {
  const Partner* const partner = find_partner(setup_.code, context);
  return partner == nullptr || partner->link ? std::string() : partner->where;
}

/// Somebody says that the partner will not come: its first client, or all who might have it.
void Couplings::take_refusals(Partner& partner) const {
  const auto cancelled = setup_.handshake.take([&](const io::HandshakeMessage& message) {
    const bool is_of_another = partner.counterpart >= 0 && partner.opening != message.from_opening;
    return message.kind == Kind::cancel && is_from(partner, message) && !is_of_another;
  });
  if (cancelled && !partner.error) {
    partner.error.emplace(ErrorCode::configuration,
                          fmt::format("{}: context '{}' waits for '{}' in vain ({})", partner.where,
                                      name_, partner.name(), cancelled->text));
  }
  while (const auto message = take_message(partner, Kind::refusal)) {
    ++partner.refusals;
    const int others = setup_.job.clients_in(partner.component) - partner.shared_clients;
    const bool is_last = message->is_final || partner.refusals >= others;
    if (!is_last || partner.error) continue;
    partner.error.emplace(ErrorCode::configuration,
                          fmt::format("{}: context '{}' waits for '{}' in vain ({})", partner.where,
                                      name_, partner.name(), message->text));
  }
  if (!partner.error && setup_.handshake.has_ended(partner.code)) {
    partner.error.emplace(ErrorCode::configuration,
                          fmt::format("{}: context '{}' waits for '{}' in vain ({})", partner.where,
                                      name_, partner.name(), io::ended_text(partner.code)));
  }
}

/// Contexts that this one does not know would wait for it for ever.
void Couplings::refuse_unmatched() const {
  const auto is_unmatched = [&](const io::HandshakeMessage& message) {
    return message.asks() && message.to_context == setup_.model.context_id &&
           !refusal_text(message).empty();
  };
  while (const auto message = setup_.handshake.take(is_unmatched)) {
    setup_.handshake.send(io::refusal_of(*message, refusal_text(*message), true), message->rank);
  }
}

/// Nobody will connect any more.
void Couplings::refuse_open(const std::string& why) const {
  const std::string text = fmt::format("that one could not be opened: {}", why);
  cancel_hellos(text);  // also for those that come to their definitions later
  for (const Partner& partner : partners_) {
    if (partner.link || partner.is_local) continue;
    if (partner.counterpart >= 0) {
      io::HandshakeMessage message = message_to(partner, Kind::refusal);
      message.text = text;
      message.is_final = true;
      setup_.handshake.send(message, partner.counterpart);
    }
    const auto is_asking = [&](const io::HandshakeMessage& message) {
      return message.asks() && is_from(partner, message);
    };
    while (const auto message = setup_.handshake.take(is_asking)) {
      setup_.handshake.send(io::refusal_of(*message, text, true), message->rank);
    }
  }
}

/// All that does not fit, in an order that both sides have.
void Couplings::check_pair(Partner& partner) const {
  const config::CoupledContext own = own_facts(partner);
  const bool is_first = name_ < partner.name();
  const config::CoupledContext& first = is_first ? own : *partner.facts;
  const config::CoupledContext& second = is_first ? *partner.facts : own;
  std::string text;
  const auto check = [&](const config::CoupledContext& from, const config::CoupledContext& to) {
    try {
      config::pair_fields(from, to);
    } catch (const Error& error) {
      if (!text.empty()) text += '\n';
      text += error.what();
    }
  };
  check(first, second);
  // Calendars that differ are told once.
  if (text.empty() || first.calendar_type == second.calendar_type) check(second, first);
  if (!text.empty()) partner.error.emplace(ErrorCode::configuration, text);
}

void Couplings::answer(Partner& partner, const io::HandshakeMessage& hello) const {
  partner.counterpart = hello.rank;
  partner.opening = hello.from_opening;
  partner.facts.reset();
  partner.is_proposed = false;
  io::HandshakeMessage message = message_to(partner, Kind::facts);
  message.facts = config::encode(own_facts(partner));
  setup_.handshake.send(message, partner.counterpart);
}

void Couplings::take_newer_hello(Partner& partner) const {
  const auto newer = setup_.handshake.take([&](const io::HandshakeMessage& message) {
    return message.kind == Kind::hello && is_from(partner, message) &&
           message.rank == partner.counterpart && message.from_opening > partner.opening;
  });
  if (newer) answer(partner, *newer);
}

/// On the first client: as far as messages have come. Facts come before what a partner refuses for
/// them.
void Couplings::exchange_messages(Partner& partner) {
  if (partner.counterpart < 0 && !partner.error) {
    if (const auto hello = take_message(partner, Kind::hello)) answer(partner, *hello);
  }
  take_refusals(partner);
  // The counterpart has given up, and been opened again.
  if (partner.counterpart >= 0 && !partner.error) take_newer_hello(partner);
  if (partner.counterpart >= 0 && !partner.error) refuse_twins(partner);
  if (partner.counterpart >= 0 && !partner.facts) {
    if (const auto message = take_message(partner, Kind::facts)) {
      partner.facts = config::decode_coupled_context(message->facts);
      check_pair(partner);
    }
  }
  take_refusals(partner);
}

}  // namespace epios::client
