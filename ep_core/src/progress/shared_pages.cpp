#include "progress/shared_pages.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <new>
#include <string_view>
#include <utility>

namespace ep {

namespace {

std::uint64_t random_nonce() {
  std::uint64_t nonce = 0;
  if (getrandom(&nonce, sizeof nonce, GRND_NONBLOCK) != static_cast<ssize_t>(sizeof nonce)) {
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    nonce = static_cast<std::uint64_t>(now) ^ (static_cast<std::uint64_t>(getpid()) << 32U);
  }
  return nonce | 1U;  // a fresh page holds 0
}

/// Takes no memory of the heap, as its callers may not throw.
std::uint64_t host_identity() noexcept {
  constexpr std::size_t most = 64;
  std::array<char, 2 * most> text{};
  std::size_t size = 0;
  const int boot = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
  if (boot >= 0) {
    size = static_cast<std::size_t>(std::max<ssize_t>(0, read(boot, text.data(), most)));
    close(boot);
  }
  const ssize_t length = readlink("/proc/self/ns/pid", text.data() + size, most);
  if (length > 0) size += static_cast<std::size_t>(length);
  return std::hash<std::string_view>()({text.data(), size});
}

/// True if a file may have so many bytes. A larger one would end the process by a signal.
bool may_have(std::size_t bytes) noexcept {
  rlimit limit{};
  return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
         bytes <= limit.rlim_cur;
}

/// Returns a file without a name, or -1.
int make_file(const char* name, std::size_t bytes, SharedPages::From from) noexcept {
  if (!may_have(bytes)) return -1;
  int descriptor = -1;
  if (from == SharedPages::From::dev_shm) {
    descriptor = open("/dev/shm", O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
  }
  return descriptor >= 0 ? descriptor : memfd_create(name, MFD_CLOEXEC);
}

std::uint64_t nonce_of(const void* data) noexcept {
  std::uint64_t nonce = 0;
  std::memcpy(&nonce, data, sizeof nonce);
  return nonce;
}

}  // namespace

SharedPages::SharedPages(const char* name, std::size_t bytes, From from) : bytes_(bytes) {
  descriptor_ = make_file(name, bytes, from);
  void* mapped = MAP_FAILED;
  // Memory without a name is born with mode 0777.
  if (descriptor_ >= 0 && fchmod(descriptor_, S_IRUSR | S_IWUSR) == 0 &&
      ftruncate(descriptor_, static_cast<off_t>(bytes)) == 0) {
    mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
  }
  if (mapped == MAP_FAILED) {
    if (descriptor_ >= 0) close(std::exchange(descriptor_, -1));
    mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  }
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  data_ = mapped;
  const std::uint64_t nonce = random_nonce();
  std::memcpy(data_, &nonce, sizeof nonce);
}

SharedPages::~SharedPages() {
  munmap(data_, bytes_);
  hide();
}

void SharedPages::hide() noexcept {
  if (descriptor_ >= 0) close(std::exchange(descriptor_, -1));
}

PagesAddress SharedPages::address() const noexcept {
  return {host_identity(), getpid(), descriptor_, nonce_of(data_)};
}

PeerPages::PeerPages(const PagesAddress& address, std::size_t bytes) noexcept : bytes_(bytes) {
  if (address.descriptor < 0 || address.host != host_identity()) return;
  std::array<char, 64> path{};
  std::snprintf(path.data(), path.size(), "/proc/%lld/fd/%lld", static_cast<long long>(address.pid),
                static_cast<long long>(address.descriptor));
  const int descriptor = open(path.data(), O_RDWR | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return;
  // The process may have ended meanwhile and its number may be that of any other, so owner and size
  // are checked before the memory is touched, and the nonce afterwards.
  struct stat about {};
  if (fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == geteuid() &&
      about.st_size == static_cast<off_t>(bytes)) {
    void* const mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (mapped != MAP_FAILED && nonce_of(mapped) == address.nonce) {
      data_ = mapped;
    } else if (mapped != MAP_FAILED) {
      munmap(mapped, bytes);
    }
  }
  close(descriptor);
}

PeerPages::PeerPages(PeerPages&& other) noexcept
    : bytes_(other.bytes_), data_(std::exchange(other.data_, nullptr)) {}

PeerPages& PeerPages::operator=(PeerPages&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  std::swap(data_, other.data_);
  return *this;
}

PeerPages::~PeerPages() {
  if (data_ != nullptr) munmap(data_, bytes_);
}

}  // namespace ep
