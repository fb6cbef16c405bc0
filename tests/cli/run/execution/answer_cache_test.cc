#include "cli/run/execution/answer_cache.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "query/ask/sources/source_checker.h"
#include "tests/test_util.h"

namespace recall {
namespace {

constexpr AnswerCacheLimits kSmall = {
    .most_answers = 2, .most_bytes_of_answer = 8, .lifetime_micros = 1000};

std::string Found(AnswerCache& cache, const std::string& key, int64_t now = 0) {
  const AnswerCache::Answer answer = cache.Find(key, now);
  return answer ? *answer : "none";
}

TEST(AnswerCacheTest, DropsTheLeastRecentlyUsedAnswer) {
  AnswerCache cache(kSmall);
  cache.Insert("a", "1", 0);
  cache.Insert("b", "2", 0);
  EXPECT_EQ(Found(cache, "a"), "1");
  EXPECT_TRUE(cache.Contains("b", 0));  // looking is no use
  cache.Insert("c", "3", 0);
  EXPECT_EQ(Found(cache, "a"), "1");
  EXPECT_EQ(Found(cache, "b"), "none");
  EXPECT_EQ(Found(cache, "c"), "3");
}

TEST(AnswerCacheTest, AnswersExpireHoweverOftenTheyAreUsed) {
  AnswerCache cache(kSmall);
  cache.Insert("a", "1", 100);
  EXPECT_EQ(Found(cache, "a", 1099), "1");
  EXPECT_FALSE(cache.Contains("a", 1100));
  EXPECT_EQ(Found(cache, "a", 1100), "none");
  cache.Insert("a", "2", 1100);
  EXPECT_EQ(Found(cache, "a", 1100), "2");
}

TEST(AnswerCacheTest, LargeAnswersAreNotKept) {
  AnswerCache cache(kSmall);
  cache.Insert("a", "12345678", 0);
  cache.Insert("b", "123456789", 0);
  EXPECT_EQ(Found(cache, "a"), "12345678");
  EXPECT_EQ(Found(cache, "b"), "none");
}

TEST(AnswerCacheTest, AnAnswerOutlivesItsEntry) {
  AnswerCache cache(kSmall);
  cache.Insert("a", "1", 0);
  const AnswerCache::Answer held = cache.Find("a", 0);
  cache.Insert("b", "2", 0);
  cache.Insert("c", "3", 0);
  EXPECT_EQ(*held, "1");
  EXPECT_EQ(Found(cache, "a"), "none");
  EXPECT_EQ(cache.uses().hits, 1U);
  EXPECT_EQ(cache.uses().misses, 1U);
}

TEST(AnswerCacheTest, AnAnswerIsNotFoundAfterAFileItWasComparedWithHasChanged) {
  TempDir dir;
  const std::string path = dir / "a.md";
  const auto stamped = [&] { return std::vector<CheckedFile>{{path, StampOfFile(path)}}; };
  AnswerCache cache;
  cache.Insert("a", "the file is missing", 0, stamped());
  EXPECT_EQ(Found(cache, "a"), "the file is missing");
  std::ofstream(path) << "text";
  EXPECT_EQ(Found(cache, "a"), "none");
  cache.Insert("a", "the file is there", 0, stamped());
  EXPECT_EQ(Found(cache, "a"), "the file is there");
  std::filesystem::remove(path);
  EXPECT_EQ(Found(cache, "a"), "none");
  EXPECT_EQ(cache.uses().hits, 2u);
  EXPECT_EQ(cache.uses().misses, 2u);
}

}  // namespace
}  // namespace recall
