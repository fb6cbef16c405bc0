#include "storage/overflow/page_locator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <thread>

#include "storage/overflow/page_map.h"
#include "storage/sqlite/verified_pages.h"
#include "tests/test_util.h"

namespace recall::testing {
namespace {

constexpr uint32_t kPageSize = 512;
constexpr uint32_t kMark = 0x4b52414d;

// A file that consists of one chain and unrelated pages.
class ChainFile final {
 public:
  // pages[i]: the number of page i of the chain.
  ChainFile(std::vector<uint32_t> pages, uint32_t file_pages)
      : pages_(std::move(pages)), bytes_(size_t{file_pages} * kPageSize) {
    for (size_t i = 0; i < pages_.size(); ++i) {
      uint8_t* const page = PageAt(pages_[i]);
      StoreBig32(page, i + 1 < pages_.size() ? pages_[i + 1] : 0);
      StoreLittle(page + 4, kMark);
      StoreLittle(page + 8, static_cast<uint32_t>(i));
    }
  }

  uint8_t* PageAt(uint32_t number) { return bytes_.data() + size_t{number - 1} * kPageSize; }
  FilePages file() const { return {bytes_, *PageLayout::Make(kPageSize, kPageSize)}; }
  const std::vector<uint32_t>& pages() const { return pages_; }

  // `looks` counts the pages that the locator checks.
  PageLocator Locator(bool may_leap, std::atomic<int>* looks = nullptr) const {
    return PageLocator(pages_[0], static_cast<uint32_t>(pages_.size()), may_leap, 1,
                       [looks](uint32_t ordinal, const uint8_t* start) {
                         if (looks) ++*looks;
                         return LoadLittle<uint32_t>(start + 4) == kMark &&
                                LoadLittle<uint32_t>(start + 8) == ordinal;
                       });
  }

 private:
  static void StoreBig32(uint8_t* to, uint32_t value) {
    for (int i = 0; i < 4; ++i) to[i] = static_cast<uint8_t>(value >> (24 - 8 * i));
  }

