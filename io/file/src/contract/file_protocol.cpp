// The protocol that all formats share: create, reserve, write, sync, seal, publish. Each collective
// step does its work, agrees on the outcome with the other writers, and fails the file for good if
// any of them failed.
#include "contract/file_protocol.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <exception>

#include "config/error.hpp"
#include "config/failure_text.hpp"
#include "disk/posix_file.hpp"
#include "disk/value_kind.hpp"
#include "file/replace_file.hpp"
#include "grid/index.hpp"

namespace epios::io {

void FileProtocol::create() {
  mark_unset(file_);
  file_.writers.together([this] {
    file_.fixed.check();
    store_->prepare();
    if (!file_.writers.is_owner()) return;
    store_->create();
    write_journal();
  });
  store_->open();
  // The caller may release what they refer to.
  for (VariableSpec& variable : file_.spec.variables) variable.fixed = {};
}

std::string FileProtocol::journal() const { return file_.spec.path + ".part.records"; }

void FileProtocol::write_journal() {
  std::vector<std::string> names;
  for (std::size_t column = 0; column < file_.variables.size(); ++column) {
    names.push_back(file_.name_of(column));
  }
  const std::string text = journal_text(names, file_.ledger);
  file_.check_system(replace_file(journal(), text, Readers::owner, file_.spec.to_disk),
                     "cannot write its journal");
}

void FileProtocol::require(Stage stage, const char* call) const {
  file_.writers.check_agreed();
  if (stage_ != stage) file_.reject(fmt::format("{} out of order", call));
}

void FileProtocol::reserve(std::int64_t records) {
  require(Stage::writing, "reserve");
  if (records <= file_.reserved) return;
  const std::int64_t block = file_.spec.records_per_block;
  const std::int64_t to = (records + block - 1) / block * block;
  store_->reserve(records, to);
  file_.reserved = to;
  forget_complete();
}

/// A file has millions of records, perhaps without any sync. One that is never written keeps those
/// behind it: then it is looked at less often.
void FileProtocol::forget_complete() {
  constexpr std::int64_t records_at_once = 1024;
  if (file_.reserved < next_look_) return;
  static_cast<void>(file_.ledger.settle(file_.writers.agreement(), file_.reserved));
  store_->forget_complete();
  const std::int64_t kept = file_.reserved - file_.ledger.least_complete();
  next_look_ = file_.reserved + std::max(records_at_once, kept);
}

std::size_t FileProtocol::column_of(const Slab& slab) const {
  const auto found =
      std::find_if(file_.variables.begin(), file_.variables.end(),
                   [&](const RecordVariable& v) { return v.variable == slab.variable; });
  if (found == file_.variables.end()) file_.reject("write to what is no record variable");
  const ChunkGrid& chunks = found->chunks;
  const std::int64_t records =
      found->is_once ? std::min<std::int64_t>(file_.reserved, 1) : file_.reserved;
  if (slab.record < 0 || slab.record >= records) file_.reject("write to a record not reserved");
  if (!slab.box.is_empty() &&
      (slab.box.rank() != chunks.shape().size() || !contains(whole(chunks.shape()), slab.box))) {
    file_.reject("slab outside of its variable");
  }
  if (static_cast<std::int64_t>(slab.data.size()) != slab.box.volume() * chunks.value_bytes()) {
    file_.reject("slab with the wrong number of bytes");
  }
  const auto column = static_cast<std::size_t>(found - file_.variables.begin());
  if (!slab.box.is_empty() && slab.record < file_.ledger.complete(column)) {
    file_.reject("write to a record that is complete");
  }
  return column;
}

void FileProtocol::write(const Slab& slab) {
  require(Stage::writing, "write");
  file_.writers.check();
  const std::size_t column = column_of(slab);
  try {
    store_->write(column, slab);
  } catch (const std::exception& e) {
    const auto* error = dynamic_cast<const Error*>(&e);
    // A broken rule is the caller's and leaves the file as it is.
    if (error == nullptr || error->code() != ErrorCode::internal) {
      file_.writers.note_failure(failure_text(e));
    }
    throw;
  }
}

bool FileProtocol::may_wait(int variable) const {
  for (std::size_t column = 0; column < file_.variables.size(); ++column) {
    if (file_.variables[column].variable == variable) return store_->may_wait(column);
  }
  return false;
}

void FileProtocol::round_to(int variable, int mantissa_bits) {
  require(Stage::writing, "round_to");
  file_.writers.check();
  VariableSpec& spec = file_.spec.variables[as_index(variable)];
  if (!spec.is_rounded_later) file_.reject("bits of a variable whose values are not rounded later");
  bool is_new = false;
  for (const FileAttribute& now : rounding_attributes(mantissa_bits)) {
    for (FileAttribute& attribute : spec.attributes) {
      if (attribute.name != now.name || attribute.value == now.value) continue;
      attribute.value = now.value;
      is_new = true;
    }
  }
  if (!is_new) return;  // servers say it with every record
  try {
    store_->put_rounding(variable);
  } catch (const std::exception& e) {
    file_.writers.note_failure(failure_text(e));
    throw;
  }
}

std::vector<FileAttribute> rounding_attributes(int mantissa_bits) {
  // Half of the last bit that is kept, of a mantissa of 1.
  const double error = std::ldexp(1.0, -mantissa_bits - 1);
  return {{"quantization_nsb", std::vector<std::int32_t>{mantissa_bits}},
          {"quantization_maximum_relative_error", std::vector<double>{error}}};
}

void FileProtocol::sync() {
  require(Stage::writing, "sync");
  store_->settle();
  file_.writers.together([this] {
    if (file_.spec.to_disk) store_->sync();
  });
  settle_records();
  file_.writers.together([this] {
    if (!file_.writers.is_owner()) return;
    store_->flush();
    write_journal();
  });
  store_->show();
}

/// Records that nobody wrote and whose successors are complete will not come any more: what was
/// durable behind them would not count.
void FileProtocol::settle_records() {
  WriterGroup& writers = file_.writers;
  std::vector<RecordLedger::Gap> gaps = file_.ledger.settle(writers.agreement(), file_.reserved);
  std::erase_if(gaps, [](const auto& gap) { return gap.written != 0 || !gap.is_passed; });
  if (gaps.empty()) return;
  writers.together([&] {
    if (writers.is_owner()) fill_gaps(gaps);
  });
  store_->settle();
  writers.together([this] {
    if (file_.spec.to_disk && file_.writers.is_owner()) store_->sync();
  });
  static_cast<void>(file_.ledger.settle(writers.agreement(), file_.reserved));
}

void FileProtocol::seal(std::int64_t records) {
  require(Stage::writing, "seal");
  if (records < 0 || records > file_.reserved) fail("more records than were reserved");
  const bool has_once = std::any_of(file_.variables.begin(), file_.variables.end(),
                                    [](const RecordVariable& v) { return v.is_once; });
  // A variable that is written once gets its unset value even if nothing was ever written.
  if (has_once && file_.reserved == 0) reserve(1);
  WriterGroup& writers = file_.writers;
  store_->settle();
  writers.together([&] {
    if (file_.spec.to_disk) store_->sync();
    // Another node sees what this one wrote after the file was closed here.
    if (!writers.is_owner()) store_->close();
  });
  const auto gaps = file_.ledger.settle(writers.agreement(), records);
  writers.together([&] {
    if (!writers.is_owner()) return;
    store_->begin_writing_alone();
    fill_gaps(gaps);
    store_->finish(records);
  });
  stage_ = Stage::sealed;
}

void FileProtocol::fill_gaps(const std::vector<RecordLedger::Gap>& gaps) {
  std::vector<std::byte> unset;
  std::size_t unset_column = file_.variables.size();
  for (const RecordLedger::Gap& gap : gaps) {
    if (gap.written != 0) {
      throw Error(ErrorCode::io,
                  fmt::format("file '{}': record {} of '{}' has {} of {} points (a part was never "
                              "written, or twice). Please report this?",
                              file_.spec.path, gap.record, file_.name_of(gap.variable), gap.written,
                              gap.points));
    }
    if (unset_column != gap.variable) {
      const auto value = unset_bytes(file_.variable_of(gap.variable));
      unset.clear();
      for (std::int64_t point = 0; point < gap.points; ++point) {
        unset.insert(unset.end(), value.begin(), value.end());
      }
      unset_column = gap.variable;
    }
    const RecordVariable& variable = file_.variables[gap.variable];
    store_->fill(gap.variable,
                 {variable.variable, gap.record, whole(variable.chunks.shape()), unset});
  }
}

std::int64_t FileProtocol::publish() {
  require(Stage::sealed, "publish");
  stage_ = Stage::published;
  if (!file_.writers.is_owner()) return 0;
  const std::int64_t bytes = store_->publish();
  warning_ = store_->warning();
  // At once: another job that takes the temporary name has a journal of its own there.
  if (::unlink(journal().c_str()) != 0 && errno != ENOENT) {
    warning_ =
        system_error_text(file_.spec.path, "is complete, but its journal cannot be removed", errno);
  }
  if (file_.spec.to_disk) {
    file_.check_system(sync_folder(folder_of(file_.spec.path)), "cannot be brought to disk");
  }
  return bytes;
}

void FileProtocol::fail(const std::string& why) {
  file_.writers.note_failure(fmt::format("file '{}': {}", file_.spec.path, why));
}

}  // namespace epios::io
