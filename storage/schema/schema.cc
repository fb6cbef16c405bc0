#include "storage/schema/schema.h"

#include <sqlite3.h>

#include <string>

#include "storage/history/commit_log.h"
#include "storage/metadata/metadata_index.h"
#include "storage/postgres/file_of_store.h"
#include "storage/sqlite/sqlite_error.h"
#include "storage/tables/doc_origin.h"
#include "storage/tables/space_table.h"

namespace recall {
namespace {

// Tables of docs/format/store.md. "Live" rows have removed_seq NULL; the partial indexes exclude
// removed versions from all look-ups except the purge's.
constexpr const char* kVersion1 = R"sql(
CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;

CREATE TABLE doc(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key INTEGER NOT NULL,
  path TEXT NOT NULL,
  hash BLOB NOT NULL,
  mtime INTEGER,
  size INTEGER NOT NULL,
  tag TEXT,
  source TEXT,
  meta TEXT,
  parser TEXT NOT NULL,
  first_chunk INTEGER NOT NULL,
  chunk_count INTEGER NOT NULL,
  first_block INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  lexical_tokens INTEGER NOT NULL,
  added_seq INTEGER NOT NULL,
  removed_seq INTEGER);
CREATE UNIQUE INDEX doc_live_path ON doc(path) WHERE removed_seq IS NULL;
CREATE INDEX doc_key ON doc(key);
CREATE INDEX doc_removed ON doc(removed_seq) WHERE removed_seq IS NOT NULL;
CREATE INDEX doc_live_mtime ON doc(mtime, first_chunk, chunk_count) WHERE removed_seq IS NULL;
CREATE INDEX doc_live_tag ON doc(tag, first_chunk, chunk_count) WHERE removed_seq IS NULL;

CREATE TABLE chunk(
  id INTEGER PRIMARY KEY,
  key INTEGER NOT NULL,
  doc INTEGER NOT NULL,
  start_byte INTEGER NOT NULL,
  end_byte INTEGER NOT NULL,
  start_line INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  offset INTEGER NOT NULL,
  byte_in_token INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  lexical_tokens INTEGER NOT NULL,
  heading TEXT NOT NULL);
CREATE INDEX chunk_key ON chunk(key);

CREATE TABLE text_block(id INTEGER PRIMARY KEY, data BLOB NOT NULL);

CREATE VIRTUAL TABLE lexicon USING fts5(
  body, compound, content='', columnsize=0, detail=full, tokenize='ascii');
-- New postings gather in memory before they become a run of the index: 16 MiB instead of 1 makes
-- fewer, longer runs. Sixteen runs of a level are merged at once instead of four little by little
-- (docs/decisions/0001-contentless-lexicon.md has the figures).
INSERT INTO lexicon(lexicon, rank) VALUES('hashsize', 16777216);
INSERT INTO lexicon(lexicon, rank) VALUES('automerge', 16);

CREATE TABLE vec_segment(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  vectors INTEGER NOT NULL,
  min_chunk INTEGER NOT NULL,
  max_chunk INTEGER NOT NULL,
  pages INTEGER NOT NULL,
  header_crc INTEGER NOT NULL);
CREATE TABLE vec_data(id INTEGER PRIMARY KEY, data BLOB);
CREATE TABLE vec_tail(chunk INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE tombstone(id INTEGER PRIMARY KEY CHECK(id = 1), bitmap BLOB NOT NULL);
)sql";

// Filters read chunk rowids directly from these indexes. removed_seq, NULL in every entry, is
// included because SQLite uses an index as a covering one only if it contains every column of the
// condition. The indexes are not unique: InsertDoc ensures that a path has one live version.
constexpr const char* kVersion2 = R"sql(
DROP INDEX IF EXISTS doc_live_path;
DROP INDEX IF EXISTS doc_live_mtime;
DROP INDEX IF EXISTS doc_live_tag;
CREATE INDEX doc_live_path ON doc(path, first_chunk, chunk_count, removed_seq)
  WHERE removed_seq IS NULL;
CREATE INDEX doc_live_mtime ON doc(mtime, first_chunk, chunk_count, removed_seq)
  WHERE removed_seq IS NULL;
CREATE INDEX doc_live_tag ON doc(tag, first_chunk, chunk_count, removed_seq)
  WHERE removed_seq IS NULL AND tag IS NOT NULL;
CREATE INDEX doc_live_source ON doc(source, first_chunk, chunk_count, removed_seq)
  WHERE removed_seq IS NULL AND source IS NOT NULL;

CREATE TABLE doc_meta(
  key TEXT NOT NULL,
  kind INTEGER NOT NULL,
  value NOT NULL,
  doc INTEGER NOT NULL,
  first_chunk INTEGER NOT NULL,
  chunk_count INTEGER NOT NULL,
  PRIMARY KEY(key, kind, value, doc)) WITHOUT ROWID;
)sql";

// Snapshots need more than the removed versions, which stay until a purge: the time and the
// counters of each commit, and the values that a refresh of a document replaced.
constexpr const char* kVersion3 = R"sql(
CREATE TABLE commit_log(
  seq INTEGER PRIMARY KEY,
  committed_at INTEGER NOT NULL,
  docs INTEGER NOT NULL,
  chunks INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  lexical_tokens INTEGER NOT NULL,
  text_bytes INTEGER NOT NULL,
  next_chunk INTEGER NOT NULL,
  last_doc INTEGER NOT NULL);
CREATE TABLE doc_past(
  until_seq INTEGER NOT NULL,
  doc INTEGER NOT NULL,
  mtime INTEGER,
  tag TEXT,
  source TEXT,
  meta TEXT,
  PRIMARY KEY(until_seq, doc)) WITHOUT ROWID;
)sql";

