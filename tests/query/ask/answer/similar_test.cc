// Documents and chunks similar to a chunk, a document or lines: never the source itself, and only
// within the scope.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "tests/query/query_fixture.h"

namespace recall {
namespace {

class SimilarTest : public QueryFixture {
 protected:
  SimilarResponse Similar(const SimilarRequest& request) {
    auto response = database_->Similar(request);
    EXPECT_TRUE(response.has_value()) << response.error().ToString();
    return response ? *response : SimilarResponse();
  }

  SimilarResponse Similar(const std::string& target, SearchMode mode = SearchMode::kHybrid,
                          size_t k = 1000) {
    SimilarRequest request;
    request.target = target;
    request.search.mode = mode;
    request.search.k = k;
    return Similar(request);
  }

  // All chunks of the store, selected by a filter that is always true.
  std::vector<QueryRow> AllChunks() {
    QueryRequest request;
    request.rql = "FROM chunk SELECT *";
    auto response = database_->Query(request);
    EXPECT_TRUE(response.has_value());
    return response ? response->rows : std::vector<QueryRow>();
  }

  std::string ChunkIdOf(const std::string& path) {
    for (const QueryRow& row : AllChunks()) {
      if (row.doc.path == path) return row.chunk->id;
    }
    ADD_FAILURE() << path;
    return "";
  }
};

std::vector<std::string> WordsOf(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text + " ") {
    if (c != ' ' && c != '\n') {
      word += c;
    } else if (!word.empty()) {
      words.push_back(word);
      word.clear();
    }
  }
  return words;
}

// Words that no stemmer changes, with very different frequencies.
std::string Word(size_t n) { return "w" + std::to_string(n) + "z"; }

std::string SkewedText(std::mt19937_64& random, size_t words) {
  std::string text;
  for (size_t i = 0; i < words; ++i) {
    const double u = static_cast<double>(random() % 100'000 + 1) / 100'000;
    text += Word(static_cast<size_t>(std::pow(u, 3) * 4000)) + " ";
  }
  return text;
}

TEST_F(SimilarTest, NearDuplicateFirstAndNeverTheThingItself) {
  WriteFile("a.txt",
            "The writer appends frames to the log and syncs it before a commit returns.\n");
  WriteFile("b.txt",
            "The writer appends frames to the log and syncs it before each commit ends.\n");
  WriteFile("c.txt", "A reader ignores frames of the log that came after it began.\n");
  WriteFile("d.txt", "Cats sleep most of the day.\n");
  Add();
  for (const SearchMode mode : {SearchMode::kHybrid, SearchMode::kLexical, SearchMode::kSemantic}) {
    for (const std::string& target : {std::string("a.txt"), ChunkIdOf("a.txt")}) {
      const SimilarResponse near = Similar(target, mode);
      ASSERT_GE(near.hits.size(), 2u);
      EXPECT_EQ(near.hits[0].doc.path, "b.txt");
      EXPECT_EQ(near.hits[1].doc.path, "c.txt");
      EXPECT_EQ(near.total_hits, static_cast<int64_t>(near.hits.size()));
      for (size_t i = 0; i < near.hits.size(); ++i) {
        EXPECT_NE(near.hits[i].doc.path, "a.txt");
        EXPECT_LE(near.hits[i].score, i > 0 ? near.hits[i - 1].score : 1);
        EXPECT_GT(near.hits[i].score, 0);
      }
    }
  }
}

// Equal texts have score 1 and are ordered by path, for all kinds of targets.
TEST_F(SimilarTest, TheSameTextScoresOneAndTiesComeByPath) {
  for (const char* name : {"m.txt", "c.txt", "x.txt", "a.txt"}) {
    WriteFile(name, "Merged segments replace the small ones they were made of.\n");
  }
  WriteFile("b.txt", "Small stones.\n");
  Add();
  for (const SearchMode mode : {SearchMode::kHybrid, SearchMode::kLexical, SearchMode::kSemantic}) {
    const SimilarResponse near = Similar("m.txt", mode);
    ASSERT_GE(near.hits.size(), 3u);
    for (size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(near.hits[i].doc.path, (std::array{"a.txt", "c.txt", "x.txt"})[i]);
      EXPECT_EQ(near.hits[i].score, 1) << i;
    }
    for (size_t i = 3; i < near.hits.size(); ++i) EXPECT_LT(near.hits[i].score, 1);
  }
}

// The oracle counts count * idf, and searches for the words with the largest values.
TEST_F(SimilarTest, TheTermsAreTheMostSalientAndTheRankingIsThatOfASearchForThem) {
  Create({.chunk_tokens = 200, .overlap_tokens = 0});
  std::mt19937_64 random(5);
  for (int i = 0; i < 170; ++i) {
    WriteFile("d" + std::to_string(i) + ".txt", SkewedText(random, 40 + random() % 160));
  }
  Add();
  RemoveRequest removed;
  for (int i = 0; i < 20; ++i) removed.targets.push_back(dir_ / ("d" + std::to_string(i) + ".txt"));
  ASSERT_OK(database_->Remove(removed));
  const std::vector<QueryRow> chunks = AllChunks();
  ASSERT_EQ(chunks.size(), 150u);
  std::map<std::string, int> holds;
  for (const QueryRow& row : chunks) {
    const std::vector<std::string> words = WordsOf(row.chunk->text);
    for (const std::string& word : std::set<std::string>(words.begin(), words.end())) ++holds[word];
  }
  for (size_t i = 0; i < chunks.size(); i += 7) {
    const std::vector<std::string> words = WordsOf(chunks[i].chunk->text);
    struct Rated {
      bool shared;
      double weight;
      size_t place;
      std::string word;
    };
    std::vector<Rated> rated;
    for (size_t at = 0; at < words.size(); ++at) {
      if (std::find(words.begin(), words.begin() + static_cast<ptrdiff_t>(at), words[at]) !=
          words.begin() + static_cast<ptrdiff_t>(at)) {
        continue;
      }
      const double df = holds[words[at]];
      const auto count = static_cast<double>(std::ranges::count(words, words[at]));
      rated.push_back({df > 1, count * std::log(1 + (150 - df + 0.5) / (df + 0.5)), at, words[at]});
    }
    std::ranges::sort(rated, [](const Rated& a, const Rated& b) {
      if (a.shared != b.shared) return a.shared;
      if (std::abs(a.weight - b.weight) > 1e-12) return a.weight > b.weight;
      return a.place < b.place;
    });
    rated.resize(std::min<size_t>(rated.size(), 32));
    std::ranges::sort(rated, {}, &Rated::place);
    std::string expected;
    std::string query;
    for (const Rated& r : rated) {
      expected += (expected.empty() ? "" : " ") + r.word;
      for (int n = 0; n < std::ranges::count(words, r.word); ++n) query += r.word + " ";
    }

    const SimilarResponse near = Similar(chunks[i].chunk->id, SearchMode::kLexical);
    ASSERT_EQ(near.words, expected);
    SearchResponse found = Search(query, SearchMode::kLexical, 1000);
    const double greatest = found.hits.at(0).score;
    std::erase_if(found.hits,
                  [&](const SearchHit& hit) { return hit.chunk.id == chunks[i].chunk->id; });
    ASSERT_EQ(near.hits.size(), found.hits.size());
    EXPECT_EQ(near.total_hits, found.total_hits - 1);
    for (size_t h = 0; h < near.hits.size(); ++h) {
      EXPECT_EQ(near.hits[h].chunk.id, found.hits[h].chunk.id);
      EXPECT_NEAR(near.hits[h].score, found.hits[h].score / greatest, 1e-12);
    }
  }
}

TEST_F(SimilarTest, PagesFitTogether) {
  Create({.chunk_tokens = 24, .overlap_tokens = 4});
  std::mt19937_64 random(9);
  for (int i = 0; i < 60; ++i) {
    WriteFile("d" + std::to_string(i) + ".txt", RandomText(random, 60 + random() % 60));
  }
  Add();
  for (const std::string& target : {std::string("d7.txt"), ChunkIdOf("d7.txt")}) {
    const SimilarResponse whole = Similar(target);
    ASSERT_GT(whole.hits.size(), 50u);
    EXPECT_FALSE(whole.next_offset);
    std::vector<std::string> ids;
    for (const SearchHit& hit : whole.hits) ids.push_back(hit.chunk.id);
    SimilarRequest request;
    request.target = target;
    request.search.k = 13;
    std::vector<std::string> paged;
    for (;;) {
      const SimilarResponse page = Similar(request);
      EXPECT_EQ(page.total_hits, whole.total_hits);
      for (const SearchHit& hit : page.hits) {
        EXPECT_EQ(hit.score, whole.hits.at(paged.size()).score);
        paged.push_back(hit.chunk.id);
      }
      if (!page.next_offset) break;
      EXPECT_EQ(*page.next_offset, static_cast<int64_t>(paged.size()));
      request.search.offset = paged.size();
    }
    EXPECT_EQ(paged, ids);
  }
}

TEST_F(SimilarTest, DocumentsComeOnceAndNoChunkOfTheirOwn) {
  Create({.chunk_tokens = 24, .overlap_tokens = 4});
  std::mt19937_64 random(3);
  for (int i = 0; i < 12; ++i) WriteFile("d" + std::to_string(i) + ".txt", RandomText(random, 200));
  Add();
  const SimilarResponse near = Similar("d4.txt");
  EXPECT_TRUE(near.whole_doc);
  std::set<std::string> paths;
  for (const SearchHit& hit : near.hits) {
    EXPECT_NE(hit.doc.path, "d4.txt");
    EXPECT_TRUE(paths.insert(hit.doc.path).second) << hit.doc.path;
  }
  EXPECT_EQ(paths.size(), 11u);

  // Other chunks of the same document may be similar; the chunk itself is excluded.
  const std::string id = ChunkIdOf("d4.txt");
  bool own_document = false;
  for (const SearchHit& hit : Similar(id).hits) {
    EXPECT_NE(hit.chunk.id, id);
    own_document |= hit.doc.path == "d4.txt";
  }
  EXPECT_TRUE(own_document);
}

TEST_F(SimilarTest, LinesAreNotNearTheChunksTheyAreFrom) {
  WriteFile("a.txt", "alpha beta gamma\ndelta epsilon\n");
  WriteFile("b.txt", "delta epsilon zeta\n");
  WriteFile("c.txt", "alpha beta gamma\n");
  Add();
  const SimilarResponse near = Similar("a.txt:2:1");
  EXPECT_FALSE(near.whole_doc);
  EXPECT_EQ(near.words, "delta epsilon");
  EXPECT_EQ(Paths(near), std::vector<std::string>{"b.txt"});
}

TEST_F(SimilarTest, NorAreTheyNearAnyOfSeveral) {
  Create({.chunk_tokens = 8, .overlap_tokens = 2});
  std::mt19937_64 random(8);
  WriteFile("a.txt", RandomText(random, 60));
  WriteFile("b.txt", RandomText(random, 60));
  Add();
  const SimilarResponse near = Similar("a.txt:1:4");
  size_t own_document = 0;
  for (const SearchHit& hit : near.hits) {
    if (hit.doc.path != "a.txt") continue;
    ++own_document;
    EXPECT_GE(hit.chunk.start_byte, near.chunk.end_byte);
  }
  EXPECT_GT(own_document, 0u);
  EXPECT_GT(near.chunk.tokens, 8u);  // more than one chunk has
}

TEST_F(SimilarTest, FiltersAreStrictAndNeedNotLetTheSourceThrough) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 40; ++i) {
    WriteFile((i % 2 ? "odd/" : "even/") + std::to_string(i) + ".txt", RandomText(random, 40));
  }
  Add();
  for (const std::string& target : {std::string("odd/1.txt"), ChunkIdOf("odd/1.txt")}) {
    SimilarRequest request;
    request.target = target;
    request.search.k = 100;
    request.search.scope.filter = "doc.path GLOB 'even/*'";
    const SimilarResponse near = Similar(request);
    EXPECT_EQ(near.hits.size(), 20u);
    EXPECT_EQ(near.total_hits, 20);
    for (const SearchHit& hit : near.hits) EXPECT_TRUE(hit.doc.path.starts_with("even/"));

    request.search.scope.filter = "doc.path = 'odd/1.txt'";
    EXPECT_TRUE(Similar(request).hits.empty());
    request.search.scope.filter = "doc.path = 'none'";
    EXPECT_TRUE(Similar(request).hits.empty());
    EXPECT_EQ(Similar(request).total_hits, 0);
    request.search.scope.filter = "doc.path =";
    EXPECT_EQ(database_->Similar(request).error().code(), StatusCode::kInvalidArgument);
  }
}

