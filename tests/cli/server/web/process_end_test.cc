#include "cli/server/web/process_end.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "storage/base/wake_pipe.h"
#include "tests/storage/base/both_forms.h"

namespace recall {
namespace {

struct EndForm {
  const char* name;
  decltype(&posix_form::AwaitEnd) await;
};
#define RECALL_END_FORM(form, name) \
  EndForm { name, &form::AwaitEnd }

class ProcessEndTest : public ::testing::TestWithParam<EndForm> {};
RECALL_TEST_FORMS(ProcessEndTest, RECALL_END_FORM);

TEST_P(ProcessEndTest, TheStatusOfAChildThatEnds) {
  const WakePipe stop;
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) ::_exit(3);
  const auto status = GetParam().await(child, stop.descriptor());
  ASSERT_TRUE(status);
  EXPECT_TRUE(WIFEXITED(*status));
  EXPECT_EQ(WEXITSTATUS(*status), 3);
  EXPECT_EQ(::waitpid(child, nullptr, 0), -1) << "it is gone";
}

TEST_P(ProcessEndTest, AStopEndsTheWaitAndLeavesTheChild) {
  const WakePipe stop;
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    for (;;) ::pause();
  }
  stop.Wake();
  EXPECT_FALSE(GetParam().await(child, stop.descriptor()));
  EXPECT_EQ(::kill(child, SIGKILL), 0);
  EXPECT_EQ(::waitpid(child, nullptr, 0), child);
}

}  // namespace
}  // namespace recall
