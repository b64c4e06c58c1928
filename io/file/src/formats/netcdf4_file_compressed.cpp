// What Netcdf4File does with the chunks of compressed variables.
#include <fmt/format.h>

#include <algorithm>

#include "formats/netcdf4_file.hpp"

namespace epios::io {

CompressedChunks::Sinks Netcdf4File::compressed_sinks() {
  return {[this](const StoredChunk& chunk, std::span<const std::byte> stored) {
            if (puts_now_) return put_now(chunk, stored);
            waiting_.add(chunk, stored);
          },
          [this](std::size_t column, std::int64_t record, std::int64_t points) {
            ledger_.note(column, record, points);
            if (!puts_now_) ++waiting_slabs_;
          }};
}

void Netcdf4File::put_now(const StoredChunk& chunk, std::span<const std::byte> stored) {
  const std::uint64_t address =
      space_->place_chunk(chunk.column, chunk.chunk, chunk.bytes, chunk.skipped_filters);
  put(chunk, address, stored);
  // Not to be cut off when what is set aside behind it turns out too much.
  file_end_ = std::max<std::uint64_t>(file_end_, address + stored.size());
  space_end_ = std::max<std::uint64_t>(space_end_, address + stored.size());
}

void Netcdf4File::put(const StoredChunk& chunk, std::uint64_t address,
                      std::span<const std::byte> stored) {
  const int error = data_.write_at(stored, address);
  if (error == 0) return;
  const std::int64_t record = chunk.chunk / variables_[chunk.column].chunks.chunks_per_row();
  check_system(error, fmt::format("cannot write record {} of '{}'", record, name_of(chunk.column)));
}

void Netcdf4File::take_over_error() {
  if (failure_.empty()) failure_ = compressed_.error();
}

void Netcdf4File::place_compressed() {
  if (compressed_.are_none()) return;
  compressed_.drain();
  take_over_error();
  if (!puts_now_) place_waiting();
}

/// Their sizes say where they can be: the owner places all of them, and each writer writes its own.
void Netcdf4File::place_waiting() {
  std::vector<std::int64_t> sizes = waiting_.sizes(reserved_);
  agreement_.sum(sizes);
  std::vector<std::uint64_t> addresses(sizes.size());
  together([&] {
    if (!agreement_.is_owner()) return;
    check_part();
    waiting_.for_each(sizes, [&](const StoredChunk& chunk, std::size_t position) {
      addresses[position] =
          space_->place_chunk(chunk.column, chunk.chunk, chunk.bytes, chunk.skipped_filters);
    });
    const std::uint64_t end = space_->end_of_space() + metadata_margin;
    check_set_aside(set_aside_up_to(end), end, "compressed records");
  });
  agreement_.broadcast(addresses);
  together([&] {
    waiting_.take(sizes, [&](const StoredChunk& chunk, std::span<const std::byte> stored,
                             std::size_t position) { put(chunk, addresses[position], stored); });
    waiting_slabs_ = 0;
  });
}

}  // namespace epios::io
