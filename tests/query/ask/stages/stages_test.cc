// Each stage, compared with a brute-force version that uses the texts of the hits.

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/query/ask/stages/stage_fixture.h"

namespace recall {
namespace {

using ScoredTitles = std::vector<std::pair<std::string, double>>;

// score = best * (score / best + weight * evidence) / (1 + weight)
ScoredTitles WithEvidence(const std::vector<SearchHit>& head, std::vector<double> evidence,
                          double weight) {
  double most = 0;
  for (const double value : evidence) most = std::max(most, value);
  ScoredTitles ranking;
  for (size_t i = 0; i < head.size(); ++i) {
    const double share = most > 0 ? evidence[i] / most : 0;
    ranking.emplace_back(head[i].chunk.id,
                         (head[i].score + weight * share * head[0].score) / (1 + weight));
  }
  return ranking;
}

class StagesTest : public StageFixture {
 protected:
  double Cosine(const SearchHit& a, const SearchHit& b) {
    std::map<std::string, std::pair<double, double>> counts;
    for (const std::string& stem : Stems(a)) counts[stem].first += 1;
    for (const std::string& stem : Stems(b)) counts[stem].second += 1;
    double product = 0;
    double left = 0;
    double right = 0;
    for (const auto& [stem, both] : counts) {
      product += both.first * both.second;
      left += both.first * both.first;
      right += both.second * both.second;
    }
    return left > 0 && right > 0 ? product / std::sqrt(left * right) : 0;
  }
};

TEST_F(StagesTest, ARankerOfTheUsersOwnOrdersByItsScoresAlone) {
  FillStore();
  for (const SearchMode mode : {SearchMode::kHybrid, SearchMode::kLexical}) {
    mode_ = mode;
    const std::vector<SearchHit> head = Head();
    std::vector<double> sizes;
    for (const SearchHit& hit : head) {
      const nlohmann::json line = {{"query", Request().text},
                                   {"id", hit.chunk.id},
                                   {"path", hit.doc.path},
                                   {"heading", hit.chunk.heading},
                                   {"text", hit.chunk.text}};
      sizes.push_back(static_cast<double>(line.dump().size()));
      ASSERT_TRUE(sizes.back() >= 100 && sizes.back() < 1000);
    }
    const auto [least, most] = std::ranges::minmax(sizes);
    ASSERT_LT(least, most);
    for (const double weight : {1.0, 0.25}) {
      ScoredTitles scaled;
      ScoredTitles as_they_are;
      const double best = head[0].score;
      for (size_t i = 0; i < head.size(); ++i) {
        const auto score = [&](double share) {
          const double mix = (1 - weight) * head[i].score / best + weight * share;
          return best * (2e-6 + (1 - 2e-6) * mix);
        };
        scaled.emplace_back(head[i].chunk.id, score((sizes[i] - least) / (most - least)));
        as_they_are.emplace_back(head[i].chunk.id, score(sizes[i] / 1000));
      }
      Sort(scaled);
      Sort(as_they_are);
      const std::string parameter = weight == 1 ? "" : ":weight=0.25";
      ExpectHead("ranker:name=sizes" + parameter, scaled);
      ExpectHead("ranker:name=shares" + parameter, as_they_are);
    }
    // Equal scores say nothing about the order.
    ScoredTitles same;
    for (const SearchHit& hit : head) same.emplace_back(hit.chunk.id, head[0].score);
    ExpectHead("ranker:name=same", same);
  }
}

// Shares of evidence near 0, as a sigmoid has them, are an order, too.
TEST_F(StagesTest, ARankerOrdersTheIrrelevantToo) {
  FillStore(20);
  for (const auto& [fraction, last_first] : {std::pair("1e-$i", false), {"${i}e-40", true}}) {
    SCOPED_TRACE(fraction);
    Reopen({.rankers = {{.name = "tiny",
                         .command = {"/bin/sh", "-c",
                                     "i=100; while read -r line; do i=$((i+1)); echo " +
                                         std::string(fraction) + "; done"}}}});
    std::vector<SearchHit> expected = Head();
    if (last_first) std::ranges::reverse(expected);
    const std::vector<SearchHit> ranked = Hits("ranker:name=tiny");
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(ranked[i].chunk.id, expected[i].chunk.id) << i;
    }
  }
}

TEST_F(StagesTest, ARankerThatFailsIsAnErrorOfTheQuery) {
  FillStore(4);
  Reopen({.rankers = {{.name = "mine", .command = {"/bin/sh", "-c", "exit 3"}}}});
  const auto failed = database_->Search(Request("ranker:name=mine"));
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error().code(), StatusCode::kIoError);
  EXPECT_NE(failed.error().message().find("exited with code 3"), std::string::npos);
  const auto unknown = database_->Search(Request("ranker:name=mind"));
  ASSERT_FALSE(unknown.has_value());
  EXPECT_EQ(unknown.error().code(), StatusCode::kNotFound);
  EXPECT_EQ(unknown.error().hint(), "did you mean mine?");
}

