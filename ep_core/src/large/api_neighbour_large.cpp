// Compiles these functions a second time, for counts that exceed an int.
#define EP_LARGE_COUNTS
#include "topologies/api_neighbour.cpp"  // NOLINT(bugprone-suspicious-include)
