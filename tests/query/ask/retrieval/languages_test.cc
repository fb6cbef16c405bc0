// The languages of documents: how they are detected, kept and filtered, and other forms of words.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/query/query_fixture.h"

namespace recall {
namespace {

constexpr char kHouses[] =
    "Die alten Häuser an dem Fluss sind nach dem Krieg nicht mehr gebaut worden, weil es so war.\n";
constexpr char kEnglish[] =
    "The houses at the river were not built again after the war, because there was no hauser.\n";

class LanguagesTest : public QueryFixture {
 protected:
  std::vector<std::string> Found(const std::string& text) {
    return Paths(Search(text, SearchMode::kLexical));
  }

  std::string LanguageOf(const std::string& path) {
    const auto connection = Connection::Open(StorePath(), {});
    EXPECT_TRUE(connection.has_value());
    return (*connection)
        ->QueryText(
            "SELECT coalesce((SELECT lang || given FROM doc_language JOIN doc "
            "ON doc.id = doc_language.doc WHERE removed_seq IS NULL AND path = '" +
            path + "'), '')")
        .value_or("?");
  }

  void AddAs(const std::string& language) {
    AddRequest request;
    request.language = language;
    Add(request);
  }
};

TEST_F(LanguagesTest, OtherFormsOfAWordAreFound) {
  const struct {
    const char* text;
    std::vector<const char*> queries;
  } cases[] = {
      {kHouses, {"Haus", "Hauses", "haus", "+Haus", "Welches Haus ist an dem Fluss?"}},
      {"Yağmur yağdığı için köpek evlerden çıkmak istemedi, ama çocuklar ile sonra gitti.\n",
       {"ev", "evler", "köpekler", "çocuk"}},
      {"Los canciones que los niños cantan en esta casa son para el día de todos los muertos.\n",
       {"canción", "cancion", "niño"}},
      {"Koira ei halunnut lähteä taloista, koska satoi, mutta se ei ollut niin kuin ennen.\n",
       {"talo", "talossa"}},
  };
  for (size_t i = 0; i < std::size(cases); ++i) {
    WriteFile("t" + std::to_string(i) + ".txt", cases[i].text);
  }
  Add();
  for (size_t i = 0; i < std::size(cases); ++i) {
    for (const char* query : cases[i].queries) {
      const std::vector<std::string> found = Found(query);
      ASSERT_FALSE(found.empty()) << query;
      EXPECT_EQ(found.front(), "t" + std::to_string(i) + ".txt") << query;
    }
  }
  ExpectHealthy();
}

TEST_F(LanguagesTest, TheFormAsTypedIsFirst) {
  WriteFile("a.txt", "Das eine Haus hier ist nicht mehr das von früher und wird auch verkauft.\n");
  WriteFile("b.txt",
            "Die vier Häuser da sind nicht mehr die von früher und werden auch verkauft.\n");
  Add();
  EXPECT_EQ(Found("Häuser"), (std::vector<std::string>{"b.txt", "a.txt"}));
  EXPECT_EQ(Found("Haus"), (std::vector<std::string>{"a.txt", "b.txt"}));
}

// An English question has no forms, and texts in English have no tokens, of another language.
TEST_F(LanguagesTest, TextsInEnglishStayAsTheyAre) {
  WriteFile("en.txt", kEnglish);
  Add();
  const std::string question = "Which houses were built at the river?";
  const double alone = Search(question, SearchMode::kLexical).hits.at(0).score;
  EXPECT_EQ(LanguageOf("en.txt"), "en0");
  EXPECT_TRUE(Found("Haus").empty());
  WriteFile("de.txt", kHouses);
  Add();
  EXPECT_EQ(Found(question), std::vector<std::string>{"en.txt"});
  EXPECT_GT(Search(question, SearchMode::kLexical).hits.at(0).score, 0);
  EXPECT_GT(alone, 0);
  EXPECT_EQ(Found("Haus"), std::vector<std::string>{"de.txt"});
}

// A form that no text has changes nothing.
TEST_F(LanguagesTest, OtherLanguagesOfTheStoreChangeNoScore) {
  WriteFile("en.txt", kEnglish);
  WriteFile("other.txt", "xx yy zz\n");
  Add();
  const double before = Search("river", SearchMode::kLexical).hits.at(0).score;
  AddRequest request;
  request.paths = {dir_ / "other.txt"};
  request.language = "de";
  EXPECT_EQ(Add(request).updated, 1);
  EXPECT_EQ(Search("river", SearchMode::kLexical).hits.at(0).score, before);
}

TEST_F(LanguagesTest, AGivenLanguageStaysUntilItIsDetectedAgain) {
  WriteFile("a.txt", kHouses);
  Add();
  EXPECT_EQ(LanguageOf("a.txt"), "de0");
  AddAs("none");
  EXPECT_EQ(LanguageOf("a.txt"), "1");
  EXPECT_TRUE(Found("Haus").empty());
  WriteFile("a.txt", std::string(kHouses) + kHouses);
  Add();
  EXPECT_EQ(LanguageOf("a.txt"), "1");
  AddAs("fr");
  EXPECT_EQ(LanguageOf("a.txt"), "fr1");
  EXPECT_EQ(Add().unchanged, 1);
  AddAs("detect");
  EXPECT_EQ(LanguageOf("a.txt"), "de0");
  EXPECT_EQ(Found("Haus"), std::vector<std::string>{"a.txt"});
  ExpectHealthy();
}

TEST_F(LanguagesTest, SourceCodeHasNoneUnlessItIsGiven) {
  WriteFile("a.py",
            "# Die alten Häuser sind nach dem Krieg nicht mehr gebaut worden, weil es so\n");
  Add();
  EXPECT_EQ(LanguageOf("a.py"), "");
  AddAs("de");
  EXPECT_EQ(LanguageOf("a.py"), "de1");
  EXPECT_EQ(Found("Haus"), std::vector<std::string>{"a.py"});
}

TEST_F(LanguagesTest, LinesMayGiveALanguage) {
  WriteFile("lines", R"({"path": "a", "text": "Häuser", "lang": "de"}
{"path": "b", "text": "Haus", "lang": "none"}
{"path": "c", "text": "Haus", "lang": "German"}
)");
  AddRequest request;
  request.jsonl = dir_ / "lines";
  request.paths = {};
  const auto report = database_->Add(request);
  ASSERT_TRUE(report.has_value());
  EXPECT_EQ(report->added, 2);
  EXPECT_EQ(report->failed, 1);
  EXPECT_EQ(LanguageOf("a"), "de1");
  EXPECT_EQ(LanguageOf("b"), "1");
  EXPECT_EQ(Found("Haus").size(), 2u);
}

TEST_F(LanguagesTest, AnUnknownLanguageIsAnError) {
  AddRequest request;
  request.paths = {dir_.path()};
  request.language = "german";
  const auto report = database_->Add(request);
  ASSERT_FALSE(report.has_value());
  EXPECT_EQ(report.error().code(), StatusCode::kInvalidArgument);
}

TEST_F(LanguagesTest, PurgedVersionsLeaveNoTokens) {
  WriteFile("a.txt", kHouses);
  Add();
  AddAs("tr");
  CompactRequest compact;
  compact.forget = true;
  ASSERT_TRUE(database_->Compact(compact).has_value());
  EXPECT_EQ(Number("SELECT count(*) FROM lexicon WHERE lexicon MATCH 'haus'"), 0);
  ExpectHealthy();
}

}  // namespace
}  // namespace recall