TEST_F(SimilarTest, RemovedChunksNeverButAtTheirSnapshot) {
  WriteFile("a.txt", "quick brown foxes jump\n");
  WriteFile("b.txt", "quick brown foxes sleep\n");
  WriteFile("c.txt", "quick brown bears\n");
  Add();
  const std::string before = Similar("a.txt").store.snapshot;
  const SimilarResponse then = Similar("a.txt");
  RemoveRequest removal;
  removal.targets = {"b.txt"};
  ASSERT_TRUE(database_->Remove(removal).has_value());
  EXPECT_EQ(Paths(Similar("a.txt")), std::vector<std::string>{"c.txt"});

  WriteFile("d.txt", "quick brown foxes jump\n");
  AddRequest addition;
  addition.paths = {dir_ / "d.txt"};
  Add(addition);
  SimilarRequest request;
  request.target = "a.txt";
  request.search.scope.snapshot = before;
  const SimilarResponse again = Similar(request);
  ASSERT_EQ(Paths(again), Paths(then));
  for (size_t i = 0; i < again.hits.size(); ++i) {
    EXPECT_EQ(again.hits[i].score, then.hits[i].score);
  }
  request.target = "b.txt";
  EXPECT_EQ(Paths(Similar(request)), (std::vector<std::string>{"a.txt", "c.txt"}));
  request.search.scope.snapshot.clear();
  EXPECT_EQ(database_->Similar(request).error().code(), StatusCode::kNotFound);
  request.target = "d.txt";
  request.search.scope.snapshot = before;
  EXPECT_EQ(database_->Similar(request).error().code(), StatusCode::kNotFound);
}

