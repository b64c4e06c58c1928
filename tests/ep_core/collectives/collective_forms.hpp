#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <ep/ep.hpp>
#include <utility>
#include <vector>

namespace ep::test {

/// Calls a collective in one of its forms: blocking, or begun and waited for.
class Form {
 public:
  explicit Form(bool immediate) : immediate_(immediate) {}

  template <class Blocking, class Immediate, class... Arguments>
  void operator()(Blocking blocking, Immediate immediate, const Comm& comm,
                  Arguments... arguments) const {
    if (!immediate_) {
      check(blocking(arguments..., comm.get()));
      return;
    }
    EP_Request request = EP_REQUEST_NULL;
    check(immediate(arguments..., comm.get(), &request));
    check(EP_Wait(&request, EP_STATUS_IGNORE));
  }

 private:
  bool immediate_;
};

/// Element `i` of what `from` has for `to`.
inline std::int64_t sample(int from, int to, int i) {
  return 1'000'000'000LL * from + 1'000'000LL * to + i;
}

inline std::vector<std::int64_t> samples(int from, int to, int count) {
  std::vector<std::int64_t> out;
  for (int i = 0; i < count; ++i) out.push_back(sample(from, to, i));
  return out;
}

inline std::size_t index(int i) { return static_cast<std::size_t>(i); }

}  // namespace ep::test
