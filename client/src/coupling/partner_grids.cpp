#include "coupling/partner_grids.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ep/bytes.hpp>
#include <exception>
#include <iterator>
#include <set>

#include "config/coupled_contexts.hpp"
#include "config/index.hpp"
#include "config/model.hpp"
#include "event/agreement.hpp"

namespace epios::client {
namespace {

using config::GivenElement;
using Kind = io::HandshakeMessage::Kind;

enum WordKind : std::int64_t { done = 0, take_grids, answer_question, give_up };

}  // namespace

PartnerGrids::PartnerGrids(Setup setup) : setup_(std::move(setup)) { add_partners(); }

/// Of each element that is open, the first field on it says what it is.
void PartnerGrids::add_partners() {
  const auto& fields = setup_.wanted.fields;
  says_what_.assign(setup_.lack_sizes.size(), -1);
  for (std::size_t f = 0; f < fields.size(); ++f) {
    const config::CoupledGrids::Field& field = fields[f];
    bool says_anything = false;
    for (const int element : field.elements) {
      const auto e = static_cast<std::size_t>(element);
      if (!setup_.lack_sizes[e] || says_what_[e] >= 0) continue;
      says_what_[e] = static_cast<int>(f);
      says_anything = true;
    }
    if (!says_anything) continue;
    auto known = std::find_if(partners_.begin(), partners_.end(), [&](const Partner& one) {
      return one.code == field.partner_code && one.context == field.partner_context;
    });
    if (known == partners_.end()) {
      Partner partner;
      partner.code = field.partner_code;
      partner.context = field.partner_context;
      partner.where = field.where;
      partner.component =
          Couplings::component_of(setup_.job, partner.code, partner.name(), field.where, name());
      partners_.push_back(std::move(partner));
      known = std::prev(partners_.end());
    }
    known->fields.push_back(static_cast<int>(f));
  }
}

/// Partners on the same clients answer before they are asked, or never. Collective over the clients
/// of the context, which all throw alike.
void PartnerGrids::find_local() {
  using State = Couplings::Neighbour::State;
  enum Place : int { unknown, known, here };
  std::vector<int> seen;
  io::all_or_none(setup_.clients, [&] {
    for (const Partner& partner : partners_) {
      const auto found =
          partner.code == setup_.code ? setup_.neighbour(partner.context) : Couplings::Neighbour{};
      if (found.state == State::being_defined) {
        throw Error(ErrorCode::configuration,
                    fmt::format("{}: context '{}' takes the grid of a field from '{}', which has "
                                "some of its clients and whose definition is closed later. Close "
                                "that one first, or give the sizes of the grid?",
                                partner.where, name(), partner.name()));
      }
      const bool can_give = found.state == State::running && found.couplings != nullptr;
      seen.push_back(can_give ? here : found.state == State::none ? unknown : known);
    }
  });
  for (std::size_t p = 0; p < partners_.size(); ++p) seen.push_back(-seen[p]);
  std::vector<int> least(seen.size());
  ep::check(EP_Allreduce(seen.data(), least.data(), ep::message_count(seen.size()), MPI_INT,
                         MPI_MIN, setup_.clients.get()));
  for (std::size_t p = 0; p < partners_.size(); ++p) {
    Partner& partner = partners_[p];
    if (partner.code != setup_.code) continue;
    partner.is_local = least[p] == here;
    const bool is_on_some = least[p] != -least[p + partners_.size()];
    if (is_on_some || (partner.is_local &&
                       !setup_.neighbour(partner.context).couplings->is_on(setup_.in_component))) {
      throw Couplings::overlap_error(partner.where, name(), partner.name());
    }
    const bool is_left = setup_.job.clients_in(partner.component) > setup_.clients.size();
    if (least[p] == unknown && !is_left) {
      throw Couplings::nobody_error(partner.where, name(), partner.code, partner.name());
    }
  }
}

io::HandshakeMessage PartnerGrids::question_to(const Partner& partner) const {
  io::HandshakeMessage out;
  out.kind = Kind::question;
  out.from_code = setup_.code;
  out.from_context = setup_.context;
  out.from_opening = setup_.opening;
  out.to_code = partner.code;
  out.to_context = partner.context;
  config::GridQuestion question;
  for (const int field : partner.fields) {
    question.fields.push_back(nth(setup_.wanted.fields, field).id);
  }
  question.clients = setup_.in_component;
  out.facts = config::encode(question);
  out.rank = setup_.job.rank_among_everyone(
      io::Actor::client_in(setup_.self.component, setup_.in_component.front()));
  return out;
}

bool PartnerGrids::is_from(const Partner& partner, const io::HandshakeMessage& message) const {
  return message.from_code == partner.code && message.from_context == partner.context &&
         message.to_code == setup_.code && message.to_context == setup_.context;
}

void PartnerGrids::ask() const {
  for (const Partner& partner : partners_) {
    if (partner.is_local || !leads()) continue;
    const io::HandshakeMessage question = question_to(partner);
    for (int rank = 0; rank < setup_.job.clients_in(partner.component); ++rank) {
      const io::Actor client = io::Actor::client_in(partner.component, rank);
      setup_.handshake.send(question, setup_.job.rank_among_everyone(client));
    }
  }
}

void PartnerGrids::take() {
  if (partners_.empty()) return;
  find_local();
  for (Partner& partner : partners_) {
    if (partner.is_local) setup_.neighbour(partner.context).couplings->give(question_to(partner));
  }
  ask();
  for (;;) {
    const Word word = next();
    if (word[0] == done) return;
    const std::vector<std::byte> bytes =
        ep::broadcast_bytes(setup_.clients, 0, std::exchange(said_, {}));
    if (word[0] == give_up) {
      throw Error(static_cast<ErrorCode>(word[2]),
                  std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    }
    if (word[0] == take_grids) {
      take_from(nth(partners_, word[1]), bytes);
    } else {
      io::HandshakeMessage question = io::decode_handshake(bytes);
      question.rank = static_cast<int>(word[1]);
      give_grids({setup_.job, setup_.clients, setup_.handshake, setup_.code, setup_.in_component,
                  *setup_.wanted.grids.draft, config::GridsOf::draft},
                 question);
    }
  }
}

std::string PartnerGrids::text_of_missing() const {
  std::vector<std::string> out;
  for (const Partner& partner : partners_) {
    if (!partner.is_done) out.push_back(fmt::format("'{}' ({})", partner.name(), partner.where));
  }
  return fmt::format("the end of the definitions of {}, whose grids '{}' takes",
                     fmt::join(out, ", "), name());
}

Word PartnerGrids::next() {
  if (!leads()) {
    io::Waiting waiting(setup_.job.watch());
    waiting.set(setup_.self, text_of_missing(),
                {io::Actor::client_in(setup_.self.component, setup_.in_component.front())},
                {setup_.patience_s, 0, 0});
    return hear(setup_.clients, setup_.handshake.everyone(), setup_.poll);
  }
  Word word{};
  try {
    io::Waiting waiting(setup_.job.watch());
    std::vector<io::Actor> whom;
    for (const Partner& partner : partners_) {
      const int clients = partner.is_done ? 0 : setup_.job.clients_in(partner.component);
      for (int rank = 0; rank < clients; ++rank) {
        whom.push_back(io::Actor::client_in(partner.component, rank));
      }
    }
    waiting.set(setup_.self, text_of_missing(), std::move(whom),
                {setup_.patience_s, setup_.give_up_s, 0});
    ep::wait_until(setup_.handshake.everyone(), {"grids of other contexts"}, [&] {
      setup_.poll();
      refuse_unmatched();
      const auto found = look();
      if (found) word = *found;
      if (!found) waiting.check();
      return found.has_value();
    });
  } catch (const Error& error) {
    const auto text = std::as_bytes(std::span(std::string_view(error.what())));
    said_.assign(text.begin(), text.end());
    word = {give_up, 0, static_cast<std::int64_t>(error.code())};
  }
  say(setup_.clients, word);
  return word;
}

/// On the first client: what there is to do; none: to wait.
std::optional<Word> PartnerGrids::look() {
  const auto question = setup_.handshake.take([&](const io::HandshakeMessage& message) {
    return message.kind == Kind::question && message.to_code == setup_.code &&
           message.to_context == setup_.context &&
           can_give_grids(*setup_.wanted.grids.draft, config::GridsOf::draft, message);
  });
  if (question) {
    said_ = io::encode(*question);
    return Word{answer_question, question->rank, 0};
  }
  bool are_done = true;
  for (Partner& partner : partners_) {
    if (partner.is_done) continue;
    const auto answer = setup_.handshake.take([&](const io::HandshakeMessage& message) {
      return message.kind == Kind::answer && is_from(partner, message) &&
             message.to_opening == setup_.opening;
    });
    if (answer) {
      said_ = answer->facts;
      return Word{take_grids, &partner - partners_.data(), 0};
    }
    check_refusals(partner);
    are_done = false;
  }
  return are_done ? std::optional(Word{done, 0, 0}) : std::nullopt;
}

void PartnerGrids::check_refusals(Partner& partner) {
  const auto refusal = setup_.handshake.take([&](const io::HandshakeMessage& message) {
    if (!is_from(partner, message)) return false;
    return message.kind == Kind::cancel ||
           (message.kind == Kind::refusal && message.to_opening == setup_.opening);
  });
  if (!refusal && !setup_.handshake.has_ended(partner.code)) return;
  if (refusal) ++partner.refusals;
  const int others = setup_.job.clients_in(partner.component) -
                     (partner.code == setup_.code ? setup_.clients.size() : 0);
  const bool is_last =
      !refusal || refusal->kind == Kind::cancel || refusal->is_final || partner.refusals >= others;
  if (!is_last) return;
  throw Error(
      ErrorCode::configuration,
      fmt::format("{}: context '{}' waits for the grids of '{}' in vain ({})", partner.where,
                  name(), partner.name(), refusal ? refusal->text : io::ended_text(partner.code)));
}

/// Who asks for grids of a context that sends it nothing.
void PartnerGrids::refuse_unmatched() const {
  const config::Model& model = *setup_.wanted.grids.draft;
  const auto is_unmatched = [&](const io::HandshakeMessage& message) {
    return message.kind == Kind::question && message.to_code == setup_.code &&
           message.to_context == setup_.context &&
           std::none_of(model.couplers.begin(), model.couplers.end(), [&](const auto& coupler) {
             return coupler.partner_code == message.from_code &&
                    coupler.partner_context == message.from_context;
           });
  };
  while (const auto message = setup_.handshake.take(is_unmatched)) {
    setup_.handshake.send(io::refusal_of(*message, io::not_coupled_text(*message), true),
                          message->rank);
  }
}

void PartnerGrids::take_from(Partner& partner, std::span<const std::byte> bytes) {
  const config::GridAnswer answer = config::decode_grid_answer(bytes);
  io::all_or_none(setup_.clients, [&] { keep(partner, answer); });
  receive_values(partner, answer);
  partner.is_done = true;
}

/// Which element is which.
void PartnerGrids::keep(const Partner& partner, const config::GridAnswer& answer) {
  std::size_t first_coordinate = 0;
  std::vector<std::size_t> first_of;
  for (const GivenElement& element : answer.elements) {
    first_of.push_back(
        std::exchange(first_coordinate, first_coordinate + element.coordinates.size()));
  }
  for (std::size_t k = 0; k < partner.fields.size() && k < answer.fields.size(); ++k) {
    const auto& field = nth(setup_.wanted.fields, partner.fields[k]);
    const config::GridAnswer::Field& told = answer.fields[k];
    check_told(partner, field, told, answer.elements);
    for (std::size_t e = 0; e < field.elements.size(); ++e) {
      if (nth(says_what_, field.elements[e]) != partner.fields[k]) continue;
      const auto given = static_cast<std::size_t>(told.elements[e]);
      Taken taken;
      taken.element = answer.elements[given];
      taken.from = fmt::format("context '{}' (field '{}')", partner.name(), field.id);
      taken.stretches.resize(taken.element.coordinates.size());
      taken.first = first_of[given];
      taken.partner = &partner - partners_.data();
      keep_element(field, field.elements[e], std::move(taken));
    }
  }
}

/// Of one that is not sent, all is said when the contexts meet; without sizes they never do.
void PartnerGrids::check_told(const Partner& partner, const config::CoupledGrids::Field& field,
                              const config::GridAnswer::Field& told,
                              const std::vector<GivenElement>& elements) const {
  if (!told.is_sent) {
    throw Error(ErrorCode::configuration,
                fmt::format("{}: field '{}' of '{}', whose grid '{}' takes, is not sent. Is it in "
                            "a coupler_out there, with context=\"{}\"?",
                            field.where, field.id, partner.name(), name(), name()));
  }
  const auto kinds = [](const auto& of, const std::vector<int>& numbers) {
    std::vector<std::string_view> out;
    out.reserve(numbers.size());
    for (const int n : numbers) out.push_back(config::name(nth(of, n).kind));
    return fmt::format("{}", fmt::join(out, " x "));
  };
  const std::string there = kinds(elements, told.elements);
  const std::string here = kinds(setup_.wanted.grids.elements, field.elements);
  if (here == there) return;
  throw Error(ErrorCode::configuration,
              fmt::format("{}: the grid of field '{}' is {} in '{}', and {} here: it cannot be "
                          "taken. Give the field a grid of the same elements?",
                          field.where, field.id, there, partner.name(), here));
}

void PartnerGrids::keep_element(const config::CoupledGrids::Field& field, int number, Taken taken) {
  const auto& grids = setup_.wanted.grids;
  const config::ReadGrids::Element& element = nth(grids.elements, number);
  const std::string other =
      config::contradiction(*grids.draft, element.kind, element.id, taken.element);
  if (!other.empty()) {
    throw Error(ErrorCode::configuration,
                fmt::format("{}: domain '{}' is taken from {}, but {}. Leave open what the "
                            "partner says of it?",
                            field.where, element.id, taken.from, other));
  }
  taken_.emplace(number, std::move(taken));
}

}  // namespace epios::client
