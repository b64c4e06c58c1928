#include "handles/c_guard.hpp"

#include <string>

#include "config/failure_text.hpp"

namespace epios::client {
namespace {

// Of the calling thread, as errno is.
thread_local std::string last_text;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
thread_local bool last_is_echoed;    // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

}  // namespace

const char* last_error() noexcept { return last_text.c_str(); }

bool is_last_error_echoed() noexcept { return last_is_echoed; }

int failed(ErrorCode code, const char* text, bool is_echoed) noexcept {
  last_is_echoed = is_echoed;
  try {
    last_text = text;
  } catch (...) {
    last_text.clear();
  }
  return static_cast<int>(code);
}

int failed_for(const std::exception& error) noexcept {
  try {
    return failed(failure_code(error), failure_text(error).c_str());
  } catch (const std::exception&) {
    return failed(ErrorCode::resource, "out of memory (an allocation failed). Use more nodes?");
  }
}

}  // namespace epios::client
