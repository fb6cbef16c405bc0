#include "storage/documents/document_store.h"

#include <algorithm>
#include <random>

#include "storage/documents/recent_text.h"
#include "storage/sqlite/connection.h"
#include "tests/storage/store/store_test_util.h"

namespace recall {
namespace {

std::vector<std::string> Paths(const std::vector<DocRow>& docs) {
  std::vector<std::string> paths;
  for (const DocRow& doc : docs) paths.push_back(doc.path);
  return paths;
}

std::string RandomText(std::mt19937_64& random, size_t size) {
  static constexpr std::string_view kLetters = "abcdef \n\xff";
  std::string text(size, ' ');
  for (char& c : text) c = kLetters[random() % kLetters.size()];
  return text;
}

class DocumentStoreTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_OK_AND_ASSIGN(store_, Store::Create(dir_ / "recall.db", {})); }

  std::unique_ptr<WriteTransaction> Write() { return Must(store_->BeginWrite()); }
  std::unique_ptr<ReadTransaction> Read() { return Must(store_->BeginRead()); }

  // Adds a document of `chunks` chunks, in place of the live one of the same path.
  static DocRow Add(WriteTransaction& transaction, const std::string& path, const std::string& text,
                    uint32_t chunks = 1) {
    const auto live = Must(FindLiveDoc(transaction, path));
    if (live) EXPECT_OK(MarkDocRemoved(transaction, live->row));
    DocRow doc;
    doc.path = path;
    doc.hash = Sha256(text);
    doc.id = MakeDocId(path, doc.hash);
    doc.size = static_cast<int64_t>(text.size());
    doc.parser = "plain";
    doc.chunk_count = chunks;
    doc.first_chunk = *transaction.AllocateChunkRows(chunks);
    doc.row = Must(InsertDoc(transaction, doc, CompressText(text)));
    for (uint32_t i = 0; i < chunks; ++i) {
      ChunkRow chunk;
      chunk.row = doc.first_chunk + i;
      chunk.doc_row = doc.row;
      chunk.start_byte = text.size() * i / chunks;
      chunk.end_byte = text.size() * (i + 1) / chunks;
      chunk.offset = i * 10;
      chunk.heading = "H > " + std::to_string(i);
      EXPECT_OK(InsertChunk(transaction, doc, chunk));
    }
    return doc;
  }

  TempDir dir_;
  std::unique_ptr<Store> store_;
};

TEST_F(DocumentStoreTest, EveryFieldComesBack) {
  DocRow doc;
  doc.path = "notes/\xe4\xb8\xad \n'%_.md";
  doc.hash = Sha256("text");
  doc.id = MakeDocId(doc.path, doc.hash);
  doc.mtime = -5;
  doc.size = 4;
  doc.tag = "";
  doc.source = "s";
  doc.meta = R"({"a":1})";
  doc.parser = "markdown";
  doc.chunk_count = 1;
  doc.tokens = 1;
  doc.lexical_tokens = 2;
  ChunkRow chunk;
  {
    const auto transaction = Write();
    doc.first_chunk = *transaction->AllocateChunkRows(1);
    ASSERT_OK_AND_ASSIGN(doc.row, InsertDoc(*transaction, doc, CompressText("text")));
    chunk = {doc.first_chunk, doc.row, 1, 4, 2, 3, 9, 8, 7, 6, "A > B"};
    ASSERT_OK(InsertChunk(*transaction, doc, chunk));
    ASSERT_OK(transaction->Commit());
  }
  const auto transaction = Read();
  ASSERT_OK_AND_ASSIGN(const auto found, FindLiveDoc(*transaction, doc.path));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->row, doc.row);
  EXPECT_EQ(found->id, doc.id);
  EXPECT_EQ(found->path, doc.path);
  EXPECT_EQ(found->hash, doc.hash);
  EXPECT_EQ(found->mtime, -5);
  EXPECT_EQ(found->size, 4);
  EXPECT_EQ(found->tag, "");
  EXPECT_EQ(found->source, "s");
  EXPECT_EQ(found->meta, doc.meta);
  EXPECT_EQ(found->parser, "markdown");
  EXPECT_EQ(found->tokens, 1);
  EXPECT_EQ(found->lexical_tokens, 2);
  EXPECT_EQ(found->added_sequence, 1);
  EXPECT_EQ(found->removed_sequence, std::nullopt);
  ASSERT_OK_AND_ASSIGN(const ChunkRow read, ReadChunk(*transaction, chunk.row));
  EXPECT_EQ(read.doc_row, doc.row);
  EXPECT_EQ(read.start_byte, 1u);
  EXPECT_EQ(read.end_byte, 4u);
  EXPECT_EQ(read.start_line, 2u);
  EXPECT_EQ(read.end_line, 3u);
  EXPECT_EQ(read.offset, 9u);
  EXPECT_EQ(read.byte_in_token, 8u);
  EXPECT_EQ(read.tokens, 7u);
  EXPECT_EQ(read.lexical_tokens, 6u);
  EXPECT_EQ(read.heading, "A > B");
  for (const Status& missing :
       {ReadDoc(*transaction, 99).error(), ReadChunk(*transaction, 99).error()}) {
    EXPECT_EQ(missing.code(), StatusCode::kCorruption) << missing.ToString();
    EXPECT_NE(missing.hint().find("recall doctor"), std::string::npos);
  }
  EXPECT_FALSE(FindDoc(*transaction, 99)->has_value());
}

