#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace ep {

/// Returns the number of a predefined datatype, the same in every process.
int basic_number(MPI_Datatype type);
const char* basic_name(int number);
/// Returns the datatype with this number, MPI_DATATYPE_NULL if there is none.
MPI_Datatype basic_type(int number);

/// The type signature on which two sides must agree: the sequence of predefined datatypes, as a
/// hash that does not depend on how the sequence was built.
struct SignatureHash {
  std::uint64_t value = 0;
  std::uint64_t weight = 1;  ///< factor for the hash of a preceding sequence
  std::int64_t elements = 0;
  int first = -1;  ///< number of the first predefined datatype, for messages
  bool packed = false;
};

SignatureHash joined(const SignatureHash& left, const SignatureHash& right);
SignatureHash repeated(const SignatureHash& once, std::int64_t times);

/// The sequence of predefined datatypes of a datatype, stored as it was built.
class Signature {
 public:
  /// Makes the signature of a predefined datatype.
  Signature(int basic, std::int64_t size);
  Signature() = default;

  void add(const std::shared_ptr<const Signature>& part, std::int64_t times);

  const SignatureHash& hash() const noexcept { return hash_; }
  std::int64_t bytes() const noexcept { return bytes_; }

  /// The signature of the first `bytes` bytes of `times` repetitions, of which `rest` bytes are
  /// part of the next element.
  struct Prefix {
    SignatureHash hash;
    std::int64_t rest = 0;
  };
  Prefix prefix(std::int64_t times, std::int64_t bytes) const;
  /// Returns the bytes of the first `elements` predefined datatypes of endless repetitions.
  std::int64_t bytes_of(std::int64_t elements) const;
  /// Calls visit(number, how many) for the predefined datatypes in their order.
  template <class Visit>
  void visit(Visit& each) const {
    if (repetitions_.empty() && bytes_ > 0) each(hash_.first, std::int64_t{1});
    for (const Repetition& repetition : repetitions_) {
      if (repetition.inner->repetitions_.empty()) {
        each(repetition.inner->hash_.first, repetition.times);
        continue;
      }
      for (std::int64_t i = 0; i < repetition.times; ++i) repetition.inner->visit(each);
    }
  }

 private:
  struct Repetition {
    std::shared_ptr<const Signature> inner;
    std::int64_t times;
  };

  std::vector<Repetition> repetitions_;  // none: predefined
  SignatureHash hash_;
  std::int64_t bytes_ = 0;
};

}  // namespace ep
