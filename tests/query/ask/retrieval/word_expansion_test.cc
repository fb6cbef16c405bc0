// Words that no chunk contains are searched for as similar words of the store.

#include "query/ask/retrieval/word_expansion.h"

#include <gtest/gtest.h>

#include <random>

#include "index/write/training/training.h"
#include "storage/store/store.h"
#include "tests/query/maintenance/store_faults.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

class WordExpansionTest : public QueryFixture {
 protected:
  void SetUp() override {
    Create({.embedder = "hash", .dim = 64});
    WriteFile("a.md", "# Storage\n\nThe database keeps running while a backup is made.\n");
    WriteFile("b.md",
              "# Politik\n\nDie Regierung ber\xC3\xA4t \xC3\xBC"
              "ber Kohlekraftwerke.\n");
    WriteFile("c.md", "# Paint\n\nThe color of a memory vector.\n");
    Add();
  }

  SearchResponse Ask(const std::string& text, SearchMode mode = SearchMode::kLexical,
                     bool expand = true) {
    SearchRequest request;
    request.text = text;
    request.mode = mode;
    request.expand_words = expand;
    return Search(request);
  }
  using QueryFixture::Search;
};

TEST_F(WordExpansionTest, FindsSimilarWordsAndNamesThem) {
  for (const SearchMode mode : {SearchMode::kLexical, SearchMode::kHybrid}) {
    const SearchResponse found = Ask("databse", mode);
    ASSERT_FALSE(found.hits.empty());
    EXPECT_TRUE(found.hits[0].doc.path.ends_with("a.md"));
    EXPECT_EQ(found.expansions, (std::vector<WordExpansion>{{"databse", {"database"}}}));
    EXPECT_EQ(found.warnings,
              std::vector<std::string>{"no chunk contains 'databse'; searched for 'database'"});
  }
  EXPECT_TRUE(Ask("runnign").hits[0].doc.path.ends_with("a.md"));
  EXPECT_TRUE(Ask("colour").hits[0].doc.path.ends_with("c.md"));
  EXPECT_TRUE(Ask("Bundesregierung").hits[0].doc.path.ends_with("b.md"));
  EXPECT_TRUE(Ask("Kraftwerk").hits[0].doc.path.ends_with("b.md"));
}

// A stem or trigrams in common do not make a word that the user can have meant.
TEST_F(WordExpansionTest, WordsThatCannotHaveBeenMeantAreNotSearchedFor) {
  WriteFile(
      "d.md",
      "# Mixed\n\nThey rely on red cables, ready for redirections. Cerebras emulates callers. "
      "It was synthesised near the airfield, and the therapist was marooned with stamps.\n");
  Add();
  for (const std::string text :
       {"Redis", "zebra", "M\xC3\xBCller", "photosynthesis", "Garfield", "pist", "Maroc",
        "\xD1\x81\xD1\x82\xD0\xB0\xD0\xBC\xD0\xBF\xD1\x8B"}) {
    const SearchResponse found = Ask(text);
    EXPECT_TRUE(found.expansions.empty()) << text << " -> " << found.expansions[0].terms[0];
    EXPECT_TRUE(found.hits.empty()) << text;
    EXPECT_TRUE(Ask(text, SearchMode::kHybrid).expansions.empty()) << text;
  }
  EXPECT_EQ(Ask("Redis").warnings.back(), "no results: no chunk contains 'redis'");
  EXPECT_FALSE(Ask("airfeild").hits.empty());
  EXPECT_FALSE(Ask("theraphist").hits.empty());
  EXPECT_FALSE(Ask("synthesized").hits.empty());
  EXPECT_FALSE(Ask("synthesises").hits.empty());
}

TEST_F(WordExpansionTest, AMistypedEndingOfAnInflectionIsUndone) {
  WriteFile("d.md", "They walk home.\n");
  Add();
  EXPECT_EQ(Ask("walkign").expansions, (std::vector<WordExpansion>{{"walkign", {"walk"}}}));
}

TEST_F(WordExpansionTest, OnlyPlainWordsThatAreMissingAreExpanded) {
  for (const std::string text : {"database", "\"databse\"", "+databse", "databse*", "-databse"}) {
    EXPECT_TRUE(Ask(text).expansions.empty()) << text;
  }
  EXPECT_TRUE(Ask("databse", SearchMode::kLexical, false).expansions.empty());
  EXPECT_TRUE(Ask("databse", SearchMode::kLexical, false).hits.empty());
  EXPECT_TRUE(Ask("databse", SearchMode::kSemantic).expansions.empty());
  const SearchResponse both = Ask("database \"memry\" colur");
  EXPECT_EQ(both.expansions, (std::vector<WordExpansion>{{"colur", {"color"}}}));
}

TEST_F(WordExpansionTest, AnExpandedWordScoresBelowTheRightOne) {
  const double right = Ask("database").hits[0].score;
  const double wrong = Ask("databse").hits[0].score;
  EXPECT_LT(wrong, right);
  EXPECT_GT(wrong, 0.2 * right);
}

