// How contexts that exchange fields find each other.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <ep/bytes.hpp>
#include <memory>
#include <utility>

#include "config/error.hpp"
#include "config/index.hpp"
#include "config/model.hpp"
#include "coupling/couplings.hpp"
#include "coupling/first_clients.hpp"
#include "event/agreement.hpp"
#include "session/comm_among.hpp"
#include "session/log.hpp"

namespace epios::client {
namespace {

using Kind = io::HandshakeMessage::Kind;

/// Where clients of a context see a partner of the same component. Partners of the same clients are
/// met by the one whose definition is closed last.
enum Place : int { elsewhere = 0, later = 1, here = 2 };

}  // namespace

config::CoupledContext Couplings::own_facts(const Partner& partner) const {
  config::CoupledContext out =
      config::facts_of(setup_.model, setup_.code, partner.code, partner.context);
  out.clients = setup_.in_component;
  return out;
}

/// Of what both sides have agreed on.
io::CouplingSide Couplings::side_of(Partner& partner) {
  const config::CoupledContext own = own_facts(partner);
  const config::Pairing to = config::pair_fields(own, *partner.facts);
  const config::Pairing from = config::pair_fields(*partner.facts, own);
  io::CouplingSide side;
  side.side = name_ < partner.name() ? io::Side::first : io::Side::second;
  side.name = name_;
  side.partner = partner.name();
  side.self = setup_.self;
  side.limits = limits();
  side.carrier = setup_.carrier;
  side.buffer_bytes = setup_.buffer_bytes;
  side.check = setup_.check;
  side.reserved = std::move(partner.reserved);
  fields_.add_to(side, partner, to, from);
  if (leads()) {
    for (const config::CouplingProblem& remark : to.remarks) {
      log_warning(fmt::format("{}: {}", remark.where, remark.text()));
    }
  }
  return side;
}

/// What this client knows of a partner in its component.
int Couplings::look_around(Partner& partner) const {
  if (partner.code != setup_.code) return elsewhere;
  const Neighbour found = setup_.neighbour(partner.context);
  switch (found.state) {
    case Neighbour::State::none:
      return elsewhere;
    case Neighbour::State::being_defined:
      return later;
    case Neighbour::State::failed:
      throw Error(ErrorCode::call_order,
                  fmt::format("{}: context '{}' exchanges fields with '{}', whose definition could "
                              "not be closed. What has been said before?",
                              partner.where, name_, partner.name()));
    case Neighbour::State::running:
      break;
  }
  io::HandshakeMessage own = message_to(partner, Kind::hello);
  const std::string refusal =
      found.couplings != nullptr ? found.couplings->refusal_text(own) : io::not_coupled_text(own);
  if (refusal.empty()) return here;
  throw Error(ErrorCode::configuration, fmt::format("{}: context '{}' waits for '{}' in vain ({})",
                                                    partner.where, name_, partner.name(), refusal));
}

/// Collective over the clients of the context, which see the same afterwards.
void Couplings::find_local_partners() {
  std::vector<int> seen;
  io::all_or_none(setup_.clients, [&] {
    for (Partner& partner : partners_) seen.push_back(look_around(partner));
  });
  for (std::size_t p = 0; p < partners_.size(); ++p) seen.push_back(-seen[p]);
  std::vector<int> least(seen.size());
  ep::check(EP_Allreduce(seen.data(), least.data(), ep::message_count(seen.size()), MPI_INT,
                         MPI_MIN, setup_.clients.get()));
  for (std::size_t p = 0; p < partners_.size(); ++p) {
    Partner& partner = partners_[p];
    const Error overlap = overlap_error(partner.where, name_, partner.name());
    if (least[p] != -least[p + partners_.size()]) throw Error(overlap);
    partner.is_local = least[p] != elsewhere;
    if (partner.code == setup_.code && !partner.is_local)
      partner.shared_clients = setup_.clients.size();
    if (least[p] != here) continue;
    const Couplings& other = *setup_.neighbour(partner.context).couplings;
    if (!other.is_on(setup_.in_component)) throw Error(overlap);
  }
}

/// With those that wait for this one: all of them are here.
void Couplings::connect_local_partners() {
  std::vector<std::pair<Partner*, Couplings*>> found;
  for (Partner& partner : partners_) {
    if (!partner.is_local) continue;
    const Neighbour other = setup_.neighbour(partner.context);
    if (other.state == Neighbour::State::running) found.emplace_back(&partner, other.couplings);
  }
  for (const auto& [partner, other] : found) {
    Partner& back = *other->find_partner(setup_.code, setup_.model.context_id);
    partner->facts = other->own_facts(back);
    partner->opening = other->setup_.opening;
    back.facts = own_facts(*partner);
    back.opening = setup_.opening;
    check_pair(*partner);
    if (partner->error) throw Error(*partner->error);  // on all clients alike
  }
  for (const auto& [partner, other] : found) {
    connect_ends(
        {{this, partner}, {other, other->find_partner(setup_.code, setup_.model.context_id)}});
  }
}

/// One or both ends of a pair. Collective over the clients of both contexts.
void Couplings::connect_ends(std::vector<std::pair<Couplings*, Partner*>> ends) {
  const auto& [of, partner] = ends.front();
  const Setup& setup = of->setup_;
  std::vector<std::pair<int, io::Actor>> clients;
  const auto add = [&](int component, const std::vector<int>& ranks) {
    for (const int rank : ranks) {
      const io::Actor client = io::Actor::client_in(component, rank);
      clients.emplace_back(setup.job.rank_among_everyone(client), client);
    }
  };
  add(setup.self.component, setup.in_component);
  if (ends.size() == 1) add(partner->component, partner->facts->clients);
  std::sort(clients.begin(), clients.end());
  std::vector<int> ranks;
  std::vector<io::Actor> actors;
  for (const auto& [rank, client] : clients) {
    ranks.push_back(rank);
    actors.push_back(client);
  }
  std::vector<io::CouplingSide> sides;
  sides.reserve(ends.size());
  for (const auto& [end, to] : ends) sides.push_back(end->side_of(*to));
  const std::string other = partner->name();
  const std::string both_names =
      of->name_ < other ? of->name_ + " " + other : other + " " + of->name_;
  io::Waiting waiting(setup.job.watch());
  waiting.set(setup.self,
              fmt::format("the connection of '{}' with '{}'", of->name_, partner->name()),
              {io::Actor::client_in(partner->component, partner->facts->clients.front())},
              {setup.patience_s, 0, 0});  // in collectives nobody can give up
  const auto both =
      std::make_shared<ep::Comm>(comm_among(setup.handshake.everyone(), ranks, both_names));
  auto links = io::CouplingLink::connect(both, actors, setup.job.watch(),
                                         setup.job.channel_memory(), std::move(sides));
  for (std::size_t e = 0; e < ends.size(); ++e) {
    if (const std::string& why = links[e]->fallback(); !why.empty()) {
      log_note(
          fmt::format("clients of '{}' and '{}' share no memory ({}) Their data go as "
                      "messages, which takes longer.",
                      of->name_, other, why));
    }
    ends[e].second->link = std::move(links[e]);
  }
}

/// Of a context, with partners on other clients: the first client agrees with theirs on what is
/// next, and tells the others of its own context. So a mistake is told before anybody goes into a
/// collective with others, and the collectives of pairs have one order on all clients.
class Couplings::Meeting {
 public:
  explicit Meeting(Couplings& of) : of_(of), setup_(of.setup_), waiting_(setup_.job.watch()) {}

