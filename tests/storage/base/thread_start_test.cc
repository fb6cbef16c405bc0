#include "storage/base/thread_start.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <new>

#include "storage/base/fixed_tasks.h"

namespace recall {
namespace {

TEST(ThreadStartTest, RunsTheWork) {
  std::atomic<int> ran{0};
  auto thread = StartThread([&ran] { ran = 7; });
  ASSERT_TRUE(thread);
  thread->join();
  EXPECT_EQ(ran, 7);
}

TEST(ThreadStartTest, AShortageEndsWithItsObject) {
  {
    const ThreadShortage shortage(1);
    auto thread = StartThread([] {});
    ASSERT_TRUE(thread);
    thread->join();
    EXPECT_FALSE(StartThread([] { FAIL() << "this thread must not exist"; }));
    EXPECT_FALSE(StartThread([] {}));
  }
  auto thread = StartThread([] {});
  ASSERT_TRUE(thread);
  thread->join();
}

TEST(FixedTasksTest, EveryTaskRunsOnceWithAnyNumberOfThreadsThatStart) {
  for (const int64_t started : {0, 1, 2, 100}) {
    const ThreadShortage shortage(started);
    std::vector<std::atomic<int>> runs(200);
    EXPECT_TRUE(RunFixedTasks(8, runs.size(), nullptr, [&](size_t task) { ++runs[task]; }));
    for (const std::atomic<int>& count : runs) EXPECT_EQ(count, 1);
  }
}

TEST(FixedTasksTest, AnExceptionOfATaskReachesTheCaller) {
  for (const int64_t started : {0, 1, 100}) {
    const ThreadShortage shortage(started);
    std::atomic<int> runs{0};
    const auto task = [&runs](size_t) {
      ++runs;
      throw std::bad_alloc();
    };
    EXPECT_THROW(RunFixedTasks(8, 200, nullptr, task), std::bad_alloc);
    EXPECT_LE(runs, 8);  // at most one of each thread
  }
}

TEST(UsableCpusTest, RespectsTheAffinityOfTheProcess) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
  EXPECT_EQ(UsableCpus(), static_cast<uint32_t>(CPU_COUNT(&before)));
  cpu_set_t one;
  CPU_ZERO(&one);
  for (size_t cpu = 0; CPU_COUNT(&one) == 0; ++cpu) {
    if (CPU_ISSET(cpu, &before)) CPU_SET(cpu, &one);
  }
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  EXPECT_EQ(UsableCpus(), 1u);
  ASSERT_EQ(sched_setaffinity(0, sizeof(before), &before), 0);
}

}  // namespace
}  // namespace recall
