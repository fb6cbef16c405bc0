#include "storage/base/wake_pipe.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>

namespace recall {
namespace {

bool IsAwake(const WakePipe& pipe) {
  pollfd polled = {pipe.descriptor(), POLLIN, 0};
  return ::poll(&polled, 1, 0) == 1;
}

TEST(WakePipeTest, ItIsReadableFromTheFirstWakeUntilItIsCleared) {
  const WakePipe pipe;
  ASSERT_TRUE(pipe.is_open());
  EXPECT_FALSE(IsAwake(pipe));
  EXPECT_EQ(pipe.Clear(), 0u) << "without waiting";
  pipe.Wake();
  pipe.Wake();
  EXPECT_TRUE(IsAwake(pipe));
  EXPECT_EQ(pipe.Clear(), 2u);
  EXPECT_FALSE(IsAwake(pipe));
}

TEST(WakePipeTest, WhatIsWrittenToItWakesToo) {
  const WakePipe pipe;
  EXPECT_EQ(::write(pipe.wake_descriptor(), "x", 1), 1);
  EXPECT_TRUE(IsAwake(pipe));
}

TEST(WakePipeTest, AFullPipeNeverHoldsASignalHandlerUp) {
  const WakePipe pipe;
  errno = EDOM;
  for (int i = 0; i < 100'000; ++i) pipe.Wake();
  EXPECT_EQ(errno, EDOM);
  EXPECT_GT(pipe.Clear(), 1u);
  EXPECT_FALSE(IsAwake(pipe));
}

}  // namespace
}  // namespace recall
