#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "config/index.hpp"
#include "config/model_fwd.hpp"
#include "data/array_places.hpp"
#include "workflow/workflow.hpp"

namespace epios::client {

/// What the model receives of its own workflow: the last values of each result, and their date.
class Results {
 public:
  /// The model outlives this, as this does the sinks; the parts are there until these are made.
  Results(const config::Model& model, const io::LocalParts& parts);

  /// Takes what a result of the model is.
  std::unique_ptr<io::Sink> sink(int result);
  /// Of what lies in the array of something else, the cells of its grid are received.
  std::size_t array_size(int result) const {
    const Kept& kept = nth(kept_, result);
    return kept.is_view ? kept.places.size() : kept.array.size();
  }
  /// True of a result that lies in the array of something else: its array has no halo.
  bool has_cells_only(int result) const { return nth(kept_, result).is_view; }
  /// The step that a result has been worked out for last, counted as the model counts those of all
  /// runs; -1: it has not.
  std::int64_t step(int result) const { return nth(kept_, result).step; }
  /// Copies a result for the model. Values that are NaN become default_value if
  /// detect_missing_value says so, and those `of_partners` as in fields of a coupler_in.
  template <class T>
  void copy(int result, bool of_partners, std::span<T> array) const;

 private:
  struct Kept {
    ArrayPlaces array;
    std::int64_t step = -1;
    bool is_view = false;
    std::vector<std::int64_t> places{};  ///< of a view: per cell; -1: it has no value
  };
  class ResultSink;
  template <class T>
  void copy_cells(int result, bool fills, std::span<T> array) const;

  const config::Model& model_;
  const io::LocalParts& parts_;  ///< while sinks are made
  std::vector<Kept> kept_;       ///< per Model::results
};

}  // namespace epios::client
