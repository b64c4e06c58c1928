/// @file
/// Fixed variables of a file, those without the record dimension, on one of its writers.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "file/output_file.hpp"

namespace epios::io {

/// Writes values of a kind at a byte of the file; returns errno on failure. The values have the
/// byte order of this machine.
using ValueSink =
    std::function<int(ValueKind kind, std::span<const std::byte> data, std::uint64_t address)>;

/// Each variable is one run of bytes in the file, in C order. Every writer writes its own part.
/// Functions that write throw Error{io} and make no call of HDF5 or the endpoints library.
class FixedValues {
 public:
  /// `spec` has been checked and must outlive this object.
  explicit FixedValues(const FileSpec& spec);

  /// Returns indices into FileSpec::variables, ascending.
  const std::vector<int>& variables() const { return variables_; }
  bool is_empty() const { return variables_.empty(); }
  /// Throws Error{internal} if this writer's part does not fit its variable.
  void check() const;
  /// Sets the addresses of the variables in the file. Must be called before anything is written.
  void set_addresses(std::vector<std::uint64_t> addresses) { addresses_ = std::move(addresses); }
  const std::vector<std::uint64_t>& addresses() const { return addresses_; }

  /// Returns the number of points that this writer has, per variable.
  std::vector<std::int64_t> counts() const;
  /// Returns the number of points for which this writer has a value, per variable.
  std::vector<std::int64_t> value_counts() const;
  /// Returns true if writers with `counts` points in all have every point of every variable. Throws
  /// Error{internal} if they have more.
  bool are_complete(const std::vector<std::int64_t>& counts) const;
  /// Returns the variables with unset points, given how many points have a value over all writers.
  std::vector<int> incomplete(const std::vector<std::int64_t>& value_counts) const;
  /// Writes the unset value to all points of the variables that are incomplete.
  void write_unset(const ValueSink& file, const std::vector<std::int64_t>& counts) const;
  /// Writes this writer's part.
  void write(const ValueSink& file) const;

 private:
  const VariableSpec& variable(std::size_t number) const;
  void check(std::size_t number) const;
  [[noreturn]] void reject(std::size_t number, const std::string& why) const;
  /// Returns the lengths of its dimensions.
  Extents shape(std::size_t number) const;
  void write_numbers(const ValueSink& file, std::size_t number) const;
  void write_texts(const ValueSink& file, std::size_t number) const;
  /// Writes at a point of a variable.
  void write_at(const ValueSink& file, std::size_t number, std::int64_t point,
                std::span<const std::byte> data) const;

  const FileSpec& spec_;
  std::vector<int> variables_;
  std::vector<std::uint64_t> addresses_;
};

/// Calls `run(point, offset, count)` for the runs of a box that are contiguous in an array of
/// `shape`: `count` points from `point` on in the array, and from `offset` on in an array that
/// holds the box.
void for_each_run(
    const Extents& shape, const Box& box,
    const std::function<void(std::int64_t point, std::int64_t offset, std::int64_t count)>& run);

}  // namespace epios::io
