#include "storage/check/file_check.h"

#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "storage/fts5/fts_structure.h"
#include "storage/overflow/checkpointed_snapshot.h"
#include "storage/overflow/file_mapping.h"
#include "storage/replica/page_source.h"
#include "storage/schema/schema.h"
#include "storage/sqlite/common_snapshot.h"
#include "storage/sqlite/tested_sqlite.h"

namespace recall {
namespace {

constexpr int64_t kPageSize = 65536;
constexpr int64_t kLargeWalBytes = int64_t{256} << 20;

int64_t SizeOf(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 ? info.st_size : 0;
}

// Whether the file has the tables of a store, with or without its application_id.
Result<bool> HasStoreTables(Connection& connection) {
  RECALL_ASSIGN(const int64_t tables,
                connection.QueryInt("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND "
                                    "name IN ('meta', 'doc', 'chunk', 'text_block', 'vec_data')"));
  return tables >= 4;
}

// Fails unless the tables are those of this version or an older one. A wrong application_id is a
// finding.
Status CheckMark(CheckRun& run, int64_t version) {
  RECALL_ASSIGN(const bool ours, HasStoreTables(run.connection()));
  RECALL_ASSIGN(const int64_t id, run.connection().QueryInt("PRAGMA application_id"));
  if (!ours || version > SchemaVersion()) return CheckSchema(run.connection());
  if (id != kStoreApplicationId) {
    run.findings().Add(
        FindingCode::kApplicationId, "PRAGMA application_id",
        "found " + std::to_string(id) + ", expected " + std::to_string(kStoreApplicationId));
  }
  return version >= 1 ? Status::Ok() : CheckSchema(run.connection());
}

// The messages of SQLite 3.40 and later about damage that REINDEX repairs.
bool IsAboutIndex(std::string_view line) {
  for (const std::string_view sign : {"missing from index", "wrong # of entries in index",
                                      "non-unique entry in index", "values differ from index"}) {
    if (line.find(sign) != line.npos) return true;
  }
  return false;
}

// SQLite 3.44 and later also let FTS5 check its index, and if FTS5 cannot open the index, the whole
// check fails. A connection without virtual tables checks every b-tree, the free list and the use
// of pages, and nothing else, with any version; the full-text index has a check of its own
// (index/write/check/fulltext_check.h). The connection may read a later commit than the run, which
// causes no false finding: every commit is complete.
Result<std::unique_ptr<Connection>> OpenForIntegrity(const Connection& like) {
  return Connection::Open(like.path(), {.busy_timeout_ms = like.busy_timeout_ms(),
                                        .immutable = like.immutable() || like.has_file_alone(),
                                        .enable_mapping = false,
                                        .verify_pages = PageVerification::kNever,
                                        .virtual_tables = false,
                                        .features = like.features()});
}

// Whether a line says that SQLite lacked memory (SQLITE_NOMEM, SQLITE_IOERR_NOMEM), not that the
// file is damaged.
bool IsAboutMemory(std::string_view line) {
  return line.ends_with("error code=7") || line.ends_with("error code=3082");
}

Status CheckIntegrity(CheckRun& run, Connection& connection) {
  const CheckRun cancelled_with(&connection, run.cancel());
  RECALL_ASSIGN(Statement check, connection.Prepare("PRAGMA integrity_check(1000)"));
  for (;;) {
    RECALL_ASSIGN(const bool row, check.Step());
    RECALL_TRY(run.CheckCancelled());  // pages that were not read any more are not damaged
    if (!row) return Status::Ok();
    std::string line(check.ColumnText(0));
    std::ranges::replace(line, '\n', ' ');
    if (line == "ok") continue;
    if (IsAboutMemory(line)) return Status::NotEnoughMemory("PRAGMA integrity_check: ");
    // Trees are checked first. If one is damaged, its rows cannot be compared with an index.
    const bool of_index = IsAboutIndex(line) && !run.findings().Has(FindingCode::kSqliteDamage);
    run.findings().Add(of_index ? FindingCode::kIndexDamage : FindingCode::kSqliteDamage,
                       "PRAGMA integrity_check", line);
  }
}

void CheckPragma(CheckRun& run, std::string_view pragma, std::string_view wanted) {
  const auto found = run.connection().QueryText("PRAGMA " + std::string(pragma));
  if (!found || *found == wanted) return;
  run.findings().Add(FindingCode::kFileFormat, "PRAGMA " + std::string(pragma),
                     "found " + *found + ", expected " + std::string(wanted));
}

// The definition of one table, index, view or trigger in sqlite_schema.
struct SchemaObject {
  std::string type;
  std::string sql;
};
using SchemaObjects = std::map<std::string, SchemaObject, std::less<>>;

Result<SchemaObjects> ReadSchema(Connection& connection) {
  RECALL_ASSIGN(Statement select,
                connection.Prepare("SELECT name, type, sql FROM sqlite_schema "
                                   "WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"));
  SchemaObjects objects;
  for (;;) {
    RECALL_ASSIGN(const bool row, select.Step());
    if (!row) return objects;
    objects[std::string(select.ColumnText(0))] = {std::string(select.ColumnText(1)),
                                                  std::string(select.ColumnText(2))};
  }
}

// The schema that the migrations create.
Result<SchemaObjects> ExpectedSchema(int64_t version) {
  RECALL_ASSIGN(const auto scratch,
                Connection::Open("the schema", {.mode = ConnectionMode::kScratch}));
  for (const Migration& migration : Migrations()) {
    if (migration.version > version) break;
    RECALL_TRY(scratch->Execute(migration.sql));
    if (migration.fill) RECALL_TRY(migration.fill(*scratch));
  }
  return ReadSchema(*scratch);
}

// Tables whose rows are derived from those of others.
bool IsDerived(std::string_view name) {
  return name == "doc_meta" || name == "tombstone" || name == "commit_log" || name == "doc_past" ||
         name == "model" || name == "model_part" || name == "posting_set" ||
         name == "posting_list" || name == "word_dictionary" || name == "chunk_words" ||
         name == "card" || name == "activity" || name == "note_set" ||
         name.starts_with("lexicon") || name.starts_with("vec_");
}

FindingCode CodeOf(const std::string& name, const SchemaObject& wanted, bool missing) {
  if (wanted.type == "index" || IsDerived(name)) return FindingCode::kSchemaDrift;
  return missing ? FindingCode::kTableMissing : FindingCode::kTableChanged;
}

void ReportForeign(CheckRun& run, const std::string& name, const SchemaObject& object) {
  const bool trigger = object.type == "trigger";
  run.findings().Add(trigger ? FindingCode::kForeignTrigger : FindingCode::kForeignTable,
                     object.type + " " + name, object.sql.substr(0, 200));
}

Status Remake(Connection& connection, const std::string& name, const SchemaObject& wanted) {
  if (name == "lexicon") RECALL_TRY(EmptyFtsForDrop(connection));
  RECALL_TRY(connection.Execute("DROP " + wanted.type + " IF EXISTS \"" + name + "\""));
  RECALL_TRY(connection.Execute(wanted.sql));
  if (name != "lexicon") return Status::Ok();
  RECALL_TRY(connection.Execute("INSERT INTO lexicon(lexicon, rank) VALUES('hashsize', 16777216)"));
  return connection.Execute("INSERT INTO lexicon(lexicon, rank) VALUES('automerge', 16)");
}

// The name of the virtual table that `name` belongs to, or `name`.
std::string OwnerOf(const std::string& name) {
  return name.starts_with("lexicon") ? "lexicon" : name;
}

}  // namespace

Result<FileFacts> BeginCheck(CheckRun& run, std::vector<std::unique_ptr<Connection>>* readers) {
  Connection& connection = run.connection();
  FileFacts facts;
  if (!connection.immutable()) {
    const WalState wal = CheckpointWal(connection, FileMapping::DescriptorOf(connection.path()))
                             .value_or(WalState());
    facts.wal_frames = wal.frames;
    facts.wal_frames_copied = std::min(wal.copied, wal.frames);
  }
  facts.wal_bytes = SizeOf(connection.path() + "-wal");
  RECALL_TRY(BeginTogether(connection, readers));
  RECALL_ASSIGN(facts.format_version, connection.QueryInt("PRAGMA user_version"));
  RECALL_ASSIGN(facts.page_size, connection.QueryInt("PRAGMA page_size"));
  RECALL_ASSIGN(facts.pages, connection.QueryInt("PRAGMA page_count"));
  RECALL_ASSIGN(facts.free_pages, connection.QueryInt("PRAGMA freelist_count"));
  RECALL_ASSIGN(facts.journal, connection.QueryText("PRAGMA journal_mode"));
  RECALL_TRY(CheckMark(run, facts.format_version));
  return facts;
}

Status CheckFile(CheckRun& run, const FileFacts& facts) {
  CheckPragma(run, "page_size", std::to_string(kPageSize));
  CheckPragma(run, "auto_vacuum", "0");
  CheckPragma(run, "encoding", "UTF-8");
  // On read-only media there is no WAL, and SQLite reports another journal mode. A replica has
  // none.
  const bool is_replica = FindPageSource(run.connection().path()) != nullptr;
  if (!run.connection().immutable() && !is_replica) CheckPragma(run, "journal_mode", "wal");
  if (facts.free_pages > 64 && facts.free_pages * 2 > facts.pages) {
    run.findings().Add(FindingCode::kFreePages, "free list",
                       std::to_string(facts.free_pages) + " of " + std::to_string(facts.pages) +
                           " pages are free");
  }
  if (facts.wal_bytes > kLargeWalBytes) {
    run.findings().Add(FindingCode::kWalSize, run.connection().path() + "-wal",
                       std::to_string(facts.wal_bytes) + " bytes");
  }
  if (!run.connection().features().file_format) {
    run.findings().Add(FindingCode::kSqliteUntested, "SQLite",
                       "the version is " + SqliteVersionName(LoadedSqlite()));
  }
  RECALL_ASSIGN(const auto connection, OpenForIntegrity(run.connection()));
  return run.Absorb(CheckIntegrity(run, *connection), FindingCode::kSqliteDamage,
                    "PRAGMA integrity_check");
}

Status CheckTables(CheckRun& run, const FileFacts& facts) {
  RECALL_ASSIGN(const SchemaObjects wanted, ExpectedSchema(facts.format_version));
  Result<SchemaObjects> found = ReadSchema(run.connection());
  if (!found) return run.Absorb(found.error(), FindingCode::kSqliteDamage, "sqlite_schema");
  for (const auto& [name, object] : wanted) {
    const auto own = found->find(name);
    const bool missing = own == found->end();
    if (!missing && own->second.type == object.type && own->second.sql == object.sql) {
      if (object.type == "table") run.AddTable(name);
      continue;
    }
    run.findings().Add(
        CodeOf(name, object, missing), object.type + " " + name,
        missing ? "it is missing" : "its definition is " + own->second.sql.substr(0, 200));
  }
  for (const auto& [name, object] : *found) {
    if (!wanted.contains(name)) ReportForeign(run, name, object);
  }
  return Status::Ok();
}

Status RepairTables(Connection& connection, int64_t format_version) {
  RECALL_TRY(connection.Execute("PRAGMA application_id=" + std::to_string(kStoreApplicationId)));
  RECALL_ASSIGN(const SchemaObjects wanted, ExpectedSchema(format_version));
  RECALL_ASSIGN(const SchemaObjects found, ReadSchema(connection));
  std::set<std::string> remade;
  for (const auto& [name, object] : wanted) {
    const auto own = found.find(name);
    const bool same =
        own != found.end() && own->second.type == object.type && own->second.sql == object.sql;
    if (same || CodeOf(name, object, false) != FindingCode::kSchemaDrift) continue;
    remade.insert(OwnerOf(name));
  }
  for (const std::string& name : remade) {
    RECALL_TRY(Remake(connection, name, wanted.find(name)->second));
  }
  return Status::Ok();
}

Status RebuildFulltextIndex(Connection& connection) {
  RECALL_ASSIGN(const SchemaObjects wanted, ExpectedSchema(SchemaVersion()));
  return Remake(connection, "lexicon", wanted.find("lexicon")->second);
}

}  // namespace recall
