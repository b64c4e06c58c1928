// The same functions with counts beyond int.
#define EP_LARGE_COUNTS
#include "windows/api_rma.cpp"  // NOLINT(bugprone-suspicious-include)
