// Compares postings read from FTS5's pages with the inserted ones. Leaves are small, so that lists
// extend over many leaves, and merges are left unfinished.

#include "storage/fts5/fts_words.h"

#include <sqlite3.h>

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "storage/base/bytes.h"
#include "storage/fts5/fts_scan.h"
#include "tests/storage/fts5/fts_fixture.h"

namespace recall {
namespace {

// The contents of the index by word.
using Oracle = std::map<std::string, std::map<uint32_t, uint32_t>>;

struct WordsRow {
  std::string body;
  std::string compound;
};

class FtsWordsTest : public FtsFixture {
 protected:
  void Configure(const std::string& option, int value) {
    ASSERT_OK(connection_->Execute("INSERT INTO lexicon(lexicon, rank) VALUES('" + option + "', " +
                                   std::to_string(value) + ")"));
  }

  // The first words of the vocabulary are much more frequent; some words repeat many times.
  std::string RandomText(size_t words) {
    std::string text;
    for (size_t i = 0; i < words; ++i) {
      const auto word = static_cast<size_t>(std::pow(vocabulary_.size(), Fraction())) - 1;
      const uint64_t times = random_() % 40 == 0 ? 1 + random_() % 100 : 1;
      for (uint64_t t = 0; t < times; ++t) text += (text.empty() ? "" : " ") + vocabulary_[word];
    }
    return text;
  }
  double Fraction() { return static_cast<double>(random_() >> 11) * 0x1p-53; }

  void Insert(uint32_t row) {
    WordsRow texts{RandomText(random_() % 40), RandomText(random_() % 3)};
    ASSERT_OK(InsertFtsRow(*connection_, row, texts.body, texts.compound));
    Count(row, texts, 1);
    rows_[row] = std::move(texts);
  }
  void Delete(uint32_t row) {
    const WordsRow texts = rows_[row];
    ASSERT_OK(DeleteFtsRow(*connection_, row, texts.body, texts.compound));
    Count(row, texts, -1);
    rows_.erase(row);
  }
  void Count(uint32_t row, const WordsRow& texts, int sign) {
    for (const std::string& text : {texts.body, texts.compound}) {
      std::istringstream words(text);
      for (std::string word; words >> word;) {
        if ((oracle_[word][row] += static_cast<uint32_t>(sign)) == 0) oracle_[word].erase(row);
      }
    }
  }

  PostingList Expected(const std::string& word) const {
    PostingList list;
    const auto found = oracle_.find(word);
    if (found == oracle_.end()) return list;
    for (const auto& [row, count] : found->second) list.push_back({row, count});
    return list;
  }

  void ExpectAllWords() {
    ASSERT_OK(connection_->Execute("BEGIN"));
    ASSERT_OK_AND_ASSIGN(auto words, FtsWords::Open(*connection_));
    ASSERT_TRUE(words.has_value());
    for (const std::string& word : vocabulary_) {
      ASSERT_OK_AND_ASSIGN(const auto list, words->Read(word));
      ASSERT_TRUE(list.has_value()) << word;
      const PostingList expected = Expected(word);
      ASSERT_EQ(*list, expected) << word;
      if (random_() % 32 == 0) ExpectFromEachRow(*words, word, expected);
    }
    for (const char* absent : {"", "0", "zzz", "w", "\xff", "w00"}) {
      ASSERT_OK_AND_ASSIGN(const auto list, words->Read(absent));
      ASSERT_TRUE(list.has_value()) << absent;
      ASSERT_EQ(*list, PostingList()) << absent;
    }
    ExpectScan();
    ASSERT_OK(connection_->Execute("COMMIT"));
  }

  // A read may start at any rowid: at a row, after it, or at the first row of a leaf.
  static void ExpectFromEachRow(FtsWords& words, const std::string& word, PostingList expected) {
    while (!expected.empty()) {
      const uint32_t row = expected.front().row;
      ASSERT_OK_AND_ASSIGN(const auto from, words.Read(word, row));
      ASSERT_TRUE(from.has_value()) << word;
      ASSERT_EQ(*from, expected) << word << " from " << row;
      expected.erase(expected.begin());
      ASSERT_OK_AND_ASSIGN(const auto behind, words.Read(word, row + 1));
      ASSERT_EQ(behind, expected) << word << " behind " << row;
    }
  }

  // A scan gives the same postings for selected words, of the column body only.
  void ExpectScan() {
    std::set<std::string> wanted;
    for (const std::string& word : vocabulary_) {
      if (random_() % 2 == 0) wanted.insert(word);
    }
    Oracle found;
    std::string word;
    const auto wants = [&](std::string_view token) {
      word = token;
      return wanted.contains(word);
    };
    const auto visit = [&](const PostingList& list) {
      for (const Posting& posting : list) found[word].emplace(posting.row, posting.count);
    };
    const auto first = static_cast<uint32_t>(random_() % 3 == 0 ? 0 : random_() % (next_ + 1));
    const uint32_t last = random_() % 3 == 0 ? kLastRow : first + (next_ - first) / 2;
    ASSERT_OK_AND_ASSIGN(const bool sound, ScanFtsBodies(*connection_, first, last, wants, visit));
    ASSERT_TRUE(sound);
    for (auto& [token, counts] : found) {
      std::erase_if(counts, [](const auto& entry) { return entry.second == 0; });
    }
    Oracle expected;
    for (const auto& [row, texts] : rows_) {
      if (row < first || row > last) continue;
      std::istringstream words(texts.body);
      for (std::string token; words >> token;) {
        if (wanted.contains(token)) ++expected[token][row];
      }
    }
    std::erase_if(found, [](const auto& entry) { return entry.second.empty(); });
    ASSERT_EQ(found, expected);
  }