  void run() {
    while (is_open()) {
      const Word word = agree();
      if (word[0] == a_question) {
        answer_question(word);
        continue;
      }
      Partner& partner = nth(of_.partners_, static_cast<int>(word[0]));
      share(word, partner);
      connect_ends({{&of_, &partner}});
    }
  }

 private:
  // What the first client says to the others: partner, its opening, and an error; bytes follow. Or,
  // instead of a partner, that somebody has asked for grids, and who.
  static constexpr std::int64_t no_error = -1;
  static constexpr std::int64_t a_question = -1;

  bool is_open() const {
    return std::any_of(of_.partners_.begin(), of_.partners_.end(), is_missing);
  }
  static bool is_missing(const Partner& partner) { return !partner.link && !partner.is_local; }

  /// The next word, on all clients.
  Word agree() {
    if (of_.leads()) {
      const Word word = find_next();
      say(setup_.clients, word);
      return word;
    }
    set_waiting({io::Actor::client_in(setup_.self.component, setup_.in_component.front())}, {});
    const Word word = hear(setup_.clients, setup_.handshake.everyone(), setup_.poll);
    waiting_.end();
    return word;
  }

  void answer_question(const Word& word) {
    std::vector<std::byte> bytes;
    if (question_) bytes = io::encode(*std::exchange(question_, std::nullopt));
    io::HandshakeMessage question =
        io::decode_handshake(ep::broadcast_bytes(setup_.clients, 0, std::move(bytes)));
    question.rank = static_cast<int>(word[1]);
    of_.give(question);
  }