// Models trained on the store's texts, each active from a commit on.
constexpr const char* kVersion4 = R"sql(
CREATE TABLE model(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  since INTEGER NOT NULL,
  chunks INTEGER NOT NULL);
CREATE TABLE model_part(
  id INTEGER PRIMARY KEY,
  model INTEGER NOT NULL,
  kind TEXT NOT NULL,
  data BLOB NOT NULL);
CREATE UNIQUE INDEX model_part_kind ON model_part(model, kind);
)sql";

// Vectors belong to a vector space; a store has one for each model that it still needs.
constexpr const char* kVersion5 = R"sql(
CREATE TABLE space(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  embedder TEXT NOT NULL,
  version TEXT NOT NULL,
  dim INTEGER NOT NULL,
  model INTEGER,
  since INTEGER);
ALTER TABLE vec_segment ADD COLUMN space INTEGER NOT NULL DEFAULT 1;
ALTER TABLE vec_tail RENAME TO vec_tail_before;
CREATE TABLE vec_tail(
  space INTEGER NOT NULL,
  chunk INTEGER NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY(space, chunk)) WITHOUT ROWID;
INSERT INTO vec_tail SELECT 1, chunk, data FROM vec_tail_before;
DROP TABLE vec_tail_before;
)sql";

// User-supplied embeddings: their space cannot embed texts.
constexpr const char* kVersion6 = R"sql(
CREATE TABLE given_vector(doc INTEGER PRIMARY KEY, data BLOB NOT NULL);
)sql";

// Models whose terms are stored in pieces (docs/format/model.md); existing models stay unchanged.
constexpr const char* kVersion7 = "";

// Segments and delta records with IVF lists (docs/format/segment.md).
constexpr const char* kVersion8 = "";

// Precomputed block-max posting lists of common terms.
constexpr const char* kVersion9 = R"sql(
CREATE TABLE posting_set(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  end_chunk INTEGER NOT NULL,
  average_length REAL NOT NULL,
  complete INTEGER NOT NULL);
CREATE TABLE posting_list(
  id INTEGER PRIMARY KEY,
  posting_set INTEGER NOT NULL,
  word BLOB NOT NULL,
  data BLOB NOT NULL);
