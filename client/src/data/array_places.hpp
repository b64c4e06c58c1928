/// @file
/// Values that are kept for the model, and how they come into its arrays.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "config/index.hpp"
#include "config/model_fwd.hpp"
#include "event/opening.hpp"
#include "grid/layout.hpp"

namespace epios::client {

/// An array of a grid on this client, for the places that have a value.
class ArrayPlaces {
 public:
  ArrayPlaces(const config::Model& model, const io::LocalParts& parts, int grid)
      : size_(static_cast<std::size_t>(io::ArrayLayout(model, parts, grid).size())),
        has_value_(io::places_with_values(model, parts, grid)),
        repeats_(io::repeated_places(model, parts, grid)),
        values_(new double[size_]) {}  // untouched, and so no memory, until values come

  std::size_t size() const { return size_; }
  std::span<double> values() { return {values_.get(), size_}; }
  std::span<const double> values() const { return {values_.get(), size_}; }

  /// To their places in the model's array. `elsewhere`, if given, comes to the others; `missing`,
  /// if given, where the value is missing.
  template <class T>
  void copy(const std::optional<double>& elsewhere, const std::optional<double>& missing,
            std::span<T> array) const {
    for (std::size_t word = 0; word < has_value_.size(); ++word) {
      const std::size_t first = word * 64;
      const std::size_t count = std::min<std::size_t>(64, size_ - first);
      const std::uint64_t bits = has_value_[word];
      const bool is_whole = count == 64 && bits == ~std::uint64_t{0};
      for (std::size_t k = 0; k < count; ++k) {
        if (is_whole || (bits >> k & 1U) != 0) {
          array[first + k] = static_cast<T>(values_[first + k]);
        } else if (elsewhere) {
          array[first + k] = static_cast<T>(*elsewhere);
        }
      }
      if (!missing) continue;
      for (std::size_t k = 0; k < count; ++k) {
        const bool is_missing = (bits >> k & 1U) != 0 && std::isnan(values_[first + k]);
        if (is_missing) array[first + k] = static_cast<T>(*missing);
      }
    }
    for (const io::Part::Repeat& repeat : repeats_) {
      nth(array, repeat.place) = nth(array, repeat.first);
    }
  }

 private:
  std::size_t size_;
  std::vector<std::uint64_t> has_value_;   ///< a bit per place
  std::vector<io::Part::Repeat> repeats_;  ///< further places of points
  std::unique_ptr<double[]> values_;
};

}  // namespace epios::client
