#include "shm/shm_peer.hpp"

#include <mpi.h>
#include <sys/uio.h>

#include <cerrno>
#include <cstdlib>

#include "progress/progress.hpp"

namespace ep {

namespace {

bool is_not_zero(const char* name) noexcept {
  const char* const value = std::getenv(name);
  return value == nullptr || std::atoi(value) != 0;
}

}  // namespace

bool shm_is_enabled() noexcept {
  static const bool is_wanted = is_not_zero("EP_SHM");
  return is_wanted;
}

bool ShmPeer::send_at_once(const ShmMessage& message) noexcept {
  return !has_queued() && inbox_.put(message);
}

bool ShmPeer::send(const ShmMessage& message, RawOwner& owner, ShmKind kind) {
  // An answer may overtake other messages, since its receiver waits for it alone.
  if (kind == ShmKind::answer && inbox_.put(message, kind)) return true;
  if (send_at_once(message)) return true;
  const std::lock_guard lock(mutex_);
  if (queue_.empty()) {
    // All messages that this thread has queued before have been sent.
    inbox_.ask_for_room();
    full_fence();
    if (inbox_.put(message)) return true;
  }
  queue_.push_back({message, &owner});
  queued_.fetch_add(1, std::memory_order_seq_cst);
  engine().note_queued(1);
  return false;
}

int ShmPeer::push() noexcept {
  int gone = 0;
  while (true) {
    RawOwner* owner = nullptr;
    {
      const std::lock_guard lock(mutex_);
      if (queue_.empty()) break;
      if (!inbox_.put(queue_.front().message)) {
        inbox_.ask_for_room();
        full_fence();
        if (!inbox_.put(queue_.front().message)) break;
      }
      owner = queue_.front().owner;
      queue_.pop_front();
      queued_.fetch_sub(1, std::memory_order_seq_cst);
    }
    engine().note_queued(-1);
    ++gone;
    owner->end_raw(MPI_SUCCESS);
  }
  return gone;
}

PeerMemory::PeerMemory(std::int64_t process, std::uint64_t address, std::uint64_t value) noexcept {
  static const bool is_wanted = is_not_zero("EP_TEST_SHM_READ");
  if (!is_wanted) return;
  process_ = process;
  std::uint64_t seen = 0;
  const bool is_right = read(address, std::as_writable_bytes(std::span(&seen, 1))) && seen == value;
  if (!is_right) process_ = 0;
}

namespace {
/// Repeats `step(address, bytes done so far)`, which moves some of the rest and returns how much.
template <class Step>
bool move_all(std::size_t bytes, Step&& step) noexcept {
  for (std::size_t done = 0; done < bytes;) {
    const ssize_t moved = step(done);
    if (moved <= 0) return false;
    done += static_cast<std::size_t>(moved);
  }
  return true;
}

iovec block(const void* begin, std::size_t bytes) noexcept {
  return {const_cast<void*>(begin), bytes};
}
iovec block(std::uint64_t address, std::size_t bytes) noexcept {
  return {reinterpret_cast<void*>(address), bytes};  // NOLINT: an address of another process
}
}  // namespace

bool PeerMemory::read(std::uint64_t address, std::span<std::byte> into) const noexcept {
  return move_all(into.size(), [&](std::size_t done) {
    const iovec here = block(into.data() + done, into.size() - done);
    const iovec there = block(address + done, into.size() - done);
    return process_vm_readv(static_cast<pid_t>(process_), &here, 1, &there, 1, 0);
  });
}

bool PeerMemory::write(std::uint64_t address, std::span<const std::byte> from) const noexcept {
  static const bool is_wanted = is_not_zero("EP_TEST_SHM_WRITE");
  if (!is_wanted || process_ <= 0) return false;
  return move_all(from.size(), [&](std::size_t done) {
    const iovec here = block(from.data() + done, from.size() - done);
    const iovec there = block(address + done, from.size() - done);
    return process_vm_writev(static_cast<pid_t>(process_), &here, 1, &there, 1, 0);
  });
}

// A process that has ended keeps its id until its parent has waited for it. Its memory goes at
// once, so the test is for the memory.
bool PeerMemory::is_gone() const noexcept {
  std::byte nothing{};
  const iovec here = block(&nothing, 1);
  const iovec there = block(std::uint64_t{0}, 1);
  return process_vm_readv(static_cast<pid_t>(process_), &here, 1, &there, 1, 0) < 0 &&
         errno == ESRCH;
}

}  // namespace ep
