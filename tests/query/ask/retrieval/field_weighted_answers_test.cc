// Answers with weights of the fields of notes, and what happens to the tokens that they need.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "storage/fts5/fts_index.h"
#include "storage/store/store.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

constexpr const char* kWeights = "trigger=5:title=4:tags=3:topic=2:summary=2:body=1";

std::string Note(const std::string& trigger, const std::string& body) {
  return "---\ntype: lesson\ntitle: Focus rings\nrecall_when:\n  - " + trigger + "\n---\n" + body +
         "\n";
}

class FieldWeightedAnswersTest : public QueryFixture {
 protected:
  void AddNotes() {
    AddRequest request;
    request.parser = Parser::kNote;
    Add(request);
  }

  SearchRequest Question(const std::string& text, const std::string& weights) {
    SearchRequest request;
    request.text = text;
    request.mode = SearchMode::kLexical;
    request.k = 50;
    request.explain = true;
    request.ranking.field_weights = weights;
    return request;
  }

  // Paths, all bits of scores, and parts by field.
  std::string Answers(const std::string& weights, SearchMode mode = SearchMode::kLexical,
                      const std::string& snapshot = "") {
    std::string all;
    for (const char* text :
         {"alpha", "beta gamma \"mu nu\"", "+delta om* psi", "memory thread file"}) {
      SearchRequest request = Question(text, weights);
      request.mode = mode;
      request.scope.snapshot = snapshot;
      for (const SearchHit& hit : Search(request).hits) {
        char score[64];
        std::snprintf(score, sizeof(score), " %a\n", hit.score);
        all += hit.doc.path + score;
        for (const auto& [field, part] : hit.explain->fields) {
          std::snprintf(score, sizeof(score), " %a\n", part);
          all += std::string(field) + score;
        }
      }
    }
    return all;
  }

  void WriteRandomNotes(int count) {
    std::mt19937_64 random(TestSeed(1));
    for (int i = 0; i < count; ++i) {
      std::string trigger = RandomText(random, 4);
      std::ranges::replace(trigger, '\n', ' ');
      WriteFile("notes/" + std::to_string(i) + ".md", Note(trigger, RandomText(random, 30)));
    }
  }

  int64_t RowsWith(const std::string& token) {
    return Number("SELECT count(*) FROM lexicon WHERE lexicon MATCH '\"" + token + "\"'");
  }
};

TEST_F(FieldWeightedAnswersTest, AWordInATriggerLeadsOneInTheText) {
  WriteFile("notes/a.md", Note("styling a form", "Text about widget rings."));
  WriteFile("notes/b.md", Note("styling a widget", "Text about form rings."));
  AddNotes();
  const SearchResponse weighted = Search(Question("widget", kWeights));
  EXPECT_EQ(Paths(weighted), std::vector<std::string>({"notes/b.md", "notes/a.md"}));
  ASSERT_EQ(weighted.hits.size(), 2u);
  for (const SearchHit& hit : weighted.hits) {
    EXPECT_GT(hit.score, 0);
    EXPECT_LT(hit.score, 1);
    ASSERT_EQ(hit.explain->fields.size(), 1u);
    EXPECT_NEAR(hit.explain->fields[0].second, *hit.explain->lexical, 1e-12);
  }
  EXPECT_EQ(weighted.hits[0].explain->fields[0].first, "trigger");
  EXPECT_EQ(weighted.hits[1].explain->fields[0].first, "body");
  // A trigger counts five times: tf / (tf + norm) with tf 5 instead of 1 and the same norm.
  const double once = *weighted.hits[1].explain->lexical;
  const double five = *weighted.hits[0].explain->lexical;
  const SearchResponse plain = Search(Question("widget", ""));
  const double idf = plain.explain->terms[0].idf;
  const double norm = 2.5 * idf / once - 1;
  EXPECT_NEAR(five, 2.5 * idf * 5 / (5 + norm), 1e-12);
  // With equal weights they tie, and equal scores are ordered by path.
  for (const char* weights : {"", "trigger=1:body=1"}) {
    const SearchResponse tied = Search(Question("widget", weights));
    EXPECT_EQ(Paths(tied), std::vector<std::string>({"notes/a.md", "notes/b.md"}));
    EXPECT_EQ(tied.hits[0].score, tied.hits[1].score);
    EXPECT_TRUE(tied.hits[0].explain->fields.empty());
  }
}

TEST_F(FieldWeightedAnswersTest, EveryFieldHasItsWeight) {
  WriteFile("notes/a.md",
            "---\ntitle: one\nsummary: two\ntags: [three]\nrecall_when: [four]\ntopic_path: "
            "[five]\nother: six\n---\n\n# seven\n\neight\n");
  AddNotes();
  const std::pair<const char*, const char*> places[] = {
      {"one", "title"},  {"two", "summary"}, {"three", "tags"}, {"four", "trigger"},
      {"five", "topic"}, {"six", "body"},    {"seven", "body"}, {"eight", "body"}};
  for (const auto& [word, field] : places) {
    const SearchResponse found = Search(Question(word, kWeights));
    ASSERT_EQ(found.hits.size(), 1u) << word;
    ASSERT_EQ(found.hits[0].explain->fields.size(), 1u) << word;
    EXPECT_EQ(found.hits[0].explain->fields[0].first, field) << word;
  }
}

