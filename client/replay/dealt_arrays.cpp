#include "dealt_arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "config/error.hpp"
#include "config/index.hpp"
#include "recording/recorded_call.hpp"

namespace epios::replay {
namespace {

using client::size_of;
using config::GridElement;

/// The extent of arrays along an element.
std::int64_t places_of(const config::Model& model, const io::LocalParts& parts,
                       const GridElement& element) {
  if (element.kind == GridElement::Kind::scalar) return model.scalars[element.scalar()].places;
  return parts.data(element).places();
}

std::int64_t volume_of(const std::vector<std::int64_t>& extents) {
  std::int64_t out = 1;
  for (const std::int64_t extent : extents) out *= extent;
  return out;
}

/// Calls `visit(place, from, count)` for each piece of a product of runs, fastest first.
template <class Runs, class Visit>
void for_each_piece(const Runs& runs, const std::vector<std::int64_t>& extents,
                    const std::vector<std::int64_t>& from_extents, const Visit& visit) {
  if (runs.empty()) return visit(0, 0, 1);
  const auto along = [&](const auto& self, std::size_t e, std::int64_t place,
                         std::int64_t from) -> void {
    for (const auto& run : runs[e]) {
      if (e == 0) {
        visit(place * extents[0] + run.place, from * from_extents[0] + run.from, run.count);
        continue;
      }
      for (std::int64_t i = 0; i < run.count; ++i) {
        self(self, e - 1, place * extents[e] + run.place + i,
             from * from_extents[e] + run.from + i);
      }
    }
  };
  along(along, runs.size() - 1, 0, 0);
}

}  // namespace

std::int64_t DealtArray::size() const { return volume_of(extents_); }

std::vector<int> DealtArray::clients() const {
  std::vector<int> out;
  for (const Source& source : sources_) out.push_back(source.client);
  std::reverse(out.begin(), out.end());
  return out;
}

void DealtArray::copy(int client, std::span<const std::byte> from, std::size_t value_bytes,
                      std::span<std::byte> to) const {
  const auto source = std::find_if(sources_.begin(), sources_.end(),
                                   [&](const Source& s) { return s.client == client; });
  if (source == sources_.end()) return;
  if (from.size() != size_of(volume_of(source->extents)) * value_bytes) {
    throw Error(
        ErrorCode::argument,
        fmt::format("an array of recorded client {} has {} bytes (its grid says {}). Was "
                    "the send refused?",
                    client, from.size(), size_of(volume_of(source->extents)) * value_bytes));
  }
  for_each_piece(source->runs, extents_, source->extents,
                 [&](std::int64_t place, std::int64_t at, std::int64_t count) {
                   std::memcpy(to.data() + size_of(place) * value_bytes,
                               from.data() + size_of(at) * value_bytes,
                               size_of(count) * value_bytes);
                 });
}

const DealtArray& DealtArrays::of(int field) const { return nth(arrays_, nth(grids_, field)); }

DealtArrays::DealtArrays(const config::Model& own, std::span<const config::Model> recorded) {
  const io::LocalParts parts(own);
  arrays_.resize(own.grids.size());
  covered_.resize(own.grids.size());
  for (const config::Source& source : own.sources) grids_.push_back(static_cast<int>(source.grid));
  for (std::size_t g = 0; g < own.grids.size(); ++g) {
    for (const GridElement& element : nth(own.grids, g).elements) {
      arrays_[g].extents_.push_back(places_of(own, parts, element));
    }
    covered_[g].resize(size_of(arrays_[g].size()));
  }
  std::vector<int> sent = grids_;
  std::sort(sent.begin(), sent.end());
  sent.erase(std::unique(sent.begin(), sent.end()), sent.end());
  for (std::size_t client = 0; client < recorded.size(); ++client) {
    const io::LocalParts theirs(recorded[client]);
    for (const int grid : sent) {
      add(own, parts, grid, recorded[client], theirs, static_cast<int>(client));
    }
  }
  for (const int grid : sent) check(own, parts, grid);
  covered_.clear();
}

/// Takes what a recorded client has of an array, unless lower ones have all of it.
void DealtArrays::add(const config::Model& own, const io::LocalParts& parts, int grid,
                      const config::Model& recorded, const io::LocalParts& recorded_parts,
                      int client) {
  DealtArray& array = nth(arrays_, grid);
  DealtArray::Source source{client, {}, {}};
  for (const GridElement& element : nth(own.grids, grid).elements) {
    source.extents.push_back(places_of(recorded, recorded_parts, element));
    auto& runs = source.runs.emplace_back();
    if (element.kind == GridElement::Kind::scalar) {
      runs.push_back(
          {own.scalars[element.scalar()].place, recorded.scalars[element.scalar()].place, 1});
      continue;
    }
    const auto mine = parts.data(element).runs();
    for (const io::PartRun& theirs : recorded_parts.data(element).runs()) {
      auto at = std::partition_point(mine.begin(), mine.end(), [&](const io::PartRun& run) {
        return run.global + run.count <= theirs.global;
      });
      for (; at != mine.end() && at->global < theirs.global + theirs.count; ++at) {
        const std::int64_t begin = std::max(at->global, theirs.global);
        const std::int64_t end = std::min(at->global + at->count, theirs.global + theirs.count);
        runs.push_back({at->place + (begin - at->global), theirs.place + (begin - theirs.global),
                        end - begin});
      }
    }
  }
  bool is_new = false;
  std::vector<bool>& covered = nth(covered_, grid);
  for_each_piece(source.runs, array.extents_, source.extents,
                 [&](std::int64_t place, std::int64_t, std::int64_t count) {
                   for (std::int64_t i = place; i < place + count; ++i) {
                     is_new = is_new || !covered[size_of(i)];
                     covered[size_of(i)] = true;
                   }
                 });
  if (is_new) array.sources_.push_back(std::move(source));
}

void DealtArrays::check(const config::Model& own, const io::LocalParts& parts, int grid) const {
  const config::Grid& its = nth(own.grids, grid);
  std::int64_t points = 1;
  for (const GridElement& element : its.elements) {
    if (element.kind != GridElement::Kind::scalar) points *= parts.data(element).points();
  }
  const std::vector<bool>& covered = nth(covered_, grid);
  if (std::count(covered.begin(), covered.end(), true) == points) return;
  throw Error(ErrorCode::argument,
              fmt::format("grid '{}': not every level, or the like, of a point was some recorded "
                          "client's (its points cannot be dealt out anew). Leave out --clients?",
                          its.id));
}

}  // namespace epios::replay
