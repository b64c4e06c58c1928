// The channels of a context and the queue of its events. One class has both, since channels must
// outlive the queue that reads them, and since who must send a part of an event follows from the
// same plan as the channels' sizes. In order: memory is taken, channels and queue are made, events
// are counted and discarded.
#include "contexts/context_intake.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ep/ep.hpp>
#include <string_view>
#include <utility>

#include "config/error.hpp"
#include "config/index.hpp"
#include "contexts/event_check.hpp"

namespace epios::server {

ContextIntake::ContextIntake(const Environment& environment, const ContextPlan& plan,
                             const Readings& readings)
    : environment_(environment), plan_(plan), readings_(readings) {}

void ContextIntake::open(std::span<io::OpeningPart> parts, const Needs& needs) {
  next_record_.assign(plan_.streams.size(), 0);
  if (plan_.gathers()) notifiers_ = {io::leader};
  answer_bytes_ = needs.answer_bytes;
  make_channels(take_memory(parts, needs));
  offered_ = text();
  make_queue(parts);
}

/// Takes what the channels need of the memory that nobody else in this process has.
std::vector<io::ChannelSpec> ContextIntake::take_memory(std::span<const io::OpeningPart> parts,
                                                        const Needs& needs) {
  const auto budget = static_cast<std::size_t>(plan_.request.buffer_bytes);
  io::ChannelMemory& memory = *environment_.memory;
  for (;;) {
    std::vector<io::ChannelSpec> specs = channel_specs(
        plan_.streams, parts,
        {budget, memory.taken(), needs.answer_bytes, needs.requests, needs.step_bytes});
    std::size_t bytes = needs.answer_bytes + needs.step_bytes;
    for (const io::ChannelSpec& spec : specs) {
      bytes += io::channel_bytes(spec.capacity_bytes, spec.depth);
    }
    auto taken = memory.take(bytes, budget);
    if (!taken.share) continue;  // a client of this process has been first
    memory_ = std::move(*taken.share);
    return specs;
  }
}

void ContextIntake::make_channels(std::span<const io::ChannelSpec> specs) {
  note_channels(specs);
  const int carrier = plan_.request.carrier;
  const auto wanted = static_cast<io::CarrierKind>(carrier);
  // Between levels there are no windows.
  const bool is_forced =
      carrier > 0 && !(plan_.is_downstream && wanted == io::CarrierKind::one_sided);
  try {
    channels_ = std::make_unique<io::ChannelGroup>(
        plan_.is_downstream ? *environment_.servers : *environment_.clients,
        io::channel_tag(plan_.number), specs, is_forced ? wanted : io::CarrierKind::in_process,
        plan_.is_downstream ? nullptr : environment_.window);
  } catch (const ep::Error& error) {
    throw Error(ErrorCode::resource,
                fmt::format("{} Set 'buffer_bytes' or 'carrier' of context 'xios'?", error.what()));
  }
}

/// Traces how much of each sender's parts can be under way.
void ContextIntake::note_channels(std::span<const io::ChannelSpec> specs) const {
  if (!environment_.trace) return;
  for (std::size_t c = 0; c < specs.size(); ++c) {
    environment_.trace.add(fmt::format("channel sender={} bytes={}", plan_.connected[c],
                                       io::channel_bytes(specs[c].capacity_bytes, specs[c].depth)));
  }
}

void ContextIntake::make_queue(std::span<io::OpeningPart> parts) {
  std::vector<io::EventQueue::Input> inputs;
  for (std::size_t c = 0; c < parts.size(); ++c) {
    inputs.push_back({plan_.connected[c], &channels_->receiver(c), std::move(parts[c].clients)});
  }
  queue_ = std::make_unique<io::EventQueue>(
      plan_.id, std::move(inputs),
      [this](io::EventKind kind, int stream) -> const std::vector<int>& {
        return senders_of(kind, stream);
      },
      [this](const io::EventHeader& header) { return event_text(plan_.model, header); },
      plan_.is_downstream ? io::EventQueue::Senders::gatherers : io::EventQueue::Senders::clients);
}

/// Returns the clients that must send a part of an event to this server.
const std::vector<int>& ContextIntake::senders_of(io::EventKind kind, int stream) const {
  if (kind == io::EventKind::record && stream >= 0 &&
      stream < static_cast<int>(plan_.streams.size())) {
    const StreamAssignment& share = nth(plan_.streams, stream);
    if (share.is_concerned()) return share.piece->senders;
    if (plan_.gathers()) return notifiers_;
  }
  if (kind == io::EventKind::read && readings_.reads(stream)) return readings_.askers(stream);
  return plan_.connected;
}

void ContextIntake::close() {
  queue_.reset();
  channels_.reset();
  memory_ = {};
}

bool ContextIntake::settle() {
  if (!channels_) return false;
  channels_->unlink();
  return text() != offered_;
}

void ContextIntake::unlink() {
  if (channels_) channels_->unlink();
}

std::string ContextIntake::text() const {
  std::map<std::string_view, int> carriers;
  for (std::size_t c = 0; c < channels_->size(); ++c) {
    ++carriers[io::name(channels_->receiver(c).carrier())];
  }
  std::vector<std::string> channels;
  channels.reserve(carriers.size());
  for (const auto& [carrier, count] : carriers) {
    channels.push_back(fmt::format("{} by {}", count, carrier));
  }
  return fmt::format("{} {}{} ({}), {} bytes of channels", channels_->size(),
                     plan_.is_downstream ? "gatherer" : "client", channels_->size() == 1 ? "" : "s",
                     fmt::join(channels, ", "), channels_->memory_bytes() + answer_bytes_);
}

void ContextIntake::release() {
  if (environment_.trace) environment_.trace.add("release");
  queue_->release();
}

void ContextIntake::note_record(const io::EventHeader& header) {
  nth(next_record_, header.stream) = header.record + 1;
}

/// The parts of one record come one by one: the first counts for all.
void ContextIntake::discard(std::function<void(const io::EventHeader&)> lose) {
  if (queue_ == nullptr) return;
  lose_ = std::move(lose);
  queue_->discard([this](const io::EventHeader& header) {
    if (header.kind != io::EventKind::record || header.context != plan_.number ||
        header.stream < 0 || header.stream >= static_cast<int>(plan_.streams.size())) {
      return;
    }
    const auto stream = static_cast<std::size_t>(header.stream);
    if (!plan_.streams[stream].is_concerned() || header.record < next_record_[stream]) return;
    note_record(header);
    lose_(header);
  });
}

bool ContextIntake::have_all_passed(std::int64_t event) const {
  // Those that write for gatherers share no file, and all gatherers have channels to them.
  if (!plan_.is_leader() || plan_.is_downstream) return true;
  const auto others = plan_.request.clients.size() - plan_.connected.size();
  if (others == 0) return true;
  const auto found = passed_.find(event);
  return found != passed_.end() && static_cast<std::size_t>(found->second) == others;
}

std::vector<int> ContextIntake::missing_senders() const {
  return queue_ ? queue_->missing_clients() : std::vector<int>();
}

}  // namespace epios::server
