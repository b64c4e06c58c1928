// One file as its parts in time. Records have numbers of the run; a part has its own, without
// records that are left out, and is made for its first record. What is written once is kept until
// the last part has it. In order: records and parts, making a part, room, writing, finishing,
// errors and accounts.
#include "files/file_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <string_view>
#include <utility>

#include "config/index.hpp"
#include "config/model.hpp"
#include "config/split_rule.hpp"

namespace epios::server {
namespace {

const config::File& file_of(const ServerFile::Setup& setup) {
  return setup.model->files[setup.file];
}

/// All records of a file have the times of those of its first field that has any.
config::RecordTimes times_of(const ServerFile::Setup& setup) {
  const config::Model& model = *setup.model;
  const auto stream = [&](config::StreamId s) -> const auto& { return model.streams[s]; };
  const std::vector<config::StreamId>& streams = file_of(setup).streams;
  const auto timed = std::find_if(streams.begin(), streams.end(), [&](config::StreamId s) {
    return has_time(stream(s).sampling.operation);
  });
  return model.record_times(stream(timed == streams.end() ? streams.front() : *timed));
}

}  // namespace

std::string title_of(const config::Model& model, const config::File& file) {
  return fmt::format("file '{}' of context '{}'", file.id, model.context_id);
}

FileParts::FileParts(ServerFile::Setup setup, io::FileThread& thread, WrittenFiles& written,
                     std::string component)
    : setup_(std::move(setup)),
      thread_(thread),
      written_(written),
      component_(std::move(component)),
      times_(times_of(setup_)),
      series_(config::series_of(*setup_.model, file_of(setup_))),
      offset_(file_of(setup_).attributes.record_offset.value_or(0)) {}

const FileParts::Place& FileParts::place_of(std::int64_t record) const {
  if (last_.record == record) return last_;
  const std::int64_t part = is_split() ? series_.part_of(times_.of(record).end) : std::int64_t{0};
  const std::int64_t first = first_record(part);
  const std::int64_t left_out = left_out_before(record) - left_out_before(first);
  last_ = {record, part, record - first - left_out + offset_};
  return last_;
}

std::int64_t FileParts::left_out_before(std::int64_t record) const {
  const auto behind = std::partition_point(gaps_.begin(), gaps_.end(),
                                           [&](const Gap& g) { return g.begin < record; });
  if (behind == gaps_.begin()) return 0;
  const Gap& gap = *std::prev(behind);
  return gap.before + std::min(gap.end, record) - gap.begin;
}

void FileParts::leave_out(std::int64_t begin, std::int64_t end) {
  const std::int64_t before =
      gaps_.empty() ? 0 : gaps_.back().before + gaps_.back().end - gaps_.back().begin;
  const Gap& gap = gaps_.emplace_back(Gap{begin, end, before});
  last_ = {};
  for (auto& [number, part] : parts_) apply_gap(part, number, gap);
}

/// Leaves out the records of the gap that are in this part.
void FileParts::apply_gap(Part& part, std::int64_t number, const Gap& gap) const {
  const std::int64_t first = first_record(number);
  const std::int64_t begin = std::max(gap.begin, first);
  const std::int64_t end = is_split() ? std::min(gap.end, first_record(number + 1)) : gap.end;
  if (begin < end) part.file->leave_out(begin, end);
}

bool FileParts::is_once(int stream) const {
  const config::StreamId in_model = nth(file_of(setup_).streams, stream);
  return !has_time(setup_.model->streams[in_model].sampling.operation);
}

/// Stream of the file that is written once; -1: none is.
int FileParts::first_once() const {
  const auto count = static_cast<int>(file_of(setup_).streams.size());
  for (int s = 0; s < count; ++s) {
    if (is_once(s)) return s;
  }
  return -1;
}

const std::string& FileParts::name_of(int stream) const {
  return setup_.model->streams[nth(file_of(setup_).streams, stream)].name;
}

std::int64_t FileParts::part_of(int stream, std::int64_t record) const {
  if (!is_once(stream)) return place_of(record).part;
  return parts_.empty() ? first_part() : parts_.rbegin()->first;
}

/// Returns the first part of the run.
std::int64_t FileParts::first_part() const { return place_of(file_of(setup_).first_record).part; }

std::int64_t FileParts::first_record(std::int64_t part) const {
  return std::max(series_.first_record(times_, part), file_of(setup_).first_record);
}

std::int64_t FileParts::number_in_part(int stream, std::int64_t record) const {
  return is_once(stream) ? 0 : place_of(record).number;
}

std::string FileParts::path_of(std::int64_t part) const {
  const std::string path = config::path_of_part(series_, setup_.cf.spec.path, part);
  return setup_.rank_suffix.empty() ? path : config::path_of_writer(path, setup_.rank_suffix);
}

/// Its account at least.
FileParts::Part& FileParts::at(std::int64_t part) {
  const auto [place, is_new] = parts_.try_emplace(part);
  if (!is_new) return place->second;
  try {
    make(place->second, part);
  } catch (const std::exception&) {
    parts_.erase(place);  // it has no file
    throw;
  }
  return place->second;
}

void FileParts::make(Part& made, std::int64_t part) const {
  ServerFile::Setup setup = setup_;
  setup.cf.spec.path = path_of(part);
  const std::int64_t now_s = std::chrono::duration_cast<std::chrono::seconds>(
                                 std::chrono::system_clock::now().time_since_epoch())
                                 .count();
  if (!setup.is_refused) io::stamp(setup.cf, file_of(setup_), now_s, io::random_uuid());
  setup.first_record = first_record(part);
  setup.first_number = offset_;
  if (setup.is_continued) setup.first_time = times_.of(setup.first_record);
  setup.is_before_run = part < first_part();
  if (setup.is_before_run) {  // it has what was written once, and nothing of this run
    made.has_room = true;
    for (int s = 0; s < static_cast<int>(file_of(setup_).streams.size()); ++s) made.once.insert(s);
  }
  made.file = std::make_unique<ServerFile>(std::move(setup), thread_);
  // Gaps that end before the part are not looked at: a long run has many of them, and many parts.
  const std::int64_t first = first_record(part);
  const auto gap = std::partition_point(gaps_.begin(), gaps_.end(),
                                        [&](const Gap& earlier) { return earlier.end <= first; });
  for (auto own = gap; own != gaps_.end(); ++own) apply_gap(made, part, *own);
}

/// Why a part cannot be made; empty: it can.
std::string FileParts::refusal_of(std::int64_t part, const std::string& path) {
  const auto [other, is_free] = names_.emplace(path, part);
  if (is_free) {
    const WrittenFiles::Writer* const writer = written_.writer_of(path);
    if (writer == nullptr) return {};
    const bool is_others = writer->component != component_;
    const std::string own =
        fmt::format("file '{}' of context '{}'{}", path, setup_.model->context_id,
                    is_others ? fmt::format(" of component '{}'", component_) : "");
    const std::string theirs =
        is_others ? fmt::format("{} of component '{}'", writer->title, writer->component)
                  : writer->title;
    constexpr std::string_view advice =
        "Give one of them another name, members of an ensemble by %member%?";
    // The state of a run is that of the one before, a step further.
    const bool may_replace = setup_.is_continued || path == setup_.model->statistics.path;
    if (!may_replace) {
      return fmt::format("{}: it would replace that of {}, which this run has written. {}", own,
                         theirs, advice);
    }
    if (is_others) {
      warnings_.push_back(fmt::format("{}: it {} that of {}, which this run has written. {}", own,
                                      setup_.is_continued ? "goes on with" : "replaces", theirs,
                                      advice));
    }
    return {};
  }
  if (other->second == part) {
    return fmt::format("file '{}': this part was closed already. Please report this?", path);
  }
  return fmt::format(
      "file '{}': part {} would replace part {} of this run (both are called so). Set "
      "split_freq_format to dates that do not come again?",
      path, part - first_part() + 1, other->second - first_part() + 1);
}

FileParts::Part& FileParts::open(std::int64_t part, const std::string& refusal) {
  Part& opened = at(part);
  if (opened.was_open) return opened;
  opened.was_open = opened.is_open = true;
  const std::string own = refusal_of(part, opened.file->path());
  const std::string& known = refusal.empty() ? failure_ : refusal;
  opened.file->create(known.empty() ? own : known);
  return opened;
}

void FileParts::create(const std::string& refusal) {
  const std::int64_t first = first_part();
  const std::int64_t before = file_of(setup_).first_record - 1;
  const bool has_part_before = before < 0 || !times_.leaves_out(before);
  if (setup_.is_continued && is_split() && first > 0 && has_part_before) open(first - 1, refusal);
  open(first, refusal);
}

bool FileParts::has_room(int stream, std::int64_t record) const {
  if (is_once(stream) && is_split()) return true;
  const std::int64_t number = number_in_part(stream, record);
  if (number < 0) return true;
  const auto found = parts_.find(part_of(stream, record));
  return found != parts_.end() && number < found->second.file->records_reserved();
}

void FileParts::reserve(std::int64_t part, std::int64_t records, int stream) {
  retire_finished();
  Part& opened = open(part, {});
  opened.file->reserve(records, stream);
  opened.has_room = true;
  write_kept(opened);
}

void FileParts::keep(int stream, const io::Box& slab, std::span<const std::byte> data,
                     int rounded_to) {
  kept_[stream] = {slab, {data.begin(), data.end()}, rounded_to};
  if (finished_ > 0) {
    warnings_.push_back(fmt::format(
        "file '{}'{} no values of field '{}', which is written once (they came after the end of "
        "the part). Send it before?",
        first_finished_,
        finished_ == 1 ? std::string(" has")
                       : fmt::format(" and {} later parts have", finished_ - 1),
        name_of(stream)));
  }
  for (auto& [number, part] : parts_) {
    if (part.is_open && part.has_room) write_kept(part);
  }
}

void FileParts::write_kept(Part& part) {
  for (auto& [stream, kept] : kept_) {
    if (!part.once.insert(stream).second) continue;
    part.file->write(stream, 0, kept.slab, kept.data, kept.rounded_to);
    kept.is_written = true;
  }
}

void FileParts::write(int stream, std::int64_t record, const io::Box& slab,
                      std::span<const std::byte> data, int rounded_to) {
  const std::int64_t number = number_in_part(stream, record);
  if (number < 0) return;
  if (is_once(stream) && is_split()) return keep(stream, slab, data, rounded_to);
  Part& part = parts_.at(part_of(stream, record));
  const bool is_said = rounded_to == 0 || !part.rounded.insert(stream).second;
  part.file->write(stream, number, slab, data, is_said ? 0 : rounded_to);
}

void FileParts::lose(int stream, std::int64_t record) {
  const std::int64_t number = number_in_part(stream, record);
  if (number < 0) return;
  at(part_of(stream, record)).file->lose(stream, number);
}

void FileParts::sync() {
  for (auto& [number, part] : parts_) {
    if (part.is_open) part.file->sync();
  }
}

std::vector<FileParts::Open> FileParts::open_parts(std::int64_t end) const {
  std::vector<Open> out;
  for (const auto& [number, part] : parts_) {
    if (number < end && part.is_open) out.push_back({number, part.file->records_seen()});
  }
  return out;
}

void FileParts::finish(std::int64_t part, std::int64_t records) {
  const auto found = parts_.find(part);
  if (found == parts_.end() || !found->second.is_open) return;
  Part& finished = found->second;
  // On all writers, whoever has something to write.
  if (const int once = first_once(); once >= 0 && is_split() && !finished.has_room) {
    finished.file->reserve(1, once);
    finished.has_room = true;
    write_kept(finished);
  }
  if (part >= first_part() && finished_++ == 0) first_finished_ = finished.file->path();
  finished.is_open = false;
  finished.file->finish(records);
  if (finished.file->error().empty())
    written_.note(finished.file->path(), {title_of(*setup_.model, file_of(setup_)), component_});
}

/// Keeps only the account of parts that are done with.
void FileParts::retire_finished() {
  for (auto it = parts_.begin(); it != parts_.end();) {
    const Part& part = it->second;
    const bool is_reported = part.is_reported || part.file->error().empty();
    if (part.is_open || !part.was_open || !part.file->is_idle() || !is_reported) {
      ++it;
      continue;
    }
    if (!part.file->is_left_alone()) over_.push_back(part.file->report());
    if (std::string warning = part.file->warning(); !warning.empty()) {
      warnings_.push_back(std::move(warning));
    }
    it = parts_.erase(it);
  }
}

void FileParts::fail(const std::string& why) {
  if (failure_.empty()) failure_ = why;
  for (auto& [number, part] : parts_) part.file->fail(why);
}

void FileParts::discard(const std::string& why) {
  if (failure_.empty()) failure_ = why;
  for (auto& [number, part] : parts_) part.file->discard();
}

void FileParts::abandon(const std::string& why) {
  if (failure_.empty()) failure_ = why;
  for (auto& [number, part] : parts_) part.file->abandon(why);
}

bool FileParts::is_idle() const {
  return std::all_of(parts_.begin(), parts_.end(),
                     [](const auto& entry) { return entry.second.file->is_idle(); });
}

bool FileParts::is_done_writing() const {
  return std::all_of(parts_.begin(), parts_.end(),
                     [](const auto& entry) { return entry.second.file->is_done_writing(); });
}

std::string FileParts::error_of(int stream, std::int64_t record) const {
  if (is_once(stream) && is_split()) return failure_;  // other parts may be well
  const auto found = parts_.find(part_of(stream, record));
  return found == parts_.end() ? failure_ : found->second.file->error();
}

std::string FileParts::first_error() const {
  for (const auto& [number, part] : parts_) {
    if (std::string error = part.file->error(); !error.empty()) return error;
  }
  return {};
}

std::vector<io::FileReport> FileParts::newly_failed() {
  std::vector<io::FileReport> out;
  for (auto& [number, part] : parts_) {
    if (part.is_reported || part.file->error().empty()) continue;
    part.is_reported = true;
    out.push_back(part.file->report());
  }
  return out;
}

std::vector<io::FileReport> FileParts::account() const {
  std::vector<io::FileReport> out = over_;
  for (const auto& [number, part] : parts_) {
    if (!part.file->is_left_alone()) out.push_back(part.file->report());
  }
  for (const auto& [stream, kept] : kept_) {
    if (kept.is_written || out.empty()) continue;
    for (io::FieldAccount& field : out.back().fields) {
      if (field.field == name_of(stream)) field.lost.add(0);
    }
  }
  return out;
}

std::vector<std::string> FileParts::warnings() const {
  std::vector<std::string> out = warnings_;
  for (const auto& [number, part] : parts_) {
    if (std::string warning = part.file->warning(); !warning.empty()) {
      out.push_back(std::move(warning));
    }
  }
  return out;
}

}  // namespace epios::server
