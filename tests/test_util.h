#pragma once

// Helpers of all tests: assertions on Status and Result, temporary directories, random seeds.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>

#include "storage/base/result.h"

// Fails the test with the message of the Status.
#define ASSERT_OK(expr)                                                           \
  do {                                                                            \
    const ::recall::Status recall_status_ = ::recall::internal::ToStatus((expr)); \
    ASSERT_TRUE(recall_status_.ok()) << recall_status_.ToString();                \
  } while (false)
#define EXPECT_OK(expr)                                                           \
  do {                                                                            \
    const ::recall::Status recall_status_ = ::recall::internal::ToStatus((expr)); \
    EXPECT_TRUE(recall_status_.ok()) << recall_status_.ToString();                \
  } while (false)
// Declares `lhs` as the value of a Result, or fails the test.
#define ASSERT_OK_AND_ASSIGN(lhs, expr) \
  ASSERT_OK_AND_ASSIGN_IMPL(RECALL_CONCAT(recall_result_, __LINE__), lhs, expr)
#define ASSERT_OK_AND_ASSIGN_IMPL(result, lhs, expr)            \
  auto result = (expr);                                         \
  ASSERT_TRUE(result.has_value()) << result.error().ToString(); \
  lhs = std::move(result).value()

namespace recall {

// An empty directory that is removed with its owner.
class TempDir final {
 public:
  TempDir() {
    std::string pattern = (std::filesystem::temp_directory_path() / "recall-test-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~TempDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// Whether this is a build with the address or thread sanitizer. Their runtime needs memory, stack,
// descriptors and threads of its own, so that tests cannot limit these.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kUnderSanitizer = true;
#else
inline constexpr bool kUnderSanitizer = false;
#endif

// The seed of a random test: RECALL_TEST_SEED or `fallback`; printed if the test fails.
inline uint64_t TestSeed(uint64_t fallback) {
  const char* text = std::getenv("RECALL_TEST_SEED");
  const uint64_t seed = text ? std::strtoull(text, nullptr, 10) : fallback;
  ::testing::Test::RecordProperty("seed", std::to_string(seed));
  return seed;
}

// The value of a Result that should have one; otherwise the test fails and the process ends.
template <typename T>
T Must(Result<T> result) {
  if (!result) ADD_FAILURE() << result.error().ToString();
  return std::move(result).value();
}

}  // namespace recall
