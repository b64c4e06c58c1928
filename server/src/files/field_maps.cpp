// Coarse samples of fields for those who watch the run. Which cells there are follows from the
// shape of the domain alone; a server has values of those in its slabs, and coordinates of those
// that it writes to the file. In order: the sample, the choice of fields, one field, all of them.
#include "files/field_maps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "config/calendar.hpp"
#include "config/index.hpp"
#include "config/model.hpp"
#include "config/temporal.hpp"
#include "grid/part.hpp"
#include "grid/routing.hpp"

namespace epios::server {
namespace {

constexpr std::size_t most_maps = 16;
constexpr float no_value = std::numeric_limits<float>::quiet_NaN();

/// At most `most` places of [0, extent), each in the middle of its stretch.
std::vector<std::int64_t> even_places(std::int64_t extent, std::int64_t most) {
  const std::int64_t step = std::max<std::int64_t>(1, (extent + most - 1) / most);
  std::vector<std::int64_t> out;
  for (std::int64_t at = 0; at < extent; at += step) {
    out.push_back(at + std::min(step, extent - at) / 2);
  }
  return out;
}

std::vector<std::int64_t> scattered_places(std::int64_t extent, std::int64_t most) {
  const std::int64_t step = std::max<std::int64_t>(1, (extent + most - 1) / most);
  std::vector<std::int64_t> out;
  for (std::int64_t at = 0; at < extent; at += step) {
    constexpr std::uint64_t golden = 0x9e37'79b9'7f4a'7c15;  // of Knuth's multiplicative hash
    const std::uint64_t chance = (static_cast<std::uint64_t>(out.size()) + 1) * golden >> 32U;
    const auto stretch = static_cast<std::uint64_t>(std::min(step, extent - at));
    out.push_back(at + static_cast<std::int64_t>(chance % stretch));
  }
  return out;
}

template <class T>
double read(std::span<const std::byte> slab, std::int64_t at) {
  T out{};
  std::memcpy(&out, slab.data() + at, sizeof out);
  return static_cast<double>(out);
}

/// The domain of a grid that has one, and its first dimension in a file.
struct DomainPlace {
  config::GridElement element;
  std::size_t first_dimension = 0;
};

std::optional<DomainPlace> domain_of(const config::Model& model, config::GridId grid) {
  std::optional<DomainPlace> out;
  std::size_t dimensions = 0;
  const auto& elements = model.grids[grid].elements;
  for (auto element = elements.rbegin(); element != elements.rend(); ++element) {
    if (element->kind == config::GridElement::Kind::domain) {
      if (out) return std::nullopt;
      out = {*element, dimensions};
    }
    dimensions += io::element_shape(model, *element).size();
  }
  return out;
}

/// Says which levels and the like a map is of: the first ones.
std::string level_text(const config::Model& model, config::GridId grid) {
  std::string out;
  for (const config::GridElement& element : model.grids[grid].elements) {
    if (element.kind != config::GridElement::Kind::axis) continue;
    out += fmt::format("{}{} 1 of {}", out.empty() ? "" : ", ", model.axes[element.axis()].name,
                       io::element_shape(model, element).at(0));
  }
  return out;
}

/// Returns the position in a box of a point of the whole, -1 if it is not in it.
std::int64_t place_in(const io::Box& box, const io::Extents& point) {
  std::int64_t out = 0;
  for (std::size_t d = 0; d < box.rank(); ++d) {
    const std::int64_t at = point[d] - box.begin[d];
    if (at < 0 || at >= box.size[d]) return -1;
    out = out * box.size[d] + at;
  }
  return out;
}

double as_double(const std::vector<double>& list, std::int64_t at) {
  return at >= 0 && at < std::ssize(list) ? nth(list, static_cast<int>(at))
                                          : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

DomainSample sample_of(const io::Extents& shape) {
  DomainSample out;
  if (shape.size() == 1) {
    out.places = {scattered_places(shape[0], DomainSample::most_columns * DomainSample::most_rows)};
    out.columns = std::ssize(out.places[0]);
    out.rows = 1;
    return out;
  }
  out.places = {even_places(shape.at(0), DomainSample::most_rows),
                even_places(shape.at(1), DomainSample::most_columns)};
  out.rows = std::ssize(out.places[0]);
  out.columns = std::ssize(out.places[1]);
  return out;
}

std::vector<config::StreamId> fields_on_maps(const config::Model& model,
                                             const io::CoordinateForms& forms, std::size_t most) {
  std::vector<config::StreamId> out;
  std::set<std::string> names;
  std::size_t longest = 0;
  for (const config::File& file : model.files) longest = std::max(longest, file.streams.size());
  for (std::size_t turn = 0; turn < longest; ++turn) {
    for (const config::File& file : model.files) {
      if (out.size() == most) return out;
      if (turn >= file.streams.size()) continue;
      const config::Stream& stream = model.streams[file.streams[turn]];
      const std::optional<DomainPlace> domain = domain_of(model, stream.grid);
      if (!domain || stream.attributes.indexed_output.value_or(false)) continue;
      const io::CoordinateForm& form = forms.of(domain->element);
      if (!form.has_lon || !form.has_lat || !names.insert(stream.name).second) continue;
      out.push_back(file.streams[turn]);
    }
  }
  return out;
}

/// One field: slots, and where in a record their cells are.
class FieldMaps::Map {
 public:
  Map(const Contents& contents, config::StreamId stream)
      : share_(nth(contents.shares, stream)),
        calendar_(contents.model.calendar()),
        times_(contents.model.record_times(contents.model.streams[stream])),
        domain_(*domain_of(contents.model, contents.model.streams[stream].grid)),
        is_rectilinear_(io::is_rectilinear(contents.model, domain_.element)),
        sample_(sample_of(io::element_shape(contents.model, domain_.element))) {
    const std::optional<double> fill = io::file_fill(contents.model.streams[stream]);
    if (fill) fill_ = share_.form.file_bytes == 4 ? static_cast<float>(*fill) : *fill;
    for (const io::CoordinatePiece& piece : contents.pieces.coordinates) {
      if (piece.file != int{contents.model.streams[stream].file}) continue;
      if (piece.window >= std::ssize(contents.coordinates)) continue;
      const io::CoordinateSlab& slab = nth(contents.coordinates, piece.window);
      if (slab.element == domain_.element && !slab.window.is_empty()) coordinates_ = &slab;
    }
    find_cells();
  }

  /// Takes the slots and describes them. Returns false if there is nothing to show, or no room.
  bool show_in(config::RunPage& page, const Contents& contents, config::StreamId stream,
               const std::string& component, int server) {
    if (cells_.empty() && coordinates_ == nullptr) return false;
    slots_ = page.take_maps(cells_.size());
    const config::Stream& field = contents.model.streams[stream];
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      config::MapSlot& slot = *slots_[i];
      slot.server.set(server);
      slot.component.set(component);
      slot.context.set(contents.model.context_id);
      slot.field.set(field.name);
      slot.unit.set(field.attributes.unit.value_or(""));
      slot.level.set(level_text(contents.model, field.grid));
      slot.columns.set(static_cast<std::int32_t>(sample_.columns));
      slot.rows.set(static_cast<std::int32_t>(sample_.rows));
      slot.is_rectilinear.set(is_rectilinear_ ? 1 : 0);
      describe_cells(slot, i * config::MapSlot::most_cells);
    }
    coordinates_ = nullptr;  // is not there for long
    return !slots_.empty();
  }

  void show(std::int64_t record, std::span<const std::byte> slab) {
    const config::Date end = calendar_.date(times_.of(record).end);
    const config::PageDate date{end.year,   calendar_.has_months() ? end.month : 0,
                                end.day,    end.hour,
                                end.minute, end.second};
    std::size_t first = 0;
    for (const auto& slot : slots_) {
      slot->set(record, date, [&](std::size_t i) { return value(slab, cells_[first + i].place); });
      slot->updated_ns.set(config::page_clock_ns());
      first += config::MapSlot::most_cells;
    }
  }

 private:
  struct Cell {
    std::uint16_t number = 0;     // in the sample
    std::int64_t place = -1;      // in a record; -1: only the coordinates are here
    std::int64_t in_window = -1;  // of the coordinates
  };

  static bool is_own(const Cell& cell) { return cell.place >= 0; }

  void find_cells() {
    const io::Box nowhere = io::nothing(0);
    const bool has_data = share_.is_concerned();
    const io::Box& box = has_data ? share_.box_on_file() : nowhere;
    // Other elements: the first of each.
    io::Extents point(has_data ? box.rank() : 0, 0);
    for (std::int64_t n = 0; n < sample_.rows * sample_.columns; ++n) {
      io::Extents in_domain{nth(sample_.places.back(), static_cast<int>(n % sample_.columns))};
      if (sample_.places.size() == 2) {
        in_domain.insert(in_domain.begin(),
                         nth(sample_.places[0], static_cast<int>(n / sample_.columns)));
      }
      Cell cell;
      cell.number = static_cast<std::uint16_t>(n);
      if (has_data) {
        std::copy(in_domain.begin(), in_domain.end(),
                  point.begin() + static_cast<std::ptrdiff_t>(domain_.first_dimension));
        cell.place = place_in(box, point);
      }
      if (coordinates_ != nullptr && !is_rectilinear_) {
        cell.in_window = place_in(coordinates_->window, in_domain);
      }
      if (cell.place >= 0 || cell.in_window >= 0) cells_.push_back(cell);
    }
    std::stable_partition(cells_.begin(), cells_.end(), is_own);
  }

  void describe_cells(config::MapSlot& slot, std::size_t first) const {
    const std::size_t count = std::min(config::MapSlot::most_cells, cells_.size() - first);
    slot.cells.set(static_cast<std::int32_t>(count));
    const auto begin = cells_.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = begin + static_cast<std::ptrdiff_t>(count);
    slot.own.set(static_cast<std::int32_t>(std::count_if(begin, end, is_own)));
    for (std::size_t i = 0; i < config::MapSlot::most_cells; ++i) {
      slot.lon[i].set(no_value);
      slot.lat[i].set(no_value);
    }
    for (std::size_t i = 0; i < count; ++i) {
      const Cell& cell = cells_[first + i];
      slot.cell[i].set(cell.number);
      if (coordinates_ == nullptr || is_rectilinear_) continue;
      slot.lon[i].set(static_cast<float>(as_double(coordinates_->lon, cell.in_window)));
      slot.lat[i].set(static_cast<float>(as_double(coordinates_->lat, cell.in_window)));
    }
    if (coordinates_ == nullptr || !is_rectilinear_) return;
    const auto set = [&](auto& to, const std::vector<double>& values, std::size_t dimension) {
      const std::int64_t begin = coordinates_->window.begin.at(dimension);
      const std::vector<std::int64_t>& places = sample_.places.at(dimension);
      for (std::size_t i = 0; i < places.size(); ++i) {
        to[i].set(static_cast<float>(as_double(values, places[i] - begin)));
      }
    };
    set(slot.lat, coordinates_->lat, 0);
    set(slot.lon, coordinates_->lon, 1);
  }

  float value(std::span<const std::byte> slab, std::int64_t place) const {
    const StoredForm& form = share_.form;
    const std::int64_t at = place * form.file_bytes;
    if (place < 0 || at + form.file_bytes > std::ssize(slab)) return no_value;
    const double out = form.file_bytes == 2   ? read<std::int16_t>(slab, at)
                       : form.file_bytes == 4 ? read<float>(slab, at)
                                              : read<double>(slab, at);
    if (out == fill_) return no_value;
    return static_cast<float>(form.is_packed ? out * form.scale_factor + form.add_offset : out);
  }

  const StreamAssignment& share_;
  config::Calendar calendar_;
  config::RecordTimes times_;
  DomainPlace domain_;
  bool is_rectilinear_ = false;
  DomainSample sample_;
  const io::CoordinateSlab* coordinates_ = nullptr;  // of the domain, while the context opens
  double fill_ = std::numeric_limits<double>::quiet_NaN();
  std::vector<Cell> cells_;
  std::vector<config::HeldSlot<config::MapSlot>> slots_;
};

FieldMaps::FieldMaps() = default;
FieldMaps::~FieldMaps() = default;

void FieldMaps::open(const Contents& contents, config::RunPage& page, const std::string& component,
                     int server) {
  maps_.clear();
  if (page.path().empty() || contents.shares.size() != contents.model.streams.size()) return;
  maps_.resize(contents.model.streams.size());
  for (const config::StreamId stream : fields_on_maps(contents.model, contents.forms, most_maps)) {
    auto map = std::make_unique<Map>(contents, stream);
    if (map->show_in(page, contents, stream, component, server)) {
      nth(maps_, stream) = std::move(map);
    }
  }
}

void FieldMaps::show(int stream, std::int64_t record, std::span<const std::byte> slab) {
  if (maps_.empty()) return;
  if (Map* const map = nth(maps_, stream).get()) map->show(record, slab);
}

}  // namespace epios::server
