// <epios/calendar.h>, for the library and for the mock.

#include "handles/c_calendar.hpp"

#include "config/calendar.hpp"
#include "handles/c_arguments.hpp"
#include "handles/c_guard.hpp"

namespace config = epios::config;
using epios::client::c_date;
using epios::client::c_duration;
using epios::client::calendar_of;
using epios::client::copy_text;
using epios::client::date_of;
using epios::client::duration_of;
using epios::client::guarded;
using epios::client::target;
using epios::client::view_of;

config::Duration epios::client::duration_of(const epios_duration& d) {
  return {d.year, d.month, d.day, d.hour, d.minute, d.second, d.timestep};
}

epios_duration epios::client::c_duration(const config::Duration& d) {
  return {d.year, d.month, d.day, d.hour, d.minute, d.second, d.timestep};
}

config::Date epios::client::date_of(const epios_date& d) {
  return {d.year, d.month, d.day, d.hour, d.minute, d.second};
}

epios_date epios::client::c_date(const config::Date& d) {
  return {static_cast<int>(d.year), d.month, d.day, d.hour, d.minute, d.second};
}

extern "C" {

int epios_get_date(epios_context* context, epios_date* out) {
  return guarded([&] { target(out, "out") = c_date(date_of(context)); });
}

int epios_date_parse(epios_context* context, const char* text, epios_date* out) {
  return guarded([&] {
    const config::Calendar its = calendar_of(context).calendar;
    target(out, "out") = c_date(its.date(its.parse(view_of(text, "text"))));
  });
}

int epios_date_text(epios_context* context, epios_date date, char* text, size_t capacity) {
  return guarded([&] {
    const config::Calendar its = calendar_of(context).calendar;
    copy_text(its.text(its.instant(date_of(date))), text, capacity);
  });
}

int epios_date_add(epios_context* context, epios_date date, epios_duration duration,
                   epios_date* out) {
  return guarded([&] {
    const config::Calendar its = calendar_of(context).calendar;
    target(out, "out") =
        c_date(its.date(its.add(its.instant(date_of(date)), duration_of(duration))));
  });
}

int epios_date_difference(epios_context* context, epios_date from, epios_date to, double* seconds) {
  return guarded([&] {
    const config::Calendar its = calendar_of(context).calendar;
    target(seconds, "seconds") =
        config::seconds_between(its.instant(date_of(from)), its.instant(date_of(to)));
  });
}

int epios_duration_parse(const char* text, epios_duration* out) {
  return guarded(
      [&] { target(out, "out") = c_duration(config::Duration::parse(view_of(text, "text"))); });
}

int epios_duration_text(epios_duration duration, char* text, size_t capacity) {
  return guarded([&] { copy_text(duration_of(duration).text(), text, capacity); });
}

}  // extern "C"
