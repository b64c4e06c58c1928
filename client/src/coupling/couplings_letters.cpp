// What the first client of a context writes to others before they are connected.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "config/error.hpp"
#include "config/model.hpp"
#include "coupling/couplings.hpp"

namespace epios::client {

using Kind = io::Letter::Kind;

namespace {

/// Of an opening of a context: its rank in the component (ClientState::next_opening).
std::uint64_t first_client_of(std::uint64_t opening) { return opening >> 32U; }

}  // namespace

io::Letter Couplings::letter_to(const Partner& partner, Kind kind) const {
  io::Letter out;
  out.kind = kind;
  out.from_code = setup_.code;
  out.from_context = setup_.model.context_id;
  out.from_opening = setup_.opening;
  out.to_code = partner.code;
  out.to_context = partner.context;
  out.to_opening = partner.opening;
  return out;
}

bool Couplings::is_from(const Partner& partner, const io::Letter& letter) const {
  return letter.from_code == partner.code && letter.from_context == partner.context &&
         letter.to_code == setup_.code && letter.to_context == setup_.model.context_id;
}

/// One that has come, and is for this opening of the context. A refusal may be somebody's who is
/// asked in vain, anything else but a greeting is the counterpart's.
std::optional<io::Letter> Couplings::take_letter(const Partner& partner, Kind kind) const {
  return setup_.letters.take([&](const io::Letter& letter) {
    if (letter.kind != kind || !is_from(partner, letter)) return false;
    if (kind == Kind::greeting) return true;
    return letter.to_opening == setup_.opening &&
           (kind == Kind::refusal || letter.from_opening == partner.opening);
  });
}

/// Contexts of one id on other clients than the counterpart's.
void Couplings::refuse_twins(Partner& partner) const {
  const auto twin = setup_.letters.take([&](const io::Letter& letter) {
    return letter.kind == Kind::greeting && is_from(partner, letter) &&
           letter.rank != partner.counterpart;
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
  setup_.letters.send(io::refusal_of(*twin, why, true), twin->rank);
}

void Couplings::tell_all(const Partner& partner, Kind kind, const std::string& text) const {
  io::Letter letter = letter_to(partner, kind);
  letter.text = text;
  const int clients = setup_.job.clients_in(partner.component);
  for (int rank = 0; rank < clients; ++rank) {
    const io::Actor client = io::Job::client_in(partner.component, rank);
    setup_.letters.send(letter, setup_.job.rank_among_everyone(client));
  }
}

/// Nobody who has been greeted, and opens a context later, shall take this one for it.
void Couplings::withdraw_greetings(const std::string& why) const {
  for (const Partner& partner : partners_) tell_all(partner, Kind::withdrawal, why);
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

bool Couplings::has_met(const io::Letter& greeting) const {
  const Partner* const partner = find_partner(greeting.from_code, greeting.from_context);
  return partner != nullptr && (partner->link || partner->is_over) &&
         partner->opening == greeting.from_opening;
}

std::string Couplings::refusal_text(const io::Letter& greeting) const {
  const Partner* const partner = find_partner(greeting.from_code, greeting.from_context);
  if (partner == nullptr) return io::stranger_text(greeting);
  if (!partner->link || partner->opening == greeting.from_opening) return {};
  if (partner->link->is_over())
    return {};  // opened again: this one may end, and be opened again, too
  if (first_client_of(partner->opening) != first_client_of(greeting.from_opening)) {
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
  const auto withdrawn = setup_.letters.take([&](const io::Letter& letter) {
    const bool is_of_another = partner.counterpart >= 0 && partner.opening != letter.from_opening;
    return letter.kind == Kind::withdrawal && is_from(partner, letter) && !is_of_another;
  });
  if (withdrawn && !partner.error) {
    partner.error.emplace(ErrorCode::configuration,
                          fmt::format("{}: context '{}' waits for '{}' in vain ({})", partner.where,
                                      name_, partner.name(), withdrawn->text));
  }
  while (const auto letter = take_letter(partner, Kind::refusal)) {
    ++partner.refusals;
    const int others = setup_.job.clients_in(partner.component) - partner.strangers;
    const bool is_last = letter->is_final || partner.refusals >= others;
    if (!is_last || partner.error) continue;
    partner.error.emplace(ErrorCode::configuration,
                          fmt::format("{}: context '{}' waits for '{}' in vain ({})", partner.where,
                                      name_, partner.name(), letter->text));
  }
  if (!partner.error && setup_.letters.has_ended(partner.code)) {
    partner.error.emplace(ErrorCode::configuration,
                          fmt::format("{}: context '{}' waits for '{}' in vain ({})", partner.where,
                                      name_, partner.name(), io::ended_text(partner.code)));
  }
}

/// Contexts that this one does not know would wait for it for ever.
void Couplings::refuse_strangers() const {
  const auto is_stranger = [&](const io::Letter& letter) {
    return letter.asks() && letter.to_context == setup_.model.context_id &&
           !refusal_text(letter).empty();
  };
  while (const auto letter = setup_.letters.take(is_stranger)) {
    setup_.letters.send(io::refusal_of(*letter, refusal_text(*letter), true), letter->rank);
  }
}

/// Nobody will connect any more.
void Couplings::refuse_open(const std::string& why) const {
  const std::string text = fmt::format("that one could not be opened: {}", why);
  withdraw_greetings(text);  // also for those that come to their definitions later
  for (const Partner& partner : partners_) {
    if (partner.link || partner.is_local) continue;
    if (partner.counterpart >= 0) {
      io::Letter letter = letter_to(partner, Kind::refusal);
      letter.text = text;
      letter.is_final = true;
      setup_.letters.send(letter, partner.counterpart);
    }
    const auto is_asking = [&](const io::Letter& letter) {
      return letter.asks() && is_from(partner, letter);
    };
    while (const auto letter = setup_.letters.take(is_asking)) {
      setup_.letters.send(io::refusal_of(*letter, text, true), letter->rank);
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

void Couplings::answer(Partner& partner, const io::Letter& greeting) const {
  partner.counterpart = greeting.rank;
  partner.opening = greeting.from_opening;
  partner.facts.reset();
  partner.is_proposed = false;
  io::Letter letter = letter_to(partner, Kind::facts);
  letter.facts = config::encode(own_facts(partner));
  setup_.letters.send(letter, partner.counterpart);
}

void Couplings::take_newer_greeting(Partner& partner) const {
  const auto newer = setup_.letters.take([&](const io::Letter& letter) {
    return letter.kind == Kind::greeting && is_from(partner, letter) &&
           letter.rank == partner.counterpart && letter.from_opening > partner.opening;
  });
  if (newer) answer(partner, *newer);
}

/// On the first client: as far as letters have come. Facts come before what a partner refuses for
/// them.
void Couplings::talk(Partner& partner) {
  if (partner.counterpart < 0 && !partner.error) {
    if (const auto greeting = take_letter(partner, Kind::greeting)) answer(partner, *greeting);
  }
  take_refusals(partner);
  // The counterpart has given up, and been opened again.
  if (partner.counterpart >= 0 && !partner.error) take_newer_greeting(partner);
  if (partner.counterpart >= 0 && !partner.error) refuse_twins(partner);
  if (partner.counterpart >= 0 && !partner.facts) {
    if (const auto letter = take_letter(partner, Kind::facts)) {
      partner.facts = config::decode_coupled_context(letter->facts);
      check_pair(partner);
    }
  }
  take_refusals(partner);
}

}  // namespace epios::client
