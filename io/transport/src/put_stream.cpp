// Writes parts into a ring on another process by one-sided puts. Data is put first, then flushed,
// then the position is announced; positions of the reader come back in the same way.
#include "put_stream.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "request_test.hpp"

namespace epios::io {
namespace {

using Word = std::uint64_t;

// Smaller ones go as accumulates, which keep their order: they need no flush.
constexpr std::size_t small_bytes = 4096;

// Later ones are told together with the next call.
constexpr std::uint64_t most_announcements = 16;

std::shared_ptr<Memory> make_ring(const RingLayout& layout) {
  auto memory = Memory::make_private(layout.memory_bytes());
  format_ring(memory->data(), layout);
  return memory;
}

}  // namespace

PositionTeller::~PositionTeller() {
  // The words have been copied; only the answers are still to come, which nobody needs.
  for (Telling& telling : tellings_) {
    if (telling.request != EP_REQUEST_NULL) static_cast<void>(EP_Request_free(&telling.request));
  }
}

bool PositionTeller::has_room() {
  while (answered_ < told_ && test(oldest().request)) ++answered_;
  return told_ - answered_ < tellings_.size();
}

void PositionTeller::tell(std::uint64_t address, std::span<const std::uint64_t> words) {
  Telling& telling = tellings_[told_ % tellings_.size()];
  std::copy(words.begin(), words.end(), telling.words.begin());
  const int count = static_cast<int>(words.size());
  ep::check(EP_Raccumulate(telling.words.data(), count, MPI_UINT64_T, target_,
                           static_cast<MPI_Aint>(address), count, MPI_UINT64_T, MPI_REPLACE, win_,
                           &telling.request));
  ++told_;
}

PutStream::PutStream(WindowState& window, const RingLayout& layout, int server, std::uint64_t ring)
    : window_(window),
      memory_(make_ring(layout)),
      writer_(memory_->data()),
      control_(reinterpret_cast<RingControl*>(memory_->data())),
      server_(server),
      ring_(ring),
      positions_(window_.get(), server, most_announcements) {
  window_.attach({memory_->data(), sizeof(RingControl)});
  const std::array<Word, 2> here{reinterpret_cast<std::uintptr_t>(memory_->data()), 0};
  static_assert(offsetof(RingControl, is_left) == offsetof(RingControl, mirror) + sizeof(Word));
  accumulate(ring_ + offsetof(RingControl, mirror), here.data(), here.size());
  window_.enlist(*this);
}

PutStream::~PutStream() {
  window_.withdraw(*this);
  if (!window_.try_detach(memory_->data())) keep_for_ever(std::move(memory_));
}

std::uint64_t PutStream::place_of(const std::byte* own) const {
  return ring_ + static_cast<std::uint64_t>(own - memory_->data());
}

bool PutStream::has_room() {
  progress();
  const std::uint64_t released = control_->released.load(std::memory_order_acquire);
  while (parts_freed_ < parts_made_ && ends_[parts_freed_ % window_parts_limit] <= released) {
    ++parts_freed_;
  }
  return parts_made_ - parts_freed_ < window_parts_limit;
}

void PutStream::accumulate(std::uint64_t address, const std::uint64_t* words, std::size_t count) {
  ep::check(EP_Accumulate(words, static_cast<int>(count), MPI_UINT64_T, server_,
                          static_cast<MPI_Aint>(address), static_cast<int>(count), MPI_UINT64_T,
                          MPI_REPLACE, window_.get()));
}

void PutStream::put(std::span<std::byte> bytes) {
  const auto words = static_cast<int>(bytes.size() / sizeof(Word));
  if (bytes.size() <= small_bytes) {
    accumulate(place_of(bytes.data()), reinterpret_cast<const Word*>(bytes.data()),
               static_cast<std::size_t>(words));
    return;
  }
  ep::check(EP_Rput(bytes.data(), words, MPI_UINT64_T, server_,
                    static_cast<MPI_Aint>(place_of(bytes.data())), words, MPI_UINT64_T,
                    window_.get(), &puts_[puts_made_ % window_parts_limit]));
  ++puts_made_;
  has_unflushed_ = true;
}

void PutStream::commit() {
  if (!writer_.has_reservation()) return writer_.commit();
  const std::span<std::byte> image = writer_.reserved_image();
  writer_.commit();
  committed_ = control_->written.load(std::memory_order_relaxed);
  ends_[parts_made_++ % window_parts_limit] = committed_;
  has_restarted_ = has_restarted_ || writer_.starts_over();
  if (!writer_.skip_mark().empty()) put(writer_.skip_mark());
  put(image);
  progress();
}

void PutStream::announce() {
  if (announced_ == committed_ || puts_left_ != puts_made_ || !positions_.has_room()) return;
  if (has_unflushed_) ep::check(EP_Win_flush(server_, window_.get()));
  has_unflushed_ = false;
  const std::array<Word, 3> words{control_->restart_from, control_->restart_to, committed_};
  static_assert(offsetof(RingControl, written) ==
                offsetof(RingControl, restart_from) + 2 * sizeof(Word));
  if (has_restarted_) {
    positions_.tell(ring_ + offsetof(RingControl, restart_from), words);
  } else {
    positions_.tell(ring_ + offsetof(RingControl, written), std::span(words).last(1));
  }
  has_restarted_ = false;
  announced_ = committed_;
}

void PutStream::progress() {
  while (puts_left_ < puts_made_ && test(puts_[puts_left_ % window_parts_limit])) ++puts_left_;
  announce();
}

bool PutStream::is_drained() {
  progress();
  return writer_.is_drained();
}

bool PutStream::end() {
  if (!is_drained()) return false;
  if (!said_end_) {
    if (!positions_.has_room()) return false;
    const Word yes = 1;
    positions_.tell(ring_ + offsetof(RingControl, is_left), std::span(&yes, 1));
    said_end_ = true;
  }
  return positions_.is_answered();
}

}  // namespace epios::io
