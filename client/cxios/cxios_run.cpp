// The C names of XIOS that do not follow from the attribute table: the life of a run, its calendar,
// dates and durations, variables, timers.

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string>

#include "cxios.hpp"

namespace {

using epios::cxios::check;
using epios::cxios::element_of;
using epios::cxios::get_text;
using epios::cxios::Handle;
using epios::cxios::handle_of;
using epios::cxios::is_defined;
using epios::cxios::put_text;
using epios::cxios::set_text;
using epios::cxios::text_of;

int* parts(cxios_date& date) { return &date.year; }
const int* parts(const cxios_date& date) { return &date.year; }
double* parts(cxios_duration& duration) { return &duration.year; }
const double* parts(const cxios_duration& duration) { return &duration.year; }

// Requests to epios_xios_date_number.
enum DateNumber {
  seconds_since_origin,
  second_of_year,
  day_of_year,
  fraction_of_year,
  second_of_day,
  fraction_of_day
};

double number_of(const cxios_date& date, DateNumber which) {
  double number = 0;
  check(epios_xios_date_number(parts(date), which, &number));
  return number;
}

cxios_date parsed_date(const std::string& text) {
  cxios_date date{};
  check(epios_xios_date_parse(text.c_str(), parts(date)));
  return date;
}

void set_date(Handle calendar, const char* attribute, const cxios_date& date) {
  std::array<char, 64> text{};
  check(epios_xios_date_text(parts(date), text.data(), text.size()));
  set_text(calendar, attribute, text.data(), static_cast<int>(std::strlen(text.data())));
}

/// XIOS starts at this date if nobody sets one. The origin is the start of the run.
cxios_date date_of(Handle calendar, const char* attribute) {
  constexpr int room = 256;
  for (const char* const given : {attribute, "start_date"}) {
    if (!is_defined(calendar, given)) continue;
    std::array<char, room> text{};
    get_text(calendar, given, text.data(), room);
    return parsed_date(text_of(text.data(), room));
  }
  return {0, 1, 1, 0, 0, 0};
}

/// Returns 0 if equal, a negative number if `a` is before `b`, a positive one if it is after.
/// Compares unit by unit.
int order_of(const cxios_date& a, const cxios_date& b) {
  for (int part = 0; part < 6; ++part) {
    if (parts(a)[part] != parts(b)[part]) return parts(a)[part] < parts(b)[part] ? -1 : 1;
  }
  return 0;
}

cxios_duration scaled(const cxios_duration& duration, double factor) {
  cxios_duration out = duration;
  for (int part = 0; part < 7; ++part) parts(out)[part] *= factor;
  return out;
}

cxios_duration sum_of(const cxios_duration& a, const cxios_duration& b) {
  cxios_duration out = a;
  for (int part = 0; part < 7; ++part) parts(out)[part] += parts(b)[part];
  return out;
}

/// Compares unit by unit, because a month equals no number of days.
bool are_equal(const cxios_duration& a, const cxios_duration& b) {
  for (int part = 0; part < 7; ++part) {
    if (parts(a)[part] != parts(b)[part]) return false;
  }
  return true;
}

cxios_date later(const cxios_date& date, const cxios_duration& duration) {
  cxios_date out{};
  check(epios_xios_date_add(parts(date), parts(duration), parts(out)));
  return out;
}

/// Returns true if there is a variable with this id.
bool has_variable(const std::string& id) {
  std::int64_t length = -1;
  check(epios_xios_variable_length(id.c_str(), &length));
  return length >= 0;
}

/// Sets a variable if there is one with this id.
void set_variable(const char* id, int length, const std::string& value, bool* exists) {
  const std::string name = text_of(id, length);
  *exists = has_variable(name);
  if (*exists) check(epios_xios_set_variable(name.c_str(), value.c_str()));
}

/// Writes enough digits to read the same number back.
template <class Number>
std::string digits_of(Number value) {
  std::array<char, 64> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

enum TimerAction { resume = 1, suspend, reset };

void use_timer(const char* id, int length, TimerAction action) {
  double seconds = 0;
  check(epios_xios_timer(text_of(id, length).c_str(), action, &seconds));
}

}  // namespace

extern "C" {

// Life

void cxios_init_client(const char* client_id, int length, const int* local_comm, int* return_comm) {
  check(
      epios_xios_initialize(text_of(client_id, length).c_str(), local_comm, return_comm, nullptr));
}
void cxios_init_server() { check(epios_xios_init_server()); }
void cxios_finalize() { check(epios_xios_finalize()); }
// Does nothing: nothing here waits for the end of a coupler's definitions.
void cxios_oasis_enddef() {}
void cxios_context_initialize(const char* id, int length, const int* comm) {
  check(epios_xios_context_initialize(text_of(id, length).c_str(), *comm));
}
void cxios_context_is_initialized(const char* id, int length, bool* is) {
  int found = 0;
  check(epios_xios_context_is_initialized(text_of(id, length).c_str(), &found));
  *is = found != 0;
}
void cxios_context_get_current(Handle* context) {
  epios_element element{};
  check(epios_xios_current_context(&element));
  *context = handle_of(element);
}
void cxios_context_get_id(Handle context, char* id, int size) {
  const epios_element element = element_of(context);
  put_text([&](char* out, std::size_t room) { return epios_element_id(element, out, room); }, id,
           size);
}
// `withswap` is accepted and ignored, as in module xios.
void cxios_context_set_current(Handle context, bool /*withswap*/) {
  check(epios_xios_set_current_context_handle(element_of(context)));
}
void cxios_context_close_definition() { check(epios_xios_close_definition()); }
void cxios_context_finalize() { check(epios_xios_context_finalize()); }
void cxios_solve_inheritance() { check(epios_xios_solve_inheritance()); }

// Calendar

void cxios_get_current_calendar_wrapper(Handle* calendar) {
  *calendar = epios::cxios::handle_at("calendar", "", 0);
}
// Does nothing more: settings of the calendar take effect when they are made.
void cxios_create_calendar(Handle calendar) { static_cast<void>(element_of(calendar)); }
void cxios_update_calendar_timestep(Handle calendar) { static_cast<void>(element_of(calendar)); }
void cxios_set_calendar_wrapper_date_start_date(Handle calendar, cxios_date date) {
  set_date(calendar, "start_date", date);
}
void cxios_get_calendar_wrapper_date_start_date(Handle calendar, cxios_date* date) {
  *date = date_of(calendar, "start_date");
}
void cxios_set_calendar_wrapper_date_time_origin(Handle calendar, cxios_date date) {
  set_date(calendar, "time_origin", date);
}
void cxios_get_calendar_wrapper_date_time_origin(Handle calendar, cxios_date* date) {
  *date = date_of(calendar, "time_origin");
}
void cxios_update_calendar(int step) { check(epios_xios_update_calendar(step)); }
void cxios_get_current_date(cxios_date* date) { check(epios_xios_current_date(parts(*date))); }

// Dates

void cxios_date_convert_to_string(cxios_date date, char* text, int size) {
  put_text(
      [&](char* out, std::size_t room) { return epios_xios_date_text(parts(date), out, room); },
      text, size);
}
cxios_date cxios_date_convert_from_string(const char* text, int length) {
  return parsed_date(text_of(text, length));
}
long long cxios_date_convert_to_seconds(cxios_date date) {
  return std::llround(number_of(date, seconds_since_origin));
}
cxios_date cxios_date_add_duration(cxios_date date, cxios_duration duration) {
  return later(date, duration);
}
cxios_date cxios_date_sub_duration(cxios_date date, cxios_duration duration) {
  return later(date, scaled(duration, -1));
}
cxios_duration cxios_date_sub(cxios_date a, cxios_date b) {
  cxios_duration out{};
  out.second = number_of(a, seconds_since_origin) - number_of(b, seconds_since_origin);
  return out;
}
bool cxios_date_eq(cxios_date a, cxios_date b) { return order_of(a, b) == 0; }
bool cxios_date_neq(cxios_date a, cxios_date b) { return order_of(a, b) != 0; }
bool cxios_date_lt(cxios_date a, cxios_date b) { return order_of(a, b) < 0; }
bool cxios_date_le(cxios_date a, cxios_date b) { return order_of(a, b) <= 0; }
bool cxios_date_gt(cxios_date a, cxios_date b) { return order_of(a, b) > 0; }
bool cxios_date_ge(cxios_date a, cxios_date b) { return order_of(a, b) >= 0; }
int cxios_date_get_second_of_year(cxios_date date) {
  return static_cast<int>(number_of(date, second_of_year));
}
double cxios_date_get_day_of_year(cxios_date date) { return number_of(date, day_of_year); }
double cxios_date_get_fraction_of_year(cxios_date date) {
  return number_of(date, fraction_of_year);
}
int cxios_date_get_second_of_day(cxios_date date) {
  return static_cast<int>(number_of(date, second_of_day));
}
double cxios_date_get_fraction_of_day(cxios_date date) { return number_of(date, fraction_of_day); }

// Durations

void cxios_duration_convert_to_string(cxios_duration duration, char* text, int size) {
  put_text([&](char* out,
               std::size_t room) { return epios_xios_duration_text(parts(duration), out, room); },
           text, size);
}
cxios_duration cxios_duration_convert_from_string(const char* text, int length) {
  cxios_duration out{};
  check(epios_xios_duration_parse(text_of(text, length).c_str(), parts(out)));
  return out;
}
cxios_duration cxios_duration_add(cxios_duration a, cxios_duration b) { return sum_of(a, b); }
cxios_duration cxios_duration_sub(cxios_duration a, cxios_duration b) {
  return sum_of(a, scaled(b, -1));
}
cxios_duration cxios_duration_mult(double factor, cxios_duration duration) {
  return scaled(duration, factor);
}
cxios_duration cxios_duration_neg(cxios_duration duration) { return scaled(duration, -1); }
bool cxios_duration_eq(cxios_duration a, cxios_duration b) { return are_equal(a, b); }
bool cxios_duration_neq(cxios_duration a, cxios_duration b) { return !are_equal(a, b); }

// Variables. `exists` is true if there is one with that id.

void cxios_get_variable_data_k8(const char* id, int length, double* data, bool* exists) {
  const std::string name = text_of(id, length);
  *exists = has_variable(name);
  if (*exists) check(epios_xios_get_variable_double(name.c_str(), data));
}
void cxios_get_variable_data_k4(const char* id, int length, float* data, bool* exists) {
  double wide = 0;
  cxios_get_variable_data_k8(id, length, &wide, exists);
  if (*exists) check(epios_fortran_narrow_reals(&wide, 1, data));
}
void cxios_get_variable_data_int(const char* id, int length, int* data, bool* exists) {
  const std::string name = text_of(id, length);
  *exists = has_variable(name);
  if (!*exists) return;
  std::int64_t wide = 0;
  check(epios_xios_get_variable_int(name.c_str(), &wide));
  check(epios_fortran_narrow_ints(&wide, 1, data));
}
void cxios_get_variable_data_logic(const char* id, int length, bool* data, bool* exists) {
  const std::string name = text_of(id, length);
  *exists = has_variable(name);
  if (!*exists) return;
  int value = 0;
  check(epios_xios_get_variable_bool(name.c_str(), &value));
  *data = value != 0;
}
void cxios_get_variable_data_char(const char* id, int length, char* data, int size, bool* exists) {
  const std::string name = text_of(id, length);
  *exists = has_variable(name);
  if (!*exists) return;
  put_text(
      [&](char* out, std::size_t room) { return epios_xios_get_variable(name.c_str(), out, room); },
      data, size);
}
void cxios_set_variable_data_k8(const char* id, int length, double data, bool* exists) {
  set_variable(id, length, digits_of(data), exists);
}
void cxios_set_variable_data_k4(const char* id, int length, float data, bool* exists) {
  set_variable(id, length, digits_of(data), exists);
}
void cxios_set_variable_data_int(const char* id, int length, int data, bool* exists) {
  set_variable(id, length, digits_of(data), exists);
}
void cxios_set_variable_data_logic(const char* id, int length, bool data, bool* exists) {
  set_variable(id, length, data ? "true" : "false", exists);
}
void cxios_set_variable_data_char(const char* id, int length, const char* data, int size,
                                  bool* exists) {
  set_variable(id, length, text_of(data, size), exists);
}

// Questions and measurements

void cxios_field_is_active(Handle field, bool at_current_timestep, bool* active) {
  int is = 0;
  check(epios_xios_field_is_active_element(element_of(field), at_current_timestep ? 1 : 0, &is));
  *active = is != 0;
}
void cxios_timer_resume(const char* id, int length, bool /*trace*/) {
  use_timer(id, length, TimerAction::resume);
}
void cxios_timer_suspend(const char* id, int length, bool /*trace*/) {
  use_timer(id, length, TimerAction::suspend);
}
void cxios_timer_reset(const char* id, int length) { use_timer(id, length, TimerAction::reset); }
void cxios_mem_checker_log(const char* id, int length, bool finalize) {
  check(epios_xios_log_memory(text_of(id, length).c_str(), finalize ? 1 : 0));
}

}  // extern "C"
