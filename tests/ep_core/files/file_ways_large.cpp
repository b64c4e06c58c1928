#define LARGE_WAYS
#include "files/file_ways.cpp"  // NOLINT(bugprone-suspicious-include)
