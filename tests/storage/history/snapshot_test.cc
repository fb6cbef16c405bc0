// A snapshot shows the state in which its token was issued. The oracle is a copy of the file from
// that time.

#include <gtest/gtest.h>

#include <sstream>

#include "storage/base/clock.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

// All parts of an answer except times and the size of the file.
std::string Describe(const DocView& doc) {
  std::ostringstream out;
  out << doc.id << ' ' << doc.path << ' ' << doc.mtime << ' ' << doc.tag.value_or("-") << ' '
      << doc.source.value_or("-") << ' ' << doc.meta_json.value_or("-") << ' ' << doc.size << ' '
      << doc.tokens << ' ' << doc.chunks << ' ' << doc.origin;
  return out.str();
}

std::string Describe(const ChunkView& chunk) {
  std::ostringstream out;
  out << chunk.id << ' ' << chunk.start_byte << '-' << chunk.end_byte << ' ' << chunk.start_line
      << ' ' << chunk.heading << ' ' << chunk.text;
  return out.str();
}

std::string Describe(const AnswerFacts& facts) {
  std::ostringstream out;
  out << facts.total_hits << (facts.total_hits_is_lower_bound ? "+" : "") << " next "
      << facts.next_offset.value_or(-1) << " store " << facts.store.docs << ' '
      << facts.store.chunks << ' ' << facts.store.tokens << ' ' << facts.store.bytes << ' '
      << facts.store.snapshot << '\n';
  return out.str();
}

std::string Describe(const SearchResponse& response) {
  std::ostringstream out;
  out << Describe(static_cast<const AnswerFacts&>(response)) << std::hexfloat;
  for (const SearchHit& hit : response.hits) {
    out << hit.score << ' ' << Describe(hit.doc) << ' ' << Describe(hit.chunk) << '\n';
  }
  return out.str();
}

std::string Describe(const QueryResponse& response) {
  std::ostringstream out;
  out << Describe(static_cast<const AnswerFacts&>(response)) << std::hexfloat;
  for (const QueryRow& row : response.rows) {
    out << row.score << ' ' << Describe(row.doc);
    if (row.chunk) out << ' ' << Describe(*row.chunk);
    out << '\n';
  }
  return out.str();
}

const char* const kFilters[] = {
    "",
    "doc.tag = 'red'",
    "doc.tag != 'red'",
    "doc.tag IS NULL",
    "doc.source = 'one'",
    "NOT doc.path GLOB 'files/a/**'",
    "doc.meta.n >= 3",
    "NOT doc.meta.n = 3",
    "doc.meta.word LIKE 'b%'",
    "doc.mtime > '2020-01-03T00:00:00Z'",
    "doc.size < 400 AND doc.tag = 'red'",
    "chunk.tokens < 20",
    "chunk.text LIKE '%memory%'",
    "chunk.id >= '8' AND chunk.doc_id >= '4'",
};

const char* const kQueries[] = {
    "SELECT * FROM doc ORDER BY doc.path LIMIT 1000",
    "SELECT * FROM doc FILTER doc.meta.n > 2 ORDER BY doc.mtime DESC LIMIT 7",
    "SELECT * FROM chunk FILTER doc.tag = 'red' LIMIT 20",
    "SELECT * FROM doc USING semantic('alpha'), lexical('memory') FILTER doc.path LIKE 'files/a/%' "
    "LIMIT 5",
    "SELECT * FROM chunk FILTER doc.meta.word = 'big' ORDER BY doc.meta.n, chunk.tokens LIMIT 30",
};

class SnapshotTest : public QueryFixture {
 protected:
  // All answers of a store, at a snapshot or at present.
  static std::vector<std::string> AllAnswers(Database& database, const std::string& snapshot) {
    std::vector<std::string> answers;
    for (const char* filter : kFilters) {
      for (const SearchMode mode :
           {SearchMode::kHybrid, SearchMode::kLexical, SearchMode::kSemantic}) {
        SearchRequest request;
        request.text = "alpha memory thread";
        request.mode = mode;
        request.scope.filter = filter;
        request.scope.snapshot = snapshot;
        const auto response = database.Search(request);
        EXPECT_TRUE(response) << filter << ": " << response.error().ToString();
        if (response) answers.push_back(std::string(filter) + ": " + Describe(*response));
      }
      ContextRequest context;
      context.search.text = "omega search index";
      context.search.scope.filter = filter;
      context.search.scope.snapshot = snapshot;
      context.budget_tokens = 200;
      const auto packed = database.Context(context);
      EXPECT_TRUE(packed) << packed.error().ToString();
      if (packed) answers.push_back(packed->text);
    }
    for (const char* query : kQueries) {
      QueryRequest request;
      request.rql = query;
      request.snapshot = snapshot;
      const auto response = database.Query(request);
      EXPECT_TRUE(response) << query << ": " << response.error().ToString();
      if (response) answers.push_back(std::string(query) + ": " + Describe(*response));
    }
    return answers;
  }

