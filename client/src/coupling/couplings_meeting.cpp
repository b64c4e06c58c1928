// How contexts that exchange fields find each other.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ep/bytes.hpp>
#include <functional>
#include <map>
#include <utility>

#include "config/error.hpp"
#include "coupling/couplings.hpp"
#include "session/agreement.hpp"

namespace epios::client {
namespace {

using Kind = io::Letter::Kind;

/// Between these clients of the job; `name` tells it from others that are made at a time.
/// Collective over them.
ep::Comm comm_of(const ep::Comm& everyone, const std::vector<int>& ranks, const std::string& name) {
  EP_Group all = EP_GROUP_NULL;
  EP_Group some = EP_GROUP_NULL;
  ep::check(EP_Comm_group(everyone.get(), &all));
  ep::check(EP_Group_incl(all, ep::message_count(ranks.size()), ranks.data(), &some));
  const int tag = static_cast<int>(std::hash<std::string>{}(name) % 32768);
  EP_Comm out = EP_COMM_NULL;
  ep::check(EP_Comm_create_group(everyone.get(), some, tag, &out));
  ep::check(EP_Group_free(&all));
  ep::check(EP_Group_free(&some));
  return ep::Comm(out);
}

}  // namespace

void Couplings::greet(const Partner& partner) {
  io::Letter letter;
  letter.kind = Kind::greeting;
  letter.from_code = setup_.code;
  letter.from_context = setup_.model.context_id;
  letter.to_code = partner.code;
  letter.to_context = partner.context;
  for (int rank = 0; rank < setup_.job.clients_in(partner.component); ++rank) {
    const io::Actor client = io::Job::client_in(partner.component, rank);
    setup_.letters.send(letter, setup_.job.rank_among_everyone(client));
  }
}

bool Couplings::knows(const std::string& code, const std::string& context) const {
  return std::any_of(partners_.begin(), partners_.end(), [&](const Partner& partner) {
    return partner.code == code && partner.context == context;
  });
}

std::vector<Couplings::End> Couplings::open_ends(
    const std::function<bool(const std::string&, const std::string&)>& is_left) {
  std::vector<End> out;
  for (std::size_t p = 0; p < partners_.size(); ++p) {
    const Partner& partner = partners_[p];
    if (partner.link || is_left(partner.code, partner.context)) continue;
    out.push_back({this, static_cast<int>(p)});
  }
  return out;
}

std::optional<Couplings::End> Couplings::end_to(const std::string& context) {
  for (std::size_t p = 0; p < partners_.size(); ++p) {
    const Partner& partner = partners_[p];
    if (partner.link || partner.code != setup_.code || partner.context != context) continue;
    return End{this, static_cast<int>(p)};
  }
  return std::nullopt;
}

io::CoupledContext Couplings::own_facts(const Partner& partner) const {
  io::CoupledContext out = io::facts_of(setup_.model, setup_.code, partner.code, partner.context);
  out.clients = setup_.in_component;
  return out;
}

void Couplings::take_refusals(Partner& partner) const {
  const auto is_ours = [&](const io::Letter& letter) {
    return letter.kind == Kind::refusal && letter.from_code == partner.code &&
           letter.from_context == partner.context && letter.to_context == setup_.model.context_id;
  };
  while (const auto letter = setup_.letters.take(is_ours)) {
    ++partner.refusals;
    const bool is_last =
        letter->is_final || partner.refusals == setup_.job.clients_in(partner.component);
    if (!is_last || !partner.error.empty()) continue;
    partner.error = fmt::format("{}: context '{}' waits for '{}' in vain ({})", partner.where,
                                name_, partner.name(), letter->text);
  }
}

/// Contexts that this one does not know would wait for it for ever.
void Couplings::refuse_strangers() const {
  const auto is_stranger = [&](const io::Letter& letter) {
    return letter.kind == Kind::greeting && letter.to_context == setup_.model.context_id &&
           !knows(letter.from_code, letter.from_context);
  };
  while (const auto letter = setup_.letters.take(is_stranger)) {
    setup_.letters.send(io::refusal_of(*letter, io::stranger_text(*letter), true), letter->rank);
  }
}

/// On the first client. Whether what there is to say has been said.
bool Couplings::talk(Partner& partner) {
  const auto is_ours = [&](Kind kind) {
    return [&, kind](const io::Letter& letter) {
      return letter.kind == kind && letter.from_code == partner.code &&
             letter.from_context == partner.context && letter.to_code == setup_.code &&
             letter.to_context == setup_.model.context_id;
    };
  };
  if (partner.facts) return true;
  if (partner.counterpart < 0) {
    take_refusals(partner);
    if (!partner.error.empty()) return true;
    const auto greeting = setup_.letters.take(is_ours(Kind::greeting));
    if (!greeting) return false;
    partner.counterpart = greeting->rank;
    io::Letter letter;
    letter.kind = Kind::facts;
    letter.from_code = setup_.code;
    letter.from_context = setup_.model.context_id;
    letter.to_code = partner.code;
    letter.to_context = partner.context;
    letter.facts = io::encode(own_facts(partner));
    setup_.letters.send(letter, partner.counterpart);
  }
  const auto letter = setup_.letters.take(is_ours(Kind::facts));
  if (!letter) return false;
  partner.facts = io::decode_coupled_context(letter->facts);
  return true;
}

/// Collective over the clients of the context.
void Couplings::share_facts(Partner& partner) const {
  all_or_none(setup_.clients, [&] {
    if (!partner.error.empty()) throw Error(ErrorCode::configuration, partner.error);
  });
  const auto bytes = ep::broadcast_bytes(
      setup_.clients, 0, leads() ? io::encode(*partner.facts) : std::vector<std::byte>());
  partner.facts = io::decode_coupled_context(bytes);
}

/// Of what both sides have agreed on.
io::CouplingSide Couplings::side_of(int index) {
  Partner& partner = partners_[at(index)];
  const io::CoupledContext own = own_facts(partner);
  const io::Pairing to = io::pair_fields(own, *partner.facts);
  const io::Pairing from = io::pair_fields(*partner.facts, own);
  io::CouplingSide side;
  side.side = name_ < partner.name() ? io::Side::first : io::Side::second;
  side.name = name_;
  side.partner = partner.name();
  side.self = setup_.self;
  side.limits = limits();
  side.carrier = setup_.carrier;
  side.buffer_bytes = setup_.buffer_bytes;
  side.check = setup_.check;
  const auto find_field = [&](auto& fields, const io::CouplerField& wanted) -> auto& {
    return *std::find_if(fields.begin(), fields.end(), [&](const auto& one) {
      return one.field == &io::field_of(setup_.model, wanted);
    });
  };
  for (const io::CoupledPair& pair : to.pairs) {
    SentField& sent = find_field(sent_, partner.sent[at(pair.sent)]);
    sent.number = static_cast<int>(side.sent.size());
    const config::Calendar calendar = setup_.model.calendar();
    const config::Instant start = setup_.model.start_date;
    const config::Schedule dates(calendar, start, sent.field->sampling);
    side.sent.push_back({sent.field->id, std::move(sent.grid), pair.first,
                         [calendar, start, dates](std::int64_t record) {
                           return calendar.text(
                               calendar.at_step(start, dates.step_of_record(record)));
                         }});
  }
  for (const io::CoupledPair& pair : from.pairs) {
    ReceivedField& received = find_field(received_, partner.received[at(pair.received)]);
    received.number = static_cast<int>(side.received.size());
    received.shift = pair.shift;
    const config::Calendar calendar = setup_.model.calendar();
    side.received.push_back({received.field->id, std::move(received.grid), pair.first,
                             [calendar, dates = received.dates, pair](std::int64_t record) {
                               return calendar.text(dates.date_of(record - pair.shift));
                             }});
  }
  if (leads()) {
    for (const std::string& remark : to.remarks) {
      fmt::print(stderr, "epios: warning: {}\n", remark);
    }
  }
  return side;
}

/// Whom this client waits for, as far as it knows.
std::vector<io::Actor> Couplings::awaited(const std::vector<End>& ends) {
  std::vector<io::Actor> out;
  for (const End& end : ends) {
    const Setup& setup = end.of->setup_;
    if (!end.of->leads()) {
      out.push_back(io::Job::client_in(setup.self.component, setup.in_component.front()));
      continue;
    }
    const int component = partner_of(end).component;
    for (int rank = 0; rank < setup.job.clients_in(component); ++rank) {
      out.push_back(io::Job::client_in(component, rank));
    }
  }
  return out;
}

/// First clients wait for their counterparts' facts, and give up for all; the others wait for them.
void Couplings::get_facts(const std::vector<End>& ends) {
  const Couplings& own = *ends.front().of;
  std::vector<std::string> missing;
  for (const End& end : ends) {
    const Partner& partner = partner_of(end);
    missing.push_back(fmt::format("'{}' ({})", partner.name(), partner.where));
  }
  io::Waiting waiting(own.setup_.job.watch());
  waiting.set(own.setup_.self,
              fmt::format("the end of the definitions of {}, which '{}' exchanges fields with",
                          fmt::join(missing, ", "), own.name_),
              awaited(ends), own.limits());
  std::string late;
  try {
    ep::wait_until(own.setup_.letters.everyone(), {"contexts that fields are exchanged with"}, [&] {
      bool is_done = true;
      for (const End& end : ends) {
        if (!end.of->leads()) continue;
        end.of->refuse_strangers();
        is_done = end.of->talk(partner_of(end)) && is_done;
      }
      if (!is_done) waiting.check();
      return is_done;
    });
  } catch (const Error& error) {
    late = error.what();
  }
  for (const End& end : ends) {
    Partner& partner = partner_of(end);
    if (!partner.facts && partner.error.empty()) partner.error = late;
    end.of->share_facts(partner);
  }
}

/// The connection of two contexts, of which this client has one or both. `name`: of the pair.
void Couplings::link(const std::vector<End>& ends, const std::string& name) {
  const Setup& setup = ends.front().of->setup_;
  const Partner& partner = partner_of(ends.front());
  std::vector<std::pair<int, io::Actor>> clients;
  const auto add = [&](int component, const std::vector<int>& ranks) {
    for (const int rank : ranks) {
      const io::Actor client = io::Job::client_in(component, rank);
      clients.emplace_back(setup.job.rank_among_everyone(client), client);
    }
  };
  add(setup.self.component, setup.in_component);
  add(partner.component, partner.facts->clients);
  std::sort(clients.begin(), clients.end());
  clients.erase(std::unique(clients.begin(), clients.end()), clients.end());
  std::vector<int> ranks;
  std::vector<io::Actor> actors;
  for (const auto& [rank, client] : clients) {
    ranks.push_back(rank);
    actors.push_back(client);
  }
  std::vector<io::CouplingSide> sides;
  sides.reserve(ends.size());
  for (const End& end : ends) sides.push_back(end.of->side_of(end.partner));
  const auto both =
      std::make_shared<const ep::Comm>(comm_of(setup.letters.everyone(), ranks, name));
  auto links = io::CouplingLink::connect(both, actors, setup.job.watch(), std::move(sides));
  for (std::size_t e = 0; e < ends.size(); ++e) partner_of(ends[e]).link = std::move(links[e]);
}

void Couplings::connect(std::vector<End> ends) {
  if (ends.empty()) return;
  std::sort(ends.begin(), ends.end(), [](const End& a, const End& b) {
    return std::pair(a.of->name_, partner_of(a).name()) <
           std::pair(b.of->name_, partner_of(b).name());
  });
  get_facts(ends);
  // In one order everywhere: who is in several waits for them one after the other.
  std::map<std::pair<std::string, std::string>, std::vector<End>> pairs;
  for (const End& end : ends) {
    std::pair names(end.of->name_, partner_of(end).name());
    if (names.second < names.first) std::swap(names.first, names.second);
    pairs[names].push_back(end);
  }
  for (const auto& [names, both_ends] : pairs) link(both_ends, names.first + " " + names.second);
}

}  // namespace epios::client
