// Compiles these functions a second time, for counts that exceed an int.
#define EP_LARGE_COUNTS
#include "windows/api_rma.cpp"  // NOLINT(bugprone-suspicious-include)
