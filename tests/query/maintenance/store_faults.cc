#include "tests/query/maintenance/store_faults.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <fstream>

#include "index/base/text/tokenizer.h"
#include "index/search/bitmap/bitmap.h"
#include "index/search/vector/segment_builder.h"
#include "index/source/note/document_tokenizer.h"
#include "storage/base/bytes.h"
#include "storage/documents/document_store.h"
#include "storage/fts5/fts_index.h"
#include "storage/overflow/incremental_blob.h"
#include "storage/segment/segment_check.h"
#include "storage/segment/segment_format.h"
#include "storage/segment/segment_page.h"
#include "storage/sqlite/page_vfs.h"
#include "tests/test_util.h"

namespace recall {
namespace {

using Inject = std::function<void(const std::string&)>;

class RawDatabase final {
 public:
  explicit RawDatabase(const std::string& path) {
    EXPECT_EQ(sqlite3_open_v2(path.c_str(), &handle_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                              PageVfs()),
              SQLITE_OK);
    Execute("PRAGMA cell_size_check=OFF; PRAGMA writable_schema=ON");
  }
  ~RawDatabase() { sqlite3_close(handle_); }
  RawDatabase(const RawDatabase&) = delete;
  RawDatabase& operator=(const RawDatabase&) = delete;

  void Execute(const std::string& sql) {
    char* error = nullptr;
    EXPECT_EQ(sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, &error), SQLITE_OK)
        << sql << ": " << (error ? error : "");
    sqlite3_free(error);
  }
  int64_t Int(const std::string& sql) {
    sqlite3_stmt* statement = nullptr;
    EXPECT_EQ(sqlite3_prepare_v2(handle_, sql.c_str(), -1, &statement, nullptr), SQLITE_OK) << sql;
    EXPECT_EQ(sqlite3_step(statement), SQLITE_ROW) << sql;
    const int64_t value = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return value;
  }

