/// @file
/// The structure of a file under construction, held by its owner: HDF5 gives out the space of fixed
/// variables and chunks, which are then written by whoever has the data, without HDF5.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "chunks/plugin_filter.hpp"
#include "contract/record_variables.hpp"
#include "disk/hdf5_driver.hpp"
#include "disk/hdf5_handle.hpp"
#include "file/output_file.hpp"

namespace epios::io {

/// How chunks of a compressed variable are made by a plug-in; nullopt: by none.
std::optional<PluginFilter> plugin_filter(const FileSpec& spec, const RecordVariable& variable);
/// Name of a variable's dataset in HDF5: netCDF-C renames a variable that shares its name with a
/// dimension it does not begin with.
std::string dataset_name(const FileSpec& spec, const VariableSpec& variable);

/// All functions throw Error{io} and make no MPI call. HDF5's metadata stays in memory between two
/// flushes, so that what is on disk is the state of the last one.
class RecordSpace {
 public:
  RecordSpace(const FileSpec& spec, const std::vector<RecordVariable>& variables,
              const std::string& part);
  RecordSpace(const RecordSpace&) = delete;
  RecordSpace(RecordSpace&&) = delete;
  RecordSpace& operator=(const RecordSpace&) = delete;
  RecordSpace& operator=(RecordSpace&&) = delete;
  /// Closes without writing what is not flushed.
  ~RecordSpace();

  /// Gives space to fixed variables (indices into FileSpec::variables of the spec), each one run of
  /// bytes; its addresses. As extend(), it writes nothing.
  std::vector<std::uint64_t> place_fixed(const FileSpec& spec, const std::vector<int>& variables);
  /// Extends all record variables from `from` to `to` records; addresses of the new chunks, row by
  /// row, in each row variable by variable. Writes nothing: the file must then be made
  /// end_of_space() bytes long before anything else happens. Compressed variables get no chunks.
  std::vector<std::uint64_t> extend(std::int64_t from, std::int64_t to);
  /// Gives a chunk of a compressed variable a place of `bytes` bytes; its address. `column`:
  /// position in the constructor's variables. Writes nothing.
  std::uint64_t place_chunk(std::size_t column, std::int64_t chunk, std::size_t bytes,
                            std::uint32_t skipped_filters);
  std::uint64_t end_of_space() const { return state_.end_of_space; }
  /// Structure and sizes are in the file (not necessarily on disk).
  void flush();
  /// Cuts all record variables and the record dimension to `records`, flushes and closes.
  void finish(std::int64_t records);
  /// From now on nothing is written any more.
  void abandon() noexcept { state_.is_dead = true; }

 private:
  struct Dataset {
    Hdf5Handle id;
    Hdf5Handle type;
    const RecordVariable* variable = nullptr;
  };
  Dataset open_dataset(const std::string& name, const RecordVariable* variable);
  void set_records(const Dataset& dataset, std::int64_t records);
  void give_space(const Dataset& dataset, std::int64_t row);
  void give_contiguous_space(const Dataset& dataset, std::size_t rank, const std::string& name);
  /// "Writes" zero to the points that `where` selects; the addresses go to DriverState::probed.
  void probe(const Dataset& dataset, const Hdf5Handle& where, std::uint64_t points,
             const std::string& name);
  /// HDF5 must have given out so many places since they were counted from 0.
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
