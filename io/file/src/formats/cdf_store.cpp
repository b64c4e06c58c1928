// Stores records in CDF-5 files. NetCDF-C defines the header; each writing endpoint then writes its
// slabs through a view of its own (EP_File). Addresses follow from the header (cdf_header).
#include "formats/cdf_store.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "config/index.hpp"
#include "contract/file_protocol.hpp"
#include "grid/index.hpp"
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

CdfStore::CdfStore(GrowingFile& file, WritingEndpoints& endpoints)
    : file_(file), part_(file.spec.path, "CDF\x05"), endpoints_(endpoints) {}

void CdfStore::prepare() {
  for (const VariableSpec& variable : file_.spec.variables) {
    if (variable.compression.is_on()) file_.reject("compressed variable in a CDF-5 file");
  }
}

void CdfStore::create() {
  const PosixFile image = definitions(file_.spec, file_.variables);
  std::uint64_t size = 0;
  file_.check_system(image.size(size), "cannot be defined");
  std::vector<std::byte> head(
      static_cast<std::size_t>(std::min(size, header_bytes_at_most(file_.spec))));
  file_.check_system(image.read_at(head, 0), "cannot be defined");
  const CdfHeader header = read_cdf_header(head, file_.spec.path);
  part_.create();
  const auto written = std::span(head).first(static_cast<std::size_t>(header.end));
  file_.check_system(part_.data().write_at(written, 0), "cannot write its definitions");
  for (const CdfHeader::Variable& variable : header.variables) begins_.push_back(variable.begin);
  records_begin_ = header.records_begin;
  record_bytes_ = header.record_bytes;
  part_.set_aside(records_begin_, "coordinates");
  if (file_.spec.to_disk) part_.sync(true);
}

void CdfStore::open() {
  tell_places();
  file_.writers.together([this] {
    // The endpoints open the file that was checked here.
    if (!file_.writers.is_owner()) part_.open();
    open_endpoints();
  });
  if (file_.fixed.is_empty()) return;
  std::vector<std::uint64_t> addresses;
  for (const int v : file_.fixed.variables()) addresses.push_back(begins_[as_index(v)]);
  file_.fixed.set_addresses(std::move(addresses));
  write_fixed_variables(
      file_,
      [this](ValueKind kind, std::span<const std::byte> data, std::uint64_t address) {
        return handles_[0]->write_at(kind, data, address);
      },
      [this] { sync(); });
}

void CdfStore::tell_places() {
  std::vector<std::uint64_t> places = begins_;
  places.resize(file_.spec.variables.size());
  places.push_back(records_begin_);
  places.push_back(record_bytes_);
  file_.writers.agreement().broadcast(places);
  record_bytes_ = places.back();
  places.pop_back();
  records_begin_ = places.back();
  places.pop_back();
  begins_ = std::move(places);
}

void CdfStore::open_endpoints() {
  const int count = std::max(file_.spec.endpoints, 1);
  endpoints_.make(count);
  for (int e = 0; e < count; ++e) {
    handles_.push_back(std::make_unique<CdfEndpoint>());
    file_.check_system(handles_.back()->open(endpoints_.comm(e), part_.data().path_here()),
                       "cannot be opened by every writer");
  }
  share_out();
}

void CdfStore::share_out() {
  const int count = static_cast<int>(handles_.size());
  std::vector<std::vector<CdfEndpoint::Share>> shares(handles_.size());
  pieces_.resize(file_.variables.size());
  for (std::size_t column = 0; column < file_.variables.size(); ++column) {
    const VariableSpec& variable = file_.variable_of(column);
    const ChunkGrid& chunks = file_.variables[column].chunks;
    const bool is_known =
        variable.slab && !file_.variables[column].is_once && !variable.slab->is_empty();
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
      nth(shares, e).push_back(std::move(share));
    }
  }
  for (std::size_t e = 0; e < handles_.size(); ++e) {
    handles_[e]->set_shares(std::move(shares[e]), records_begin_, record_bytes_);
  }
}

std::uint64_t CdfStore::file_bytes(std::int64_t records) const {
  return records_begin_ + static_cast<std::uint64_t>(records) * record_bytes_;
}

std::uint64_t CdfStore::address_of(std::size_t column, std::int64_t record) const {
  const std::uint64_t begin = nth(begins_, file_.variables[column].variable);
  return begin + static_cast<std::uint64_t>(record) * record_bytes_;
}

