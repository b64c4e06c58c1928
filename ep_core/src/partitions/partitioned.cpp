// Partitioned messages. Within a process two events must occur, the marking of a partition and the
// start of the receiver; the thread of the later one copies the partition. Between processes,
// partitions are sent in at most 1024 messages. In order: the sending end, the receiving end, and
// the persistent requests that own them.
#include "partitions/partitioned.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "messages/clique_messages.hpp"
#include "messages/message_tables.hpp"
#include "messages/p2p.hpp"
#include "process/error.hpp"
#include "progress/progress.hpp"

namespace ep {

namespace {

// Own tags of endpoints beyond those of creation/: offers, and messages of channels.
constexpr int offer_tag = own_tag(0x60000000);
int message_tag(std::uint32_t channel, int message) {
  return own_tag(static_cast<int>(0x70000000U | channel << 10U | static_cast<unsigned>(message)));
}

/// Starts a transfer for which no thread waits. It may end at once.
template <class Start>
void transfer(const Member& member, MappedView view, const char* what,
              std::function<void(const Request&)> then, Start&& start) {
  Request& request = *request_arena().take();
  prepare(request, member, std::move(view), what);
  request.state.store(Request::abandoned);
  request.then = std::move(then);
  if (member.clique->checks_types.load(std::memory_order_relaxed)) {
    request.label.checked = request.label.signature.packed = true;  // it was checked as a whole
  }
  start(request);
}

}  // namespace

PartitionSource::PartitionSource(Member whose, int to, MappedView what, int division)
    : member(std::move(whose)),
      dest(to),
      view(std::move(what)),
      partitioning{division, view.bytes()},
      states_(std::make_unique<std::atomic<std::uint64_t>[]>(static_cast<std::size_t>(division))),
      unmarked_(
          std::make_unique<std::atomic<int>[]>(static_cast<std::size_t>(partitioning.messages()))) {
  if (dest == EP_PROC_NULL) return;
  is_local = member.remote_group().place(dest).process == member.clique->my_process();
}

void PartitionSource::start(Request& request) {
  request.peer = dest;
  request.is_local = is_local;
  visible_ = &request;
  ++generation_;
  if (dest == EP_PROC_NULL) request.status.EP_SOURCE = EP_PROC_NULL;
  left_.store(is_local || dest == EP_PROC_NULL ? partitioning.partitions : partitioning.messages(),
              std::memory_order_relaxed);
  for (int k = 0; k < partitioning.messages() && !is_local && dest != EP_PROC_NULL; ++k) {
    unmarked_[static_cast<std::size_t>(k)].store(
        partitioning.first_of(k + 1) - partitioning.first_of(k), std::memory_order_relaxed);
  }
}

bool PartitionSource::mark(int partition) {
  // Once it is marked, others may end the send, and its owner free or start the request.
  const auto keep = shared_from_this();
  const std::uint32_t generation = generation_;
  auto& state = states_[static_cast<std::size_t>(partition)];
  const std::uint64_t marked = 2 * std::uint64_t{generation} + 1;
  std::uint64_t before = state.load(std::memory_order_relaxed);
  if (before >= marked || !state.compare_exchange_strong(before, marked)) return false;
  if (dest == EP_PROC_NULL) {
    end_one(EP_SUCCESS, {});
    return true;
  }
  if (is_local) {
    // Either this sees that the receiver has begun, or the receiver sees the mark.
    if (open_.load() == generation) copy_if_marked(partition, generation);
    return true;
  }
  const int k = static_cast<int>(((std::int64_t{partition} + 1) * partitioning.messages() - 1) /
                                 partitioning.partitions);
  if (unmarked_[static_cast<std::size_t>(k)].fetch_sub(1) == 1) send(k);
  return true;
}

void PartitionSource::open_for(std::uint32_t generation) {
  const auto keep = shared_from_this();
  open_.store(generation);
  for (int p = 0; p < partitioning.partitions; ++p) copy_if_marked(p, generation);
}

void PartitionSource::copy_if_marked(int partition, std::uint32_t generation) {
  std::uint64_t marked = 2 * std::uint64_t{generation} + 1;
  if (!states_[static_cast<std::size_t>(partition)].compare_exchange_strong(marked, marked + 1)) {
    return;
  }
  const auto keep = shared_from_this();
  const auto to = target;
  const std::int64_t begin = partitioning.begin_of(partition);
  const std::int64_t end = partitioning.begin_of(partition + 1);
  const std::int64_t room = to->view.bytes();
  copy_part(view, to->view, std::min(begin, room), std::min(end, room));
  to->arrive(begin, end);
  end_one(EP_SUCCESS, {});
}

void PartitionSource::send(int message) {
  const int first = partitioning.first_of(message);
  const std::int64_t each = view.count / partitioning.partitions;
  const std::int64_t elements = each * (partitioning.first_of(message + 1) - first);
  MappedView elements_view{view.data + each * first * view.map->extent, elements, view.map};
  const auto then = [self = shared_from_this()](const Request& ended) {
    const int code = guarded([&] { check_outcome(ended); });
    self->end_one(code, code != EP_SUCCESS ? last_error() : std::string());
  };
  transfer(
      member, std::move(elements_view), "a partition of a message (EP_Psend_init)", then,
      [&](Request& request) { start_send(member, dest, message_tag(channel, message), request); });
  // The calling thread may fill other partitions next and not wait, so large messages advance here.
  engine().progress();
}

void PartitionSource::end_one(int code, const std::string& text) {
  const std::shared_ptr<Clique> keep = member.clique;
  if (code != EP_SUCCESS) {
    const std::lock_guard lock(failure_mutex_);
    note_failure(*visible_, code, text);
  }
  if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1) finish(*visible_);
}

