/// @file
/// A small partitioned global address space: images as in Fortran (or threads as in UPC), each an
/// endpoint with a thread of its own, and arrays whose elements any image reads, writes and
/// updates. All arrays live in one dynamic window, to which each image attaches its blocks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ep/ep.hpp>
#include <functional>
#include <span>
#include <stdexcept>
#include <vector>

namespace global_array {

/// MPI's name of the types that arrays have.
template <class T>
struct Datatype;
template <>
struct Datatype<double> {
  static MPI_Datatype value() { return MPI_DOUBLE; }
};
template <>
struct Datatype<std::int64_t> {
  static MPI_Datatype value() { return MPI_INT64_T; }
};

/// One of the images, in the thread that runs it. All members are for that thread.
class Image {
 public:
  /// Collective over all images: opens the window for the whole run.
  explicit Image(ep::Comm comm);
  Image(const Image&) = delete;
  Image(Image&&) = delete;
  Image& operator=(const Image&) = delete;
  Image& operator=(Image&&) = delete;
  /// Collective over all images, as end_run() does it.
  ~Image();

  int number() const { return comm_.rank(); }
  int count() const { return comm_.size(); }
  const ep::Comm& comm() const { return comm_; }
  EP_Win window() const { return window_; }

  /// What images wrote before is what images read afterwards. Collective.
  void sync_all();

 private:
  ep::Comm comm_;
  EP_Win window_ = EP_WIN_NULL;
};

/// Runs `program` as `images` images in each process, with a thread each. Collective over
/// processes. An exception of one image ends the job.
void run(const ep::Comm& processes, int images, const std::function<void(Image&)>& program);

/// `size` elements in blocks, one per image in order of images, as equal as they can be. Each
/// image has an object; element access is by any image, one-sided.
template <class T>
class GlobalArray {
 public:
  /// Elements are zero. Collective.
  GlobalArray(Image& image, std::int64_t size)
      : image_(image),
        size_(size),
        // Also of an empty array, so that every image has something to attach.
        block_(std::max<std::int64_t>(1, (size + image.count() - 1) / image.count())),
        own_(static_cast<std::size_t>(block_)),
        bases_(static_cast<std::size_t>(image.count())) {
    MPI_Aint base = 0;
    ep::check(EP_Win_attach(image.window(), own_.data(), bytes(block_)));
    ep::check(MPI_Get_address(own_.data(), &base));
    ep::check(EP_Allgather(&base, 1, MPI_AINT, bases_.data(), 1, MPI_AINT, image.comm().get()));
  }
  GlobalArray(const GlobalArray&) = delete;
  GlobalArray(GlobalArray&&) = delete;
  GlobalArray& operator=(const GlobalArray&) = delete;
  GlobalArray& operator=(GlobalArray&&) = delete;
  /// Collective: nobody uses the memory any more.
  ~GlobalArray() {
    EP_Barrier(image_.comm().get());
    EP_Win_detach(image_.window(), own_.data());
  }

  std::int64_t size() const { return size_; }
  /// First element of the calling image's block.
  std::int64_t first() const { return block_ * image_.number(); }
  /// The calling image's block.
  std::span<T> local() {
    const std::int64_t rest = std::max<std::int64_t>(0, size_ - first());
    return {own_.data(), static_cast<std::size_t>(std::min(block_, rest))};
  }

  T get(std::int64_t index) const {
    T value{};
    get(index, {&value, 1});
    return value;
  }
  /// Consecutive elements, of any images.
  void get(std::int64_t index, std::span<T> out) const {
    for_blocks(index, out, [&](std::span<T> part, int image, MPI_Aint at) {
      const auto count = static_cast<int>(part.size());
      ep::check(EP_Get(part.data(), count, type(), image, at, count, type(), image_.window()));
    });
    ep::check(EP_Win_flush_local_all(image_.window()));
  }
  void put(std::int64_t index, T value) { put(index, {&value, 1}); }
  void put(std::int64_t index, std::span<const T> values) {
    for_blocks(index, values, [&](std::span<const T> part, int image, MPI_Aint at) {
      const auto count = static_cast<int>(part.size());
      ep::check(EP_Put(part.data(), count, type(), image, at, count, type(), image_.window()));
    });
    ep::check(EP_Win_flush_local_all(image_.window()));
  }
  /// Adds to one element, atomically, and returns what it was.
  T fetch_add(std::int64_t index, T value) {
    T before{};
    for_blocks(index, std::span<const T>(&value, 1), [&](auto part, int image, MPI_Aint at) {
      const EP_Win window = image_.window();
      ep::check(EP_Fetch_and_op(part.data(), &before, type(), image, at, MPI_SUM, window));
      ep::check(EP_Win_flush(image, window));
    });
    return before;
  }

 private:
  static MPI_Datatype type() { return Datatype<T>::value(); }
  static MPI_Aint bytes(std::int64_t elements) {
    return static_cast<MPI_Aint>(elements) * static_cast<MPI_Aint>(sizeof(T));
  }
  template <class Values, class Access>
  void for_blocks(std::int64_t index, std::span<Values> values, Access&& access) const {
    if (index < 0 || index > size_ || values.size() > static_cast<std::size_t>(size_ - index)) {
      throw std::out_of_range("elements outside a global array");
    }
    while (!values.empty()) {
      const std::int64_t offset = index % block_;
      const auto count = std::min(values.size(), static_cast<std::size_t>(block_ - offset));
      const auto image = static_cast<std::size_t>(index / block_);
      access(values.first(count), static_cast<int>(image), bases_.at(image) + bytes(offset));
      values = values.subspan(count);
      index += static_cast<std::int64_t>(count);
    }
  }

  Image& image_;
  std::int64_t size_;
  std::int64_t block_;
  std::vector<T> own_;
  std::vector<MPI_Aint> bases_;  ///< of the blocks, where their images have them
};

}  // namespace global_array
