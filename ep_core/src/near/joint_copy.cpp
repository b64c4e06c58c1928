#include "near/joint_copy.hpp"

namespace ep {

void CopySide::unpin() noexcept {
  if (pins_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
}

bool JointCopy::read(int piece) noexcept {
  const std::uint64_t begin = pieces_.begin(static_cast<std::uint64_t>(piece));
  const std::uint64_t size = pieces_.size(static_cast<std::uint64_t>(piece));
  return memory_.read(ends_.from + begin, ends_.into.subspan(begin, size));
}

bool JointCopy::read_next() noexcept {
  const int piece = page_.take_front(turn_, pieces_.count());
  if (piece == CopyPage::none) return false;
  if (read(piece)) {
    page_.done.fetch_add(1, std::memory_order_seq_cst);
  } else {
    CopyPage::give(page_.unread, piece);
    way_->ring(peer_);
  }
  return true;
}

bool JointCopy::read_unwritten() noexcept {
  const int piece = CopyPage::take_given(page_.unwritten, turn_);
  if (piece == CopyPage::none) return false;
  if (!read(piece)) page_.lost.fetch_add(1, std::memory_order_relaxed);
  page_.done.fetch_add(1, std::memory_order_seq_cst);
  return true;
}

bool JointCopy::advance() {
  if (is_over()) return false;
  const bool has_moved = read_next() || read_unwritten();
  if (!page_.is_complete(pieces_.count()) || is_over_.exchange(true)) return has_moved;
  end(page_.lost.load(std::memory_order_relaxed) == 0);
  return true;
}

bool JointHelp::write(int piece) noexcept {
  const std::uint64_t begin = pieces_.begin(static_cast<std::uint64_t>(piece));
  const std::uint64_t size = pieces_.size(static_cast<std::uint64_t>(piece));
  return memory_.write(into_ + begin, body_.subspan(begin, size));
}

bool JointHelp::write_next() noexcept {
  const int piece = page_.take_back(turn_, pieces_.count());
  if (piece == CopyPage::none) return false;
  if (write(piece)) {
    page_.done.fetch_add(1, std::memory_order_seq_cst);
  } else {
    CopyPage::give(page_.unwritten, piece);
  }
  return true;
}

bool JointHelp::write_unread() noexcept {
  const int piece = CopyPage::take_given(page_.unread, turn_);
  if (piece == CopyPage::none) return false;
  if (!write(piece)) page_.lost.fetch_add(1, std::memory_order_relaxed);
  page_.done.fetch_add(1, std::memory_order_seq_cst);
  return true;
}

// The receiver ends the copy, and may sleep until then. From here on the page may be another's.
bool JointHelp::advance() {
  const bool has_moved = write_next() || write_unread();
  if (has_moved) way_->ring(peer_);
  if (!page_.is_at(turn_) || page_.is_complete(pieces_.count())) {
    is_over_.store(true, std::memory_order_release);
  }
  return has_moved;
}

}  // namespace ep
