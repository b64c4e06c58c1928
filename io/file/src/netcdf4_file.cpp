#include "netcdf4_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <system_error>
#include <utility>

#include "config/error.hpp"
#include "definitions.hpp"
#include "value_kind.hpp"

namespace epios::io {

namespace {

std::vector<RecordVariable> checked_record_variables(const FileSpec& spec) {
  check_spec(spec);
  return record_variables(spec);
}

std::vector<RecordLedger::Account> accounts_of(const std::vector<RecordVariable>& variables) {
  std::vector<RecordLedger::Account> out;
  out.reserve(variables.size());
  for (const RecordVariable& variable : variables) {
    out.push_back({variable.chunks.points(), variable.is_once});
  }
  return out;
}

std::string records_text(std::int64_t from, std::int64_t to) {
  return to - from == 1 ? fmt::format("record {}", from)
                        : fmt::format("records {} to {}", from, to - 1);
}

}  // namespace

Netcdf4File::Netcdf4File(const FileSpec& spec, const ep::Comm* writers, Compressors* compressors)
    : spec_(spec),
      part_(spec.path + ".part"),
      agreement_(writers),
      variables_(checked_record_variables(spec)),
      fixed_(spec_),
      addresses_(variables_.size()),
      ledger_(accounts_of(variables_)),
      puts_now_(!agreement_.is_shared()),
      waiting_(variables_),
      compressed_(spec_, variables_, compressors, compressed_sinks()) {
  mark_unset();
  together([this] {
    fixed_.check();
    if (agreement_.is_owner()) create();
  });
  together([this] {
    if (!agreement_.is_owner()) check_system(data_.open(part_), "cannot be opened by every writer");
  });
  if (!fixed_.is_empty()) write_fixed_variables();
  // What they view may go now.
  for (VariableSpec& variable : spec_.variables) variable.fixed = {};
}

Netcdf4File::~Netcdf4File() { abandon(); }

/// Which variables have unset points is known when all writers have been asked.
void Netcdf4File::mark_unset() {
  if (fixed_.is_empty()) return;
  std::vector<std::int64_t> counts = fixed_.value_counts();
  agreement_.sum(counts);
  const std::vector<int> incomplete = fixed_.incomplete(counts);
  for (std::size_t v = 0; v < spec_.variables.size(); ++v) {
    VariableSpec& variable = spec_.variables[v];
    variable.marks_unset =
        variable.marks_unset &&
        std::binary_search(incomplete.begin(), incomplete.end(), static_cast<int>(v));
  }
}

void Netcdf4File::create() {
  std::error_code ignored;
  const bool is_folder = std::filesystem::is_directory(spec_.path, ignored);
  check_system(is_folder ? EISDIR : 0, "cannot be created");
  const PosixFile image = definitions(spec_, variables_);
  check_system(take_part(), "cannot be created");
  check_system(data_.truncate(0), "cannot be created");
  check_system(data_.copy(image), "cannot write its definitions");
  space_ = std::make_unique<RecordSpace>(spec_, variables_, part_);
  if (!fixed_.is_empty()) {
    fixed_.set_addresses(space_->place_fixed(spec_, fixed_.variables()));
    set_aside_coordinates();
    space_->flush();
  }
  write_journal();
  if (!spec_.to_disk) return;
  check_system(data_.sync(), "cannot be brought to disk");
  check_system(sync_folder(folder_of(part_)), "cannot be brought to disk");
}

void Netcdf4File::write_fixed_variables() {
  std::vector<std::uint64_t> addresses = fixed_.addresses();
  addresses.resize(fixed_.variables().size());
  agreement_.broadcast(addresses);
  fixed_.set_addresses(std::move(addresses));
  std::vector<std::int64_t> counts = fixed_.counts();
  agreement_.sum(counts);
  if (!fixed_.are_complete(counts)) {
    together([&] {
      if (agreement_.is_owner()) fixed_.write_unset(data_, counts);
    });
  }
  together([&] {
    fixed_.write(data_);
    if (spec_.to_disk) check_system(data_.sync(), "cannot be brought to disk");
  });
}

int Netcdf4File::take_part() {
  // Another job may give the file its final name between open and lock: then there is a new one.
  constexpr int attempts = 3;
  int error = ESTALE;
  for (int attempt = 0; attempt < attempts && (error == ESTALE || error == ENOENT); ++attempt) {
    PosixFile file;
    error = file.create(part_);
    if (error == 0) error = file.lock();
    if (error == 0) error = file.check_name(part_);
    if (error == 0) data_ = std::move(file);
  }
  return error;
}

void Netcdf4File::check_part() const {
  check_system(data_.check_name(part_), "cannot be continued");
  std::uint64_t bytes = 0;
  check_system(data_.size(bytes), "cannot be looked at");
  check_length(bytes, file_end_, bytes >= file_end_);
}

void Netcdf4File::check_length(std::uint64_t bytes, std::uint64_t wanted, bool is_good) const {
  if (is_good) return;
  throw Error(ErrorCode::io,
              fmt::format("file '{}': cannot be continued (its '.part' has {} bytes, {} were "
                          "written). Did another job or a clean-up touch it during the run?",
                          spec_.path, bytes, wanted));
}

void Netcdf4File::together(const std::function<void()>& work) {
  if (failure_.empty()) {
    try {
      work();
    } catch (const std::exception& e) {
      failure_ = e.what();
    }
  }
  std::string agreed = agreement_.first_error(failure_);
  if (agreed.empty()) return;
  failure_ = std::move(agreed);
  failure_is_agreed_ = true;
  throw Error(ErrorCode::io, failure_);
}

void Netcdf4File::require(Stage stage, const char* call) const {
  if (failure_is_agreed_) throw Error(ErrorCode::io, failure_);
  if (stage_ != stage) reject(fmt::format("{} out of order", call));
}

void Netcdf4File::reject(const std::string& what) const {
  throw Error(ErrorCode::internal,
              fmt::format("file '{}': {} (a rule of OutputFile was broken). Please report this?",
                          spec_.path, what));
}

void Netcdf4File::check_system(int error, const std::string& problem) const {
  if (error != 0) throw Error(ErrorCode::io, system_error_text(spec_.path, problem, error));
}

const std::string& Netcdf4File::name_of(std::size_t column) const {
  return spec_.variables[static_cast<std::size_t>(variables_[column].variable)].name;
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
    set_aside_records(addresses, records, to);
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

int Netcdf4File::set_aside_up_to(std::uint64_t end) {
  if (end <= space_end_) return 0;
  if (file_end_ == 0) {
    check_system(data_.size(file_end_), "cannot be looked at");
    space_end_ = file_end_;
  }
  const int error = data_.reserve(space_end_, end);
  if (error == 0) {
    space_end_ = end;
    file_end_ = std::max(file_end_, end);
  } else {  // some file systems keep what they could give
    check_system(data_.truncate(file_end_), "cannot be cut");
  }
  return error;
}

void Netcdf4File::check_set_aside(int error, std::uint64_t end, const std::string& what) const {
  check_system(error, fmt::format("cannot set aside {:.1f} MB for {}",
                                  static_cast<double>(end - space_end_) / 1e6, what));
}

void Netcdf4File::set_aside_coordinates() {
  const std::uint64_t end = space_->end_of_space() + metadata_margin;
  check_set_aside(set_aside_up_to(end), end, "coordinates");
}

// Most of a block is for records to come, perhaps never: where the disk has not so much, what is
// needed now is set aside, and the rest takes its space when it is written. That may fail, on one
// writer; the others learn of it in the next thing that all do together.
void Netcdf4File::set_aside_records(const std::vector<std::uint64_t>& addresses,
                                    std::int64_t needed, std::int64_t to) {
  const std::uint64_t end = space_->end_of_space() + metadata_margin;
  const int error = set_aside_up_to(end);
  if (error != ENOSPC && error != EDQUOT) {
    return check_set_aside(error, end, records_text(reserved_, to));
  }
  const std::uint64_t least = end_of_records(addresses, needed);
  check_set_aside(set_aside_up_to(least), least, records_text(reserved_, needed));
  file_end_ = std::max(file_end_, end);
  check_system(data_.truncate(file_end_), "cannot be extended");
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

std::size_t Netcdf4File::column_of(const Slab& slab) const {
  const auto found =
      std::find_if(variables_.begin(), variables_.end(),
                   [&](const RecordVariable& v) { return v.variable == slab.variable; });
  if (found == variables_.end()) reject("write to what is no record variable");
  const ChunkGrid& chunks = found->chunks;
  const std::int64_t records = found->is_once ? std::min<std::int64_t>(reserved_, 1) : reserved_;
  if (slab.record < 0 || slab.record >= records) reject("write to a record not reserved");
  if (!slab.box.is_empty() &&
      (slab.box.rank() != chunks.shape().size() || !contains(whole(chunks.shape()), slab.box))) {
    reject("slab outside of its variable");
  }
  if (static_cast<std::int64_t>(slab.data.size()) != slab.box.volume() * chunks.value_bytes()) {
    reject("slab with the wrong number of bytes");
  }
  return static_cast<std::size_t>(found - variables_.begin());
}

void Netcdf4File::write(const Slab& slab) {
  require(Stage::writing, "write");
  if (!failure_.empty()) throw Error(ErrorCode::io, failure_);
  const std::size_t column = column_of(slab);
  if (variables_[column].is_compressed) {
    if (!compressed_.write(column, slab.record, slab.box, slab.data)) {
      reject("slab of a compressed variable that is not made of whole chunks");
    }
    take_over_error();
    if (!failure_.empty()) throw Error(ErrorCode::io, failure_);
    return;
  }
  try {
    write_part(column, slab.record, slab.box, slab.data);
  } catch (const Error& e) {
    failure_ = e.what();
    throw;
  }
  ledger_.note(column, slab.record, slab.box.volume());
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

void Netcdf4File::sync() {
  require(Stage::writing, "sync");
  place_compressed();
  together([this] {
    if (spec_.to_disk) check_system(data_.sync(), "cannot be brought to disk");
  });
  static_cast<void>(ledger_.settle(agreement_, reserved_));
  together([this] {
    if (!agreement_.is_owner()) return;
    check_part();
    space_->flush();
    if (spec_.to_disk) check_system(data_.sync(), "cannot be brought to disk");
    write_journal();
  });
}

void Netcdf4File::write_journal() {
  std::vector<std::string> names;
  for (std::size_t column = 0; column < variables_.size(); ++column) {
    names.push_back(name_of(column));
  }
  check_system(replace_file(part_ + ".records", journal_text(names, ledger_), spec_.to_disk),
               "cannot write its journal");
}

void Netcdf4File::seal(std::int64_t records) {
  require(Stage::writing, "seal");
  if (records < 0 || records > reserved_) fail("more records than were reserved");
  const bool has_once = std::any_of(variables_.begin(), variables_.end(),
                                    [](const RecordVariable& v) { return v.is_once; });
  if (has_once && reserved_ == 0 && !failure_is_agreed_) reserve(1);  // what was never written
  place_compressed();
  together([this] {
    if (spec_.to_disk) check_system(data_.sync(), "cannot be brought to disk");
    // Another node sees what this one wrote after the file was closed here.
    if (!agreement_.is_owner()) check_system(data_.close(), "cannot be closed");
  });
  const auto gaps = ledger_.settle(agreement_, records);
  together([&] {
    if (!agreement_.is_owner()) return;
    puts_now_ = true;
    fill_gaps(gaps);
    finish(records);
  });
  stage_ = Stage::sealed;
}

void Netcdf4File::fill_gaps(const std::vector<RecordLedger::Gap>& gaps) {
  std::vector<std::byte> unset;
  std::size_t unset_column = variables_.size();
  for (const RecordLedger::Gap& gap : gaps) {
    if (gap.written != 0) {
      throw Error(
          ErrorCode::io,
          fmt::format("file '{}': record {} of '{}' has {} of {} points (a part was never "
                      "written, or twice). Please report this?",
                      spec_.path, gap.record, name_of(gap.variable), gap.written, gap.points));
    }
    const ChunkGrid& chunks = variables_[gap.variable].chunks;
    if (unset_column != gap.variable) {
      const auto& variable =
          spec_.variables[static_cast<std::size_t>(variables_[gap.variable].variable)];
      const auto value = unset_bytes(variable);
      unset.clear();
      for (std::int64_t point = 0; point < gap.points; ++point) {
        unset.insert(unset.end(), value.begin(), value.end());
      }
      unset_column = gap.variable;
    }
    if (variables_[gap.variable].is_compressed) {
      static_cast<void>(compressed_.write(gap.variable, gap.record, whole(chunks.shape()), unset));
    } else {
      write_part(gap.variable, gap.record, whole(chunks.shape()), unset);
    }
  }
  compressed_.drain();
  if (!compressed_.error().empty()) throw Error(ErrorCode::io, compressed_.error());
}

void Netcdf4File::finish(std::int64_t records) {
  check_part();
  space_->finish(records);
  sealed_bytes_ = space_->end_of_space();
  check_system(data_.truncate(sealed_bytes_), "cannot be cut to its length");
  if (spec_.to_disk) check_system(data_.sync(), "cannot be brought to disk");
  check_system(data_.check_written(), "cannot be closed");
  space_.reset();
}

/// What was overwritten from outside shows at the front first.
void Netcdf4File::check_head() const {
  constexpr std::array<unsigned char, 8> signature = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  std::array<std::byte, signature.size()> head{};
  check_system(data_.read_at(head, 0), "cannot be looked at");
  if (std::memcmp(head.data(), signature.data(), signature.size()) == 0) return;
  throw Error(
      ErrorCode::io,
      fmt::format("file '{}': cannot get its final name (its '.part' does not begin as it was "
                  "written). Did another job or a clean-up touch it during the run?",
                  spec_.path));
}

std::int64_t Netcdf4File::publish() {
  require(Stage::sealed, "publish");
  stage_ = Stage::published;
  if (!agreement_.is_owner()) return 0;
  std::uint64_t bytes = 0;
  check_system(data_.check_name(part_), "cannot get its final name");
  check_system(data_.size(bytes), "cannot be looked at");
  check_length(bytes, sealed_bytes_, bytes == sealed_bytes_);
  check_head();
  if (std::rename(part_.c_str(), spec_.path.c_str()) != 0) {
    check_system(errno, "cannot get its final name");
  }
  // Only now may another job take the name of the .part file.
  static_cast<void>(data_.close());
  if (spec_.to_disk) check_system(sync_folder(folder_of(part_)), "cannot be brought to disk");
  if (::unlink((part_ + ".records").c_str()) != 0 && errno != ENOENT) {
    warning_ =
        system_error_text(spec_.path, "is complete, but its journal cannot be removed", errno);
  }
  return static_cast<std::int64_t>(bytes);
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

void Netcdf4File::fail(const std::string& why) {
  if (failure_.empty()) failure_ = fmt::format("file '{}': {}", spec_.path, why);
}

std::unique_ptr<OutputFile> create_netcdf4(const FileSpec& spec, const ep::Comm* writers,
                                           Compressors* compressors) {
  return std::make_unique<Netcdf4File>(spec, writers, compressors);
}

}  // namespace epios::io
