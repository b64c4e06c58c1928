// The same functions with counts beyond int.
#define EP_LARGE_COUNTS
#include "topologies/api_neighbour.cpp"  // NOLINT(bugprone-suspicious-include)