TEST_F(FieldWeightedAnswersTest, OnlyNotesAreWeighed) {
  WriteRandomNotes(40);
  Add();  // as Markdown
  const std::string markdown = Answers("", SearchMode::kHybrid);
  const std::string weighed = Answers("trigger=5");
  EXPECT_EQ(weighed.find("trigger"), std::string::npos);
  std::string token = database_->Stats()->store.snapshot;
  AddNotes();  // new versions of the same texts
  // Without weights nothing changes, and a weight of the text applies to everything.
  EXPECT_EQ(Answers("", SearchMode::kHybrid), markdown);
  EXPECT_NE(Answers("trigger=5").find("trigger"), std::string::npos);
  EXPECT_EQ(Answers("trigger=5", SearchMode::kLexical, token), weighed);
  ExpectHealthy();
}

TEST_F(FieldWeightedAnswersTest, TokensOfFieldsLiveAndGoWithTheirChunks) {
  WriteRandomNotes(40);
  WriteFile("notes/secret.md", Note("quixotic", "Text."));
  AddNotes();
  const std::string before = Answers(kWeights);
  EXPECT_EQ(RowsWith("\uE003quixot"), 1);
  RemoveRequest remove;
  remove.targets = {dir_ / "notes/secret.md"};
  ASSERT_OK(database_->Remove(remove));
  const std::string after = Answers(kWeights);
  ASSERT_OK(database_->Compact({.keep_nanos = 0}));
  EXPECT_EQ(RowsWith("\uE003quixot"), 0);
  EXPECT_EQ(RowsWith("\uE004focu"), 40);
  EXPECT_EQ(Answers(kWeights), after);
  ExpectHealthy();
}

TEST_F(FieldWeightedAnswersTest, AnImportHasTheFieldsOfTheExport) {
  WriteRandomNotes(40);
  AddNotes();
  const std::string answers = Answers(kWeights);
  ExportRequest request;
  request.out_path = dir_ / "notes.jsonl";
  ASSERT_OK(database_->Export(request));
  Create({});
  ASSERT_OK(database_->Import({.path = dir_ / "notes.jsonl"}));
  EXPECT_EQ(Answers(kWeights), answers);
  ExpectHealthy();
}

TEST_F(FieldWeightedAnswersTest, DoctorFindsAndRepairsWrongFields) {
  WriteRandomNotes(40);
  WriteFile("notes/wrong.md", Note("quixotic", "Text."));
  AddNotes();
  const std::string answers = Answers(kWeights);
  const auto report = [&](bool fix) {
    return *Database::Doctor({.path = StorePath(), .fix = fix, .keep_copy = false});
  };
  database_.reset();
  {
    // The word in the title instead of the trigger.
    ASSERT_OK_AND_ASSIGN(const auto store, Store::Open(StorePath()));
    ASSERT_OK_AND_ASSIGN(const auto transaction, store->BeginWrite());
    Connection& connection = transaction->connection();
    ASSERT_OK_AND_ASSIGN(const auto rows, ReadPostings(connection, {{.tokens = {"\uE003quixot"}}}));
    ASSERT_EQ(rows[0].size(), 1u);
    const uint32_t row = rows[0][0].row;
    ASSERT_OK(DeleteFtsRow(connection, row, "", "\uE003quixot"));
    ASSERT_OK(connection.Execute("COMMIT"));
  }
  const DoctorReport found = report(false);
  ASSERT_FALSE(found.findings.empty());
  EXPECT_EQ(found.findings[0].severity, "error");
  report(true);
  Reopen();
  EXPECT_EQ(Answers(kWeights), answers);
  ExpectHealthy();
}

TEST_F(FieldWeightedAnswersTest, WrongWeightsAreRefusedInEveryMode) {
  WriteFile("a.txt", "alpha");
  Add();
  for (const SearchMode mode : {SearchMode::kHybrid, SearchMode::kLexical, SearchMode::kSemantic}) {
    SearchRequest request = Question("alpha", "titel=2");
    request.mode = mode;
    const auto refused = database_->Search(request);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code(), StatusCode::kInvalidArgument);
    EXPECT_EQ(refused.error().message(), "unknown field 'titel' in field weights");
  }
  QueryRequest unranked;
  unranked.rql = "FROM doc SELECT doc.path";
  unranked.ranking.field_weights = "title=2";
  const auto refused = database_->Query(unranked);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().message(),
            "field weights need a ranking, but this query does not rank");
}

}  // namespace
}  // namespace recall
