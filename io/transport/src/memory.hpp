/// @file
/// Memory for rings: private to a process, or a named segment that processes of a node share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace epios::io {

/// A file descriptor, closed with its owner.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) noexcept : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor();
  int get() const { return fd_; }

 private:
  int fd_;
};

/// A mapping that its last owner unmaps. All pages are present from the start, so that the first
/// write to a channel does not cost the model a page fault.
///
/// Ownership is shared: in one process the receiving group and the senders hold the same memory,
/// and either may end first.
class Memory : public std::enable_shared_from_this<Memory> {
 public:
  Memory(const Memory&) = delete;
  Memory(Memory&&) = delete;
  Memory& operator=(const Memory&) = delete;
  Memory& operator=(Memory&&) = delete;
  ~Memory();

  /// Returns zeroed memory of this process. Throws ep::Error if there is none.
  static std::shared_ptr<Memory> make_private(std::size_t bytes);
  /// Makes a zeroed segment with a unique name and reserves every byte of it. Removes segments of
  /// this project that killed jobs left behind. Throws ep::Error if the node's shared memory is
  /// full.
  static std::shared_ptr<Memory> make_segment(std::size_t bytes);
  /// Maps bytes [offset, offset + bytes) of a segment that another process of the node made;
  /// `offset` is a multiple of page_bytes(). Throws ep::Error if it is gone, has another size,
  /// belongs to another user, or could be opened by one.
  static std::shared_ptr<Memory> open_segment(const std::string& name, std::size_t segment_bytes,
                                              std::size_t offset, std::size_t bytes);

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }
  /// Returns the name, or "" for private memory.
  const std::string& segment_name() const { return name_; }
  /// Removes the segment's name; a second call does nothing. Mappings stay.
  void unlink() noexcept;

 private:
  Memory(std::byte* data, std::size_t size) : data_(data), size_(size) {}

  std::byte* data_;
  std::size_t size_;
  std::string name_;
  // Open and locked while the segment has its name: a name without a lock has no owner any more.
  Descriptor lock_;
};

std::size_t page_bytes();

/// Distinguishes this process from any other that lives or lived, on any node. Never changes.
struct ProcessToken {
  std::uint64_t random = 0;
  std::int64_t pid = 0;
  bool operator==(const ProcessToken&) const = default;
};
ProcessToken process_token();

}  // namespace epios::io
