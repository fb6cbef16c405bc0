#include "query/ask/map/map_packer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "query/types/context_types.h"
#include "tests/test_util.h"

namespace recall {
namespace {

std::vector<MapEntry> RandomMapEntries(std::mt19937_64& random, size_t count) {
  std::vector<MapEntry> entries;
  for (size_t i = 0; i < count; ++i) {
    MapEntry entry{static_cast<uint32_t>(random() % 9), {}};
    const auto first = static_cast<uint32_t>(1 + random() % 5000);
    const uint64_t lines = 1 + random() % 3;
    for (uint32_t line = 0; line < lines; ++line) {
      std::string text(random() % 8, ' ');
      for (uint64_t word = random() % 12; word > 0; --word) text += "Name" + std::to_string(word);
      entry.lines.push_back({first + line, text});
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

PackedMap PackEntries(const std::vector<MapEntry>& entries, int64_t budget) {
  auto counter = TokenCounter::Open(std::string(kEstimateCounter));
  EXPECT_TRUE(counter.has_value());
  auto packed = PackMap(
      entries.size(), [&](size_t rank) -> Result<MapEntry> { return entries[rank]; },
      [](uint32_t document) { return "src/file" + std::to_string(document) + ".cc"; }, *counter,
      budget);
  EXPECT_TRUE(packed.has_value());
  PackedMap map = packed.value_or(PackedMap());
  EXPECT_EQ(map.used_tokens, counter->Count(map.text));
  return map;
}

TEST(MapPackerTest, NeverExceedsTheBudgetAndLeavesNoRoomForTheNext) {
  std::mt19937_64 random(11);
  const std::vector<MapEntry> entries = RandomMapEntries(random, 400);
  for (int64_t budget = 1; budget <= 3000; budget += budget < 60 ? 1 : 37) {
    const PackedMap packed = PackEntries(entries, budget);
    EXPECT_LE(packed.used_tokens, budget);
    EXPECT_TRUE(std::ranges::is_sorted(packed.ranks));
    EXPECT_EQ(packed.text.empty(), packed.ranks.empty());
    if (packed.ranks.empty() || packed.ranks.size() == entries.size()) continue;
    // The best entries are in it, up to one that does not fit.
    size_t first_missing = 0;
    while (packed.ranks[first_missing] == first_missing) {
      if (++first_missing == packed.ranks.size()) break;
    }
    const std::vector<MapEntry> more(entries.begin(),
                                     entries.begin() + static_cast<ptrdiff_t>(first_missing) + 1);
    EXPECT_LT(PackEntries(more, budget).ranks.size(), more.size()) << budget;
  }
  EXPECT_EQ(PackEntries(entries, 1000000).ranks.size(), entries.size());
}

TEST(MapPackerTest, WritesLinesOnceByDocumentAndNumber) {
  const std::vector<MapEntry> entries = {
      {2, {{120, "class Store {"}, {130, "  void Commit();"}}},
      {1, {{7, "int Add(int a,"}, {8, "        int b) {"}}},
      {2, {{9, "struct Row {"}}},
      {2, {{120, "class Store {"}, {125, "  void Begin();"}}},
  };
  const PackedMap packed = PackEntries(entries, 1000);
  EXPECT_EQ(packed.text,
            "src/file2.cc\n"
            "  9: struct Row {\n"
            "120: class Store {\n"
            "125:   void Begin();\n"
            "130:   void Commit();\n"
            "\n"
            "src/file1.cc\n"
            "7: int Add(int a,\n"
            "8:         int b) {\n");
}

TEST(MapPackerTest, ALongEntryDoesNotKeepLaterOnesOut) {
  std::vector<MapEntry> entries = {{0, {{1, "int A();"}}}, {0, {{2, ""}}}, {0, {{3, "int B();"}}}};
  for (int i = 0; i < 60; ++i) entries[1].lines[0].text += "Word" + std::to_string(i) + " ";
  EXPECT_EQ(PackEntries(entries, 40).ranks, (std::vector<size_t>{0, 2}));
}

TEST(MapPackerTest, ErrorsOfReadingArePassedOn) {
  auto counter = TokenCounter::Open(std::string(kEstimateCounter));
  ASSERT_TRUE(counter.has_value());
  const auto packed = PackMap(
      3, [](size_t) -> Result<MapEntry> { return Fail(Status::Corruption("damaged")); },
      [](uint32_t) { return std::string(); }, *counter, 100);
  ASSERT_FALSE(packed.has_value());
  EXPECT_EQ(packed.error().code(), StatusCode::kCorruption);
}

}  // namespace
}  // namespace recall