CREATE UNIQUE INDEX posting_list_word ON posting_list(posting_set, word);
)sql";

// Pages with checksums, which older versions of recall would not maintain. Existing pages receive
// them when the file is rebuilt (Store::Vacuum).
constexpr const char* kVersion10 = "";

// The words of each chunk, of which a hybrid search would otherwise read the text.
constexpr const char* kVersion11 = R"sql(
CREATE TABLE word_dictionary(
  id INTEGER PRIMARY KEY,
  chunks INTEGER NOT NULL,
  data BLOB NOT NULL);
CREATE TABLE chunk_words(chunk INTEGER PRIMARY KEY, data BLOB NOT NULL);
)sql";

// Where each document came from. Most documents are files, so most rows stay as they are: a row
// without the column has the default.
constexpr const char* kVersion12 =
    "ALTER TABLE doc ADD COLUMN origin TEXT NOT NULL DEFAULT 'file';"
    "UPDATE doc SET origin = " RECALL_INFERRED_ORIGIN("mtime", "path")
    " WHERE mtime IS NULL OR path GLOB '*!/*';"
    "ALTER TABLE doc_past ADD COLUMN origin TEXT NOT NULL DEFAULT 'file';"
    "UPDATE doc_past SET origin = (SELECT "
    RECALL_INFERRED_ORIGIN("doc_past.mtime", "doc.path")
    " FROM doc WHERE doc.id = doc_past.doc) WHERE doc IN (SELECT id FROM doc);";

// Notes: their paths, cards, links, uses and reviews. Older stores have none, because no older
// program has the parser `note`.
constexpr const char* kVersion13 = R"sql(
CREATE TABLE name(id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL UNIQUE);
CREATE TABLE card(
  name INTEGER PRIMARY KEY,
  doc INTEGER NOT NULL UNIQUE,
  first_chunk INTEGER NOT NULL,
  chunk_count INTEGER NOT NULL,
  is_note INTEGER NOT NULL,
  status TEXT,
  created INTEGER,
  touched INTEGER,
  age_window INTEGER,
  valid_until INTEGER,
  obsolete INTEGER NOT NULL);
CREATE TABLE link(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  source INTEGER NOT NULL,
  target INTEGER NOT NULL,
  relation TEXT NOT NULL,
  weight REAL NOT NULL,
  reason TEXT,
  origin TEXT NOT NULL,
  at INTEGER NOT NULL,
  added_seq INTEGER NOT NULL,
  removed_seq INTEGER);
CREATE INDEX link_source ON link(source, relation, target);
CREATE INDEX link_target ON link(target, relation, source);
CREATE TABLE use_log(
  name INTEGER NOT NULL,
  at INTEGER NOT NULL,
  how TEXT NOT NULL,
  store TEXT NOT NULL,
  count INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY(name, at, how, store)) WITHOUT ROWID;
CREATE TABLE review_log(
  name INTEGER NOT NULL,
  at INTEGER NOT NULL,
  store TEXT NOT NULL,
  quality INTEGER,
  algorithm TEXT NOT NULL,
  repetitions INTEGER NOT NULL,
  interval_days INTEGER NOT NULL,
  easiness INTEGER NOT NULL,
  due INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY(name, at, store)) WITHOUT ROWID;
CREATE TABLE activity(
  name INTEGER PRIMARY KEY,
  uses INTEGER NOT NULL,
  used_at INTEGER,
  reviews INTEGER NOT NULL,
  reviewed_at INTEGER,
  due INTEGER,
  interval_days INTEGER NOT NULL,
  easiness INTEGER NOT NULL,
  repetitions INTEGER NOT NULL,
  latest_at INTEGER NOT NULL,
  seq INTEGER NOT NULL);
CREATE TABLE note_set(id INTEGER PRIMARY KEY CHECK(id = 1), bitmap BLOB NOT NULL);
CREATE INDEX card_obsolete ON card(obsolete, first_chunk, chunk_count, doc) WHERE obsolete = 1;
)sql";

