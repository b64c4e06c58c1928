#include "process/error_codes.hpp"

#include <ep/ep.h>

#include <array>
#include <cstddef>

#include "process/error.hpp"

namespace ep {

namespace {

constexpr int first_added = EP_ERR_LASTCODE + 1;

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
  return code == EP_ERR_ENDPOINTS ? EP_ERR_ENDPOINTS : known_class(code);
}

std::string ErrorCodes::text_of(int code) const {
  {
    const std::lock_guard lock(mutex_);
    if (is_added(code)) return added_[static_cast<std::size_t>(code - first_added)].text;
  }
  if (code == EP_ERR_ENDPOINTS) return "Endpoints cannot be created as asked";
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
