#ifndef EP_OWN_STATE_H
#define EP_OWN_STATE_H

// What of libc has one state per process, and in programs built by epcc or epcxx one per endpoint.
// A program may have a function or variable of the same name, as it may with libc: ours are weak,
// their objects come from an archive behind all that the program brings (epcc), and none of them
// calls another by a name that the program could have taken.

#include <ep/program.h>

#define EP_WEAK __attribute__((weak))

extern const struct ep_program ep_program;

#endif
