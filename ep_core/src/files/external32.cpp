#include "files/external32.hpp"

#if defined(__x86_64__)
#include <tmmintrin.h>
#endif

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

// Sixteen bytes at a time, where the processor can put bytes of a register in any order.
#if defined(__x86_64__)
__attribute__((target("ssse3"))) std::int64_t copy_shuffled(const std::byte* from, std::byte* to,
                                                            std::int64_t bytes, int width) {
  std::array<char, 16> order{};
  for (int b = 0; b < 16; ++b) {
    order.at(static_cast<std::size_t>(b)) =
        static_cast<char>(b / width * width + width - 1 - b % width);
  }
  const __m128i shuffle = _mm_loadu_si128(reinterpret_cast<const __m128i*>(order.data()));
  std::int64_t done = 0;
  for (; done + 64 <= bytes; done += 64) {
    for (int part = 0; part < 64; part += 16) {
      const __m128i word = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + done + part));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to + done + part),
                       _mm_shuffle_epi8(word, shuffle));
    }
  }
  return done;
}

std::int64_t copy_wide(const std::byte* from, std::byte* to, std::int64_t bytes, int width) {
  static const bool can_shuffle = __builtin_cpu_supports("ssse3") != 0;
  return can_shuffle && width > 1 ? copy_shuffled(from, to, bytes, width) : 0;
}
#else
std::int64_t copy_wide(const std::byte*, std::byte*, std::int64_t, int) { return 0; }
#endif

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
  const std::int64_t wide = copy_wide(from, to, bytes, width);
  copy_swapped_by_words(from + wide, to + wide, bytes - wide, width);
}

void copy_swapped_by_words(const std::byte* from, std::byte* to, std::int64_t bytes, int width) {
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
  // Converts the bytes behind the last whole word, and values that need no byte swap.
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
