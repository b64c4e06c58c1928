/// @file
/// Signals that stop a run in order: a handler notes them, and contexts end at their next date.
#pragma once

#include <string>
#include <string_view>

namespace epios::io {

/// Catches the signals that variable stop_on_signal of context xios names, "TERM+USR2", from now
/// on: this process does not end of them any more. A handler that was there before is called, too.
/// Signals that are caught already stay so. Throws Error{resource}. Any thread.
void catch_stop_signals(std::string_view names);

/// Returns the first caught signal that this process has received, 0 before. Any thread; a load.
int stop_signal() noexcept;

/// Returns "SIGTERM".
std::string name_of_signal(int signal);

}  // namespace epios::io
