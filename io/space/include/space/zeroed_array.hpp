/// @file
/// Arrays of which most is never touched.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace epios::io {

/// Numbers that are 0 until one is written. A page takes memory from its first write on.
class ZeroedArray {
 public:
  explicit ZeroedArray(std::size_t size)
      : size_(size),
        values_(static_cast<double*>(std::calloc(size == 0 ? 1 : size, sizeof(double)))) {
    if (!values_) throw std::bad_alloc();
  }
  double* data() const { return values_.get(); }
  /// Returns the bytes that it takes if all is written.
  std::size_t bytes() const { return size_ * sizeof(double); }

 private:
  struct Free {
    void operator()(double* values) const { std::free(values); }
  };
  std::size_t size_;
  std::unique_ptr<double, Free> values_;
};

}  // namespace epios::io
