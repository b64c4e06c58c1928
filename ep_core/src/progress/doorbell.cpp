#include "progress/doorbell.hpp"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <climits>
#include <cmath>
#include <ctime>
#include <fstream>
#include <functional>
#include <new>
#include <string>
#include <utility>

namespace ep {

namespace {

constexpr std::size_t page_bytes = 4096;

std::uint64_t random_nonce() {
  std::uint64_t nonce = 0;
  if (getrandom(&nonce, sizeof nonce, GRND_NONBLOCK) != static_cast<ssize_t>(sizeof nonce)) {
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    nonce = static_cast<std::uint64_t>(now) ^ (static_cast<std::uint64_t>(getpid()) << 32U);
  }
  return nonce | 1U;  // a fresh page holds 0
}

std::uint64_t host_identity() {
  std::string text;
  if (std::ifstream boot("/proc/sys/kernel/random/boot_id"); boot) std::getline(boot, text);
  std::array<char, 64> pid_namespace{};
  const ssize_t length = readlink("/proc/self/ns/pid", pid_namespace.data(), pid_namespace.size());
  if (length > 0) text.append(pid_namespace.data(), static_cast<std::size_t>(length));
  return std::hash<std::string>()(text);
}

}  // namespace

void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected, double timeout_s,
                bool between_processes) noexcept {
  static_assert(sizeof word == sizeof(std::uint32_t));
  timespec timeout{};
  timeout.tv_sec = static_cast<time_t>(std::floor(timeout_s));
  timeout.tv_nsec = static_cast<long>((timeout_s - std::floor(timeout_s)) * 1e9);
  const int op = between_processes ? FUTEX_WAIT : FUTEX_WAIT_PRIVATE;
  // Every outcome (woken, value changed, timeout, signal) means: look again.
  static_cast<void>(
      syscall(SYS_futex, &word, op, expected, timeout_s > 0 ? &timeout : nullptr, nullptr, 0));
}

void futex_wake(std::atomic<std::uint32_t>& word, bool between_processes) noexcept {
  const int op = between_processes ? FUTEX_WAKE : FUTEX_WAKE_PRIVATE;
  static_cast<void>(syscall(SYS_futex, &word, op, INT_MAX, nullptr, nullptr, 0));
}

void full_fence() noexcept {
#ifdef __SANITIZE_THREAD__
  // ThreadSanitizer knows no fences; a read-modify-write of one word orders the same way.
  static std::atomic<std::uint32_t> word{0};
  word.fetch_add(1, std::memory_order_seq_cst);
#else
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

void ring(BellPage& page) noexcept {
  full_fence();
  if (page.poller_asleep.load(std::memory_order_seq_cst) == 0) return;
  page.bell.fetch_add(1, std::memory_order_seq_cst);
  futex_wake(page.bell, true);
}

void ring_everyone(BellPage& page) noexcept {
  full_fence();
  if (page.sleepers.load(std::memory_order_seq_cst) == 0) return;
  page.user_rings.fetch_add(1, std::memory_order_seq_cst);
  page.bell.fetch_add(1, std::memory_order_seq_cst);
  futex_wake(page.bell, true);
}

Doorbell::Doorbell() {
  descriptor_ = memfd_create("ep_doorbell", MFD_CLOEXEC);
  void* mapped = MAP_FAILED;
  if (descriptor_ >= 0 && ftruncate(descriptor_, page_bytes) == 0) {
    mapped = mmap(nullptr, page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
  }
  if (mapped == MAP_FAILED) {  // peers will poll instead of ringing
    mapped = mmap(nullptr, page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  }
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  page_ = static_cast<BellPage*>(mapped);
  page_->nonce = random_nonce();
}

Doorbell::~Doorbell() {
  munmap(page_, page_bytes);
  if (descriptor_ >= 0) close(descriptor_);
}

BellAddress Doorbell::address() const noexcept {
  return {host_identity(), getpid(), descriptor_, page_->nonce};
}

PeerBell::PeerBell(const BellAddress& address) noexcept {
  if (address.descriptor < 0 || address.host != host_identity()) return;
  const std::string path =
      "/proc/" + std::to_string(address.pid) + "/fd/" + std::to_string(address.descriptor);
  const int descriptor = open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return;
  // The process may have gone meanwhile: look at the size before touching memory, at the nonce
  // after.
  if (lseek(descriptor, 0, SEEK_END) == static_cast<off_t>(page_bytes)) {
    void* const mapped =
        mmap(nullptr, page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (mapped != MAP_FAILED) {
      page_ = static_cast<BellPage*>(mapped);
      if (page_->nonce != address.nonce) {
        munmap(mapped, page_bytes);
        page_ = nullptr;
      }
    }
  }
  close(descriptor);
}

PeerBell::PeerBell(PeerBell&& other) noexcept : page_(std::exchange(other.page_, nullptr)) {}

PeerBell& PeerBell::operator=(PeerBell&& other) noexcept {
  std::swap(page_, other.page_);
  return *this;
}

PeerBell::~PeerBell() {
  if (page_ != nullptr) munmap(page_, page_bytes);
}

}  // namespace ep
