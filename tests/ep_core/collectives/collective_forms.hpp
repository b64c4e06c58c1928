#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <ep/ep.hpp>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace ep::test {

/// The functions of one collective.
template <class Small, class Nonblocking, class Persistent, class Large, class LargeNonblocking,
          class LargePersistent>
struct Functions {
  Small blocking;
  Nonblocking immediate;
  Persistent persistent;
  Large large;
  LargeNonblocking large_immediate;
  LargePersistent large_persistent;
};
// clang 14 does not find it by itself.
template <class Small, class Nonblocking, class Persistent, class Large, class LargeNonblocking,
          class LargePersistent>
Functions(Small, Nonblocking, Persistent, Large, LargeNonblocking, LargePersistent)
    -> Functions<Small, Nonblocking, Persistent, Large, LargeNonblocking, LargePersistent>;

#define EP_FORMS(name, iname)                                                                  \
  ep::test::Functions {                                                                        \
    EP_##name, EP_##iname, EP_##name##_init, EP_##name##_c, EP_##iname##_c, EP_##name##_init_c \
  }

enum class Way { blocking, immediate, persistent, large, large_immediate, large_persistent };
inline auto all_ways() {
  return testing::Values(Way::blocking, Way::immediate, Way::persistent, Way::large,
                         Way::large_immediate, Way::large_persistent);
}

/// Calls a collective in one of its forms: blocking, begun and waited for, or made, started and
/// waited for; each with small counts and with large ones.
class Form {
 public:
  /// `blocks`: entries of arrays of counts and displacements, unless one for each rank of the group
  /// that the caller exchanges data with.
  explicit Form(Way way, int blocks = -1) : way_(way), blocks_(blocks) {}

  template <class All, class... Arguments>
  void operator()(const All& all, const Comm& comm, Arguments... arguments) const {
    switch (way_) {
      case Way::blocking:
        check(all.blocking(arguments..., comm.get()));
        break;
      case Way::immediate:
        complete([&](EP_Request* r) { return all.immediate(arguments..., comm.get(), r); });
        break;
      case Way::persistent:
        start([&](EP_Request* r) {
          return all.persistent(arguments..., comm.get(), MPI_INFO_NULL, r);
        });
        break;
      case Way::large:
        check(all.large(widened(comm, arguments, all.blocking)..., comm.get()));
        break;
      case Way::large_immediate: {
        const std::tuple wide(widened(comm, arguments, all.blocking)...);
        std::apply(
            [&](const auto&... w) {
              complete([&](EP_Request* r) { return all.large_immediate(w..., comm.get(), r); });
            },
            wide);
        break;
      }
      case Way::large_persistent: {
        const std::tuple wide(widened(comm, arguments, all.blocking)...);
        std::apply(
            [&](const auto&... w) {
              start([&](EP_Request* r) {
                return all.large_persistent(w..., comm.get(), MPI_INFO_NULL, r);
              });
            },
            wide);
        break;
      }
    }
  }

  /// Which has no counts.
  void barrier(const Comm& comm) const {
    if (way_ == Way::blocking || way_ == Way::large) {
      check(EP_Barrier(comm.get()));
    } else if (way_ == Way::persistent || way_ == Way::large_persistent) {
      start([&](EP_Request* r) { return EP_Barrier_init(comm.get(), MPI_INFO_NULL, r); });
    } else {
      complete([&](EP_Request* r) { return EP_Ibarrier(comm.get(), r); });
    }
  }

 private:
  /// An array of int, and the same as wide integers: whichever the function takes. (With some MPIs
  /// a datatype is an int, too.)
  class Either {
    struct None {
      explicit None(int /*value*/) {}
    };
    using Displacement = std::conditional_t<std::is_same_v<MPI_Aint, MPI_Count>, None, MPI_Aint>;

   public:
    Either(const int* own, int length)
        : own_(own), counts_(own, own + length), displacements_(own, own + length) {}
    // NOLINTNEXTLINE(google-explicit-constructor): an argument
    operator const MPI_Count*() const { return counts_.data(); }
    // MPIs have one type for both, or two of the same size.
    // NOLINTNEXTLINE(google-explicit-constructor)
    operator const Displacement*() const { return displacements_.data(); }
    // NOLINTNEXTLINE(google-explicit-constructor)
    operator const int*() const { return own_; }

   private:
    const int* own_;
    std::vector<MPI_Count> counts_;
    std::vector<Displacement> displacements_;
  };

  template <class Begin>
  static void complete(Begin&& begin) {
    EP_Request request = EP_REQUEST_NULL;
    check(begin(&request));
    check(EP_Wait(&request, EP_STATUS_IGNORE));
    EXPECT_EQ(request, EP_REQUEST_NULL);
  }
  template <class Make>
  static void start(Make&& make) {
    EP_Request request = EP_REQUEST_NULL;
    check(make(&request));
    check(EP_Start(&request));
    check(EP_Wait(&request, EP_STATUS_IGNORE));
    ASSERT_NE(request, EP_REQUEST_NULL);
    check(EP_Request_free(&request));
  }

  // Arrays of int are counts or displacements everywhere: no test's data are int.
  template <class Argument, class Function>
  auto widened(const Comm& comm, Argument argument, Function /*small*/) const {
    if constexpr (std::is_same_v<Argument, const int*> || std::is_same_v<Argument, int*>) {
      // Only the arrays of EP_Reduce_scatter are of the own group.
      const bool local = std::is_same_v<Function, decltype(&EP_Reduce_scatter)>;
      int length = blocks_;
      if (length < 0) length = comm.is_inter() && !local ? comm.remote_size() : comm.size();
      return Either(argument, length);
    } else {
      return argument;
    }
  }

  Way way_;
  int blocks_;
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
