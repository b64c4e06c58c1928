#pragma once

#include <cstddef>
#include <cstdint>

namespace ep {

/// The address by which a peer maps memory of this process.
struct PagesAddress {
  std::uint64_t host;  ///< boot and pid namespace: elsewhere it is not tried, since the pid means
                       ///< another process
  std::int64_t pid;
  std::int32_t descriptor;
  std::uint64_t nonce;
};

/// Memory that peers on the node may map: a file without a name that they open through /proc, so
/// that a killed process leaves nothing behind. It is zero but for its first word, a nonce that
/// proves to peers that they mapped the right file.
///
/// This is the one way in which the library finds out who shares memory: doorbells, inboxes and
/// shared windows are near if their pages could be mapped and hold the nonce, whatever nodes and
/// containers are called.
class SharedPages {
 public:
  enum class From {
    memory_file,  ///< as much as the node has
    dev_shm       ///< as much as /dev/shm has; a memory file if that makes no files
  };
  /// Makes memory for this process alone if the system makes no such files: no peer can map
  /// address() then.
  SharedPages(const char* name, std::size_t bytes, From from = From::memory_file);
  SharedPages(const SharedPages&) = delete;
  SharedPages(SharedPages&&) = delete;
  SharedPages& operator=(const SharedPages&) = delete;
  SharedPages& operator=(SharedPages&&) = delete;
  ~SharedPages();

  void* data() const noexcept { return data_; }
  PagesAddress address() const noexcept;
  /// Closes the descriptor, so that no further process can map the pages.
  void hide() noexcept;

 private:
  int descriptor_ = -1;
  std::size_t bytes_;
  void* data_ = nullptr;
};

/// The mapped pages of another process.
class PeerPages {
 public:
  PeerPages() noexcept = default;
  /// Stays empty if the address is not of this node, may not be opened, or has another size.
  PeerPages(const PagesAddress& address, std::size_t bytes) noexcept;
  PeerPages(const PeerPages&) = delete;
  PeerPages& operator=(const PeerPages&) = delete;
  PeerPages(PeerPages&& other) noexcept;
  PeerPages& operator=(PeerPages&& other) noexcept;
  ~PeerPages();

  explicit operator bool() const noexcept { return data_ != nullptr; }
  void* data() const noexcept { return data_; }

 private:
  std::size_t bytes_ = 0;
  void* data_ = nullptr;
};

}  // namespace ep