  std::vector<uint32_t> pages_;
  std::vector<uint8_t> bytes_;
};

// Ascending and descending runs of many lengths, swapped neighbours and single pages, as SQLite
// allocates freed pages.
std::vector<uint32_t> BrokenChain(std::mt19937_64& random, uint32_t pages, uint32_t longest) {
  std::vector<std::vector<uint32_t>> runs;
  for (uint32_t next = 1; next <= pages;) {
    const auto length = static_cast<uint32_t>(1 + random() % longest);
    std::vector<uint32_t> run(std::min(length, pages + 1 - next));
    std::iota(run.begin(), run.end(), next);
    next += static_cast<uint32_t>(run.size());
    if (random() % 2) std::ranges::reverse(run);
    if (run.size() > 3 && random() % 3 == 0) std::swap(run[1], run[2]);
    runs.push_back(std::move(run));
  }
  std::ranges::shuffle(runs, random);
  std::vector<uint32_t> chain;
  for (const auto& run : runs) chain.insert(chain.end(), run.begin(), run.end());
  return chain;
}

std::vector<uint32_t> SomeOf(std::mt19937_64& random, size_t pages) {
  std::vector<uint32_t> some;
  const uint64_t one_in = 1 + random() % 40;
  for (uint32_t i = 0; i < pages; ++i) {
    if (random() % one_in == 0) some.push_back(i);
  }
  return some;
}

// All located pages are right, and all of `wanted` are located.
void ExpectRight(const PageLocator& locator, const ChainFile& chain,
                 std::span<const uint32_t> wanted) {
  for (uint32_t i = 0; i < locator.pages(); ++i) {
    const bool is_wanted = std::ranges::binary_search(wanted, i);
    if (is_wanted || locator.number(i) != 0) {
      ASSERT_EQ(locator.number(i), chain.pages()[i]) << i;
    }
  }
}

TEST(PageLocatorTest, FindsPagesOfAnyChainInAnyOrderOfCalls) {
  std::mt19937_64 random(TestSeed(1));
  for (int round = 0; round < 200; ++round) {
    const auto pages = static_cast<uint32_t>(1 + random() % 400);
    const ChainFile chain(BrokenChain(random, pages, 1u << random() % 9), pages);
    for (const bool may_leap : {true, false}) {
      PageLocator locator = chain.Locator(may_leap);
      for (int call = 0; call < 5; ++call) {
        const std::vector<uint32_t> wanted = SomeOf(random, pages);
        ASSERT_TRUE(locator.Locate(chain.file(), wanted));
        ExpectRight(locator, chain, wanted);
      }
    }
  }
}

TEST(PageLocatorTest, LooksAtFewPagesOfAChainThatGoesOnPageByPage) {
  std::vector<uint32_t> pages(10'000);
  std::iota(pages.begin(), pages.end(), 1);
  for (const bool down : {false, true}) {
    if (down) std::ranges::reverse(pages);
    const ChainFile chain(pages, 10'000);
    std::atomic<int> looks = 0;
    PageLocator locator = chain.Locator(true, &looks);
    ASSERT_TRUE(locator.Locate(chain.file(), std::vector<uint32_t>{5, 9'000, 9'999}));
    EXPECT_EQ(locator.number(9'999), pages[9'999]);
    EXPECT_LE(looks, 4);
    EXPECT_EQ(locator.number(700), 0u);

    looks = 0;
    PageLocator walker = chain.Locator(false, &looks);
    ASSERT_TRUE(walker.Locate(chain.file(), std::vector<uint32_t>{9'999}));
    EXPECT_EQ(looks, 10'000);
  }
}

// What one process has found, the next one does not read. What is known of other segments, or
// wrongly, misleads nobody: a mark of this segment is only ever made of a page that was checked.
TEST(PageLocatorTest, PagesThatAnotherProcessHasCheckedAreNotRead) {
  std::mt19937_64 random(TestSeed(3));
  constexpr UnixNanos kNow = 1'000'000'000'000'000'000;
  for (int round = 0; round < 100; ++round) {
    const auto pages = static_cast<uint32_t>(1 + random() % 400);
    const ChainFile chain(BrokenChain(random, pages, 1u << random() % 9), pages);
    const TempDir dir;
    const auto shared =
        VerifiedPages::Open(dir.path(), {.bytes = VerifiedPages::kLeastBytes}, 4096, kNow);
    ASSERT_NE(shared, nullptr);
    for (uint32_t page = 1; page <= pages; ++page) {
      if (random() % 3 != 0) shared->Add(page, random() % 8);
      if (random() % 9 == 0) shared->Add(page, VerifiedPages::SegmentPage(2, page));
    }
    FilePages file = chain.file();
    file.verified = shared.get();
    std::vector<uint32_t> wanted = SomeOf(random, pages);
    std::atomic<int> looks = 0;
    for (int process = 0; process < 4; ++process) {
      PageLocator locator = chain.Locator(true, &looks);
      ASSERT_TRUE(locator.Locate(file, wanted));
      ExpectRight(locator, chain, wanted);
      if (process == 2) wanted = SomeOf(random, pages);
    }
  }
  std::vector<uint32_t> straight(10'000);
  std::iota(straight.begin(), straight.end(), 1);
  const ChainFile chain(straight, 10'000);
  const TempDir dir;
  const auto shared =
      VerifiedPages::Open(dir.path(), {.bytes = uint64_t{10'000} * 4096}, 4096, kNow);
  FilePages file = chain.file();
  file.verified = shared.get();
  std::atomic<int> looks = 0;
  const std::vector<uint32_t> wanted = {0, 5, 6, 700, 9'000, 9'999};
  for (const bool is_first : {true, false}) {
    looks = 0;
    PageLocator locator = chain.Locator(true, &looks);
    ASSERT_TRUE(locator.Locate(file, wanted));
    ExpectRight(locator, chain, wanted);
    EXPECT_EQ(looks > 0, is_first) << looks;
  }
}

// Two threads locate different pages of one chain at the same time.
TEST(PageLocatorTest, IsThreadSafe) {
  std::mt19937_64 random(TestSeed(2));
  const ChainFile chain(BrokenChain(random, 3'000, 50), 3'000);
  PageLocator locator = chain.Locator(true);
  std::vector<std::vector<uint32_t>> wanted;
  for (int i = 0; i < 40; ++i) wanted.push_back(SomeOf(random, 3'000));
  const auto locate = [&](size_t first) {
    for (size_t i = first; i < wanted.size(); i += 2) {
      EXPECT_TRUE(locator.Locate(chain.file(), wanted[i]));
    }
  };
  std::thread other([&] { locate(1); });
  locate(0);
  other.join();
  for (const auto& some : wanted) ExpectRight(locator, chain, some);
}

// A page that fails its check is never accepted, directly or on the way to a later page. A cycle or
// a page number outside the file gives an error.
TEST(PageLocatorTest, TakesNothingThatDoesNotSayItIsTheOne) {
  std::mt19937_64 random(TestSeed(3));
  int refused = 0;
  for (int round = 0; round < 500; ++round) {
    const auto pages = static_cast<uint32_t>(2 + random() % 100);
    ChainFile chain(BrokenChain(random, pages, 20), pages);
    const auto bad = static_cast<uint32_t>(random() % pages);
    uint8_t* const page = chain.PageAt(chain.pages()[bad]);
    const size_t at = random() % 12;
    page[at] ^= static_cast<uint8_t>(1 + random() % 255);
    PageLocator locator = chain.Locator(random() % 2 == 0);
    const std::vector<uint32_t> wanted = SomeOf(random, pages);
    const bool found = locator.Locate(chain.file(), wanted);
    refused += !found;
    if (at >= 4 && std::ranges::binary_search(wanted, bad)) {
      EXPECT_FALSE(found);
    }
    ExpectRight(locator, chain, found ? wanted : std::vector<uint32_t>());
  }
  EXPECT_GT(refused, 50);
}

}  // namespace
}  // namespace recall::testing
