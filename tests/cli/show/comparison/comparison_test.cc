// What became better or worse between two recorded runs.

#include "cli/show/comparison/comparison.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/test_util.h"

namespace recall {
namespace {

using Json = nlohmann::ordered_json;

Json EvalRun(const std::vector<double>& hybrid, bool with_queries = true) {
  Json collection = {{"name", "birds"}};
  double sum = 0;
  Json ids = Json::array();
  for (size_t i = 0; i < hybrid.size(); ++i) {
    sum += hybrid[i];
    ids.push_back("q" + std::to_string(i));
  }
  const std::vector<double> flat(hybrid.size(), 0.5);
  collection["legs"] = {{"lexical", {{"ndcg_at_10", 0.5}}},
                        {"semantic", {{"ndcg_at_10", 0.5}}},
                        {"hybrid", {{"ndcg_at_10", sum / static_cast<double>(hybrid.size())}}}};
  if (with_queries) {
    collection["per_query"] = {
        {"ids", ids}, {"lexical", flat}, {"semantic", flat}, {"hybrid", hybrid}};
  }
  return {{"settings", {{"chunk_tokens", 256}}}, {"collections", Json::array({collection})}};
}

const EvalChange& HybridOf(const EvalComparison& comparison) {
  EXPECT_EQ(comparison.changes.size(), 3u);
  EXPECT_EQ(comparison.changes.at(2).what, "hybrid");
  return comparison.changes.at(2);
}

EvalComparison CompareEval(const Json& before, const Json& after, const std::string& file) {
  return CompareEval(RecordedRun::Of(before.dump()), RecordedRun::Of(after.dump()), file);
}

BenchComparison CompareBench(const Json& before, const Json& after, const std::string& file) {
  return CompareBench(RecordedRun::Of(before.dump()), RecordedRun::Of(after.dump()), file);
}

TEST(EvalComparisonTest, AClearDifferenceIsBetterOrWorse) {
  std::vector<double> low;
  std::vector<double> high;
  for (int i = 0; i < 40; ++i) {
    low.push_back(0.3 + 0.01 * (i % 7));
    high.push_back(low.back() + 0.1 + 0.005 * (i % 3));
  }
  const EvalComparison up = CompareEval(EvalRun(low), EvalRun(high), "old.json");
  EXPECT_EQ(HybridOf(up).verdict, Verdict::kBetter);
  EXPECT_NEAR(HybridOf(up).difference->difference, HybridOf(up).after - HybridOf(up).before, 1e-9);
  EXPECT_LE(HybridOf(up).difference->low, HybridOf(up).difference->difference);
  EXPECT_EQ(HybridOf(up).queries, 40);
  EXPECT_EQ(up.changes[0].verdict, Verdict::kSame);
  EXPECT_EQ(HybridOf(CompareEval(EvalRun(high), EvalRun(low), "")).verdict, Verdict::kWorse);
  EXPECT_EQ(HybridOf(CompareEval(EvalRun(high), EvalRun(high), "")).verdict, Verdict::kSame);
}

TEST(EvalComparisonTest, AMixedDifferenceIsUnclear) {
  std::vector<double> before(40, 0.5);
  std::vector<double> after = before;
  for (size_t i = 0; i < after.size(); ++i) after[i] += i % 2 == 0 ? 0.2 : -0.19;
  EXPECT_EQ(HybridOf(CompareEval(EvalRun(before), EvalRun(after), "")).verdict, Verdict::kUnclear);
}

TEST(EvalComparisonTest, OnlyQueriesOfBothRunsAreCompared) {
  const EvalComparison comparison =
      CompareEval(EvalRun({0.5, 0.5, 0.5, 0.1}), EvalRun({0.5, 0.5, 0.5}), "");
  EXPECT_EQ(HybridOf(comparison).queries, 3);
  EXPECT_EQ(HybridOf(comparison).verdict, Verdict::kSame);
}

TEST(EvalComparisonTest, WithoutTheQueriesThereIsNoVerdict) {
  const EvalComparison comparison =
      CompareEval(EvalRun({0.2, 0.4}, false), EvalRun({0.6, 0.8}), "");
  EXPECT_EQ(HybridOf(comparison).verdict, Verdict::kUnknown);
  EXPECT_FALSE(HybridOf(comparison).difference);
  EXPECT_NEAR(HybridOf(comparison).before, 0.3, 1e-12);
  EXPECT_NEAR(HybridOf(comparison).after, 0.7, 1e-12);
}

TEST(EvalComparisonTest, NamesTheSettingsThatDiffer) {
  Json before = EvalRun({0.5});
  before["settings"]["chunk_tokens"] = 128;
  before["settings"]["stages"] = "mmr";
  const EvalComparison comparison = CompareEval(before, EvalRun({0.5}), "");
  ASSERT_EQ(comparison.settings.size(), 2u);
  EXPECT_EQ(comparison.settings[0].name, "chunk_tokens");
  EXPECT_EQ(comparison.settings[0].before, "128");
  EXPECT_EQ(comparison.settings[0].after, "256");
  EXPECT_EQ(comparison.settings[1].name, "stages");
  EXPECT_EQ(comparison.settings[1].after, "");
}

Json BenchRun(const std::vector<double>& query_ms, const std::string& sha256) {
  return {{"docs", 3},
          {"questions", {{"sha256", sha256}}},
          {"latencies", Json::array({{{"what", "search"},
                                      {"cache", "warm"},
                                      {"ms", {{"p50", query_ms[0]}, {"p99", query_ms[0]}}},
                                      {"query_ms", query_ms}}})}};
}

TEST(BenchComparisonTest, TheRatioIsTheGeometricMeanOverTheQueries) {
  const std::vector<double> before = {1, 2, 4, 8};
  const BenchComparison faster =
      CompareBench(BenchRun(before, "aa"), BenchRun({0.5, 1, 2, 4}, "aa"), "old.json");
  ASSERT_EQ(faster.changes.size(), 1u);
  EXPECT_NEAR(faster.changes[0].ratio->mean, 0.5, 1e-12);
  EXPECT_EQ(faster.changes[0].verdict, Verdict::kBetter);
  const BenchComparison mixed =
      CompareBench(BenchRun(before, "aa"), BenchRun({2, 1, 8, 4}, "aa"), "");
  EXPECT_NEAR(mixed.changes[0].ratio->mean, 1, 1e-12);
  EXPECT_EQ(mixed.changes[0].verdict, Verdict::kUnclear);
  const BenchComparison same = CompareBench(BenchRun(before, "aa"), BenchRun(before, "aa"), "");
  EXPECT_EQ(same.changes[0].verdict, Verdict::kSame);
  EXPECT_TRUE(same.settings.empty());
}

TEST(BenchComparisonTest, OtherQueriesAreNotCompared) {
  const BenchComparison comparison =
      CompareBench(BenchRun({1, 2}, "aa"), BenchRun({1, 2}, "bb"), "");
  EXPECT_FALSE(comparison.same_queries);
  EXPECT_TRUE(comparison.recorded);
  EXPECT_FALSE(comparison.changes[0].ratio);
  EXPECT_EQ(comparison.changes[0].verdict, Verdict::kUnknown);
}

TEST(BenchComparisonTest, AnOlderVersionDidNotRecordItsQueries) {
  Json before = BenchRun({1, 2}, "aa");
  before["questions"].erase("sha256");
  const BenchComparison comparison = CompareBench(before, BenchRun({1, 2}, "aa"), "");
  EXPECT_FALSE(comparison.recorded);
  EXPECT_FALSE(comparison.changes[0].ratio);
  EXPECT_EQ(comparison.changes[0].p50_before, 1);
}

// Members of any type are read without a fault.
TEST(ComparisonTest, StrangeMembersCountAsAbsent) {
  const Json strange[] = {1, "x", Json::array({1, Json::object(), "x"}), Json::object(), nullptr};
  for (const Json& value : strange) {
    for (const char* name : {"settings", "collections", "spans", "latencies", "questions"}) {
      Json run = EvalRun({0.5});
      run[name] = value;
      CompareEval(run, EvalRun({0.5}), "");
      run = BenchRun({1}, "aa");
      run[name] = value;
      CompareBench(run, BenchRun({1}, "aa"), "");
    }
  }
}

TEST(ReadEarlierRunTest, OnlyAnAnswerOfTheCommandIsTaken) {
  const TempDir dir;
  const std::string path = dir / "old.json";
  const std::atomic<bool> never = false;
  const auto write = [&](const std::string& text) { std::ofstream(path) << text; };
  for (const std::string text :
       {"", "x", "{}", "[1]", "{\"eval\": 1}", "{\"eval\": {\"settings\": {}}}",
        "{\"bench\": {\"latencies\": []}}", "{\"eval\": {\"collections\": []}} {}"}) {
    write(text);
    const auto run = RecordedRun::Read(path, "eval", never);
    ASSERT_FALSE(run) << text;
    EXPECT_EQ(run.error().code(), StatusCode::kInvalidArgument) << text;
    EXPECT_NE(run.error().message().find("old.json is not an answer of `recall eval --json`"),
              std::string::npos)
        << run.error().message();
  }
  write("{\"eval\": {\"collections\": []}}\n");
  EXPECT_TRUE(RecordedRun::Read(path, "eval", never));
  EXPECT_EQ(RecordedRun::Read(dir / "none", "eval", never).error().code(), StatusCode::kNotFound);
}

}  // namespace
}  // namespace recall
