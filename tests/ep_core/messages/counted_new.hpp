#pragma once

#include <cstdint>

namespace ep::test {

/// Calls of operator new so far, of all threads, in a program that links counted_new.cpp (in a file
/// of its own, or compilers see through it).
std::int64_t allocations();

}  // namespace ep::test
