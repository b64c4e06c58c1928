#define FILE_CALL(name) EP_File_##name##_c
#define WAYS large_ways
#include "files/file_ways.cpp"  // NOLINT(bugprone-suspicious-include)
