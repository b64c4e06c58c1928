#include "formats/cdf_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "config/error.hpp"
#include "disk/value_kind.hpp"
#include "hdf5/definitions.hpp"

namespace epios::io {

namespace {

// Less is written by one endpoint: the others would take longer to be woken.
constexpr std::int64_t least_bytes_to_share = std::int64_t{128} << 10;
/// Which part of a slab endpoint `number` of `count` writes: some of its slowest dimension that has
/// more than one point, so that it is in a row in the slab's data.
Box part_of(const Box& slab, int number, int count) {
  std::size_t cut = 0;
  while (cut < slab.rank() && slab.size[cut] == 1) ++cut;
  if (cut == slab.rank()) return number == 0 ? slab : nothing(slab.rank());
  Box out = slab;
  const std::int64_t from = slab.size[cut] * number / count;
  const std::int64_t to = slab.size[cut] * (number + 1) / count;
  out.begin[cut] += from;
  out.size[cut] = to - from;
  return out;
}

}  // namespace

CdfFile::CdfFile(const FileSpec& spec, const ep::Comm* writers, WritingEndpoints& endpoints)
    : PartFile(spec, writers, "CDF\x05"), endpoints_(endpoints) {
  mark_unset();
  together([this] {
    fixed_.check();
    for (const VariableSpec& variable : spec_.variables) {
      if (variable.compression.is_on()) reject("compressed variable in a CDF-5 file");
    }
    if (agreement_.is_owner()) create();
  });
  tell_places();
  together([this] { open_endpoints(); });
  if (!fixed_.is_empty()) {
    std::vector<std::uint64_t> addresses;
    for (const int v : fixed_.variables()) {
      addresses.push_back(begins_[static_cast<std::size_t>(v)]);
    }
    fixed_.set_addresses(std::move(addresses));
    write_fixed_variables(
        [this](ValueKind kind, std::span<const std::byte> data, std::uint64_t address) {
          return handles_[0]->write_at(kind, data, address);
        });
  }
  // What they view may go now.
  for (VariableSpec& variable : spec_.variables) variable.fixed = {};
}

CdfFile::~CdfFile() { CdfFile::abandon(); }

void CdfFile::create() {
  const PosixFile image = definitions(spec_, variables_);
  std::uint64_t size = 0;
  check_system(image.size(size), "cannot be defined");
  std::vector<std::byte> head(
      static_cast<std::size_t>(std::min(size, header_bytes_at_most(spec_))));
  check_system(image.read_at(head, 0), "cannot be defined");
  const CdfHeader header = read_cdf_header(head, spec_.path);
  begin_part();
  check_system(data_.write_at(std::span(head).first(static_cast<std::size_t>(header.end)), 0),
               "cannot write its definitions");
  for (const CdfHeader::Variable& variable : header.variables) begins_.push_back(variable.begin);
  records_begin_ = header.records_begin;
  record_bytes_ = header.record_bytes;
  check_set_aside(set_aside_up_to(records_begin_), records_begin_, "coordinates");
  end_creation();
}

void CdfFile::tell_places() {
  std::vector<std::uint64_t> places = begins_;
  places.resize(spec_.variables.size());
  places.push_back(records_begin_);
  places.push_back(record_bytes_);
  agreement_.broadcast(places);
  record_bytes_ = places.back();
  places.pop_back();
  records_begin_ = places.back();
  places.pop_back();
  begins_ = std::move(places);
}

void CdfFile::open_endpoints() {
  const int count = std::max(spec_.endpoints, 1);
  endpoints_.make(count);
  for (int e = 0; e < count; ++e) {
    handles_.push_back(std::make_unique<CdfEndpoint>());
    check_system(handles_.back()->open(endpoints_.comm(e), part_),
                 "cannot be opened by every writer");
  }
  share_out();
}

void CdfFile::share_out() {
  const int count = static_cast<int>(handles_.size());
  std::vector<std::vector<CdfEndpoint::Share>> shares(handles_.size());
  pieces_.resize(variables_.size());
  for (std::size_t column = 0; column < variables_.size(); ++column) {
    const VariableSpec& variable = variable_of(column);
    const ChunkGrid& chunks = variables_[column].chunks;
    const bool is_known =
        variable.slab && !variables_[column].is_once && !variable.slab->is_empty();
    const std::int64_t bytes = is_known ? variable.slab->volume() * chunks.value_bytes() : 0;
    const int writers = bytes < least_bytes_to_share ? 1 : count;
    std::size_t offset = 0;
    for (int e = 0; e < count; ++e) {
      CdfEndpoint::Share share;
      share.kind = variable.kind;
      share.shape = chunks.shape();
      share.box = is_known && e < writers ? part_of(*variable.slab, e, writers) : nothing(0);
      if (!share.box.is_empty()) {
        share.begin = address_of(column, 0) - records_begin_;
        const auto size = static_cast<std::size_t>(share.box.volume() * chunks.value_bytes());
        pieces_[column].push_back({e, offset, size});
        offset += size;
      }
      shares[static_cast<std::size_t>(e)].push_back(std::move(share));
    }
  }
  for (std::size_t e = 0; e < handles_.size(); ++e) {
    handles_[e]->set_shares(std::move(shares[e]), records_begin_, record_bytes_);
  }
}

std::uint64_t CdfFile::file_bytes(std::int64_t records) const {
  return records_begin_ + static_cast<std::uint64_t>(records) * record_bytes_;
}

std::uint64_t CdfFile::address_of(std::size_t column, std::int64_t record) const {
  const std::uint64_t begin = begins_[static_cast<std::size_t>(variables_[column].variable)];
  return begin + static_cast<std::uint64_t>(record) * record_bytes_;
}

void CdfFile::reserve(std::int64_t records) {
  require(Stage::writing, "reserve");
  if (records <= reserved_) return;
  const std::int64_t block = spec_.records_per_block;
  const std::int64_t to = (records + block - 1) / block * block;
  together([&] {
    if (!agreement_.is_owner()) return;
    check_part();
    if (agreement_.is_shared()) {
      set_aside_records(
          file_bytes(to), [&] { return file_bytes(records); }, records, to);
    } else {
      // One writer is told of a full disk by the write that meets it, and has no structure to
      // bring there: pages that are set aside are cleared first, which costs a quarter of writing.
      file_end_ = std::max(file_end_, file_bytes(to));
      check_system(data_.truncate(file_end_), "cannot be extended");
    }
  });
  reserved_ = to;
}

void CdfFile::write_part(std::size_t column, std::int64_t record, const Box& box,
                         std::span<const std::byte> data) {
  if (box.is_empty()) return;
  const auto& known = variable_of(column).slab;
  if (!pieces_[column].empty() && known && *known == box) {
    write_shares(column, record, data);
  } else {
    write_runs(column, record, box, data);
  }
}

void CdfFile::write_shares(std::size_t column, std::int64_t record,
                           std::span<const std::byte> data) {
  const std::vector<Piece>& pieces = pieces_[column];
  const auto write = [&](const Piece& piece) {
    return handles_[static_cast<std::size_t>(piece.endpoint)]->write_share(
        column, record, data.subspan(piece.offset, piece.bytes));
  };
  if (pieces.size() == 1 && pieces.front().endpoint == 0) {
    return check_system(write(pieces.front()),
                        fmt::format("cannot write record {} of '{}'", record, name_of(column)));
  }
  std::vector<int> errors(handles_.size(), 0);
  std::vector<std::exception_ptr> thrown(handles_.size());
  endpoints_.run(static_cast<int>(handles_.size()), [&](int endpoint) {
    const auto e = static_cast<std::size_t>(endpoint);
    try {
      for (const Piece& piece : pieces) {
        if (piece.endpoint == endpoint) errors[e] = write(piece);
      }
    } catch (...) {
      thrown[e] = std::current_exception();
    }
  });
  for (const std::exception_ptr& one : thrown) {
    if (one) std::rethrow_exception(one);
  }
  const auto failed = std::find_if(errors.begin(), errors.end(), [](int e) { return e != 0; });
  if (failed == errors.end()) return;
  check_system(*failed, fmt::format("cannot write record {} of '{}'", record, name_of(column)));
}

void CdfFile::write_runs(std::size_t column, std::int64_t record, const Box& box,
                         std::span<const std::byte> data) {
  const std::uint64_t begin = address_of(column, record);
  const ChunkGrid& chunks = variables_[column].chunks;
  const auto bytes = [&](std::int64_t points) {
    return static_cast<std::size_t>(points * chunks.value_bytes());
  };
  for_each_run(
      chunks.shape(), box, [&](std::int64_t point, std::int64_t offset, std::int64_t count) {
        const int error =
            handles_[0]->write_at(variable_of(column).kind,
                                  data.subspan(bytes(offset), bytes(count)), begin + bytes(point));
        if (error == 0) return;
        check_system(error, fmt::format("cannot write record {} of '{}'", record, name_of(column)));
      });
}

void CdfFile::write_gap(std::size_t column, std::int64_t record, std::span<const std::byte> data) {
  write_runs(column, record, whole(variables_[column].chunks.shape()), data);
}

void CdfFile::sync_data() { check_system(handles_[0]->sync(), "cannot be brought to disk"); }

/// The number of records comes last, so that a reader of the header never sees one that is not
/// there.
void CdfFile::flush_structure() {
  std::int64_t records = 0;
  for (std::size_t column = 0; column < variables_.size(); ++column) {
    if (!variables_[column].is_once) records = std::max(records, ledger_.complete(column));
  }
  write_records(records);
}

void CdfFile::write_records(std::int64_t records) {
  const int error = handles_[0]->write_at(ValueKind::int64, std::as_bytes(std::span(&records, 1)),
                                          CdfHeader::records_place);
  check_system(error, "cannot write its number of records");
}

int CdfFile::close_endpoints() {
  int first = 0;
  for (const auto& handle : handles_) {
    const int error = handle->close();
    if (first == 0) first = error;
  }
  handles_.clear();
  return first;
}

void CdfFile::close_data() {
  check_system(close_endpoints(), "cannot be closed");
  check_system(data_.close(), "cannot be closed");
}

std::uint64_t CdfFile::finish_structure(std::int64_t records) {
  write_records(record_bytes_ == 0 ? 0 : records);  // as netCDF-C counts them
  check_system(close_endpoints(), "cannot be closed");
  return file_bytes(records);
}

void CdfFile::abandon() noexcept {
  handles_.clear();
  // The .part file is left as it is; nothing is concluded from how it closes.
  static_cast<void>(data_.close());
}

std::unique_ptr<OutputFile> create_cdf5(const FileSpec& spec, const ep::Comm* writers,
                                        WritingEndpoints& endpoints) {
  return std::make_unique<CdfFile>(spec, writers, endpoints);
}

}  // namespace epios::io
