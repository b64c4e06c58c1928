#pragma once

namespace ep {

/// Sets the hook of EP_Set_progress_hook: one function per process, which waiting threads call one
/// at a time. A null `function` removes the hook if `state` is that of the present one.
void set_progress_hook(void (*function)(void* state, int diagnostics), void* state) noexcept;
bool has_progress_hook() noexcept;
/// Calls the hook, unless another thread is in it or has just been, and passes it a pending
/// diagnostics request. The caller waits, holds no lock and may communicate.
void run_progress_hook();

}  // namespace ep
