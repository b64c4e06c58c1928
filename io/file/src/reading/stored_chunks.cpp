#include "reading/stored_chunks.hpp"

#include <hdf5.h>

#include <cstring>
#include <utility>

namespace epios::io {

namespace {

std::optional<Number> number_of(hid_t type) {
  if (H5Tget_order(type) == H5T_ORDER_BE && H5Tget_size(type) > 1) return std::nullopt;
  const std::array<std::pair<hid_t, Number>, 10> known{{{H5T_NATIVE_INT8, Number::i8},
                                                        {H5T_NATIVE_UINT8, Number::u8},
                                                        {H5T_NATIVE_INT16, Number::i16},
                                                        {H5T_NATIVE_UINT16, Number::u16},
                                                        {H5T_NATIVE_INT32, Number::i32},
                                                        {H5T_NATIVE_UINT32, Number::u32},
                                                        {H5T_NATIVE_INT64, Number::i64},
                                                        {H5T_NATIVE_UINT64, Number::u64},
                                                        {H5T_NATIVE_FLOAT, Number::f32},
                                                        {H5T_NATIVE_DOUBLE, Number::f64}}};
  for (const auto& [native, number] : known) {
    if (H5Tequal(type, native) > 0) return number;
  }
  return std::nullopt;
}

/// Which filters there are; false for others than shuffle and deflate, or one that shuffles alone.
bool take_filters(hid_t creation, Stored& stored) {
  const int count = H5Pget_nfilters(creation);
  for (int f = 0; f < count; ++f) {
    unsigned flags = 0;
    std::size_t values = 0;
    const H5Z_filter_t filter = H5Pget_filter2(creation, static_cast<unsigned>(f), &flags, &values,
                                               nullptr, 0, nullptr, nullptr);
    if (filter == H5Z_FILTER_SHUFFLE && stored.shuffle < 0 && stored.deflate < 0) {
      stored.shuffle = f;
    } else if (filter == H5Z_FILTER_DEFLATE && stored.deflate < 0) {
      stored.deflate = f;
    } else {
      return false;
    }
  }
  return stored.deflate >= 0 || stored.shuffle < 0;
}

}  // namespace

std::string data_set_of(hid_t file, const std::string& variable) {
  const std::string other = "_nc4_non_coord_" + variable;
  return H5Lexists(file, other.c_str(), H5P_DEFAULT) > 0 ? other : variable;
}

std::optional<Stored> stored_of(hid_t file, const std::string& name) {
  Stored out;
  const std::string data_set = data_set_of(file, name);
  out.data_set = Hdf5Handle(H5Dopen2(file, data_set.c_str(), H5P_DEFAULT), H5Dclose);
  if (!out.data_set) return std::nullopt;
  const Hdf5Handle creation(H5Dget_create_plist(out.data_set.get()), H5Pclose);
  const Hdf5Handle space(H5Dget_space(out.data_set.get()), H5Sclose);
  const Hdf5Handle type(H5Dget_type(out.data_set.get()), H5Tclose);
  if (!creation || !space || !type) return std::nullopt;
  if (H5Pget_layout(creation.get()) != H5D_CHUNKED || !take_filters(creation.get(), out)) {
    return std::nullopt;
  }
  const auto number = number_of(type.get());
  const int rank = H5Sget_simple_extent_ndims(space.get());
  if (!number || rank < 1 || std::cmp_greater(rank, most_dimensions)) return std::nullopt;
  out.number = *number;
  out.value_bytes = H5Tget_size(type.get());
  std::vector<hsize_t> sizes(static_cast<std::size_t>(rank));
  if (H5Sget_simple_extent_dims(space.get(), sizes.data(), nullptr) != rank) return std::nullopt;
  out.shape.assign(sizes.begin(), sizes.end());
  if (H5Pget_chunk(creation.get(), rank, sizes.data()) != rank) return std::nullopt;
  out.chunk.assign(sizes.begin(), sizes.end());
  return out;
}

namespace {

template <class T>
void widen_from(const std::byte* from, double* to, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, from + static_cast<std::size_t>(i) * sizeof(T), sizeof(T));
    to[i] = static_cast<double>(value);
  }
}

using Widen = void (*)(const std::byte*, double*, std::int64_t);
Widen widen_of(Number number) {
  constexpr std::array<Widen, 10> all{widen_from<std::int8_t>,  widen_from<std::uint8_t>,
                                      widen_from<std::int16_t>, widen_from<std::uint16_t>,
                                      widen_from<std::int32_t>, widen_from<std::uint32_t>,
                                      widen_from<std::int64_t>, widen_from<std::uint64_t>,
                                      widen_from<float>,        widen_from<double>};
  return all.at(static_cast<std::size_t>(number));
}

}  // namespace

std::int64_t place_as_it_is(const Stored& stored, std::span<const Range> ranges, const Index& at) {
  if (stored.number != Number::f64) return -1;
  std::int64_t to = 0;
  bool is_split = false;  // slower dimensions have several values
  for (std::size_t d = 0; d < ranges.size(); ++d) {
    const Range& range = ranges[d];
    const std::int64_t length = stored.chunk[d];
    if (at[d] < range.begin || at[d] + length > range.begin + range.size) return -1;
    if (is_split && length != range.size) return -1;
    is_split = is_split || length > 1;
    to = to * range.size + at[d] - range.begin;
  }
  return to;
}

Runs runs_of(const Stored& stored, std::span<const Range> ranges, const Index& at) {
  Runs runs;
  runs.length = 1;
  runs.values = 1;
  runs.outer = ranges.size();
  bool is_one = true;
  for (std::size_t d = ranges.size(); d-- > 0;) {
    runs.begin[d] = std::max(at[d], ranges[d].begin);
    runs.size[d] =
        std::min(at[d] + stored.chunk[d], ranges[d].begin + ranges[d].size) - runs.begin[d];
    runs.values *= runs.size[d];
    if (!is_one) continue;
    runs.length *= runs.size[d];
    runs.outer = d;
    is_one = runs.size[d] == stored.chunk[d] && runs.size[d] == ranges[d].size;
  }
  return runs;
}

void place(const Stored& stored, std::span<const Range> ranges, const Index& at,
           const std::byte* values, double* out) {
  const Widen convert = widen_of(stored.number);
  const Runs runs = runs_of(stored, ranges, at);
  for_each_run(stored, ranges, at, runs, [&](std::int64_t from, std::int64_t to) {
    convert(values + static_cast<std::size_t>(from) * stored.value_bytes, out + to, runs.length);
    return true;
  });
}

}  // namespace epios::io
