#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "handles/endpoint.hpp"

namespace ep {

/// An error at one endpoint.
struct Problem {
  int code = EP_SUCCESS;
  std::string text;
  explicit operator bool() const noexcept { return code != EP_SUCCESS; }
};

/// Runs `work` and returns its exception as a problem.
Problem problem_of(const std::function<void()>& work);

/// The contribution of an endpoint to an agreement, and its result.
struct FileAgreement {
  Problem problem;
  /// Values that must be the same at all endpoints, else EP_ERR_NOT_SAME; `same_names` names them.
  std::array<std::int64_t, 3> same{};
  std::array<const char*, 3> same_names{};
  /// Runs in the process of rank 0 after all its endpoints have arrived; its error counts as one of
  /// rank 0. Does not run if an endpoint there has a problem.
  std::function<void()> at_first;
  /// Runs in every process, under the same conditions.
  std::function<void()> at_each;
  /// In: a text of rank 0. Out: the same text everywhere. At most 64 bytes.
  std::string note;
  /// Out: the object of the first endpoint of this process.
  std::shared_ptr<void> of_first_here;
};

/// Returns at every endpoint, or throws at all of them the problem of the lowest rank that has one.
/// Collective.
void agree_on(Endpoint& endpoint, const char* what, FileAgreement& mine);

}  // namespace ep
