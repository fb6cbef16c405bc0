#pragma once

// A store, its ranking with and without stages, and the stems of its chunks for naive stages.

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "index/base/text/stop_words.h"
#include "index/base/text/tokenizer.h"
#include "tests/query/query_fixture.h"

namespace recall {

class StageFixture : public QueryFixture {
 protected:
  // Adds small chunks of random words, so that far more than a hundred match the query.
  void FillStore(int files = 60, uint64_t seed = 41) {
    Create({.chunk_tokens = 24, .overlap_tokens = 4});
    std::mt19937_64 random(seed);
    for (int i = 0; i < files; ++i) {
      WriteFile("d" + std::to_string(i) + ".txt", RandomText(random, 60 + random() % 60));
    }
    Add();
    Reopen({.rankers = Rankers()});
  }

  // "sizes" scores a text by the bytes of its line, "shares" by a number from 0.1 to 1 with them as
  // its decimals.
  static std::vector<RankerConfig> Rankers() {
    const auto script = [](const std::string& answer) {
      return std::vector<std::string>{"/bin/sh", "-c",
                                      "while read -r line; do echo \"" + answer + "\"; done"};
    };
    return {{.name = "sizes", .command = script("${#line}")},
            {.name = "shares", .command = script("0.${#line}")},
            {.name = "same", .command = script("-7")}};
  }

  SearchRequest Request(const std::string& stages = "") const {
    SearchRequest request;
    request.text = "alpha memory index budget";
    request.ranking.stages = stages;
    request.explain = true;
    request.k = 100'000;
    request.identical = IdenticalChunks::kKeep;
    request.mode = mode_;
    return request;
  }
  std::vector<SearchHit> Hits(const std::string& stages = "") {
    return Search(Request(stages)).hits;
  }
  // The best results without stages, which are the input of the stages. By score, then by chunk
  // rowid.
  std::vector<SearchHit> Head() {
    std::vector<SearchHit> head = Hits();
    head.resize(std::min(head.size(), seen_));
    return head;
  }

  // The stems of a text as stages compute them.
  std::vector<std::string> Stems(const std::string& heading, const std::string& text) {
    LexicalText tokens;
    tokenizer_.Analyze(heading, text, &tokens);
    return Telling(tokens.body);
  }
  const std::vector<std::string>& Stems(const SearchHit& hit) {
    const auto [known, is_new] = stems_.try_emplace(hit.chunk.id);
    if (is_new) known->second = Stems(hit.chunk.heading, hit.chunk.text);
    return known->second;
  }
  static std::vector<std::string> Telling(const std::string& body) {
    std::vector<std::string> stems;
    std::string stem;
    for (const char c : body + " ") {
      if (c != ' ') {
        stem += c;
      } else if (!stem.empty()) {
        if (!IsStopStem(stem)) stems.push_back(stem);
        stem.clear();
      }
    }
    return stems;
  }

  // Checks the result of a stage: these chunks with these scores in this order, then the rest of
  // the ranking in its order, restricted to chunks for which `may_follow` is true.
  void ExpectHead(const std::string& stages,
                  const std::vector<std::pair<std::string, double>>& expected,
                  const std::function<bool(const SearchHit&)>& may_follow = {}) {
    const std::vector<SearchHit> before = Hits();
    const SearchResponse after = Search(Request(stages));
    ASSERT_GT(before.size(), 150u);
    ASSERT_GE(after.hits.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(after.hits[i].chunk.id, expected[i].first) << stages << " at " << i;
      EXPECT_NEAR(after.hits[i].score, expected[i].second, 1e-9) << stages << " at " << i;
    }
    size_t place = expected.size();
    for (size_t i = seen_; i < before.size(); ++i) {
      if (may_follow && !may_follow(before[i])) continue;
      ASSERT_LT(place, after.hits.size());
      EXPECT_EQ(after.hits[place].chunk.id, before[i].chunk.id) << stages;
      EXPECT_LT(after.hits[place].score, expected.back().second);
      EXPECT_TRUE(after.hits[place].explain->stages.empty());
      ++place;
    }
    EXPECT_EQ(after.hits.size(), place);
    EXPECT_EQ(after.total_hits, static_cast<int64_t>(place));
  }

  // Sorts by score; equal scores keep their order.
  static void Sort(std::vector<std::pair<std::string, double>>& ranking) {
    std::ranges::stable_sort(ranking, std::greater(), &std::pair<std::string, double>::second);
  }

  SearchMode mode_ = SearchMode::kHybrid;
  size_t seen_ = 100;  // hits that the stages see
  Tokenizer tokenizer_;

 private:
  std::map<std::string, std::vector<std::string>> stems_;  // by chunk id
};

}  // namespace recall
