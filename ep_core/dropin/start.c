// The part of a program built by epcc or epcxx that is in every copy of it: where it starts and
// ends. Everything is hidden from other objects but ep_program.
#include <ep/program.h>
#include <stdlib.h>
#include <unistd.h>

#include "own_state.h"

extern int main(int, char**, char**);
extern void* __dso_handle;  // NOLINT: of the compiler

// NOLINTNEXTLINE(cppcoreguidelines-interfaces-global-init): an address
__attribute__((visibility("default"))) const struct ep_program ep_program = {main, &__dso_handle};

// Makes a shared object also an executable program.
__attribute__((visibility("default"))) const char ep_interpreter[]
    __attribute__((section(".interp"))) = EP_INTERPRETER;

int ep_main(int argc, char** argv, char** environment) {
  return ep_program_run(&ep_program, argc, argv, environment);
}

// The end of an endpoint.

EP_WEAK void exit(int status) { ep_program_exit(&ep_program, status, 1); }
EP_WEAK void _exit(int status) { ep_program_exit(&ep_program, status, 0); }
EP_WEAK void _Exit(int status) { ep_program_exit(&ep_program, status, 0); }
