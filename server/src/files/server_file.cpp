// One file on one of its writers, between the server's thread and the file thread: a request is a
// job of the file thread, and its account is kept under a lock. After the first error the file only
// counts what it loses. In order: errors and counts, creating and what is there from before, room,
// writing, finishing, the account.
#include "files/server_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <ep/agree.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>
#include <utility>

#include "config/error.hpp"
#include "config/failure_text.hpp"
#include "config/index.hpp"
#include "config/model.hpp"
#include "file/being_written.hpp"
#include "file/references.hpp"
#include "file/replace_file.hpp"

namespace epios::server {

ServerFile::ServerFile(Setup setup, io::FileThread& thread)
    : setup_(std::move(setup)), thread_(thread) {
  for (std::size_t s = 0; s < setup_.writes.size(); ++s) {
    accounts_.push_back({field_name(static_cast<int>(s)), {}, {}});
  }
  if (setup_.shown.page == nullptr || setup_.is_refused || setup_.is_before_run) return;
  counters_.show(setup_.shown.page->take_file(setup_.shown.component, setup_.model->context_id,
                                              path(), setup_.shown.server));
}

ServerFile::~ServerFile() = default;

void ServerFile::submit(std::function<void()> job) {
  // Counted before it begins; what is not taken for want of memory does not count.
  pending_.fetch_add(1, std::memory_order_relaxed);
  auto counted_job = [this, job = std::move(job)] {
    const auto start = Clock::now();
    try {
      job();
    } catch (const std::exception& error) {
      record_error(own_text(error));
    }
    counters_.add_time(Clock::now() - start);
    pending_.fetch_sub(1, std::memory_order_release);
  };
  try {
    thread_.submit(std::move(counted_job));
  } catch (const std::exception&) {
    pending_.fetch_sub(1, std::memory_order_release);
    throw;
  }
}

/// What the library says names the file already.
std::string ServerFile::own_text(const std::exception& error) const {
  if (failure_code(error) != ErrorCode::resource) return error.what();
  return fmt::format("file '{}': {}", path(), failure_text(error));
}

void ServerFile::record_error(const std::string& text) {
  const std::scoped_lock lock(mutex_);
  if (error_.empty()) error_ = text;
  failed_.store(true, std::memory_order_release);
  counters_.note_failure();
}

std::string ServerFile::error() const {
  if (!failed_.load(std::memory_order_acquire)) return {};
  const std::scoped_lock lock(mutex_);
  return error_;
}

const std::string& ServerFile::field_name(int stream) const {
  const auto& file = setup_.model->files[setup_.file];
  return setup_.model->streams[nth(file.streams, stream)].name;
}

void ServerFile::count_written(int stream, std::int64_t record) {
  const std::scoped_lock lock(mutex_);
  counters_.count_written();
  nth(accounts_, stream).written.add(record);
  if (setup_.trace) trace_record("written", stream, record);
}

void ServerFile::trace_record(std::string_view outcome, int stream, std::int64_t record) const {
  const auto& file = setup_.model->files[setup_.file];
  setup_.trace.add(fmt::format("{} stream={} record={} once={} path={}", outcome,
                               int{nth(file.streams, stream)}, record, has_time(stream) ? 0 : 1,
                               path()));
}

void ServerFile::count_lost(int stream, std::int64_t record) {
  const std::scoped_lock lock(mutex_);
  counters_.count_lost();
  nth(accounts_, stream).lost.add(record);
  if (setup_.trace) trace_record("lost", stream, record);
}

void ServerFile::create(const std::string& refusal) {
  submit([this, refusal] {
    std::optional<ep::Failure> own;
    std::optional<io::EarlierRecords> earlier;
    if (!refusal.empty()) {
      own = ep::Failure{static_cast<int>(ErrorCode::resource), refusal};
    } else {
      try {
        if (setup_.is_owner) io::make_folders(path(), setup_.cf.spec.to_disk);
        if (setup_.is_owner && setup_.is_repeated) wait_for_others();
        if (setup_.is_owner && !setup_.is_continued) keep_finished();
        if (setup_.is_continued) look_back(earlier);
      } catch (const Error& error) {
        own = ep::Failure{static_cast<int>(error.code()), error.what()};
      } catch (const std::exception& error) {  // the other writers wait below
        own = ep::Failure{static_cast<int>(failure_code(error)), own_text(error)};
      }
    }
    const bool is_looked_at = !own && earlier;
    if (setup_.is_before_run && !reaches_into_run(is_looked_at ? &*earlier : nullptr)) {
      return is_left_alone_.store(true, std::memory_order_release);
    }
    const ep::Agreement agreement = is_shared()
                                        ? ep::agree(*setup_.writers, own)
                                        : ep::Agreement{own ? 0 : -1, own.value_or(ep::Failure{})};
    if (!agreement) {
      throw Error(static_cast<ErrorCode>(agreement.failure.code), agreement.failure.text);
    }
    const io::FileSpec& spec = setup_.cf.spec;
    output_ = io::create_file(spec, setup_.writers, {setup_.compressors, setup_.endpoints});
    if (!earlier) return;
    kept_ = earlier->kept();
    earlier->copy_to(*output_, setup_.is_owner);
    if (!setup_.is_owner) return;
    const std::scoped_lock lock(mutex_);
    if (std::string other = earlier->changed_interval(); !other.empty()) {
      warnings_.push_back(std::move(other));
    }
    if (earlier->warning().empty()) return;
    const bool is_removed = setup_.is_before_run && kept_ == 0;
    warnings_.push_back(earlier->warning() +
                        (is_removed ? " It has no others and is removed." : ""));
  });
}

/// Those that gave up the attempt before do so on their own.
void ServerFile::wait_for_others() const {
  constexpr std::chrono::seconds most{10};
  constexpr std::chrono::milliseconds pause{5};
  const auto end = Clock::now() + most;
  while (io::is_being_written(path(), setup_.cf.spec.format) && Clock::now() < end) {
    std::this_thread::sleep_for(pause);
  }
}

/// True if a file has the name that overwrite="never" protects.
bool ServerFile::is_protected() const {
  const config::File& file = setup_.model->files[setup_.file];
  if (file.attributes.overwrite.value_or("always") != "never") return false;
  std::error_code ignored;
  return std::filesystem::exists(path(), ignored);
}

/// Throws if a file has come that overwrite="never" protects, such as another job's.
void ServerFile::keep_newcomer() const {
  const bool has_the_name = setup_.is_continued || setup_.cf.spec.is_live;
  if (!setup_.is_owner || has_the_name || !is_protected()) return;
  throw Error(ErrorCode::io,
              fmt::format("file '{}': another one has got the name meanwhile (overwrite=\"never\"; "
                          "this run's stays as '{}.part'). Give it another name by epios recover "
                          "--output?",
                          path(), path()));
}

/// Throws if the file exists that overwrite="never" protects.
void ServerFile::keep_finished() const {
  if (!is_protected()) return;
  throw Error(ErrorCode::io,
              fmt::format("file '{}': it exists (overwrite=\"never\"). Move it away, "
                          "or write to another folder (output_dir)?",
                          path()));
}

void ServerFile::look_back(std::optional<io::EarlierRecords>& earlier) {
  std::vector<io::Box> slabs = setup_.slabs;
  for (std::size_t s = 0; s < slabs.size(); ++s)
    slabs[s] = in_own_file(static_cast<int>(s), slabs[s]);
  const config::File& file = setup_.model->files[setup_.file];
  earlier.emplace(setup_.cf, io::EarlierRecords::Run{*setup_.model, file, setup_.first_time, slabs,
                                                     setup_.rank_suffix, setup_.is_before_run});
}

/// What does not fit, or cannot be read, is none of this run's: null. All writers decide alike.
bool ServerFile::reaches_into_run(const io::EarlierRecords* earlier) const {
  const bool has_some = earlier != nullptr && earlier->dropped() > 0;
  if (!is_shared()) return has_some;
  const ep::Failure stays{static_cast<int>(ErrorCode::io), "stays as it is"};
  return static_cast<bool>(
      ep::agree(*setup_.writers, has_some ? std::nullopt : std::optional(stays)));
}

/// A writer whose file is apart counts from where its share begins.
io::Box ServerFile::in_own_file(int stream, const io::Box& slab) const {
  io::Box out = slab;
  if (setup_.cf.origins.empty()) return out;
  const io::Extents& origin = nth(setup_.cf.origins, stream);
  for (std::size_t d = 0; d < out.rank(); ++d) out.begin[d] -= origin[d];
  return out;
}

void ServerFile::reserve(std::int64_t records, int stream) {
  const std::int64_t block = std::max<std::int64_t>(1, setup_.cf.spec.records_per_block);
  const std::int64_t ordered = (records + block - 1) / block * block;
  records_reserved_ = std::max(records_reserved_, ordered);
  const std::string& field = field_name(stream);
  // Collective when shared: goes ahead on a failed file too, where all writers learn of the
  // failure.
  submit([this, records, ordered, stream, &field] {
    refuse_if_finished(stream, records - 1);
    if (!output_) return;
    try {
      // Behind the records of an earlier run blocks begin elsewhere.
      output_->reserve(kept_ > 0 ? kept_ + ordered : records);
    } catch (const Error& error) {
      throw error.within(fmt::format("field '{}'", field));
    }
  });
}

/// A stream that is written once says nothing about the number of records.
bool ServerFile::has_time(int stream) const {
  const auto& file = setup_.model->files[setup_.file];
  return config::has_time(setup_.model->streams[nth(file.streams, stream)].sampling.operation);
}

void ServerFile::write(int stream, std::int64_t record, const io::Box& slab,
                       std::span<const std::byte> data, int rounded_to) {
  const bool is_timed = has_time(stream);
  if (is_timed) records_seen_ = std::max(records_seen_, record + 1);
  const int variable = nth(setup_.cf.stream_variables, stream);
  std::function<void()> job = [this, stream, variable, record, own = in_own_file(stream, slab),
                               data, is_timed, rounded_to] {
    const auto give_back = [](std::atomic<int>* writing) {
      writing->fetch_sub(1, std::memory_order_release);
    };
    const std::unique_ptr<std::atomic<int>, decltype(give_back)> guard(&writing_, give_back);
    if (failed_.load(std::memory_order_relaxed)) return count_lost(stream, record);
    if (is_finished_) count_lost(stream, record);
    refuse_if_finished(stream, record);
    try {
      if (rounded_to > 0) output_->round_to(variable, rounded_to);
      output_->write({variable, is_timed ? kept_ + record : record, own, data});
      counters_.add_bytes(data.size());
      if (setup_.is_owner && is_timed) write_times(stream, record);
      if (output_->may_wait(variable) && !own.is_empty()) {
        on_their_way_.push_back({stream, record});
      } else {
        count_written(stream, record);
      }
      count_stored(*output_);
    } catch (...) {
      count_lost(stream, record);
      count_stored(*output_);
      count_unstored();
      throw;
    }
  };
  writing_.fetch_add(1, std::memory_order_relaxed);
  try {
    submit(std::move(job));
  } catch (const std::exception&) {
    writing_.fetch_sub(1, std::memory_order_release);
    count_lost(stream, record);
    throw;
  }
}

void ServerFile::count_stored(const io::OutputFile& output) {
  while (on_their_way_.size() > output.pending()) {
    const RecordPart& part = on_their_way_.front();
    if (part.stream >= 0) count_written(part.stream, part.record);
    on_their_way_.pop_front();
  }
}

void ServerFile::count_unstored() {
  for (const RecordPart& part : on_their_way_) {
    if (part.stream >= 0) count_lost(part.stream, part.record);
  }
  on_their_way_.clear();
}

void ServerFile::write_times(int stream, std::int64_t record) {
  const auto& model = *setup_.model;
  const auto& file = model.files[setup_.file];
  const config::RecordTimes times = model.record_times(model.streams[nth(file.streams, stream)]);
  for (; times_written_ <= record; ++times_written_) {
    const std::int64_t in_run = record_of_run(times_written_);
    if (in_run < setup_.first_record) continue;  // record_offset leaves room for others
    const auto interval = times.of(in_run);
    for (const auto& time : setup_.cf.times) {
      const std::vector<double> values =
          io::time_values(model, file, time, interval, kept_ + times_written_);
      io::Box box;
      if (time.part == io::CfFile::TimeVariable::Part::bounds) box = {{0}, {2}};
      output_->write(
          {time.variable, kept_ + times_written_, box, std::as_bytes(std::span(values))});
      if (output_->may_wait(time.variable)) on_their_way_.push_back({-1, times_written_});
    }
  }
}

std::int64_t ServerFile::record_of_run(std::int64_t number) const {
  const auto behind = std::partition_point(left_out_.begin(), left_out_.end(),
                                           [&](const LeftOut& g) { return g.number <= number; });
  const std::int64_t left_out = behind == left_out_.begin() ? 0 : std::prev(behind)->records;
  return number - setup_.first_number + setup_.first_record + left_out;
}

void ServerFile::leave_out(std::int64_t begin, std::int64_t end) {
  submit([this, begin, end] {
    const std::int64_t before = left_out_.empty() ? 0 : left_out_.back().records;
    const std::int64_t number = begin - setup_.first_record - before + setup_.first_number;
    left_out_.push_back({number, before + end - begin});
  });
}

void ServerFile::lose(int stream, std::int64_t record) {
  if (has_time(stream)) records_seen_ = std::max(records_seen_, record + 1);
  count_lost(stream, record);
  submit([this, stream, record] { refuse_if_finished(stream, record); });
}

/// A file that is finished has its name: whoever reads it takes it for whole.
void ServerFile::refuse_if_finished(int stream, std::int64_t record) const {
  if (!is_finished_) return;
  throw Error(ErrorCode::internal,
              fmt::format("file '{}': record {} of field '{}' comes after the file was finished, "
                          "and is not in it. Please report this?",
                          path(), record + 1, field_name(stream)));
}

void ServerFile::sync() {
  submit([this] {
    if (!output_) return;
    output_->sync();
    counters_.note_durable();
  });
}

void ServerFile::finish(std::int64_t records) {
  submit([this, records] {
    // Whatever comes of it, HDF5 lets go of the file on this thread.
    const std::unique_ptr<io::OutputFile> output = std::move(output_);
    if (!output) return;
    is_finished_ = true;
    if (failed_.load(std::memory_order_relaxed)) output->fail(error());
    try {
      output->seal(kept_ + records);
    } catch (...) {
      count_stored(*output);
      count_unstored();
      throw;
    }
    count_stored(*output);
    keep_newcomer();
    std::string old_references = end_old_references();
    const std::int64_t bytes = output->publish();
    counters_.note_published(bytes);
    if (setup_.trace) setup_.trace.add(fmt::format("published path={}", path()));
    if (setup_.is_before_run && kept_ == 0) {
      is_left_alone_.store(true, std::memory_order_release);
      if (setup_.is_owner) std::filesystem::remove_all(path());
      return;
    }
    std::string references = write_references();
    const std::scoped_lock lock(mutex_);
    bytes_ = bytes;
    for (std::string warning :
         {output->warning(), std::move(old_references), std::move(references)}) {
      if (!warning.empty()) warnings_.push_back(std::move(warning));
    }
  });
}

/// References to a file that is replaced lead readers to other bytes of the new one, without a
/// word. Returns a warning of such as this run does not write.
std::string ServerFile::end_old_references() const {
  const std::string document = path() + ".json";
  std::error_code ignored;
  if (!setup_.is_owner || !std::filesystem::is_regular_file(document, ignored)) return {};
  if (setup_.model->files[setup_.file].attributes.references) {
    std::filesystem::remove(document, ignored);
    return {};
  }
  std::string head(1024, '\0');
  std::ifstream file(document);
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  if (head.find("\"refs\"") == std::string::npos) return {};
  return fmt::format(
      "file '{}': '{}' refers to the file that was there before (readers of it get wrong values). "
      "Remove it, or write it anew by references=\"kerchunk\"?",
      path(), document);
}

/// The file itself is complete: what fails here is a warning, which it returns.
std::string ServerFile::write_references() const {
  const config::File& file = setup_.model->files[setup_.file];
  if (!setup_.is_owner || !file.attributes.references) return {};
  const std::string document = path() + ".json";
  try {
    const io::References made = io::kerchunk_references(path(), path());
    const int code = io::replace_file(document, made.text, io::Readers::by_umask, false);
    if (code != 0) {
      return fmt::format("file '{}': cannot be written ({})", document, std::strerror(code));
    }
    if (made.left_out.empty()) return {};
    return fmt::format("file '{}': does not refer to {}", document, fmt::join(made.left_out, ", "));
  } catch (const std::exception& error) {
    return fmt::format("file '{}': not written. {}", document, error.what());
  }
}

void ServerFile::abandon(const std::string& why) {
  submit([this, why] {
    if (!output_) return;
    record_error(fmt::format("file '{}': not finished ({})", path(), why));
    count_stored(*output_);
    count_unstored();
    output_->abandon();
    output_.reset();
  });
}

void ServerFile::discard() {
  submit([this] {
    const std::unique_ptr<io::OutputFile> output = std::move(output_);
    if (!output) return;
    // While it is locked: afterwards the names may be those of another job's file and its journal.
    for (const char* name : {".part.records", ".part"}) {
      std::error_code ignored;
      if (setup_.is_owner) std::filesystem::remove_all(path() + name, ignored);
    }
    output->abandon();
  });
}

void ServerFile::fail(const std::string& why) {
  submit([this, why] {
    if (!output_) return;
    record_error(fmt::format("file '{}': not finished ({})", path(), why));
    output_->fail(why);
  });
}

std::string ServerFile::warning() const {
  const std::scoped_lock lock(mutex_);
  return fmt::format("{}", fmt::join(warnings_, "\n"));
}

io::FileReport ServerFile::report() const {
  const std::scoped_lock lock(mutex_);
  io::FileReport out;
  out.file = setup_.file;
  out.path = setup_.cf.spec.path;
  out.bytes = bytes_;
  out.error = error_;
  out.writing_s = counters_.writing_s();
  for (std::size_t s = 0; s < accounts_.size(); ++s) {
    if (setup_.writes[s]) out.fields.push_back(accounts_[s]);
  }
  return out;
}

}  // namespace epios::server
