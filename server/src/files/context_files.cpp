// The files of a context on one of its writers: what they are made of, who says what is done to
// them, and their account. What writers of a shared file do together is a command of the leader; a
// command comes to a file in one way, whoever gave it. In order: files are described and opened,
// room, sync points and ends of parts are ordered, accounts are given.
#include "files/context_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "config/error.hpp"
#include "config/failure_text.hpp"
#include "config/file_series.hpp"
#include "config/index.hpp"
#include "config/model.hpp"
#include "file/cf.hpp"

namespace epios::server {
namespace {

// Blocks of about this many bytes in shared files: few extensions, which all writers agree on, and
// little set aside in vain.
constexpr std::int64_t block_target_bytes = std::int64_t{64} << 20;
constexpr std::int64_t largest_block = 64;

bool writes(const io::FilePlacement& placement, int rank) {
  return std::find(placement.writers.begin(), placement.writers.end(), rank) !=
         placement.writers.end();
}

/// Sets the slab that this server writes of each record, in its own file: a format that knows goes
/// straight there.
void set_slabs(io::CfFile& cf, const std::vector<io::Box>& slabs) {
  for (std::size_t s = 0; s < slabs.size(); ++s) {
    if (cf.stream_variables[s] < 0) continue;  // in files of other writers
    io::Box box = slabs[s];
    for (std::size_t d = 0; !cf.origins.empty() && d < box.rank(); ++d) {
      box.begin[d] -= cf.origins[s][d];
    }
    nth(cf.spec.variables, cf.stream_variables[s]).slab = std::move(box);
  }
}

void set_time_slabs(io::CfFile& cf) {
  for (const io::CfFile::TimeVariable& time : cf.times) {
    const bool has_bounds = time.part == io::CfFile::TimeVariable::Part::bounds;
    nth(cf.spec.variables, time.variable).slab = has_bounds ? io::Box{{0}, {2}} : io::Box{};
  }
}

}  // namespace

ContextFiles::ContextFiles(Environment environment) : environment_(std::move(environment)) {}

void ContextFiles::open(const Contents& contents, const std::string& refusal) {
  const std::size_t count = contents.model.files.size();
  files_.resize(count);
  buffers_.resize(count);
  closed_.assign(count, false);
  // All are described before one is made: the writers of a shared file must learn of an error.
  std::string problem;
  IndexedVector<config::FileId, std::optional<ServerFile::Setup>> setups(count);
  for (const config::FileId f : contents.model.files.ids()) {
    const config::File& file = contents.model.files[f];
    if (!file.attributes.split_freq && !nth(contents.placements, f).is_apart) {
      whole_.push_back({file.path, title_of(contents.model, file)});
    }
    if (!writes(nth(contents.placements, f), environment_.rank)) continue;
    if (!refusal.empty()) {  // perhaps because it is not known what is written
      setups[f] = refused_setup(contents, f);
      continue;
    }
    std::string own;
    try {
      make_buffer(contents, f);
      setups[f] = setup_of(contents, f);
    } catch (const Error& error) {
      own = error.what();
    } catch (const std::exception& error) {
      own = fmt::format("file '{}': cannot be prepared ({}). Is there memory left?", file.path,
                        failure_text(error));
    }
    if (!own.empty()) setups[f] = refused_setup(contents, f);
    if (problem.empty()) problem = std::move(own);
    for (const io::Remark& remark : setups[f]->cf.remarks) remarks_.push_back(remark);
  }
  for (const config::FileId f : contents.model.files.ids()) {
    if (!setups[f]) continue;
    try {
      create(f, *std::move(setups[f]), refusal.empty() ? problem : refusal);
    } catch (const std::exception& error) {
      // The other writers of a shared file wait for this one, which has no more than its no.
      if (problem.empty()) problem = failure_text(error);
      create(f, refused_setup(contents, f), problem);
    }
  }
  if (!problem.empty()) throw Error(ErrorCode::configuration, problem);
  if (environment_.maps != nullptr && refusal.empty()) {
    environment_.maps->open(
        {contents.model, contents.pieces, contents.shares, contents.forms, contents.coordinates},
        *environment_.page, environment_.component, environment_.rank);
  }
}

void ContextFiles::create(config::FileId file, ServerFile::Setup setup,
                          const std::string& refusal) {
  auto parts = std::make_unique<FileParts>(std::move(setup), *environment_.file_thread,
                                           *environment_.written, environment_.component);
  parts->create(refusal);
  nth(files_, file) = std::move(parts);
}

/// Where records of a file are put together.
void ContextFiles::make_buffer(const Contents& contents, config::FileId file) {
  std::size_t bytes = 0;
  for (const config::StreamId s : contents.model.files[file].streams) {
    const StreamAssignment& share = nth(contents.shares, s);
    if (share.is_concerned() && share.needs_buffer()) {
      bytes = std::max(bytes, share.slab_bytes());
    }
  }
  nth(buffers_, file).resize(bytes);
}

/// Returns the setup of a file that is not made here: the other writers of a shared one wait to
/// hear so.
ServerFile::Setup ContextFiles::refused_setup(const Contents& contents, config::FileId file) const {
  ServerFile::Setup setup;
  setup.is_refused = true;
  setup.model = &contents.model;
  setup.file = file;
  setup.cf.spec.path = contents.model.files[file].path;
  const io::FilePlacement& placement = nth(contents.placements, file);
  if (placement.is_shared()) setup.writers = environment_.file_threads;
  return setup;
}

ServerFile::Setup ContextFiles::setup_of(const Contents& contents, config::FileId file) const {
  const auto& placement = nth(contents.placements, file);
  ServerFile::Setup setup;
  std::vector<io::StreamPlacement> streams;
  std::vector<io::Box> own_slabs;
  const auto writer =
      std::find(placement.writers.begin(), placement.writers.end(), environment_.rank) -
      placement.writers.begin();
  std::int64_t record_bytes = 1;
  for (const config::StreamId s : contents.model.files[file].streams) {
    const StreamAssignment& share = nth(contents.shares, s);
    streams.push_back(io::place_stream(contents.model, s, placement));
    own_slabs.push_back(nth(streams.back().slabs, writer));
    record_bytes += io::volume(streams.back().shape) * share.value_bytes;
    setup.writes.push_back(share.is_concerned());
  }
  setup.model = &contents.model;
  setup.file = file;
  std::vector<const io::CoordinateSlab*> coordinates;
  for (const io::CoordinatePiece& piece : contents.pieces.coordinates) {
    if (piece.file != file || contents.coordinates.empty()) continue;
    coordinates.push_back(&nth(contents.coordinates, piece.window));
  }
  setup.cf = io::describe_file(contents.model, file, contents.forms, coordinates, streams);
  if (placement.is_apart) {
    const auto writers = static_cast<int>(placement.writers.size());
    io::take_share(setup.cf, contents.model, file, static_cast<int>(writer), writers, own_slabs);
    const auto& attributes = contents.model.files[file].attributes;
    setup.rank_suffix = config::rank_suffix(static_cast<int>(writer), writers,
                                            static_cast<int>(attributes.min_digits.value_or(0)));
  }
  std::vector<io::GatheredStream> gathered;
  const std::vector<config::StreamId>& in_file = contents.model.files[file].streams;
  for (std::size_t i = 0; i < in_file.size(); ++i) {
    const StreamAssignment& share = nth(contents.shares, in_file[i]);
    if (!share.gathering) continue;
    const auto& points = share.gathering->points;
    gathered.push_back({static_cast<int>(i), {points.begin(), points.end()}});
    own_slabs[i] = share.gathering->box;
  }
  io::gather(setup.cf, contents.model, file, gathered);
  set_slabs(setup.cf, own_slabs);
  setup.is_continued = contents.model.files[file].attributes.append.value_or(false);
  if (setup.is_continued) setup.slabs = std::move(own_slabs);
  setup.cf.spec.records_per_block =
      placement.is_shared()
          ? std::clamp<std::int64_t>(block_target_bytes / record_bytes, 1, largest_block)
          : 1;
  setup.writers = placement.is_shared() ? environment_.file_threads : nullptr;
  setup.compressors = environment_.compressors;
  setup.endpoints = environment_.endpoints;
  setup.shown.page = environment_.page;
  setup.trace = environment_.trace;
  setup.shown.component = environment_.component;
  setup.shown.server = environment_.rank;
  setup.is_repeated = environment_.is_repeated;
  setup.is_owner = writer == 0 || placement.is_apart;
  if (setup.is_owner) set_time_slabs(setup.cf);
  return setup;
}

bool ContextFiles::is_writer(int file) const {
  return file >= 0 && static_cast<std::size_t>(file) < files_.size() &&
         nth(files_, file) != nullptr;
}

std::span<std::byte> ContextFiles::buffer(const StreamAssignment& share) {
  return std::span(nth(buffers_, share.file)).first(share.slab_bytes());
}

bool ContextFiles::are_idle() const {
  return std::all_of(files_.begin(), files_.end(),
                     [](const auto& file) { return !file || file->is_idle(); });
}

std::string ContextFiles::first_error() const {
  for (const auto& file : files_) {
    if (!file) continue;
    std::string error = file->first_error();
    if (!error.empty()) return error;
  }
  return {};
}

bool ContextFiles::are_split() const {
  return std::any_of(files_.begin(), files_.end(),
                     [](const auto& file) { return file && file->is_split(); });
}

bool ContextFiles::can_take(const StreamAssignment& share, std::int64_t record) const {
  const FileParts& file = at(share.file);
  if (share.needs_buffer() && !file.is_done_writing()) return false;
  if (!file.error_of(share.index_in_file, record).empty()) return true;
  return !file.is_shared() || is_leader() || file.has_room(share.index_in_file, record);
}

/// Sends a command to all writers of its file: the others get it as a message, and this server
/// carries it out as they do.
void ContextFiles::broadcast(Command command) {
  command.context = environment_.context;
  if (at(command.file).is_shared()) environment_.broadcast(command);
  apply(command);
}

void ContextFiles::request_room(const StreamAssignment& share, std::int64_t record) {
  const FileParts& file = at(share.file);
  const int stream = share.index_in_file;
  const std::int64_t number = file.number_in_part(stream, record);
  if (number < 0 || file.has_room(stream, record)) return;
  Command command;
  command.kind = Command::Kind::reserve;
  command.file = share.file;
  command.stream = stream;
  command.part = file.part_of(stream, record);
  command.records = number + 1;
  broadcast(std::move(command));
}

void ContextFiles::sync(int file, std::int64_t event) {
  Command command;
  command.kind = Command::Kind::sync;
  command.file = file;
  command.event = event;
  broadcast(std::move(command));
}

void ContextFiles::close() {
  for (std::size_t f = 0; f < files_.size(); ++f) {
    if (!files_[f] || closed_[f]) continue;
    if (files_[f]->is_shared() && !is_leader()) continue;
    finish(static_cast<int>(f), std::numeric_limits<std::int64_t>::max(), -1);
    closed_[f] = true;
  }
}

void ContextFiles::end_parts(int file, std::int64_t part, std::int64_t event) {
  finish(file, part, event);
}

/// Finishes the parts of a file before `end`, for all its writers.
void ContextFiles::finish(int file, std::int64_t end, std::int64_t event) {
  std::vector<FileParts::Open> open = at(file).open_parts(end);
  // The others wait for a command, also where no part is open.
  if (open.empty() && at(file).is_shared()) open.push_back({-1, 0});
  for (std::size_t i = 0; i < open.size(); ++i) {
    Command command;
    command.kind = Command::Kind::seal;
    command.file = file;
    command.part = open[i].part;
    command.records = open[i].records;
    command.event = event;
    command.last = i + 1 == open.size();
    broadcast(std::move(command));
  }
}

bool ContextFiles::are_closed() const {
  for (std::size_t f = 0; f < files_.size(); ++f) {
    if (files_[f] && !closed_[f]) return false;
  }
  return true;
}

void ContextFiles::note_written() const {
  for (const Whole& file : whole_) {
    environment_.written->note(file.path, {file.title, environment_.component});
  }
}

void ContextFiles::apply(const Command& command) {
  if (!is_writer(command.file)) return;
  FileParts& file = at(command.file);
  if (command.kind == Command::Kind::reserve)
    file.reserve(command.part, command.records, command.stream);
  if (command.kind == Command::Kind::sync) file.sync();
  if (command.kind == Command::Kind::seal) {
    file.finish(command.part, command.records);
    if (command.event < 0 && command.last) nth(closed_, command.file) = true;
  }
}

std::vector<io::FileReport> ContextFiles::newly_failed() {
  std::vector<io::FileReport> out;
  for (std::size_t f = 0; f < files_.size(); ++f) {
    if (!files_[f]) continue;
    std::vector<io::FileReport> failed = files_[f]->newly_failed();
    if (failed.empty()) continue;
    // The other writers of a shared file learn of it in the next thing that all do together.
    if (files_[f]->is_shared() && is_leader()) sync(static_cast<int>(f), -1);
    std::move(failed.begin(), failed.end(), std::back_inserter(out));
  }
  return out;
}

std::vector<io::FileReport> ContextFiles::account() const {
  std::vector<io::FileReport> out;
  for (const auto& file : files_) {
    if (!file) continue;
    std::vector<io::FileReport> parts = file->account();
    std::move(parts.begin(), parts.end(), std::back_inserter(out));
  }
  return out;
}

std::vector<std::string> ContextFiles::warnings() const {
  std::vector<std::string> out;
  for (const auto& file : files_) {
    if (!file) continue;
    std::vector<std::string> parts = file->warnings();
    std::move(parts.begin(), parts.end(), std::back_inserter(out));
  }
  return out;
}

void ContextFiles::fail(const std::string& why) const {
  for (const auto& file : files_) {
    if (file) file->fail(why);
  }
}

void ContextFiles::discard(const std::string& why) const {
  for (const auto& file : files_) {
    if (file) file->discard(why);
  }
}

void ContextFiles::abandon(const std::string& why) const {
  for (const auto& file : files_) {
    if (file) file->abandon(why);
  }
}

}  // namespace epios::server
