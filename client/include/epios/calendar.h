/// @file
/// Dates and durations in the calendar of a context, for models that compute with them. Part of
/// <epios/epios.h>.
///
/// All functions are local and may be called as soon as the type of the calendar is set. They
/// return EPIOS_ERR_CONFIGURATION for a date that the calendar does not have, such as 29 February
/// in a year without one.
#ifndef EPIOS_CALENDAR_H
#define EPIOS_CALENDAR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct epios_context epios_context;

/// A length of time in the units of the XML. Each may be 0, a fraction or negative: "1mo -6h".
/// `timestep` counts time steps of the context.
typedef struct epios_duration {
  double year, month, day, hour, minute, second, timestep;
} epios_duration;

/// A date. Months and days count from 1.
typedef struct epios_date {
  int year, month, day, hour, minute, second;
} epios_date;

/// Gets the date of the current step, or the start date while the definition is open.
int epios_get_date(epios_context* context, epios_date* out);
/// Reads a date from text in XML syntax: "2000-01-31", "2000-01-31 12:00:00" or "2000-01-01 + 3d".
int epios_date_parse(epios_context* context, const char* text, epios_date* out);
/// Writes a date as "2000-01-31 12:00:00" (in a calendar with months), with a final 0, into `text`
/// of `capacity` bytes.
int epios_date_text(epios_context* context, epios_date date, char* text, size_t capacity);
/// Adds a duration to a date: years and months first, then the day is limited to the last one of
/// its month, then the rest.
int epios_date_add(epios_context* context, epios_date date, epios_duration duration,
                   epios_date* out);
/// Gets the number of seconds from one date to another; negative if `to` is earlier.
int epios_date_difference(epios_context* context, epios_date from, epios_date to, double* seconds);

/// Read and write a duration in XML syntax, such as "1d 6h".
int epios_duration_parse(const char* text, epios_duration* out);
int epios_duration_text(epios_duration duration, char* text, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
