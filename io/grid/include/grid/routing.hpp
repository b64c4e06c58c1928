/// @file
/// Who sends what to whom: pure functions that clients and servers evaluate alike.
#pragma once

#include <cstdint>
#include <vector>

#include "config/model.hpp"
#include "grid/box.hpp"

namespace epios::io {

/// Which servers write a file and how its variables are cut.
struct FilePlacement {
  std::vector<int> writers;  ///< server ranks in order; one: the file is owned
  bool is_shared() const { return writers.size() > 1; }
};

/// Decides the writers of every file from the global part of the model. Files whose largest record
/// is below `shared_record_bytes` are owned by one server each, heaviest first on the least loaded
/// (in bytes per model time); the others are shared by all servers. Deterministic.
std::vector<FilePlacement> place_files(const config::Model& model, int servers,
                                       std::int64_t shared_record_bytes);

/// Bytes per value of a stream on the wire and on file: 4 or 8.
int value_bytes(const config::Stream& stream);

/// Level of deflate with shuffle, 0 for none. Scalars are not compressed.
int deflate_level(const config::Model& model, const config::Stream& stream);

/// Bytes that a chunk has at most, about, unless the field says so; one writer's record below it is
/// a single chunk.
inline constexpr std::int64_t target_chunk_bytes = 20'000'000;
/// Of compressed fields: several threads find work in one record, and readers need not unpack much
/// for a point.
inline constexpr std::int64_t target_compressed_chunk_bytes = 4'000'000;

/// The slabs of one stream: one per writer of its file.
struct StreamPlacement {
  Extents shape;
  Extents chunk;
  std::vector<Box> slabs;  ///< parallel to FilePlacement::writers
};
StreamPlacement place_stream(const config::Model& model, int stream, const FilePlacement& file);

/// Windows of an element whose coordinates each writer of a file writes, parallel to
/// FilePlacement::writers: slabs of the element's own shape. Rectilinear domains, whose coordinates
/// are as long as their sides, are written by the first writer.
std::vector<Box> coordinate_windows(const config::Model& model, const config::GridElement& element,
                                    const FilePlacement& file);

/// Which clients must send for a stream to a writer with slab `slab`, given every client's owned
/// box of the stream's grid: those whose box meets the slab, but not those whose part lies inside
/// the part of a client of lower rank (replicated axes and scalars are sent once). Ascending ranks.
/// Every owned point of the slab is in the part of one of them. O(clients × expected clients).
std::vector<int> expected_clients(const Box& slab, const std::vector<Box>& client_boxes);

}  // namespace epios::io
