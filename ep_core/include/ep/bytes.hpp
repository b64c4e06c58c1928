/// @file
/// Collectives of byte strings of any length: counts are 64 bits wide, and strings longer than an
/// MPI count travel in segments.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ep/ep.hpp>
#include <span>
#include <vector>

namespace ep {

/// Bytes that one call moves at most: below what an int counts.
inline constexpr std::int64_t largest_piece_bytes = std::int64_t{1} << 30;

/// Returns the root's bytes on every rank. Collective; `piece_bytes` is the same on all ranks.
/// Costs one broadcast per segment and one for the size. Throws Error.
inline std::vector<std::byte> broadcast_bytes(const Comm& comm, int root,
                                              std::vector<std::byte> bytes,
                                              std::int64_t piece_bytes = largest_piece_bytes) {
  auto size = static_cast<std::int64_t>(bytes.size());
  check(EP_Bcast(&size, 1, MPI_INT64_T, root, comm.get()));
  bytes.resize(static_cast<std::size_t>(size));
  for (std::int64_t done = 0; done < size; done += piece_bytes) {
    const auto count = static_cast<int>(std::min(piece_bytes, size - done));
    check(EP_Bcast(bytes.data() + done, count, MPI_BYTE, root, comm.get()));
  }
  return bytes;
}

/// Returns the bytes of all ranks on the root, in rank order, and nothing elsewhere. Collective;
/// `piece_bytes` is the same on all ranks. Costs an allgather of the sizes and one gather per
/// segment that all ranks fill together. Throws Error.
inline std::vector<std::vector<std::byte>> gather_bytes(
    const Comm& comm, int root, std::span<const std::byte> own,
    std::int64_t piece_bytes = largest_piece_bytes) {
  const auto ranks = static_cast<std::size_t>(comm.size());
  const bool is_root = comm.rank() == root;
  const auto own_size = static_cast<std::int64_t>(own.size());
  std::vector<std::int64_t> sizes(ranks);
  check(EP_Allgather(&own_size, 1, MPI_INT64_T, sizes.data(), 1, MPI_INT64_T, comm.get()));

  std::vector<std::vector<std::byte>> out(is_root ? ranks : 0);
  const std::int64_t longest = *std::max_element(sizes.begin(), sizes.end());
  const std::int64_t share =
      std::max<std::int64_t>(1, piece_bytes / static_cast<std::int64_t>(ranks));
  std::vector<int> counts(ranks);
  std::vector<int> offsets(ranks);
  std::vector<std::byte> piece;
  for (std::int64_t done = 0; done < longest; done += share) {
    int total = 0;
    for (std::size_t r = 0; r < ranks; ++r) {
      counts[r] = static_cast<int>(std::clamp<std::int64_t>(sizes[r] - done, 0, share));
      offsets[r] = total;
      total += counts[r];
    }
    if (is_root) piece.resize(static_cast<std::size_t>(total));
    const std::span<const std::byte> rest =
        own.subspan(static_cast<std::size_t>(std::min(done, own_size)));
    check(EP_Gatherv(rest.data(), counts[static_cast<std::size_t>(comm.rank())], MPI_BYTE,
                     piece.data(), counts.data(), offsets.data(), MPI_BYTE, root, comm.get()));
    for (std::size_t r = 0; r < out.size(); ++r) {
      const auto first = piece.begin() + offsets[r];
      out[r].insert(out[r].end(), first, first + counts[r]);
    }
  }
  return out;
}

}  // namespace ep