 private:
  sqlite3* handle_ = nullptr;
};

Inject Sql(const std::string& sql) {
  return [sql](const std::string& path) { RunSql(path, sql); };
}

// ---- The lexical index ------------------------------------------------------------------------

using ChangeTokens = std::function<void(LexicalText*)>;

// Replaces the tokens of a chunk in the full-text index by changed ones.
void ReplaceTokens(const std::string& path, const ChangeTokens& change) {
  ASSERT_OK_AND_ASSIGN(const auto store, Store::Open(path));
  ASSERT_OK_AND_ASSIGN(const auto transaction, store->BeginWrite());
  ASSERT_OK_AND_ASSIGN(const DocRow doc, ReadDoc(*transaction, 1));
  ASSERT_OK_AND_ASSIGN(const ChunkRow chunk, ReadChunk(*transaction, doc.first_chunk));
  ASSERT_OK_AND_ASSIGN(const std::string text,
                       ReadText(*transaction, doc, chunk.start_byte, chunk.end_byte));
  LexicalText tokens;
  DocumentTokenizer tokenizer(kTokenizerVersion);
  tokenizer.Begin(doc.path, doc.parser, doc.meta, doc.language.code, text);
  tokenizer.Analyze(chunk.heading, chunk.start_byte, text, &tokens);
  Connection& connection = transaction->connection();
  ASSERT_OK(DeleteFtsRow(connection, chunk.row, tokens.body, tokens.compound));
  change(&tokens);
  if (!tokens.body.empty()) {
    ASSERT_OK(InsertFtsRow(connection, chunk.row, tokens.body, tokens.compound));
  }
  ASSERT_OK(connection.Execute("COMMIT"));  // without a row in the commit log
}

Inject Tokens(const ChangeTokens& change) {
  return [change](const std::string& path) { ReplaceTokens(path, change); };
}

void SwapFirstTokens(LexicalText* tokens) {
  const size_t first = tokens->body.find(' ');
  const size_t second = tokens->body.find(' ', first + 1);
  const std::string one = tokens->body.substr(0, first);
  const std::string two = tokens->body.substr(first + 1, second - first - 1);
  ASSERT_NE(one, two);
  tokens->body = two + " " + one + tokens->body.substr(second);
}

// ---- Segments ---------------------------------------------------------------------------------

void FlipHeader(const std::string& path) {
  RunSql(path,
         "UPDATE vec_data SET data = CAST(substr(data, 1, 30) || x'7f' || substr(data, 32) AS BLOB)"
         " WHERE id = (SELECT min(id) FROM vec_data)");
}

// Adds a segment with one vector of an unknown chunk rowid.
void AddForeignSegment(const std::string& path) {
  ASSERT_OK_AND_ASSIGN(const auto store, Store::Open(path));
  ASSERT_OK_AND_ASSIGN(const auto transaction, store->BeginWrite());
  const VectorSpace space(store->settings().dim, store->settings().signature_seed);
  const std::vector<int8_t> values(space.padded_dim(), 1);
  SegmentBuilder builder(space);
  builder.Add({4'000'000'000, 1, 1, UnitScale(values), values.data()});
  ASSERT_OK(transaction->InsertSegment(builder.Finish()));
  ASSERT_OK(transaction->connection().Execute("COMMIT"));
}

// ---- Removed chunks ---------------------------------------------------------------------------

Inject Tombstones(const std::function<void(Bitmap*, const std::string&)>& change) {
  return [change](const std::string& path) {
    ASSERT_OK_AND_ASSIGN(const auto store, Store::Open(path));
    ASSERT_OK_AND_ASSIGN(const auto transaction, store->BeginWrite());
    ASSERT_OK_AND_ASSIGN(const std::string bytes, transaction->TombstoneBytes());
    ASSERT_OK_AND_ASSIGN(Bitmap rows, Bitmap::Parse(AsBytes(bytes)));
    change(&rows, path);
    ASSERT_OK(transaction->SetTombstoneBytes(AsBytes(rows.Serialize())));
    ASSERT_OK(transaction->connection().Execute("COMMIT"));
  };
}

// ---- SQLite's own -----------------------------------------------------------------------------

// Changes a row of doc, but not the entry of the row in an index.
Inject WithoutIndex(const std::string& index, const std::string& update) {
  return [index, update](const std::string& path) {
    const int64_t version = AskInt(path, "PRAGMA schema_version");
    RunSql(path, "CREATE TABLE kept AS SELECT * FROM sqlite_schema WHERE name = '" + index + "'");
    RunSql(path, "DELETE FROM sqlite_schema WHERE name = '" + index +
                     "'; PRAGMA schema_version=" + std::to_string(version + 2));
    RunSql(path, update);
    RunSql(path, "INSERT INTO sqlite_schema SELECT * FROM kept; PRAGMA schema_version=" +
                     std::to_string(version + 3));
    RunSql(path, "DROP TABLE kept");
  };
}

// Fills the root page of a table with zeros.
Inject ZeroPage(const std::string& table) {
  return [table](const std::string& path) {
    RunSql(path, "PRAGMA wal_checkpoint(TRUNCATE)");
    const int64_t page =
        AskInt(path, "SELECT rootpage FROM sqlite_schema WHERE name = '" + table + "'");
    OverwriteFile(path, (page - 1) * 65536, std::string(65536, '\0'));
  };
}

void AppendTo(std::vector<StoreFault>* all, std::vector<StoreFault> more) {
  for (StoreFault& fault : more) all->push_back(std::move(fault));
}

// Faults in the full-text index and the vectors, which can be computed again.
std::vector<StoreFault> IndexFaults() {
  return {
      {"a chunk's words are missing",
       Tokens([](LexicalText* t) { t->body.clear(); }),
       {"fts_missing"}},
      {"words of a row that no chunk has",
       Sql("INSERT INTO lexicon(rowid, body, compound) VALUES(4000000000, 'alpha beta', '')"),
       {"fts_extra"}},
      {"one word is another",
       Tokens([](LexicalText* t) { t->body.replace(0, 1, "q"); }),
       {"fts_drift"}},
      {"two words changed places", Tokens(SwapFirstTokens), {"fts_drift"}},
      {"a word too many", Tokens([](LexicalText* t) { t->body += " alpha"; }), {"fts_drift"}},
      {"an identifier too many",
       Tokens([](LexicalText* t) { t->compound = "foobar"; }),
       {"fts_drift"}},
      {"FTS5's list of runs is damaged",
       Sql("UPDATE lexicon_data SET block = x'00' WHERE id = 10"),
       {"fts_unreadable"}},
      {"FTS5's list of runs has more levels than it bears",
       Sql("UPDATE lexicon_data SET block = x'000000028F52010001' || zeroblob(4000) || x'01020304' "
           "WHERE id = 10"),
       {"fts_unreadable"}},
      {"FTS5's list of runs is missing",
       Sql("DELETE FROM lexicon_data WHERE id = 10"),
       {"fts_unreadable"}},
      {"a page of FTS5 is zero",
       Sql("UPDATE lexicon_data SET block = zeroblob(length(block)) WHERE id = "
           "(SELECT max(id) FROM lexicon_data)"),
       {"fts_unreadable"}},
      // FTS5 reads such a page from the first term to the last without an error; it does not find
      // the terms by their offsets.
      {"the offsets of the terms of a page of FTS5 are wrong",
       Sql("UPDATE lexicon_data SET block = substr(block, 1, length(block) - 1) || "
           "CAST(char(unicode(CAST(substr(block, -1) AS TEXT)) + 1) AS BLOB) WHERE id = "
           "(SELECT max(id) FROM lexicon_data)"),
       {"fts_unreadable"}},

      {"a byte of a vector flips",
       DamageSection(SectionKind::kVectors, 3, false),
       {"segment_checksum"}},
      {"a byte of a signature flips",
       DamageSection(SectionKind::kSignatures, 0, false),
       {"segment_checksum"}},
      {"a byte of a scale flips",
       DamageSection(SectionKind::kScales, 1, false),
       {"segment_checksum"}},
      {"a byte of a token count flips",
       DamageSection(SectionKind::kTokenCounts, 0, false),
       {"segment_checksum"}},
      {"a byte of a chunk id flips",
       DamageSection(SectionKind::kChunkIds, 4, false),
       {"segment_checksum", "vector_missing"}},
      {"a vector is another", DamageSection(SectionKind::kVectors, 3, true), {"vector_drift"}},
      {"a signature is another",
       DamageSection(SectionKind::kSignatures, 0, true),
       {"signature_drift"}},
      {"a byte of a model flips",
       Sql("UPDATE model_part SET data = CAST(substr(data, 1, 40) || x'7f' || substr(data, 42) AS "
           "BLOB)"),
       {"model_damaged"}},
      {"a model's part is gone", Sql("DELETE FROM model_part"), {"model_damaged"}},
      {"a model's part has a kind that is a BLOB",
       Sql("UPDATE model_part SET kind = CAST(kind AS BLOB)"),
       {"model_damaged"}},
      {"a model's part is of none", Sql("UPDATE model_part SET model = 99"), {"model_damaged"}},
      {"a model is of a later commit", Sql("UPDATE model SET since = 999"), {"model_damaged"}},
      {"the models are gone", Sql("DROP TABLE model"), {"schema_drift"}},
      {"a scale is another", DamageSection(SectionKind::kScales, 1, true), {"vector_drift"}},
      {"a token count beside a vector is another",
       DamageSection(SectionKind::kTokenCounts, 0, true),
       {"vector_counts"}},
      {"a segment's header flips", FlipHeader, {"segment_header", "vector_missing"}},
      {"a segment is not listed",
       Sql("DELETE FROM vec_segment"),
       {"segment_list", "vector_missing"}},
      {"a segment's data are gone",
       Sql("DELETE FROM vec_data"),
       {"segment_list", "segment_header", "vector_missing"}},
      {"the list has another range",
       Sql("UPDATE vec_segment SET max_chunk = max_chunk + 1"),
       {"segment_list"}},
      {"a segment of chunks that are not there",
       AddForeignSegment,
       {"vector_extra", "segment_rows"}},
      {"a vector of the tail is missing",
       Sql("DELETE FROM vec_tail WHERE chunk = (SELECT max(chunk) FROM vec_tail)"),
       {"vector_missing"}},
      {"a vector of the tail is too short",
       Sql("UPDATE vec_tail SET data = substr(data, 1, 20) WHERE chunk = "
           "(SELECT max(chunk) FROM vec_tail)"),
       {"tail_record"}},
      {"a vector of the tail is another",
       Sql("UPDATE vec_tail SET data = CAST(substr(data, 1, 8) || x'7f01' || substr(data, 11) AS "
           "BLOB) WHERE chunk = (SELECT max(chunk) FROM vec_tail)"),
       {"vector_drift"}},
      {"token counts in the tail are others",
       Sql("UPDATE vec_tail SET data = CAST(substr(data, 1, 4) || x'0909' || substr(data, 7) AS "
           "BLOB) WHERE chunk = (SELECT max(chunk) FROM vec_tail)"),
       {"vector_counts"}},
      {"a vector in the tail of a chunk that is not there",
       Sql("INSERT INTO vec_tail SELECT space, 4000000000, data FROM vec_tail LIMIT 1"),
       {"vector_extra"}},

      {"a removed chunk is not marked",
       Tombstones([](Bitmap* rows, const std::string&) {
         const uint32_t first = rows->Values().front();
         rows->RemoveRange(first, first);
       }),
       {"tombstone_mismatch"}},
      {"a live chunk is marked as removed",
       Tombstones([](Bitmap* rows, const std::string& path) {
         rows->Add(static_cast<uint32_t>(AskInt(path, "SELECT max(id) FROM chunk")));
       }),
       {"tombstone_mismatch"}},
      {"millions of chunk rows are marked as removed",
       Tombstones([](Bitmap* rows, const std::string&) { rows->AddRange(0, 5'000'000); }),
       {"tombstone_mismatch"}},
      {"the bitmap is garbage",
       Sql("UPDATE tombstone SET bitmap = x'ffffffffff'"),
       {"tombstone_mismatch"}},
      {"the bitmap is gone", Sql("DELETE FROM tombstone"), {"tombstone_mismatch"}},
      {"the trigrams of another text",
       Sql("INSERT OR REPLACE INTO text_grams VALUES(1, zeroblob(8))"),
       {"text_grams"}},
      {"trigrams of no document",
       Sql("INSERT INTO text_grams VALUES(4000000000, zeroblob(8))"),
       {"text_grams"}},
  };
}

std::vector<StoreFault> CountFaults() {
  return {
      {"metadata of a document that is not there",
       Sql("INSERT INTO doc_meta VALUES('owner', 2, 'ann', 4000000, 0, 1)"),
       {"metadata_drift"}},
      {"metadata are missing", Sql("DELETE FROM doc_meta WHERE key = 'owner'"), {"metadata_drift"}},
      {"metadata are others",
       Sql("UPDATE doc_meta SET value = 'eve' WHERE key = 'owner'"),
       {"metadata_drift"},
       false},
      {"metadata of a row are others",
       Sql("UPDATE doc SET meta = '{\"owner\":\"eve\",\"year\":2024}' WHERE id = 1"),
       {"metadata_drift"},
       false},
      {"metadata of a row are cut short",
       Sql("UPDATE doc SET meta = substr(meta, 1, length(meta) - 1) WHERE id = 1"),
       {"doc_row", "metadata_drift"},
       false},
      {"metadata of a row are gone",
       Sql("UPDATE doc SET meta = NULL WHERE id = 1"),
       {"metadata_drift"},
       false},
      {"metadata of a row are others, and a table is missing",
       Sql("UPDATE doc SET meta = '{\"owner\":\"eve\",\"year\":2024}' WHERE id = 1; "
           "DROP INDEX doc_key"),
       {"metadata_drift", "schema_drift"},
       false},
      {"a document's time is another than in its index",
       WithoutIndex("doc_live_mtime", "UPDATE doc SET mtime = mtime + 1 WHERE id = 1"),
       {"index_damage"},
       false},
      {"a document's tag is another than in its index",
       WithoutIndex("doc_live_tag", "UPDATE doc SET tag = 'secxnd' WHERE id = 1"),
       {"index_damage"},
       false},
      {"metadata name other chunks",
       Sql("UPDATE doc_meta SET chunk_count = chunk_count + 1"),
       {"metadata_drift"}},
      {"a chunk's heading is another",
       Sql("UPDATE chunk SET heading = 'Gxide' WHERE id = 0"),
       {"chunk_heading"}},
      {"a chunk's heading is another, and the lexical index is unreadable",
       Sql("UPDATE chunk SET heading = 'Gxide' WHERE id = 0; "
           "DELETE FROM lexicon_data WHERE id = 10"),
       {"chunk_heading", "fts_unreadable"}},
      {"chunks have no headings", Sql("UPDATE chunk SET heading = ''"), {"chunk_heading"}},
      {"a chunk without heading got one",
       Sql("UPDATE chunk SET heading = 'A > B' WHERE id = (SELECT max(id) FROM chunk)"),
       {"chunk_heading"}},
      {"a chunk's token count",
       Sql("UPDATE chunk SET tokens = tokens + 1, lexical_tokens = 0 WHERE id = "
           "(SELECT max(id) FROM chunk)"),
       {"token_counts"}},
      {"a document's token count",
       Sql("UPDATE doc SET lexical_tokens = 7 WHERE id = 1"),
       {"token_counts", "meta_counter", "commit_log"}},
      {"a document's sort key", Sql("UPDATE doc SET key = 7 WHERE id = 1"), {"doc_key"}},
      {"a chunk's sort key",
       Sql("UPDATE chunk SET key = 7 WHERE id = (SELECT max(id) FROM chunk)"),
       {"chunk_key"}},
      {"the number of documents",
       Sql("UPDATE meta SET value = value + 1 WHERE key = 'docs'"),
       {"meta_counter"}},
      {"the number of chunks is gone",
       Sql("DELETE FROM meta WHERE key = 'chunks'"),
       {"meta_counter"}},
      {"the number of tokens is a word",
       Sql("UPDATE meta SET value = 'many' WHERE key = 'lexical_tokens'"),
       {"meta_counter"}},
      {"the number of bytes",
       Sql("UPDATE meta SET value = 0 WHERE key = 'text_bytes'"),
       {"meta_counter"}},
      {"the number of commits",
       Sql("UPDATE meta SET value = 0 WHERE key = 'commit_sequence'"),
       {"meta_counter", "commit_log", "doc_past", "model_damaged"}},
      {"chunk rows would be handed out again",
       Sql("UPDATE meta SET value = 1 WHERE key = 'next_chunk'"),
       {"next_row"}},
      {"text blocks would be handed out again",
       Sql("UPDATE meta SET value = 1 WHERE key = 'next_block'"),
       {"next_row"}},
      {"the recorded size of texts is another",
       Sql("UPDATE meta SET value = replace(value, ' text_block.0=', ' text_block.0=1') "
           "WHERE key = 'content_sizes'"),
       {"content_sizes"}},
      {"the recorded size of the full-text index is missing",
       Sql("UPDATE meta SET value = replace(value, ' lexicon_data.0=', ' lexicon_data.77=') "
           "WHERE key = 'content_sizes'"),
       {"content_sizes"}},
      {"the horizon lies in the future",
       Sql("UPDATE meta SET value = 1000000 WHERE key = 'snapshot_horizon'"),
       {"snapshot_horizon"}},
      {"there is no horizon",
       Sql("DELETE FROM meta WHERE key = 'snapshot_horizon'"),
       {"snapshot_horizon"}},
      {"a commit is not in the log", Sql("DELETE FROM commit_log WHERE seq = 2"), {"commit_log"}},
      {"the last commit is not in the log",
       Sql("DELETE FROM commit_log WHERE seq = (SELECT max(seq) FROM commit_log)"),
       {"commit_log"}},
      {"a commit that was never made",
       Sql("INSERT INTO commit_log SELECT 1000000, committed_at, docs, chunks, tokens, "
           "lexical_tokens, text_bytes, next_chunk, last_doc FROM commit_log WHERE seq = 1"),
       {"commit_log"}},
      {"a commit counted other tokens",
       Sql("UPDATE commit_log SET tokens = tokens + 1 WHERE seq = 1"),
       {"commit_log"}},
      {"a commit had other chunk rows",
       Sql("UPDATE commit_log SET next_chunk = next_chunk - 1 WHERE seq = 1"),
       {"commit_log"}},
      {"a commit had other documents",
       Sql("UPDATE commit_log SET last_doc = 0 WHERE seq = 1"),
       {"commit_log"}},
      {"a commit is impossible",
       Sql("UPDATE commit_log SET docs = -1 WHERE seq = 1"),
       {"commit_log"}},
      {"a label of a version that is not there",
       Sql("INSERT INTO doc_past(until_seq, doc) VALUES(2, 4000000)"),
       {"doc_past"}},
      {"a label of a commit that was never made",
       Sql("UPDATE doc_past SET until_seq = 1000000"),
       {"doc_past"}},
      {"a former time is text", Sql("UPDATE doc_past SET mtime = 'now'"), {"doc_past"}},
      {"a former tag is a BLOB", Sql("UPDATE doc_past SET tag = x'00'"), {"doc_past"}},
      {"a former origin is unknown", Sql("UPDATE doc_past SET origin = 'fjle'"), {"doc_past"}},
      {"former metadata are no JSON", Sql("UPDATE doc_past SET meta = '{'"), {"doc_past"}},
  };
}

// Faults in primary data, which are detected but never repaired.
std::vector<StoreFault> PrimaryFaults() {
  const std::string second_block =
      "(SELECT first_block + 1 FROM doc WHERE size > 40000 AND removed_seq IS NULL LIMIT 1)";
  return {
      {"a chunk of no document",
       Sql("INSERT INTO chunk SELECT 4000000000, key, 4000000, start_byte, end_byte, start_line, "
           "end_line, offset, byte_in_token, tokens, lexical_tokens, heading FROM chunk LIMIT 1"),
       {"chunk_orphan", "next_row"},
       false},
      {"a chunk is missing", Sql("DELETE FROM chunk WHERE id = 0"), {"doc_chunks"}, false},
      {"a chunk is of another document",
       Sql("UPDATE chunk SET doc = 2 WHERE id = 0"),
       {"chunk_orphan", "doc_chunks"},
       false},
      {"a chunk lies outside its text",
       Sql("UPDATE chunk SET end_byte = 99999999 WHERE id = 0"),
       {"chunk_row"},
       false},
      {"a chunk's lines are others",
       Sql("UPDATE chunk SET end_line = end_line + 1 WHERE id = 0"),
       {"chunk_row"},
       false},
      {"the language of a document is no code",
       Sql("INSERT OR REPLACE INTO doc_language VALUES(1, 'German', 0)"),
       {"languages"},
       false},
      {"a language of no document",
       Sql("INSERT INTO doc_language VALUES(4000000000, 'de', 0)"),
       {"languages"},
       false},
      {"a text block of no document",
       Sql("INSERT INTO text_block SELECT 4000000000, data FROM text_block LIMIT 1"),
       {"text_orphan", "next_row"},
       false},
      {"a text block is missing",
       Sql("DELETE FROM text_block WHERE id = " + second_block),
       {"text_missing"},
       false},
      {"a text block is damaged",
       Sql("UPDATE text_block SET data = x'28b52ffd00' WHERE id = " + second_block),
       {"text_damaged"},
       false},
      {"a text is not what was hashed",
       Sql("UPDATE text_block SET data = (SELECT data FROM text_block WHERE id = (SELECT max("
           "first_block) FROM doc WHERE size > 40000)) WHERE id = " +
           second_block + " - 1"),
       {"text_hash"},
       false},
      {"a document's hash is another",
       Sql("UPDATE doc SET hash = zeroblob(32) WHERE id = 1"),
       {"text_hash", "doc_row", "doc_key", "chunk_key"},
       false},
      {"a document's path is another, in its index too",
       Sql("UPDATE doc SET path = 'a.mx' WHERE id = 1"),
       {"doc_row", "doc_key", "chunk_key"},
       false},
      {"a document's size is negative",
       Sql("UPDATE doc SET size = -5 WHERE id = 1"),
       {"doc_row"},
       false},
      {"a document's parser is unknown",
       Sql("UPDATE doc SET parser = 'mcrkdown' WHERE id = 1"),
       {"doc_row"},
       false},
      {"a document's parser is a number",
       Sql("UPDATE doc SET parser = x'00' WHERE id = 1"),
       {"doc_row"},
       false},
      {"a document's origin is unknown",
       Sql("UPDATE doc SET origin = 'fjle' WHERE id = 1"),
       {"doc_row"},
       false},
      {"a document's origin is a BLOB",
       Sql("UPDATE doc SET origin = CAST('file' AS BLOB) WHERE id = 1"),
       {"doc_row"},
       false},
      {"a document's time is text",
       Sql("UPDATE doc SET mtime = 'garbage' WHERE id = 1"),
       {"doc_row"},
       false},
      {"a document's time is a fraction",
       Sql("UPDATE doc SET mtime = 0.5 WHERE id = 1"),
       {"doc_row"},
       false},
      {"a document's tag is a BLOB",
       Sql("UPDATE doc SET tag = x'61' WHERE id = 1"),
       {"doc_row"},
       false},
      {"a document's source is a BLOB",
       Sql("UPDATE doc SET source = x'61' WHERE id = 1"),
       {"doc_row"},
       false},
      {"a document's path is a BLOB",
       Sql("UPDATE doc SET path = CAST(path AS BLOB) WHERE id = 1"),
       {"doc_row"},
       false},
      {"a document's hash is text",
       Sql("UPDATE doc SET hash = '01234567890123456789012345678901' WHERE id = 1"),
       {"doc_row"},
       false},
      {"a document was removed by garbage",
       Sql("UPDATE doc SET removed_seq = 'garbage' WHERE id = (SELECT max(id) FROM doc WHERE "
           "removed_seq IS NOT NULL)"),
       {"doc_row"},
       false},
      {"metadata of a removed version are not JSON",
       Sql("UPDATE doc SET meta = '{' WHERE removed_seq IS NOT NULL AND meta IS NOT NULL"),
       {"doc_row"},
       false},
      {"a chunk's heading is a BLOB",
       Sql("UPDATE chunk SET heading = x'61' WHERE id = 0"),
       {"chunk_row"},
       false},
      {"two live documents of one path",
       Sql("UPDATE doc SET path = (SELECT path FROM doc WHERE id = 2) WHERE id = 1"),
       {"duplicate_path", "doc_row", "doc_key", "chunk_key"},
       false},
      {"the store has no name",
       Sql("DELETE FROM meta WHERE key = 'uuid'"),
       {"meta_identity"},
       false},
      {"another dimension",
       Sql("UPDATE meta SET value = 128 WHERE key = 'dim'"),
       {"meta_identity"},
       false},
      {"a dimension that no vector space has",
       Sql("UPDATE meta SET value = 4097 WHERE key = 'dim'"),
       {"meta_identity", "embedder_unknown"},
       false},
      {"another embedder",
       Sql("UPDATE meta SET value = 'minilm' WHERE key = 'embedder'"),
       {"embedder_unknown"},
       false},
      {"another number of bytes that pages reserve",
       Sql("INSERT OR REPLACE INTO meta(key, value) VALUES('reserved_bytes', 7)"),
       {"meta_identity"},
       false},
      {"another tokenizer",
       Sql("UPDATE meta SET value = 99 WHERE key = 'tokenizer_version'"),
       {"tokenizer_version"},
       false},
      {"a table is missing", Sql("DROP TABLE text_block"), {"table_missing"}, false},
      {"a table has another column",
       Sql("ALTER TABLE text_block ADD COLUMN more"),
       {"table_changed"},
       false},
      {"a trigger",
       Sql("CREATE TRIGGER t AFTER INSERT ON doc BEGIN DELETE FROM doc; END"),
       {"foreign_trigger"},
       false},
      {"a table of somebody else's", Sql("CREATE TABLE mine(x)"), {"foreign_table"}, false},
      {"the page of a table is zero", ZeroPage("chunk"), {"page_checksum", "sqlite_damage"}, false},
  };
}

std::vector<StoreFault> SchemaFaults() {
  return {
      {"the file is not marked as a store", Sql("PRAGMA application_id=7"), {"application_id"}},
      {"an index of SQLite's is missing", Sql("DROP INDEX doc_live_tag"), {"schema_drift"}},
      {"an index of SQLite's is of another column",
       Sql("DROP INDEX doc_live_tag; CREATE INDEX doc_live_tag ON doc(parser)"),
       {"schema_drift"}},
      {"an index of SQLite's does not fit its table",
       WithoutIndex("doc_key", "UPDATE doc SET key = key + 1 WHERE id = 1"),
       {"index_damage", "doc_key"}},
      {"a document's path is another than in its index",
       WithoutIndex("doc_live_path", "UPDATE doc SET path = 'a.mx' WHERE id = 1"),
       {"index_damage", "doc_key", "chunk_key"}},
      {"a document's time is text, and sound in its index",
       WithoutIndex("doc_live_mtime", "UPDATE doc SET mtime = 'garbage' WHERE id = 1"),
       {"index_damage", "doc_row"}},
      {"a document's tag is a BLOB, and sound in its index",
       WithoutIndex("doc_live_tag", "UPDATE doc SET tag = x'61' WHERE id = 1"),
       {"index_damage", "doc_row"}},
      {"the index on metadata is missing", Sql("DROP TABLE doc_meta"), {"schema_drift"}},
      {"the log of commits is missing", Sql("DROP TABLE commit_log"), {"schema_drift"}},
      {"the lexical index is missing", Sql("DROP TABLE lexicon"), {"schema_drift"}},
      {"the pages of the lexical index are missing",
       Sql("DROP TABLE lexicon_data"),
       {"schema_drift", "fts_unreadable"}},
      {"the terms of the lexical index are missing",
       Sql("DROP TABLE lexicon_idx"),
       {"schema_drift", "fts_unreadable"}},
      {"the settings of the lexical index are missing",
       Sql("DROP TABLE lexicon_config"),
       {"schema_drift", "fts_unreadable"}},
      {"the tail is missing", Sql("DROP TABLE vec_tail"), {"schema_drift", "vector_missing"}},
      {"the list of segments is missing",
       Sql("DROP TABLE vec_segment"),
       {"schema_drift", "vector_missing"}},
  };
}

}  // namespace

std::function<void(const std::string& path)> DamageSection(SectionKind kind, size_t item_offset,
                                                           bool sealed) {
  return [=](const std::string& path) {
    ASSERT_OK_AND_ASSIGN(const auto connection,
                         Connection::Open(path, {.mode = ConnectionMode::kReadWrite}));
    ASSERT_OK(connection->BeginImmediate());
    ASSERT_OK_AND_ASSIGN(const int64_t id, connection->QueryInt("SELECT min(id) FROM vec_segment"));
    ASSERT_OK_AND_ASSIGN(const SegmentHeader header, ReadSegmentHeader(*connection, id));
    const uint32_t ordinal = header.Find(kind)->first_page;
    {
      ASSERT_OK_AND_ASSIGN(IncrementalBlob blob,
                           IncrementalBlob::Open(*connection, id, IncrementalBlob::Access::kWrite));
      std::vector<uint8_t> page(header.layout.usable());
      ASSERT_OK(blob.Read(header.DataOffset(ordinal), std::span(page).subspan(4)));
      page[segment_format::kPageHeaderBytes + item_offset] ^= 0x15;
      if (sealed) SealPage(header, ordinal, page);
      ASSERT_OK(blob.Write(header.DataOffset(ordinal), std::span(page).subspan(4)));
    }
    ASSERT_OK(connection->Execute("COMMIT"));
  };
}

std::vector<StoreFault> AllStoreFaults() {
  std::vector<StoreFault> all = IndexFaults();
  AppendTo(&all, CountFaults());
  AppendTo(&all, SchemaFaults());
  AppendTo(&all, PrimaryFaults());
  return all;
}

void RunSql(const std::string& path, const std::string& sql) { RawDatabase(path).Execute(sql); }

int64_t AskInt(const std::string& path, const std::string& sql) {
  return RawDatabase(path).Int(sql);
}

void OverwriteFile(const std::string& path, int64_t offset, const std::string& bytes) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(offset);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  EXPECT_TRUE(file.good());
}

}  // namespace recall
