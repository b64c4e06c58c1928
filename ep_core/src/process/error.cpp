#include "process/error.hpp"

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace ep {

namespace {

std::string& last_error_slot() {
  thread_local std::string text;
  return text;
}

}  // namespace

void check_mpi(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  int error_class = MPI_ERR_OTHER;
  if (MPI_Error_string(code, text.data(), &length) != MPI_SUCCESS) length = 0;
  if (MPI_Error_class(code, &error_class) != MPI_SUCCESS) error_class = MPI_ERR_OTHER;
  fail(error_class, call, " failed (", std::string(text.data(), static_cast<std::size_t>(length)),
       ").");
}

void abort_job(int code) noexcept {
  constexpr std::chrono::milliseconds moment{200};
  std::fflush(stdout);
  std::this_thread::sleep_for(moment);
  MPI_Abort(MPI_COMM_WORLD, code);
  std::abort();
}

void set_last_error(const std::string& text) noexcept {
  try {
    last_error_slot() = text;
  } catch (const std::bad_alloc&) {
    last_error_slot().clear();
  }
}

const char* last_error() noexcept { return last_error_slot().c_str(); }

}  // namespace ep
