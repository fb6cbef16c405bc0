#include "query/database/database.h"

#include <algorithm>
#include <set>

#include "tests/query/query_fixture.h"

namespace recall {
namespace {

class DatabaseTest : public QueryFixture {};

TEST_F(DatabaseTest, FindsWhatWasAddedWithProvenanceToTheByte) {
  const std::string text = "# Guide\n\nFirst words.\n\n## Install\n\nRun the installer as root.\n";
  WriteFile("docs/guide.md", text);
  WriteFile("other.txt", "nothing to see here");
  const AddReport report = Add();
  EXPECT_EQ(report.added, 2);
  const SearchResponse response = Search("installer", SearchMode::kLexical);
  ASSERT_EQ(response.hits.size(), 1u);
  const SearchHit& hit = response.hits[0];
  EXPECT_EQ(hit.doc.path, "docs/guide.md");
  EXPECT_EQ(hit.chunk.text,
            text.substr(hit.chunk.start_byte, hit.chunk.end_byte - hit.chunk.start_byte));
  EXPECT_NE(hit.chunk.text.find("Run the installer"), std::string::npos);
  EXPECT_EQ(hit.chunk.heading, "Guide > Install");
  EXPECT_GT(hit.score, 0);
  EXPECT_LE(hit.score, 1);
}

TEST_F(DatabaseTest, AddingAgainChangesNothing) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20; ++i)
    WriteFile("d/" + std::to_string(i) + ".txt", RandomText(random, 400));
  EXPECT_EQ(Add().added, 20);
  const std::string before = Search("alpha").store.snapshot;
  const AddReport again = Add();
  EXPECT_EQ(again.unchanged, 20);
  EXPECT_EQ(again.added + again.updated + again.refreshed + again.chunks, 0);
  EXPECT_EQ(Search("alpha").store.snapshot, before);
}

TEST_F(DatabaseTest, EditsReplaceAndMayGoBack) {
  WriteFile("a.txt", "the quick brown fox");
  Add();
  const std::string first_id = Search("fox").hits.at(0).doc.id;
  WriteFile("a.txt", "a lazy dog sleeps");
  EXPECT_EQ(Add().updated, 1);
  EXPECT_TRUE(Search("fox", SearchMode::kLexical).hits.empty());
  EXPECT_EQ(Search("dog", SearchMode::kLexical).hits.size(), 1u);
  WriteFile("a.txt", "the quick brown fox");
  EXPECT_EQ(Add().updated, 1);
  EXPECT_TRUE(Search("dog", SearchMode::kLexical).hits.empty());
  EXPECT_EQ(Search("fox").hits.at(0).doc.id, first_id);
  EXPECT_EQ(Search("fox").store.docs, 1);
  EXPECT_EQ(Search("fox").store.chunks, 1);
}

TEST_F(DatabaseTest, TagsStayUntilGivenAnew) {
  WriteFile("a.txt", "text one");
  AddRequest request;
  request.tag = "first";
  Add(request);
  EXPECT_EQ(Search("one").hits.at(0).doc.tag, "first");
  WriteFile("a.txt", "text one two");
  Add();
  EXPECT_EQ(Search("two").hits.at(0).doc.tag, "first");
  request.tag = "second";
  EXPECT_EQ(Add(request).refreshed, 1);
  EXPECT_EQ(Search("two").hits.at(0).doc.tag, "second");
}

TEST_F(DatabaseTest, RemovedDocumentsAreFoundByNoRetrieverAndPurgeDeletesThem) {
  WriteFile("keep/a.txt", "apple banana cherry");
  WriteFile("drop/b.txt", "apple banana cherry date");
  WriteFile("drop/c.txt", "apple elderberry");
  Add();
  RemoveRequest request;
  request.targets = {dir_ / "drop", "no-such-thing"};
  ASSERT_OK_AND_ASSIGN(const RemoveReport removed, database_->Remove(request));
  EXPECT_EQ(removed.removed.size(), 2u);
  EXPECT_EQ(removed.not_found, std::vector<std::string>{"no-such-thing"});
  const auto check = [&] {
    for (const SearchMode mode :
         {SearchMode::kHybrid, SearchMode::kLexical, SearchMode::kSemantic}) {
      for (const SearchHit& hit : Search("apple banana cherry", mode).hits) {
        EXPECT_EQ(hit.doc.path, "keep/a.txt");
      }
      EXPECT_EQ(Search("apple banana cherry", mode).hits.size(), 1u);
    }
  };
  check();
  RemoveRequest purge;
  purge.purge = true;
  ASSERT_OK_AND_ASSIGN(const RemoveReport purged, database_->Remove(purge));
  EXPECT_EQ(purged.purged_docs, 2);
  check();
  ASSERT_OK_AND_ASSIGN(const StatsReport stats, database_->Stats());
  EXPECT_EQ(stats.removed_docs, 0);
  EXPECT_EQ(stats.removed_chunks, 0);
  EXPECT_EQ(stats.store.docs, 1);
  Reopen();
  check();
}

