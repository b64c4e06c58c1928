// The same functions with counts beyond int.
#define EP_LARGE_COUNTS
#include "messages/api_pack.cpp"  // NOLINT(bugprone-suspicious-include)
