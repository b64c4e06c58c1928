#include "session/log.hpp"

#include <gtest/gtest.h>

namespace epios::client::log_test {
namespace {

TEST(Log, lines_have_their_severity_and_go_to_stderr) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  log_error("file 'a.nc': gone");
  log_warning("context 'ocean': late");
  log_note("context 'ocean': early");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "epios: error: file 'a.nc': gone\n"
            "epios: warning: context 'ocean': late\n"
            "epios: note: context 'ocean': early\n");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

// A model without `module xios` reads the names of the calls that it makes.
TEST(Log, calls_have_the_names_that_the_model_knows) {
  testing::internal::CaptureStderr();
  log_warning("Call epios_context_finalize?");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "epios: warning: Call epios_context_finalize?\n");
}

TEST(OnceLog, says_a_line_once) {
  OnceLog log;
  testing::internal::CaptureStderr();
  log.say({"epios: warning: a", "epios: note: b"});
  log.say({"epios: warning: a", "epios: note: c"});
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "epios: warning: a\nepios: note: b\nepios: note: c\n");
}

}  // namespace
}  // namespace epios::client::log_test
