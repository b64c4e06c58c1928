#include "fortran/fortran_array.hpp"

#include <cstring>
#include <vector>

namespace epios::client {
namespace {

/// A row of a section: its first value, how far its values are apart, and how many there are.
struct Row {
  std::byte* first;
  std::ptrdiff_t step;
  std::ptrdiff_t length;
};

/// Calls `use` with the rows along the first dimension, in order.
template <class Use>
void for_rows(const CFI_cdesc_t& array, const Use& use) {
  CFI_index_t place[CFI_MAX_RANK] = {};
  Row row{static_cast<std::byte*>(array.base_addr), array.dim[0].sm, array.dim[0].extent};
  while (true) {
    use(row);
    int d = 1;
    for (; d < array.rank; ++d) {
      row.first += array.dim[d].sm;
      if (++place[d] < array.dim[d].extent) break;
      row.first -= array.dim[d].extent * array.dim[d].sm;
      place[d] = 0;
    }
    if (d >= array.rank) return;
  }
}

/// Bits of a value, whatever its kind.
template <class Bits>
std::byte* gather_row(const Row& row, std::byte* to) {
  if (row.step == sizeof(Bits)) {
    std::memcpy(to, row.first, static_cast<std::size_t>(row.length) * sizeof(Bits));
  } else {
    for (std::ptrdiff_t i = 0; i < row.length; ++i) {
      std::memcpy(to + i * static_cast<std::ptrdiff_t>(sizeof(Bits)), row.first + i * row.step,
                  sizeof(Bits));
    }
  }
  return to + row.length * static_cast<std::ptrdiff_t>(sizeof(Bits));
}

template <class Bits>
const std::byte* scatter_row(const Row& row, const std::byte* from) {
  for (std::ptrdiff_t i = 0; i < row.length; ++i) {
    std::memcpy(row.first + i * row.step, from + i * static_cast<std::ptrdiff_t>(sizeof(Bits)),
                sizeof(Bits));
  }
  return from + row.length * static_cast<std::ptrdiff_t>(sizeof(Bits));
}

void gather(const CFI_cdesc_t& array, std::byte* to) {
  if (array.elem_len == sizeof(std::uint32_t)) {
    for_rows(array, [&](const Row& row) { to = gather_row<std::uint32_t>(row, to); });
  } else {
    for_rows(array, [&](const Row& row) { to = gather_row<std::uint64_t>(row, to); });
  }
}

}  // namespace

FortranArray::FortranArray(const CFI_cdesc_t& array) : array_(&array), data_(array.base_addr) {
  bool in_order = true;
  auto expected = static_cast<CFI_index_t>(array.elem_len);
  for (int d = 0; d < array.rank; ++d) {
    count_ *= static_cast<std::size_t>(array.dim[d].extent);
    in_order = in_order && (array.dim[d].extent <= 1 || array.dim[d].sm == expected);
    expected *= array.dim[d].extent;
  }
  if (in_order || count_ == 0) return;
  // Kept between sends: nothing is allocated in the time loop.
  thread_local std::vector<std::byte> copy;  // NOLINT(*-avoid-non-const-global-variables)
  copy.resize(count_ * array.elem_len);
  gather(array, copy.data());
  data_ = copy.data();
}

void FortranArray::put_back() const {
  if (data_ == array_->base_addr || count_ == 0) return;
  const auto* from = static_cast<const std::byte*>(data_);
  if (array_->elem_len == sizeof(std::uint32_t)) {
    for_rows(*array_, [&](const Row& row) { from = scatter_row<std::uint32_t>(row, from); });
  } else {
    for_rows(*array_, [&](const Row& row) { from = scatter_row<std::uint64_t>(row, from); });
  }
}

}  // namespace epios::client
