#pragma once

#include <map>
#include <set>
#include <sstream>

#include "index/base/text/tokenizer.h"
#include "index/embed/factory/embedding_space.h"
#include "index/search/columns/chunk_columns.h"
#include "index/search/vector/stored_vectors.h"
#include "storage/base/base64.h"
#include "storage/base/bytes.h"
#include "storage/documents/document_store.h"
#include "tests/query/query_fixture.h"

namespace recall {

// A store, and other stores that import its documents.
class TransferFixture : public QueryFixture {
 protected:
  static std::string Export(Database& database, ExportLayout layout = ExportLayout::kRecall) {
    ExportRequest request;
    request.layout = layout;
    std::string lines;
    const auto report = database.Export(request, [&](std::string_view piece) {
      lines += piece;
      return Status::Ok();
    });
    EXPECT_TRUE(report.has_value()) << report.error().ToString();
    return lines;
  }
  std::string Export(ExportLayout layout = ExportLayout::kRecall) {
    return Export(*database_, layout);
  }

  void SetUp() override { Create(Hashed()); }

  // With an embedder that needs no training, so vectors are the same in every store.
  static CreateOptions Hashed() { return {.embedder = "hash"}; }

  // Writes the lines to a file and imports it into `database`.
  Result<ImportReport> Import(Database& database, const std::string& lines,
                              ImportRequest request = {}) {
    const std::string path = other_dir_ / "import.jsonl";
    std::ofstream(path, std::ios::binary) << lines;
    request.path = path;
    return database.Import(request);
  }

  std::unique_ptr<Database> NewDatabase(const std::string& name,
                                        const CreateOptions& options = Hashed()) {
    auto database = Database::Create(other_dir_ / name, options);
    EXPECT_TRUE(database.has_value()) << database.error().ToString();
    return std::move(*database);
  }
  std::unique_ptr<Database> OpenOther(const std::string& name) {
    auto database = Database::Open(other_dir_ / name, {});
    EXPECT_TRUE(database.has_value()) << database.error().ToString();
    return std::move(*database);
  }
  std::string OtherPath(const std::string& name) const { return other_dir_ / name; }

  static std::string ReadWhole(const std::string& path) {
    std::ostringstream bytes;
    bytes << std::ifstream(path, std::ios::binary).rdbuf();
    return bytes.str();
  }

  static std::vector<std::string> Lines(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
  }

  // Checks every invariant of docs/format/store.md, section 7. Requires: the store is not open.
  static void CheckStore(const std::string& path) {
    ASSERT_OK_AND_ASSIGN(const auto store, Store::Open(path));
    ASSERT_OK_AND_ASSIGN(const auto transaction, store->BeginRead());
    Connection& connection = transaction->connection();
    ASSERT_OK_AND_ASSIGN(const std::string ok, connection.QueryText("PRAGMA integrity_check"));
    EXPECT_EQ(ok, "ok");
    ASSERT_OK_AND_ASSIGN(const VectorGeometry space, GeometryOf(*transaction));
    ASSERT_OK_AND_ASSIGN(const auto columns, ChunkColumns::Open(*transaction, space));
    StoredVectors vectors(*columns);
    ASSERT_OK_AND_ASSIGN(const auto docs, FindLiveDocsUnder(*transaction, ""));
    StoreCounts sums;
    std::map<uint32_t, std::string> postings = ReadPostings(path);
    Tokenizer tokenizer;
    for (const DocRow& doc : docs) {
      ASSERT_OK_AND_ASSIGN(const std::string text,
                           ReadText(*transaction, doc, 0, static_cast<uint64_t>(doc.size)));
      EXPECT_EQ(text.size(), static_cast<size_t>(doc.size));
      if (doc.parser != kImportedParser) {
        EXPECT_EQ(Sha256(text), doc.hash) << doc.path;
      }
      ASSERT_OK_AND_ASSIGN(const auto chunks, ReadChunksOf(*transaction, doc));
      for (const ChunkRow& chunk : chunks) {
        ASSERT_LE(chunk.end_byte, text.size());
        ASSERT_OK(vectors.Find(chunk.row));
        LexicalText lexical;
        tokenizer.Analyze(chunk.heading,
                          text.substr(chunk.start_byte, chunk.end_byte - chunk.start_byte),
                          &lexical, tokenizer.AnalyzePath(doc.path));
        EXPECT_EQ(chunk.lexical_tokens, lexical.tokens);
        EXPECT_EQ(postings[chunk.row], lexical.body) << doc.path << " row " << chunk.row;
        sums.tokens += chunk.tokens;
        sums.lexical_tokens += chunk.lexical_tokens;
      }
      sums.docs += 1;
      sums.chunks += doc.chunk_count;
      sums.text_bytes += doc.size;
    }
    EXPECT_EQ(transaction->counts().docs, sums.docs);
    EXPECT_EQ(transaction->counts().chunks, sums.chunks);
    EXPECT_EQ(transaction->counts().tokens, sums.tokens);
    EXPECT_EQ(transaction->counts().lexical_tokens, sums.lexical_tokens);
    EXPECT_EQ(transaction->counts().text_bytes, sums.text_bytes);
  }

  TempDir other_dir_;

 private:
  // The terms of each row in column `body` of the full-text index, in order.
  static std::map<uint32_t, std::string> ReadPostings(const std::string& path) {
    std::map<uint32_t, std::map<int64_t, std::string>> terms;
    auto connection = Connection::Open(path, {.mode = ConnectionMode::kReadWrite});
    EXPECT_TRUE(connection.has_value());
    EXPECT_OK((*connection)
                  ->Execute("CREATE VIRTUAL TABLE temp.postings USING "
                            "fts5vocab(main, lexicon, instance)"));
    auto select = (*connection)
                      ->Prepare(
                          "SELECT doc, \"offset\", term FROM temp.postings WHERE col = "
                          "'body'");
    EXPECT_TRUE(select.has_value());
    while (select->Step().value_or(false)) {
      terms[static_cast<uint32_t>(select->ColumnInt(0))][select->ColumnInt(1)] =
          select->ColumnText(2);
    }
    std::map<uint32_t, std::string> postings;
    for (const auto& [row, by_offset] : terms) {
      std::string& text = postings[row];
      for (const auto& [offset, term] : by_offset) text += (text.empty() ? "" : " ") + term;
    }
    return postings;
  }
};

}  // namespace recall