TEST_F(StagesTest, MmrTakesTheMostMarginallyRelevantOneByOne) {
  FillStore();
  for (const SearchMode mode : {SearchMode::kHybrid, SearchMode::kLexical}) {
    mode_ = mode;
    for (const double lambda : {0.7, 0.2}) {
      std::vector<SearchHit> left = Head();
      std::map<std::pair<std::string, std::string>, double> cosines;
      for (const SearchHit& a : left) {
        for (const SearchHit& b : left) cosines[{a.chunk.id, b.chunk.id}] = Cosine(a, b);
      }
      std::vector<SearchHit> chosen;
      ScoredTitles ranking;
      const size_t count = left.size();
      while (ranking.size() < count) {
        size_t best = 0;
        double best_value = -1;
        for (size_t i = 0; i < left.size(); ++i) {
          double nearest = 0;
          for (const SearchHit& above : chosen) {
            nearest = std::max(nearest, cosines[{left[i].chunk.id, above.chunk.id}]);
          }
          const double value = left[i].score * (1 - (1 - lambda) * nearest);
          if (value > best_value + 1e-12) {
            best = i;
            best_value = value;
          }
        }
        ranking.emplace_back(left[best].chunk.id, best_value);
        chosen.push_back(left[best]);
        left.erase(left.begin() + static_cast<ptrdiff_t>(best));
      }
      ExpectHead(lambda == 0.7 ? "mmr" : "mmr:lambda=0.2", ranking);
    }
  }
}

TEST_F(StagesTest, NearDuplicatesStandBehindTheBestOfThem) {
  Create({.chunk_tokens = 64, .overlap_tokens = 0});
  std::mt19937_64 random(8);
  for (int i = 0; i < 200; ++i) {
    std::string text = RandomText(random, 40);
    WriteFile("d" + std::to_string(i) + ".txt", text);
    // Near-duplicates: an equal text, one with an additional word, and the second half of one.
    if (i % 3 == 0) WriteFile("e" + std::to_string(i) + ".txt", text);
    if (i % 4 == 0) WriteFile("f" + std::to_string(i) + ".txt", text + " alpha");
    if (i % 5 == 0) WriteFile("g" + std::to_string(i) + ".txt", text.substr(text.size() / 2));
  }
  Add();
  const auto shingles = [&](const SearchHit& hit) {
    const std::vector<std::string> stems = Stems(hit);
    std::set<std::vector<std::string>> runs;
    for (size_t i = 0; i + 4 <= stems.size(); ++i) {
      runs.insert({stems.begin() + static_cast<ptrdiff_t>(i),
                   stems.begin() + static_cast<ptrdiff_t>(i + 4)});
    }
    return runs;
  };
  for (const double threshold : {0.8, 0.6, 0.47, 0.44}) {
    seen_ = threshold == 0.6 ? 140 : 100;
    std::string stage = "near-duplicates:threshold=" + std::to_string(threshold).substr(0, 4);
    if (seen_ != 100) stage += ":window=" + std::to_string(seen_);
    std::vector<SearchHit> kept;
    std::map<std::string, std::vector<std::string>> stands_for;
    for (const SearchHit& hit : Head()) {
      const auto own = shingles(hit);
      const auto like = std::ranges::find_if(kept, [&](const SearchHit& other) {
        const auto others = shingles(other);
        size_t both = 0;
        for (const auto& run : own) both += others.count(run);
        return static_cast<double>(both) >=
               threshold * static_cast<double>(own.size() + others.size() - both);
      });
      if (like == kept.end()) {
        kept.push_back(hit);
      } else {
        stands_for[like->chunk.id].push_back(hit.chunk.id);
      }
    }
    ASSERT_GT(stands_for.size(), 5u);
    ScoredTitles ranking;
    for (const SearchHit& hit : kept) ranking.emplace_back(hit.chunk.id, hit.score);
    ExpectHead(stage, ranking);
    for (const SearchHit& hit : Hits(stage)) {
      std::vector<std::string> ids;
      for (const StandsFor& other : hit.stands_for) ids.push_back(other.chunk_id);
      EXPECT_EQ(ids, stands_for[hit.chunk.id]);
    }
  }
}

TEST_F(StagesTest, ADocumentHasNoMoreHitsThanTheCap) {
  FillStore(40);
  for (const size_t most : {1, 2}) {
    std::map<std::string, size_t> shown;
    ScoredTitles ranking;
    for (const SearchHit& hit : Head()) {
      if (++shown[hit.doc.path] <= most) ranking.emplace_back(hit.chunk.id, hit.score);
    }
    const std::string stage = "per-document:max=" + std::to_string(most);
    ExpectHead(stage, ranking, [&](const SearchHit& hit) { return shown[hit.doc.path] < most; });
  }
}

