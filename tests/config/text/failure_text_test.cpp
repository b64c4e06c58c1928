#include "config/failure_text.hpp"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <unistd.h>

#include <new>
#include <stdexcept>
#include <string>

namespace epios::failure_text_test {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

// What users read if memory is refused: which process, where, and how much there is.
TEST(FailureText, OfRefusedMemoryNamesProcessNodeAndMemory) {
  const std::string text = failure_text(std::bad_alloc());
  EXPECT_THAT(text, StartsWith("out of memory (an allocation failed in process " +
                               std::to_string(::getpid()) + " on node '"));
  EXPECT_THAT(text, MatchesRegex(".*, which has [0-9]+ MB.*; [0-9]+ MB are left there.*"));
  EXPECT_THAT(text, EndsWith("Start fewer processes on the node, or use more nodes?"));
  EXPECT_EQ(failure_code(std::bad_alloc()), ErrorCode::resource);
}

TEST(FailureText, OfRefusedMemoryNamesALimitOfTheProcess) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_AS, &before), 0);
  rlimit limited = before;
  limited.rlim_cur = rlim_t{64} << 30U;
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &limited), 0);
  const std::string text = failure_text(std::bad_alloc());
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_THAT(text, HasSubstr(" and a limit of 65536 MB (ulimit -v)"));
}

TEST(FailureText, OfAnImpossibleSizeAsksForIt) {
  EXPECT_EQ(failure_text(std::length_error("vector::reserve")),
            "more memory is needed than there can be (vector::reserve). Is a size wrong?");
  EXPECT_EQ(failure_code(std::length_error("")), ErrorCode::resource);
}

TEST(FailureText, OfOthersIsTheirOwn) {
  EXPECT_EQ(failure_text(std::runtime_error("the disk is gone")), "the disk is gone");
  EXPECT_EQ(failure_code(std::runtime_error("")), ErrorCode::internal);
}

}  // namespace
}  // namespace epios::failure_text_test
