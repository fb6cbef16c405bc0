// Other spellings, Korean, symbols and numbers, and stores of the second version of the tokenizer,
// which has none of them.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "storage/store/store.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

class SpellingsTest : public QueryFixture {
 protected:
  std::vector<std::string> Found(const std::string& text) {
    return Paths(Search(text, SearchMode::kLexical));
  }

  // Sets the tokenizer version of the empty store to 2.
  void MakeVersion2() {
    database_.reset();
    {
      ASSERT_OK_AND_ASSIGN(const auto store, Store::Open(StorePath()));
      ASSERT_OK_AND_ASSIGN(const auto transaction, store->BeginWrite());
      ASSERT_OK(transaction->connection().Execute(
          "UPDATE meta SET value = 2 WHERE key = 'tokenizer_version'; COMMIT"));
    }
    Reopen();
  }

  int64_t RowsWith(const std::string& token) {
    return Number("SELECT count(*) FROM lexicon WHERE lexicon MATCH '\"" + token + "\"'");
  }
};

TEST_F(SpellingsTest, AWordIsFoundInOtherLetters) {
  const struct {
    const char* text;
    std::vector<const char*> queries;
  } cases[] = {
      {"Łódź i Wrocław", {"Lodz", "wroclaw", "Łódź", "+lodz", "\"lodz\"", "LODZ"}},
      {"Die Straße am Fußball", {"strasse", "FUSSBALL", "fussball", "straße"}},
      {"Œuvre de cœur", {"oeuvre", "coeur"}},
      {"Đorđe Ærø Þingvellir", {"Dorde", "aero", "thingvellir"}},
      {"Işık ıspanak", {"Isik", "ISPANAK", "ispanak"}},
      {"مرحبا بالعالم", {"عالم", "العالم"}},
      {"المَدْرَسَة الكبيرة", {"مدرسة", "مدرسه"}},
      {"השלום עליכם", {"שלום"}},
      {"क़लम और ज़मीन", {"कलम", "जमीन", "क़लम"}},
      {"한국어 검색은 띄어쓰기가 있습니다.", {"검색", "띄어쓰기", "+띄어쓰기", "\"한국어 검색\""}},
      {"О столице говорят книги", {"столица", "столицы", "книга", "+книгой", "\"книг\""}},
      {"Η πρωτεύουσα των ποταμών", {"πρωτεύουσας", "ποταμός", "ποταμοι"}},
      {"तीन लड़कियों की किताबें", {"लड़की", "किताब"}},
      {"launch 🚀 by 👩‍💻", {"🚀", "👩‍💻", "+🚀"}},
      {"love ❤️ in 🇩🇪", {"❤", "❤️", "🇩🇪"}},
      {"done ✅ 👍🏽", {"✅", "👍"}},
      {"$4,200/seat, 1,234,567.89 in all", {"4200", "1234567.89", "4,200"}},
      {"costs 9,300.50 a year", {"9300", "9300.50"}},
      {"auto f = parseJSON2XML(utf8proc);", {"json", "xml", "json2xml", "parseJSON2XML", "proc"}},
      {"Deployed at 2024-03-15T10:20:30Z", {"2024-03-15", "+2024-03-15"}},
      {"call 555-0142 until 30/07/2023", {"555-0142", "+555-0142", "30/07/2023"}},
      {"512GB of storage, with python3 and Windows 95", {"512 GB", "python", "windows95"}},
      {"Gespräche in Göttingen", {"goettingen", "Gespraeche", "GÖTTINGEN", "gottingen"}},
      {"By Schroeder in ASCII", {"Schröder"}},
      {"Zorn's lemma¹ by Acme™ Corp", {"lemma", "acme", "Acme™"}},
      {"I don’t know O'Reilly", {"dont", "oreilly", "O’Reilly"}},
      {"host 192.168.10.42 runs 3.11.0rc2", {"192.168.10.42", "v3.11.0rc2", "+3.11.0rc2"}},
  };
  for (size_t i = 0; i < std::size(cases); ++i) {
    WriteFile("t" + std::to_string(i) + ".txt", std::string(cases[i].text) + "\n");
  }
  Add();
  for (size_t i = 0; i < std::size(cases); ++i) {
    for (const char* query : cases[i].queries) {
      EXPECT_EQ(Found(query), std::vector({"t" + std::to_string(i) + ".txt"})) << query;
    }
  }
  ExpectHealthy();
}

TEST_F(SpellingsTest, TheWordAsTypedIsFirst) {
  WriteFile("a.txt", "eine strasse hier\n");
  WriteFile("b.txt", "eine straße hier\n");
  WriteFile("c.txt", "etwas anderes hier\n");
  Add();
  EXPECT_EQ(Found("straße").size(), 2u);
  EXPECT_EQ(Found("straße").front(), "b.txt");
}

