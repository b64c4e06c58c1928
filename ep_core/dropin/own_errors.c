// Functions of libc that end in exit: here the end of an endpoint.
#include <err.h>
#include <stdarg.h>

#include "own_state.h"

_Noreturn static void leave(int status) { ep_program_exit(&ep_program, status, 1); }

EP_WEAK void verrx(int status, const char* format, va_list arguments) {
  vwarnx(format, arguments);
  leave(status);
}
EP_WEAK void verr(int status, const char* format, va_list arguments) {
  vwarn(format, arguments);
  leave(status);
}
EP_WEAK void errx(int status, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vwarnx(format, arguments);
  leave(status);
}
EP_WEAK void err(int status, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vwarn(format, arguments);
  leave(status);
}
