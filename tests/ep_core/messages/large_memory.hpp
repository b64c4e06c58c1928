#pragma once

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

#include "layouts.hpp"

namespace ep::test {

inline constexpr std::int64_t block = std::int64_t{1} << 20;
inline constexpr int blocks = 2051;  // 3 MiB beyond 2 GiB
inline constexpr std::int64_t bytes = block * blocks;
static_assert(bytes > INT32_MAX);

/// Zeros, in huge pages where the system has them: on a virtual machine half a million faults of
/// small ones take half a minute. Between processes with memory at once: MPI copies five times
/// slower into and out of pages that are not.
class Zeros {
 public:
  explicit Zeros(std::int64_t size)
      : size_(static_cast<std::size_t>(size)),
        data_(mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    if (data_ == MAP_FAILED) throw std::bad_alloc();
    madvise(data_, size_, MADV_HUGEPAGE);  // or not: the test is the same
    if (processes() == 1) return;
    constexpr std::size_t page = 4096;
    for (std::size_t i = 0; i < size_; i += page) static_cast<volatile std::uint8_t*>(data_)[i] = 0;
  }
  Zeros(const Zeros&) = delete;
  Zeros(Zeros&&) = delete;
  Zeros& operator=(const Zeros&) = delete;
  Zeros& operator=(Zeros&&) = delete;
  ~Zeros() { munmap(data_, size_); }

  std::uint8_t* data() const { return static_cast<std::uint8_t*>(data_); }
  std::uint8_t& operator[](std::int64_t i) const { return data()[i]; }

 private:
  std::size_t size_;
  void* data_;
};

/// Both ends, around the bound of an int, and between.
inline std::vector<std::int64_t> samples() {
  std::vector<std::int64_t> out{0,
                                1,
                                bytes - 1,
                                (std::int64_t{1} << 31) - 1,
                                std::int64_t{1} << 31,
                                (std::int64_t{1} << 30),
                                block - 1,
                                bytes - block};
  for (std::int64_t i = 12'345; i < bytes; i += 97 * block + 11) out.push_back(i);
  return out;
}

inline std::uint8_t sample(std::int64_t at) { return static_cast<std::uint8_t>(1 + at % 251); }

inline void write_samples(const Zeros& data) {
  for (const std::int64_t i : samples()) data[i] = sample(i);
}

inline void expect_samples(const Zeros& data) {
  for (const std::int64_t i : samples()) ASSERT_EQ(data[i], sample(i)) << i;
  for (std::int64_t i = 55'555; i < bytes; i += 101 * block) ASSERT_EQ(data[i], 0) << i;
}

}  // namespace ep::test
