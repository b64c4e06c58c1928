// The same functions with counts beyond int.
#define EP_LARGE_COUNTS
#include "collectives/api_reduction.cpp"  // NOLINT(bugprone-suspicious-include)