TEST_F(DatabaseTest, PurgeLeavesNoTraceInTheFile) {
  const auto file_bytes = [this] {
    std::ifstream file(StorePath(), std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  std::mt19937_64 random(9);
  // Two words with a common prefix, which an index stores only once; so search for the rest.
  WriteFile("secret-zyzzyva.txt", RandomText(random, 200'000) + " 0quokka 0quokkawombat");
  WriteFile("kept.txt", "kept words");
  Add();
  RemoveRequest request;
  request.targets = {dir_ / "secret-zyzzyva.txt"};
  ASSERT_OK(database_->Remove(request));
  database_.reset();
  const std::string removed = file_bytes();
  EXPECT_NE(removed.find("secret-zyzzyva"), std::string::npos);
  EXPECT_NE(removed.find("wombat"), std::string::npos) << "in the lexicon";
  Reopen();
  request = {};
  request.purge = true;
  ASSERT_OK(database_->Remove(request));
  EXPECT_EQ(Paths(Search("kept")), std::vector<std::string>{"kept.txt"});
  database_.reset();
  const std::string purged = file_bytes();
  EXPECT_EQ(purged.find("secret-zyzzyva"), std::string::npos);
  EXPECT_EQ(purged.find("wombat"), std::string::npos);
  EXPECT_LT(purged.size(), removed.size());
}

TEST_F(DatabaseTest, RequiredAndExcludedWordsBindBothRetrievers) {
  WriteFile("a.txt", "red green blue");
  WriteFile("b.txt", "red green");
  WriteFile("c.txt", "red yellow");
  Add();
  EXPECT_EQ(Paths(Search("red green -blue")), (std::vector<std::string>{"b.txt", "c.txt"}));
  EXPECT_EQ(Paths(Search("+green red yellow")).size(), 2u);
  EXPECT_EQ(Paths(Search("+green -blue")), std::vector<std::string>{"b.txt"});
}

// Excluded chunks must not take places among the 200 candidates of the semantic retriever.
TEST_F(DatabaseTest, ExclusionsApplyBeforeTheSemanticTopK) {
  Create({.embedder = "hash"});
  for (int i = 0; i < 250; ++i) WriteFile(std::to_string(i) + ".txt", "==> zebra blue");
  WriteFile("arrow.txt", "==> elsewhere");  // shares only the arrow with the query
  Add();
  EXPECT_EQ(Paths(Search("==> zebra -blue")), std::vector<std::string>{"arrow.txt"});
}

TEST_F(DatabaseTest, EqualScoresAreOrderedByPath) {
  for (const char* name : {"z.txt", "m.txt", "b.txt", "a/k.txt", "a.txt"}) {
    WriteFile(name, "identical words everywhere");
  }
  AddRequest request;
  for (const char* name : {"m.txt", "z.txt", "a.txt"}) {  // rowids are not in the order of paths
    request.paths = {dir_ / name};
    Add(request);
  }
  Add();
  const std::vector<std::string> expected = {"a.txt", "a/k.txt", "b.txt", "m.txt", "z.txt"};
  SearchRequest search;
  search.text = "identical words";
  search.identical = IdenticalChunks::kKeep;
  EXPECT_EQ(Paths(Search(search)), expected);
  search.k = 2;
  EXPECT_EQ(Paths(Search(search)),
            std::vector<std::string>(expected.begin(), expected.begin() + 2));
}

TEST_F(DatabaseTest, PagesJoinToOneBigPage) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 40; ++i) WriteFile(std::to_string(i) + ".txt", RandomText(random, 300));
  Add();
  SearchRequest request;
  request.text = "memory thread budget";
  request.k = 60;
  const SearchResponse whole = Search(request);
  ASSERT_EQ(whole.hits.size(), 60u);
  std::vector<std::string> ids;
  request.k = 7;
  for (std::optional<int64_t> next = 0; next && ids.size() < 60;) {
    request.offset = static_cast<size_t>(*next);
    const SearchResponse page = Search(request);
    for (const SearchHit& hit : page.hits) ids.push_back(hit.chunk.id);
    next = page.next_offset;
  }
  for (size_t i = 0; i < 60; ++i) EXPECT_EQ(ids.at(i), whole.hits[i].chunk.id) << i;
}

TEST_F(DatabaseTest, NonsenseScoresLowAndRealAnswersHigher) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 50; ++i) WriteFile(std::to_string(i) + ".txt", RandomText(random, 200));
  WriteFile("answer.txt", "The zymurgist brews ale with wild yeast.");
  Add();
  const double real = Search("zymurgist wild yeast").hits.at(0).score;
  const SearchResponse nonsense = Search("qwxzv plugh xyzzy");
  const double worst = nonsense.hits.empty() ? 0 : nonsense.hits[0].score;
  EXPECT_GT(real, 0.4);
  EXPECT_LT(worst, 0.1);
}

