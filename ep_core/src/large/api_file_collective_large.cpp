// Compiles these functions a second time, for counts that exceed an int.
#define EP_LARGE_COUNTS
#include "files/api_file_collective.cpp"  // NOLINT(bugprone-suspicious-include)