TEST_F(DocumentStoreTest, EditsThereAndBackKeepVersionsApart) {
  std::vector<DocRow> versions;
  for (const char* text : {"A", "B", "A"}) {
    const auto transaction = Write();
    versions.push_back(Add(*transaction, "f", text));
    ASSERT_OK(transaction->Commit());
  }
  EXPECT_EQ(versions[0].id, versions[2].id);
  EXPECT_LT(versions[0].row, versions[2].row);
  EXPECT_LT(versions[0].first_chunk, versions[2].first_chunk);
  {
    const auto transaction = Read();
    ASSERT_OK_AND_ASSIGN(const auto live, FindLiveDoc(*transaction, "f"));
    ASSERT_TRUE(live);
    EXPECT_EQ(live->row, versions[2].row);
    ASSERT_OK_AND_ASSIGN(const auto by_id,
                         FindLiveDocsById(*transaction, ToHex(versions[0].id), 10));
    ASSERT_EQ(by_id.size(), 1u);
    EXPECT_EQ(by_id[0].row, versions[2].row);
    ASSERT_OK_AND_ASSIGN(const auto removed, ListRemovedDocs(*transaction, 1000, 1000));
    ASSERT_EQ(removed.size(), 2u);
    EXPECT_EQ(removed[0].row, versions[0].row);
    EXPECT_EQ(removed[0].removed_sequence, 2);
    EXPECT_EQ(removed[1].removed_sequence, 3);
  }
  const auto transaction = Write();
  ASSERT_OK_AND_ASSIGN(const auto removed, ListRemovedDocs(*transaction, 1000, 1000));
  for (const DocRow& doc : removed) ASSERT_OK(DeleteDocRows(*transaction, doc));
  EXPECT_TRUE(ListRemovedDocs(*transaction, 1000, 1000)->empty());
  ASSERT_OK_AND_ASSIGN(const DocRow live, ReadDoc(*transaction, versions[2].row));
  EXPECT_EQ(*ReadText(*transaction, live, 0, 10), "A");
  EXPECT_EQ(DeleteDocRows(*transaction, live).code(), StatusCode::kCorruption);
  EXPECT_EQ(*transaction->connection().QueryInt("SELECT count(*) FROM chunk"), 1);
  EXPECT_EQ(*transaction->connection().QueryInt("SELECT count(*) FROM text_block"), 1);
}