// Front matter that was extracted is metadata; its keys and labels do not make documents similar.
TEST_F(SimilarTest, ExtractedFrontMatterIsNotPartOfTheQuery) {
  const auto note = [](const std::string& status, const std::string& body) {
    return "---\nstatus: " + status +
           "\nreviewer: margarethe\ntopics: [zebra, okapi]\n---\n# Note\n\n" + body + "\n";
  };
  WriteFile("a.md", note("draft", "Sourdough wants flour, water, salt and patience."));
  WriteFile("b.md", note("draft", "The harbour keeps three vessels through the winter."));
  WriteFile("c.md", "Bread of sourdough: patience, flour and salt.\n");
  AddRequest add;
  add.extract_meta = true;
  Add(add);
  const SimilarResponse found = Similar("a.md");
  ASSERT_FALSE(found.hits.empty());
  EXPECT_EQ(found.hits[0].doc.path, "c.md");
  EXPECT_EQ(found.words.find("margarethe"), std::string::npos) << found.words;
  // Without --extract-meta it is text like any other.
  WriteFile("plain.md", note("open", "Nothing else."));
  Add();
  EXPECT_NE(Similar("plain.md").words.find("margarethe"), std::string::npos);
}

TEST_F(SimilarTest, WithoutSalientTermsThereAreNoHits) {
  WriteFile("stop.txt", "to be or not to be, that is what it was for\n");
  WriteFile("stop2.txt", "to be or not to be\n");
  WriteFile("signs.txt", "--- *** !!!\n");
  WriteFile("empty.txt", "");
  WriteFile("words.txt", "lonely words\n");
  Add();
  for (const SearchMode mode : {SearchMode::kHybrid, SearchMode::kLexical, SearchMode::kSemantic}) {
    for (const char* target : {"stop.txt", "signs.txt", "empty.txt"}) {
      const SimilarResponse near = Similar(target, mode);
      EXPECT_TRUE(near.hits.empty()) << target;
      EXPECT_EQ(near.total_hits, 0);
      EXPECT_EQ(near.words, "");
      EXPECT_FALSE(near.next_offset);
    }
  }
  EXPECT_TRUE(Similar("words.txt").hits.empty());
  EXPECT_EQ(Similar("words.txt").words, "lonely words");
}

