// The parts of an imagined model. Blocks are set as a model would set them, and the agreement of
// clients is computed without sending: the least of what each would say.
#include "dealt_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "config/error.hpp"
#include "config/index.hpp"
#include "grid/part.hpp"

namespace epios::layouts {
namespace {

std::int64_t cut(std::int64_t size, std::int64_t parts, std::int64_t part) {
  return size * part / parts;
}

config::value::reals numbers(std::int64_t begin, std::int64_t count, double origin, double each) {
  config::value::reals out{{}, {count}};
  for (std::int64_t k = 0; k < count; ++k) {
    out.values.push_back(origin + each * (static_cast<double>(begin + k) + 0.5));
  }
  return out;
}

/// One longitude and latitude per cell, as on a regular grid.
void set_cells(config::DomainAttributes& a, const Block& block) {
  const double each_lon = 360.0 / static_cast<double>(*a.ni_glo);
  const double each_lat = 180.0 / static_cast<double>(*a.nj_glo);
  config::value::reals lon{{}, {block.ni, block.nj}};
  config::value::reals lat = lon;
  for (std::int64_t j = block.jbegin; j < block.jbegin + block.nj; ++j) {
    for (std::int64_t i = block.ibegin; i < block.ibegin + block.ni; ++i) {
      lon.values.push_back(each_lon * (static_cast<double>(i) + 0.5));
      lat.values.push_back(-90 + each_lat * (static_cast<double>(j) + 0.5));
    }
  }
  a.lonvalue_2d = std::move(lon);
  a.latvalue_2d = std::move(lat);
}

void describe(config::Domain& domain, const Block& block) {
  config::DomainAttributes& a = domain.attributes;
  a.ibegin = block.ibegin;
  a.ni = block.ni;
  a.jbegin = block.jbegin;
  a.nj = block.nj;
  if (io::is_unstructured(domain)) {
    const std::int64_t cells = *a.ni_glo * *a.nj_glo;
    a.lonvalue_1d = numbers(block.ibegin, block.ni, 0, 360.0 / static_cast<double>(cells));
    a.latvalue_1d = numbers(block.ibegin, block.ni, -90, 180.0 / static_cast<double>(cells));
  } else if (a.type.value_or("") == "rectilinear") {
    a.lonvalue_1d = numbers(block.ibegin, block.ni, 0, 360.0 / static_cast<double>(*a.ni_glo));
    a.latvalue_1d = numbers(block.jbegin, block.nj, -90, 180.0 / static_cast<double>(*a.nj_glo));
  } else {
    set_cells(a, block);
  }
}

void require_size(const char* kind, const std::string& id, const char* attribute,
                  std::int64_t size) {
  if (size > 0) return;
  throw Error(ErrorCode::configuration,
              fmt::format("{0} '{1}' has no {2} (its size is left to the model). Give it with "
                          "--set {0}:{1}.{2}=360?",
                          kind, id, attribute));
}

/// The lower of two, entry by entry.
void unite(io::Holders& holders, const io::Holders& other) {
  std::vector<std::int32_t> least = io::numbers_of(holders);
  const std::vector<std::int32_t> numbers_of_other = io::numbers_of(other);
  for (std::size_t i = 0; i < least.size(); ++i) {
    least[i] = std::min(least[i], numbers_of_other[i]);
  }
  io::set_from_numbers(holders, least);
}

}  // namespace

Dealing Dealing::square(int clients) {
  return {clients, std::max(1, static_cast<int>(std::lround(std::sqrt(clients))))};
}

Block block_of(const config::Domain& domain, const Dealing& dealing, int client) {
  const std::int64_t ni = domain.attributes.ni_glo.value_or(0);
  const std::int64_t nj = domain.attributes.nj_glo.value_or(0);
  Block block;
  if (io::is_unstructured(domain)) {
    block.ibegin = cut(ni * nj, dealing.clients, client);
    block.ni = cut(ni * nj, dealing.clients, client + 1) - block.ibegin;
    block.nj = 1;
    return block;
  }
  const int columns = std::clamp(dealing.columns, 1, dealing.clients);
  const int rows = (dealing.clients + columns - 1) / columns;
  const int row = client / columns;
  const int in_row = row == rows - 1 ? dealing.clients - row * columns : columns;
  block.ibegin = cut(ni, in_row, client % columns);
  block.ni = cut(ni, in_row, client % columns + 1) - block.ibegin;
  block.jbegin = cut(nj, rows, row);
  block.nj = cut(nj, rows, row + 1) - block.jbegin;
  return block;
}

DealtModel::DealtModel(config::Model model, const Dealing& dealing)
    : model_(std::move(model)), dealing_(dealing) {
  for (config::Axis& axis : model_.axes) {
    const std::int64_t size = axis.attributes.n_glo.value_or(0);
    require_size("axis", axis.id, "n_glo", size);
    axis.attributes.begin = 0;
    axis.attributes.n = size;
    axis.attributes.value = numbers(0, size, 0, 1);
  }
  for (const config::Domain& domain : model_.domains) {
    require_size("domain", domain.id, "ni_glo", domain.attributes.ni_glo.value_or(0));
    require_size("domain", domain.id, "nj_glo", domain.attributes.nj_glo.value_or(0));
    const int columns = std::clamp(dealing_.columns, 1, dealing_.clients);
    all_may_offer_ = all_may_offer_ || domain.attributes.ni_glo.value_or(0) < columns ||
                     domain.attributes.nj_glo.value_or(0) < dealing_.clients / columns + 1;
  }
  agree_on_holders();
  agree_on_sides();
}

const config::Model& DealtModel::of(int client) {
  if (client == client_) return model_;
  client_ = client;
  for (config::Domain& domain : model_.domains) {
    describe(domain, block_of(domain, dealing_, client));
  }
  return model_;
}

/// Axes and scalars are those of the first client. A domain has a holder if it has so few cells
/// that one client has them all.
void DealtModel::agree_on_holders() {
  forms_ = io::local_forms(of(0));
  holders_ = io::local_holders(model_, io::LocalParts(model_), forms_, 0);
  for (const config::Domain& domain : model_.domains) {
    const std::int64_t cells = *domain.attributes.ni_glo * *domain.attributes.nj_glo;
    for (int c = 1; cells < dealing_.clients && c < dealing_.clients; ++c) {
      const Block block = block_of(domain, dealing_, c);
      if (block.ni * block.nj < cells) continue;
      of(c);
      unite(holders_, io::local_holders(model_, io::LocalParts(model_), forms_, c));
      break;
    }
  }
}

/// Of clients that have the same column or row, the lowest one is in the first row or column.
bool DealtModel::may_offer_sides(int client) const {
  const int columns = std::clamp(dealing_.columns, 1, dealing_.clients);
  return all_may_offer_ || client < columns || client % columns == 0;
}

void DealtModel::agree_on_sides() {
  votes_ = io::side_votes(of(0), forms_, holders_, 0);
  if (votes_.empty()) return;
  for (int c = 1; c < dealing_.clients; ++c) {
    if (!may_offer_sides(c)) continue;
    const std::vector<std::uint64_t> votes = io::side_votes(of(c), forms_, holders_, c);
    for (std::size_t i = 0; i < votes.size(); ++i) votes_[i] = std::min(votes_[i], votes[i]);
  }
}

io::Holders DealtModel::holders() {
  if (votes_.empty()) return holders_;
  const bool offers = may_offer_sides(client_);
  if (!offers && others_) return *others_;
  io::Holders out = holders_;
  io::set_sides(out, model_, forms_, io::side_votes(model_, forms_, holders_, client_), votes_);
  if (!offers) others_ = out;
  return out;
}

}  // namespace epios::layouts