TEST_F(StagesTest, RecencyHalvesWhatIsBeyondItsWeight) {
  FillStore();
  std::mt19937_64 random(3);
  const auto now = std::filesystem::file_time_type::clock::now();
  for (int i = 0; i < 60; ++i) {
    std::filesystem::last_write_time(dir_ / ("d" + std::to_string(i) + ".txt"),
                                     now - std::chrono::hours(random() % 4000));
  }
  Add();
  SearchRequest request = Request();
  const UnixNanos as_of = *ParseRfc3339(Hits()[0].doc.mtime) + int64_t{86'400} * 1'000'000'000;
  request.scope.as_of = as_of;
  ScoredTitles ranking;
  std::vector<SearchHit> head = Head();
  for (const SearchHit& hit : head) {
    const double age =
        static_cast<double>(as_of - *ParseRfc3339(hit.doc.mtime)) / 1e9 / 86'400;  // days
    const double share = std::exp2(-std::max(age, 0.0) / 20);
    ranking.emplace_back(hit.chunk.id, hit.score * (0.4 + 0.6 * share));
  }
  Sort(ranking);
  request.ranking.stages = "recency:half-life=20d:weight=0.6";
  const SearchResponse found = Search(request);
  EXPECT_EQ(found.as_of, as_of);
  bool moved = false;
  for (size_t i = 0; i < ranking.size(); ++i) {
    EXPECT_EQ(found.hits[i].chunk.id, ranking[i].first);
    EXPECT_NEAR(found.hits[i].score, ranking[i].second, 1e-12);
    moved |= found.hits[i].chunk.id != head[i].chunk.id;
  }
  EXPECT_TRUE(moved);
  // Without --as-of the present time counts, and the answer contains it.
  request.scope.as_of.reset();
  const SearchResponse by_clock = Search(request);
  ASSERT_TRUE(by_clock.as_of.has_value());
  request.scope.as_of = by_clock.as_of;
  const SearchResponse again = Search(request);
  ASSERT_EQ(again.hits.size(), by_clock.hits.size());
  for (size_t i = 0; i < again.hits.size(); ++i) {
    EXPECT_EQ(again.hits[i].score, by_clock.hits[i].score);
  }
}

TEST_F(StagesTest, ProximityIsBm25OverPairsOfNeighboursInTheQuestion) {
  FillStore();
  const std::vector<SearchHit> head = Head();
  const std::pair<std::string, std::string> asked[] = {
      {"alpha", "memori"}, {"memori", "index"}, {"index", "budget"}};
  std::vector<double> evidence(head.size(), 0);
  double lengths = 0;
  for (const SearchHit& hit : head) lengths += static_cast<double>(Stems(hit).size());
  for (const auto& [a, b] : asked) {
    std::vector<double> counts;
    double holders = 0;
    for (const SearchHit& hit : head) {
      const std::vector<std::string> stems = Stems(hit);
      double count = 0;
      for (size_t i = 0; i < stems.size(); ++i) {
        for (size_t j = 0; j < stems.size(); ++j) {
          if (stems[i] == a && stems[j] == b && (i > j ? i - j : j - i) <= 3) ++count;
        }
      }
      counts.push_back(count);
      holders += count > 0 ? 1 : 0;
    }
    ASSERT_GT(holders, 2);
    const double n = static_cast<double>(head.size());
    const double idf = std::log(1 + (n - holders + 0.5) / (holders + 0.5));
    for (size_t i = 0; i < head.size(); ++i) {
      const double length = static_cast<double>(Stems(head[i]).size()) / (lengths / n);
      evidence[i] += idf * counts[i] * 2.2 / (counts[i] + 1.2 * (0.25 + 0.75 * length));
    }
  }
  ScoredTitles ranking = WithEvidence(head, evidence, 0.3);
  Sort(ranking);
  ExpectHead("proximity:weight=0.3", ranking);
}

TEST_F(StagesTest, Rm3AsksForWhatTheBestHitsSayToo) {
  FillStore();
  // All chunks of the store, because BM25 needs their counts.
  QueryRequest all;
  all.rql = "FROM chunk LIMIT 100000 SELECT *";
  ASSERT_OK_AND_ASSIGN(const QueryResponse store, database_->Query(all));
  std::map<std::string, double> df;
  double tokens = 0;
  const auto body = [&](const ChunkView& chunk) {
    LexicalText text;
    tokenizer_.Analyze(chunk.heading, chunk.text, &text);
    return text;
  };
  for (const QueryRow& row : store.rows) {
    const LexicalText text = body(*row.chunk);
    tokens += text.tokens;
    const std::vector<std::string> stems = Telling(text.body);
    for (const std::string& stem : std::set<std::string>(stems.begin(), stems.end())) df[stem] += 1;
  }
  const double n = static_cast<double>(store.rows.size());
  const std::vector<SearchHit> head = Head();
  std::map<std::string, double> likely;
  std::map<std::string, int> holders;
  for (size_t i = 0; i < head.size(); ++i) {
    const std::vector<std::string> stems = Stems(head[i]);
    for (const std::string& stem : std::set<std::string>(stems.begin(), stems.end())) {
      ++holders[stem];
      const auto count = static_cast<double>(std::ranges::count(stems, stem));
      if (i < 3) likely[stem] += head[i].score * count / static_cast<double>(stems.size());
    }
  }
  ScoredTitles terms;
  for (const auto& [stem, share] : likely) {
    if (holders[stem] >= 2) terms.emplace_back(stem, share);
  }
  Sort(terms);
  terms.resize(7);
  std::vector<double> evidence(head.size(), 0);
  for (const auto& [stem, share] : terms) {
    const double weight = std::ceil(1000 * share / terms[0].second);
    const double idf = std::log(1 + (n - df[stem] + 0.5) / (df[stem] + 0.5));
    for (size_t i = 0; i < head.size(); ++i) {
      const LexicalText text = body(head[i].chunk);
      const auto tf = static_cast<double>(std::ranges::count(Telling(text.body), stem));
      const double norm = 1.5 * (0.25 + 0.75 * text.tokens / (tokens / n));
      evidence[i] += weight * idf * tf * 2.5 / (tf + norm);
    }
  }
  ScoredTitles ranking = WithEvidence(head, evidence, 0.5);
  Sort(ranking);
  ExpectHead("rm3:docs=3:terms=7:weight=0.5", ranking);
}

TEST_F(StagesTest, FieldsCountTheQuestionsWordsInTitleHeadingTagAndPath) {
  WriteFile("alpha/x.md", "# Memory\n\nalpha memory text one\n\n## Index\n\nalpha two memory\n");
  WriteFile("b.txt", "Budget alpha\nmemory text three four\n");
  AddRequest tagged;
  tagged.paths = {dir_ / "alpha"};
  tagged.tag = "index memory";
  Add(tagged);
  Add();
  const std::vector<SearchHit> before = Hits();
  std::map<std::string, double> expected;
  for (const SearchHit& hit : before) {
    // The words of the query are: alpha, memory, index, budget.
    const bool markdown = hit.doc.path == "alpha/x.md";
    const bool second = hit.chunk.heading == "Memory > Index";
    const double title = markdown ? 1 : 2;
    const double heading = markdown ? (second ? 2 : 1) : 0;
    const double tag = hit.doc.tag ? 2 : 0;
    const double path = markdown ? 1 : 0;
    const double sum = (0.4 * title + 0.3 * heading + 0.2 * tag + 0.1 * path) / 4;
    expected[hit.chunk.id] = (2 * hit.score + before[0].score * sum) / 3;
  }
  const std::vector<SearchHit> after = Hits("fields:title=0.4:heading=0.3:tag=0.2:path=0.1:body=2");
  ASSERT_EQ(after.size(), before.size());
  ASSERT_GE(after.size(), 2u);
  for (const SearchHit& hit : after) EXPECT_NEAR(hit.score, expected[hit.chunk.id], 1e-12);
}

TEST_F(StagesTest, KeywordsLiftWhatTheirRulesName) {
  FillStore();
  const std::vector<SearchHit> head = Head();
  SearchRequest request = Request("keywords");
  request.ranking.keywords =
      "unasked word => doc.path = 'd1.txt'\n"
      "Memories other => doc.path GLOB 'd1*' => 0.5\n"
      "budget => chunk.tokens > 20\n";
  ScoredTitles ranking;
  for (const SearchHit& hit : head) {
    double sum = 0;
    if (hit.doc.path.starts_with("d1")) sum += 0.5;
    if (hit.chunk.tokens > 20) sum += 0.2;
    ranking.emplace_back(hit.chunk.id, (hit.score + head[0].score * sum) / 1.7);
  }
  Sort(ranking);
  const std::vector<SearchHit> found = Search(request).hits;
  for (size_t i = 0; i < ranking.size(); ++i) {
    EXPECT_EQ(found[i].chunk.id, ranking[i].first) << i;
    EXPECT_NEAR(found[i].score, ranking[i].second, 1e-12);
  }
  for (const char* bad : {"", "memory", "memory => doc.path = 'x' => 2", "=> doc.path = 'x'",
                          "memory =>", "other => doc.nothing = 1"}) {
    request.ranking.keywords = bad;
    const auto refused = database_->Search(request);
    ASSERT_FALSE(refused.has_value()) << bad;
    EXPECT_EQ(refused.error().code(), StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace recall
