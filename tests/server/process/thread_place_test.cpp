#include "process/thread_place.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>

#include <array>
#include <string>
#include <thread>
#include <vector>

namespace epios::server::thread_place_test {
namespace {

ThreadPlace place(const Processors& own, const std::vector<Processors>& threads,
                  const std::vector<Processors>& cores = {}) {
  return place_beside(own, threads, cores);
}

TEST(ThreadPlace, IsTheWholeProcessWhereNobodyIsBound) {
  EXPECT_EQ(place({0, 1, 2, 3}, {}), (ThreadPlace{{0, 1, 2, 3}, false, 0}));
  EXPECT_EQ(place({0, 1}, {{0, 1}, {0, 1, 2, 3}}), (ThreadPlace{{0, 1}, false, 0}));
  // A process that a launcher has bound to one processor.
  EXPECT_EQ(place({5}, {{5}, {5}}), (ThreadPlace{{5}, false, 0}));
}

TEST(ThreadPlace, IsWhereNoThreadOfAModelIsBound) {
  EXPECT_EQ(place({0, 1, 2, 3}, {{0}, {1}, {2}}), (ThreadPlace{{3}, true, 3}));
  EXPECT_EQ(place({0, 1, 2, 3}, {{0}, {0, 1, 2, 3}}), (ThreadPlace{{1, 2, 3}, true, 1}));
  EXPECT_EQ(place({0, 1, 2, 3}, {{0, 1}}), (ThreadPlace{{2, 3}, true, 1}));
}

TEST(ThreadPlace, IsNotNearThreadsOfOtherProcesses) {
  // Launched without binding, each bound by its own runtime.
  EXPECT_EQ(place({0, 1, 2, 3}, {{0}, {2}, {3}}), (ThreadPlace{{1}, true, 3}));
  // One that floats over some of the processors, and one that is elsewhere.
  EXPECT_EQ(place({0, 1, 2}, {{2, 3}, {3}}), (ThreadPlace{{0, 1}, true, 1}));
}

TEST(ThreadPlace, IsTheWholeProcessWhereCoresAreScarce) {
  EXPECT_EQ(place({0, 1}, {{0}, {1}}), (ThreadPlace{{0, 1}, false, 2}));
}

TEST(ThreadPlace, PrefersCoresToTheOtherHalvesOfBusyOnes) {
  const std::vector<Processors> cores = {{0, 4}, {1, 5}, {2, 6}, {3, 7}};
  const Processors all = {0, 1, 2, 3, 4, 5, 6, 7};
  EXPECT_EQ(place(all, {{0}, {1}}, cores), (ThreadPlace{{2, 3, 6, 7}, true, 2}));
  EXPECT_EQ(place(all, {{0}, {1}, {2}, {3}}, cores), (ThreadPlace{{4, 5, 6, 7}, true, 4}));
  EXPECT_EQ(place(all, {{0, 4}, {1}}, cores), (ThreadPlace{{2, 3, 6, 7}, true, 2}));
}

TEST(ThreadPlace, ListsAreWrittenAndRead) {
  EXPECT_EQ(text_of({}), "");
  EXPECT_EQ(text_of({3}), "3");
  EXPECT_EQ(text_of({0, 1, 2, 5, 7, 8}), "0-2, 5, 7-8");
  EXPECT_EQ(processors_in("0-2,5"), (Processors{0, 1, 2, 5}));
  EXPECT_EQ(processors_in("4,0"), (Processors{0, 4}));
  for (const char* const none : {"", "x", "1-", "3-1", "1;2", "0-99999999"}) {
    EXPECT_EQ(processors_in(none), Processors{}) << none;
  }
}

std::string name_of_this_thread() {
  std::array<char, 16> name{};
  EXPECT_EQ(::pthread_getname_np(::pthread_self(), name.data(), name.size()), 0);
  return name.data();
}

cpu_set_t processors_of_this_thread() {
  cpu_set_t set;
  CPU_ZERO(&set);
  EXPECT_EQ(::sched_getaffinity(0, sizeof(set), &set), 0);
  return set;
}

TEST(ThreadPlace, IsForAsLongAsTheServerOnAThreadOfTheModel) {
  // As a server does it, in a thread that ends: nobody else's place changes.
  std::thread([] {
    ASSERT_EQ(::pthread_setname_np(::pthread_self(), "model"), 0);
    const cpu_set_t before = processors_of_this_thread();
    cpu_set_t one;
    CPU_ZERO(&one);
    for (std::size_t p = 0; p < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++p) {
      if (CPU_ISSET(p, &before)) CPU_SET(p, &one);
    }
    {
      const ThreadAsItWas model;
      ASSERT_EQ(::pthread_setname_np(::pthread_self(), "epios-server"), 0);
      ASSERT_EQ(::sched_setaffinity(0, sizeof(one), &one), 0);
    }
    EXPECT_EQ(name_of_this_thread(), "model");
    const cpu_set_t after = processors_of_this_thread();
    EXPECT_TRUE(CPU_EQUAL(&before, &after));
  }).join();
}

}  // namespace
}  // namespace epios::server::thread_place_test
