// Term lists of chunks, inverted from the full-text index, compared with the words of the chunks.

#include "index/write/training/term_lists.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

#include "index/base/text/tokenizer.h"
#include "index/search/bitmap/tombstones.h"
#include "storage/documents/chunk_scan.h"
#include "storage/fts5/fts_index.h"
#include "storage/store/store.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

// Contains the stems of even length. Their numbers do not depend on their order.
class EvenStems final : public TermEmbedder {
 public:
  std::optional<uint32_t> FindStem(std::string_view stem) const override {
    if (stem.size() % 2 != 0) return std::nullopt;
    const auto [found, added] = numbers_.emplace(stem, next_);
    if (added) next_ = (next_ + 7919) % (1 << 20);
    return found->second;
  }
  void EmbedTerms(std::span<const TermCount>, std::span<float>) override {}

 private:
  mutable std::map<std::string, uint32_t, std::less<>> numbers_;
  mutable uint32_t next_ = 1 << 19;
};

class TermListsTest : public QueryFixture {
 protected:
  void SetUp() override { Create({.embedder = "hash", .chunk_tokens = 32, .overlap_tokens = 4}); }

  // Compares the terms of every row that has a chunk.
  void ExpectTermsOfTexts(const std::set<uint32_t>& unclear = {}, size_t most_entries = 1 << 20) {
    ASSERT_OK_AND_ASSIGN(const auto store, Store::Open(StorePath(), {.read_only = true}));
    ASSERT_OK_AND_ASSIGN(const auto transaction, store->BeginRead());
    std::vector<uint32_t> rows;
    for (int64_t row = 0; row < transaction->next_chunk(); ++row) {
      rows.push_back(static_cast<uint32_t>(row));
    }
    ASSERT_OK_AND_ASSIGN(auto lists, TermLists::Open(*transaction, stems_, rows, most_entries));
    ASSERT_TRUE(lists.has_value());
    EXPECT_FALSE(lists->Find(0).has_value()) << "nothing is loaded";
    ASSERT_TRUE(lists->Load(*transaction, stems_, 0).value());
    int64_t compared = 0;
    int64_t loads = 1;
    Tokenizer tokenizer;
    const auto compare = [&](uint32_t row, std::string_view heading, std::string_view text) {
      LexicalText lexical;
      tokenizer.Analyze(heading, text, &lexical);
      std::map<uint32_t, uint32_t> expected;
      std::istringstream words(lexical.body);
      for (std::string word; words >> word;) {
        if (const auto term = stems_.FindStem(word)) ++expected[*term];
      }
      if (!lists->Has(row)) {
        ++loads;
        ASSERT_TRUE(lists->Load(*transaction, stems_, row).value());
      }
      const auto found = lists->Find(row);
      ASSERT_EQ(!found.has_value(), unclear.contains(row)) << row;
      if (!found) return;
      std::map<uint32_t, uint32_t> counts;
      for (const auto& [term, count] : *found) {
        ASSERT_TRUE(counts.empty() || term > counts.rbegin()->first);
        counts[term] = count;
      }
      ASSERT_EQ(counts, expected) << row;
      ++compared;
    };
    ChunkReader reader(*transaction);
    ASSERT_OK(reader.ScanPassages(0, rows.back(), compare));
    EXPECT_GT(compared, 100);
    EXPECT_EQ(loads > 10, most_entries < 100) << loads;
    EXPECT_FALSE(lists->Find(rows.back() + 1).has_value());
  }

  void AddTexts(int count) {
    for (int i = 0; i < count; ++i) {
      std::string text = "# Of parseFile and file_name\n\n" + RandomText(random_, random_() % 400);
      text += " parseFile file_name vectorIndex";
      WriteFile("d" + std::to_string(next_++) + ".md", text);
    }
    Add();
  }

  std::mt19937_64 random_{TestSeed(9)};
  EvenStems stems_;
  int next_ = 0;
};

TEST_F(TermListsTest, EqualTheWordsOfTheTexts) {
  for (int round = 0; round < 5; ++round) AddTexts(12);
  ExpectTermsOfTexts();
  ExpectTermsOfTexts({}, 64);
  // Edits, removals and purges leave rowids without a chunk, and delete markers in newer runs.
  next_ = 10;
  AddTexts(20);
  RemoveRequest remove;
  remove.targets = {"d3.md", "d44.md"};
  remove.purge = true;
  ASSERT_OK(database_->Remove(remove));
  AddTexts(5);
  ExpectTermsOfTexts();
  ASSERT_OK(database_->Compact({.keep_nanos = 0}));
  ExpectTermsOfTexts();
}

TEST_F(TermListsTest, WhatTwoRunsSayIsLeftToTheText) {
  AddTexts(20);
  database_.reset();
  {
    ASSERT_OK_AND_ASSIGN(const auto connection,
                         Connection::Open(StorePath(), {.mode = ConnectionMode::kReadWrite}));
    ASSERT_OK(InsertFtsRow(*connection, 3, "alpha beta file memory search", ""));
  }
  ExpectTermsOfTexts({3});
}

TEST_F(TermListsTest, SomethingIsMissingOfARowWithoutAChunk) {
  AddTexts(20);
  ASSERT_OK_AND_ASSIGN(const auto store, Store::Open(StorePath(), {.read_only = true}));
  ASSERT_OK_AND_ASSIGN(const auto transaction, store->BeginRead());
  std::vector<uint32_t> rows = {5, 7, 4'000'000'000};
  EXPECT_FALSE(TermLists::Open(*transaction, stems_, rows).value().has_value()) << "too far away";
  rows.back() = 1'000'000;
  ASSERT_OK_AND_ASSIGN(auto lists, TermLists::Open(*transaction, stems_, rows));
  ASSERT_TRUE(lists.has_value());
  ASSERT_TRUE(lists->Load(*transaction, stems_, 7).value());
  EXPECT_FALSE(lists->Find(5).has_value()) << "before what was loaded";
  EXPECT_TRUE(lists->Find(7).has_value());
  EXPECT_FALSE(lists->Find(8).has_value()) << "not asked for";
  EXPECT_TRUE(lists->Find(1'000'000)->empty());
  EXPECT_FALSE(lists->Has(1'000'001));
  ASSERT_TRUE(lists->Load(*transaction, stems_, 5).value());
  EXPECT_TRUE(lists->Find(5).has_value());
  EXPECT_FALSE(lists->Find(6).has_value());
  ASSERT_TRUE(lists->Load(*transaction, stems_, 1'000'001).value());
  EXPECT_FALSE(lists->Has(1'000'001));
}

}  // namespace
}  // namespace recall
