// Every bit of the structures by which queries find terms and rows is flipped, one at a time. What
// the audit accepts must answer every query as before, whether FTS5 or FtsWords answers it, and
// FTS5 must accept it as well.

#include "storage/fts5/fts_audit.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "storage/base/bytes.h"
#include "storage/fts5/fts_batch.h"
#include "storage/fts5/fts_words.h"
#include "tests/storage/fts5/fts_fixture.h"
#include "tests/storage/fts5/fts_token_sums.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

class FtsAuditTest : public FtsFixture {
 protected:
  // Several runs, leaves of 64 bytes, lists with row indexes, deleted rows, and a merge in
  // progress.
  void SetUp() override {
    FtsFixture::SetUp();
    Run("INSERT INTO lexicon(lexicon, rank) VALUES('pgsz', 64)");
    for (uint32_t run = 0; run < 6; ++run) {
      ASSERT_OK(connection_->BeginImmediate());
      FtsPostingsBuilder builder;
      FtsBatch batch;
      for (uint32_t row = 0; row < kRows; ++row) builder.AddRow(Body(run * kRows + row), "");
      batch.Add(run * kRows, builder.Take());
      ASSERT_OK(batch.Write(*connection_));
      if (run == 3) {
        for (const uint32_t row : {3u, 70u}) {
          ASSERT_OK(DeleteFtsRow(*connection_, row, Body(row), ""));
        }
      }
      ASSERT_OK(connection_->Execute("COMMIT"));
    }
    words_ = {"w0", "w1", "w2", "w3", "w11", "w12", "w25", "common", "absent", "w", "z"};
    before_ = Answers();
  }

  static constexpr uint32_t kRows = 150;  // of each run

  static std::string Body(uint32_t row) {
    std::string body = "common";
    for (uint32_t i = 0; i < 8; ++i) body += " w" + std::to_string((row * 7 + i * i * 5) % 40);
    return body;
  }

  void Run(const std::string& sql) { ASSERT_OK(connection_->Execute(sql)); }

  // What FTS5 and FtsWords answer. An error is an answer, too.
  std::vector<std::string> Answers() {
    std::vector<std::string> answers;
    for (const std::string& word : words_) {
      for (const char* order : {"", " DESC"}) {
        answers.push_back(
            AskFts5("SELECT rowid FROM lexicon('" + word + "') ORDER BY rowid" + order));
        answers.push_back(
            AskFts5("SELECT rowid FROM lexicon('common AND " + word + "') ORDER BY rowid" + order));
      }
    }
    Run("BEGIN");
    for (const std::string& word : words_) {
      for (const uint32_t first : {0u, 100u, 300u}) answers.push_back(AskWords(word, first));
    }
    Run("ROLLBACK");
    return answers;
  }
  std::string AskFts5(const std::string& sql) {
    std::string answer;
    auto select = connection_->Prepare(sql);
    if (!select) return "error";
    for (;;) {
      const auto row = select->Step();
      if (!row) return "error";
      if (!*row) return answer;
      answer += std::to_string(select->ColumnInt(0)) + " ";
    }
  }
  std::string AskWords(const std::string& word, uint32_t first) {
    auto words = FtsWords::Open(*connection_);
    if (!words || !*words) return "error";
    const auto list = (*words)->Read(word, first);
    if (!list || !*list) return "error";
    std::string answer;
    for (const Posting& posting : **list) {
      // Rows before the first one may be left out.
      if (posting.row >= first) answer += std::to_string(posting.row) + " ";
    }
    return answer;
  }

  bool AuditAccepts() {
    Run("BEGIN");
    FtsTokenSums sums;
    const auto known = ReadByAudit(*connection_, &sums);
    Run("ROLLBACK");
    return known && *known && sums == sums_;
  }
  bool Fts5Accepts() {
    return connection_->Execute("INSERT INTO lexicon(lexicon) VALUES('integrity-check')").ok();
  }
  // Makes FTS5 read its tables again.
  void Reopen() {
    connection_.reset();
    ASSERT_OK_AND_ASSIGN(
        connection_, Connection::Open(dir_ / "recall.db", {.mode = ConnectionMode::kReadWrite}));
    ASSERT_OK(connection_->Execute("PRAGMA synchronous=OFF"));
  }

  void ReadSums() {
    sums_.clear();
    Run("BEGIN");
    const auto known = ReadByAudit(*connection_, &sums_);
    ASSERT_TRUE(known && *known);
    EXPECT_EQ(sums_, *ReadByFts5(*connection_));
    Run("ROLLBACK");
  }