  // A transaction that adds rows and deletes some, of which it adds some again.
  void Change(uint32_t rows) {
    ASSERT_OK(connection_->BeginImmediate());
    for (uint32_t i = 0; i < rows; ++i, next_ += 1 + static_cast<uint32_t>(random_() % 300))
      Insert(next_);
    for (uint32_t i = 0; i < rows / 4; ++i) {
      const uint32_t victim = std::next(rows_.begin(), random_() % rows_.size())->first;
      Delete(victim);
      if (random_() % 3 == 0) Insert(victim);
    }
    ASSERT_OK(connection_->Execute("COMMIT"));
  }

  // Uses a plain connection, because ours does not allow writes to FTS5's tables.
  void Tamper(const std::function<void(sqlite3*)>& change) {
    sqlite3* plain = nullptr;
    ASSERT_EQ(sqlite3_open((dir_ / "recall.db").c_str(), &plain), SQLITE_OK);
    change(plain);
    ASSERT_EQ(sqlite3_close(plain), SQLITE_OK);
  }

  // Restores the original leaves, then changes bytes of some and truncates others.
  void DamageLeaves(sqlite3* plain) {
    Statement select;
    Statement update;
    for (const auto& [statement, sql] :
         {std::pair{&select, "SELECT id, block FROM lexicon_data WHERE id > 10"},
          std::pair{&update, "UPDATE lexicon_data SET block = ?2 WHERE id = ?1"}}) {
      sqlite3_stmt* prepared = nullptr;
      ASSERT_EQ(sqlite3_prepare_v2(plain, sql, -1, &prepared, nullptr), SQLITE_OK);
      *statement = Statement(prepared);
    }
    const bool damaged = !leaves_.empty();
    while (!damaged && Must(select.Step())) {
      leaves_[select.ColumnInt(0)] = AsText(select.ColumnBlob(1));
    }
    select.Reset();
    for (auto [id, leaf] : leaves_) {
      for (uint64_t bytes = random_() % 10 == 0 ? 1 + random_() % 3 : 0; bytes > 0; --bytes) {
        leaf[random_() % leaf.size()] = static_cast<char>(random_());
      }
      if (random_() % 200 == 0) leaf.resize(random_() % leaf.size());
      update.BindInt(1, id);
      update.BindBlob(2, AsBytes(leaf));
      ASSERT_OK(update.Run());
    }
  }

  static constexpr uint32_t kLastRow = std::numeric_limits<uint32_t>::max();
  static bool Everything(std::string_view) { return true; }
  static void Nothing(const PostingList&) {}

  static std::vector<std::string> Vocabulary() {
    std::vector<std::string> words;
    for (int i = 0; i < 120; ++i) words.push_back("w" + std::to_string(i));
    for (int i = 1; i < 20; ++i) words.push_back("wa" + std::string(i * 7, 'a'));
    for (int i = 0; i < 20; ++i)
      words.push_back("\xc3" + std::string(1, static_cast<char>(0x80 + i)));
    return words;
  }

