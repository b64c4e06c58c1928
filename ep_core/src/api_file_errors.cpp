#include <ep/ep.h>

#include "api_arguments.hpp"
#include "api_file.hpp"
#include "error.hpp"
#include "process.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

namespace {

ErrorHandling& handling_of(EP_File file) {
  if (file == EP_FILE_NULL) return process().file_errors();
  return file_of(file).endpoint().place().errors;
}

}  // namespace

void ep::raise_file_error(EP_File file, int code) noexcept {
  const bool lives = process().files().contains(file) && file->alive.load() == file_alive;
  if (!lives) {
    process().file_errors().raise(code, process().generalized_point());
    return;
  }
  const Slot& place = file->endpoint().place();
  place.errors.raise(code, place);
}

int EP_File_create_errhandler(EP_File_errhandler_function* function, EP_Errhandler* errhandler) {
  return guarded([&] {
    check_out(errhandler);
    *errhandler = make_errhandler(function);
  });
}

int EP_File_set_errhandler(EP_File file, EP_Errhandler errhandler) {
  const int code = guarded([&] { handling_of(file).set_handler(errhandler); });
  if (code != EP_SUCCESS) raise_file_error(file, code);
  return code;
}

int EP_File_get_errhandler(EP_File file, EP_Errhandler* errhandler) {
  const int code = guarded([&] {
    check_out(errhandler);
    *errhandler = handling_of(file).handler();
  });
  if (code != EP_SUCCESS) raise_file_error(file, code);
  return code;
}

int EP_File_call_errhandler(EP_File fh, int errorcode) {
  return guarded([&] {
    if (fh != EP_FILE_NULL) static_cast<void>(file_of(fh));
    set_last_error(process().error_codes().text_of(errorcode));
    raise_file_error(fh, errorcode);
  });
}
