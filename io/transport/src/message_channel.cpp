// Channels by two-sided messages. The sender keeps parts in a ring until MPI has read them and
// waits for credits; the receiver receives into its ring and returns credits when parts are
// released.
#include "message_channel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "request_test.hpp"

namespace epios::io {
namespace {

using Word = std::uint64_t;  // parts travel as whole words: an int counts eight times as many bytes

// Parts of a channel that the sender has not yet seen released. Bounds the requests at both ends:
// so many credits may be on their way that every release can send one at once, and none depends on
// a later call of the receiver.
constexpr std::uint64_t parts_limit = 256;

int words_of(std::span<const std::byte> image) {
  return static_cast<int>(image.size() / sizeof(Word));
}

// For destructors: anything but "done" counts as pending.
bool is_pending(EP_Request& request) noexcept {
  int flag = 0;
  return request != EP_REQUEST_NULL &&
         (EP_Test(&request, &flag, EP_STATUS_IGNORE) != EP_SUCCESS || flag == 0);
}

}  // namespace

std::size_t message_capacity_limit() {
  constexpr auto words = static_cast<std::size_t>(std::numeric_limits<int>::max());
  return words / ring_alignment * ring_alignment * sizeof(Word) - ring_alignment;
}

struct MessageSender::State {
  std::shared_ptr<Memory> memory;  // shared: Memory knows no other owner
  std::array<EP_Request, parts_limit> sends{};
  EP_Request credit_request = EP_REQUEST_NULL;
  Word credit = 0;
};

MessageSender::MessageSender(const RingLayout& layout, EP_Comm comm, int server, int tag)
    : state_([&] {
        auto state = std::make_unique<State>();
        state->memory = Memory::make_private(layout.memory_bytes());
        format_ring(state->memory->data(), layout);
        return state;
      }()),
      writer_(state_->memory->data()),
      reader_(state_->memory->data()),
      comm_(comm),
      server_(server),
      tag_(tag) {}

MessageSender::~MessageSender() {
  bool pending = is_pending(state_->credit_request);
  for (EP_Request& request : state_->sends) pending = is_pending(request) || pending;
  // Freed memory would be sent; waiting could last for ever when the receiver has failed.
  if (pending) static_cast<void>(state_.release());
}

std::span<std::byte> MessageSender::try_reserve(std::size_t bytes) {
  progress();
  if (committed_ - freed_ == parts_limit) return {};
  return writer_.try_reserve(bytes);
}

void MessageSender::commit() {
  if (!writer_.has_reservation()) return writer_.commit();
  const std::span<std::byte> image = writer_.reserved_image();
  writer_.commit();
  EP_Request& request = state_->sends[committed_ % parts_limit];
  ++committed_;
  ep::check(EP_Isend(image.data(), words_of(image), MPI_UINT64_T, server_, tag_, comm_, &request));
}

void MessageSender::finish_sends() {
  while (sent_ < committed_ && test(state_->sends[sent_ % parts_limit])) ++sent_;
}

void MessageSender::take_credits() {
  while (true) {
    if (state_->credit_request == EP_REQUEST_NULL) {
      int flag = 0;
      EP_Message message = EP_MESSAGE_NULL;
      ep::check(EP_Improbe(server_, tag_ + 1, comm_, &flag, &message, EP_STATUS_IGNORE));
      if (flag == 0) return;
      ep::check(EP_Imrecv(&state_->credit, 1, MPI_UINT64_T, &message, &state_->credit_request));
    }
    if (!test(state_->credit_request)) return;
    if (state_->credit < credited_ || state_->credit > committed_) {
      throw ep::Error(
          EP_ERR_INTERN,
          fmt::format("the server reports {} released parts (it had reported {}, and {} "
                      "were sent). Do two channels use tag {}?",
                      state_->credit, credited_, committed_, tag_));
    }
    credited_ = state_->credit;
  }
}

void MessageSender::progress() {
  if (freed_ == committed_) return;
  finish_sends();
  take_credits();
  for (; freed_ < credited_ && freed_ < sent_; ++freed_) reader_.release();
}

bool MessageSender::is_drained() {
  progress();
  return freed_ == committed_;
}

struct MessageReceiver::State {
  std::shared_ptr<Memory> memory;  // shared by the message channels of a group
  EP_Request part_request = EP_REQUEST_NULL;
  std::array<EP_Request, parts_limit> credit_requests{};
  std::array<Word, parts_limit> credits{};
};

MessageReceiver::MessageReceiver(std::shared_ptr<Memory> memory, std::byte* ring, EP_Comm comm,
                                 int client, int tag)
    : state_(std::make_unique<State>()),
      writer_(ring),
      reader_(ring),
      comm_(comm),
      client_(client),
      tag_(tag) {
  state_->memory = std::move(memory);
}

MessageReceiver::~MessageReceiver() {
  bool pending = is_pending(state_->part_request);
  for (EP_Request& request : state_->credit_requests) pending = is_pending(request) || pending;
  if (pending) static_cast<void>(state_.release());
}

std::span<std::byte> MessageReceiver::front() {
  send_credit();
  receive_parts();
  return reader_.front();
}

void MessageReceiver::receive_parts() {
  // Room in the ring bounds this loop.
  while (match_part() && place_part() && finish_part()) {
  }
}

// Returns true if a part has arrived that is not yet complete in the ring.
bool MessageReceiver::match_part() {
  if (matched_ != EP_MESSAGE_NULL || state_->part_request != EP_REQUEST_NULL) return true;
  int flag = 0;
  EP_Status status;
  ep::check(EP_Improbe(client_, tag_, comm_, &flag, &matched_, &status));
  if (flag == 0) return false;
  int words = 0;
  ep::check(EP_Get_count(&status, MPI_UINT64_T, &words));
  matched_bytes_ = static_cast<std::size_t>(words) * sizeof(Word);
  return true;
}

// Returns true if that part has its place in the ring and is being received there.
bool MessageReceiver::place_part() {
  if (state_->part_request != EP_REQUEST_NULL) return true;
  if (matched_bytes_ < 2 * ring_alignment || matched_bytes_ % ring_alignment != 0 ||
      matched_bytes_ > ring_footprint(writer_.capacity())) {
    throw_alien(matched_bytes_);
  }
  // The last line may be longer than the largest part's; its size is not known yet.
  const std::size_t payload = std::min(matched_bytes_ - ring_alignment, writer_.capacity());
  if (writer_.try_reserve(payload).empty()) return false;
  const std::span<std::byte> image = writer_.reserved_image();
  ep::check(
      EP_Imrecv(image.data(), words_of(image), MPI_UINT64_T, &matched_, &state_->part_request));
  matched_ = EP_MESSAGE_NULL;
  return true;
}

bool MessageReceiver::finish_part() {
  if (!test(state_->part_request)) return false;
  const std::uint64_t bytes = part_bytes_in(writer_.reserved_image().data());
  if (bytes == 0 || bytes > writer_.capacity() || ring_footprint(bytes) != matched_bytes_) {
    throw_alien(bytes);
  }
  writer_.commit_as(bytes);
  return true;
}

void MessageReceiver::throw_alien(std::uint64_t bytes) const {
  throw ep::Error(EP_ERR_INTERN,
                  fmt::format("a part of {} bytes from client {} does not fit its channel (of {} "
                              "bytes). Do two channels use tag {}?",
                              bytes, client_, writer_.capacity(), tag_));
}

void MessageReceiver::release() {
  reader_.release();
  ++released_;
  send_credit();
}

bool MessageReceiver::acks_sent() {
  send_credit();
  return acked_ == released_;
}

/// Not sent while the request of a far earlier credit has not completed here, though its sender has
/// had it.
void MessageReceiver::send_credit() {
  if (acked_ == released_) return;
  EP_Request& request = state_->credit_requests[credits_sent_ % parts_limit];
  if (!test(request)) return;
  Word& credit = state_->credits[credits_sent_ % parts_limit];
  credit = released_;
  ep::check(EP_Isend(&credit, 1, MPI_UINT64_T, client_, tag_ + 1, comm_, &request));
  acked_ = released_;
  ++credits_sent_;
}

}  // namespace epios::io
