#pragma once

// Writes stores in the three layouts of recall 0.1, by SQL.

#include <sqlite3.h>

#include <string>
#include <vector>

#include "tests/query/compat/recall01/recall01_export.h"

namespace recall {

enum class Generation { kA, kB, kC };

class OldStore final {
 public:
  OldStore(const std::string& path, Generation generation) : generation_(generation) {
    EXPECT_EQ(sqlite3_open(path.c_str(), &handle_), SQLITE_OK);
    Run("PRAGMA journal_mode=DELETE; PRAGMA synchronous=OFF");
    if (generation != Generation::kA) {
      Run("CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT)");
      Run(std::string("INSERT INTO meta VALUES('schema_version', '") +
          (generation == Generation::kB ? "1" : "2") +
          "'), ('fts_version', 'fts5-v1'), ('embedding', 'hash'), ('embedding_dim', '256')");
    }
    Run(std::string("CREATE TABLE doc(id TEXT PRIMARY KEY, path TEXT, mtime TEXT, size INTEGER, "
                    "hash TEXT, tag TEXT, source TEXT, ") +
        (generation == Generation::kA ? "" : "meta TEXT, ") + "deleted INTEGER DEFAULT 0)");
    Run("CREATE TABLE chunk(rowid INTEGER PRIMARY KEY, id TEXT UNIQUE, doc_id TEXT, offset "
        "INTEGER, tokens INTEGER, text TEXT, embedding BLOB, deleted INTEGER DEFAULT 0)");
    Run("CREATE INDEX idx_doc_path ON doc(path)");
    Run("CREATE INDEX idx_chunk_doc ON chunk(doc_id)");
    Run("CREATE VIRTUAL TABLE chunk_fts USING fts5(text, content='chunk', content_rowid='rowid')");
    Run("CREATE TRIGGER chunk_ai AFTER INSERT ON chunk BEGIN INSERT INTO chunk_fts(rowid, text) "
        "VALUES(new.rowid, new.text); END");
    MakeVectorIndex();
  }
  ~OldStore() { EXPECT_EQ(sqlite3_close(handle_), SQLITE_OK); }
  OldStore(const OldStore&) = delete;
  OldStore& operator=(const OldStore&) = delete;

  void Put(const OldDocument& doc, bool deleted = false) {
    const bool has_meta = generation_ != Generation::kA;
    Insert(std::string("INSERT INTO doc(id, path, mtime, size, hash, tag, source, ") +
               (has_meta ? "meta, " : "") + "deleted) VALUES(?, ?, ?, ?, ?, ?, ?, " +
               (has_meta ? "?, " : "") + "?)",
           [&](sqlite3_stmt* insert) {
             int at = 0;
             for (const std::string* text : {&doc.id, &doc.path, &doc.mtime}) {
               Bind(insert, ++at, *text);
             }
             sqlite3_bind_int64(insert, ++at, doc.size);
             Bind(insert, ++at, doc.hash);
             Bind(insert, ++at, doc.tag);
             Bind(insert, ++at, doc.source);
             if (has_meta) Bind(insert, ++at, doc.meta);
             sqlite3_bind_int(insert, ++at, deleted ? 1 : 0);
           });
    for (const OldChunk& chunk : doc.chunks) Put(chunk, deleted);
  }

  void Put(const OldChunk& chunk, bool deleted = false) {
    Insert(
        "INSERT INTO chunk(id, doc_id, offset, tokens, text, embedding, deleted) "
        "VALUES(?, ?, ?, ?, ?, ?, ?)",
        [&](sqlite3_stmt* insert) {
          Bind(insert, 1, chunk.id);
          Bind(insert, 2, chunk.doc_id);
          sqlite3_bind_int64(insert, 3, chunk.offset);
          sqlite3_bind_int64(insert, 4, chunk.tokens);
          Bind(insert, 5, chunk.text);
          sqlite3_bind_blob(insert, 6, chunk.embedding.data(),
                            static_cast<int>(chunk.embedding.size()), SQLITE_TRANSIENT);
          sqlite3_bind_int(insert, 7, deleted ? 1 : 0);
        });
  }

  void Run(const std::string& sql) {
    char* error = nullptr;
    EXPECT_EQ(sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, &error), SQLITE_OK)
        << sql << ": " << (error ? error : "");
    sqlite3_free(error);
  }

 private:
  // The extension of generation C is not available, neither here nor where a store is migrated.
  void MakeVectorIndex() {
    if (generation_ != Generation::kC) {
      Run("CREATE TABLE ann_lsh(signature INTEGER, chunk_id TEXT, doc_id TEXT)");
      return;
    }
    Run("CREATE TABLE chunk_vec_chunks(chunk_id INTEGER PRIMARY KEY, size INTEGER)");
    Run("PRAGMA writable_schema=ON");
    Run("INSERT INTO sqlite_schema(type, name, tbl_name, rootpage, sql) VALUES('table', "
        "'chunk_vec', 'chunk_vec', 0, 'CREATE VIRTUAL TABLE chunk_vec USING vec0(chunk_rowid "
        "INTEGER PRIMARY KEY, embedding FLOAT[256] distance_metric=cosine)')");
    Run("PRAGMA writable_schema=RESET");
  }

  template <typename BindAll>
  void Insert(const std::string& sql, const BindAll& bind) {
    sqlite3_stmt* insert = nullptr;
    ASSERT_EQ(sqlite3_prepare_v2(handle_, sql.c_str(), -1, &insert, nullptr), SQLITE_OK)
        << sqlite3_errmsg(handle_);
    bind(insert);
    EXPECT_EQ(sqlite3_step(insert), SQLITE_DONE) << sqlite3_errmsg(handle_);
    sqlite3_finalize(insert);
  }

  static void Bind(sqlite3_stmt* insert, int at, const std::optional<std::string>& text) {
    if (!text) return;
    sqlite3_bind_text(insert, at, text->data(), static_cast<int>(text->size()), SQLITE_TRANSIENT);
  }

  Generation generation_;
  sqlite3* handle_ = nullptr;
};

}  // namespace recall
