#include "readings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "config/error.hpp"
#include "grid/layout.hpp"

namespace epios::server {
namespace {

/// Longest text that says why there are no values; answer channels have room for it.
std::string shortened(std::string text) {
  if (text.size() > io::most_answer_text) {
    text.resize(io::most_answer_text - 3);
    text += "...";
  }
  return text;
}

}  // namespace

Readings::Readings(int rank, const ep::Comm& clients, io::FileThread& file_thread)
    : rank_(rank), clients_(clients), file_thread_(file_thread) {}

void Readings::share(const config::Model& model, const std::vector<io::FilePlacement>& placements,
                     io::Pieces pieces, std::span<const io::OpeningPart> parts) {
  model_ = &model;
  shares_.resize(model.read_fields.size());
  for (std::size_t i = 0; i < shares_.size(); ++i) {
    const int piece = pieces.of_stream[i];
    if (piece < 0) continue;
    const auto g = static_cast<std::size_t>(piece);
    Share& share = shares_[i];
    share.slab = pieces.grids[g].slab;
    for (const io::OpeningPart& part : parts) {
      const bool receives = io::receives(pieces, g, part.read_windows);
      if (receives || part.client == io::leader) share.askers.push_back(part.client);
      if (!receives) continue;
      share.receivers.push_back(part.client);
      share.patterns.push_back(io::pattern_in_slab(pieces, g, part.read_windows));
    }
  }
  for (std::size_t f = 0; f < placements.size(); ++f) {
    const std::vector<int>& readers = placements[f].writers;
    if (std::find(readers.begin(), readers.end(), rank_) != readers.end()) {
      files_.push_back(static_cast<int>(f));
    }
  }
  std::size_t largest = 0;
  for (const Share& share : shares_) {
    if (!share.askers.empty()) {
      largest = std::max(largest, static_cast<std::size_t>(share.slab.volume()));
    }
  }
  for (Slot& slot : slots_) slot.values.resize(largest);
}

bool Readings::reads(int field) const {
  return field >= 0 && field < static_cast<int>(shares_.size()) && !askers(field).empty();
}

const std::vector<int>& Readings::askers(int field) const {
  return shares_[static_cast<std::size_t>(field)].askers;
}

void Readings::submit(std::function<void()> job) {
  pending_.fetch_add(1, std::memory_order_relaxed);
  file_thread_.submit([this, job = std::move(job)] {
    job();
    pending_.fetch_sub(1, std::memory_order_release);
  });
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
  for (const int f : files_) {
    const config::ReadFile& file = model_->read_files[static_cast<std::size_t>(f)];
    try {
      auto source = std::make_unique<io::SourceFile>(
          file.path, file.attributes.time_counter_name.value_or("time_counter"));
      for (const int i : file.fields) {
        const config::ReadField& field = model_->read_fields[static_cast<std::size_t>(i)];
        shares_[static_cast<std::size_t>(i)].variable =
            source->find(field.name, io::global_shape(*model_, field.grid),
                         field.attributes.scale_factor, field.attributes.add_offset);
      }
      sources_[static_cast<std::size_t>(f)] = std::move(source);
    } catch (const Error& error) {
      throw Error(error.code(),
                  fmt::format("{}: {}", file.where.empty() ? file.id : file.where, error.what()));
    }
  }
}

std::string Readings::open_error() const {
  const std::scoped_lock lock(mutex_);
  return open_error_;
}

void Readings::connect(const io::AnswerChannel& channel, int remote_rank) {
  auto sender = io::open_channel(clients_, remote_rank, channel.offer);
  io::EventHeader greeting;
  greeting.kind = io::EventKind::read;
  greeting.context = channel.context;
  greeting.hash = io::event_hash(greeting);
  const std::span<std::byte> part = sender->try_reserve(io::part_bytes(0));
  io::write_header(part, greeting);
  sender->commit();
  channels_.emplace_back(channel.client, std::move(sender));
  std::sort(channels_.begin(), channels_.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
}

void Readings::request(const io::EventHeader& request) {
  requests_.push_back(request);
  begin_next();
}

void Readings::begin_next() {
  while (!requests_.empty() && taken_slots_ < slot_count) {
    Slot& slot = slots_.at((first_slot_ + taken_slots_++) % slot_count);
    slot.request = requests_.front();
    requests_.pop_front();
    slot.next_receiver = 0;
    slot.error.clear();
    slot.is_read.store(false, std::memory_order_relaxed);
    submit([this, &slot] { read(slot); });
  }
}

/// On the file thread.
void Readings::read(Slot& slot) {
  const auto index = static_cast<std::size_t>(slot.request.stream);
  const config::ReadField& field = model_->read_fields[index];
  const config::ReadFile& file = model_->read_files[static_cast<std::size_t>(field.file)];
  const Share& share = shares_[index];
  try {
    const std::int64_t records = share.variable.records;
    std::int64_t record = slot.request.record + file.attributes.record_offset.value_or(0);
    if (!share.variable.has_records) {
      record = 0;
    } else if (file.attributes.cyclic.value_or(false) && records > 0) {
      record = (record % records + records) % records;
    }
    if (record < 0 || record >= records) {
      throw Error(ErrorCode::io,
                  fmt::format("file '{}' has no record {} of variable '{}' (it has {}, counted "
                              "from 0). Is the run longer than the file? With cyclic=\"true\" "
                              "records begin again after the last one.",
                              file.path, record, field.name, records));
    }
    const std::optional<double> missing =
        field.attributes.detect_missing_value.value_or(false)
            ? std::optional(
                  field.attributes.default_value.value_or(std::numeric_limits<double>::quiet_NaN()))
            : std::nullopt;
    sources_[static_cast<std::size_t>(field.file)]->read(
        share.variable, record, share.slab, missing,
        std::span(slot.values).first(static_cast<std::size_t>(share.slab.volume())));
  } catch (const std::exception& error) {
    slot.error = shortened(error.what());
  }
  slot.is_read.store(true, std::memory_order_release);
}

bool Readings::send_part(const Slot& slot, int client, const io::Pattern& pattern) {
  const auto found =
      std::lower_bound(channels_.begin(), channels_.end(), client,
                       [](const auto& channel, int rank) { return channel.first < rank; });
  if (found == channels_.end() || found->first != client) {
    throw Error(ErrorCode::protocol,
                fmt::format("client {} asks for a field without a channel to receive it. Is this a "
                            "bug of EPIOS?",
                            client));
  }
  io::ChannelSender& channel = *found->second;
  channel.progress();
  const std::size_t bytes = slot.error.empty()
                                ? static_cast<std::size_t>(pattern.count()) * sizeof(double)
                                : slot.error.size();
  const std::span<std::byte> part = channel.try_reserve(io::part_bytes(bytes));
  if (part.empty()) return false;  // the client has taken it, the news is on its way
  io::EventHeader header = slot.request;
  header.samples = slot.error.empty() ? 0 : 1;
  header.payload_bytes = bytes;
  header.hash = io::event_hash(header);
  io::write_header(part, header);
  const std::span<std::byte> payload = part.subspan(io::EventHeader::payload_offset);
  if (slot.error.empty()) {
    pattern.gather(slot.values.data(), io::values_of<double>(payload).data());
  } else {
    std::memcpy(payload.data(), slot.error.data(), bytes);
  }
  channel.commit();
  return true;
}

bool Readings::send(Slot& slot) {
  const Share& share = shares_[static_cast<std::size_t>(slot.request.stream)];
  while (slot.next_receiver < share.receivers.size()) {
    const std::size_t r = slot.next_receiver;
    if (!send_part(slot, share.receivers[r], share.patterns[r])) return false;
    ++slot.next_receiver;
  }
  return true;
}

bool Readings::progress() {
  bool did = false;
  while (taken_slots_ > 0) {
    Slot& slot = slots_.at(first_slot_);
    if (!slot.is_read.load(std::memory_order_acquire) || !send(slot)) break;
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
