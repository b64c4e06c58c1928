// Requests for records of files and their answers. Two records are on their way at a time: while
// one is sent, the file thread reads the next one, so that neither waits for the other. A large
// record that one client wants as it is goes alone, straight into its channel: a copy less. In
// order: shares of a server, files, requests, reading on the file thread, the common result,
// sending.
#include "reading/readings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <ep/ep.hpp>
#include <limits>
#include <map>
#include <utility>

#include "config/error.hpp"
#include "config/index.hpp"
#include "config/model.hpp"
#include "grid/layout.hpp"

namespace epios::server {
namespace {

/// Smaller records are copied, since two of them may be under way then.
constexpr std::size_t least_straight_bytes = 1 << 20;

/// Longest text that says why there are no values; answer channels have room for it.
std::string shortened(std::string text) {
  if (text.size() > io::most_answer_text) {
    text.resize(io::most_answer_text - 3);
    text += "...";
  }
  return text;
}

}  // namespace

Readings::Readings(const ReadConsensus::Environment& among_servers, const ep::Comm& clients,
                   io::FileThread& file_thread, io::ActorTrace trace)
    : clients_(clients),
      file_thread_(file_thread),
      consensus_(among_servers),
      trace_(std::move(trace)) {}

void Readings::share(const config::Model& model, std::vector<std::vector<int>> readers,
                     io::Pieces pieces, std::span<const io::OpeningPart> parts) {
  model_ = &model;
  shares_.resize(model.read_fields.size());
  for (const config::ReadFieldId i : model.read_fields.ids()) {
    const int piece = nth(pieces.of_stream, i);
    if (piece < 0) continue;
    const auto g = static_cast<std::size_t>(piece);
    Share& share = shares_[i];
    share.readers = std::move(nth(readers, i));
    share.slab = pieces.grids[g].slab;
    files_.push_back(model.read_fields[i].file);
    for (const io::OpeningPart& part : parts) {
      const bool receives =
          io::receives(pieces, g, part.read_windows) || part.is_notified_of[g] != 0;
      if (receives || part.client == io::leader) share.askers.push_back(part.client);
      if (!receives) continue;
      share.receivers.push_back(part.client);
      share.patterns.push_back(io::pattern_in_slab(pieces, g, part.read_windows));
    }
    share.goes_straight = bytes_of(share) >= least_straight_bytes && share.receivers.size() == 1 &&
                          share.patterns.front().is_whole();
  }
  std::sort(files_.begin(), files_.end());
  files_.erase(std::unique(files_.begin(), files_.end()), files_.end());
  std::size_t largest = 0;
  for (const Share& share : shares_) {
    if (!share.askers.empty()) {
      largest = std::max(largest, static_cast<std::size_t>(share.slab.volume()));
    }
  }
  for (Slot& slot : slots_) slot.values.resize(largest);
}

std::size_t Readings::answer_bytes(int read_ahead) const {
  std::map<int, std::size_t> largest;  // part of a client
  for (const Share& share : shares_) {
    for (std::size_t r = 0; r < share.receivers.size(); ++r) {
      const auto bytes = static_cast<std::size_t>(share.patterns[r].count()) * sizeof(double);
      std::size_t& most = largest[share.receivers[r]];
      most = std::max({most, io::part_bytes(bytes), io::part_bytes(io::most_answer_text)});
    }
  }
  std::size_t sum = 0;
  for (const auto& [client, bytes] : largest) sum += io::channel_bytes(bytes, read_ahead);
  return sum;
}

bool Readings::reads(int field) const {
  return field >= 0 && field < static_cast<int>(shares_.size()) && !askers(field).empty();
}

const std::vector<int>& Readings::askers(int field) const { return nth(shares_, field).askers; }

void Readings::submit(std::function<void()> job) {
  std::function<void()> counted_job = [this, job = std::move(job)] {
    job();
    pending_.fetch_sub(1, std::memory_order_release);
  };
  pending_.fetch_add(1, std::memory_order_relaxed);
  try {
    file_thread_.submit(std::move(counted_job));
  } catch (const std::exception&) {
    pending_.fetch_sub(1, std::memory_order_release);
    throw;
  }
}

void Readings::open() {
  if (files_.empty()) return;
  submit([this] {
    try {
      open_files();
    } catch (const std::exception& error) {
      const std::scoped_lock lock(mutex_);
      open_error_ = error.what();
    }
  });
}

void Readings::open_files() {
  sources_.resize(model_->read_files.size());
  for (const config::ReadFileId f : files_) {
    const config::ReadFile& file = model_->read_files[f];
    // An id that was made for an element without one stands nowhere in the XML: then it has a name.
    const auto& name = file.attributes.name;
    const std::string element =
        fmt::format("<file {}=\"{}\">", name ? "name" : "id", name.value_or(file.id));
    try {
      sources_[f] = std::make_unique<ReadSource>(*model_, f, file_thread_.open_files());
    } catch (const Error& error) {
      throw Error(error.code(), fmt::format("{}: {}", element, error.what()));
    } catch (const std::exception& error) {
      throw Error(ErrorCode::io, fmt::format("{}: file '{}' cannot be read ({}). Is it whole?",
                                             element, file.path, error.what()));
    }
  }
}

std::string Readings::open_error() const {
  const std::scoped_lock lock(mutex_);
  return open_error_;
}

void Readings::connect(const io::AnswerChannel& channel, int remote_rank) {
  auto sender = io::open_channel(clients_, remote_rank, channel.offer);
  if (fallback_.empty()) fallback_ = sender->fallback();
  io::EventHeader hello;
  hello.kind = io::EventKind::read;
  hello.context = channel.context;
  hello.hash = io::event_hash(hello);
  const std::span<std::byte> part = sender->try_reserve(io::part_bytes(0));
  io::write_header(part, hello);
  sender->commit();
  channels_.emplace_back(channel.client, std::move(sender));
  std::sort(channels_.begin(), channels_.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
}

void Readings::request(const io::EventHeader& request) {
  requests_.push_back(request);
  begin_next();
}

/// A channel has one reservation at a time: a record that is read into it is the only one under
/// way.
bool Readings::may_begin() const {
  if (requests_.empty() || taken_slots_ == slot_count) return false;
  const bool goes_straight = nth(shares_, requests_.front().stream).goes_straight;
  return taken_slots_ == 0 || !(goes_straight || !slots_.at(first_slot_).straight.empty());
}

void Readings::begin_next() {
  while (may_begin()) {
    Slot& slot = slots_.at((first_slot_ + taken_slots_++) % slot_count);
    slot.request = requests_.front();
    requests_.pop_front();
    slot.next_receiver = 0;
    slot.verdict = {};
    slot.file.reset();
    slot.is_announced = slot.is_resolved = false;
    slot.is_read.store(false, std::memory_order_relaxed);
    const Share& share = nth(shares_, slot.request.stream);
    slot.straight = {};
    if (share.goes_straight) {
      slot.straight =
          channel_of(share.receivers.front()).try_reserve(io::part_bytes(bytes_of(share)));
    }
    pending_.fetch_add(1, std::memory_order_relaxed);
    file_thread_.submit([this, &slot] {  // small enough to need no memory
      read(slot);
      pending_.fetch_sub(1, std::memory_order_release);
    });
  }
}

std::size_t Readings::bytes_of(const Share& share) {
  return static_cast<std::size_t>(share.slab.volume()) * sizeof(double);
}

/// Where the values of a record are read to.
std::span<double> Readings::room(Slot& slot, const Share& share) {
  if (slot.straight.empty()) {
    return std::span(slot.values).first(bytes_of(share) / sizeof(double));
  }
  return io::values_of<double>(slot.straight.subspan(io::EventHeader::payload_offset));
}

/// On the file thread.
void Readings::read(Slot& slot) {
  const config::ReadFieldId number(slot.request.stream);
  const config::ReadFileId file = model_->read_fields[number].file;
  const Share& share = shares_[number];
  ReadSource& source = *sources_[file];
  try {
    source.read(number, slot.request.record, share.slab, room(slot, share));
    slot.file = source.identity();
  } catch (const Error& error) {
    slot.verdict = {shortened(error.what()), source.may_come()};
  } catch (const std::exception& error) {  // memory, mostly, that a damaged file asks for
    const config::ReadField& field = model_->read_fields[number];
    slot.verdict.error = shortened(fmt::format(
        "record {} of variable '{}' of file '{}' cannot be read ({}). Is the file whole?",
        slot.request.record, field.name, model_->read_files[file].path, error.what()));
  }
  slot.is_read.store(true, std::memory_order_release);
}

io::ChannelSender& Readings::channel_of(int client) {
  const auto found =
      std::lower_bound(channels_.begin(), channels_.end(), client,
                       [](const auto& channel, int rank) { return channel.first < rank; });
  if (found == channels_.end() || found->first != client) {
    throw Error(ErrorCode::protocol,
                fmt::format("client {} asks for a field without a channel to receive it. Is this a "
                            "bug of EPIOS?",
                            client));
  }
  found->second->progress();
  return *found->second;
}

io::EventHeader Readings::header_of(const Slot& slot, std::size_t bytes) {
  io::EventHeader header = slot.request;
  const bool is_good = slot.verdict.error.empty();
  header.samples = is_good ? 0 : slot.verdict.may_mend ? io::may_be_read_later : 1;
  header.payload_bytes = bytes;
  header.hash = io::event_hash(header);
  return header;
}

void Readings::commit(io::ChannelSender& channel, const Slot& slot, int client) {
  if (trace_) trace_.add(fmt::format("answer event={} client={}", slot.request.event, client));
  channel.commit();
}

bool Readings::send_part(const Slot& slot, int client, const io::Pattern& pattern) {
  io::ChannelSender& channel = channel_of(client);
  const std::string& error = slot.verdict.error;
  const std::size_t bytes =
      error.empty() ? static_cast<std::size_t>(pattern.count()) * sizeof(double) : error.size();
  const std::span<std::byte> part = channel.try_reserve(io::part_bytes(bytes));
  if (part.empty()) return false;  // the client has taken it, the news is on its way
  io::write_header(part, header_of(slot, bytes));
  const std::span<std::byte> payload = part.subspan(io::EventHeader::payload_offset);
  if (error.empty()) {
    pattern.gather(slot.values.data(), io::values_of<double>(payload).data());
  } else {
    std::memcpy(payload.data(), error.data(), bytes);
  }
  commit(channel, slot, client);
  return true;
}

/// Sends the part that the record was read into; without values it is given back, and false.
bool Readings::send_straight(Slot& slot, int client) {
  const std::span<std::byte> part = std::exchange(slot.straight, {});
  if (part.empty()) return false;
  io::ChannelSender& channel = channel_of(client);
  if (!slot.verdict.error.empty()) {
    channel.cancel();
    return false;
  }
  io::write_header(part, header_of(slot, part.size() - io::part_bytes(0)));
  commit(channel, slot, client);
  return true;
}

bool Readings::send(Slot& slot) {
  const Share& share = nth(shares_, slot.request.stream);
  while (slot.next_receiver < share.receivers.size()) {
    const std::size_t r = slot.next_receiver;
    const int client = share.receivers[r];
    if (!send_straight(slot, client) && !send_part(slot, client, share.patterns[r])) return false;
    ++slot.next_receiver;
  }
  return true;
}

/// How this server has fared with records that others read, too, in any order.
void Readings::announce_what_is_read() {
  for (std::size_t k = 0; k < taken_slots_; ++k) {
    Slot& slot = slots_.at((first_slot_ + k) % slot_count);
    if (slot.is_announced || !slot.is_read.load(std::memory_order_acquire)) continue;
    slot.is_announced = true;
    if (trace_) trace_.add(fmt::format("status event={}", slot.request.event));
    const std::vector<int>& readers = nth(shares_, slot.request.stream).readers;
    slot.is_resolved = readers.size() < 2;
    if (!slot.is_resolved) {
      consensus_.report(slot.request.event, readers, slot.verdict, slot.file);
    }
  }
}

bool Readings::awaits_status() const {
  if (taken_slots_ == 0) return false;
  const Slot& oldest = slots_.at(first_slot_);
  return oldest.is_announced && !oldest.is_resolved;
}

/// Returns true if the common result of all who read a record is known.
bool Readings::resolve(Slot& slot) {
  if (!slot.is_resolved && slot.is_announced) {
    slot.is_resolved = consensus_.take(slot.request.event, slot.verdict);
    if (slot.is_resolved && slot.verdict.differs) {
      slot.verdict.error = shortened(differing_text(slot));
    }
  }
  return slot.is_resolved;
}

std::string Readings::differing_text(const Slot& slot) const {
  const config::ReadField& field = nth(model_->read_fields, slot.request.stream);
  return fmt::format(
      "file '{}' is not the same file for all servers ({}; record {} of variable '{}' is not "
      "read). "
      "Has it been replaced while they opened it, or are they in different folders?",
      model_->read_files[field.file].path, slot.verdict.error, slot.request.record, field.name);
}

bool Readings::progress() {
  bool did = false;
  while (taken_slots_ > 0) {
    announce_what_is_read();
    Slot& slot = slots_.at(first_slot_);
    if (!resolve(slot) || !send(slot)) break;
    first_slot_ = (first_slot_ + 1) % slot_count;
    --taken_slots_;
    begin_next();
    did = true;
  }
  return did;
}

bool Readings::is_finished() {
  if (!requests_.empty() || taken_slots_ > 0 || !is_idle()) return false;
  return std::all_of(channels_.begin(), channels_.end(), [](auto& channel) {
    channel.second->progress();
    return channel.second->is_drained();
  });
}

void Readings::abandon() { requests_.clear(); }

void Readings::close() {
  if (files_.empty() || std::exchange(is_closed_, true)) return;
  submit([this] { sources_.clear(); });
}

}  // namespace epios::server