  std::string Token() { return database_->Stats()->store.snapshot; }

  // Records the present state: a copy of the file, named by its token.
  void Keep() {
    const std::string token = Token();
    database_.reset();  // closing the last connection leaves a single file
    fs::copy_file(StorePath(), dir_ / ("copies/" + std::to_string(copies_.size()) + ".db"));
    copies_.push_back(token);
    Reopen();
  }

  // Compares every recorded state from number `first` on.
  void CheckCopies(size_t first) {
    for (size_t i = first; i < copies_.size(); ++i) {
      auto copy = Database::Open(dir_ / ("copies/" + std::to_string(i) + ".db"));
      ASSERT_TRUE(copy.has_value()) << copy.error().ToString();
      EXPECT_EQ(AllAnswers(*database_, copies_[i]), AllAnswers(**copy, "")) << copies_[i];
    }
  }

  void AddFile(std::mt19937_64& random, const std::string& name, size_t words) {
    const std::string path = "files/" + name;
    const std::string extension = random() % 2 == 0
                                      ? "---\nn: " + std::to_string(random() % 6) + "\nword: [" +
                                            (random() % 2 ? "big" : "small") + "]\n---\n"
                                      : "";
    WriteFile(path, extension + RandomText(random, words));
    Touch(random, path);
  }

