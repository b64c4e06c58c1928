// Random numbers with one state per copy of the program. Seeds and sequences are libc's.
#include <stdlib.h>
#include <string.h>

#include "own_state.h"

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): one per copy, as libc has one

static struct random_data random_state;
static char random_table[128];

static struct random_data* seeded(void) {
  if (random_state.state == NULL) initstate_r(1, random_table, sizeof random_table, &random_state);
  return &random_state;
}
static long next_random(void) {
  int result = 0;
  random_r(seeded(), &result);
  return result;
}

EP_WEAK void srandom(unsigned seed) { srandom_r(seed, seeded()); }
EP_WEAK long random(void) { return next_random(); }
// The table in use, as a program gave it: its first word, before the state, says of which kind it
// is.
static char* table_in_use(void) { return (char*)(seeded()->state - 1); }
EP_WEAK char* initstate(unsigned seed, char* state, size_t size) {
  char* const before = table_in_use();
  return initstate_r(seed, state, size, &random_state) == 0 ? before : NULL;
}
EP_WEAK char* setstate(char* state) {
  char* const before = table_in_use();
  return setstate_r(state, &random_state) == 0 ? before : NULL;
}
EP_WEAK void srand(unsigned seed) { srandom_r(seed, seeded()); }
EP_WEAK int rand(void) { return (int)next_random(); }

static struct drand48_data drand48_state;

EP_WEAK void srand48(long seed) { srand48_r(seed, &drand48_state); }
EP_WEAK double drand48(void) {
  double result = 0;
  drand48_r(&drand48_state, &result);
  return result;
}
EP_WEAK long lrand48(void) {
  long result = 0;
  lrand48_r(&drand48_state, &result);
  return result;
}
EP_WEAK long mrand48(void) {
  long result = 0;
  mrand48_r(&drand48_state, &result);
  return result;
}

EP_WEAK double erand48(unsigned short state[3]) {
  double result = 0;
  erand48_r(state, &drand48_state, &result);
  return result;
}
EP_WEAK long nrand48(unsigned short state[3]) {
  long result = 0;
  nrand48_r(state, &drand48_state, &result);
  return result;
}
EP_WEAK long jrand48(unsigned short state[3]) {
  long result = 0;
  jrand48_r(state, &drand48_state, &result);
  return result;
}
EP_WEAK unsigned short* seed48(unsigned short seed[3]) {
  static unsigned short before[3];
  seed48_r(seed, &drand48_state);
  memcpy(before, drand48_state.__old_x, sizeof before);
  return before;
}
EP_WEAK void lcong48(unsigned short parameters[7]) { lcong48_r(parameters, &drand48_state); }

// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)
