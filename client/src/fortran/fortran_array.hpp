#pragma once

#include <ISO_Fortran_binding.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace epios::client {

/// The values of an array of Fortran one after the other, first index fastest: the array itself,
/// or, of a section with strides, a copy that lives until the thread's next one. Arrays of 4 or 8
/// bytes per value. Compilers order their descriptors differently: only what gfortran and flang
/// have at the same place is read, which leaves out type and attribute.
class FortranArray {
 public:
  explicit FortranArray(const CFI_cdesc_t& array);

  /// Calls `use` with the values as a span of their kind.
  template <class Use>
  void with_values(const Use& use) const {
    if (array_->elem_len == sizeof(float)) {
      use(std::span<float>(static_cast<float*>(data_), count_));
    } else {
      use(std::span<double>(static_cast<double*>(data_), count_));
    }
  }
  /// What was changed in a copy goes to the section.
  void put_back() const;

 private:
  const CFI_cdesc_t* array_;
  void* data_;
  std::size_t count_ = 1;
};

}  // namespace epios::client
