#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace epios::io {

/// Calls work(thread, begin, end) for contiguous shares of [0, count), each on a thread of its own.
/// When all have ended, throws the first exception in the order of the shares.
template <class Work>
void in_shares(int threads, std::size_t count, const Work& work) {
  const std::size_t shares = static_cast<std::size_t>(std::max(1, threads));
  if (shares == 1 || count < shares) {
    work(std::size_t{0}, std::size_t{0}, count);
    return;
  }
  std::vector<std::exception_ptr> failures(shares);
  std::vector<std::jthread> others;
  const auto run = [&](std::size_t share) {
    try {
      work(share, count * share / shares, count * (share + 1) / shares);
    } catch (...) {
      failures[share] = std::current_exception();
    }
  };
  others.reserve(shares - 1);
  std::size_t given = 1;
  try {
    for (; given < shares; ++given) others.emplace_back(run, given);
  } catch (const std::system_error&) {
    // There are no more threads: this one does the rest.
  }
  run(0);
  for (; given < shares; ++given) run(given);
  others.clear();  // joins
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace epios::io
