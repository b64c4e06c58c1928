/// @file
/// Collectives for byte strings of any length. Sizes have 64 bits, and strings that are longer than
/// an MPI count are sent in segments.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ep/ep.hpp>
#include <span>
#include <vector>

namespace ep {

/// Largest number of bytes that one call moves, below the range of an int.
inline constexpr std::int64_t largest_piece_bytes = std::int64_t{1} << 30;

/// Broadcasts the root's bytes and returns them on every rank; `bytes` is significant at the root
/// only. `piece_bytes`, the size of a segment, must be the same on all ranks. Collective. Costs one
/// broadcast per segment and one for the size. Throws Error.
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

/// Gathers the bytes of all ranks and returns them at the root, one vector per rank; returns an
/// empty vector elsewhere. `piece_bytes`, the number of bytes that one gather moves, must be the
/// same on all ranks. Collective. Costs an allgather of the sizes and one gather per segment.
/// Throws Error.
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
