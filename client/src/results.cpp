#include "results.hpp"

#include <limits>
#include <optional>
#include <utility>
#include <variant>

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
        const T value = array[static_cast<std::size_t>(k)];
        const bool is_missing = marker && value == static_cast<T>(*marker);
        to[k] = is_missing ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(value);
      }
    });
  }

  Kept& kept_;
  io::ArrayLayout layout_;
};

Results::Results(const config::Model& model, const io::LocalParts& parts)
    : model_(model), parts_(parts) {
  kept_.reserve(model.results.size());
  for (const config::Stream& result : model.results) {
    kept_.push_back({ArrayPlaces(model, parts, result.grid), -1});
  }
}

std::unique_ptr<io::Sink> Results::sink(int result) {
  return std::make_unique<ResultSink>(
      kept_[at(result)], io::ArrayLayout(model_, parts_, model_.results[at(result)].grid));
}

template <class T>
void Results::copy(int result, std::span<T> array) const {
  const config::FieldAttributes& attributes = model_.results[at(result)].attributes;
  const bool fills = attributes.detect_missing_value.value_or(false);
  kept_[at(result)].array.copy(attributes.default_value,
                               fills ? attributes.default_value : std::nullopt, array);
}

template void Results::copy(int, std::span<double>) const;
template void Results::copy(int, std::span<float>) const;

}  // namespace epios::client
