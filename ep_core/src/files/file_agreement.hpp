#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "handles/endpoint.hpp"

namespace ep {

/// What went wrong at one endpoint.
struct Problem {
  int code = EP_SUCCESS;
  std::string text;
  explicit operator bool() const noexcept { return code != EP_SUCCESS; }
};

/// Runs something that may throw.
Problem problem_of(const std::function<void()>& work);

/// What an endpoint brings to an agreement.
struct FileAgreement {
  Problem problem;
  /// Must be the same at all endpoints, else EP_ERR_NOT_SAME; `same_names` says what they are.
  std::array<std::int64_t, 3> same{};
  std::array<const char*, 3> same_names{};
  /// Done by the process of rank 0, after all its endpoints have come: whose first problem counts
  /// as one of rank 0. Not done if somebody there has a problem.
  std::function<void()> at_first;
  /// The same in every process.
  std::function<void()> at_each;
  /// In: of rank 0. Out: everybody has that. At most 64 bytes.
  std::string note;
  /// Out: that of the first endpoint of this process.
  std::shared_ptr<void> of_first_here;
};

/// Collective: everyone gives its own, and everyone goes on or throws the problem of the lowest
/// rank that has one.
void agree_on(Endpoint& endpoint, const char* what, FileAgreement& mine);

}  // namespace ep
