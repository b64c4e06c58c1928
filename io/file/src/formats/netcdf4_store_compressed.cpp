// Netcdf4Store, as far as it handles chunks of compressed variables.
#include "config/error.hpp"
#include "formats/netcdf4_store.hpp"

namespace epios::io {

CompressedChunks::Sinks Netcdf4Store::compressed_sinks() {
  return {[this](const StoredChunk& chunk, std::span<const std::byte> stored) {
            if (puts_now_) return put_now(chunk, stored);
            waiting_.add(chunk, stored);
          },
          [this](std::size_t column, std::int64_t record, std::int64_t points) {
            file_.ledger.note(column, record, points);
            if (!puts_now_) ++waiting_slabs_;
          }};
}

void Netcdf4Store::write_compressed(std::size_t column, const Slab& slab) {
  if (!compressed_.write(column, slab.record, slab.box, slab.data)) {
    file_.reject("slab of a compressed variable that is not made of whole chunks");
  }
  check_compressed();
}

void Netcdf4Store::check_compressed() const {
  if (!compressed_.error().empty()) throw Error(ErrorCode::io, compressed_.error());
}

void Netcdf4Store::put_now(const StoredChunk& chunk, std::span<const std::byte> stored) {
  const std::uint64_t address =
      space_->place_chunk(chunk.column, chunk.chunk, chunk.bytes, chunk.skipped_filters);
  put(chunk, address, stored);
  part_.keep(address + stored.size());
}

void Netcdf4Store::put(const StoredChunk& chunk, std::uint64_t address,
                       std::span<const std::byte> stored) {
  const int error = part_.data().write_at(stored, address);
  const std::int64_t chunks_per_row = file_.variables[chunk.column].chunks.chunks_per_row();
  file_.check_record_written(error, chunk.chunk / chunks_per_row, chunk.column);
}

void Netcdf4Store::settle() {
  if (compressed_.are_none()) return;
  compressed_.drain();
  if (!compressed_.error().empty()) file_.writers.note_failure(compressed_.error());
  if (!puts_now_) place_waiting();
}

/// Their sizes say where they can be: the owner places all of them, and each writer writes its own.
void Netcdf4Store::place_waiting() {
  WriterGroup& writers = file_.writers;
  std::vector<std::int64_t> sizes = waiting_.sizes(file_.reserved);
  writers.agreement().sum(sizes);
  std::vector<std::uint64_t> addresses(sizes.size());
  writers.together([&] {
    if (!writers.is_owner()) return;
    part_.check();
    waiting_.for_each(sizes, [&](const StoredChunk& chunk, std::size_t position) {
      addresses[position] =
          space_->place_chunk(chunk.column, chunk.chunk, chunk.bytes, chunk.skipped_filters);
    });
    part_.set_aside(space_->end_of_space() + metadata_margin, "compressed records");
  });
  writers.agreement().broadcast(addresses);
  writers.together([&] {
    waiting_.take(sizes, [&](const StoredChunk& chunk, std::span<const std::byte> stored,
                             std::size_t position) { put(chunk, addresses[position], stored); });
    waiting_slabs_ = 0;
  });
}

}  // namespace epios::io
