#include "grids/beyond_data.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <ep/ep.hpp>
#include <limits>
#include <optional>
#include <utility>

#include "config/model.hpp"

namespace epios::client {

namespace {

/// Values of one client that stand for no point of its part.
struct Beyond {
  std::int64_t count = 0;
  std::string first;  ///< of them, in words
};

Beyond beyond(const config::AxisAttributes& a) {
  Beyond out;
  if (!a.data_index) return out;
  const std::int64_t n = a.n.value_or(a.n_glo.value_or(0));
  for (std::size_t k = 0; k < a.data_index->values.size(); ++k) {
    const std::int64_t cell = a.data_index->values[k];
    if (cell < n) continue;
    if (out.count++ > 0) continue;
    out.first = fmt::format("value {} of data_index is {}, n is {}", k, cell, n);
  }
  return out;
}

Beyond beyond(const config::DomainAttributes& a) {
  Beyond out;
  if (!a.data_i_index) return out;
  const std::int64_t ni = a.ni.value_or(a.ni_glo.value_or(0));
  const std::int64_t nj = a.nj.value_or(a.nj_glo.value_or(1));
  const bool is_flat = a.data_dim.value_or(1) == 1;
  const bool is_row = is_flat && !a.data_j_index;  // positions among all cells
  const std::int64_t columns = is_row ? ni * nj : ni;
  for (std::size_t k = 0; k < a.data_i_index->values.size(); ++k) {
    const std::int64_t i = a.data_i_index->values[k];
    const std::int64_t j = a.data_j_index ? a.data_j_index->values[k] : 0;
    if (i < 0 || j < 0 || (i < columns && j < nj)) continue;
    if (out.count++ > 0) continue;
    const bool is_column = i >= columns;
    out.first = fmt::format("value {} of {} is {}, {} is {}", k,
                            is_column ? "data_i_index" : "data_j_index", is_column ? i : j,
                            is_row      ? "ni x nj"
                            : is_column ? "ni"
                                        : "nj",
                            is_column ? columns : nj);
  }
  return out;
}

}  // namespace

std::vector<std::string> data_beyond(const config::Model& model, const ep::Comm& clients) {
  std::vector<std::pair<std::string, Beyond>> own;
  for (const config::Axis& axis : model.axes) {
    own.emplace_back(fmt::format("axis '{}'", axis.id), beyond(axis.attributes));
  }
  for (const config::Domain& domain : model.domains) {
    own.emplace_back(fmt::format("domain '{}'", domain.id), beyond(domain.attributes));
  }
  if (own.empty()) return {};
  std::vector<int> ranks;
  ranks.reserve(own.size());
  for (const auto& [element, found] : own) {
    ranks.push_back(found.count > 0 ? clients.rank() : std::numeric_limits<int>::max());
  }
  std::vector<int> lowest(ranks.size());
  ep::check(EP_Allreduce(ranks.data(), lowest.data(), ep::message_count(ranks.size()), MPI_INT,
                         MPI_MIN, clients.get()));
  std::vector<std::string> out;
  for (std::size_t e = 0; e < own.size(); ++e) {
    const auto& [element, found] = own[e];
    if (found.count == 0 || lowest[e] != clients.rank()) continue;
    out.push_back(fmt::format(
        "context '{}': {}: {} positions of the model's array are beyond the part of client {} "
        "({}); they are ignored. Count from 0, and write -1 for no point?",
        model.context_id, element, found.count, clients.rank(), found.first));
  }
  return out;
}

}  // namespace epios::client
