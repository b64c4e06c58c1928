// The part of a program built by epcc or epcxx that is in every copy of it: where it starts, and
// what of libc has one state per process and here has one per endpoint. Everything is hidden from
// other objects but ep_program.
#include <ep/program.h>
#include <err.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern int main(int, char**, char**);
extern void* __dso_handle;  // NOLINT: of the compiler

// NOLINTNEXTLINE(cppcoreguidelines-interfaces-global-init): an address
__attribute__((visibility("default"))) const struct ep_program ep_program = {main, &__dso_handle};

// Makes a shared object a program that runs by itself, too.
__attribute__((visibility("default"))) const char ep_interpreter[]
    __attribute__((section(".interp"))) = EP_INTERPRETER;

int ep_main(int argc, char** argv, char** environment) {
  return ep_program_run(&ep_program, argc, argv, environment);
}

// The end of an endpoint.

void exit(int status) { ep_program_exit(&ep_program, status, 1); }
void _exit(int status) { ep_program_exit(&ep_program, status, 0); }
void _Exit(int status) { ep_program_exit(&ep_program, status, 0); }

// Functions of libc that end in exit.

void verrx(int status, const char* format, va_list arguments) {
  vwarnx(format, arguments);
  exit(status);
}
void verr(int status, const char* format, va_list arguments) {
  vwarn(format, arguments);
  exit(status);
}
void errx(int status, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  verrx(status, format, arguments);
}
void err(int status, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  verr(status, format, arguments);
}

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): one per copy, as libc has one

// Random numbers. Seeds and sequences are libc's.

static struct random_data random_state;
static char random_table[128];

static struct random_data* seeded(void) {
  if (random_state.state == NULL) initstate_r(1, random_table, sizeof random_table, &random_state);
  return &random_state;
}

void srandom(unsigned seed) { srandom_r(seed, seeded()); }
long random(void) {
  int result = 0;
  random_r(seeded(), &result);
  return result;
}
char* initstate(unsigned seed, char* state, size_t size) {
  char* const before = (char*)seeded()->state;
  initstate_r(seed, state, size, &random_state);
  return before;
}
char* setstate(char* state) {
  char* const before = (char*)seeded()->state;
  setstate_r(state, &random_state);
  return before;
}
void srand(unsigned seed) { srandom(seed); }
int rand(void) { return (int)random(); }

static struct drand48_data drand48_state;

void srand48(long seed) { srand48_r(seed, &drand48_state); }
double drand48(void) {
  double result = 0;
  drand48_r(&drand48_state, &result);
  return result;
}
long lrand48(void) {
  long result = 0;
  lrand48_r(&drand48_state, &result);
  return result;
}
long mrand48(void) {
  long result = 0;
  mrand48_r(&drand48_state, &result);
  return result;
}

double erand48(unsigned short state[3]) {
  double result = 0;
  erand48_r(state, &drand48_state, &result);
  return result;
}
long nrand48(unsigned short state[3]) {
  long result = 0;
  nrand48_r(state, &drand48_state, &result);
  return result;
}
long jrand48(unsigned short state[3]) {
  long result = 0;
  jrand48_r(state, &drand48_state, &result);
  return result;
}
unsigned short* seed48(unsigned short seed[3]) {
  static unsigned short before[3];
  seed48_r(seed, &drand48_state);
  memcpy(before, drand48_state.__old_x, sizeof before);
  return before;
}
void lcong48(unsigned short parameters[7]) { lcong48_r(parameters, &drand48_state); }

// The position in a string.

static char* token;
char* strtok(char* text, const char* separators) { return strtok_r(text, separators, &token); }

// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)
