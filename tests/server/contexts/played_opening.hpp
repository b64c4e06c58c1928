/// @file
/// The opening of a context and one record of each field, played in one thread by the functions
/// that clients and servers call: no communication, any number of both.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <ep/ep.hpp>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "config/model.hpp"
#include "event/opening.hpp"
#include "grid/layout.hpp"
#include "records/stream_assignment.hpp"

namespace epios::server::test {

using config::GridElement;
inline constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

class Random {
 public:
  explicit Random(unsigned seed) : generator_(seed) {}
  std::int64_t pick(std::int64_t first, std::int64_t last) {
    return std::uniform_int_distribution<std::int64_t>(first, last)(generator_);
  }
  bool flip() { return pick(0, 1) == 1; }

 private:
  std::mt19937_64 generator_;
};

inline config::value::integers integers(std::vector<std::int64_t> values) {
  const auto size = static_cast<std::int64_t>(values.size());
  return {std::move(values), {size}};
}

inline config::value::booleans random_mask(Random& random, std::int64_t size) {
  std::vector<std::uint8_t> values(static_cast<std::size_t>(size));
  for (auto& value : values) value = random.pick(0, 3) > 0 ? 1 : 0;
  return {std::move(values), {size}};
}

/// What all clients have in common.
inline config::Model random_model(Random& random) {
  config::Model model;
  for (std::int64_t d = random.pick(1, 2); d > 0; --d) {
    config::Domain domain;
    domain.id = "d" + std::to_string(d);
    domain.attributes.type = random.flip() ? "curvilinear" : "unstructured";
    domain.attributes.ni_glo = random.pick(1, 9);
    domain.attributes.nj_glo = domain.attributes.type == "unstructured" ? 1 : random.pick(1, 6);
    model.domains.push_back(domain);
  }
  for (int a = 0; a < 2; ++a) {
    config::Axis axis;
    axis.id = "a" + std::to_string(a);
    axis.attributes.n_glo = random.pick(1, 4);
    model.axes.push_back(axis);
  }
  model.scalars.push_back({"s", "s", {}});
  for (int g = 0; g < 3; ++g) {
    config::Grid grid;
    grid.id = "g" + std::to_string(g);
    if (random.pick(0, 4) > 0) {
      grid.elements.push_back(
          {GridElement::Kind::domain,
           static_cast<int>(random.pick(0, static_cast<std::int64_t>(model.domains.size()) - 1))});
    }
    for (int a = 0; a < 2; ++a) {
      if (random.flip()) grid.elements.push_back({GridElement::Kind::axis, a});
    }
    if (random.pick(0, 3) == 0) grid.elements.push_back({GridElement::Kind::scalar, 0});
    for (std::size_t e = grid.elements.size(); e > 1; --e) {
      std::swap(grid.elements[e - 1], grid.elements[static_cast<std::size_t>(
                                          random.pick(0, static_cast<std::int64_t>(e) - 1))]);
    }
    model.grids.push_back(grid);
  }
  for (int f = 0; f < 2; ++f) {
    config::File file;
    file.id = "f" + std::to_string(f);
    for (std::int64_t s = random.pick(1, 3); s > 0; --s) {
      config::Stream stream;
      stream.name = "v" + std::to_string(model.streams.size());
      stream.file = config::FileId(f);
      stream.grid = config::GridId(static_cast<int>(random.pick(0, 2)));
      stream.attributes.prec = random.flip() ? 8 : 4;
      file.streams.push_back(model.streams.end_id());
      model.streams.push_back(stream);
    }
    model.files.push_back(file);
  }
  return model;
}

inline void describe_domain(Random& random, config::DomainAttributes& a) {
  std::int64_t ni = random.pick(0, *a.ni_glo);
  std::int64_t nj = random.pick(0, *a.nj_glo);
  a.ibegin = random.pick(0, *a.ni_glo - ni);
  a.jbegin = random.pick(0, *a.nj_glo - nj);
  a.ni = ni;
  a.nj = nj;
  if (random.pick(0, 2) == 0) {
    std::vector<std::int64_t> is;
    std::vector<std::int64_t> js;
    for (std::int64_t k = 0; k < ni * nj; ++k) {
      is.push_back(random.pick(0, *a.ni_glo - 1));
      js.push_back(random.pick(0, *a.nj_glo - 1));
    }
    a.i_index = integers(is);
    a.j_index = integers(js);
  }
  a.data_dim = random.pick(1, 2);
  if (random.pick(0, 2) == 0) {
    a.data_ibegin = random.pick(-2, 1);
    a.data_ni = random.pick(0, *a.data_dim == 1 ? ni * nj + 3 : ni + 3);
    if (*a.data_dim == 2) {
      a.data_jbegin = random.pick(-2, 1);
      a.data_nj = random.pick(0, nj + 3);
    }
  }
  if (random.pick(0, 2) == 0) a.mask_1d = random_mask(random, ni * nj);
}

inline std::int64_t cells_of(const config::Model& model, const io::LocalParts& parts, int grid) {
  std::int64_t out = 1;
  for (const auto& element : nth(model.grids, grid).elements) {
    out *= parts.owned(element).places();
  }
  return out;
}

/// One client's own view of the model.
inline config::Model random_client(Random& random, const config::Model& common) {
  config::Model model = common;
  for (auto& domain : model.domains) describe_domain(random, domain.attributes);
  for (auto& axis : model.axes) {
    auto& a = axis.attributes;
    if (random.pick(0, 2) > 0) continue;  // the whole axis
    a.n = random.pick(0, *a.n_glo);
    a.begin = random.pick(0, *a.n_glo - *a.n);
    if (random.flip()) a.mask = random_mask(random, *a.n);
  }
  const io::LocalParts parts(model);
  for (std::size_t g = 0; g < model.grids.size(); ++g) {
    if (random.pick(0, 2) > 0) continue;
    nth(model.grids, g).mask = random_mask(random, cells_of(model, parts, static_cast<int>(g)));
  }
  return model;
}

/// A client's values and where they are: what the messages are compared with.
struct Client {
  config::Model model;
  io::LocalParts parts;
  explicit Client(config::Model the_model) : model(std::move(the_model)), parts(model) {}

