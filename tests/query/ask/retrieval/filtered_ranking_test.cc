// A filtered ranking equals a brute-force ranking of the chunks that satisfy the filter.

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "tests/query/query_fixture.h"

namespace recall {
namespace {

// A filter in RQL and the same condition in C++.
struct TestFilter {
  std::string text;
  std::function<bool(const SearchHit&)> passes;
};

TestFilter Negate(const TestFilter& filter) {
  return {"NOT (" + filter.text + ")", [=](const SearchHit& hit) { return !filter.passes(hit); }};
}

TestFilter Join(const TestFilter& a, const TestFilter& b, bool both) {
  return {"(" + a.text + (both ? ") AND (" : ") OR (") + b.text + ")", [=](const SearchHit& hit) {
            return both ? a.passes(hit) && b.passes(hit) : a.passes(hit) || b.passes(hit);
          }};
}

// Uses only fields that are never NULL, so that NOT is two-valued.
TestFilter RandomFilter(std::mt19937_64& random, int depth) {
  if (depth > 0 && random() % 3 == 0) return Negate(RandomFilter(random, depth - 1));
  if (depth > 0 && random() % 2 == 0) {
    const TestFilter left = RandomFilter(random, depth - 1);
    return Join(left, RandomFilter(random, depth - 1), random() % 2 == 0);
  }
  const std::string number = std::to_string(random() % 40);
  switch (random() % 6) {
    case 0: {
      const std::string directory = "d" + std::to_string(random() % 4) + "/";
      return {"doc.path GLOB '" + directory + "**'",
              [=](const SearchHit& hit) { return hit.doc.path.starts_with(directory); }};
    }
    case 1:
      return {"chunk.tokens < " + number,
              [n = std::stoull(number)](const SearchHit& hit) { return hit.chunk.tokens < n; }};
    case 2:
      return {"chunk.offset >= " + number,
              [n = std::stoull(number)](const SearchHit& hit) { return hit.chunk.offset >= n; }};
    case 3:
      return {"chunk.text LIKE '%memory%'", [](const SearchHit& hit) {
                return hit.chunk.text.find("memory") != std::string::npos;
              }};
    case 4:
      return {"doc.size BETWEEN " + number + "0 AND 5" + number + "0",
              [low = std::stoll(number + "0"), high = std::stoll("5" + number + "0")](
                  const SearchHit& hit) { return hit.doc.size >= low && hit.doc.size <= high; }};
    default:
      return {"doc.path REGEXP '[02468]\\\\.txt$'", [](const SearchHit& hit) {
                return (hit.doc.path[hit.doc.path.size() - 5] - '0') % 2 == 0;
              }};
  }
}

class FilteredRankingTest : public QueryFixture {
 protected:
  void FillStore(uint64_t seed, int docs) {
    Create({.embedder = "hash", .chunk_tokens = 16, .overlap_tokens = 3});
    std::mt19937_64 random(seed);
    for (int i = 0; i < docs; ++i) {
      WriteFile("d" + std::to_string(i % 4) + "/f" + std::to_string(i) + ".txt",
                RandomText(random, random() % 70));
    }
    Add();
    // Removed and replaced versions must not appear.
    RemoveRequest remove;
    remove.targets = {"d1/f1.txt", "d2/f6.txt"};
    ASSERT_OK(database_->Remove(remove));
    WriteFile("d3/f3.txt", "memory alpha thread");
    Add();
  }

  SearchResponse Ask(SearchMode mode, const std::string& filter, size_t k) {
    SearchRequest request;
    request.text = "memory alpha vector";
    request.mode = mode;
    request.k = k;
    request.explain = true;
    request.scope.filter = filter;
    return Search(request);
  }

