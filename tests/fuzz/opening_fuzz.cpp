// Openings of contexts, as clients send them, with some of their bytes changed, left out or twice:
// a server must make a plan of them, refuse the context, or say that a message is none. The input
// says what is changed, so that the fuzzer does not have to find a whole opening. The Model stays:
// how much memory it takes is the user's own affair.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "config/error.hpp"
#include "config/index.hpp"
#include "config/model.hpp"
#include "contexts/context_opening.hpp"
#include "event/opening.hpp"
#include "grid/layout.hpp"

namespace {

using Bytes = std::vector<std::byte>;
namespace config = epios::config;
namespace io = epios::io;
namespace server = epios::server;
using config::GridElement;
using epios::nth;

constexpr int clients = 3;
constexpr int servers = 2;

class Input {
 public:
  explicit Input(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  bool is_over() const { return bytes_.empty(); }
  std::uint8_t byte() {
    if (bytes_.empty()) return 0;
    const std::uint8_t out = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return out;
  }
  /// Below `count`, which is not 0.
  std::size_t below(std::size_t count) { return (byte() * std::size_t{256} + byte()) % count; }
  /// A small number, its negative, or one near the ends of its type.
  std::int64_t number() {
    const std::uint8_t kind = byte();
    if (kind < 200) return kind % 16;
    const std::int64_t small = byte();
    if (kind < 230) return -small;
    return kind < 243 ? std::int64_t{INT64_MAX} - small : std::int64_t{INT64_MIN} + small;
  }

 private:
  std::span<const std::uint8_t> bytes_;
};

template <class T>
config::value::reals reals_of(T size) {
  const auto count = static_cast<std::int64_t>(size);
  config::value::reals out{std::vector<double>(static_cast<std::size_t>(count)), {count}};
  for (std::size_t k = 0; k < out.values.size(); ++k) out.values[k] = static_cast<double>(k);
  return out;
}

/// A domain of four rows of three cells, rectilinear or not, with a level or two, in two files.
config::Model model_of(bool is_rectilinear) {
  config::Model model;
  model.context_id = "ocean";
  config::Domain domain;
  domain.id = "d";
  domain.attributes.type = is_rectilinear ? "rectilinear" : "unstructured";
  domain.attributes.ni_glo = is_rectilinear ? 3 : 12;
  domain.attributes.nj_glo = is_rectilinear ? 4 : 1;
  model.domains.push_back(domain);
  config::Axis axis;
  axis.id = "a";
  axis.attributes.n_glo = 2;
  model.axes.push_back(axis);
  model.grids.push_back({"g", {{GridElement::Kind::domain, 0}, {GridElement::Kind::axis, 0}}});
  model.grids.push_back({"h", {{GridElement::Kind::domain, 0}}});
  model.sources.emplace_back().id = "tos";
  for (int f = 0; f < 2; ++f) {
    config::Stream stream;
    stream.id = stream.name = "tos" + std::to_string(f);
    stream.source = config::SourceId(0);
    stream.file = config::FileId(f);
    stream.grid = config::GridId(f);
    stream.attributes.prec = f == 0 ? 8 : 4;
    config::File file;
    file.id = file.path = "f" + std::to_string(f);
    file.streams = {model.streams.end_id()};
    model.streams.push_back(stream);
    model.files.push_back(file);
  }
  return model;
}

/// What one client has: a row of cells, or those with every third number, some of them masked.
config::Model part_of(const config::Model& common, bool is_rectilinear, int client) {
  config::Model own = common;
  auto& d = own.domains[0].attributes;
  if (is_rectilinear) {
    d.ni = 3;
    d.nj = client < 2 ? 1 : 2;
    d.ibegin = 0;
    d.jbegin = client;
    d.lonvalue_1d = reals_of(3);
    d.latvalue_1d = reals_of(*d.nj);
  } else {
    config::value::integers cells{{client, client + 3, client + 6, client + 9}, {4}};
    d.ni = 4;
    d.nj = 1;
    d.i_index = cells;
    d.j_index = config::value::integers{{0, 0, 0, 0}, {4}};
    d.lonvalue_1d = d.latvalue_1d = reals_of(4);
    if (client > 0) d.mask_1d = config::value::booleans{{1, 0, 1, 1}, {4}};
  }
  own.axes[0].attributes.value = reals_of(2);
  return own;
}

struct Opening {
  config::Model model;
  int rank = 0;                 // of the server
  std::vector<Bytes> messages;  // the request, and the parts of clients
};

Opening opening_of(bool is_rectilinear, int rank) {
  Opening out{model_of(is_rectilinear), rank, {}};
  std::vector<config::Model> own;
  for (int c = 0; c < clients; ++c) own.push_back(part_of(out.model, is_rectilinear, c));
  io::OpenContext request;
  request.opening = 7;
  request.context_id = out.model.context_id;
  request.model = config::encode(out.model);
  request.forms = io::local_forms(own[0]);
  for (int c = 0; c < clients; ++c) request.clients.push_back(10 + c);
  request.shared_record_bytes = 1;
  const auto placements = io::place_files(out.model, servers, request.shared_record_bytes);
  const std::vector<io::Pieces> pieces = io::pieces_of(out.model, placements, servers);
  std::vector<Bytes> parts;
  for (int c = 0; c < clients; ++c) {
    const io::LocalParts local(nth(own, c));
    io::OpeningPart part =
        io::opening_part(nth(own, c), local, nth(pieces, rank),
                         io::local_holders(nth(own, c), local, request.forms, c), c);
    part.opening = request.opening;
    part.remote_rank = 10 + c;
    if (c == io::leader || !part.is_empty()) parts.push_back(io::encode(part));
  }
  request.parts.assign(servers, static_cast<int>(parts.size()));
  out.messages.push_back(io::encode(request));
  out.messages.insert(out.messages.end(), parts.begin(), parts.end());
  return out;
}

const Opening& honest(std::size_t which) {
  static const std::array<Opening, 4> all{opening_of(false, 0), opening_of(false, 1),
                                          opening_of(true, 0), opening_of(true, 1)};
  return all[which % all.size()];
}

void change(Input& in, std::vector<Bytes>& messages) {
  const std::uint8_t what = in.byte();
  const std::size_t which = in.below(messages.size());
  Bytes& message = messages[which];
  if (what >= 250) {  // twice, or not at all; the request is always there
    if (which == 0) return;
    if (what >= 253 && messages.size() < 8) return messages.push_back(message);
    messages.erase(messages.begin() + static_cast<std::ptrdiff_t>(which));
    return;
  }
  if (message.empty()) return;
  const std::size_t at = in.below(message.size());
  const auto place = message.begin() + static_cast<std::ptrdiff_t>(at);
  if (what < 80) {
    *place = static_cast<std::byte>(in.byte());
  } else if (what < 200) {  // numbers of the wire have 4 or 8 bytes
    const std::int64_t number = in.number();
    const std::size_t bytes = std::min<std::size_t>(what % 2 == 0 ? 4 : 8, message.size() - at);
    std::memcpy(message.data() + at, &number, bytes);
  } else if (what < 225) {
    message.erase(place, place + static_cast<std::ptrdiff_t>(
                                     std::min<std::size_t>(what % 16 + 1, message.size() - at)));
  } else {
    message.insert(place, what % 16 + 1, static_cast<std::byte>(in.byte()));
  }
}

void expect(bool law, const char* what) {
  if (law) return;
  std::fprintf(stderr, "opening_fuzz: %s\n", what);
  std::abort();
}

void play(const Opening& honest_one, const std::vector<Bytes>& messages) {
  static const server::Log log(0);
  server::ContextPlan plan;
  plan.request = io::decode_open_context(messages[0]);
  plan.request.model = config::encode(honest_one.model);
  plan.id = plan.request.context_id;
  plan.rank = honest_one.rank;
  plan.servers = servers;
  server::ContextOpening opening(plan, log);
  std::size_t taken = 1;
  for (; taken < messages.size() && !opening.has_all_parts(); ++taken) {
    opening.add_part(messages[taken]);
  }
  if (!opening.has_all_parts()) return;
  opening.attempt([&] { opening.assign(); });
  opening.attempt([&] { opening.note_missing(); });
  opening.attempt([&] { opening.assemble_coordinates(); });
  const std::size_t asked = opening.parts().size();
  std::size_t answered = 0;
  opening.reply_to_all([](std::size_t) { return Bytes(8); },
                       [&](const io::OpeningPart& part, const io::OpenReply& reply) {
                         ++answered;
                         expect(part.remote_rank >= 10 && part.remote_rank < 10 + clients ||
                                    !plan.request.choice.gatherers.empty() ||
                                    plan.request.clients != std::vector<int>{10, 11, 12},
                                "somebody is answered who does not take part");
                         static_cast<void>(io::decode_open_reply(io::encode(reply)));
                       });
  expect(answered == asked, "not all who wait are answered");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input in({data, size});
  const Opening& honest_one = honest(in.byte());
  std::vector<Bytes> messages = honest_one.messages;
  while (!in.is_over()) change(in, messages);
  try {
    play(honest_one, messages);
  } catch (const epios::Error& error) {
    if (*error.what() == '\0') std::abort();
  }
  return 0;
}