  static double value(int client, std::int64_t place) {
    return static_cast<double>(client * 10000 + place);
  }
  std::vector<double> array(int client, int grid) const {
    std::vector<double> out(static_cast<std::size_t>(io::ArrayLayout(model, parts, grid).size()));
    for (std::size_t k = 0; k < out.size(); ++k) {
      out[k] = value(client, static_cast<std::int64_t>(k));
    }
    return out;
  }

  static std::int64_t find(const io::Part& part, std::int64_t global) {
    for (const auto& run : part.runs()) {
      if (global >= run.global && global < run.global + run.count) {
        return run.place + global - run.global;
      }
    }
    return -1;
  }

  /// Place of a point given by its index in each element; -1: no value there.
  std::int64_t place_of(int grid, const std::vector<std::int64_t>& point) const {
    const config::Grid& described = nth(model.grids, grid);
    std::int64_t place = 0;
    std::int64_t cell = 0;
    std::int64_t stride = 1;
    std::int64_t cell_stride = 1;
    for (std::size_t e = 0; e < point.size(); ++e) {
      const io::Part& data = parts.data(described.elements[e]);
      const io::Part& owned = parts.owned(described.elements[e]);
      const std::int64_t at = find(data, point[e]);
      if (at < 0) return -1;
      place += at * stride;
      cell += find(owned, point[e]) * cell_stride;
      stride *= data.places();
      cell_stride *= owned.places();
    }
    if (described.mask && described.mask->values[static_cast<std::size_t>(cell)] == 0) return -1;
    return place;
  }
};

/// What a whole record must be, in file order.
inline std::vector<double> expected_record(const config::Model& model,
                                           const std::vector<Client>& clients, int grid) {
  const auto& elements = nth(model.grids, grid).elements;
  std::vector<std::int64_t> sizes;
  for (const auto& element : elements) {
    sizes.push_back(io::volume(io::element_shape(model, element)));
  }
  std::vector<double> out(static_cast<std::size_t>(io::volume(io::global_shape(model, grid))),
                          nothing);
  for (std::size_t p = 0; p < out.size(); ++p) {
    std::vector<std::int64_t> point;
    auto rest = static_cast<std::int64_t>(p);
    for (const std::int64_t size : sizes) {
      point.push_back(rest % size);
      rest /= size;
    }
    for (std::size_t c = 0; c < clients.size(); ++c) {
      const std::int64_t place = clients[c].place_of(grid, point);
      if (place < 0) continue;
      out[p] = Client::value(static_cast<int>(c), place);
      break;
    }
  }
  return out;
}

/// Points of a grid that no client describes, be it masked.
inline std::int64_t count_unowned(const config::Model& model, const std::vector<Client>& clients,
                                  int grid) {
  const auto& elements = nth(model.grids, grid).elements;
  const std::int64_t points = io::volume(io::global_shape(model, grid));
  std::int64_t out = 0;
  for (std::int64_t p = 0; p < points; ++p) {
    const bool is_held = std::any_of(clients.begin(), clients.end(), [&](const Client& client) {
      std::int64_t rest = p;
      return std::all_of(elements.begin(), elements.end(), [&](const GridElement& element) {
        const std::int64_t size = io::volume(io::element_shape(model, element));
        const std::int64_t at = rest % size;
        rest /= size;
        return Client::find(client.parts.owned(element), at) >= 0;
      });
    });
    if (!is_held) ++out;
  }
  return out;
}

/// One server after all parts have come.
struct PlayedServer {
  io::Pieces pieces;
  std::vector<io::OpeningPart> parts;
  std::vector<PieceAssignment> shares;
  std::vector<StreamAssignment> streams;
};

/// What the clients agree on, as each of them knows it.
inline std::vector<io::Holders> agreed_holders(const std::vector<Client>& clients,
                                               const io::CoordinateForms& forms) {
  io::Holders holders = io::local_holders(clients[0].model, clients[0].parts, forms, 0);
  std::vector<std::int32_t> least(io::numbers_of(holders).size(), io::Holders::none);
  for (std::size_t c = 0; c < clients.size(); ++c) {
    const auto own = io::numbers_of(
        io::local_holders(clients[c].model, clients[c].parts, forms, static_cast<int>(c)));
    for (std::size_t i = 0; i < own.size(); ++i) least[i] = std::min(least[i], own[i]);
  }
  io::set_from_numbers(holders, least);
  std::vector<std::vector<std::uint64_t>> votes;
  std::vector<std::uint64_t> least_votes;
  for (std::size_t c = 0; c < clients.size(); ++c) {
    votes.push_back(io::side_votes(clients[c].model, forms, holders, static_cast<int>(c)));
    if (c == 0) least_votes = votes[0];
    for (std::size_t i = 0; i < votes[c].size(); ++i) {
      least_votes[i] = std::min(least_votes[i], votes[c][i]);
    }
  }
  std::vector<io::Holders> out(clients.size(), holders);
  for (std::size_t c = 0; c < clients.size(); ++c) {
    io::set_sides(out[c], clients[c].model, forms, votes[c], least_votes);
  }
  return out;
}

inline PlayedServer open_server(const config::Model& model, const io::Pieces& pieces,
                                const std::vector<Client>& clients) {
  PlayedServer out;
  out.pieces = pieces;
  io::CoordinateForms forms = io::local_forms(model);
  std::vector<std::int32_t> most = io::numbers_of(forms);
  for (const Client& client : clients) {
    const auto own = io::numbers_of(io::local_forms(client.model));
    for (std::size_t i = 0; i < own.size(); ++i) most[i] = std::max(most[i], own[i]);
  }
  io::set_from_numbers(forms, most);
  const std::vector<io::Holders> holders = agreed_holders(clients, forms);
  for (std::size_t c = 0; c < clients.size(); ++c) {
    io::OpeningPart part = io::opening_part(clients[c].model, clients[c].parts, pieces, holders[c],
                                            static_cast<int>(c));
    part.opening = 77;
    if (c > 0 && part.is_empty()) continue;
    const auto bytes = io::encode(part);
    EXPECT_EQ(io::opening_of(bytes), 77U);
    out.parts.push_back(io::decode_opening_part(bytes));
    io::check_opening_part(model, pieces, out.parts.back());
    EXPECT_EQ(io::encode(out.parts.back()), bytes);
  }
  out.shares = assign_pieces(out.pieces, out.parts);
  return out;
}

template <class T>
std::vector<std::byte> packed(const io::Pattern& pattern, const std::vector<double>& array,
                              const std::vector<std::uint64_t>& mask) {
  std::vector<T> values(static_cast<std::size_t>(pattern.count()));
  io::pack(pattern, std::span<const double>(array), std::nullopt, std::span<T>(values));
  for (std::size_t k = 0; k < values.size() && !mask.empty(); ++k) {
    if ((mask[k / 64] >> (k % 64) & 1U) == 0) values[k] = static_cast<T>(nothing);
  }
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

template <class T>
void copy_slab(const std::vector<std::byte>& bytes, const io::Box& slab, const io::Extents& shape,
               std::vector<double>& record) {
  const T* values = reinterpret_cast<const T*>(bytes.data());
  io::Extents point = slab.begin;
  for (std::int64_t k = 0; k < slab.volume(); ++k) {
    std::int64_t offset = 0;
    for (std::size_t d = 0; d < shape.size(); ++d) offset = offset * shape[d] + point[d];
    record[static_cast<std::size_t>(offset)] = static_cast<double>(values[k]);
    for (std::size_t d = shape.size(); d-- > 0;) {
      if (++point[d] < slab.begin[d] + slab.size[d]) break;
      point[d] = slab.begin[d];
    }
  }
}

/// What one server makes of a record of a stream that clients send it.
inline std::vector<std::byte> played_slab(const config::Model& model,
                                          const std::vector<Client>& clients,
                                          const PlayedServer& server, int stream) {
  const StreamAssignment& share = server.streams[static_cast<std::size_t>(stream)];
  const auto piece =
      static_cast<std::size_t>(server.pieces.of_stream[static_cast<std::size_t>(stream)]);
  const int grid = nth(model.streams, stream).grid;
  std::vector<std::vector<std::byte>> payloads;
  for (std::size_t i = 0; i < share.piece->senders.size(); ++i) {
    const int c = share.piece->senders[i];
    const Client& client = clients[static_cast<std::size_t>(c)];
    const io::Pattern pattern = io::pattern_to_send(client.model, client.parts, server.pieces,
                                                    piece, share.piece->asked[i]);
    const auto masks = io::opening_masks(client.model, client.parts, server.pieces);
    const auto array = client.array(c, grid);
    payloads.push_back(share.value_bytes == 4 ? packed<float>(pattern, array, masks[piece])
                                              : packed<double>(pattern, array, masks[piece]));
    EXPECT_EQ(payloads.back().size(), share.part_bytes(i));
  }
  std::vector<io::EventQueue::Part> parts;
  for (std::size_t i = 0; i < payloads.size(); ++i) {
    parts.push_back({share.piece->senders[i], payloads[i]});
  }
  std::vector<std::byte> slab(share.slab_bytes());
  assemble(share, parts, slab);
  if (share.piece->in_place) {
    EXPECT_EQ(payloads.front(), slab);
  }
  return slab;
}

/// Puts what a server writes of a record into the whole.
inline void place_slab(const config::Model& model, const StreamAssignment& share, int stream,
                       const std::vector<std::byte>& slab, std::vector<double>& record) {
  const io::Extents shape = io::global_shape(model, nth(model.streams, stream).grid);
  if (share.value_bytes == 4) {
    copy_slab<float>(slab, share.piece->slab, shape, record);
  } else {
    copy_slab<double>(slab, share.piece->slab, shape, record);
  }
}

/// Sends one record of a stream to one server, and puts what it writes into `record`.
inline void play_record(const config::Model& model, const std::vector<Client>& clients,
                        const PlayedServer& server, int stream, std::vector<double>& record) {
  const StreamAssignment& share = server.streams[static_cast<std::size_t>(stream)];
  if (!share.is_concerned()) return;
  place_slab(model, share, stream, played_slab(model, clients, server, stream), record);
}

}  // namespace epios::server::test
