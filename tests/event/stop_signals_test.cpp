#include "event/stop_signals.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>

namespace epios::io {
namespace {

volatile std::sig_atomic_t calls_of_model = 0;
extern "C" void handler_of_model(int) { calls_of_model = calls_of_model + 1; }

// What a signal does to a process is seen in a process of its own.

TEST(StopSignals, TheFirstIsKeptAndNoneEndsTheProcess) {
  EXPECT_EXIT(
      {
        catch_stop_signals("TERM+USR2");
        if (stop_signal() != 0) std::_Exit(1);
        std::raise(SIGUSR2);
        std::raise(SIGTERM);
        catch_stop_signals("TERM");  // of another context
        std::raise(SIGTERM);
        std::_Exit(stop_signal() == SIGUSR2 ? 0 : 2);
      },
      ::testing::ExitedWithCode(0), "");
}

TEST(StopSignals, OthersDoWhatTheyDid) {
  EXPECT_EXIT(
      {
        catch_stop_signals("USR2");
        std::raise(SIGTERM);
      },
      ::testing::KilledBySignal(SIGTERM), "");
}

TEST(StopSignals, AHandlerOfTheModelIsCalledToo) {
  EXPECT_EXIT(
      {
        static_cast<void>(std::signal(SIGTERM, handler_of_model));
        catch_stop_signals("TERM");
        catch_stop_signals("TERM");
        std::raise(SIGTERM);
        std::_Exit(stop_signal() == SIGTERM && calls_of_model == 1 ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}

TEST(StopSignals, HaveNames) {
  EXPECT_EQ(name_of_signal(SIGTERM), "SIGTERM");
  EXPECT_EQ(name_of_signal(SIGUSR2), "SIGUSR2");
  EXPECT_EQ(name_of_signal(SIGHUP), "signal 1");
}

}  // namespace
}  // namespace epios::io
