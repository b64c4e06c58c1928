#include "contract/part_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ep/ep.hpp>
#include <exception>
#include <filesystem>
#include <system_error>
#include <utility>

#include "config/error.hpp"
#include "disk/value_kind.hpp"
#include "hdf5/definitions.hpp"

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

}  // namespace

std::string records_text(std::int64_t from, std::int64_t to) {
  return to - from == 1 ? fmt::format("record {}", from)
                        : fmt::format("records {} to {}", from, to - 1);
}

PartFile::PartFile(const FileSpec& spec, const ep::Comm* writers, std::string signature)
    : spec_(spec),
      part_(spec.path + ".part"),
      agreement_(writers),
      variables_(checked_record_variables(spec)),
      fixed_(spec_),
      ledger_(accounts_of(variables_)),
      signature_(std::move(signature)) {}

/// Which variables have unset points is known when all writers have been asked.
void PartFile::mark_unset() {
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

void PartFile::begin_part() {
  std::error_code ignored;
  const bool is_folder = std::filesystem::is_directory(spec_.path, ignored);
  check_system(is_folder ? EISDIR : 0, "cannot be created");
  check_system(take_part(), "cannot be created");
  check_system(data_.truncate(0), "cannot be created");
}

void PartFile::end_creation() {
  write_journal();
  if (!spec_.to_disk) return;
  check_system(data_.sync(), "cannot be brought to disk");
  check_system(sync_folder(folder_of(part_)), "cannot be brought to disk");
}

/// Opens and locks the .part file, which is its only name.
int PartFile::take_part() {
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

void PartFile::write_fixed_variables(const ValueSink& sink) {
  std::vector<std::int64_t> counts = fixed_.counts();
  agreement_.sum(counts);
  if (!fixed_.are_complete(counts)) {
    together([&] {
      if (agreement_.is_owner()) fixed_.write_unset(sink, counts);
    });
  }
  together([&] {
    fixed_.write(sink);
    if (spec_.to_disk) sync_data();
  });
}

void PartFile::check_part() const {
  check_system(data_.check_name(part_), "cannot be continued");
  std::uint64_t bytes = 0;
  check_system(data_.size(bytes), "cannot be looked at");
  check_length(bytes, file_end_, bytes >= file_end_);
}

void PartFile::check_length(std::uint64_t bytes, std::uint64_t wanted, bool is_good) const {
  if (is_good) return;
  throw Error(ErrorCode::io,
              fmt::format("file '{}': cannot be continued (its '.part' has {} bytes, {} were "
                          "written). Did another job or a clean-up touch it during the run?",
                          spec_.path, bytes, wanted));
}

void PartFile::together(const std::function<void()>& work) {
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

void PartFile::require(Stage stage, const char* call) const {
  if (failure_is_agreed_) throw Error(ErrorCode::io, failure_);
  if (stage_ != stage) reject(fmt::format("{} out of order", call));
}

void PartFile::reject(const std::string& what) const {
  throw Error(ErrorCode::internal,
              fmt::format("file '{}': {} (a rule of OutputFile was broken). Please report this?",
                          spec_.path, what));
}

void PartFile::check_system(int error, const std::string& problem) const {
  if (error != 0) throw Error(ErrorCode::io, system_error_text(spec_.path, problem, error));
}

const VariableSpec& PartFile::variable_of(std::size_t column) const {
  return spec_.variables[static_cast<std::size_t>(variables_[column].variable)];
}

const std::string& PartFile::name_of(std::size_t column) const { return variable_of(column).name; }

int PartFile::set_aside_up_to(std::uint64_t end) {
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

void PartFile::check_set_aside(int error, std::uint64_t end, const std::string& what) const {
  check_system(error, fmt::format("cannot set aside {:.1f} MB for {}",
                                  static_cast<double>(end - space_end_) / 1e6, what));
}

// Most of a block is for records to come, perhaps never: where the disk has not so much, what is
// needed now is set aside, and the rest takes its space when it is written. That may fail, on one
// writer; the others learn of it in the next thing that all do together.
void PartFile::set_aside_records(std::uint64_t end, const std::function<std::uint64_t()>& least,
                                 std::int64_t needed, std::int64_t to) {
  const int error = set_aside_up_to(end);
  if (error != ENOSPC && error != EDQUOT) {
    return check_set_aside(error, end, records_text(reserved_, to));
  }
  const std::uint64_t bare = least();
  check_set_aside(set_aside_up_to(bare), bare, records_text(reserved_, needed));
  file_end_ = std::max(file_end_, end);
  check_system(data_.truncate(file_end_), "cannot be extended");
}

std::size_t PartFile::column_of(const Slab& slab) const {
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

void PartFile::write(const Slab& slab) {
  require(Stage::writing, "write");
  if (!failure_.empty()) throw Error(ErrorCode::io, failure_);
  write_now(column_of(slab), slab);
}

void PartFile::write_now(std::size_t column, const Slab& slab) {
  try {
    write_part(column, slab.record, slab.box, slab.data);
  } catch (const std::exception& e) {
    failure_ = e.what();
    throw;
  }
  ledger_.note(column, slab.record, slab.box.volume());
}

void PartFile::sync() {
  require(Stage::writing, "sync");
  settle_writes();
  together([this] {
    if (spec_.to_disk) sync_data();
  });
  settle_records();
  together([this] {
    if (!agreement_.is_owner()) return;
    check_part();
    flush_structure();
    if (spec_.to_disk) check_system(data_.sync(), "cannot be brought to disk");
    write_journal();
  });
}

/// Records that nobody wrote and whose successors are complete will not come any more: what was
/// durable behind them would not count.
void PartFile::settle_records() {
  std::vector<RecordLedger::Gap> gaps = ledger_.settle(agreement_, reserved_);
  std::erase_if(gaps, [](const auto& gap) { return gap.written != 0 || !gap.is_passed; });
  if (gaps.empty()) return;
  together([&] {
    if (agreement_.is_owner()) fill_gaps(gaps);
  });
  settle_writes();
  if (agreement_.is_owner()) {
    for (const RecordLedger::Gap& gap : gaps) {
      if (!variables_[gap.variable].is_compressed)
        ledger_.note(gap.variable, gap.record, gap.points);
    }
  }
  together([this] {
    if (spec_.to_disk && agreement_.is_owner()) sync_data();
  });
  static_cast<void>(ledger_.settle(agreement_, reserved_));
}

void PartFile::write_journal() {
  std::vector<std::string> names;
  for (std::size_t column = 0; column < variables_.size(); ++column) {
    names.push_back(name_of(column));
  }
  check_system(replace_file(part_ + ".records", journal_text(names, ledger_), spec_.to_disk),
               "cannot write its journal");
}

void PartFile::seal(std::int64_t records) {
  require(Stage::writing, "seal");
  if (records < 0 || records > reserved_) fail("more records than were reserved");
  const bool has_once = std::any_of(variables_.begin(), variables_.end(),
                                    [](const RecordVariable& v) { return v.is_once; });
  if (has_once && reserved_ == 0 && !failure_is_agreed_) reserve(1);  // what was never written
  settle_writes();
  together([this] {
    if (spec_.to_disk) sync_data();
    // Another node sees what this one wrote after the file was closed here.
    if (!agreement_.is_owner()) close_data();
  });
  const auto gaps = ledger_.settle(agreement_, records);
  together([&] {
    if (!agreement_.is_owner()) return;
    begin_gaps();
    fill_gaps(gaps);
    end_gaps();
    finish(records);
  });
  stage_ = Stage::sealed;
}

void PartFile::fill_gaps(const std::vector<RecordLedger::Gap>& gaps) {
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
    if (unset_column != gap.variable) {
      const auto value = unset_bytes(variable_of(gap.variable));
      unset.clear();
      for (std::int64_t point = 0; point < gap.points; ++point) {
        unset.insert(unset.end(), value.begin(), value.end());
      }
      unset_column = gap.variable;
    }
    write_gap(gap.variable, gap.record, unset);
  }
}

void PartFile::finish(std::int64_t records) {
  check_part();
  sealed_bytes_ = finish_structure(records);
  check_system(data_.truncate(sealed_bytes_), "cannot be cut to its length");
  if (spec_.to_disk) check_system(data_.sync(), "cannot be brought to disk");
  check_system(data_.check_written(), "cannot be closed");
}

/// What was overwritten from outside shows at the front first.
void PartFile::check_head() const {
  std::vector<std::byte> head(signature_.size());
  check_system(data_.read_at(head, 0), "cannot be looked at");
  if (std::memcmp(head.data(), signature_.data(), signature_.size()) == 0) return;
  throw Error(
      ErrorCode::io,
      fmt::format("file '{}': cannot get its final name (its '.part' does not begin as it was "
                  "written). Did another job or a clean-up touch it during the run?",
                  spec_.path));
}

std::int64_t PartFile::publish() {
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
  // At once: another job that takes the name of the .part file has a journal of its own there.
  if (::unlink((part_ + ".records").c_str()) != 0 && errno != ENOENT) {
    warning_ =
        system_error_text(spec_.path, "is complete, but its journal cannot be removed", errno);
  }
  static_cast<void>(data_.close());
  if (spec_.to_disk) check_system(sync_folder(folder_of(part_)), "cannot be brought to disk");
  return static_cast<std::int64_t>(bytes);
}

void PartFile::fail(const std::string& why) {
  if (failure_.empty()) failure_ = fmt::format("file '{}': {}", spec_.path, why);
}

}  // namespace epios::io