// What follows the first MiB has no influence on the query.
TEST_F(SimilarTest, OfALongTextTheFirstMebibyteIsTheQuery) {
  const std::string kept(1 << 20, 'x');
  WriteFile("short.txt", "heron " + kept.substr(7) + "\n");
  WriteFile("long.txt", "heron " + kept.substr(7) + "\n" + "otter otter otter otter\n");
  WriteFile("heron.txt", "A heron stands in the reeds.\n");
  WriteFile("otter.txt", "An otter swims past the reeds.\n");
  Add();
  for (const SearchMode mode : {SearchMode::kLexical, SearchMode::kSemantic}) {
    SCOPED_TRACE(static_cast<int>(mode));
    const SimilarResponse of_short = Similar("short.txt", mode);
    const SimilarResponse of_long = Similar("long.txt", mode);
    EXPECT_EQ(of_short.words, of_long.words);
    EXPECT_TRUE(of_short.warnings.empty());
    EXPECT_EQ(of_long.warnings,
              std::vector<std::string>{"the query is made of the first MiB of the text"});
  }
}

TEST_F(SimilarTest, UnknownAndAmbiguousTargetsAreErrors) {
  WriteFile("a.txt", "one\n");
  Add();
  SimilarRequest request;
  for (const char* target : {"none.txt", "ffffffff", "a.txt:7:1"}) {
    request.target = target;
    EXPECT_EQ(database_->Similar(request).error().code(), StatusCode::kNotFound) << target;
  }
  request.target = "a.txt";
  request.search.k = 0;
  EXPECT_EQ(database_->Similar(request).error().code(), StatusCode::kInvalidArgument);
}

// The parts of an explained hit add up to its score.
TEST_F(SimilarTest, ExplainedPartsAddUp) {
  std::mt19937_64 random(6);
  for (int i = 0; i < 30; ++i) WriteFile(std::to_string(i) + ".txt", RandomText(random, 50));
  Add();
  SimilarRequest request;
  request.target = "3.txt";
  request.search.explain = true;
  const SimilarResponse near = Similar(request);
  ASSERT_FALSE(near.hits.empty());
  for (const SearchHit& hit : near.hits) {
    EXPECT_NEAR(hit.score, std::min(hit.explain->parts.Sum() * near.explain->calibration, 1.0),
                1e-9);
  }
}

}  // namespace
}  // namespace recall