  // Flips bits of a column, one at a time; `rows` selects id and bytes.
  void FlipEach(const std::string& rows, const std::string& update, size_t step) {
    ReadSums();
    std::vector<std::pair<int64_t, std::string>> blocks;
    {
      ASSERT_OK_AND_ASSIGN(Statement select, connection_->Prepare(rows));
      while (*select.Step()) {
        blocks.push_back({select.ColumnInt(0), std::string(AsText(select.ColumnBlob(1)))});
      }
    }
    ASSERT_FALSE(blocks.empty());
    size_t flipped = 0;
    size_t accepted = 0;
    size_t at = 0;
    for (const auto& [id, block] : blocks) {
      for (; at < block.size() * 8; at += step) {
        std::string changed = block;
        changed[at / 8] = static_cast<char>(changed[at / 8] ^ 1 << at % 8);
        Write(update, id, changed);
        ++flipped;
        if (AuditAccepts()) {
          ++accepted;
          const std::string where = "bit " + std::to_string(at) + " of " + std::to_string(id);
          EXPECT_TRUE(Answers() == before_) << where;
          EXPECT_TRUE(Fts5Accepts()) << where;
        }
        Write(update, id, block);
      }
      at -= block.size() * 8;
    }
    EXPECT_GT(flipped, 100u);
    // Otherwise the comparison of the answers would never have been made.
    RecordProperty("accepted", static_cast<int>(accepted));
    EXPECT_LT(accepted, flipped);
    EXPECT_TRUE(Answers() == before_);
  }
  void Write(const std::string& update, int64_t id, const std::string& bytes) {
    {
      const FtsTablesAccess access(*connection_);
      ASSERT_OK_AND_ASSIGN(Statement write, connection_->Prepare(update));
      write.BindInt(1, id);
      write.BindBlob(2, AsBytes(bytes));
      ASSERT_OK(write.Run());
    }
    Reopen();
  }

  std::vector<std::string> words_;
  std::vector<std::string> before_;
  FtsTokenSums sums_;
};

TEST_F(FtsAuditTest, LeavesAndRowIndexes) {
  ASSERT_GT(*connection_->QueryInt("SELECT count(*) FROM lexicon_data WHERE id & (1 << 36)"), 0);
  // 101 has no factor in common with the layout, so all kinds of bits are flipped.
  FlipEach("SELECT id, block FROM lexicon_data WHERE id > 10",
           "UPDATE lexicon_data SET block = ?2 WHERE id = ?1", 101);
}

TEST_F(FtsAuditTest, TheListOfRuns) {
  FlipEach("SELECT id, block FROM lexicon_data WHERE id = 10",
           "UPDATE lexicon_data SET block = ?2 WHERE id = ?1", 1);
}

TEST_F(FtsAuditTest, Keys) {
  // Keys are identified by run and leaf.
  FlipEach("SELECT segid << 32 | pgno, term FROM lexicon_idx WHERE term <> ''",
           "UPDATE OR IGNORE lexicon_idx SET term = ?2 WHERE segid = ?1 >> 32 AND "
           "pgno = ?1 & 0xffffffff",
           5);
}

TEST_F(FtsAuditTest, KeysThatAreMissingOrNameOtherLeaves) {
  for (const char* damage :
       {"DELETE FROM lexicon_idx WHERE (segid, pgno) = "
        "(SELECT segid, pgno FROM lexicon_idx WHERE term > '0w1' LIMIT 1)",
        "UPDATE lexicon_idx SET pgno = pgno + 2 WHERE segid = 1 AND pgno = "
        "(SELECT max(pgno) FROM lexicon_idx WHERE segid = 1)",
        "UPDATE lexicon_idx SET pgno = pgno - 1 WHERE pgno & 1",
        "INSERT INTO lexicon_idx(segid, term, pgno) SELECT segid, term || 'x', pgno FROM "
        "lexicon_idx WHERE term > '0w2' LIMIT 1"}) {
    ReadSums();
    EXPECT_TRUE(AuditAccepts());
    connection_.reset();
    fs::copy_file(dir_ / "recall.db", dir_ / "sound.db", fs::copy_options::overwrite_existing);
    Reopen();
    {
      const FtsTablesAccess access(*connection_);
      Run(damage);
      ASSERT_GT(*connection_->QueryInt("SELECT changes()"), 0) << damage;
    }
    EXPECT_FALSE(AuditAccepts()) << damage;
    connection_.reset();
    fs::copy_file(dir_ / "sound.db", dir_ / "recall.db", fs::copy_options::overwrite_existing);
    Reopen();
  }
}

}  // namespace
}  // namespace recall
