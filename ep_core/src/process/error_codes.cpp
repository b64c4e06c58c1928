#include "process/error_codes.hpp"

#include <ep/ep.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "process/error.hpp"

namespace ep {

namespace {

constexpr int first_added = EP_ERR_LASTCODE + 1;

/// A class that MPI does not have.
struct OwnClass {
  int code;
  const char* text;
};
constexpr std::array own_classes{
    OwnClass{EP_ERR_ENDPOINTS, "Endpoints cannot be created as asked"},
#ifndef MPI_ERR_SESSION
    OwnClass{EP_ERR_SESSION, "Invalid session handle"},
    OwnClass{EP_ERR_PROC_ABORTED, "Trying to communicate with aborted processes"},
    OwnClass{EP_ERR_VALUE_TOO_LARGE, "Value is too large to store"},
#endif
};

const OwnClass* own_class(int code) {
  const auto* const found = std::find_if(own_classes.begin(), own_classes.end(),
                                         [code](const OwnClass& own) { return own.code == code; });
  return found != own_classes.end() ? found : nullptr;
}

int known_class(int code) {
  int error_class = EP_ERR_UNKNOWN;
  const bool known =
      code >= 0 && code < EP_ERR_ENDPOINTS && MPI_Error_class(code, &error_class) == MPI_SUCCESS;
  if (!known) fail(EP_ERR_ARG, "error code ", code, " (nobody made it).");
  return error_class;
}

}  // namespace

bool ErrorCodes::is_added(int code) const {
  return code >= first_added && static_cast<std::size_t>(code - first_added) < added_.size();
}

int ErrorCodes::add(int error_class) {
  const int code = first_added + static_cast<int>(added_.size());
  added_.push_back({error_class < 0 ? code : error_class, ""});
  return code;
}

int ErrorCodes::add_class() {
  const std::lock_guard lock(mutex_);
  return add(-1);
}

int ErrorCodes::add_code(int error_class) {
  if (class_of(error_class) != error_class) {
    fail(EP_ERR_ARG, "error code ", error_class, " is not a class.");
  }
  const std::lock_guard lock(mutex_);
  return add(error_class);
}

void ErrorCodes::set_text(int code, const std::string& text) {
  const std::lock_guard lock(mutex_);
  if (!is_added(code)) {
    fail(EP_ERR_ARG, "error code ", code, " was not added (its text is fixed).");
  }
  added_[static_cast<std::size_t>(code - first_added)].text = text;
}

int ErrorCodes::class_of(int code) const {
  {
    const std::lock_guard lock(mutex_);
    if (is_added(code)) return added_[static_cast<std::size_t>(code - first_added)].error_class;
  }
  return own_class(code) != nullptr ? code : known_class(code);
}

std::string ErrorCodes::text_of(int code) const {
  {
    const std::lock_guard lock(mutex_);
    if (is_added(code)) return added_[static_cast<std::size_t>(code - first_added)].text;
  }
  if (const OwnClass* const own = own_class(code); own != nullptr) return own->text;
  static_cast<void>(known_class(code));
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  check_mpi(MPI_Error_string(code, text.data(), &length), "MPI_Error_string");
  return {text.data(), static_cast<std::size_t>(length)};
}

int ErrorCodes::last_used() const {
  const std::lock_guard lock(mutex_);
  return EP_ERR_LASTCODE + static_cast<int>(added_.size());
}

}  // namespace ep
