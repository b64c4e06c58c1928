#include "formats/netcdf4_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ep/ep.hpp>
#include <utility>

#include "config/error.hpp"
#include "hdf5/definitions.hpp"

namespace epios::io {

Netcdf4File::Netcdf4File(const FileSpec& spec, const ep::Comm* writers, Compressors* compressors)
    : PartFile(spec, writers, "\x89HDF\r\n\x1a\n"),
      addresses_(variables_.size()),
      puts_now_(!agreement_.is_shared()),
      waiting_(variables_),
      compressed_(spec_, variables_, compressors, compressed_sinks()) {
  mark_unset();
  together([this] {
    fixed_.check();
    compressed_.load_plugins(spec_);
    if (agreement_.is_owner()) create();
  });
  together([this] {
    if (!agreement_.is_owner()) check_system(data_.open(part_), "cannot be opened by every writer");
  });
  if (!fixed_.is_empty()) place_fixed_variables();
  // What they view may go now.
  for (VariableSpec& variable : spec_.variables) variable.fixed = {};
}

Netcdf4File::~Netcdf4File() { Netcdf4File::abandon(); }

void Netcdf4File::create() {
  const PosixFile image = definitions(spec_, variables_);
  begin_part();
  check_system(data_.copy(image), "cannot write its definitions");
  space_ = std::make_unique<RecordSpace>(spec_, variables_, part_);
  if (!fixed_.is_empty()) {
    fixed_.set_addresses(space_->place_fixed(spec_, fixed_.variables()));
    const std::uint64_t end = space_->end_of_space() + metadata_margin;
    check_set_aside(set_aside_up_to(end), end, "coordinates");
    space_->flush();
  }
  end_creation();
}

void Netcdf4File::place_fixed_variables() {
  std::vector<std::uint64_t> addresses = fixed_.addresses();
  addresses.resize(fixed_.variables().size());
  agreement_.broadcast(addresses);
  fixed_.set_addresses(std::move(addresses));
  write_fixed_variables([this](ValueKind /*kind*/, std::span<const std::byte> data,
                               std::uint64_t address) { return data_.write_at(data, address); });
}

void Netcdf4File::reserve(std::int64_t records) {
  require(Stage::writing, "reserve");
  if (records <= reserved_) return;
  if (agreement_.is_shared()) place_compressed();
  const std::int64_t block = spec_.records_per_block;
  const std::int64_t to = (records + block - 1) / block * block;
  std::vector<std::uint64_t> addresses;
  together([&] {
    if (!agreement_.is_owner()) return;
    check_part();
    addresses = space_->extend(reserved_, to);
    set_aside_records(
        space_->end_of_space() + metadata_margin,
        [&] { return end_of_records(addresses, records); }, records, to);
  });
  std::size_t count = 0;
  for (const RecordVariable& variable : variables_) {
    if (variable.is_compressed) continue;
    const std::int64_t rows = variable.rows(to) - variable.rows(reserved_);
    count += static_cast<std::size_t>(rows * variable.chunks.chunks_per_row());
  }
  addresses.resize(count);
  agreement_.broadcast(addresses);
  take_addresses(addresses, reserved_, to);
  reserved_ = to;
}

// The order is that of RecordSpace::extend.
std::uint64_t Netcdf4File::end_of_records(const std::vector<std::uint64_t>& addresses,
                                          std::int64_t records) const {
  std::uint64_t end = 0;
  auto next = addresses.begin();
  for (std::int64_t record = reserved_; record < records; ++record) {
    for (const RecordVariable& variable : variables_) {
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
void Netcdf4File::take_addresses(const std::vector<std::uint64_t>& addresses, std::int64_t from,
                                 std::int64_t to) {
  auto next = addresses.begin();
  for (std::int64_t record = from; record < to; ++record) {
    for (std::size_t column = 0; column < variables_.size(); ++column) {
      if (variables_[column].is_compressed || !variables_[column].begins_row(record)) continue;
      const auto end = next + variables_[column].chunks.chunks_per_row();
      addresses_[column].insert(addresses_[column].end(), next, end);
      next = end;
    }
  }
}

void Netcdf4File::write(const Slab& slab) {
  require(Stage::writing, "write");
  if (!failure_.empty()) throw Error(ErrorCode::io, failure_);
  const std::size_t column = column_of(slab);
  if (!variables_[column].is_compressed) return write_now(column, slab);
  if (!compressed_.write(column, slab.record, slab.box, slab.data)) {
    reject("slab of a compressed variable that is not made of whole chunks");
  }
  take_over_error();
  if (!failure_.empty()) throw Error(ErrorCode::io, failure_);
}

void Netcdf4File::write_part(std::size_t column, std::int64_t record, const Box& box,
                             std::span<const std::byte> data) {
  variables_[column].chunks.cut(
      record, box, data,
      [&](std::int64_t chunk, std::int64_t offset, std::span<const std::byte> bytes) {
        const std::uint64_t address = addresses_[column][static_cast<std::size_t>(chunk)];
        const int error = data_.write_at(bytes, address + static_cast<std::uint64_t>(offset));
        if (error == 0) return;
        check_system(error, fmt::format("cannot write record {} of '{}'", record, name_of(column)));
      });
}

void Netcdf4File::sync_data() { check_system(data_.sync(), "cannot be brought to disk"); }

void Netcdf4File::close_data() { check_system(data_.close(), "cannot be closed"); }

void Netcdf4File::flush_structure() { space_->flush(); }

void Netcdf4File::write_gap(std::size_t column, std::int64_t record,
                            std::span<const std::byte> data) {
  const Box all = whole(variables_[column].chunks.shape());
  if (variables_[column].is_compressed) {
    static_cast<void>(compressed_.write(column, record, all, data));
  } else {
    write_part(column, record, all, data);
  }
}

void Netcdf4File::end_gaps() {
  compressed_.drain();
  if (!compressed_.error().empty()) throw Error(ErrorCode::io, compressed_.error());
}

std::uint64_t Netcdf4File::finish_structure(std::int64_t records) {
  space_->finish(records);
  const std::uint64_t end = space_->end_of_space();
  space_.reset();
  return end;
}

void Netcdf4File::abandon() noexcept {
  compressed_.drop();
  if (space_) {
    space_->abandon();
    space_.reset();
  }
  // The .part file is left as it is; nothing is concluded from how it closes.
  static_cast<void>(data_.close());
}

std::unique_ptr<OutputFile> create_netcdf4(const FileSpec& spec, const ep::Comm* writers,
                                           Compressors* compressors) {
  return std::make_unique<Netcdf4File>(spec, writers, compressors);
}

}  // namespace epios::io
