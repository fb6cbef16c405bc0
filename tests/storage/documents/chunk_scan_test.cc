#include "storage/documents/chunk_scan.h"

#include <map>

#include "storage/documents/chunk_table.h"
#include "tests/storage/documents/doc_fixture.h"

namespace recall {
namespace {

class ChunkScanTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(store_, Store::Create(dir_ / "recall.db", {}));
    auto transaction = Must(store_->BeginWrite());
    // Texts without a block, with one and with many blocks and windows.
    const std::vector<std::pair<size_t, uint32_t>> shapes = {
        {10, 3}, {0, 0}, {0, 1}, {100'000, 7}, {700'000, 40}, {700'000, 2}, {32'768, 5}, {5, 1}};
    for (size_t i = 0; i < shapes.size(); ++i) {
      std::string text(shapes[i].first, ' ');
      for (size_t at = 0; at < text.size(); ++at) text[at] = static_cast<char>(at * 31 % 251 + i);
      DocRow doc;
      doc.path = "doc " + std::to_string(i);
      docs_.push_back(AddDoc(*transaction, doc, text, shapes[i].second));
      texts_.push_back(std::move(text));
    }
    ASSERT_OK(transaction->Commit());
    transaction.reset();
    transaction_ = Must(store_->BeginRead());
    for (size_t i = 0; i < docs_.size(); ++i) {
      for (ChunkRow& chunk : Must(ReadChunksOf(*transaction_, docs_[i]))) {
        doc_of_[chunk.row] = i;
        chunks_[chunk.row] = std::move(chunk);
      }
    }
  }

  uint32_t last_row() const { return chunks_.rbegin()->first; }

  TempDir dir_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<ReadTransaction> transaction_;
  std::vector<DocRow> docs_;
  std::vector<std::string> texts_;
  std::map<uint32_t, ChunkRow> chunks_;
  std::map<uint32_t, size_t> doc_of_;
};

// If the definitions differ, every scan is left to SQLite.
TEST_F(ChunkScanTest, TheTableIsDefinedAsTheScanExpects) {
  Statement select = Must(transaction_->connection().Prepare(
      "SELECT sql FROM sqlite_schema WHERE name = 'chunk' AND type = 'table'"));
  ASSERT_TRUE(Must(select.Step()));
  EXPECT_EQ(select.ColumnText(0), kChunkTable.sql);
}

