#include "outcome.hpp"

#include <ep/ep.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "image.hpp"

// A function of libgfortran, which exists only if the program links it: flushes the buffers of all
// units.
extern "C" void _gfortran_flush_i4(int* unit) __attribute__((weak));  // NOLINT

namespace ep::caf {

void say(const std::string& text) {
  std::fprintf(stderr, "%s\n", text.c_str());
  std::fflush(stderr);
}

void end_job(int code) {
  if (_gfortran_flush_i4 != nullptr) _gfortran_flush_i4(nullptr);
  std::fflush(nullptr);
  int has_begun = 0;
  if (EP_Initialized(&has_begun) == EP_SUCCESS && has_begun != 0) EP_Abort(EP_COMM_NULL, code);
  std::_Exit(code);
}

void report(const char* statement, const Outcome& outcome, Stat stat, const std::string& text) {
  const std::string whole = std::string(statement) + ": " + text;
  if (outcome.stat == nullptr) {
    say("ep_caf: image " + std::to_string(number_of_calling_image()) + ", " + whole);
    end_job(EXIT_FAILURE);
  }
  *outcome.stat = static_cast<int>(stat);
  if (outcome.errmsg != nullptr) {
    const std::size_t length = std::min(whole.size(), outcome.errmsg_length);
    std::memcpy(outcome.errmsg, whole.data(), length);
    std::memset(outcome.errmsg + length, ' ', outcome.errmsg_length - length);
  }
}

}  // namespace ep::caf
