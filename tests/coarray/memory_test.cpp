#include "memory.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <ep/ep.hpp>
#include <vector>

namespace ep::caf {
namespace {

// What is not there yet is no room that is taken: the next coarray would be given the same.
TEST(SharedMemory, HasAllItsPagesFromTheStart) {
  const Comm world = Comm::from_mpi(MPI_COMM_WORLD);
  constexpr std::size_t bytes = 3'000'000;
  SharedMemory memory = allocate_shared(world.get(), bytes);
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(memory.own) / page * page;
  const auto end = reinterpret_cast<std::uintptr_t>(memory.own) + bytes;
  std::vector<unsigned char> is_there((end - begin + page - 1) / page);
  ASSERT_EQ(mincore(reinterpret_cast<void*>(begin), end - begin, is_there.data()), 0);
  EXPECT_TRUE(std::all_of(is_there.begin(), is_there.end(),
                          [](unsigned char there) { return (there & 1) != 0; }));
  check(EP_Win_free(&memory.window));
}

}  // namespace
}  // namespace ep::caf
