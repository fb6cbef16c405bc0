#include "storage/base/ordered_pipeline.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <new>

namespace recall {
namespace {

TEST(OrderedPipelineTest, OutputsComeInTheOrderOfJobsForAnyThreadCount) {
  for (const size_t threads : {1u, 2u, 8u}) {
    OrderedPipeline<int, int, std::function<int(int)>> pipeline(
        threads, [] { return [](int job) { return job * job; }; });
    int next = 0;
    for (int expected = 0; expected < 2000; ++expected) {
      while (next < 2000 && pipeline.pending() < 37) pipeline.Submit(next++);
      ASSERT_EQ(pipeline.Take(), expected * expected);
    }
    pipeline.Submit(1);  // still pending: the destructor must not hang
  }
}

TEST(OrderedPipelineTest, WorksWithTheThreadsThatStart) {
  for (const int64_t started : {0, 1, 3}) {
    const ThreadShortage shortage(started);
    std::atomic<int> workers{0};
    OrderedPipeline<int, int, std::function<int(int)>> pipeline(8, [&workers] {
      ++workers;
      return [](int job) { return job + 1; };
    });
    for (int job = 0; job < 500; ++job) {
      pipeline.Submit(job);
      pipeline.Submit(-job);
      ASSERT_EQ(pipeline.Take(), job + 1);
      ASSERT_EQ(pipeline.Take(), 1 - job);
    }
    EXPECT_EQ(pipeline.pending(), 0u);
    EXPECT_LE(workers, std::max<int64_t>(started, 1));
    pipeline.Submit(1);
  }
}

TEST(OrderedPipelineTest, AnExceptionOfAWorkerReachesTheCaller) {
  for (const size_t threads : {0u, 1u, 8u}) {
    OrderedPipeline<int, int, std::function<int(int)>> pipeline(threads, [] {
      return [](int job) {
        if (job == 20) throw std::bad_alloc();
        return job;
      };
    });
    for (int job = 0; job < 40; ++job) pipeline.Submit(job);
    const auto take_all = [&pipeline] {
      for (int job = 0; job < 40; ++job) EXPECT_EQ(pipeline.Take(), job);
    };
    EXPECT_THROW(take_all(), std::bad_alloc);
  }
}

TEST(OrderedPipelineTest, AnExceptionOfTheFactoryReachesTheCaller) {
  OrderedPipeline<int, int, std::function<int(int)>> pipeline(
      2, []() -> std::function<int(int)> { throw std::bad_alloc(); });
  pipeline.Submit(1);
  EXPECT_THROW(pipeline.Take(), std::bad_alloc);
}

}  // namespace
}  // namespace recall
