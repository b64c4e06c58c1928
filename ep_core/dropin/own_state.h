#ifndef EP_OWN_STATE_H
#define EP_OWN_STATE_H

// Functions of libc with one state per process, which have one per endpoint in programs built by
// epcc or epcxx. As with libc, a program may define functions or variables with the same names:
// ours are weak, their objects come from an archive that is linked after everything in the program
// (epcc), and none of them calls another one by a name that the program could define.

#include <ep/program.h>

#define EP_WEAK __attribute__((weak))

extern const struct ep_program ep_program;

#endif
