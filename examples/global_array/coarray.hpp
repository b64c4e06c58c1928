/// @file
/// Coarrays: memory of one size on every image, of which any image reads and writes sections, as
/// Fortran's `u(i:j)[image]`. Each is a window of its own, in shared memory between images of a
/// node.
#pragma once

#include <algorithm>
#include <cstdint>
#include <ep/ep.hpp>
#include <span>
#include <vector>

#include "global_array.hpp"

namespace global_array {

/// Every `stride`-th element from `first` on.
struct Section {
  std::int64_t first = 0;
  std::int64_t stride = 1;
};

template <class T>
class Coarray {
 public:
  /// `size` elements on each image, all zero. Collective.
  Coarray(Image& image, std::int64_t size) : image_(image), size_(size) {
    void* memory = nullptr;
    ep::check(EP_Win_allocate(static_cast<MPI_Aint>(size) * static_cast<MPI_Aint>(sizeof(T)),
                              sizeof(T), MPI_INFO_NULL, image.comm().get(), &memory, &window_));
    own_ = static_cast<T*>(memory);
    std::fill_n(own_, size, T{});
    ep::check(EP_Win_lock_all(0, window_));
    ep::check(EP_Barrier(image.comm().get()));
  }
  Coarray(const Coarray&) = delete;
  Coarray(Coarray&&) = delete;
  Coarray& operator=(const Coarray&) = delete;
  Coarray& operator=(Coarray&&) = delete;
  /// Collective: nobody uses the memory any more.
  ~Coarray() {
    EP_Win_unlock_all(window_);
    EP_Win_free(&window_);
  }

  std::span<T> local() { return {own_, static_cast<std::size_t>(size_)}; }

  /// `u(section)[image] = values`: there after sync_images() of both.
  void put(int image, const Section& section, std::span<const T> values) {
    const Strided there(section, values.size());
    const auto count = static_cast<int>(values.size());
    ep::check(EP_Put(values.data(), count, Datatype<T>::value(), image, section.first, 1,
                     there.type, window_));
    ep::check(EP_Win_flush_local(image, window_));
  }
  /// `values = u(section)[image]`.
  void get(int image, const Section& section, std::span<T> values) {
    const Strided there(section, values.size());
    const auto count = static_cast<int>(values.size());
    ep::check(EP_Get(values.data(), count, Datatype<T>::value(), image, section.first, 1,
                     there.type, window_));
    ep::check(EP_Win_flush(image, window_));
  }

  /// What this image has put at `others`, and what these have put here, is there afterwards. Each
  /// of them calls it with this image among its own `others`.
  void sync_images(std::span<const int> others) {
    constexpr int tag = 1;
    std::vector<EP_Request> requests;
    for (const int other : others) {
      ep::check(EP_Win_flush(other, window_));
      requests.resize(requests.size() + 2, EP_REQUEST_NULL);
      EP_Request* const both = &requests[requests.size() - 2];
      const EP_Comm comm = image_.comm().get();
      ep::check(EP_Irecv(nullptr, 0, MPI_BYTE, other, tag, comm, &both[0]));
      ep::check(EP_Isend(nullptr, 0, MPI_BYTE, other, tag, comm, &both[1]));
    }
    ep::check(EP_Waitall(static_cast<int>(requests.size()), requests.data(), EP_STATUSES_IGNORE));
    ep::check(EP_Win_sync(window_));
  }

 private:
  /// The section's datatype at the image that has it.
  struct Strided {
    Strided(const Section& section, std::size_t count) {
      ep::check(MPI_Type_vector(static_cast<int>(count), 1, static_cast<int>(section.stride),
                                Datatype<T>::value(), &type));
      ep::check(MPI_Type_commit(&type));
    }
    Strided(const Strided&) = delete;
    Strided(Strided&&) = delete;
    Strided& operator=(const Strided&) = delete;
    Strided& operator=(Strided&&) = delete;
    ~Strided() { MPI_Type_free(&type); }
    MPI_Datatype type = MPI_DATATYPE_NULL;
  };

  Image& image_;
  std::int64_t size_;
  T* own_ = nullptr;
  EP_Win window_ = EP_WIN_NULL;
};

}  // namespace global_array