namespace {

// States of a partition that misses no bytes.
constexpr std::int64_t there = -1;
constexpr std::int64_t reported = -2;  // EP_Parrived has reported the partition

}  // namespace

PartitionTarget::PartitionTarget(Member whose, int from, int which, MappedView where, int division)
    : member(std::move(whose)),
      source(from),
      tag(which),
      view(std::move(where)),
      partitioning{division, view.bytes()},
      missing_(std::make_unique<std::atomic<std::int64_t>[]>(static_cast<std::size_t>(division))) {}

void PartitionTarget::start(Request& request) {
  request.is_receive = true;
  request.peer = source;
  request.capacity = view.bytes();
  if (source == EP_PROC_NULL) {
    complete_empty(request, EP_PROC_NULL, EP_ANY_TAG);
    return;
  }
  const std::int64_t each = partitioning.bytes / partitioning.partitions;
  unarrived_.store(each > 0 ? partitioning.partitions : 0, std::memory_order_relaxed);
  for (int p = 0; p < partitioning.partitions; ++p) {
    missing_[static_cast<std::size_t>(p)].store(each > 0 ? each : there, std::memory_order_relaxed);
  }
  {
    const std::lock_guard lock(mutex_);
    visible_ = &request;
    ++generation_;
    waits_for_match_ = !is_matched_;
    if (waits_for_match_) return;
  }
  begin();
}

void PartitionTarget::match(const PartitionOffer& from) {
  {
    const std::lock_guard lock(mutex_);
    offer_ = from;
    if (member.remote_group().place(source).process == member.clique->my_process()) {
      sender = std::static_pointer_cast<PartitionSource>(
          messages_of(*member.clique).partitions.source(from.channel));
      if (!sender) return;  // freed before its receiver began
      sender->target = shared_from_this();
    }
    is_matched_ = true;
    if (!std::exchange(waits_for_match_, false)) return;
  }
  begin();
}

void PartitionTarget::begin() {
  const Partitioning from{offer_.partitions, offer_.bytes};
  left_.store(sender ? from.partitions : from.messages());
  if (sender) {
    sender->open_for(generation_);
    return;
  }
  const auto keep = shared_from_this();
  for (int k = 0; k < from.messages(); ++k) receive(from, k);
}

void PartitionTarget::receive(const Partitioning& from, int message) {
  const std::int64_t begin = from.begin_of(from.first_of(message));
  const std::int64_t end = from.begin_of(from.first_of(message + 1));
  std::byte* const block = view.block();
  // From other processes, a message that is not contiguous here, or does not fit, is received into
  // a buffer first.
  std::shared_ptr<std::vector<std::byte>> packed;
  if (block == nullptr || end > partitioning.bytes) {
    packed = std::make_shared<std::vector<std::byte>>(static_cast<std::size_t>(end - begin));
  }
  void* const place = packed ? packed->data() : block + begin;
  const auto then = [self = shared_from_this(), packed, begin, end](const Request& ended) {
    const int code = guarded([&] { check_outcome(ended); });
    const std::string text = code != EP_SUCCESS ? last_error() : std::string();
    const std::int64_t room = self->partitioning.bytes;
    if (packed && code == EP_SUCCESS) {
      unpack_part(packed->data(), self->view, std::min(begin, room), std::min(end, room));
    }
    self->arrive(begin, end, code, text);
  };
  transfer(member, mapped_bytes(place, end - begin), "a partition of a message (EP_Precv_init)",
           then, [&](Request& request) {
             start_receive(member, source, message_tag(offer_.channel, message), request);
           });
}

