#pragma once

#include <epios/calendar.h>

#include "config/definitions.hpp"

namespace epios::client {

// What <epios/calendar.h> asks of who keeps the contexts: the library, or the mock.
config::Definitions::ContextCalendar calendar_of(epios_context* context);
config::Date date_of(epios_context* context);

config::Duration duration_of(const epios_duration& duration);
epios_duration c_duration(const config::Duration& duration);
config::Date date_of(const epios_date& date);
epios_date c_date(const config::Date& date);

}  // namespace epios::client
