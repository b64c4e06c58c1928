#include "files/external32.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace ep {

namespace {

struct Known {
  MPI_Datatype type;
  int width;
};

// Eight bytes at a time whatever the width: a load, an instruction or three, a store.
template <class Turn>
void copy_words(const std::byte* from, std::byte* to, std::int64_t words, Turn turn) {
  for (std::int64_t i = 0; i < words; ++i) {
    std::uint64_t word = 0;
    std::memcpy(&word, from + 8 * i, sizeof word);
    word = turn(word);
    std::memcpy(to + 8 * i, &word, sizeof word);
  }
}

}  // namespace

int swapped_width(MPI_Datatype type) {
  if constexpr (std::endian::native != std::endian::little) return 0;
  static const std::array known{
      Known{MPI_DOUBLE, 8},   Known{MPI_FLOAT, 4},          Known{MPI_INT, 4},
      Known{MPI_INT64_T, 8},  Known{MPI_INT32_T, 4},        Known{MPI_SHORT, 2},
      Known{MPI_INT16_T, 2},  Known{MPI_BYTE, 1},           Known{MPI_CHAR, 1},
      Known{MPI_INT8_T, 1},   Known{MPI_UINT8_T, 1},        Known{MPI_SIGNED_CHAR, 1},
      Known{MPI_UINT64_T, 8}, Known{MPI_UINT32_T, 4},       Known{MPI_UINT16_T, 2},
      Known{MPI_UNSIGNED, 4}, Known{MPI_UNSIGNED_SHORT, 2}, Known{MPI_UNSIGNED_CHAR, 1},
      Known{MPI_LONG_LONG, 8}};
  const auto* const found =
      std::find_if(known.begin(), known.end(), [type](const Known& k) { return k.type == type; });
  return found == known.end() ? 0 : found->width;
}

void copy_swapped(const std::byte* from, std::byte* to, std::int64_t bytes, int width) {
  const std::int64_t words = width == 1 ? 0 : bytes / 8;
  if (width == 8) {
    copy_words(from, to, words, [](std::uint64_t word) { return __builtin_bswap64(word); });
  } else if (width == 4) {
    copy_words(from, to, words,
               [](std::uint64_t word) { return std::rotl(__builtin_bswap64(word), 32); });
  } else if (width == 2) {
    constexpr std::uint64_t low = 0x00ff00ff00ff00ff;
    copy_words(from, to, words,
               [](std::uint64_t word) { return ((word & low) << 8U) | ((word >> 8U) & low); });
  }
  // What is less than a word, or needs no turning.
  for (std::int64_t done = 8 * words; done < bytes;) {
    const std::int64_t count = width == 1 ? bytes - done : width;
    if (width == 1) {
      std::memcpy(to + done, from + done, static_cast<std::size_t>(count));
    } else {
      std::reverse_copy(from + done, from + done + count, to + done);
    }
    done += count;
  }
}

}  // namespace ep
