/// @file
/// Access of a run to files of weights. This module does not know files; `io/file` implements it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "space/weights.hpp"

namespace epios::io {

/// Smallest cell number in the lists of a file in the layout of XIOS (read_write_convention). Other
/// layouts always have 1.
enum class WeightsBase { zero, one };

/// A request for weights in a file.
struct WeightsQuestion {
  std::string path;
  WeightsBase base = WeightsBase::one;  ///< for the layout of XIOS
  std::int64_t source_cells = 0;  ///< sizes of the grids that the weights must belong to; 0 for any
  std::int64_t target_cells = 0;
};

/// Distinguishes a grid from others of its size: sums over all cells, each with a factor that
/// follows from its number, and the positions of some of them.
struct GridSketch {
  static constexpr std::size_t looks = 5;
  /// Position of a cell (unit sphere), and the distance of its corners from there; NaN if unknown.
  struct Look {
    double x = 0, y = 0, z = 0, radius = 0;
  };
  double counted = 0;  ///< number of cells that count
  double mask = 0, x = 0, y = 0, z = 0;
  std::array<Look, looks> some{};

  /// Returns the cell of the k-th look, among `size` cells.
  static std::int64_t cell(std::int64_t size, std::size_t k) {
    return (size - 1) * static_cast<std::int64_t>(k) / static_cast<std::int64_t>(looks - 1);
  }
  /// Returns the numbers that a file keeps.
  std::vector<double> numbers() const;
  static std::optional<GridSketch> of(std::span<const double> numbers);
};

/// Origin of weights and the grids they belong to, in addition to sizes. Files of other programs do
/// not contain it.
struct WeightsIdentity {
  std::string recipe;  ///< how they were computed; empty if unknown
  std::optional<GridSketch> source, target;
};

/// Entries of the matrix in any order. Cells count from 0.
struct WeightLinks {
  std::vector<std::int64_t> source, target;
  std::vector<double> weight;
  std::vector<double> first_order;  ///< parallel to weight; empty if the file has none
};

/// A file that is open for reading, by one thread at a time. Throws Error{io}.
class OpenWeights {
 public:
  OpenWeights() = default;
  OpenWeights(const OpenWeights&) = delete;
  OpenWeights(OpenWeights&&) = delete;
  OpenWeights& operator=(const OpenWeights&) = delete;
  OpenWeights& operator=(OpenWeights&&) = delete;
  virtual ~OpenWeights() = default;
  virtual std::int64_t count() const = 0;  ///< number of entries
  virtual bool has_first_order() const = 0;
  virtual WeightLinks read(std::int64_t begin, std::int64_t count) const = 0;
  virtual WeightsIdentity identity() const = 0;
  /// Degrees. Nothing if the file has no centres (the layout of XIOS).
  struct Centre {
    double lon = 0, lat = 0;
  };
  virtual std::optional<Centre> centre(bool is_source, std::int64_t cell) const = 0;
  /// Returns true if the file has weights of second order like SCRIP, three per entry, of which
  /// read() takes the first.
  virtual bool leaves_gradients_out() const = 0;
};

/// A file that is being written, by one thread. It is removed if it is not published. Throws
/// Error{io}.
class NewWeights {
 public:
  NewWeights() = default;
  NewWeights(const NewWeights&) = delete;
  NewWeights(NewWeights&&) = delete;
  NewWeights& operator=(const NewWeights&) = delete;
  NewWeights& operator=(NewWeights&&) = delete;
  virtual ~NewWeights() = default;
  virtual void append(const Weights& rows) = 0;
  virtual void publish() = 0;  ///< gives the file its name
};

/// Local; any thread. Throws Error{io} for files that cannot be opened, are no files of weights, or
/// belong to grids of other sizes.
class WeightsFiles {
 public:
  WeightsFiles() = default;
  WeightsFiles(const WeightsFiles&) = delete;
  WeightsFiles(WeightsFiles&&) = delete;
  WeightsFiles& operator=(const WeightsFiles&) = delete;
  WeightsFiles& operator=(WeightsFiles&&) = delete;
  virtual ~WeightsFiles() = default;
  virtual bool is_there(const std::string& path) = 0;
  virtual std::unique_ptr<OpenWeights> open(const WeightsQuestion& question) = 0;
  /// Creates a file in the layout of XIOS, for `count` entries of all rows together.
  virtual std::unique_ptr<NewWeights> create(const WeightsQuestion& what, std::int64_t count,
                                             bool has_first_order,
                                             const WeightsIdentity& identity) = 0;
};

}  // namespace epios::io