void PartitionTarget::arrive(std::int64_t begin, std::int64_t end, int code,
                             const std::string& text) {
  const auto keep = shared_from_this();
  const std::shared_ptr<Clique> clique = member.clique;
  const std::int64_t each = partitioning.bytes / partitioning.partitions;
  const std::int64_t last = std::min(end, partitioning.bytes);
  for (std::int64_t at = begin; at < last;) {
    const std::int64_t partition = at / each;
    const std::int64_t next = std::min(last, (partition + 1) * each);
    auto& missing = missing_[static_cast<std::size_t>(partition)];
    if (missing.fetch_sub(next - at, std::memory_order_acq_rel) == next - at) {
      unarrived_.fetch_sub(1, std::memory_order_acq_rel);
      missing.store(there, std::memory_order_release);
    }
    at = next;
  }
  if (code != EP_SUCCESS) {
    const std::lock_guard lock(mutex_);
    note_failure(*visible_, code, text);
  }
  if (left_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  Request& request = *visible_;
  if (request.status.EP_ERROR == EP_SUCCESS) {
    request.view = view;
    set_received(request, source, tag, offer_.bytes, offer_.label);
    if (offer_.bytes < partitioning.bytes) {
      note_failure(request, EP_ERR_COUNT,
                   "a partitioned message is shorter than EP_Precv_init of it says (both ends give "
                   "one size).");
    }
  }
  finish(request);
}

bool PartitionTarget::report(int partition) {
  if (partitioning.bytes == 0) return partition + 1 < partitioning.partitions;
  auto& missing = missing_[static_cast<std::size_t>(partition)];
  // First the partition, then how many there are: arrive() counts before it shows.
  const std::int64_t state = missing.load(std::memory_order_acquire);
  if (state >= 0) return false;
  if (state == reported) return true;
  if (unarrived_.load(std::memory_order_acquire) == 0) return false;
  missing.store(reported, std::memory_order_relaxed);
  return true;
}

PartitionedSend::PartitionedSend(const Endpoint& endpoint, int dest, int tag, MappedView view,
                                 int partitions)
    : Persistent(endpoint, "the receiver of a partitioned message (EP_Psend_init)"),
      source(std::make_shared<PartitionSource>(member, dest, std::move(view), partitions)) {
  if (dest == EP_PROC_NULL) return;
  source->channel = messages_of(*member.clique).partitions.draw_channel(source);
  auto offer = std::make_shared<PartitionOffer>();
  *offer = {tag, partitions, source->partitioning.bytes, source->channel,
            label_of(member, source->view)};
  transfer(
      member, mapped_bytes(offer.get(), sizeof *offer), what, [offer](const Request& /*ended*/) {},
      [&](Request& request) { start_send(member, dest, offer_tag, request); });
}

PartitionedSend::~PartitionedSend() {
  if (source->dest != EP_PROC_NULL) {
    messages_of(*member.clique).partitions.forget(source->channel);
  }
}

void PartitionedSend::start(Request& request) {
  prepare(request, member, MappedView{}, what);
  source->start(request);
}

PartitionedReceive::PartitionedReceive(const Endpoint& endpoint, int source, int tag,
                                       MappedView view, int partitions)
    : Persistent(endpoint, "a partitioned message (EP_Precv_init)"),
      target(std::make_shared<PartitionTarget>(member, source, tag, std::move(view), partitions)) {
  if (source == EP_PROC_NULL) return;
  PartitionMatches& matches = messages_of(*member.clique).partitions;
  PartitionOffer known;
  if (matches.add(member.slot, source, tag, target, known)) target->match(known);
  // One offer arrives for each receiver; its tag identifies the receiver.
  auto offer = std::make_shared<PartitionOffer>();
  const auto then = [offer, whose = member, source](const Request& ended) {
    if (guarded([&] { check_outcome(ended); }) != EP_SUCCESS) return;
    PartitionMatches& all = messages_of(*whose.clique).partitions;
    const auto first = all.add(whose.slot, source, *offer);
    if (first) static_cast<PartitionTarget&>(*first).match(*offer);
  };
  transfer(member, mapped_bytes(offer.get(), sizeof *offer), what, then,
           [&](Request& request) { start_receive(member, source, offer_tag, request); });
}

PartitionedReceive::~PartitionedReceive() {
  if (target->source == EP_PROC_NULL) return;
  messages_of(*member.clique)
      .partitions.withdraw(member.slot, target->source, target->tag, *target);
  // The two ends keep each other.
  target->sender.reset();
}

void PartitionedReceive::start(Request& request) {
  prepare(request, member, MappedView{}, what);
  target->start(request);
}

}  // namespace ep
