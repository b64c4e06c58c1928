#include <ep/ep.h>

#include "files/api_file.hpp"
#include "files/file_tables.hpp"
#include "handles/api_arguments.hpp"
#include "messages/message_tables.hpp"
#include "process/error.hpp"
#include "process/process.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

namespace {

ErrorHandling& handling_of(EP_File file) {
  if (file == EP_FILE_NULL) return file_errors();
  return file_of(file).endpoint().place().errors;
}

}  // namespace

int ep::raise_file_error(EP_File file, int code) noexcept {
  const bool lives = file_arena().contains(file) && file->alive.load() == file_alive;
  if (!lives) {
    return file_errors().raise(code, generalized_point());
  }
  const Slot& place = file->endpoint().place();
  return place.errors.raise(code, place);
}

int EP_File_create_errhandler(EP_File_errhandler_function* function, EP_Errhandler* errhandler) {
  return guarded([&] {
    check_out(errhandler);
    *errhandler = make_errhandler(function);
  });
}

int EP_File_set_errhandler(EP_File file, EP_Errhandler errhandler) {
  const int code = guarded([&] { handling_of(file).set_handler(errhandler); });
  return code != EP_SUCCESS ? raise_file_error(file, code) : code;
}

int EP_File_get_errhandler(EP_File file, EP_Errhandler* errhandler) {
  const int code = guarded([&] {
    check_out(errhandler);
    *errhandler = handling_of(file).handler();
  });
  return code != EP_SUCCESS ? raise_file_error(file, code) : code;
}

int EP_File_call_errhandler(EP_File fh, int errorcode) {
  return guarded([&] {
    if (fh != EP_FILE_NULL) static_cast<void>(file_of(fh));
    set_last_error(error_codes().text_of(errorcode));
    raise_file_error(fh, errorcode);
  });
}