  /// What belongs to the word. Throws on all clients what it says.
  void share(const Word& word, Partner& partner) {
    std::vector<std::byte> bytes;
    if (of_.leads() && word[2] == no_error) bytes = config::encode(*partner.facts);
    if (of_.leads() && word[2] != no_error) {
      const auto text = std::as_bytes(std::span(std::string_view(partner.error->what())));
      bytes.assign(text.begin(), text.end());
    }
    bytes = ep::broadcast_bytes(setup_.clients, 0, std::move(bytes));
    if (word[2] != no_error) {
      throw Error(static_cast<ErrorCode>(word[2]),
                  std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    }
    partner.facts = config::decode_coupled_context(bytes);
    partner.opening = static_cast<std::uint64_t>(word[1]);
  }

  /// On the first client: waits until there is something to do.
  Word find_next() {
    try {
      std::optional<Word> out;
      ep::wait_until(setup_.handshake.everyone(), {"contexts that fields are exchanged with"}, [&] {
        // Who has accepted is waited for.
        promised_ == nullptr ? setup_.check() : setup_.poll();
        of_.refuse_unmatched();
        out = look();
        if (out) return true;
        tell_whom();
        if (promised_ == nullptr) waiting_.check();
        return false;
      });
      waiting_.end();
      return *out;
    } catch (const Error& error) {
      waiting_.end();
      Partner& missing = *std::find_if(of_.partners_.begin(), of_.partners_.end(), is_missing);
      if (!missing.error) missing.error.emplace(error);
      return word_of(missing);
    }
  }

  Word word_of(const Partner& partner) const {
    return {&partner - of_.partners_.data(), static_cast<std::int64_t>(partner.opening),
            partner.error ? static_cast<std::int64_t>(partner.error->code()) : no_error};
  }

  std::optional<Word> look() {
    if (promised_ != nullptr) return look_at_promise();
    question_ = setup_.handshake.take([&](const io::HandshakeMessage& message) {
      return message.kind == Kind::question && message.to_code == setup_.code &&
             message.to_context == setup_.model.context_id &&
             of_.knows(message.from_code, message.from_context);
    });
    if (question_) return Word{a_question, question_->rank, no_error};
    for (Partner& partner : of_.partners_) {
      if (!is_missing(partner)) continue;
      of_.exchange_messages(partner);
      if (partner.error) return word_of(partner);
    }
    for (Partner& partner : of_.partners_) {
      if (!is_missing(partner) || !partner.facts) continue;
      if (of_.name_ < partner.name()) {
        if (!std::exchange(partner.is_proposed, true)) write(partner, Kind::proposal);
        if (!of_.take_message(partner, Kind::acceptance)) continue;
        write(partner, Kind::go);
        return word_of(partner);
      }
      if (!of_.take_message(partner, Kind::proposal)) continue;
      write(partner, Kind::acceptance);
      promised_ = &partner;
      return look_at_promise();
    }
    return std::nullopt;
  }

  std::optional<Word> look_at_promise() {
    Partner& partner = *promised_;
    of_.take_refusals(partner);
    if (!partner.error && !of_.take_message(partner, Kind::go)) return std::nullopt;
    promised_ = nullptr;
    return word_of(partner);
  }

  void write(const Partner& partner, Kind kind) {
    setup_.handshake.send(of_.message_to(partner, kind), partner.counterpart);
  }

  void tell_whom() {
    int known = promised_ != nullptr ? 1 : 0;
    for (const Partner& partner : of_.partners_) {
      known += partner.link || partner.facts ? 2 : 0;
    }
    if (waiting_.is_begun() && std::exchange(known_, known) == known) return;
    known_ = known;
    std::vector<io::Actor> whom;
    for (const Partner& partner : of_.partners_) {
      if (!is_missing(partner)) continue;
      const int clients = partner.facts ? 1 : setup_.job.clients_in(partner.component);
      for (int rank = 0; rank < clients; ++rank) {
        whom.push_back(io::Actor::client_in(partner.component,
                                            partner.facts ? partner.facts->clients.front() : rank));
      }
    }
    set_waiting(std::move(whom), setup_.give_up_s);
  }

  void set_waiting(std::vector<io::Actor> whom, std::optional<double> give_up_s) {
    std::vector<std::string> missing;
    std::vector<std::string> busy;
    for (const Partner& partner : of_.partners_) {
      if (!is_missing(partner)) continue;
      if (partner.facts) {
        busy.push_back(fmt::format("'{}'", partner.name()));
      } else {
        missing.push_back(fmt::format("'{}' ({})", partner.name(), partner.where));
      }
    }
    const std::string what =
        missing.empty()
            ? fmt::format("{} to connect with '{}'", fmt::join(busy, ", "), of_.name_)
            : fmt::format("the end of the definitions of {}, which '{}' exchanges fields with",
                          fmt::join(missing, ", "), of_.name_);
    waiting_.set(setup_.self, what, std::move(whom), {setup_.patience_s, give_up_s.value_or(0), 0});
  }

  Couplings& of_;
  const Setup& setup_;
  io::Waiting waiting_;
  Partner* promised_ = nullptr;                   // its go is waited for
  std::optional<io::HandshakeMessage> question_;  // on the first client: for grids
  int known_ = 0;                                 // when the text was made
};

void Couplings::meet() {
  find_local_partners();
  connect_local_partners();
  if (leads()) {
    for (Partner& partner : partners_) {
      const bool is_hopeless = !partner.is_local && partner.shared_clients > 0 &&
                               setup_.job.clients_in(partner.component) <= partner.shared_clients;
      if (!is_hopeless) continue;
      partner.error.emplace(nobody_error(partner.where, name_, partner.code, partner.name()));
    }
  }
  Meeting(*this).run();
  if (leads()) cancel_hellos();
  for (const std::string& remark : fields_.left_out_remarks(setup_.clients)) log_note(remark);
  // Clients that are not first got hellos, too.
  while (setup_.handshake.take([&](const io::HandshakeMessage& message) {
    return message.kind == Kind::hello && message.to_code == setup_.code &&
           message.to_context == setup_.model.context_id && has_met(message);
  })) {
  }
}

void Couplings::fail(const std::string& why) {
  if (leads()) refuse_open(why);
  end(why);
}

}  // namespace epios::client
