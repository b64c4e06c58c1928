// The same functions with counts beyond int.
#define EP_LARGE_COUNTS
#include "messages/api_persistent.cpp"  // NOLINT(bugprone-suspicious-include)