  void Touch(std::mt19937_64& random, const std::string& path) {
    constexpr int64_t kNewYear2020 = 1'577'836'800;
    const auto day = std::chrono::sys_seconds(
        std::chrono::seconds(kNewYear2020 + int64_t(random() % 9) * 86'400));
    fs::last_write_time(dir_ / path, std::chrono::file_clock::from_sys(day));
  }

  void AddAll(std::mt19937_64& random) {
    AddRequest request;
    request.paths = {dir_ / "files"};
    request.extract_meta = true;
    if (random() % 2 == 0) request.tag = random() % 2 == 0 ? "red" : "blue";
    if (random() % 3 == 0) request.source = "one";
    Add(request);
  }

  std::string RandomName(std::mt19937_64& random) {
    return std::string(random() % 2 == 0 ? "a/" : "b/") + std::to_string(random() % 25) + ".md";
  }

  void RandomStep(std::mt19937_64& random) {
    switch (random() % 4) {
      case 0: {
        RemoveRequest remove;
        remove.targets = {dir_ / ("files/" + RandomName(random))};
        ASSERT_OK(database_->Remove(remove));
        return;
      }
      case 1: {  // only times and labels change
        for (const auto& entry : fs::recursive_directory_iterator(dir_ / "files")) {
          if (entry.is_regular_file() && random() % 3 == 0) {
            Touch(random, fs::relative(entry.path(), dir_.path()).string());
          }
        }
        return AddAll(random);
      }
      default: {
        for (int i = 0; i < 4; ++i) AddFile(random, RandomName(random), 20 + random() % 150);
        return AddAll(random);
      }
    }
  }

  std::vector<std::string> copies_;  // tokens
};

TEST_F(SnapshotTest, ShowsWhatWasThereThen) {
  for (const uint64_t seed : {1, 2}) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(TestSeed(seed));
    Create({.chunk_tokens = 24, .overlap_tokens = 4});
    fs::remove_all(dir_ / "copies");
    fs::remove_all(dir_ / "files");
    fs::create_directories(dir_ / "copies");
    fs::create_directories(dir_ / "files");
    copies_.clear();
    for (int step = 0; step < 14; ++step) {
      RandomStep(random);
      Keep();
    }
    CheckCopies(0);

    // Compaction keeps snapshots by default, and drops them on request.
    CompactRequest compact;
    ASSERT_OK(database_->Compact(compact));
    CheckCopies(0);
    const std::string oldest = copies_.front();
    compact.keep_nanos = 0;
    ASSERT_OK_AND_ASSIGN(const CompactReport report, database_->Compact(compact));
    EXPECT_GT(report.expired_snapshots, 0);
    SearchRequest request;
    request.text = "alpha";
    request.scope.snapshot = oldest;
    const auto expired = database_->Search(request);
    ASSERT_FALSE(expired.has_value());
    EXPECT_EQ(expired.error().code(), StatusCode::kExpired);
    EXPECT_NE(expired.error().message().find(report.oldest_snapshot), std::string::npos);

    // The present state is unchanged, and new snapshots work.
    Keep();
    RandomStep(random);
    Keep();
    RandomStep(random);
    CheckCopies(copies_.size() - 2);
  }
}

TEST_F(SnapshotTest, PagesFitTogetherWhileTheStoreChanges) {
  std::mt19937_64 random(5);
  Create({.chunk_tokens = 24, .overlap_tokens = 4});
  for (int i = 0; i < 40; ++i) AddFile(random, std::to_string(i) + ".md", 100);
  AddAll(random);
  SearchRequest request;
  request.text = "alpha memory";
  request.k = 10'000;
  const SearchResponse whole = Search(request);
  request.scope.snapshot = whole.store.snapshot;
  request.k = 37;
  std::vector<std::string> hits;
  for (;;) {
    const SearchResponse page = Search(request);
    EXPECT_EQ(page.store.snapshot, whole.store.snapshot);
    for (const SearchHit& hit : page.hits) hits.push_back(hit.chunk.id + hit.chunk.text);
    if (!page.next_offset) break;
    request.offset = static_cast<size_t>(*page.next_offset);
    RandomStep(random);
    if (random() % 3 == 0) {
      ASSERT_OK(database_->Compact({}));
    }
  }
  std::vector<std::string> expected;
  for (const SearchHit& hit : whole.hits) expected.push_back(hit.chunk.id + hit.chunk.text);
  EXPECT_EQ(hits, expected);
}

// More vectors than a shortlist has: the results must not change when the delta becomes a segment
// or when segments merge.
TEST_F(SnapshotTest, SegmentsMakeNoDifference) {
  std::mt19937_64 random(7);
  Create({.dim = 64, .chunk_tokens = 8, .overlap_tokens = 0});
  fs::create_directories(dir_ / "copies");
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 10; ++i) {
      WriteFile("files/" + std::to_string(round) + "-" + std::to_string(i) + ".md",
                RandomText(random, 2400));
    }
    AddAll(random);
    Keep();
  }
  ASSERT_GT(database_->Stats()->store.chunks, 8000);
  for (size_t i = 0; i < copies_.size(); ++i) {
    auto copy = Database::Open(dir_ / ("copies/" + std::to_string(i) + ".db"));
    ASSERT_TRUE(copy.has_value());
    SearchRequest request;
    request.text = "alpha memory thread";
    request.mode = SearchMode::kSemantic;
    request.k = 900;
    request.explain = true;
    const auto then = (*copy)->Search(request);
    ASSERT_TRUE(then.has_value());
    EXPECT_EQ(then->explain->semantic_method, "signatures");
    request.scope.snapshot = copies_[i];
    EXPECT_EQ(Describe(Search(request)), Describe(*then)) << i;
  }
}

TEST_F(SnapshotTest, TokensThatCannotBeReadAreErrors) {
  WriteFile("a.txt", "alpha");
  Add();
  SearchRequest request;
  request.text = "alpha";
  const std::string token = Token();
  const std::string store = token.substr(0, 9);
  const auto code = [&](const std::string& snapshot) {
    request.scope.snapshot = snapshot;
    const auto response = database_->Search(request);
    return response ? StatusCode::kOk : response.error().code();
  };
  EXPECT_EQ(code(token), StatusCode::kOk);
  EXPECT_EQ(code(store + "0"), StatusCode::kOk);  // the empty store at its creation
  EXPECT_EQ(code(store + "99"), StatusCode::kNotFound);
  EXPECT_EQ(code(store + "9223372036854775807"), StatusCode::kNotFound);
  for (const char* bad : {"9223372036854775808", "-1", "00", "1x", "", "99999999999999999999999"}) {
    EXPECT_EQ(code(store + bad), StatusCode::kInvalidArgument) << bad;
  }
  EXPECT_EQ(code("9999-12-31T00:00:00Z"), StatusCode::kInvalidArgument);
  EXPECT_EQ(code("00000000-1"), StatusCode::kInvalidArgument);
  request.scope.snapshot = store + "0";
  EXPECT_EQ(Search(request).hits.size(), 0u);
}

}  // namespace
}  // namespace recall
