// The hash table of hsearch, one per copy of the program.
#include <search.h>
#include <stddef.h>

#include "own_state.h"

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): what hsearch is
static struct hsearch_data table;

EP_WEAK int hcreate(size_t size) { return hcreate_r(size, &table); }
EP_WEAK void hdestroy(void) { hdestroy_r(&table); }
EP_WEAK ENTRY* hsearch(ENTRY item, ACTION action) {
  ENTRY* found = NULL;
  hsearch_r(item, action, &found, &table);
  return found;
}
