// Stores records in NetCDF-4 files without collective HDF5 calls in the loop: the owner makes space
// for records with HDF5, all writers write their slabs into it with system calls. Compressed chunks
// are in netcdf4_store_compressed.
#include "formats/netcdf4_store.hpp"

#include <algorithm>
#include <ep/ep.hpp>
#include <utility>

#include "config/error.hpp"
#include "contract/file_protocol.hpp"
#include "grid/index.hpp"
#include "hdf5/definitions.hpp"

namespace epios::io {

Netcdf4Store::Netcdf4Store(GrowingFile& file, Compressors* compressors)
    : file_(file),
      part_(file.spec.path, "\x89HDF\r\n\x1a\n"),
      addresses_(file.variables.size()),
      puts_now_(!file.writers.is_shared()),
      waiting_(file.variables),
      compressed_(file.spec, file.variables, compressors, compressed_sinks()) {}

void Netcdf4Store::create() {
  const FileSpec& spec = file_.spec;
  const PosixFile image = definitions(spec, file_.variables);
  part_.create();
  file_.check_system(part_.data().copy(image), "cannot write its definitions");
  space_ = std::make_unique<RecordSpace>(spec, file_.variables, part_);
  if (!file_.fixed.is_empty()) {
    file_.fixed.set_addresses(space_->place_fixed(spec, file_.fixed.variables()));
    part_.set_aside(space_->end_of_space() + metadata_margin, "coordinates");
    space_->flush();
  }
  if (spec.to_disk) part_.sync(true);
}

void Netcdf4Store::open() {
  file_.writers.together([this] {
    if (!file_.writers.is_owner()) part_.open();
  });
  if (!file_.fixed.is_empty()) place_fixed_variables();
}

void Netcdf4Store::place_fixed_variables() {
  std::vector<std::uint64_t> addresses = file_.fixed.addresses();
  addresses.resize(file_.fixed.variables().size());
  file_.writers.agreement().broadcast(addresses);
  file_.fixed.set_addresses(std::move(addresses));
  write_fixed_variables(
      file_,
      [this](ValueKind /*kind*/, std::span<const std::byte> data, std::uint64_t address) {
        return part_.data().write_at(data, address);
      },
      [this] { sync(); });
}

void Netcdf4Store::reserve(std::int64_t needed, std::int64_t to) {
  const std::int64_t from = file_.reserved;
  if (file_.writers.is_shared()) settle();
  std::vector<std::uint64_t> addresses;
  file_.writers.together([&] {
    if (!file_.writers.is_owner()) return;
    part_.check();
    if (space_->holds_much()) flush();
    addresses = space_->extend(from, to);
    part_.set_aside_or(
        space_->end_of_space() + metadata_margin, records_text(from, to),
        [&] { return end_of_records(addresses, needed); }, records_text(from, needed));
  });
  std::size_t count = 0;
  for (const RecordVariable& variable : file_.variables) {
    if (variable.is_compressed) continue;
    const std::int64_t rows = variable.rows(to) - variable.rows(from);
    count += static_cast<std::size_t>(rows * variable.chunks.chunks_per_row());
  }
  addresses.resize(count);
  file_.writers.agreement().broadcast(addresses);
  take_addresses(addresses, from, to);
}

// The order is that of RecordSpace::extend.
std::uint64_t Netcdf4Store::end_of_records(const std::vector<std::uint64_t>& addresses,
                                           std::int64_t records) const {
  std::uint64_t end = 0;
  auto next = addresses.begin();
  for (std::int64_t record = file_.reserved; record < records; ++record) {
    for (const RecordVariable& variable : file_.variables) {
      const ChunkGrid& chunks = variable.chunks;
      if (variable.is_compressed || !variable.begins_row(record)) continue;
      for (std::int64_t c = 0; c < chunks.chunks_per_row(); ++c, ++next) {
        end = std::max(end, *next + static_cast<std::uint64_t>(chunks.chunk_bytes()));
      }
    }
  }
  return end;
}

// The order is that of RecordSpace::extend.
void Netcdf4Store::take_addresses(const std::vector<std::uint64_t>& addresses, std::int64_t from,
                                  std::int64_t to) {
  auto next = addresses.begin();
  for (std::int64_t record = from; record < to; ++record) {
    for (std::size_t column = 0; column < file_.variables.size(); ++column) {
      if (file_.variables[column].is_compressed || !file_.variables[column].begins_row(record))
        continue;
      const auto end = next + file_.variables[column].chunks.chunks_per_row();
      std::deque<std::uint64_t>& known = addresses_[column].chunks;
      known.insert(known.end(), next, end);
      next = end;
    }
  }
}

void Netcdf4Store::forget_complete() {
  for (std::size_t column = 0; column < addresses_.size(); ++column) {
    const ChunkGrid& grid = file_.variables[column].chunks;
    const std::int64_t rows = file_.ledger.complete(column) / grid.records_per_chunk();
    Addresses& known = addresses_[column];
    const std::int64_t count = std::min(rows * grid.chunks_per_row() - known.first_chunk,
                                        static_cast<std::int64_t>(known.chunks.size()));
    if (count <= 0) continue;
    known.chunks.erase(known.chunks.begin(), known.chunks.begin() + count);
    known.first_chunk += count;
  }
}

void Netcdf4Store::write(std::size_t column, const Slab& slab) {
  if (file_.variables[column].is_compressed) return write_compressed(column, slab);
  write_chunks(column, slab);
  file_.ledger.note(column, slab.record, slab.box.volume());
}

void Netcdf4Store::write_chunks(std::size_t column, const Slab& slab) {
  const Addresses& known = addresses_[column];
  file_.variables[column].chunks.cut(
      slab.record, slab.box, slab.data,
      [&](std::int64_t chunk, std::int64_t offset, std::span<const std::byte> bytes) {
        const std::uint64_t address = known.chunks[as_index(chunk - known.first_chunk)];
        const int error =
            part_.data().write_at(bytes, address + static_cast<std::uint64_t>(offset));
        file_.check_record_written(error, slab.record, column);
      });
}

void Netcdf4Store::put_rounding(int variable) {
  std::vector<std::string> names;
  for (const FileAttribute& attribute : rounding_attributes(1)) names.push_back(attribute.name);
  space_->set_attributes(file_.spec, variable, names);
}

void Netcdf4Store::flush() {
  part_.check();
  space_->flush();
  if (file_.spec.to_disk) part_.sync();
}

void Netcdf4Store::finish(std::int64_t records) {
  compressed_.drain();
  check_compressed();
  part_.check();
  space_->finish(records);
  const std::uint64_t end = space_->end_of_space();
  space_.reset();
  part_.finish(end, file_.spec.to_disk);
}

void Netcdf4Store::abandon() noexcept {
  compressed_.drop();
  if (space_) {
    space_->abandon();
    space_.reset();
  }
  // The .part file is left as it is; nothing is concluded from how it closes.
  part_.abandon();
}

std::unique_ptr<OutputFile> create_netcdf4(const FileSpec& spec, const ep::Comm* writers,
                                           Compressors* compressors) {
  return std::make_unique<FileProtocol>(spec, writers, [&](GrowingFile& file) {
    return std::make_unique<Netcdf4Store>(file, compressors);
  });
}

}  // namespace epios::io