// Otherwise a word with such letters would weigh more than the others of a question.
TEST_F(SpellingsTest, OtherSpellingsDoNotChangeTheWeightOfAWord) {
  WriteFile("much.txt", "groß groß groß sind viele Tiere in diesem Teil der Welt und des Landes\n");
  WriteFile("answer.txt", "Wie groß ein Flughafen ist, bestimmt die Metrik der Passagiere\n");
  WriteFile("other.txt", "Der Flughafen liegt hinter der Stadt und hat zwei Pisten\n");
  Add();
  EXPECT_EQ(Found("wie groß ist ein Flughafen").front(), "answer.txt");
  const double strange = Search("groß", SearchMode::kLexical).hits.at(0).score;
  WriteFile("much.txt", "gros gros gros sind viele Tiere in diesem Teil der Welt und des Landes\n");
  WriteFile("answer.txt", "Wie gros ein Flughafen ist, bestimmt die Metrik der Passagiere\n");
  Add();
  EXPECT_NEAR(Search("gros", SearchMode::kLexical).hits.at(0).score, strange, 0.1);
}

TEST_F(SpellingsTest, ContractionsAreFunctionWords) {
  WriteFile("card.txt", "The card is in the machine; the machine keeps the card.\n");
  WriteFile("chat.txt", "I won't, and I don't, and he won't say more of it to you all.\n");
  Add();
  EXPECT_EQ(Found("the machine won't give me my card").front(), "card.txt");
  EXPECT_EQ(Found("dont machine"), std::vector<std::string>({"card.txt"}));
  EXPECT_EQ(Found("dont"), std::vector<std::string>({"chat.txt"}));
}

TEST_F(SpellingsTest, NamesOfFilesAreFoundInOtherLetters) {
  WriteFile("Łódź Straßen.txt", "nothing of it is in here\n");
  WriteFile("b.txt", "something else\n");
  Add();
  for (const char* query : {"lodz", "Łódź", "strassen", "straßen"}) {
    EXPECT_EQ(Found(query), std::vector<std::string>({"Łódź Straßen.txt"})) << query;
  }
}

TEST_F(SpellingsTest, ANumberIsMoreThanItsParts) {
  WriteFile("version.txt", "We released version 1.2.3 after a long time of work and waiting.\n");
  WriteFile("loose.txt", "Steps 1, 2, 3 and 1, 2, 3: which version is next?\n");
  WriteFile("other.txt", "The version is 1.2.30, or 11.2.3, version 1.2.\n");
  WriteFile("tmux.txt", "New in tmux 3.3: a popup.\n");
  WriteFile("changes.txt", "What changed in tmux 3, and what changed in 3 others.\n");
  Add();
  EXPECT_EQ(Found("1.2.3").front(), "version.txt");
  EXPECT_EQ(Found("v1.2.3").front(), "version.txt");
  EXPECT_EQ(Found("which version is 1.2.3").front(), "version.txt");
  EXPECT_EQ(Found("what changed in tmux 3.3").front(), "tmux.txt");
  EXPECT_EQ(Found("+1.2.3"), std::vector<std::string>({"version.txt"}));
  EXPECT_EQ(Found("9.2.3").empty(), false) << "without the number, its parts";
}

TEST_F(SpellingsTest, AStoreOfTheSecondVersionKeepsItsTokens) {
  MakeVersion2();
  WriteFile("a.txt", "Łódź 🚀 1.2.3 검색은 and std::move\n");
  Add();
  const auto expect_version_2 = [&] {
    ExpectHealthy();
    EXPECT_EQ(RowsWith("stdmove"), 1);
    for (const char* token : {"lodz", "🚀", "검색", "1\uE0082\uE0083"}) {
      EXPECT_EQ(RowsWith(token), 0) << token;
    }
    EXPECT_EQ(Found("std::move").size(), 1u);
    EXPECT_TRUE(Found("🚀").empty());
    EXPECT_TRUE(Found("검색").empty());
  };
  expect_version_2();
  WriteFile("a.txt", "Łódź 🚀 1.2.3 검색은 and std::move again\n");
  Add();
  ASSERT_OK(database_->Compact({.keep_nanos = 0}));
  expect_version_2();
  EXPECT_EQ(RowsWith("again"), 1);
  const std::string old_store = StorePath();
  ASSERT_OK_AND_ASSIGN(database_, Database::Create(dir_ / "new.db", {}));
  ASSERT_OK(database_->Merge({.paths = {old_store}}));
  for (const char* query : {"lodz", "🚀", "검색", "+1.2.3"}) {
    EXPECT_EQ(Found(query).size(), 1u) << query;
  }
}

}  // namespace
}  // namespace recall
