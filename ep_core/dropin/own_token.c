// The position of strtok, one per copy of the program.
#include <string.h>

#include "own_state.h"

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): what strtok is
static char* token;
EP_WEAK char* strtok(char* text, const char* separators) {
  return strtok_r(text, separators, &token);
}
