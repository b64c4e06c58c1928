// main of the tests that start alone.
#include <gtest/gtest.h>

#include "chosen_cases.hpp"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return epios::tests::run_chosen_cases(argc, argv);
}
