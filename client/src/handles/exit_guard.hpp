#pragma once

namespace epios::client {

/// From now on this process cannot end as if all were well, not even by _exit, _Exit or quick_exit,
/// which run no handlers of exit: it says `why` and fails. `why`: a literal; null: it may again.
/// (What ends by a signal, or by exec, is not seen.)
void guard_exit(const char* why) noexcept;

}  // namespace epios::client