// Sessions: what was read of each transcript, the transcripts themselves, and what was forgotten.
// Older stores have none, because no older program has the parser `session`.
constexpr const char* kVersion14 = R"sql(
CREATE INDEX doc_session ON doc(first_chunk, chunk_count, removed_seq)
  WHERE removed_seq IS NULL AND parser = 'session';
CREATE TABLE captured(
  source TEXT PRIMARY KEY,
  agent TEXT NOT NULL,
  size INTEGER NOT NULL,
  mtime INTEGER NOT NULL,
  rules INTEGER NOT NULL,
  outside TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE transcript(
  source TEXT NOT NULL,
  block INTEGER NOT NULL,
  size INTEGER NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY(source, block)) WITHOUT ROWID;
CREATE TABLE forgotten(path TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
)sql";

// Documents whose text was extracted from files of other formats. Older stores have none.
constexpr const char* kVersion15 = R"sql(
CREATE TABLE extraction(
  doc INTEGER PRIMARY KEY,
  format TEXT NOT NULL,
  outcome TEXT NOT NULL,
  extractor TEXT NOT NULL,
  original_hash BLOB NOT NULL,
  original_size INTEGER NOT NULL,
  reason TEXT NOT NULL,
  warnings TEXT NOT NULL,
  spans BLOB NOT NULL);
)sql";

// The definitions of source code. Older stores have none.
constexpr const char* kVersion16 = R"sql(
CREATE TABLE symbol(
  chunk INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  scope TEXT NOT NULL,
  start_line INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  begins INTEGER NOT NULL,
  PRIMARY KEY(chunk, ordinal)) WITHOUT ROWID;
CREATE INDEX symbol_name ON symbol(name, chunk);
CREATE TABLE code_grammar(doc INTEGER PRIMARY KEY, grammar TEXT NOT NULL);
)sql";

// The languages of documents, and the trigrams of source code. Older documents have none.
constexpr const char* kVersion17 = R"sql(
CREATE TABLE doc_language(doc INTEGER PRIMARY KEY, lang TEXT NOT NULL, given INTEGER NOT NULL);
CREATE INDEX doc_language_lang ON doc_language(lang, doc);
CREATE TABLE text_grams(doc INTEGER PRIMARY KEY, data BLOB NOT NULL);
)sql";

constexpr Migration kMigrations[] = {
    {1, kVersion1, nullptr},   {2, kVersion2, FillMetadataIndex}, {3, kVersion3, BeginHistory},
    {4, kVersion4, nullptr},   {5, kVersion5, BeginSpaces},       {6, kVersion6, nullptr},
    {7, kVersion7, nullptr},   {8, kVersion8, nullptr},           {9, kVersion9, nullptr},
    {10, kVersion10, nullptr}, {11, kVersion11, nullptr},         {12, kVersion12, nullptr},
    {13, kVersion13, nullptr}, {14, kVersion14, nullptr},         {15, kVersion15, nullptr},
    {16, kVersion16, nullptr}, {17, kVersion17, nullptr}};

Status NotAStore(Connection& connection) {
  const auto published = IsRecall01Store(connection);
  if (published && *published) {
    return Status::Unsupported(connection.path() + " is a store of recall 0.1",
                               "run `recall migrate` to convert it");
  }
  return Status::Corruption(connection.path() + ": the file is not a recall store",
                            "check the path; `recall init` creates a new store");
}

Result<bool> IsEmptyFile(Connection& connection) {
  RECALL_ASSIGN(const int64_t objects, connection.QueryInt("SELECT count(*) FROM sqlite_schema"));
  RECALL_ASSIGN(const int64_t id, connection.QueryInt("PRAGMA application_id"));
  return objects == 0 && id == 0;
}