TEST_F(DocumentStoreTest, OnePathHasOneLiveVersion) {
  const auto transaction = Write();
  const DocRow doc = Add(*transaction, "f", "A");
  EXPECT_EQ(InsertDoc(*transaction, doc, {}).error().code(), StatusCode::kAlreadyExists);
  ASSERT_OK(MarkDocRemoved(*transaction, doc.row));
  EXPECT_EQ(MarkDocRemoved(*transaction, doc.row).code(), StatusCode::kCorruption);
  EXPECT_EQ(UpdateDocMetadata(*transaction, doc).code(), StatusCode::kCorruption);
  EXPECT_OK(InsertDoc(*transaction, doc, {}));
}

TEST_F(DocumentStoreTest, MetadataAndLexicalTokensChangeInPlace) {
  const auto transaction = Write();
  DocRow doc = Add(*transaction, "f", "A");
  doc.mtime = 77;
  doc.tag = "t";
  doc.source = "s";
  doc.meta = "{}";
  doc.lexical_tokens = 5;
  ASSERT_OK(UpdateDocMetadata(*transaction, doc));
  ASSERT_OK(UpdateDocLexicalTokens(*transaction, doc));
  ASSERT_OK_AND_ASSIGN(const DocRow read, ReadDoc(*transaction, doc.row));
  EXPECT_EQ(read.mtime, 77);
  EXPECT_EQ(read.tag, "t");
  EXPECT_EQ(read.source, "s");
  EXPECT_EQ(read.meta, "{}");
  EXPECT_EQ(read.lexical_tokens, 5);
}

TEST_F(DocumentStoreTest, DirectoriesAreRangesOfPaths) {
  const std::vector<std::string> all = {
      "a",     "a!", "a%b/x", "a-b", "a.txt",  "a/b",        "a/b/c", "a/b\n/d", "a/bc", "a0",
      "a_b/y", "ab", "b/a/b", "b%",  "\xff/z", "a/\xff\xff", "A/b",   "a//odd",  "axb/y"};
  {
    const auto transaction = Write();
    for (const std::string& path : all) Add(*transaction, path, path);
    const DocRow gone = Add(*transaction, "a/gone", "x");
    ASSERT_OK(MarkDocRemoved(*transaction, gone.row));
    ASSERT_OK(transaction->Commit());
  }
  const auto transaction = Read();
  for (const std::string directory :
       {"a", "a/", "a/b", "a%b", "a_b", "a/b\n", "b", "\xff", "", ".", "none", "A", "a/b/c"}) {
    const bool everything = directory.empty() || directory == ".";
    std::string bare = directory;
    while (bare.ends_with('/')) bare.pop_back();
    std::vector<std::string> expected;
    for (const std::string& path : all) {
      if (everything || path == bare || path.starts_with(bare + "/")) expected.push_back(path);
    }
    std::sort(expected.begin(), expected.end());
    ASSERT_OK_AND_ASSIGN(const auto docs, FindLiveDocsUnder(*transaction, directory));
    EXPECT_EQ(Paths(docs), expected) << directory;
  }
}

TEST_F(DocumentStoreTest, IdPrefixesFindWhatBruteForceFinds) {
  std::vector<DocRow> docs;
  const auto transaction = Write();
  for (int i = 0; i < 400; ++i) {
    docs.push_back(Add(*transaction, "d" + std::to_string(i), "text", 2));
  }
  std::vector<std::string> ids;
  for (const DocRow& doc : docs) ids.push_back(ToHex(doc.id));
  std::sort(ids.begin(), ids.end());
  for (const size_t length : {1, 2, 3, 15, 16, 17, 40, 64}) {
    const std::string prefix = ids[123].substr(0, length);
    std::vector<std::string> expected;
    for (const std::string& id : ids) {
      if (id.starts_with(prefix)) expected.push_back(id);
    }
    ASSERT_OK_AND_ASSIGN(const auto found, FindLiveDocsById(*transaction, prefix, 1000));
    std::vector<std::string> found_ids;
    for (const DocRow& doc : found) found_ids.push_back(ToHex(doc.id));
    EXPECT_EQ(found_ids, expected) << prefix;
  }
  std::string upper = ids[7];
  std::transform(upper.begin(), upper.end(), upper.begin(), ::toupper);
  EXPECT_EQ(FindLiveDocsById(*transaction, upper, 9)->size(), 1u);
  // Two ids may have the same first 16 digits.
  std::string other = ids[7];
  other.back() = other.back() == '0' ? '1' : '0';
  EXPECT_TRUE(FindLiveDocsById(*transaction, other, 9)->empty());
  EXPECT_EQ(FindLiveDocsById(*transaction, ids[0].substr(0, 1), 1)->size(), 1u);
  EXPECT_TRUE(FindLiveDocsById(*transaction, "", 9)->empty());
  EXPECT_TRUE(FindLiveDocsById(*transaction, "not hex", 9)->empty());
}

