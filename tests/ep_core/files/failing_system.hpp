#pragma once

namespace ep::test {

// A program that links failing_system.cpp has system calls of its own in front of libc's: they
// fail, or move less than asked, when told to.

enum class SystemCall { open, write, read, fsync, close, truncate, last };

/// From call number `nth` of this process on, counted from now, `times` calls fail with `error`; an
/// error of 0 makes writes and reads move a few bytes only.
void fail_system_calls(SystemCall call, int nth, int times, int error);
void let_system_work();
/// Calls that failed, or were cut short, since then.
int system_failures();

}  // namespace ep::test