TEST_F(WordExpansionTest, TheFilterDecidesNothing) {
  SearchRequest request;
  request.text = "database";
  request.mode = SearchMode::kLexical;
  request.scope.filter = "doc.path GLOB '*b.md'";
  EXPECT_TRUE(Search(request).expansions.empty()) << "the store contains the word";
  request.text = "databse";
  const SearchResponse found = Search(request);
  EXPECT_TRUE(found.hits.empty());
  EXPECT_EQ(found.warnings.back(), "no results: nothing that passes the filter matches the query");
}

TEST_F(WordExpansionTest, WordsOfRemovedDocumentsAreMissing) {
  WriteFile("d.md", "databse\n");
  Add();
  EXPECT_TRUE(Ask("databse").expansions.empty());
  WriteFile("d.md", "something else\n");
  Add();
  EXPECT_EQ(Ask("databse").expansions, (std::vector<WordExpansion>{{"databse", {"database"}}}));
}

TEST_F(WordExpansionTest, WithoutResultsSimilarWordsAreNamed) {
  EXPECT_EQ(Ask("databse", SearchMode::kLexical, false).warnings.back(),
            "no results: no chunk contains 'databse'; similar: 'database'");
  EXPECT_EQ(Ask("+databse").warnings.back(),
            "no results: no chunk contains 'databse', which must occur; similar: 'database'");
  EXPECT_EQ(Ask("xqzwvk").warnings.back(), "no results: no chunk contains 'xqzwvk'");
}

// In a large store, an index of the vocabulary gives the same answers as a scan of it.
class TermIndexOfStoreTest : public QueryFixture {
 protected:
  void SetUp() override {
    Create({.embedder = "hash", .dim = 64});
    std::mt19937_64 random(TestSeed(1));
    const std::vector<std::string> syllables = {"ra", "mem", "ti", "con", "ver", "sion", "data",
                                                "ba", "se",  "or", "le",  "ing", "ed"};
    std::string lines;
    for (int i = 0; i < 500; ++i) {
      std::string text;
      for (int word = 0; word < 12; ++word) {
        for (size_t n = 2 + random() % 3; n > 0; --n)
          text += syllables[random() % syllables.size()];
        text += ' ';
      }
      lines += R"({"path": ")" + std::to_string(i) + R"(.txt", "text": ")" + text + "\"}\n";
    }
    WriteFile("texts.jsonl", lines);
    AddRequest request;
    request.jsonl = dir_ / "texts.jsonl";
    ASSERT_OK(database_->Add(request));
  }

  void Train(int64_t term_index_from) {
    database_.reset();
    {
      ASSERT_OK_AND_ASSIGN(const auto store, Store::Open(StorePath(), {}));
      TrainingOptions options;
      options.always = true;
      options.term_index_from = term_index_from;
      ASSERT_OK(TrainIfDue(*store, kNotCancelled, options));
    }
    Reopen();
  }

  std::vector<std::string> Answers() {
    std::vector<std::string> answers;
    for (const std::string text : {"databsae", "conversoin", "memtico", "raseor", "seleverr"}) {
      const SearchResponse found = Search(text);
      for (const std::string& warning : found.warnings) answers.push_back(warning);
      for (const SearchHit& hit : found.hits) {
        answers.push_back(hit.chunk.id + " " + std::to_string(hit.score));
      }
    }
    return answers;
  }
};

TEST_F(TermIndexOfStoreTest, AnswersAsAScan) {
  const std::vector<std::string> scanned = Answers();
  EXPECT_GT(scanned.size(), 20u);
  EXPECT_EQ(Number("SELECT count(*) FROM model_part WHERE kind = 'terms'"), 0);
  Train(1);
  EXPECT_GT(Number("SELECT count(*) FROM model_part WHERE kind LIKE 'term%'"), 3);
  EXPECT_EQ(Answers(), scanned);
  ExpectHealthy();
}

TEST_F(TermIndexOfStoreTest, DamageIsReportedAndRepaired) {
  const std::vector<std::string> sound = Answers();
  const std::string flip =
      "UPDATE model_part SET data = CAST(substr(data, 1, 20) || x'7f' || substr(data, 22) AS BLOB)";
  for (const auto& [kind, change] : std::vector<std::pair<std::string, std::string>>{
           {"terms", flip},
           {"terms/0", flip},
           {"terms/0", "DELETE FROM model_part"},
           {"term_trigrams/0", flip},
           {"term_trigrams/0", "DELETE FROM model_part"}}) {
    SCOPED_TRACE(kind + ": " + change);
    Train(1);
    RunSql(StorePath(),
           change + " WHERE kind = '" + kind + "' AND model = (SELECT max(id) FROM model)");
    Reopen();
    SearchRequest request;
    request.text = "databsae";
    const auto answer = database_->Search(request);
    EXPECT_TRUE(answer.has_value() || answer.error().code() == StatusCode::kCorruption);
    database_.reset();
    ASSERT_OK_AND_ASSIGN(const DoctorReport found, Database::Doctor({.path = StorePath()}));
    ASSERT_FALSE(found.findings.empty());
    EXPECT_EQ(found.findings.front().code, "model_damaged");
    ASSERT_OK(Database::Doctor({.path = StorePath(), .fix = true}));
    Reopen();
    EXPECT_EQ(Answers(), sound);
    ExpectHealthy();
  }
}

}  // namespace
}  // namespace recall
