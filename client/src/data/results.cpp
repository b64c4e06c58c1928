#include "data/results.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <variant>

#include "config/index.hpp"
#include "config/model.hpp"
#include "config/spatial.hpp"

namespace epios::client {

/// A record of a result is that of a step: one comes at most.
class Results::ResultSink final : public io::Sink {
 public:
  ResultSink(Kept& kept, io::ArrayLayout layout) : kept_(kept), layout_(std::move(layout)) {}
  void put(std::int64_t record, std::int64_t /*samples*/, const io::ArrayValues& values) override {
    std::visit([&](auto array) { keep(array, values.marker); }, values.values);
    kept_.step = record;
  }

 private:
  template <class T>
  void keep(std::span<const T> array, const std::optional<double>& marker) {
    double* const to = kept_.array.values().data();
    layout_.for_each_piece([&](std::int64_t place, std::int64_t count) {
      for (std::int64_t k = place; k < place + count; ++k) {
        const T value = nth(array, k);
        const bool is_missing = marker && value == static_cast<T>(*marker);
        to[k] = is_missing ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(value);
      }
    });
  }

  Kept& kept_;
  io::ArrayLayout layout_;
};

namespace {

/// Whether the points of a grid lie in the array of another one.
bool is_view(const config::Model& model, int grid) {
  const auto& elements = model.grids[config::GridId(grid)].elements;
  return std::any_of(model.expressions.begin(), model.expressions.end(),
                     [&](const config::FieldExpression& expression) {
                       const auto step = config::spatial_step(model, expression);
                       return step && config::is_view(step->transformation->kind) &&
                              std::find(elements.begin(), elements.end(), step->target) !=
                                  elements.end();
                     });
}

}  // namespace

Results::Results(const config::Model& model, const io::LocalParts& parts)
    : model_(model), parts_(parts) {
  kept_.reserve(model.results.size());
  for (const config::Stream& result : model.results) {
    kept_.push_back({ArrayPlaces(model, parts, result.grid), -1});
    if (!is_view(model, result.grid)) continue;
    kept_.back().is_view = true;
    kept_.back().places = io::places_of_cells(model, parts, result.grid);
  }
}

std::unique_ptr<io::Sink> Results::sink(int result) {
  return std::make_unique<ResultSink>(
      nth(kept_, result), io::ArrayLayout(model_, parts_, nth(model_.results, result).grid));
}

template <class T>
void Results::copy(int result, bool of_partners, std::span<T> array) const {
  const config::FieldAttributes& attributes = nth(model_.results, result).attributes;
  const bool fills = of_partners || attributes.detect_missing_value.value_or(false);
  if (nth(kept_, result).is_view) return copy_cells(result, fills, array);
  nth(kept_, result)
      .array.copy(attributes.default_value, fills ? attributes.default_value : std::nullopt, array);
}

template <class T>
void Results::copy_cells(int result, bool fills, std::span<T> array) const {
  const config::FieldAttributes& attributes = nth(model_.results, result).attributes;
  const Kept& kept = nth(kept_, result);
  const std::span<const double> values = kept.array.values();
  for (std::size_t cell = 0; cell < kept.places.size(); ++cell) {
    const std::int64_t place = kept.places[cell];
    double value = place < 0 ? std::numeric_limits<double>::quiet_NaN() : nth(values, place);
    const bool is_filled = place < 0 || (fills && std::isnan(value));
    if (is_filled && attributes.default_value) value = *attributes.default_value;
    if (place >= 0 || attributes.default_value) array[cell] = static_cast<T>(value);
  }
}

template void Results::copy(int, bool, std::span<double>) const;
template void Results::copy(int, bool, std::span<float>) const;

}  // namespace epios::client
