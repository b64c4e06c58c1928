#include "near/near_peer.hpp"

#include <mpi.h>
#include <sys/uio.h>

#include <cstdlib>

#include "progress/progress.hpp"

namespace ep {

namespace {

bool is_not_zero(const char* name) noexcept {
  const char* const wish = std::getenv(name);
  return wish == nullptr || std::atoi(wish) != 0;
}

}  // namespace

bool near_is_wanted() noexcept {
  static const bool is_wanted = is_not_zero("EP_NEAR");
  return is_wanted;
}

bool NearPeer::send_at_once(const NearMessage& message) noexcept {
  return !has_queued() && inbox_.put(message);
}

bool NearPeer::send(const NearMessage& message, RawOwner& owner, NearKind kind) {
  // Answers may overtake: who waits for one waits for it alone.
  if (kind == NearKind::answer && inbox_.put(message, kind)) return true;
  if (send_at_once(message)) return true;
  const std::lock_guard lock(mutex_);
  if (queue_.empty()) {
    // What this thread queued before is gone.
    inbox_.ask_for_room();
    full_fence();
    if (inbox_.put(message)) return true;
  }
  queue_.push_back({message, &owner});
  queued_.fetch_add(1, std::memory_order_seq_cst);
  engine().note_queued(1);
  return false;
}

int NearPeer::push() noexcept {
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
  static const bool is_wanted = is_not_zero("EP_TEST_NEAR_READ");
  if (!is_wanted) return;
  process_ = process;
  std::uint64_t seen = 0;
  const bool is_right = read(address, std::as_writable_bytes(std::span(&seen, 1))) && seen == value;
  if (!is_right) process_ = 0;
}

bool PeerMemory::read(std::uint64_t address, std::span<std::byte> into) const noexcept {
  while (!into.empty()) {
    const iovec here{into.data(), into.size()};
    // NOLINTNEXTLINE: an address of another process
    const iovec there{reinterpret_cast<void*>(address), into.size()};
    const ssize_t got = process_vm_readv(static_cast<pid_t>(process_), &here, 1, &there, 1, 0);
    if (got <= 0) return false;
    into = into.subspan(static_cast<std::size_t>(got));
    address += static_cast<std::uint64_t>(got);
  }
  return true;
}

}  // namespace ep
