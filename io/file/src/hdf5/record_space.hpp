/// @file
/// The structure of a file under construction, held by its owner. HDF5 allocates the space of fixed
/// variables and chunks, into which all writers then write their data without HDF5.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "chunks/plugin_filter.hpp"
#include "contract/record_variables.hpp"
#include "disk/hdf5_driver.hpp"
#include "disk/hdf5_handle.hpp"
#include "disk/unpublished_file.hpp"
#include "file/output_file.hpp"

namespace epios::io {

/// Returns the plug-in that makes the chunks of a compressed variable, or nullopt.
std::optional<PluginFilter> plugin_filter(const FileSpec& spec, const RecordVariable& variable);
/// Returns the name of a variable's dataset in HDF5. NetCDF-C renames a variable that has the name
/// of a dimension which is not its first one.
std::string dataset_name(const FileSpec& spec, const VariableSpec& variable);

/// All functions throw Error{io} and make no MPI call. HDF5's metadata stays in memory between two
/// flushes, so that the disk has the state of the last one. A flush lets go of most of it where it
/// has become much: indices of chunks grow with each record, so that a flush is due now and then.
class RecordSpace {
 public:
  RecordSpace(const FileSpec& spec, const std::vector<RecordVariable>& variables,
              const UnpublishedFile& part);
  RecordSpace(const RecordSpace&) = delete;
  RecordSpace(RecordSpace&&) = delete;
  RecordSpace& operator=(const RecordSpace&) = delete;
  RecordSpace& operator=(RecordSpace&&) = delete;
  /// Closes without writing what is not flushed.
  ~RecordSpace();

  /// Allocates space for fixed variables (indices into FileSpec::variables), each one run of bytes,
  /// and returns their addresses. Like extend(), it writes nothing.
  std::vector<std::uint64_t> place_fixed(const FileSpec& spec, const std::vector<int>& variables);
  /// Extends all record variables from `from` to `to` records. Returns the addresses of the new
  /// chunks, row by row and in each row variable by variable. Writes nothing: the file must then be
  /// made end_of_space() bytes long before anything else happens. Compressed variables get no
  /// chunks.
  std::vector<std::uint64_t> extend(std::int64_t from, std::int64_t to);
  /// Allocates `bytes` bytes for a chunk of a compressed variable and returns the address. `column`
  /// is the position in the constructor's variables. Writes nothing.
  std::uint64_t place_chunk(std::size_t column, std::int64_t chunk, std::size_t bytes,
                            std::uint32_t skipped_filters);
  std::uint64_t end_of_space() const { return state_.end_of_space; }
  /// Gives numeric attributes of a variable that exist the values that they have in `spec`. Writes
  /// nothing.
  void set_attributes(const FileSpec& spec, int variable, const std::vector<std::string>& names);
  /// True if more of the structure is in memory than a flush leaves there.
  bool holds_much() const;
  /// Puts structure and sizes into the file (not necessarily on disk).
  void flush();
  /// Cuts all record variables and the record dimension to `records`, flushes and closes.
  void finish(std::int64_t records);
  /// Suppresses all later writes.
  void abandon() noexcept { state_.is_dead = true; }

 private:
  struct Dataset {
    Hdf5Handle id;
    Hdf5Handle type;
    const RecordVariable* variable = nullptr;
  };
  Dataset open_dataset(const std::string& name, const RecordVariable* variable);
  void set_records(const Dataset& dataset, std::int64_t records);
  void let_go_of_structure();
  void give_space(const Dataset& dataset, std::int64_t row);
  void give_contiguous_space(const Dataset& dataset, std::size_t rank, const std::string& name);
  /// "Writes" zero to the points that `where` selects; the addresses go to DriverState::probed.
  void probe(const Dataset& dataset, const Hdf5Handle& where, std::uint64_t points,
             const std::string& name);
  /// Checks that HDF5 has allocated so many places since they were last counted from 0.
  void check_probed(std::size_t places, const std::string& name) const;
  void check(bool good, const std::string& problem) const;

  DriverState state_;
  std::string path_;
  std::vector<std::string> names_;  // per dataset
  Hdf5Handle file_;
  std::vector<Dataset> datasets_;
  std::vector<std::byte> nothing_;  // bytes that HDF5 is told to write
  std::string record_dimension_;    // dataset of the record dimension if it has no variable
};

}  // namespace epios::io
