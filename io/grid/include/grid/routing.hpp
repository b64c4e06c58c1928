/// @file
/// Who sends what to whom: pure functions that clients and servers evaluate alike.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "config/model_fwd.hpp"
#include "grid/box.hpp"

namespace epios::io {

/// Which servers write a file and how its variables are cut.
struct FilePlacement {
  std::vector<int> writers;  ///< server ranks in order; one: the file is owned
  /// Each writer has a file of its own (type="multiple_file"), with rows of the domains.
  bool is_apart = false;
  bool is_shared() const { return writers.size() > 1 && !is_apart; }
};

/// Groups of servers, as ranks in order.
using ServerGroups = std::vector<std::vector<int>>;

/// Which servers a configuration has chosen for files (pools and services). A list may be empty:
/// all servers for all files.
struct ServerChoice {
  std::vector<ServerGroups> writers;      ///< per Model::files: it goes to one of them; none: all
  std::vector<std::vector<int>> readers;  ///< per Model::read_files; none: all
  /// Between clients and writers, which then are others; none: clients send to those that write.
  std::vector<int> gatherers{};
  bool operator==(const ServerChoice&) const = default;
};

/// Decides the writers of every file from the global part of the model. Files whose largest record
/// is below `shared_record_bytes` are owned by one server each, heaviest first on the least loaded
/// (in bytes per model time); the others are shared by all servers. Files of meshes
/// (convention="UGRID"), with indexed_output, with fields that servers transform and for which some
/// of the servers were chosen are owned. Of type="multiple_file" each server that has a row of a
/// domain writes its own; the first ones do, and one alone owns the file. Of several groups a file
/// takes the least loaded one. Deterministic.
std::vector<FilePlacement> place_files(const config::Model& model, int servers,
                                       std::int64_t shared_record_bytes,
                                       const ServerChoice& choice = {});

/// Which servers read a file: those of a file whose largest record is below `shared_record_bytes`
/// are one, files in turn; else all; of those that were chosen. Deterministic.
std::vector<FilePlacement> place_read_files(const config::Model& model, int servers,
                                            std::int64_t shared_record_bytes,
                                            const ServerChoice& choice = {});
/// What of a record each of them reads: one slab per reader, as even as whole rows allow.
std::vector<Box> place_read_field(const config::Model& model, int field, const FilePlacement& file);

/// How many requests of a client to a server may be unanswered at a time
/// (config::records_read_ahead).
int read_ahead(const config::Model& model, std::int64_t buffer_bytes);

/// Bytes per value of a record before it gets its form on file: 4 or 8. What is packed is as it was
/// computed until then.
int value_bytes(const config::Stream& stream);
/// The same on the wire. What servers have still to transform travels as it was computed: 8.
int wire_value_bytes(const config::Model& model, const config::Stream& stream);
/// Bytes per value of a stream on file: 2, 4 or 8.
int file_value_bytes(const config::Stream& stream);
/// Whether values on file are not those that are sent: integers of two bytes, a factor, an offset.
bool is_packed(const config::Stream& stream);
/// A value as it is packed, not rounded.
double packed(const config::Stream& stream, double value);
/// What stands for missing values on file: default_value; of integers NetCDF's default where they
/// cannot hold that, or there is none.
std::optional<double> file_fill(const config::Stream& stream);
/// Bits of the mantissa that `significant_digits` needs; 0: all are kept.
int mantissa_bits(const config::Stream& stream);

/// Level of what compresses its chunks, 0 for none. Scalars are not compressed.
int compression_level_of(const config::Model& model, const config::Stream& stream);

/// Bytes that a chunk has at most, about, unless the field says so; one writer's record below it is
/// a single chunk.
inline constexpr std::int64_t target_chunk_bytes = 20'000'000;
/// Of compressed fields: several threads find work in one record, and readers need not unpack much
/// for a point.
inline constexpr std::int64_t target_compressed_chunk_bytes = 4'000'000;

/// The slabs of one stream: one per writer of its file.
struct StreamPlacement {
  Extents shape;
  Extents chunk;           ///< of a file that is apart: of its first writer
  std::vector<Box> slabs;  ///< parallel to FilePlacement::writers; of a file that is apart and a
                           ///< grid without a domain: the first writer has all
};
StreamPlacement place_stream(const config::Model& model, int stream, const FilePlacement& file);

/// What each of `writers` writers of a file that is apart has of an element: of a domain rows (or
/// cells), the first ones one more than the others where they do not divide evenly; of everything
/// else the whole. Empty for writers without a row.
std::vector<Box> apart_windows(const config::Model& model, const config::GridElement& element,
                               int writers);

/// Windows of an element whose coordinates each writer of a file writes, parallel to
/// FilePlacement::writers: slabs of the element's own shape. Rectilinear domains, whose coordinates
/// are as long as their sides, are written by the first writer. Of a file that is apart:
/// apart_windows().
std::vector<Box> coordinate_windows(const config::Model& model, const config::GridElement& element,
                                    const FilePlacement& file);

/// Which clients must send for a stream to a writer with slab `slab`, given every client's owned
/// box of the stream's grid: those whose box meets the slab, but not those whose part lies inside
/// the part of a client of lower rank (replicated axes and scalars are sent once). Ascending ranks.
/// Every owned point of the slab is in the part of one of them. O(clients × expected clients).
std::vector<int> expected_clients(const Box& slab, const std::vector<Box>& client_boxes);

}  // namespace epios::io
