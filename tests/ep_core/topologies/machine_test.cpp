#include "topologies/machine.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "process/error.hpp"

namespace ep::machine_test {
namespace {

/// An invented machine, so that nothing depends on the one that runs the test.
Machine invented(const char* description) {
  EXPECT_EQ(::setenv("HWLOC_SYNTHETIC", description, 1), 0);
  Machine machine;
  EXPECT_EQ(::unsetenv("HWLOC_SYNTHETIC"), 0);
  return machine;
}

// 2 packages, each with its memory and 2 third-level caches, each of those with 2 second-level
// caches of 2 cores with 2 threads: 32 processors.
constexpr const char* two_packages =
    "pack:2 [numa] l3:2 l2:2 core:2 pu:2(indexes=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,"
    "20,21,22,23,24,25,26,27,28,29,30,31)";

Places places_on(const Machine& machine, const std::string& processors) {
  const std::optional<Located> located = machine.places_of(processors);
  EXPECT_TRUE(located) << processors;
  return located.value_or(Located{}).places;
}

TEST(Machine, a_processor_is_in_one_object_of_every_level) {
  const Machine machine = invented(two_packages);
  const Places expected{{{6, 2}, {4, 4}, {0, 8}, {0, 16}, {0, 16}}};
  EXPECT_EQ(places_on(machine, "7"), expected);
  EXPECT_EQ(places_on(machine, "6-7"), expected) << "both threads of a core";
  const Places far{{{16, 2}, {16, 4}, {16, 8}, {16, 16}, {16, 16}}};
  EXPECT_EQ(places_on(machine, "16"), far);
}

TEST(Machine, who_may_run_on_more_is_at_the_level_that_contains_it) {
  const Machine machine = invented(two_packages);
  const Places of_an_l2{{{4, 4}, {4, 4}, {0, 8}, {0, 16}, {0, 16}}};
  EXPECT_EQ(places_on(machine, "5,6"), of_an_l2);
  const Places of_a_package{{{0, 16}, {0, 16}, {0, 16}, {0, 16}, {0, 16}}};
  EXPECT_EQ(places_on(machine, "0,15"), of_a_package);
  const Places of_all{{{0, 32}, {0, 32}, {0, 32}, {0, 32}, {0, 32}}};
  EXPECT_EQ(places_on(machine, "0-31"), of_all);
}

TEST(Machine, levels_that_it_lacks_are_those_of_the_closer_one) {
  const Machine machine = invented("core:4 pu:1");
  const Places bound{{{2, 1}, {2, 1}, {2, 1}, {0, 4}, {0, 4}}};
  EXPECT_EQ(places_on(machine, "2"), bound);
}

TEST(Machine, says_of_which_levels_one_object_contains_it) {
  const Machine machine = invented(two_packages);
  EXPECT_EQ(machine.places_of("6-7")->inside, 0b11111U);
  EXPECT_EQ(machine.places_of("5,6")->inside, 0b11110U) << "no core";
  EXPECT_EQ(machine.places_of("0-31")->inside, 0U);
  const Machine plain = invented("core:4 pu:1");
  EXPECT_EQ(plain.places_of("2")->inside & 1U, 1U);
  EXPECT_EQ(plain.places_of("2")->inside & 0b110U, 0U) << "there are no such caches";
}

TEST(Machine, lists_must_name_its_processors) {
  const Machine machine = invented("core:2 pu:1");
  EXPECT_FALSE(machine.places_of("some"));
  EXPECT_FALSE(machine.places_of(""));
  EXPECT_FALSE(machine.places_of("64"));
}

TEST(Machine, the_calling_thread_runs_somewhere) {
  const Machine machine;
  const std::string processors = machine.processors_of_this_thread();
  EXPECT_TRUE(machine.places_of(processors)) << processors;
}

}  // namespace
}  // namespace ep::machine_test
