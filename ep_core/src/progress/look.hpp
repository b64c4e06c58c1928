#pragma once

namespace ep {

/// What threads that wait call now and then (EP_Set_look): one function of a process, by one thread
/// at a time. Null: none any more, if `state` is that of the present one.
void set_look(void (*look)(void* state, int asked), void* state) noexcept;
bool has_look() noexcept;
/// Calls it, unless somebody does or has just done so. Takes the question of a SIGUSR1 along. By a
/// thread that waits, holds no lock and may communicate.
void let_look();

}  // namespace ep
