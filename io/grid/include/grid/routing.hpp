/// @file
/// Who sends what to whom. All functions are pure; clients and servers evaluate them alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

#include "config/model_fwd.hpp"
#include "grid/box.hpp"

namespace epios::io {

/// The servers that write a file.
struct FilePlacement {
  std::vector<int> writers;  ///< server ranks in order; a file with one writer is owned by it
  /// True if each writer has a file of its own (type="multiple_file") with rows of the domains.
  bool is_apart = false;
  bool is_shared() const { return writers.size() > 1 && !is_apart; }
};

/// Groups of servers, as ranks in order.
using ServerGroups = std::vector<std::vector<int>>;

/// The servers that may have each of a list of files. Equal choices are kept once, so that it grows
/// with files and with servers, not with both at a time.
struct FileServers {
  std::vector<ServerGroups> choices;  ///< different ones; one without groups means all servers
  std::vector<std::int32_t> of_file;  ///< for each file: its place in `choices`

  FileServers() = default;
  /// The choices of files, in order.
  FileServers(std::initializer_list<ServerGroups> files);
  /// Adds the choice of the next file. O(size of all choices).
  void add(const ServerGroups& groups);
  /// Returns the groups that may have a file; none means all servers, as for every file of an empty
  /// list.
  const ServerGroups& of(std::size_t file) const;
  /// Returns true if a group of any file has the server.
  bool has(int server) const;
  bool operator==(const FileServers&) const = default;
};

/// The servers that a configuration chose for files (pools and services). An empty list means all
/// servers for all files.
struct ServerChoice {
  FileServers writers;  ///< for each of Model::files: the groups that may write it
  FileServers readers;  ///< for each of Model::read_files: one group at most
  /// Servers between clients and writers, which are then others. If there are none, clients send to
  /// the writers.
  std::vector<int> gatherers{};
  bool operator==(const ServerChoice&) const = default;
};

/// Decides the writers of every file from the global part of the model. A file whose largest record
/// is below `shared_record_bytes` is owned by one server: the heaviest files first, each by the
/// least loaded server (in bytes per model time). All servers share the other files. Files of
/// meshes (convention="UGRID"), files with indexed_output, keep_information or with fields that
/// servers transform, and files for which one server was chosen are always owned. A file with
/// type="multiple_file" is written by each server that has a row of a domain, the first ones; a
/// single such server owns it. Among several groups a file goes to the least loaded one.
/// Deterministic.
std::vector<FilePlacement> place_files(const config::Model& model, int servers,
                                       std::int64_t shared_record_bytes,
                                       const ServerChoice& choice = {});

/// Decides which servers read a file, among those chosen. If its largest record is below
/// `shared_record_bytes`, it is one server, files in turn; otherwise all. Deterministic.
std::vector<FilePlacement> place_read_files(const config::Model& model, int servers,
                                            std::int64_t shared_record_bytes,
                                            const ServerChoice& choice = {});
/// Returns the slab of a record that each reader reads, as even as whole rows allow.
std::vector<Box> place_read_field(const config::Model& model, int field, const FilePlacement& file);

/// Returns how many requests of a client to a server may be unanswered at a time
/// (config::records_read_ahead).
int read_ahead(const config::Model& model, std::int64_t buffer_bytes);

/// Returns the bytes per value of a record before it takes its form on file: 4 or 8. Packed fields
/// stay as computed until then.
int value_bytes(const config::Stream& stream);
/// Returns for each stream the bytes per value on the wire. What servers have to transform, also
/// for other streams (config::continued_streams), travels as computed: 8.
std::vector<int> wire_value_bytes(const config::Model& model);
/// Returns the bytes per value of a stream on file: 2, 4 or 8.
int file_value_bytes(const config::Stream& stream);
/// Returns true if values on file differ from those that are sent: integers of two bytes, a factor,
/// an offset.
bool is_packed(const config::Stream& stream);
/// Returns a value as it is packed, not rounded.
double packed(const config::Stream& stream, double value);
/// Returns the value that marks missing values on file: default_value or, for integers that cannot
/// hold it or if there is none, the default of NetCDF.
std::optional<double> file_fill(const config::Stream& stream);
/// Returns how many bits of the mantissa `significant_digits` needs; 0 means all.
int mantissa_bits(const config::Stream& stream);

/// Returns the compression level of its chunks, 0 for none. Scalars are not compressed.
int compression_level_of(const config::Model& model, const config::Stream& stream);

/// Largest size of a chunk in bytes, approximately, unless the field says otherwise. A smaller
/// record of one writer is a single chunk.
inline constexpr std::int64_t target_chunk_bytes = 20'000'000;
/// Largest size of a chunk of compressed fields. It is smaller, so that several threads can work on
/// one record and readers need not decompress much for a point.
inline constexpr std::int64_t target_compressed_chunk_bytes = 4'000'000;
/// Largest size of a chunk of a store (Zarr), where each chunk is a file or an object.
inline constexpr std::int64_t target_store_chunk_bytes = 10'000'000;
/// Returns the largest size in bytes, approximately, of one record in a chunk of a stream.
std::int64_t chunk_target(const config::Model& model, const config::Stream& stream);

/// The slabs of one stream: one per writer of its file.
struct StreamPlacement {
  Extents shape;
  Extents chunk;           ///< shape of a chunk; of a file that is apart that of its first writer
  Extents shard;           ///< number of chunks of a shard along each dimension; empty: one
  std::vector<Box> slabs;  ///< parallel to FilePlacement::writers; in a file that is apart, the
                           ///< first writer has all of a grid without a domain
};
StreamPlacement place_stream(const config::Model& model, int stream, const FilePlacement& file);

/// Returns the window of an element for each of `writers` writers of a file that is apart. Of a
/// domain it is rows (or cells); the first writers have one more if they do not divide evenly. Of
/// every other element it is the whole. Writers without a row have an empty window.
std::vector<Box> apart_windows(const config::Model& model, const config::GridElement& element,
                               int writers);

/// Returns the windows of an element whose coordinates each writer of a file writes, parallel to
/// FilePlacement::writers. They are slabs of the element's shape. The first writer writes the
/// coordinates of rectilinear domains, which are one per column and row. For a file that is apart
/// they are apart_windows().
std::vector<Box> coordinate_windows(const config::Model& model, const config::GridElement& element,
                                    const FilePlacement& file);

}  // namespace epios::io
