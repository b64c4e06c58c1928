#include "coupling/given_grids.hpp"

#include <algorithm>
#include <ep/bytes.hpp>
#include <optional>
#include <span>
#include <utility>

#include "config/bytes.hpp"
#include "config/coupled_contexts.hpp"
#include "config/error.hpp"
#include "config/index.hpp"
#include "config/model.hpp"
#include "event/agreement.hpp"

namespace epios::client {
namespace {

using config::ElementKind;
using config::GivenElement;
using Kind = io::HandshakeMessage::Kind;

constexpr const char* unsettled_text =
    "that one has no sizes for a grid that it sends, or not the same ones on all of its clients. "
    "Give type, ni_glo, nj_glo and n_glo there, the same on all clients?";

/// Elements that a field is on, scalars left out.
std::vector<config::GridElement> elements_of(const config::Model& model, int grid) {
  std::vector<config::GridElement> out;
  for (const auto& element : model.grids[config::GridId(grid)].elements) {
    if (element.kind != config::GridElement::Kind::scalar) out.push_back(element);
  }
  return out;
}

/// Of the field that somebody asks for; null: it is not sent.
const config::CoupledField* sent_field(const config::Model& model,
                                       const io::HandshakeMessage& question,
                                       const std::string& id) {
  const auto sent = config::coupler_fields(model, ElementKind::coupler_out, question.from_code,
                                           question.from_context);
  const auto found = std::find_if(sent.begin(), sent.end(), [&](const config::CouplerField& one) {
    return config::field_of(model, one).id == id;
  });
  return found == sent.end() ? nullptr : &config::field_of(model, *found);
}

/// What is told of grids, and of which elements of the Model.
struct Told {
  config::GridAnswer answer;
  std::vector<config::GridElement> elements;
};

/// None: there is something that is not settled.
std::optional<Told> tell(const config::Model& model, config::GridsOf of,
                         const io::HandshakeMessage& message) {
  Told out;
  for (const std::string& id : config::decode_grid_question(message.facts).fields) {
    config::GridAnswer::Field& field = out.answer.fields.emplace_back();
    const config::CoupledField* const sent = sent_field(model, message, id);
    if (sent == nullptr) continue;
    if (sent->grid < 0) return std::nullopt;
    field.is_sent = true;
    for (const config::GridElement& element : elements_of(model, sent->grid)) {
      auto known = std::find(out.elements.begin(), out.elements.end(), element);
      field.elements.push_back(static_cast<int>(known - out.elements.begin()));
      if (known != out.elements.end()) continue;
      auto given = config::given_element(model, element, of);
      if (!given) return std::nullopt;
      out.elements.push_back(element);
      out.answer.elements.push_back(std::move(*given));
    }
  }
  return out;
}

/// Whether all clients have the same to tell.
bool is_alike(const ep::Comm& clients, const std::optional<Told>& own) {
  std::vector<std::byte> bytes;
  if (own) bytes = config::encode(own->answer);
  const auto leaders = ep::broadcast_bytes(clients, 0, bytes);
  const int is_same = own && bytes == leaders ? 1 : 0;
  int are_same = 0;
  ep::check(EP_Allreduce(&is_same, &are_same, 1, MPI_INT, MPI_MIN, clients.get()));
  return are_same == 1;
}

/// What this client has of a coordinate.
struct LocalPart {
  std::vector<std::int64_t> points;
  std::vector<double> values;
};

/// Of all coordinates that are told of.
std::vector<LocalPart> local_parts(const config::Model& model, const Told& told) {
  std::vector<LocalPart> out;
  for (std::size_t e = 0; e < told.elements.size(); ++e) {
    for (const auto& coordinate : told.answer.elements[e].coordinates) {
      LocalPart& part = out.emplace_back();
      part.values = config::local_values(model, told.elements[e], coordinate);
      if (part.values.empty()) continue;
      part.points = config::global_positions(model, told.elements[e], coordinate.along);
    }
  }
  return out;
}

/// Coordinates that no client has are not told of.
void keep_what_is_there(const ep::Comm& clients, Told& told, std::vector<LocalPart>& parts) {
  std::vector<int> own;
  own.reserve(parts.size());
  for (const LocalPart& part : parts) own.push_back(part.values.empty() ? 0 : 1);
  std::vector<int> any(own.size());
  if (own.empty()) return;
  ep::check(EP_Allreduce(own.data(), any.data(), ep::message_count(own.size()), MPI_INT, MPI_MAX,
                         clients.get()));
  auto next = any.begin();
  for (GivenElement& element : told.answer.elements) {
    std::erase_if(element.coordinates,
                  [&](const GivenElement::Coordinate&) { return *next++ == 0; });
  }
  next = any.begin();
  std::erase_if(parts, [&](const LocalPart&) { return *next++ == 0; });
}

io::HandshakeMessage reply_to(const io::HandshakeMessage& question, Kind kind) {
  io::HandshakeMessage out;
  out.kind = kind;
  out.from_code = question.to_code;
  out.from_context = question.to_context;
  out.to_code = question.from_code;
  out.to_context = question.from_context;
  out.to_opening = question.from_opening;
  return out;
}

/// `stretches`: what this client has been dealt, per coordinate.
void send_values(const GridParty& party, const io::HandshakeMessage& question,
                 const config::GridAnswer& answer,
                 const std::vector<std::vector<double>>& stretches) {
  const auto takers = config::decode_grid_question(question.facts).clients;
  const int component = party.job.find_component(question.from_code);
  for (int taker = 0; taker < static_cast<int>(takers.size()); ++taker) {
    config::ByteWriter writer;
    std::size_t c = 0;
    bool has_any = false;
    for_each_coordinate(answer, [&](const auto& coordinate, std::int64_t size) {
      const std::vector<double>& own = stretches[c++];
      const io::Dealing given{size, party.clients.size()};
      const Stretch common = common_stretch(given, party.clients.rank(),
                                            {size, static_cast<int>(takers.size())}, taker);
      if (common.is_empty()) return;
      has_any = true;
      const auto first = static_cast<std::size_t>(
          (common.first - given.begin(party.clients.rank())) * coordinate.width);
      const auto count = static_cast<std::size_t>((common.end - common.first) * coordinate.width);
      writer.put(std::span<const double>(own).subspan(first, count));
    });
    if (!has_any) continue;
    io::HandshakeMessage message = reply_to(question, Kind::values);
    message.facts = writer.take();
    const io::Actor client = io::Actor::client_in(component, nth(takers, taker));
    party.handshake.send(message, party.job.rank_among_everyone(client));
  }
}

}  // namespace

bool can_give_grids(const config::Model& model, config::GridsOf of,
                    const io::HandshakeMessage& question) {
  return tell(model, of, question).has_value();
}

void give_grids(const GridParty& party, const io::HandshakeMessage& question) {
  std::optional<Told> own;
  std::vector<LocalPart> parts;
  io::all_or_none(party.clients, [&] {
    own = tell(party.model, party.of, question);
    if (own) parts = local_parts(party.model, *own);
  });
  const bool leads = party.clients.rank() == 0;
  if (!is_alike(party.clients, own)) {
    if (leads) party.handshake.send(io::refusal_of(question, unsettled_text, true), question.rank);
    return;
  }
  Told& told = *own;
  keep_what_is_there(party.clients, told, parts);
  told.answer.clients = party.in_component;
  std::vector<std::vector<double>> stretches;
  auto part = parts.begin();
  for_each_coordinate(told.answer, [&](const auto& coordinate, std::int64_t size) {
    stretches.push_back(
        io::deal(party.clients, size, coordinate.width, part->points, part->values));
    ++part;
  });
  // Nobody is told of values that cannot leave.
  io::all_or_none(party.clients, [&] { send_values(party, question, told.answer, stretches); });
  if (!leads) return;
  io::HandshakeMessage message = reply_to(question, Kind::answer);
  message.facts = config::encode(told.answer);
  party.handshake.send(message, question.rank);
}

}  // namespace epios::client