  std::mt19937_64 random_{TestSeed(41)};
  const std::vector<std::string> vocabulary_ = Vocabulary();
  std::map<uint32_t, WordsRow> rows_;
  Oracle oracle_;
  uint32_t next_ = 0;
  std::map<int64_t, std::string> leaves_;  // before the first damage
};

class FtsWordsLeafTest : public FtsWordsTest, public ::testing::WithParamInterface<int> {};

TEST_P(FtsWordsLeafTest, EqualWhatWasPutIn) {
  Configure("pgsz", GetParam());
  ExpectAllWords();  // the index has no run yet
  for (int round = 0; round < 40; ++round) {
    Change(1 + static_cast<uint32_t>(random_() % 60));
    switch (random_() % 6) {
      case 0:
        Configure("automerge", std::array{0, 2, 4, 16}[random_() % 4]);
        break;
      case 1:  // part of a merge
        Configure("merge", static_cast<int>(random_() % 2 == 0 ? 3 : -3));
        break;
      case 2:
        Configure("crisismerge", 2 + static_cast<int>(random_() % 8));
        break;
      default:
        break;
    }
    ExpectAllWords();
    if (HasFatalFailure()) FAIL() << "round " << round;
  }
  ASSERT_OK(connection_->Execute("INSERT INTO lexicon(lexicon) VALUES('optimize')"));
  ExpectAllWords();
  ASSERT_OK(connection_->Execute("INSERT INTO lexicon(lexicon) VALUES('integrity-check')"));
}

TEST_P(FtsWordsLeafTest, ReadListsOfManyLeavesAndPositionsOfMany) {
  Configure("pgsz", GetParam());
  ASSERT_OK(connection_->BeginImmediate());
  for (uint32_t row : {5u, 6u, 4'000'000'000u, 4'294'967'295u}) {
    WordsRow texts;
    for (int i = 0; i < 3000; ++i) texts.body += i % 3 == 0 ? "often " : "other ";
    for (int i = 0; i < 200; ++i) texts.compound += "often ";
    ASSERT_OK(InsertFtsRow(*connection_, row, texts.body, texts.compound));
  }
  ASSERT_OK(connection_->Execute("COMMIT; BEGIN"));
  ASSERT_OK_AND_ASSIGN(auto words, FtsWords::Open(*connection_));
  ASSERT_OK_AND_ASSIGN(const auto list, words->Read("often"));
  ASSERT_TRUE(list.has_value());
  EXPECT_EQ(*list,
            (PostingList{{5, 1200}, {6, 1200}, {4'000'000'000, 1200}, {4'294'967'295, 1200}}));
}

INSTANTIATE_TEST_SUITE_P(LeafBytes, FtsWordsLeafTest, ::testing::Values(32, 100, 1000, 4050));

// Only FTS5 knows its pending changes.
TEST_F(FtsWordsTest, LeaveWriteTransactionsToFts5) {
  ASSERT_OK(connection_->BeginImmediate());
  ASSERT_OK(InsertFtsRow(*connection_, 1, "fresh", ""));
  ASSERT_OK_AND_ASSIGN(const auto words, FtsWords::Open(*connection_));
  EXPECT_FALSE(words.has_value());
  EXPECT_FALSE(Must(ScanFtsBodies(*connection_, 0, kLastRow, Everything, Nothing)));
  EXPECT_EQ(Must(ReadPostings(*connection_, {{{"fresh"}}})).at(0), (PostingList{{1, 1}}));
}

TEST_F(FtsWordsTest, LeaveAnotherVersionToFts5) {
  Change(5);
  Tamper([](sqlite3* plain) {
    const char* const change = "UPDATE lexicon_config SET v = 5 WHERE k = 'version'";
    ASSERT_EQ(sqlite3_exec(plain, change, nullptr, nullptr, nullptr), SQLITE_OK);
  });
  ASSERT_OK(connection_->Execute("BEGIN"));
  ASSERT_OK_AND_ASSIGN(const auto words, FtsWords::Open(*connection_));
  EXPECT_FALSE(words.has_value());
  EXPECT_FALSE(Must(ScanFtsBodies(*connection_, 0, kLastRow, Everything, Nothing)));
}

// Damaged leaves give an error, wrong postings or the right ones, but never a crash.
TEST_F(FtsWordsTest, BearAnyBytes) {
  Configure("pgsz", 64);
  for (int i = 0; i < 4; ++i) Change(40);
  int64_t refused = 0;
  int64_t read = 0;
  int64_t scans_refused = 0;
  for (int round = 0; round < 300; ++round) {
    Tamper([&](sqlite3* plain) { DamageLeaves(plain); });
    ASSERT_OK(connection_->Execute("BEGIN"));
    auto words = FtsWords::Open(*connection_);
    for (const std::string& word : vocabulary_) {
      if (!words || !*words) break;
      const auto list = (*words)->Read(word);
      refused += !list || !*list ? 1 : 0;
      if (!list || !*list) continue;
      ++read;
      for (size_t i = 1; i < (*list)->size(); ++i) ASSERT_LT((**list)[i - 1].row, (**list)[i].row);
    }
    const auto check = [](const PostingList& list) {
      for (size_t i = 1; i < list.size(); ++i) ASSERT_LT(list[i - 1].row, list[i].row);
    };
    const auto scanned = ScanFtsBodies(*connection_, 0, kLastRow, Everything, check);
    scans_refused += !scanned || !*scanned ? 1 : 0;
    ASSERT_OK(connection_->Execute("COMMIT"));
  }
  EXPECT_GT(refused, 1000);
  EXPECT_GT(read, 1000);
  EXPECT_GT(scans_refused, 100);
}

// Damage is left to FTS5, whose error the caller gets.
TEST_F(FtsWordsTest, LeaveDamageToFts5) {
  Change(40);
  Tamper([](sqlite3* plain) {
    const char* const change = "DELETE FROM lexicon_data WHERE id > 1000";
    ASSERT_EQ(sqlite3_exec(plain, change, nullptr, nullptr, nullptr), SQLITE_OK);
  });
  ASSERT_OK(connection_->Execute("BEGIN"));
  const auto lists = ReadPostings(*connection_, {{{"w0"}}});
  ASSERT_FALSE(lists.has_value());
  EXPECT_EQ(lists.error().code(), StatusCode::kCorruption);
}

}  // namespace
}  // namespace recall
