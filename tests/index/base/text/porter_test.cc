#include "index/base/text/porter.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tests/test_util.h"

namespace recall {
namespace {

std::string Stem(std::string word) {
  const size_t size = word.size();
  word.push_back('\0');
  word.resize(PorterStem(word.data(), size));
  return word;
}

TEST(Porter, MakesOneStemOfAWordsForms) {
  EXPECT_EQ(Stem("technology"), Stem("technologies"));
  EXPECT_EQ(Stem("technology"), Stem("technological"));
  EXPECT_EQ(Stem("possible"), Stem("possibly"));
  EXPECT_EQ(Stem("hopping"), "hop");
  EXPECT_EQ(Stem("filing"), "file");
  EXPECT_EQ(Stem("conflated"), "conflat");
  EXPECT_EQ(Stem("ponies"), "poni");
  EXPECT_EQ(Stem("relational"), "relat");
  EXPECT_EQ(Stem("as"), "as");
  EXPECT_EQ(Stem(""), "");
}

// Real words of many kinds, and combinations of suffixes that reach every rule.
std::vector<std::string> WordsToStem() {
  const std::vector<std::string> roots = {
      "connect", "relat",  "condit", "ration",  "valenc", "hesit", "digit",   "conform", "radic",
      "differ",  "vile",   "analog", "vietnam", "predic", "oper",  "feudal",  "decis",   "hope",
      "callous", "form",   "sens",   "triplic", "electr", "good",  "reviv",   "allow",   "infer",
      "airlin",  "gyros",  "adjust", "defens",  "irrit",  "repla", "adopt",   "homolog", "commun",
      "activ",   "angul",  "effect", "bowdler", "prob",   "rat",   "ceas",    "control", "roll",
      "sky",     "happy",  "pony",   "tie",     "cat",    "agree", "plaster", "motor",   "fail",
      "siz",     "troubl", "fall",   "hiss",    "fizz",   "tann",  "y",       "yy",      "syzygy"};
  const std::vector<std::string> endings = {
      "",        "s",       "es",    "ies",     "sses",    "ed",    "eed",   "ing",   "at",
      "bl",      "iz",      "y",     "ational", "tional",  "enci",  "anci",  "izer",  "bli",
      "alli",    "entli",   "eli",   "ousli",   "ization", "ation", "ator",  "alism", "iveness",
      "fulness", "ousness", "aliti", "iviti",   "biliti",  "logi",  "icate", "ative", "alize",
      "iciti",   "ical",    "ful",   "ness",    "al",      "ance",  "ence",  "er",    "ic",
      "able",    "ible",    "ant",   "ement",   "ment",    "ent",   "ion",   "sion",  "tion",
      "ou",      "ism",     "ate",   "iti",     "ous",     "ive",   "ize",   "e",     "ll",
      "le",      "ying",    "yed"};
  std::set<std::string> words;
  for (const std::string& root : roots) {
    for (const std::string& first : endings) {
      words.insert(root + first);
      words.insert(root + first + "s");
      words.insert(root + first + "ly");
    }
  }
  std::mt19937_64 random(TestSeed(2));
  const auto letter = [&random] { return "aeiouybcstlz"[random() % 12]; };
  while (words.size() < 30000) {
    std::string word(random() % 5, 'a');
    for (char& c : word) c = letter();
    for (uint64_t i = random() % 3; i > 0; --i) word += endings[random() % endings.size()];
    if (word.size() >= 3) words.insert(word);
  }
  return {words.begin(), words.end()};
}

struct CloseSqlite {
  void operator()(sqlite3* connection) const { sqlite3_close(connection); }
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

TEST(Porter, EqualsTheStemmerOfFts5) {
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open(":memory:", &handle), SQLITE_OK);
  const std::unique_ptr<sqlite3, CloseSqlite> connection(handle);
  ASSERT_EQ(sqlite3_exec(handle,
                         "CREATE VIRTUAL TABLE t USING fts5(word, tokenize='porter ascii');"
                         "CREATE VIRTUAL TABLE v USING fts5vocab(t, 'instance'); BEGIN;",
                         nullptr, nullptr, nullptr),
            SQLITE_OK);
  const std::vector<std::string> words = WordsToStem();
  sqlite3_stmt* statement = nullptr;
  sqlite3_prepare_v2(handle, "INSERT INTO t(rowid, word) VALUES(?1, ?2)", -1, &statement, nullptr);
  const std::unique_ptr<sqlite3_stmt, CloseSqlite> insert(statement);
  for (size_t i = 0; i < words.size(); ++i) {
    sqlite3_bind_int64(statement, 1, static_cast<sqlite3_int64>(i));
    sqlite3_bind_text(statement, 2, words[i].c_str(), -1, SQLITE_STATIC);
    ASSERT_EQ(sqlite3_step(statement), SQLITE_DONE);
    sqlite3_reset(statement);
  }
  sqlite3_prepare_v2(handle, "SELECT doc, term FROM v", -1, &statement, nullptr);
  const std::unique_ptr<sqlite3_stmt, CloseSqlite> select(statement);
  size_t compared = 0;
  for (; sqlite3_step(statement) == SQLITE_ROW; ++compared) {
    const std::string& word = words[static_cast<size_t>(sqlite3_column_int64(statement, 0))];
    const auto* term = reinterpret_cast<const char*>(sqlite3_column_text(statement, 1));
    EXPECT_EQ(Stem(word), term) << word;
  }
  EXPECT_EQ(compared, words.size());
}

}  // namespace
}  // namespace recall