Status ApplyFrom(Connection& connection, int64_t version) {
  for (const Migration& migration : kMigrations) {
    if (migration.version <= version) continue;
    RECALL_TRY(connection.Execute(migration.sql));
    if (migration.fill) RECALL_TRY(migration.fill(connection));
  }
  RECALL_TRY(connection.Execute("PRAGMA application_id=" + std::to_string(kStoreApplicationId)));
  return connection.Execute("PRAGMA user_version=" + std::to_string(SchemaVersion()));
}

// Checks everything again under the lock, because another process may have migrated the store.
Status MigrateInTransaction(Connection& connection) {
  RECALL_ASSIGN(const bool empty, IsEmptyFile(connection));
  if (!empty) RECALL_TRY(CheckSchema(connection));
  RECALL_ASSIGN(const int64_t version, connection.QueryInt("PRAGMA user_version"));
  if (version < SchemaVersion()) RECALL_TRY(ApplyFrom(connection, version));
  return connection.Execute("COMMIT");
}

// The names of a store's tables, as a condition of SQL on column `name`.
#define RECALL_OWN_TABLE                                                                        \
  "(name IN ('meta', 'doc', 'doc_meta', 'doc_past', 'commit_log', 'chunk', 'text_block', "      \
  "'vec_segment', 'vec_data', 'vec_tail', 'tombstone', 'model', 'model_part', 'space', "        \
  "'given_vector', 'posting_set', 'posting_list', 'word_dictionary', 'chunk_words', 'name', "   \
  "'card', 'link', 'use_log', 'review_log', 'activity', 'note_set', 'captured', 'transcript', " \
  "'forgotten', 'extraction', 'symbol', 'code_grammar', 'doc_language', 'text_grams') "         \
  "OR name GLOB 'lexicon*')"

// The first column of the rows of a statement, each with a line feed; nullopt if it fails.
std::optional<std::string> LinesOf(sqlite3* connection, const char* sql) {
  const auto append = [](void* text, int, char** values, char**) {
    static_cast<std::string*>(text)->append(values[0] ? values[0] : "").push_back('\n');
    return 0;
  };
  std::string text;
  const int code = sqlite3_exec(connection, sql, append, &text, nullptr);
  return code == SQLITE_OK ? std::optional(std::move(text)) : std::nullopt;
}

// Every table and index with its SQL; "" if the schema cannot be read.
std::string SchemaText(sqlite3* connection) {
  constexpr const char* kSql =
      "SELECT type || ' ' || name || ': ' || sql FROM main.sqlite_schema WHERE sql IS NOT NULL "
      "AND (type <> 'table' OR " RECALL_OWN_TABLE ") ORDER BY 1";
  return LinesOf(connection, kSql).value_or("");
}

// The tables of a store, and what else has their names, with its SQL.
std::string TablesText(sqlite3* connection) {
  constexpr const char* kSql =
      "SELECT type || ' ' || name || ': ' || sql FROM main.sqlite_schema "
      "WHERE type IN ('table', 'view') AND " RECALL_OWN_TABLE " ORDER BY 1";
  return LinesOf(connection, kSql).value_or("");
}

// The schema of the migrations, by `text_of`; "" if it cannot be made.
std::string OwnSchema(std::string (*text_of)(sqlite3* connection)) {
  sqlite3* memory = nullptr;
  std::string text;
  if (sqlite3_open_v2(":memory:", &memory, SQLITE_OPEN_READWRITE, nullptr) == SQLITE_OK) {
    bool made = true;
    for (const Migration& migration : kMigrations) {
      made = made && sqlite3_exec(memory, migration.sql, nullptr, nullptr, nullptr) == SQLITE_OK;
    }
    if (made) text = text_of(memory);
  }
  sqlite3_close(memory);
  return text;
}

// The SQL function kSchemaCheckFunction. Also returns 1 if the schema cannot be read.
void CheckOwnSchema(sqlite3_context* context, int, sqlite3_value**) {
  const std::string own = OwnSchema(&SchemaText);
  const bool is_own = own.empty() || SchemaText(sqlite3_context_db_handle(context)) == own;
  sqlite3_result_int(context, is_own ? 1 : 0);
}

