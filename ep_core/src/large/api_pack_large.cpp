// Compiles these functions a second time, for counts that exceed an int.
#define EP_LARGE_COUNTS
#include "messages/api_pack.cpp"  // NOLINT(bugprone-suspicious-include)
