// Puts the coarse sample of a field together from the slots of all its writers on this node: each
// has the values of its own cells, and the coordinates that it writes, which are not always of the
// same cells.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "config/index.hpp"
#include "config/watched_runs.hpp"
#include "watching/page_reader.hpp"

namespace epios::config {
namespace {

constexpr float unknown = std::numeric_limits<float>::quiet_NaN();
/// More than any sample has: what a page says is not believed.
constexpr std::int32_t most_cells = 1 << 16;

/// One slot, at one moment.
struct SlotSample {
  std::int64_t began_ns = 0;
  std::int32_t server = 0;
  WatchedMap map;
  std::int32_t columns = 0, rows = 0;
  bool is_rectilinear = false;
  int own = 0;
  std::vector<std::uint16_t> cell;
  std::vector<float> lon, lat, values;
};

SlotSample read_slot(const MapSlot& slot) {
  SlotSample out;
  out.began_ns = slot.began_ns.get();
  out.server = slot.server.get();
  out.map = {slot.component.get(),
             slot.context.get(),
             slot.field.get(),
             slot.unit.get(),
             slot.level.get(),
             {},
             -1};
  out.columns = slot.columns.get();
  out.rows = slot.rows.get();
  out.is_rectilinear = slot.is_rectilinear.get() != 0;
  const int cells = std::clamp<std::int32_t>(slot.cells.get(), 0, MapSlot::most_cells);
  out.own = std::clamp<std::int32_t>(slot.own.get(), 0, cells);
  for (int i = 0; i < cells; ++i) out.cell.push_back(nth(slot.cell, i).get());
  for (const auto& lon : slot.lon) out.lon.push_back(lon.get());
  for (const auto& lat : slot.lat) out.lat.push_back(lat.get());
  // A writer that was killed in the middle leaves an odd number for ever.
  constexpr int most_attempts = 1000;
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    const std::uint64_t before = slot.sequence.load(std::memory_order_acquire);
    if (before == 0) break;  // no record yet
    out.values.clear();
    for (int i = 0; i < cells; ++i) out.values.push_back(nth(slot.values, i).get());
    out.map.record = slot.record.get();
    out.map.date = date_text(slot.date);
    if (before % 2 == 0 && slot.sequence.load(std::memory_order_relaxed) == before) return out;
  }
  out.map.record = -1;
  out.values.clear();
  return out;
}

/// The whole sample, by number of the cell.
class Sample {
 public:
  void add(const SlotSample& slot) {
    if (slot.columns < 1 || slot.rows < 1 || slot.columns > most_cells / slot.rows) return;
    const std::uint64_t size =
        static_cast<std::uint64_t>(slot.columns) * static_cast<std::uint64_t>(slot.rows);
    if (out_.columns != slot.columns || out_.rows != slot.rows) {  // the first, or another grid
      *this = Sample();
      out_.columns = slot.columns;
      out_.rows = slot.rows;
      for (auto* list : {&out_.lon, &out_.lat, &out_.values}) {
        list->assign(size, unknown);
      }
      is_here_.assign(size, false);
    }
    for (int i = 0; i < slot.own; ++i) {
      if (nth(slot.cell, i) < size) is_here_[nth(slot.cell, i)] = true;
    }
    add_coordinates(slot);
    if (slot.values.empty()) return;
    const std::int64_t record = slot.map.record;
    out_.oldest_record = out_.oldest_record < 0 ? record : std::min(out_.oldest_record, record);
    if (out_.map.field.empty() || out_.map.record < record) out_.map = slot.map;
    for (std::size_t i = 0; i < slot.values.size(); ++i) {
      if (slot.cell[i] < size && !std::isnan(slot.values[i])) {
        out_.values[slot.cell[i]] = slot.values[i];
      }
    }
  }

  /// Returns what has coordinates and is written here, if there is a record.
  std::optional<MapSample> result() const {
    if (out_.map.field.empty()) return std::nullopt;
    MapSample out = out_;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < out.lon.size(); ++i) {
      if (!is_here_[i] || std::isnan(out.lon[i]) || std::isnan(out.lat[i])) continue;
      out.lon[kept] = out.lon[i];
      out.lat[kept] = out.lat[i];
      out.values[kept++] = out.values[i];
    }
    for (auto* list : {&out.lon, &out.lat, &out.values}) list->resize(kept);
    out.elsewhere = out.columns * out.rows - static_cast<std::int64_t>(kept);
    return out;
  }

 private:
  void add_coordinates(const SlotSample& slot) {
    const auto put = [](std::vector<float>& to, std::int64_t at, float value) {
      if (at < std::ssize(to) && !std::isnan(value)) nth(to, at) = value;
    };
    if (!slot.is_rectilinear) {
      for (std::size_t i = 0; i < slot.cell.size(); ++i) {
        put(out_.lon, slot.cell[i], slot.lon[i]);
        put(out_.lat, slot.cell[i], slot.lat[i]);
      }
      return;
    }
    for (std::int64_t i = 0; i < std::ssize(out_.lon); ++i) {
      const std::int64_t row = i / slot.columns, column = i % slot.columns;
      if (column < std::ssize(slot.lon)) put(out_.lon, i, nth(slot.lon, column));
      if (row < std::ssize(slot.lat)) put(out_.lat, i, nth(slot.lat, row));
    }
  }

  MapSample out_;
  std::vector<bool> is_here_;  // by number of the cell: a server of this node writes it
};

}  // namespace

std::optional<MapSample> map_of(const MappedPages& pages, const std::string& job,
                                const WatchedMap& wanted) {
  // By server and first cell. A context may have been opened before: the last time counts.
  std::map<std::pair<std::int32_t, int>, SlotSample> slots;
  for (const auto& [path, page] : pages) {
    if (page->head().job.get() != job) continue;
    page->for_each<MapSlot>(map_slots, [&](const MapSlot& slot) {
      if (slot.field.get() != wanted.field || slot.context.get() != wanted.context ||
          slot.component.get() != wanted.component) {
        return;
      }
      SlotSample read = read_slot(slot);
      if (slot.began_ns.get() != read.began_ns) return;
      SlotSample& known = slots[{read.server, read.cell.empty() ? -1 : read.cell.front()}];
      if (known.began_ns <= read.began_ns) known = std::move(read);
    });
  }
  std::vector<const SlotSample*> in_order;
  for (const auto& [key, slot] : slots) in_order.push_back(&slot);
  std::sort(in_order.begin(), in_order.end(),
            [](const auto* a, const auto* b) { return a->began_ns < b->began_ns; });
  Sample sample;
  for (const SlotSample* slot : in_order) sample.add(*slot);
  return sample.result();
}

}  // namespace epios::config
