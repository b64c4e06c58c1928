// The same functions with counts beyond int.
#define EP_LARGE_COUNTS
#include "messages/api_p2p.cpp"  // NOLINT(bugprone-suspicious-include)
