#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "config/error.hpp"
#include "event/wire.hpp"
#include "grid/layout.hpp"

namespace epios::io {

namespace {

[[noreturn]] void refuse(std::size_t client, const std::string& why) {
  throw Error(ErrorCode::protocol,
              fmt::format("the local part of client {} does not belong to the context ({}). Do all "
                          "clients see the same configuration?",
                          client, why));
}

/// `n_glo`: size of the axis or direction.
void check_coordinate(std::size_t client, const std::string& name, const CoordinatePart& part,
                      std::int64_t n_glo) {
  const auto values = static_cast<std::int64_t>(part.values.size());
  const auto bounds = static_cast<std::int64_t>(part.bounds.size());
  if (part.begin < 0 || part.begin > n_glo || values > n_glo - part.begin || bounds % 2 != 0 ||
      bounds / 2 > n_glo - part.begin) {
    refuse(client, fmt::format("{}: {} values and {} bounds from {} on, of {} in all", name, values,
                               bounds, part.begin, n_glo));
  }
}

/// Writes `part` over what is there already.
void place(const std::vector<double>& part, std::int64_t begin, std::int64_t total,
           std::vector<double>& all) {
  if (part.empty()) return;
  if (all.empty()) {
    all.assign(static_cast<std::size_t>(total), std::numeric_limits<double>::quiet_NaN());
  }
  std::copy(part.begin(), part.end(), all.begin() + begin);
}

void place(const CoordinatePart& part, std::int64_t n_glo, CoordinateValues& all) {
  place(part.values, part.begin, n_glo, all.values);
  place(part.bounds, 2 * part.begin, 2 * n_glo, all.bounds);
}

template <class Array>
std::vector<double> values_of(const std::optional<Array>& array) {
  return array ? array->values : std::vector<double>{};
}

}  // namespace

void check_parts(const config::Model& model, const std::vector<ClientPart>& clients) {
  for (std::size_t c = 0; c < clients.size(); ++c) {
    const ClientPart& part = clients[c];
    if (part.boxes.size() != model.grids.size() || part.axes.size() != model.axes.size() ||
        part.lon.size() != model.domains.size() || part.lat.size() != model.domains.size()) {
      refuse(c, fmt::format("it has {} grids, {} axes and {} domains, the context {}, {} and {}",
                            part.boxes.size(), part.axes.size(), part.lon.size(),
                            model.grids.size(), model.axes.size(), model.domains.size()));
    }
    for (std::size_t g = 0; g < part.boxes.size(); ++g) {
      const Box all = whole(global_shape(model, static_cast<int>(g)));
      const Box& box = part.boxes[g];
      if (box.rank() != all.rank() || !contains(all, box)) {
        refuse(c, fmt::format("grid '{}': its part {} is not in {}", model.grids[g].id, box.text(),
                              all.text()));
      }
    }
    for (std::size_t a = 0; a < model.axes.size(); ++a) {
      const auto& axis = model.axes[a];
      check_coordinate(c, "axis '" + axis.id + "'", part.axes[a],
                       axis.attributes.n_glo.value_or(0));
    }
    for (std::size_t d = 0; d < model.domains.size(); ++d) {
      const auto& domain = model.domains[d];
      const std::string name = "domain '" + domain.id + "', ";
      check_coordinate(c, name + "longitudes", part.lon[d], domain.attributes.ni_glo.value_or(0));
      check_coordinate(c, name + "latitudes", part.lat[d], domain.attributes.nj_glo.value_or(0));
    }
  }
}

ElementCoordinates assemble_coordinates(const config::Model& model,
                                        const std::vector<ClientPart>& clients) {
  check_parts(model, clients);
  ElementCoordinates all;
  all.axes.resize(model.axes.size());
  all.lon.resize(model.domains.size());
  all.lat.resize(model.domains.size());
  // From the last client to the first: the lowest rank has the last word.
  for (std::size_t c = clients.size(); c-- > 0;) {
    const ClientPart& part = clients[c];
    for (std::size_t a = 0; a < model.axes.size(); ++a) {
      place(part.axes[a], model.axes[a].attributes.n_glo.value_or(0), all.axes[a]);
    }
    for (std::size_t d = 0; d < model.domains.size(); ++d) {
      const auto& attributes = model.domains[d].attributes;
      place(part.lon[d], attributes.ni_glo.value_or(0), all.lon[d]);
      place(part.lat[d], attributes.nj_glo.value_or(0), all.lat[d]);
    }
  }
  return all;
}

ClientPart local_part(const config::Model& model, int remote_rank) {
  ClientPart part;
  part.remote_rank = remote_rank;
  for (std::size_t g = 0; g < model.grids.size(); ++g) {
    part.boxes.push_back(local_box(model, static_cast<int>(g)));
  }
  for (const auto& axis : model.axes) {
    const auto& a = axis.attributes;
    part.axes.push_back({a.begin.value_or(0), values_of(a.value), values_of(a.bounds)});
  }
  for (const auto& domain : model.domains) {
    const auto& a = domain.attributes;
    part.lon.push_back(
        {a.ibegin.value_or(0), values_of(a.lonvalue_1d), values_of(a.bounds_lon_1d)});
    part.lat.push_back(
        {a.jbegin.value_or(0), values_of(a.latvalue_1d), values_of(a.bounds_lat_1d)});
  }
  return part;
}

}  // namespace epios::io
