#include "handles/c_guard.hpp"

#include <string>

namespace epios::client {
namespace {

// Of the calling thread, as errno is.
thread_local std::string last_text;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

}  // namespace

const char* last_error() noexcept { return last_text.c_str(); }

int failed(ErrorCode code, const char* text) noexcept {
  try {
    last_text = text;
  } catch (...) {
    last_text.clear();
  }
  return static_cast<int>(code);
}

}  // namespace epios::client