Status InstallSchemaCheck(sqlite3* connection) {
  const int code = sqlite3_create_function_v2(connection, kSchemaCheckFunction, 0,
                                              SQLITE_UTF8 | SQLITE_DIRECTONLY, nullptr,
                                              &CheckOwnSchema, nullptr, nullptr, nullptr);
  // Busy: a lent connection has the function already, and one of its statements runs.
  if (code == SQLITE_OK || code == SQLITE_BUSY) return Status::Ok();
  return StatusFromSqlite(connection, code, "register the schema check");
}

}  // namespace

Result<std::unique_ptr<Connection>> OpenStoreConnection(const std::string& store,
                                                        const ConnectionOptions& options) {
  const bool reads = options.mode == ConnectionMode::kReadOnly;
  RECALL_ASSIGN(const std::string file,
                FileOfStore(store, reads ? ReplicaUse::kRead : ReplicaUse::kWrite));
  RECALL_ASSIGN(std::unique_ptr<Connection> connection, Connection::Open(file, options));
  RECALL_TRY(connection->InstallOnce(&InstallSchemaCheck));
  return connection;
}

Result<std::unique_ptr<Connection>> BorrowStoreConnection(std::shared_ptr<LentConnection> lender,
                                                          const SqliteFeatures& features) {
  RECALL_ASSIGN(auto connection, Connection::Borrow(std::move(lender), features));
  RECALL_TRY(connection->InstallOnce(&InstallSchemaCheck));
  return connection;
}

bool CanBorrow(sqlite3* connection) {
  static const std::string own = OwnSchema(&TablesText);
  const auto hiding = LinesOf(connection,
                              "SELECT name FROM temp.sqlite_schema WHERE type IN ('table', 'view') "
                              "AND lower(name) IN (SELECT name FROM main.sqlite_schema WHERE "
                              "type = 'table' AND " RECALL_OWN_TABLE ")");
  return hiding && hiding->empty() && !own.empty() && TablesText(connection) == own;
}

std::span<const Migration> Migrations() { return kMigrations; }

int SchemaVersion() { return Migrations().back().version; }

Status CheckSchema(Connection& connection) {
  RECALL_ASSIGN(const int64_t id, connection.QueryInt("PRAGMA application_id"));
  if (id != kStoreApplicationId) return NotAStore(connection);
  RECALL_ASSIGN(const int64_t version, connection.QueryInt("PRAGMA user_version"));
  if (version < 1) return NotAStore(connection);
  if (version > SchemaVersion()) {
    return Status::Unsupported(
        connection.path() + ": the store has format version " + std::to_string(version) +
            ", and this version of recall supports up to " + std::to_string(SchemaVersion()),
        "use a newer version of recall");
  }
  return Status::Ok();
}

Result<bool> IsRecall01Store(Connection& connection) {
  RECALL_ASSIGN(const int64_t id, connection.QueryInt("PRAGMA application_id"));
  RECALL_ASSIGN(const int64_t tables,
                connection.QueryInt("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND "
                                    "rootpage > 0 AND name IN ('doc', 'chunk')"));
  if (id != 0 || tables != 2) return false;
  RECALL_ASSIGN(const int64_t columns,
                connection.QueryInt("SELECT count(*) FROM pragma_table_xinfo('chunk') WHERE name "
                                    "IN ('id', 'doc_id', 'offset', 'text', 'embedding')"));
  return columns == 5;
}

Status MigrateSchema(Connection& connection) {
  RECALL_ASSIGN(const int64_t found, connection.QueryInt("PRAGMA user_version"));
  if (found == SchemaVersion()) return CheckSchema(connection);
  RECALL_TRY(connection.BeginImmediate());
  const Status outcome = MigrateInTransaction(connection);
  if (!outcome.ok() && connection.InTransaction()) connection.Execute("ROLLBACK").IgnoreError();
  return outcome;
}

}  // namespace recall