TEST_F(DocumentStoreTest, ChunkIdsFindLiveChunks) {
  const auto transaction = Write();
  const DocRow doc = Add(*transaction, "f", "some text", 3);
  const std::string id = ToHex(MakeChunkId(doc.id, 20));
  for (const size_t length : {12, 16, 30, 64}) {
    ASSERT_OK_AND_ASSIGN(const auto found,
                         FindLiveChunksById(*transaction, id.substr(0, length), 9));
    ASSERT_EQ(found.size(), 1u) << length;
    EXPECT_EQ(found[0].row, doc.first_chunk + 2);
  }
  ASSERT_OK(MarkDocRemoved(*transaction, doc.row));
  EXPECT_TRUE(FindLiveChunksById(*transaction, id, 9)->empty());
}

TEST_F(DocumentStoreTest, ChunksOfADocumentAreAllOrDamage) {
  const auto transaction = Write();
  Add(*transaction, "before", "text", 2);
  const DocRow doc = Add(*transaction, "f", "text", 5);
  const DocRow empty = Add(*transaction, "empty", "", 0);
  ASSERT_OK_AND_ASSIGN(const auto chunks, ReadChunksOf(*transaction, doc));
  ASSERT_EQ(chunks.size(), 5u);
  for (uint32_t i = 0; i < 5; ++i) EXPECT_EQ(chunks[i].row, doc.first_chunk + i);
  EXPECT_TRUE(ReadChunksOf(*transaction, empty)->empty());
  ASSERT_OK(transaction->connection().Execute("DELETE FROM chunk WHERE id = 4"));
  EXPECT_EQ(ReadChunksOf(*transaction, doc).error().code(), StatusCode::kCorruption);
}

TEST_F(DocumentStoreTest, TextOfEverySizeComesBack) {
  std::mt19937_64 random(TestSeed(3));
  const auto transaction = Write();
  for (const size_t size : {0, 1, 32767, 32768, 32769, 65536, 65537, 3'000'000}) {
    const std::string text = RandomText(random, size);
    DocRow doc = Add(*transaction, "f" + std::to_string(size), text);
    ASSERT_OK_AND_ASSIGN(doc, ReadDoc(*transaction, doc.row));
    EXPECT_EQ(*ReadText(*transaction, doc, 0, size), text);
    EXPECT_EQ(*ReadText(*transaction, doc, 0, UINT64_MAX), text);
    EXPECT_EQ(*ReadText(*transaction, doc, size, UINT64_MAX), "");
    EXPECT_EQ(*ReadText(*transaction, doc, 5, 4), "");
    for (int i = 0; i < 50; ++i) {
      const uint64_t start = random() % (size + 1);
      const uint64_t end = start + random() % 40'000;
      ASSERT_EQ(*ReadText(*transaction, doc, start, end),
                text.substr(start, std::min<uint64_t>(end, size) - start));
    }
  }
}

