#include <ep/ep.h>

#include <algorithm>
#include <string>

#include "cliques/errhandler.hpp"
#include "handles/api_arguments.hpp"
#include "handles/endpoint.hpp"
#include "process/error.hpp"
#include "process/process.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

const char* EP_Last_error(void) { return last_error(); }

int EP_Comm_create_errhandler(EP_Comm_errhandler_function* function, EP_Errhandler* errhandler) {
  return guarded([&] {
    check_out(errhandler);
    *errhandler = make_errhandler(function);
  });
}

int EP_Comm_set_errhandler(EP_Comm comm, EP_Errhandler errhandler) {
  return call_on(comm, [&] { endpoint_of(comm).place().errors.set_handler(errhandler); });
}

int EP_Comm_get_errhandler(EP_Comm comm, EP_Errhandler* errhandler) {
  return call_on(comm, [&] {
    check_out(errhandler);
    *errhandler = endpoint_of(comm).place().errors.handler();
  });
}

int EP_Errhandler_free(EP_Errhandler* errhandler) {
  return guarded([&] {
    check_out(errhandler);
    free_errhandler(*errhandler);
    *errhandler = EP_ERRHANDLER_NULL;
  });
}

int EP_Comm_call_errhandler(EP_Comm comm, int code) {
  return guarded([&] {
    const Endpoint& endpoint = endpoint_of(comm);
    set_last_error(error_codes().text_of(code));
    endpoint.place().errors.raise(code, endpoint.place());
  });
}

int EP_Error_class(int code, int* error_class) {
  return guarded([&] {
    check_out(error_class);
    *error_class = error_codes().class_of(code);
  });
}

int EP_Error_string(int code, char* string, int* length) {
  return guarded([&] {
    check_out(string);
    check_out(length);
    const std::string text = error_codes().text_of(code);
    string[text.copy(string, EP_MAX_ERROR_STRING - 1)] = '\0';
    *length = std::min(static_cast<int>(text.size()), EP_MAX_ERROR_STRING - 1);
  });
}

int EP_Add_error_class(int* error_class) {
  return guarded([&] {
    check_out(error_class);
    *error_class = error_codes().add_class();
  });
}

int EP_Add_error_code(int error_class, int* code) {
  return guarded([&] {
    check_out(code);
    *code = error_codes().add_code(error_class);
  });
}

int EP_Add_error_string(int code, const char* string) {
  return guarded([&] {
    check_out(string);
    error_codes().set_text(code, string);
  });
}
