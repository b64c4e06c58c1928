// The same functions with counts beyond int.
#define EP_LARGE_COUNTS
#include "files/api_file_collective.cpp"  // NOLINT(bugprone-suspicious-include)
