#include "coupling/given_grids.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "config/bytes.hpp"
#include "config/coupled_contexts.hpp"
#include "config/error.hpp"
#include "event/agreement.hpp"

namespace epios::client {
namespace {

using config::ElementKind;
using config::GivenElement;
using Kind = io::Letter::Kind;

/// Elements that a field is on, scalars left out.
std::vector<config::GridElement> elements_of(const config::Model& model, int grid) {
  std::vector<config::GridElement> out;
  for (const auto& element : model.grids[static_cast<std::size_t>(grid)].elements) {
    if (element.kind != config::GridElement::Kind::scalar) out.push_back(element);
  }
  return out;
}

/// Of the field that somebody asks for; null: it is not sent.
const config::CoupledField* sent_field(const config::Model& model, const io::Letter& question,
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

std::optional<Told> tell(const config::Model& model, const io::Letter& letter) {
  Told out;
  for (const std::string& id : config::decode_grid_question(letter.facts).fields) {
    config::GridAnswer::Field& field = out.answer.fields.emplace_back();
    const config::CoupledField* const sent = sent_field(model, letter, id);
    if (sent == nullptr) continue;
    if (sent->grid < 0) return std::nullopt;
    field.is_sent = true;
    for (const config::GridElement& element : elements_of(model, sent->grid)) {
      auto known = std::find(out.elements.begin(), out.elements.end(), element);
      field.elements.push_back(static_cast<int>(known - out.elements.begin()));
      if (known != out.elements.end()) continue;
      auto given = config::given_element(model, element);
      if (!given) return std::nullopt;
      out.elements.push_back(element);
      out.answer.elements.push_back(std::move(*given));
    }
  }
  return out;
}

/// Coordinates that no client has are not told of.
void keep_what_is_there(const config::Model& model, const ep::Comm& clients, Told& told) {
  std::vector<int> own;
  for (std::size_t e = 0; e < told.elements.size(); ++e) {
    for (const auto& coordinate : told.answer.elements[e].coordinates) {
      own.push_back(config::local_values(model, told.elements[e], coordinate).empty() ? 0 : 1);
    }
  }
  std::vector<int> any(own.size());
  if (own.empty()) return;
  ep::check(EP_Allreduce(own.data(), any.data(), ep::message_count(own.size()), MPI_INT, MPI_MAX,
                         clients.get()));
  auto next = any.begin();
  for (GivenElement& element : told.answer.elements) {
    std::erase_if(element.coordinates,
                  [&](const GivenElement::Coordinate&) { return *next++ == 0; });
  }
}

io::Letter letter_back(const io::Letter& question, Kind kind) {
  io::Letter out;
  out.kind = kind;
  out.from_code = question.to_code;
  out.from_context = question.to_context;
  out.to_code = question.from_code;
  out.to_context = question.from_context;
  out.to_opening = question.from_opening;
  return out;
}

}  // namespace

bool can_give_grids(const config::Model& model, const io::Letter& question) {
  return tell(model, question).has_value();
}

void give_grids(const GridParty& party, const io::Letter& question) {
  Told told;
  io::all_or_none(party.clients, [&] {
    auto own = tell(party.model, question);
    if (!own) {
      throw Error(ErrorCode::internal, "a grid is asked for that is not settled. Is this a bug?");
    }
    told = std::move(*own);
  });
  keep_what_is_there(party.model, party.clients, told);
  told.answer.clients = party.in_component;
  if (party.clients.rank() == 0) {
    io::Letter letter = letter_back(question, Kind::answer);
    letter.facts = config::encode(told.answer);
    party.letters.send(letter, question.rank);
  }
  std::vector<std::vector<double>> stretches;
  for (std::size_t e = 0; e < told.elements.size(); ++e) {
    const GivenElement& element = told.answer.elements[e];
    for (const auto& coordinate : element.coordinates) {
      const auto values = config::local_values(party.model, told.elements[e], coordinate);
      const std::vector<std::int64_t> points =
          values.empty()
              ? std::vector<std::int64_t>()
              : config::global_positions(party.model, told.elements[e], coordinate.along);
      stretches.push_back(io::deal(party.clients, element.size(coordinate.along), coordinate.width,
                                   points, values));
    }
  }
  const auto takers = config::decode_grid_question(question.facts).clients;
  const int component = party.job.find_component(question.from_code);
  for (int taker = 0; taker < static_cast<int>(takers.size()); ++taker) {
    config::ByteWriter writer;
    std::size_t c = 0;
    bool has_any = false;
    for_each_coordinate(told.answer, [&](const auto& coordinate, std::int64_t size) {
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
    io::Letter letter = letter_back(question, Kind::values);
    letter.facts = writer.take();
    const io::Actor client = io::Job::client_in(component, takers[static_cast<std::size_t>(taker)]);
    party.letters.send(letter, party.job.rank_among_everyone(client));
  }
}

}  // namespace epios::client
