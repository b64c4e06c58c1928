#pragma once

#include "config/definitions.hpp"

namespace epios::client {

/// The calendar that dates of module xios are of: the current context's.
config::Definitions::ContextCalendar xios_calendar();

/// Six numbers, as Fortran has a date.
void put_date(const config::Date& date, int* out);

}  // namespace epios::client