void CdfStore::reserve(std::int64_t needed, std::int64_t to) {
  const std::int64_t from = file_.reserved;
  file_.writers.together([&] {
    if (!file_.writers.is_owner()) return;
    part_.check();
    if (file_.writers.is_shared()) {
      part_.set_aside_or(
          file_bytes(to), records_text(from, to), [&] { return file_bytes(needed); },
          records_text(from, needed));
    } else {
      // One writer is told of a full disk by the write that meets it, and has no structure to
      // bring there: pages that are set aside are cleared first, which costs a quarter of writing.
      part_.extend(file_bytes(to));
    }
  });
}

void CdfStore::write(std::size_t column, const Slab& slab) {
  if (!slab.box.is_empty()) {
    const auto& known = file_.variable_of(column).slab;
    if (!pieces_[column].empty() && known && *known == slab.box) {
      write_shares(column, slab);
    } else {
      write_runs(column, slab);
    }
  }
  file_.ledger.note(column, slab.record, slab.box.volume());
}

void CdfStore::write_shares(std::size_t column, const Slab& slab) {
  const std::vector<Piece>& pieces = pieces_[column];
  const auto write = [&](const Piece& piece) {
    return nth(handles_, piece.endpoint)
        ->write_share(column, slab.record, slab.data.subspan(piece.offset, piece.bytes));
  };
  if (pieces.size() == 1 && pieces.front().endpoint == 0) {
    return file_.check_record_written(write(pieces.front()), slab.record, column);
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
  file_.check_record_written(failed == errors.end() ? 0 : *failed, slab.record, column);
}

void CdfStore::write_runs(std::size_t column, const Slab& slab) {
  const std::uint64_t begin = address_of(column, slab.record);
  const ChunkGrid& chunks = file_.variables[column].chunks;
  const auto bytes = [&](std::int64_t points) {
    return static_cast<std::size_t>(points * chunks.value_bytes());
  };
  for_each_run(
      chunks.shape(), slab.box, [&](std::int64_t point, std::int64_t offset, std::int64_t count) {
        const int error = handles_[0]->write_at(file_.variable_of(column).kind,
                                                slab.data.subspan(bytes(offset), bytes(count)),
                                                begin + bytes(point));
        file_.check_record_written(error, slab.record, column);
      });
}

void CdfStore::sync() { file_.check_system(handles_[0]->sync(), "cannot be brought to disk"); }

/// The number of records comes last, so that a reader of the header never sees one that is not
/// there.
void CdfStore::flush() {
  part_.check();
  std::int64_t records = 0;
  for (std::size_t column = 0; column < file_.variables.size(); ++column) {
    if (file_.variables[column].is_once) continue;
    records = std::max(records, file_.ledger.complete(column));
  }
  write_records(records);
  if (file_.spec.to_disk) part_.sync();
}

void CdfStore::write_records(std::int64_t records) {
  const int error = handles_[0]->write_at(ValueKind::int64, std::as_bytes(std::span(&records, 1)),
                                          CdfHeader::records_place);
  file_.check_system(error, "cannot write its number of records");
}

int CdfStore::close_endpoints() {
  int first = 0;
  for (const auto& handle : handles_) {
    const int error = handle->close();
    if (first == 0) first = error;
  }
  handles_.clear();
  return first;
}

void CdfStore::close() {
  file_.check_system(close_endpoints(), "cannot be closed");
  part_.close();
}

void CdfStore::finish(std::int64_t records) {
  part_.check();
  write_records(record_bytes_ == 0 ? 0 : records);  // netCDF-C counts them in this way
  file_.check_system(close_endpoints(), "cannot be closed");
  part_.finish(file_bytes(records), file_.spec.to_disk);
}

void CdfStore::abandon() noexcept {
  handles_.clear();
  // The .part file is left as it is; nothing is concluded from how it closes.
  part_.abandon();
}

std::unique_ptr<OutputFile> create_cdf5(const FileSpec& spec, const ep::Comm* writers,
                                        WritingEndpoints& endpoints) {
  return std::make_unique<FileProtocol>(spec, writers, [&](GrowingFile& file) {
    return std::make_unique<CdfStore>(file, endpoints);
  });
}

void CdfStore::put_rounding(int variable) {
  file_.reject(fmt::format("rounding of '{}', which format cdf5 cannot say later",
                           file_.spec.variables[as_index(variable)].name));
}

}  // namespace epios::io
