#include "storage/fts5/fts_index.h"

#include <algorithm>
#include <map>
#include <random>

#include "storage/fts5/fts_merge.h"
#include "storage/fts5/fts_structure.h"
#include "tests/storage/fts5/fts_fixture.h"

namespace recall {
namespace {

using Words = std::vector<std::string>;

// Tests run in a write transaction, in which FTS5 runs the queries, unless they end it.
class FtsIndexTest : public FtsFixture {
 protected:
  void SetUp() override {
    FtsFixture::SetUp();
    ASSERT_OK(connection_->BeginImmediate());
  }

  void NextTransaction() {
    ASSERT_OK(connection_->Execute("COMMIT"));
    ASSERT_OK(connection_->BeginImmediate());
  }

  void Reopen() {
    ASSERT_OK(connection_->Execute("COMMIT"));
    connection_.reset();
    ASSERT_OK_AND_ASSIGN(
        connection_, Connection::Open(dir_ / "recall.db", {.mode = ConnectionMode::kReadWrite}));
    ASSERT_OK(connection_->Execute("PRAGMA synchronous=OFF"));
    ASSERT_OK(connection_->BeginImmediate());
  }

  // Compares the results of FTS5 in the write transaction with those read from its pages after it,
  // and with those of a connection that leaves reading to FTS5.
  std::vector<PostingList> FindEach(const std::vector<FtsPhrase>& phrases) {
    const auto asked = Must(ReadPostings(*connection_, phrases));
    EXPECT_OK(connection_->Execute("COMMIT; BEGIN"));
    EXPECT_EQ(Must(ReadPostings(*connection_, phrases)), asked);
    const auto by_fts5 = Must(
        Connection::Open(dir_ / "recall.db", {.features = SqliteFeatures{.fts_format = false}}));
    EXPECT_OK(by_fts5->Execute("BEGIN"));
    EXPECT_FALSE(Must(ReadableFtsRuns(*by_fts5)).has_value());
    EXPECT_EQ(Must(ReadPostings(*by_fts5, phrases)), asked);
    NextTransaction();
    return asked;
  }
  PostingList Find(Words tokens, bool prefix = false) {
    return FindEach({{std::move(tokens), prefix}}).at(0);
  }
};

TEST_F(FtsIndexTest, CountsBothColumns) {
  ASSERT_OK(InsertFtsRow(*connection_, 3, "foo bar foo", "foobar foo"));
  ASSERT_OK(InsertFtsRow(*connection_, 4294967295, "bar", ""));
  EXPECT_EQ(Find({"foo"}), (PostingList{{3, 3}}));
  EXPECT_EQ(Find({"bar"}), (PostingList{{3, 1}, {4294967295, 1}}));
  EXPECT_EQ(Find({"foobar"}), (PostingList{{3, 1}}));
  EXPECT_EQ(Find({"baz"}), PostingList());
}

// FTS5 itself supports only 2000 complete merges; purging documents one by one needs more.
TEST_F(FtsIndexTest, CanBeMergedAsAWholeAnyNumberOfTimes) {
  const auto word = [](uint32_t row) { return "a" + std::to_string(row); };
  PostingList all;
  for (uint32_t round = 0; round < 2200; ++round) {
    ASSERT_OK(InsertFtsRow(*connection_, round, "always " + word(round), ""));
    all.push_back({round, 1});
    if (round % 3 == 2) {
      ASSERT_OK(DeleteFtsRow(*connection_, round - 1, "always " + word(round - 1), ""));
      all.erase(all.end() - 2);
    }
    if (round % 500 == 499) Reopen();
    NextTransaction();
    for (bool more = true, first = true; more; first = false) {
      ASSERT_OK_AND_ASSIGN(more, MergeFts(*connection_, first));
    }
    const auto levels = ReadFtsLevels(*connection_);
    ASSERT_TRUE(levels.has_value()) << "round " << round << ": " << levels.error().ToString();
    ASSERT_LE(levels->size(), 64u);
    ASSERT_EQ(levels->back().runs.size(), 1u);
    NextTransaction();
    if (round % 100 != 99) continue;
    ASSERT_OK(connection_->Execute("INSERT INTO lexicon(lexicon) VALUES('integrity-check')"));
    EXPECT_EQ(Find({"always"}), all);
    EXPECT_EQ(Find({word(round)}), (PostingList{{round, 1}}));
  }
}

TEST_F(FtsIndexTest, PhraseDoesNotCrossColumns) {
  ASSERT_OK(InsertFtsRow(*connection_, 1, "alpha beta", "gamma delta"));
  EXPECT_EQ(Find({"alpha", "beta"}), (PostingList{{1, 1}}));
  EXPECT_EQ(Find({"beta", "gamma"}), PostingList());
  EXPECT_EQ(Find({"beta", "alpha"}), PostingList());
}

TEST_F(FtsIndexTest, PrefixMatchesTheLastTokenOnly) {
  ASSERT_OK(InsertFtsRow(*connection_, 1, "connect connection connected con", ""));
  ASSERT_OK(InsertFtsRow(*connection_, 2, "the connection", ""));
  EXPECT_EQ(Find({"connect"}, true), (PostingList{{1, 3}, {2, 1}}));
  EXPECT_EQ(Find({"the", "conn"}, true), (PostingList{{2, 1}}));
  EXPECT_EQ(Find({"th", "connection"}, true), PostingList());
}

TEST_F(FtsIndexTest, AnyBytesAreSafe) {
  ASSERT_OK(InsertFtsRow(*connection_, 1, "na\xc3\xafve \xe4\xb8\xad\xe6\x96\x87 plain", ""));
  EXPECT_EQ(Find({"na\xc3\xafve"}), (PostingList{{1, 1}}));
  EXPECT_EQ(Find({"\xe4\xb8\xad\xe6\x96\x87"}), (PostingList{{1, 1}}));
  EXPECT_EQ(Find({"plain\"", "OR", "\"x"}), PostingList());
  for (const std::string& token :
       {std::string(), std::string("\""), std::string("\"\"\""), std::string("*"),
        std::string("\0", 1), std::string(" \t\n"), std::string("+-^:(){}"),
        std::string("\xff\xfe"), std::string(100'000, 'x')}) {
    EXPECT_EQ(Find({token}), PostingList()) << token;
    EXPECT_EQ(Find({token}, true), PostingList()) << token;
  }
  EXPECT_EQ(Find({}), PostingList());
  EXPECT_EQ(Find({"PlaIN"}), (PostingList{{1, 1}}));
  // Bytes that separate tokens also do so inside a query token.
  EXPECT_EQ(Find({std::string("plain\0", 6)}), (PostingList{{1, 1}}));
  EXPECT_EQ(Find({"\"plain\""}), (PostingList{{1, 1}}));
}

TEST_F(FtsIndexTest, RandomBytesNeverFail) {
  std::mt19937_64 random(TestSeed(7));
  ASSERT_OK(InsertFtsRow(*connection_, 1, "a b c", "d"));
  for (int round = 0; round < 500; ++round) {
    std::vector<FtsPhrase> phrases(1 + random() % 5);
    for (FtsPhrase& phrase : phrases) {
      phrase.prefix = random() % 2;
      phrase.tokens.resize(random() % 4);
      for (std::string& token : phrase.tokens) {
        token.resize(random() % 6);
        for (char& c : token) c = static_cast<char>(random());
      }
    }
    EXPECT_EQ(FindEach(phrases).size(), phrases.size());
  }
}

TEST_F(FtsIndexTest, OrderOfPhrasesIsKeptOverManyStatements) {
  std::vector<FtsPhrase> phrases;
  for (uint32_t i = 0; i < 300; ++i) {
    const std::string word = "w" + std::to_string(i);
    if (i % 3 != 0) {
      ASSERT_OK(InsertFtsRow(*connection_, i, word + " common", ""));
    }
    phrases.push_back({{i % 7 == 0 ? "?" : word}, false});
  }
  const auto lists = FindEach(phrases);
  ASSERT_EQ(lists.size(), 300u);
  for (uint32_t i = 0; i < 300; ++i) {
    const bool present = i % 3 != 0 && i % 7 != 0;
    EXPECT_EQ(lists[i], present ? PostingList({{i, 1}}) : PostingList()) << i;
  }
}

// Rows and counts by a scan of the texts.
class BruteForce {
 public:
  void Insert(uint32_t row, Words body, Words compound) {
    rows_[row] = {std::move(body), std::move(compound)};
  }
  void Delete(uint32_t row) { rows_.erase(row); }
  const std::map<uint32_t, std::array<Words, 2>>& rows() const { return rows_; }

  PostingList Find(const FtsPhrase& phrase) const {
    PostingList list;
    for (const auto& [row, columns] : rows_) {
      const uint32_t count = Count(columns[0], phrase) + Count(columns[1], phrase);
      if (count > 0) list.push_back({row, count});
    }
    return list;
  }

 private:
  static uint32_t Count(const Words& words, const FtsPhrase& phrase) {
    uint32_t count = 0;
    for (size_t at = 0; at + phrase.tokens.size() <= words.size(); ++at) {
      bool same = true;
      for (size_t i = 0; i < phrase.tokens.size(); ++i) {
        const bool last = i + 1 == phrase.tokens.size();
        same = same && (phrase.prefix && last ? words[at + i].starts_with(phrase.tokens[i])
                                              : words[at + i] == phrase.tokens[i]);
      }
      count += same;
    }
    return count;
  }

  std::map<uint32_t, std::array<Words, 2>> rows_;
};

std::string Join(const Words& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

Words RandomWords(std::mt19937_64& random, size_t count) {
  static const Words kVocabulary = {"a", "ab", "abc", "b", "ba", "c", "\xc3\xa9t\xc3\xa9", "7"};
  Words words(count);
  for (std::string& word : words) word = kVocabulary[random() % kVocabulary.size()];
  return words;
}

TEST_F(FtsIndexTest, EqualsBruteForceUnderInsertsAndDeletes) {
  std::mt19937_64 random(TestSeed(11));
  BruteForce oracle;
  for (int round = 0; round < 12; ++round) {
    for (int i = 0; i < 40; ++i) {
      const auto row = static_cast<uint32_t>(round * 1000 + i * 7);
      Words body = RandomWords(random, random() % 30);
      Words compound = RandomWords(random, random() % 4);
      ASSERT_OK(InsertFtsRow(*connection_, row, Join(body), Join(compound)));
      oracle.Insert(row, std::move(body), std::move(compound));
    }
    for (int i = 0; i < 15; ++i) {
      const auto victim = std::next(oracle.rows().begin(), random() % oracle.rows().size());
      ASSERT_OK(DeleteFtsRow(*connection_, victim->first, Join(victim->second[0]),
                             Join(victim->second[1])));
      oracle.Delete(victim->first);
    }
    std::vector<FtsPhrase> phrases(100);
    for (FtsPhrase& phrase : phrases) {
      phrase = {RandomWords(random, 1 + random() % 3), random() % 3 == 0};
    }
    const auto lists =
        round % 3 == 2 ? FindEach(phrases) : Must(ReadPostings(*connection_, phrases));
    for (size_t i = 0; i < phrases.size(); ++i) {
      ASSERT_EQ(lists[i], oracle.Find(phrases[i]))
          << Join(phrases[i].tokens) << (phrases[i].prefix ? "*" : "");
    }
  }
  EXPECT_OK(connection_->Execute("INSERT INTO lexicon(lexicon) VALUES('integrity-check')"));
}

TEST_F(FtsIndexTest, CollectFunctionRefusesStrangers) {
  ASSERT_OK(InsertFtsRow(*connection_, 1, "a", ""));
  EXPECT_FALSE(connection_->Execute("SELECT recall_collect(lexicon) FROM lexicon('a')").ok());
  EXPECT_FALSE(connection_->Execute("SELECT recall_collect(lexicon, 1) FROM lexicon('a')").ok());
}

}  // namespace
}  // namespace recall
