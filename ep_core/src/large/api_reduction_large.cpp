// Compiles these functions a second time, for counts that exceed an int.
#define EP_LARGE_COUNTS
#include "collectives/api_reduction.cpp"  // NOLINT(bugprone-suspicious-include)
