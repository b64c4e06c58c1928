#pragma once

#include <epios/epios.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>

/// Common parts of the C names of XIOS (cxios_*). These functions cannot return an error; as in
/// `module xios`, an error ends the job with its text. Models declare the names themselves, and the
/// arguments are those that public callers declare: texts with their length, without a final 0,
/// padded with blanks when they come back; arrays with their extents; logicals as bool; structures
/// by value. If no caller declares a name, its arguments are those of the Fortran procedure with
/// that name, in that order and in the form of the other names, with none left out, followed by the
/// result. If that does not determine them, the name is missing, because a wrong guess is worse
/// than a name that does not link.

extern "C" {

/// A date and a duration of XIOS in C.
// NOLINTBEGIN(readability-identifier-naming): under the names that callers give them
struct cxios_date {
  int year, month, day, hour, minute, second;
};
struct cxios_duration {
  double year, month, day, hour, minute, second, timestep;
};
// NOLINTEND(readability-identifier-naming)

// Functions that module xios calls, too (client/src/fortran/xios_c_api.cpp, xios_dates.cpp).
int epios_xios_initialize(const char* code_id, const int* local_comm, int* return_comm,
                          const int* job_comm);
int epios_xios_init_server();
int epios_xios_finalize();
int epios_xios_context_initialize(const char* id, int comm);
int epios_xios_context_is_initialized(const char* id, int* is);
int epios_xios_current_context(epios_element* element);
int epios_xios_set_current_context_handle(epios_element element);
int epios_xios_at(const char* tag, const char* id, epios_element* element);
int epios_xios_element(intptr_t number, epios_element* element);
int epios_xios_handle(epios_element element, intptr_t* number);
int epios_xios_has(const char* tag, const char* id, int* found);
int epios_xios_check_shape(epios_element element, const char* attribute, int rank,
                           const int64_t* shape);
int epios_xios_solve_inheritance();
int epios_xios_close_definition();
int epios_xios_context_finalize();
int epios_xios_update_calendar(int64_t step);
int epios_xios_current_date(int* date);
int epios_xios_duration_text(const double duration[7], char* text, size_t capacity);
int epios_xios_duration_parse(const char* text, double* duration);
int epios_xios_date_text(const int date[6], char* text, size_t capacity);
int epios_xios_date_parse(const char* text, int* date);
int epios_xios_date_add(const int* date, const double* duration, int* sum);
int epios_xios_date_number(const int* date, int which, double* number);
int epios_xios_calendar_lengths(int year, int64_t* day_seconds, int64_t* year_seconds);
int epios_xios_variable_length(const char* id, int64_t* length);
int epios_xios_get_variable(const char* id, char* text, size_t capacity);
int epios_xios_get_variable_bool(const char* id, int* value);
int epios_xios_get_variable_int(const char* id, int64_t* value);
int epios_xios_get_variable_double(const char* id, double* value);
int epios_xios_set_variable(const char* id, const char* text);
int epios_xios_field_is_active_element(epios_element field, int now, int* active);
int epios_xios_timer(const char* name, int action, double* seconds);
int epios_xios_log_memory(const char* place, int finalize);
int epios_fortran_narrow_ints(const int64_t* wide, int64_t count, int* out);
int epios_fortran_narrow_reals(const double* wide, int64_t count, float* out);
void epios_xios_fail();

}  // extern "C"

// Two libraries contain this code, and neither exports it.
#pragma GCC visibility push(hidden)
namespace epios::cxios {

/// A model's handle to an element: a number in place of an address, 0 for none.
using Handle = void*;

/// Ends the job with the text of the error, unless the code is that of success.
void check(int code);

/// Returns the text without trailing blanks.
std::string text_of(const char* text, int length);
/// Returns the text that `get` writes into a buffer of the given size, padded with blanks. A text
/// that does not fit ends the job.
template <class Get>
void put_text(const Get& get, char* out, int size) {
  // Leaves room for the final 0, which the caller does not want.
  std::string text(static_cast<std::size_t>(std::max(size, 0)) + 1, '\0');
  check(get(text.data(), text.size()));
  text.resize(text.find('\0'));
  text.resize(static_cast<std::size_t>(std::max(size, 0)), ' ');
  std::copy(text.begin(), text.end(), out);
}

epios_element element_of(Handle handle);
Handle handle_of(const epios_element& element);
Handle handle_at(const char* tag, const char* id, int length);
bool has(const char* tag, const char* id, int length);
/// Adds a child. A negative length means no id; one is then made up.
Handle add_child(Handle parent, const char* tag, const char* id, int length);

bool is_defined(Handle handle, const char* attribute);
void set_text(Handle handle, const char* attribute, const char* text, int length);
void get_text(Handle handle, const char* attribute, char* text, int size);
/// Sets `extent` texts, each of `length` characters.
void set_texts(Handle handle, const char* attribute, const char* texts, int length, int extent);
void get_texts(Handle handle, const char* attribute, char* texts, int size, int extent);
void set(Handle handle, const char* attribute, bool value);
void set(Handle handle, const char* attribute, int value);
void set(Handle handle, const char* attribute, double value);
void set(Handle handle, const char* attribute, const cxios_duration& value);
void get(Handle handle, const char* attribute, bool* value);
void get(Handle handle, const char* attribute, int* value);
void get(Handle handle, const char* attribute, double* value);
void get(Handle handle, const char* attribute, cxios_duration* value);
/// `extents` has `rank` entries.
void set_array(Handle handle, const char* attribute, const bool* values, const int* extents,
               int rank);
void set_array(Handle handle, const char* attribute, const int* values, const int* extents,
               int rank);
void set_array(Handle handle, const char* attribute, const double* values, const int* extents,
               int rank);
void get_array(Handle handle, const char* attribute, bool* values, const int* extents, int rank);
void get_array(Handle handle, const char* attribute, int* values, const int* extents, int rank);
void get_array(Handle handle, const char* attribute, double* values, const int* extents, int rank);

/// A field of a context: of the current one by its id, of any other one by its handle.
struct Field {
  epios_context* context = nullptr;
  std::string id;
};
Field field_of(const char* id, int length);
Field field_of(Handle field);

/// Send and receive arrays of a field, first index fastest. A tile below 0 means none.
void send(const Field& field, const double* data, std::initializer_list<int> extents, int tile);
void send(const Field& field, const float* data, std::initializer_list<int> extents, int tile);
void receive(const Field& field, double* data, std::initializer_list<int> extents);
void receive(const Field& field, float* data, std::initializer_list<int> extents);

}  // namespace epios::cxios
#pragma GCC visibility pop
