#include "storage/replica/page_fetcher.h"

#include <atomic>
#include <numeric>

#include "tests/test_util.h"

namespace recall {
namespace {

TEST(PageFetcherTest, EachPageIsFetchedOnceInGroups) {
  std::mutex mutex;
  std::multiset<uint32_t> fetched;
  size_t groups = 0;
  {
    PageFetcher fetcher([&] {
      return [&](const std::vector<uint32_t>& numbers) {
        const std::lock_guard<std::mutex> lock(mutex);
        EXPECT_LE(numbers.size(), PageFetcher::kMostInGroup);
        fetched.insert(numbers.begin(), numbers.end());
        ++groups;
        return Status::Ok();
      };
    });
    std::vector<uint32_t> numbers(1000);
    std::iota(numbers.begin(), numbers.end(), 1);
    fetcher.Request(numbers);
    for (const uint32_t number : numbers) EXPECT_OK(fetcher.Await(number + 1000));
  }
  const std::set<uint32_t> different(fetched.begin(), fetched.end());
  EXPECT_EQ(different.size(), fetched.size());
  EXPECT_EQ(different.size(), 2000u);
  EXPECT_LT(groups, 1100u);
}

TEST(PageFetcherTest, FailuresEndTheWait) {
  PageFetcher fetcher(
      [] { return [](const std::vector<uint32_t>&) { return Status::IoError("no server"); }; });
  EXPECT_EQ(fetcher.Await(7).code(), StatusCode::kIoError);
  EXPECT_EQ(fetcher.Await(7).code(), StatusCode::kIoError);
}

// After Drain nothing is under way, so the caller may let others change the file.
TEST(PageFetcherTest, DrainWaitsForWhatWasBegun) {
  std::atomic<int> active = 0;
  PageFetcher fetcher([&] {
    return [&](const std::vector<uint32_t>&) {
      ++active;
      --active;
      return Status::Ok();
    };
  });
  for (uint32_t round = 0; round < 200; ++round) {
    std::vector<uint32_t> numbers(300);
    std::iota(numbers.begin(), numbers.end(), round * 1000);
    fetcher.Request(numbers);
    fetcher.Drain();
    EXPECT_EQ(active, 0);
  }
}

}  // namespace
}  // namespace recall
