/// @file
/// Fixed variables of a file on one of its writers: those without the record dimension.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "file/output_file.hpp"

namespace epios::io {

/// Takes values of a kind to be written from a byte of the file on; errno of failure. They have the
/// bytes of this machine.
using ValueSink =
    std::function<int(ValueKind kind, std::span<const std::byte> data, std::uint64_t address)>;

/// Each is one run of bytes in the file, in C order; every writer writes what it has of it for
/// itself. Functions that write throw Error{io} and make no call of HDF5 or the endpoints library.
class FixedValues {
 public:
  /// `spec` has been checked and outlives this.
  explicit FixedValues(const FileSpec& spec);

  /// Indices into FileSpec::variables, ascending.
  const std::vector<int>& variables() const { return variables_; }
  bool is_empty() const { return variables_.empty(); }
  /// Throws Error{internal} if what this writer has does not fit its variable.
  void check() const;
  /// Where they are in the file, per variable: must be known before anything is written.
  void set_addresses(std::vector<std::uint64_t> addresses) { addresses_ = std::move(addresses); }
  const std::vector<std::uint64_t>& addresses() const { return addresses_; }

  /// Points that this writer has, per variable.
  std::vector<std::int64_t> counts() const;
  /// Points that this writer has a value for, per variable.
  std::vector<std::int64_t> value_counts() const;
  /// Returns true if writers with `counts` points in all have every point of every variable. Throws
  /// Error{internal} if they have more.
  bool are_complete(const std::vector<std::int64_t>& counts) const;
  /// Variables of which writers that have values for so many points in all have not every point.
  std::vector<int> incomplete(const std::vector<std::int64_t>& value_counts) const;
  /// Writes the unset value to all points of the variables that are not complete.
  void write_unset(const ValueSink& file, const std::vector<std::int64_t>& counts) const;
  /// Writes what this writer has.
  void write(const ValueSink& file) const;

 private:
  const VariableSpec& variable(std::size_t number) const;
  void check(std::size_t number) const;
  [[noreturn]] void reject(std::size_t number, const std::string& why) const;
  /// Lengths of its dimensions.
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
/// `shape`: `count` points from `point` on there, from `offset` on in an array that holds the box.
void for_each_run(
    const Extents& shape, const Box& box,
    const std::function<void(std::int64_t point, std::int64_t offset, std::int64_t count)>& run);

}  // namespace epios::io
