#include "file_parts.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "config/split_rule.hpp"

namespace epios::server {
namespace {

const config::File& file_of(const ServerFile::Setup& setup) {
  return setup.model->files[static_cast<std::size_t>(setup.file)];
}

/// All records of a file have the dates of those of its first field that has any.
config::Schedule schedule_of(const ServerFile::Setup& setup) {
  const config::Model& model = *setup.model;
  const auto stream = [&](int s) -> const auto& {
    return model.streams[static_cast<std::size_t>(s)];
  };
  const std::vector<int>& streams = file_of(setup).streams;
  const auto timed = std::find_if(streams.begin(), streams.end(),
                                  [&](int s) { return has_time(stream(s).sampling.operation); });
  return model.schedule(stream(timed == streams.end() ? streams.front() : *timed));
}

}  // namespace

FileParts::FileParts(ServerFile::Setup setup, io::FileThread& thread)
    : setup_(std::move(setup)),
      thread_(thread),
      schedule_(schedule_of(setup_)),
      series_(config::series_of(*setup_.model, file_of(setup_))),
      offset_(file_of(setup_).attributes.record_offset.value_or(0)) {}

const FileParts::Place& FileParts::place_of(std::int64_t record) const {
  if (last_.record == record) return last_;
  const std::int64_t part =
      is_split() ? series_.part_of(schedule_.record_time(record).end) : std::int64_t{0};
  last_ = {record, part, record - first_record(part) + offset_};
  return last_;
}

bool FileParts::is_once(int stream) const {
  const auto in_model =
      static_cast<std::size_t>(file_of(setup_).streams[static_cast<std::size_t>(stream)]);
  return !has_time(setup_.model->streams[in_model].sampling.operation);
}

std::int64_t FileParts::part_of(int stream, std::int64_t record) const {
  if (!is_once(stream)) return place_of(record).part;
  const auto found = once_parts_.find(stream);
  if (found != once_parts_.end()) return found->second;
  return parts_.empty() ? first_part() : parts_.rbegin()->first;
}

/// Of the run.
std::int64_t FileParts::first_part() const { return place_of(file_of(setup_).first_record).part; }

std::int64_t FileParts::first_record(std::int64_t part) const {
  return std::max(series_.first_record(schedule_, part), file_of(setup_).first_record);
}

std::int64_t FileParts::number_in_part(int stream, std::int64_t record) const {
  return is_once(stream) ? 0 : place_of(record).number;
}

/// Its account at least.
FileParts::Part& FileParts::at(std::int64_t part) {
  const auto [place, is_new] = parts_.try_emplace(part);
  Part& made = place->second;
  if (!is_new) return made;
  ServerFile::Setup setup = setup_;
  setup.cf.spec.path = config::path_of_part(series_, setup_.cf.spec.path, part);
  if (!setup.rank_suffix.empty()) {
    setup.cf.spec.path = config::path_of_writer(setup.cf.spec.path, setup.rank_suffix);
  }
  const std::int64_t now_s = std::chrono::duration_cast<std::chrono::seconds>(
                                 std::chrono::system_clock::now().time_since_epoch())
                                 .count();
  io::stamp(setup.cf, file_of(setup_), now_s, io::random_uuid());
  setup.first_record = first_record(part);
  setup.first_number = offset_;
  if (setup.is_continued) setup.first_time = schedule_.record_time(setup.first_record);
  made.file = std::make_unique<ServerFile>(std::move(setup), thread_);
  return made;
}

FileParts::Part& FileParts::open(std::int64_t part, const std::string& refusal) {
  Part& opened = at(part);
  if (opened.is_open) return opened;
  opened.is_open = true;
  opened.file->create(refusal.empty() ? failure_ : refusal);
  return opened;
}

void FileParts::create(const std::string& refusal) { open(first_part(), refusal); }

bool FileParts::has_room(int stream, std::int64_t record) const {
  if (is_once(stream) && !once_parts_.contains(stream)) return false;
  const auto found = parts_.find(part_of(stream, record));
  return found != parts_.end() &&
         number_in_part(stream, record) < found->second.file->records_ordered();
}

void FileParts::reserve(std::int64_t part, std::int64_t records, int stream) {
  settle();
  if (is_once(stream)) once_parts_.emplace(stream, part);
  Part& opened = open(part, {});
  opened.file->reserve(records, stream);
  opened.has_room = true;
  write_kept(opened);
}

void FileParts::write_kept(Part& part) const {
  for (const auto& [stream, kept] : kept_) {
    if (part.once.insert(stream).second) part.file->write(stream, 0, kept.slab, kept.data);
  }
}

void FileParts::write(int stream, std::int64_t record, const io::Box& slab,
                      std::span<const std::byte> data) {
  const std::int64_t number = number_in_part(stream, record);
  if (number < 0) return;
  const std::int64_t part = part_of(stream, record);
  if (is_once(stream) && is_split()) {
    kept_[stream] = {slab, {data.begin(), data.end()}};
    for (auto at = parts_.lower_bound(part); at != parts_.end(); ++at) {
      if (at->second.is_open && at->second.has_room) write_kept(at->second);
    }
    return;
  }
  parts_.at(part).file->write(stream, number, slab, data);
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
  found->second.is_open = false;
  found->second.file->finish(records);
}

/// Of parts that are done with only the account is kept.
void FileParts::settle() {
  for (auto it = parts_.begin(); it != parts_.end();) {
    const Part& part = it->second;
    const bool is_told = part.is_told || part.file->error().empty();
    if (part.is_open || !part.file->is_idle() || !is_told) {
      ++it;
      continue;
    }
    over_.push_back(part.file->report());
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
    if (part.is_told || part.file->error().empty()) continue;
    part.is_told = true;
    out.push_back(part.file->report());
  }
  return out;
}

std::vector<io::FileReport> FileParts::account() const {
  std::vector<io::FileReport> out = over_;
  for (const auto& [number, part] : parts_) out.push_back(part.file->report());
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