  // Reads the raw scores of every chunk, with each retriever alone and without a filter.
  void ReadLegs() {
    scored_.clear();
    for (const SearchHit& hit : Ask(SearchMode::kLexical, "", 100'000).hits) {
      scored_[hit.chunk.id] = {hit, *hit.explain->lexical, 0};
    }
    for (const SearchHit& hit : Ask(SearchMode::kSemantic, "", 100'000).hits) {
      auto& retriever = scored_.try_emplace(hit.chunk.id, Scored{hit, 0, 0}).first->second;
      retriever.semantic = *hit.explain->semantic;
    }
  }

  struct Scored {
    SearchHit hit;
    double lexical;
    double semantic;
  };

  // The ids of the chunks that pass, by weighted relative scores; ties by path and offset.
  std::vector<std::string> BruteForce(SearchMode mode, const TestFilter& filter) const {
    const double floor = 3 / std::sqrt(256.0);
    std::vector<Scored> passing;
    double lexical_max = 0;
    double semantic_max = 0;
    for (const auto& [id, retriever] : scored_) {
      if (!filter.passes(retriever.hit)) continue;
      const bool lexical = mode != SearchMode::kSemantic && retriever.lexical > 0;
      const bool semantic = mode == SearchMode::kSemantic ? retriever.semantic > 0
                            : mode == SearchMode::kHybrid ? retriever.semantic > floor
                                                          : false;
      if (!lexical && !semantic) continue;
      passing.push_back(retriever);
      lexical_max = std::max(lexical_max, retriever.lexical);
      semantic_max = std::max(semantic_max, retriever.semantic);
    }
    const double lexical_weight = mode == SearchMode::kSemantic ? 0
                                  : mode == SearchMode::kHybrid ? .49  // the rest: n-grams
                                                                : 1;
    const double semantic_weight = mode == SearchMode::kLexical  ? 0
                                   : mode == SearchMode::kHybrid ? .02
                                                                 : 1;
    const auto score = [&](const Scored& retriever) {
      double sum = 0;
      if (lexical_max > 0) sum += lexical_weight * retriever.lexical / lexical_max;
      if (semantic_max > 0)
        sum += semantic_weight * std::max(retriever.semantic, 0.0) / semantic_max;
      return sum;
    };
    std::sort(passing.begin(), passing.end(), [&](const Scored& a, const Scored& b) {
      // Scores that differ only by rounding are equal.
      if (std::abs(score(a) - score(b)) > 1e-12) return score(a) > score(b);
      return std::tie(a.hit.doc.path, a.hit.chunk.offset) <
             std::tie(b.hit.doc.path, b.hit.chunk.offset);
    });
    std::vector<std::string> ids;
    for (const Scored& retriever : passing) ids.push_back(retriever.hit.chunk.id);
    return ids;
  }

  // Reranking may change the order of the best 300, but nothing else. (rerank_test.cc checks
  // the scores.)
  void ExpectHeadIsReordered(const std::vector<std::string>& ids,
                             const std::vector<std::string>& retrievers,
                             const std::string& filter) {
    std::vector<std::string> all;
    for (const SearchHit& hit : Ask(SearchMode::kHybrid, filter, 100'000).hits) {
      all.push_back(hit.chunk.id);
    }
    ASSERT_EQ(all.size(), retrievers.size());
    const auto head = static_cast<ptrdiff_t>(std::min<size_t>(300, retrievers.size()));
    ASSERT_TRUE(std::is_permutation(all.begin(), all.begin() + head, retrievers.begin()));
    ASSERT_TRUE(std::equal(all.begin() + head, all.end(), retrievers.begin() + head));
    ASSERT_TRUE(std::equal(ids.begin(), ids.end(), all.begin()));
  }

  std::map<std::string, Scored> scored_;
};

TEST_F(FilteredRankingTest, EqualsBruteForceForRandomFiltersAtAnyK) {
  for (const uint64_t seed : {21, 22, 23}) {
    SCOPED_TRACE(seed);
    FillStore(seed, 24 + 40 * static_cast<int>(seed - 21));
    ReadLegs();
    ASSERT_GT(scored_.size(), 20u);
    std::mt19937_64 random(seed * 31);
    size_t found = 0;
    for (int round = 0; round < 60; ++round) {
      const TestFilter filter = RandomFilter(random, 3);
      SCOPED_TRACE(filter.text);
      for (const SearchMode mode :
           {SearchMode::kHybrid, SearchMode::kLexical, SearchMode::kSemantic}) {
        const std::vector<std::string> expected = BruteForce(mode, filter);
        found += expected.size();
        for (const size_t k : {size_t{1}, size_t{8}, size_t{100'000}}) {
          const SearchResponse response = Ask(mode, filter.text, k);
          std::vector<std::string> ids;
          for (const SearchHit& hit : response.hits) {
            EXPECT_TRUE(filter.passes(hit)) << hit.doc.path;
            ids.push_back(hit.chunk.id);
          }
          if (mode == SearchMode::kHybrid) {
            ExpectHeadIsReordered(ids, expected, filter.text);
          } else {
            const size_t count = std::min(k, expected.size());
            ASSERT_EQ(ids, std::vector<std::string>(expected.begin(), expected.begin() + count));
          }
          EXPECT_EQ(response.total_hits, static_cast<int64_t>(expected.size()));
        }
      }
    }
    EXPECT_GT(found, 1000u);  // not all filters select nothing
  }
}

}  // namespace
}  // namespace recall
