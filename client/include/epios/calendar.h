/// @file
/// Dates and durations of a context's calendar, for models that compute with them. Part of
/// <epios/epios.h>.
///
/// All functions are local, and may be called as soon as the type of the calendar is set. Dates are
/// those of the context's calendar: EPIOS_ERR_CONFIGURATION for one that it does not have (29
/// February of a year without one).
#ifndef EPIOS_CALENDAR_H
#define EPIOS_CALENDAR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct epios_context epios_context;

/// A length of time in the units of the XML, any of which may be 0, a fraction or negative: "1mo
/// -6h". Time steps are those of the context.
typedef struct epios_duration {
  double year, month, day, hour, minute, second, timestep;
} epios_duration;

/// Months and days count from 1.
typedef struct epios_date {
  int year, month, day, hour, minute, second;
} epios_date;

/// The date of the current step, before the definition is closed that of the start.
int epios_get_date(epios_context* context, epios_date* out);
/// Of a text as the XML has it: "2000-01-31", "2000-01-31 12:00:00", "2000-01-01 + 3d".
int epios_date_parse(epios_context* context, const char* text, epios_date* out);
/// "2000-01-31 12:00:00" in a calendar with months, with a final 0.
int epios_date_text(epios_context* context, epios_date date, char* text, size_t capacity);
/// `date` and `duration` later; months and years first, the day then at most the last of its month.
int epios_date_add(epios_context* context, epios_date date, epios_duration duration,
                   epios_date* out);
/// Seconds from one date to another, negative when `to` is the earlier one.
int epios_date_difference(epios_context* context, epios_date from, epios_date to, double* seconds);

/// "1d 6h" as the XML has it.
int epios_duration_parse(const char* text, epios_duration* out);
int epios_duration_text(epios_duration duration, char* text, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
