#include "shm/joint_copy.hpp"

namespace ep {

void CopySide::unpin() noexcept {
  if (pins_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
}

namespace {
constexpr unsigned looks_per_proof = 256;
}  // namespace

bool JointCopy::read(int chunk) noexcept {
  const std::uint64_t begin = chunks_.begin(static_cast<std::uint64_t>(chunk));
  const std::uint64_t size = chunks_.size(static_cast<std::uint64_t>(chunk));
  return memory_.read(ends_.from + begin, ends_.into.subspan(begin, size));
}

void JointCopy::lose() noexcept {
  page_.lost.fetch_add(1, std::memory_order_relaxed);
  page_.done.fetch_add(1, std::memory_order_seq_cst);
}

bool JointCopy::read_next() noexcept {
  const int chunk = page_.take_front(turn_, chunks_.count());
  if (chunk == CopyPage::none) return false;
  if (read(chunk)) {
    page_.done.fetch_add(1, std::memory_order_seq_cst);
  } else {
    CopyPage::give(page_.unread, chunk);
    traffic_->ring(peer_);
  }
  return true;
}

bool JointCopy::read_what_is_given() noexcept {
  if (const int chunk = CopyPage::take_given(page_.unwritten, turn_); chunk != CopyPage::none) {
    if (read(chunk)) {
      page_.done.fetch_add(1, std::memory_order_seq_cst);
    } else {
      lose();
    }
    return true;
  }
  // A sender that takes no part in the copy does not take these chunks either.
  if (!page_.is_refused(turn_)) return false;
  if (CopyPage::take_given(page_.unread, turn_) == CopyPage::none) return false;
  lose();
  return true;
}

// Checks now and then whether the sender still exists. If it has ended, no one finishes the chunks
// that it had begun, and no one writes to them any more.
void JointCopy::look_for_sender() noexcept {
  if (idle_looks_.fetch_add(1, std::memory_order_relaxed) % looks_per_proof != 0) return;
  if (memory_.is_gone()) is_alone_.store(true, std::memory_order_seq_cst);
}

bool JointCopy::advance() {
  if (is_over()) return false;
  bool has_moved = false;
  readers_.fetch_add(1, std::memory_order_seq_cst);
  while (read_next() || read_what_is_given()) has_moved = true;
  const bool is_complete = page_.is_complete(chunks_.count());
  if (!has_moved && !is_complete) look_for_sender();
  const bool is_last = readers_.fetch_sub(1, std::memory_order_seq_cst) == 1;
  const bool is_alone = is_last && is_alone_.load(std::memory_order_seq_cst);
  if (!(is_complete || is_alone) || is_over_.exchange(true)) return has_moved;
  end(is_complete && page_.lost.load(std::memory_order_relaxed) == 0);
  return true;
}

bool JointHelp::write(int chunk) noexcept {
  const std::uint64_t begin = chunks_.begin(static_cast<std::uint64_t>(chunk));
  const std::uint64_t size = chunks_.size(static_cast<std::uint64_t>(chunk));
  return memory_.write(into_ + begin, body_.subspan(begin, size));
}

bool JointHelp::write_next() noexcept {
  const int chunk = page_.take_back(turn_, chunks_.count());
  if (chunk == CopyPage::none) return false;
  if (write(chunk)) {
    page_.done.fetch_add(1, std::memory_order_seq_cst);
  } else {
    CopyPage::give(page_.unwritten, chunk);
  }
  return true;
}

bool JointHelp::write_unread() noexcept {
  const int chunk = CopyPage::take_given(page_.unread, turn_);
  if (chunk == CopyPage::none) return false;
  if (!write(chunk)) page_.lost.fetch_add(1, std::memory_order_relaxed);
  page_.done.fetch_add(1, std::memory_order_seq_cst);
  return true;
}

// The receiver may sleep until it can end its side; from then on the page may belong to another
// copy. The receiver may also be busy, so the sender is free as soon as all chunks are copied.
bool JointHelp::advance() {
  if (is_over()) return false;
  bool has_moved = false;
  while (write_next() || write_unread()) has_moved = true;
  if (has_moved) traffic_->ring(peer_);
  const bool is_complete = page_.is_complete(chunks_.count());
  const bool is_ours = page_.is_at(turn_);  // also when `done` was read
  if (!is_complete && is_ours) return has_moved;
  if (!is_over_.exchange(true) && is_complete && is_ours) end();
  return true;
}

}  // namespace ep
