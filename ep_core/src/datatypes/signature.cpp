// Type signatures: the sequence of predefined datatypes in a message, as a hash that both ends can
// compare. It is a polynomial hash, so that repetitions and prefixes are cheap. In order: numbers
// of predefined types, joining and repeating hashes, and the stored sequence.
#include "datatypes/signature.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace ep {

namespace {

struct Basic {
  MPI_Datatype type;
  const char* name;
};

#define EP_BASIC(type) \
  Basic { type, #type }

// The order is what processes agree on. A function, as MPI's handles need not be constants.
const auto& basics() {
  static const std::array all{EP_BASIC(MPI_BYTE),
                              EP_BASIC(MPI_PACKED),
                              EP_BASIC(MPI_CHAR),
                              EP_BASIC(MPI_SIGNED_CHAR),
                              EP_BASIC(MPI_UNSIGNED_CHAR),
                              EP_BASIC(MPI_WCHAR),
                              EP_BASIC(MPI_SHORT),
                              EP_BASIC(MPI_UNSIGNED_SHORT),
                              EP_BASIC(MPI_INT),
                              EP_BASIC(MPI_UNSIGNED),
                              EP_BASIC(MPI_LONG),
                              EP_BASIC(MPI_UNSIGNED_LONG),
                              EP_BASIC(MPI_LONG_LONG),
                              EP_BASIC(MPI_UNSIGNED_LONG_LONG),
                              EP_BASIC(MPI_FLOAT),
                              EP_BASIC(MPI_DOUBLE),
                              EP_BASIC(MPI_LONG_DOUBLE),
                              EP_BASIC(MPI_C_BOOL),
                              EP_BASIC(MPI_INT8_T),
                              EP_BASIC(MPI_INT16_T),
                              EP_BASIC(MPI_INT32_T),
                              EP_BASIC(MPI_INT64_T),
                              EP_BASIC(MPI_UINT8_T),
                              EP_BASIC(MPI_UINT16_T),
                              EP_BASIC(MPI_UINT32_T),
                              EP_BASIC(MPI_UINT64_T),
                              EP_BASIC(MPI_C_FLOAT_COMPLEX),
                              EP_BASIC(MPI_C_DOUBLE_COMPLEX),
                              EP_BASIC(MPI_C_LONG_DOUBLE_COMPLEX),
                              EP_BASIC(MPI_AINT),
                              EP_BASIC(MPI_OFFSET),
                              EP_BASIC(MPI_COUNT),
                              EP_BASIC(MPI_INTEGER),
                              EP_BASIC(MPI_REAL),
                              EP_BASIC(MPI_DOUBLE_PRECISION),
                              EP_BASIC(MPI_COMPLEX),
                              EP_BASIC(MPI_DOUBLE_COMPLEX),
                              EP_BASIC(MPI_LOGICAL),
                              EP_BASIC(MPI_CHARACTER),
                              EP_BASIC(MPI_FLOAT_INT),
                              EP_BASIC(MPI_DOUBLE_INT),
                              EP_BASIC(MPI_LONG_INT),
                              EP_BASIC(MPI_SHORT_INT),
                              EP_BASIC(MPI_2INT),
                              EP_BASIC(MPI_LONG_DOUBLE_INT),
                              EP_BASIC(MPI_CXX_BOOL),
                              EP_BASIC(MPI_CXX_FLOAT_COMPLEX),
                              EP_BASIC(MPI_CXX_DOUBLE_COMPLEX),
                              EP_BASIC(MPI_CXX_LONG_DOUBLE_COMPLEX),
                              EP_BASIC(MPI_2INTEGER),
                              EP_BASIC(MPI_2REAL),
                              EP_BASIC(MPI_2DOUBLE_PRECISION),
                              EP_BASIC(MPI_INTEGER1),
                              EP_BASIC(MPI_INTEGER2),
                              EP_BASIC(MPI_INTEGER4),
                              EP_BASIC(MPI_INTEGER8),
                              EP_BASIC(MPI_REAL4),
                              EP_BASIC(MPI_REAL8),
                              EP_BASIC(MPI_COMPLEX8),
                              EP_BASIC(MPI_COMPLEX16)};
  return all;
}

#undef EP_BASIC

constexpr std::uint64_t base = 0x9E3779B97F4A7C15ULL | 1U;

}  // namespace

int basic_number(MPI_Datatype type) {
  const auto& all = basics();
  const auto found =
      std::find_if(all.begin(), all.end(), [type](const Basic& b) { return b.type == type; });
  return static_cast<int>(found - all.begin());
}

const char* basic_name(int number) {
  const auto& all = basics();
  const bool known = number >= 0 && static_cast<std::size_t>(number) < all.size();
  return known ? all[static_cast<std::size_t>(number)].name : "a predefined datatype";
}

MPI_Datatype basic_type(int number) {
  const auto& all = basics();
  const bool known = number >= 0 && static_cast<std::size_t>(number) < all.size();
  return known ? all[static_cast<std::size_t>(number)].type : MPI_DATATYPE_NULL;
}

SignatureHash joined(const SignatureHash& left, const SignatureHash& right) {
  return {left.value * right.weight + right.value, left.weight * right.weight,
          left.elements + right.elements, left.elements > 0 ? left.first : right.first,
          left.packed || right.packed};
}

SignatureHash repeated(const SignatureHash& once, std::int64_t times) {
  SignatureHash result;
  SignatureHash power = once;
  for (; times > 0; times /= 2) {
    if (times % 2 != 0) result = joined(result, power);
    power = joined(power, power);
  }
  return result;
}

Signature::Signature(int basic, std::int64_t size) : bytes_(size) {
  hash_ = {static_cast<std::uint64_t>(basic) + 1, base, 1, basic,
           basic == basic_number(MPI_PACKED)};
}

void Signature::add(const std::shared_ptr<const Signature>& part, std::int64_t times) {
  if (times == 0 || part->bytes() == 0) return;
  if (!repetitions_.empty() && repetitions_.back().inner == part) {
    repetitions_.back().times += times;
  } else {
    repetitions_.push_back({part, times});
  }
  hash_ = joined(hash_, repeated(part->hash(), times));
  bytes_ += times * part->bytes();
}

Signature::Prefix Signature::prefix(std::int64_t times, std::int64_t bytes) const {
  if (bytes_ == 0) return {};
  const std::int64_t whole = std::min(times, bytes / bytes_);
  Prefix result{repeated(hash_, whole), 0};
  std::int64_t left = bytes - whole * bytes_;
  if (whole == times) return result;
  for (const Repetition& repetition : repetitions_) {
    const std::int64_t here = std::min(left, repetition.times * repetition.inner->bytes());
    if (here == 0) break;
    const Prefix inner = repetition.inner->prefix(repetition.times, here);
    result.hash = joined(result.hash, inner.hash);
    result.rest = inner.rest;
    left -= here;
  }
  if (repetitions_.empty()) result.rest = left;
  return result;
}

std::int64_t Signature::bytes_of(std::int64_t elements) const {
  if (hash_.elements == 0) return 0;
  std::int64_t bytes = elements / hash_.elements * bytes_;
  std::int64_t left = elements % hash_.elements;
  for (const Repetition& repetition : repetitions_) {
    const std::int64_t here = std::min(left, repetition.times * repetition.inner->hash().elements);
    bytes += repetition.inner->bytes_of(here);
    left -= here;
  }
  return bytes;
}

}  // namespace ep
