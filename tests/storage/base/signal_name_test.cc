#include "storage/base/signal_name.h"

#include <gtest/gtest.h>

#include <csignal>

namespace recall {
namespace {

TEST(SignalNameTest, SignalsThatEndAProcessHaveTheirNames) {
  EXPECT_EQ(SignalName(SIGSEGV), "SIGSEGV");
  EXPECT_EQ(SignalName(SIGKILL), "SIGKILL");
  EXPECT_EQ(SignalName(SIGXCPU), "SIGXCPU");
  EXPECT_EQ(SignalName(63), "63");
}

}  // namespace
}  // namespace recall