TEST_F(DatabaseTest, NoUserTextFails) {
  WriteFile("a.txt", "some text to search through");
  Add();
  for (const std::string& text :
       {std::string("\""), std::string("AND OR NOT"), std::string("foo:bar^2*"), std::string("-"),
        std::string("+ - *"), std::string("NEAR(a b)"), std::string("{a b} : c"),
        std::string("a\0b", 3), std::string("\xFF\xFE"), std::string(20'000, '"'),
        std::string("text OR OR -\"")}) {
    for (const SearchMode mode :
         {SearchMode::kHybrid, SearchMode::kLexical, SearchMode::kSemantic}) {
      SearchRequest request;
      request.text = text;
      request.mode = mode;
      EXPECT_OK(database_->Search(request));
      request.lexical_mode = LexicalMode::kLiteral;
      EXPECT_OK(database_->Search(request));
    }
  }
}

TEST_F(DatabaseTest, BadRequestsAreRefused) {
  SearchRequest request;
  request.text = "  \n ";
  EXPECT_EQ(database_->Search(request).error().code(), StatusCode::kInvalidArgument);
  request.text = "x";
  request.k = 0;
  EXPECT_EQ(database_->Search(request).error().code(), StatusCode::kInvalidArgument);
  AddRequest add;
  add.paths = {dir_ / "missing"};
  EXPECT_EQ(database_->Add(add).error().code(), StatusCode::kNotFound);
  EXPECT_EQ(Database::Create(StorePath(), {}).error().code(), StatusCode::kAlreadyExists);
  EXPECT_EQ(Database::Open(dir_ / "none.db").error().code(), StatusCode::kStoreNotFound);
}

TEST_F(DatabaseTest, DryRunsChangeNothing) {
  WriteFile("a.txt", "words");
  AddRequest add;
  add.dry_run = true;
  EXPECT_EQ(Add(add).added, 1);
  EXPECT_TRUE(Search("words").hits.empty());
  Add();
  RemoveRequest remove;
  remove.targets = {dir_ / "a.txt"};
  remove.dry_run = true;
  ASSERT_OK_AND_ASSIGN(const RemoveReport report, database_->Remove(remove));
  EXPECT_EQ(report.removed.size(), 1u);
  EXPECT_EQ(Search("words").hits.size(), 1u);
}

TEST_F(DatabaseTest, EmptyStoreAnswers) {
  for (const SearchMode mode : {SearchMode::kHybrid, SearchMode::kLexical, SearchMode::kSemantic}) {
    EXPECT_TRUE(Search("anything", mode).hits.empty());
  }
  ASSERT_OK_AND_ASSIGN(const StatsReport stats, database_->Stats());
  EXPECT_EQ(stats.store.docs, 0);
}

}  // namespace
}  // namespace recall