// Many chunks, so that they are read by pages of the file.
TEST_F(ChunkScanTest, ReadsWhatSqliteReads) {
  transaction_.reset();
  {
    auto transaction = Must(store_->BeginWrite());
    DocRow doc;
    doc.path = "long";
    AddDoc(*transaction, doc, std::string(400'000, 'x'), 5000);
    ASSERT_OK(transaction->Commit());
  }
  store_.reset();  // the last connection brings the WAL into the main file
  ASSERT_OK_AND_ASSIGN(store_, Store::Open(dir_ / "recall.db", {.read_only = true}));
  transaction_ = Must(store_->BeginRead());
  Connection& connection = transaction_->connection();
  std::vector<std::pair<uint32_t, std::string>> read;
  ASSERT_OK(ScanChunkHeadings(*transaction_, 3, 4800, [&](uint32_t row, std::string_view text) {
    read.emplace_back(row, text);
  }));
  std::vector<std::pair<uint32_t, std::string>> expected;
  Statement headings = Must(
      connection.Prepare("SELECT id, heading FROM chunk WHERE id BETWEEN 3 AND 4800 ORDER BY id"));
  while (Must(headings.Step())) {
    expected.emplace_back(headings.ColumnInt(0), headings.ColumnText(1));
  }
  EXPECT_EQ(read, expected);
  EXPECT_GT(expected.size(), 4000u);
  uint64_t next = 0;
  ASSERT_OK_AND_ASSIGN(next, ScanColumn(connection, kChunkTable, {11, true}, 3, 4800,
                                        [](uint32_t, const ScannedValue&) {}));
  EXPECT_EQ(next, 4801u) << "SQLite need not continue";
}

TEST_F(ChunkScanTest, ReadsColumnsInOrder) {
  uint32_t next = 2;
  ASSERT_OK(ScanChunkNumbers(*transaction_, ChunkNumber::kEndByte, 2, last_row() - 1,
                             [&](uint32_t row, int64_t value) {
                               EXPECT_EQ(row, next++);
                               EXPECT_EQ(static_cast<uint64_t>(value), chunks_[row].end_byte);
                             }));
  EXPECT_EQ(next, last_row());
  const std::map<ChunkNumber, uint64_t (*)(const ChunkRow&)> columns = {
      {ChunkNumber::kOffset, [](const ChunkRow& chunk) { return chunk.offset; }},
      {ChunkNumber::kTokens, [](const ChunkRow& chunk) { return uint64_t{chunk.tokens}; }},
      {ChunkNumber::kStartByte, [](const ChunkRow& chunk) { return chunk.start_byte; }},
      {ChunkNumber::kEndByte, [](const ChunkRow& chunk) { return chunk.end_byte; }},
      {ChunkNumber::kStartLine, [](const ChunkRow& chunk) { return uint64_t{chunk.start_line}; }},
      {ChunkNumber::kEndLine, [](const ChunkRow& chunk) { return uint64_t{chunk.end_line}; }}};
  for (const auto& [column, get] : columns) {
    size_t count = 0;
    ASSERT_OK(ScanChunkNumbers(*transaction_, column, 0, UINT32_MAX,
                               [&, g = get](uint32_t row, int64_t value) {
                                 ++count;
                                 EXPECT_EQ(static_cast<uint64_t>(value), g(chunks_[row]));
                               }));
    EXPECT_EQ(count, chunks_.size());
  }
  size_t headings = 0;
  ASSERT_OK(
      ScanChunkHeadings(*transaction_, 0, UINT32_MAX, [&](uint32_t row, std::string_view heading) {
        ++headings;
        EXPECT_EQ(heading, chunks_[row].heading);
      }));
  EXPECT_EQ(headings, chunks_.size());
}

TEST_F(ChunkScanTest, ReadsIdsAndTextsOfAnyRange) {
  ChunkReader reader(*transaction_);
  for (const auto& [first, last] : std::vector<std::pair<uint32_t, uint32_t>>{
           {0, UINT32_MAX}, {5, 5}, {9, 30}, {31, 31}, {3, 4}, {last_row(), last_row()}, {7, 6}}) {
    std::vector<uint32_t> rows;
    ASSERT_OK(reader.ScanTexts(first, last, [&](uint32_t row, std::string_view text) {
      rows.push_back(row);
      const ChunkRow& chunk = chunks_[row];
      EXPECT_EQ(text, std::string_view(texts_[doc_of_[row]])
                          .substr(chunk.start_byte, chunk.end_byte - chunk.start_byte));
    }));
    std::vector<uint32_t> expected;
    for (const auto& [row, chunk] : chunks_) {
      if (row >= first && row <= last) expected.push_back(row);
    }
    EXPECT_EQ(rows, expected);
    rows.clear();
    ASSERT_OK(reader.ScanPassages(
        first, last, [&](uint32_t row, std::string_view heading, std::string_view text) {
          rows.push_back(row);
          EXPECT_EQ(heading, chunks_[row].heading);
          EXPECT_EQ(text.size(), chunks_[row].end_byte - chunks_[row].start_byte);
        }));
    EXPECT_EQ(rows, expected);
    ASSERT_OK(reader.ScanIds(first, last, [&](uint32_t row, std::string_view id) {
      const ChunkRow& chunk = chunks_[row];
      EXPECT_EQ(id, ToHex(MakeChunkId(docs_[doc_of_[row]].id, chunk.offset, 0)));
    }));
    ASSERT_OK(reader.ScanDocIds(first, last, [&](uint32_t row, std::string_view id) {
      EXPECT_EQ(id, ToHex(docs_[doc_of_[row]].id));
    }));
  }
}

TEST_F(ChunkScanTest, DamageIsReported) {
  transaction_.reset();
  const auto transaction = Must(store_->BeginWrite());
  Connection& connection = transaction->connection();
  const auto ignore = [](uint32_t, std::string_view) {};
  ASSERT_OK(connection.Execute("SAVEPOINT s; UPDATE chunk SET doc = 99 WHERE id = 0"));
  EXPECT_EQ(ChunkReader(*transaction).ScanIds(0, 0, ignore).code(), StatusCode::kCorruption);
  EXPECT_EQ(ChunkReader(*transaction).ScanTexts(0, 0, ignore).code(), StatusCode::kCorruption);
  ASSERT_OK(connection.Execute("ROLLBACK TO s; DELETE FROM text_block"));
  EXPECT_EQ(ChunkReader(*transaction).ScanTexts(0, 0, ignore).code(), StatusCode::kCorruption);
  // Impossible ranges give the existing part of the text.
  ASSERT_OK(connection.Execute("ROLLBACK TO s; UPDATE chunk SET start_byte = -7, end_byte = -9"));
  EXPECT_OK(ChunkReader(*transaction).ScanTexts(0, UINT32_MAX, ignore));
  ASSERT_OK(connection.Execute("ROLLBACK TO s; UPDATE chunk SET start_byte = end_byte + 5"));
  EXPECT_OK(ChunkReader(*transaction).ScanTexts(0, UINT32_MAX, ignore));
}

}  // namespace
}  // namespace recall