// The blocks that are kept are those of the right documents, also when others take their places.
TEST_F(DocumentStoreTest, RecentTextIsTheText) {
  std::mt19937_64 random(TestSeed(4));
  const auto transaction = Write();
  std::vector<std::pair<DocRow, std::string>> docs;
  for (const size_t size : {1, 100, 32768, 32769, 70'000, 200'000, 900'000}) {
    const std::string text = RandomText(random, size);
    const DocRow doc = Add(*transaction, "f" + std::to_string(size), text);
    docs.emplace_back(Must(ReadDoc(*transaction, doc.row)), text);
  }
  RecentText recent;
  for (int i = 0; i < 3000; ++i) {
    const auto& [doc, text] = docs[random() % docs.size()];
    const uint64_t start = random() % (text.size() + 1);
    const uint64_t end = start + random() % 80'000;
    ASSERT_EQ(*recent.Read(*transaction, doc, start, end),
              text.substr(start, std::min<uint64_t>(end, text.size()) - start));
  }
  EXPECT_EQ(*recent.Read(*transaction, docs[1].first, 5, 4), "");
}

// Two rows that name the same block, of which one says that it is longer.
TEST_F(DocumentStoreTest, RecentTextOfADamagedStoreIsCorruption) {
  const auto transaction = Write();
  const DocRow doc = Add(*transaction, "f", "some text");
  DocRow longer = doc;
  longer.size = 20'000;
  RecentText recent;
  EXPECT_EQ(*recent.Read(*transaction, doc, 0, 100), "some text");
  EXPECT_EQ(recent.Read(*transaction, longer, 10'000, 10'010).error().code(),
            StatusCode::kCorruption);
  longer.first_block = 0;
  EXPECT_EQ(recent.Read(*transaction, longer, 0, 10).error().code(), StatusCode::kCorruption);
}

TEST_F(DocumentStoreTest, DamagedTextIsCorruption) {
  std::mt19937_64 random(TestSeed(5));
  const auto transaction = Write();
  Connection& connection = transaction->connection();
  const std::string text = RandomText(random, 100'000);
  DocRow doc = Add(*transaction, "f", text);
  Add(*transaction, "next", "other");
  ASSERT_OK_AND_ASSIGN(doc, ReadDoc(*transaction, doc.row));
  const auto expect_damage = [&](const char* sql) {
    ASSERT_OK(connection.Execute("SAVEPOINT intact"));
    ASSERT_OK(connection.Execute(sql));
    const auto read = ReadText(*transaction, doc, 0, 100'000);
    ASSERT_FALSE(read) << sql;
    EXPECT_EQ(read.error().code(), StatusCode::kCorruption) << sql;
    EXPECT_NE(read.error().message().find("f: text block 1"), std::string_view::npos);
    ASSERT_OK(connection.Execute("ROLLBACK TO intact"));
    ASSERT_OK(connection.Execute("RELEASE intact"));
  };
  expect_damage("DELETE FROM text_block WHERE id = 1");
  expect_damage("UPDATE text_block SET data = x'' WHERE id = 1");
  expect_damage("UPDATE text_block SET data = 'words' WHERE id = 1");
  expect_damage("UPDATE text_block SET data = 17 WHERE id = 1");
  expect_damage(
      "UPDATE text_block SET data = (SELECT data FROM text_block WHERE id = 3) "
      "WHERE id = 1");
  expect_damage("UPDATE text_block SET data = substr(data, 1, 900) WHERE id = 1");
  // Reads that do not need the damaged block still succeed.
  ASSERT_OK(connection.Execute("DELETE FROM text_block WHERE id = 1"));
  EXPECT_EQ(*ReadText(*transaction, doc, 70'000, 70'010), text.substr(70'000, 10));
}

TEST_F(DocumentStoreTest, FlippedBitsInTextNeverCrash) {
  std::mt19937_64 random(TestSeed(9));
  const auto transaction = Write();
  const std::string text = RandomText(random, 4000);
  DocRow doc = Add(*transaction, "f", text);
  ASSERT_OK_AND_ASSIGN(doc, ReadDoc(*transaction, doc.row));
  const std::string frame = CompressText(text).front();
  for (int round = 0; round < 500; ++round) {
    std::string damaged = frame;
    damaged[random() % damaged.size()] ^= static_cast<char>(1 << random() % 8);
    ASSERT_OK_AND_ASSIGN(Statement update, transaction->connection().Prepare(
                                               "UPDATE text_block SET data = ?1 WHERE id = 0"));
    update.BindBlob(1, {reinterpret_cast<const uint8_t*>(damaged.data()), damaged.size()});
    ASSERT_OK(update.Run());
    const auto read = ReadText(*transaction, doc, 0, 4000);
    if (read) {
      EXPECT_EQ(read->size(), 4000u);
    } else {
      EXPECT_EQ(read.error().code(), StatusCode::kCorruption);
    }
  }
}

TEST_F(DocumentStoreTest, DamagedRowsAreCorruption) {
  const auto transaction = Write();
  Connection& connection = transaction->connection();
  const DocRow doc = Add(*transaction, "f", "text");
  for (const char* sql :
       {"UPDATE doc SET hash = x'00'", "UPDATE doc SET size = -1",
        "UPDATE doc SET first_chunk = 4294967296",
        "UPDATE doc SET first_chunk = 4294967295, chunk_count = 9",
        "UPDATE doc SET first_block = 9223372036854775807", "UPDATE doc SET chunk_count = -7"}) {
    ASSERT_OK(connection.Execute("SAVEPOINT intact"));
    ASSERT_OK(connection.Execute(sql));
    EXPECT_EQ(ReadDoc(*transaction, doc.row).error().code(), StatusCode::kCorruption) << sql;
    EXPECT_EQ(FindLiveDocsUnder(*transaction, "").error().code(), StatusCode::kCorruption);
    ASSERT_OK(connection.Execute("ROLLBACK TO intact"));
    ASSERT_OK(connection.Execute("RELEASE intact"));
  }
  for (const char* sql : {"UPDATE chunk SET start_byte = 99", "UPDATE chunk SET end_byte = -1",
                          "UPDATE chunk SET tokens = 99999999999"}) {
    ASSERT_OK(connection.Execute("SAVEPOINT intact"));
    ASSERT_OK(connection.Execute(sql));
    EXPECT_EQ(ReadChunk(*transaction, doc.first_chunk).error().code(), StatusCode::kCorruption);
    ASSERT_OK(connection.Execute("ROLLBACK TO intact"));
    ASSERT_OK(connection.Execute("RELEASE intact"));
  }
  EXPECT_OK(ReadDoc(*transaction, doc.row));
}

TEST_F(DocumentStoreTest, LookUpsUseIndexes) {
  const auto transaction = Read();
  for (const auto& [sql, index] : std::vector<std::pair<std::string, std::string>>{
           {"SELECT * FROM doc WHERE path = 'x' AND removed_seq IS NULL", "doc_live_path"},
           {"SELECT * FROM doc WHERE path >= 'x' AND path < 'y' AND removed_seq IS NULL "
            "ORDER BY path",
            "doc_live_path"},
           {"SELECT * FROM doc WHERE key BETWEEN 1 AND 2 AND removed_seq IS NULL ORDER BY key",
            "doc_key"},
           {"SELECT * FROM chunk JOIN doc ON doc.id = chunk.doc WHERE chunk.key BETWEEN 1 AND 2 "
            "AND doc.removed_seq IS NULL ORDER BY chunk.key",
            "chunk_key"},
           {"SELECT * FROM doc WHERE removed_seq IS NOT NULL ORDER BY removed_seq, id",
            "doc_removed"},
           {"SELECT mtime FROM doc WHERE removed_seq IS NULL AND mtime IS NOT NULL "
            "ORDER BY mtime DESC LIMIT 1",
            "doc_live_mtime"}}) {
    ASSERT_OK_AND_ASSIGN(Statement plan,
                         transaction->connection().Prepare("EXPLAIN QUERY PLAN " + sql));
    ASSERT_OK(plan.Step());
    EXPECT_NE(plan.ColumnText(3).find(index), std::string_view::npos) << plan.ColumnText(3);
    while (*plan.Step()) {
      EXPECT_EQ(plan.ColumnText(3).find("TEMP B-TREE"), std::string_view::npos) << sql;
    }
  }
}

}  // namespace
}  // namespace recall
