// A virtual table whose rows are documents.
//
// The problem: rows belong to the user's transactions and are read like those of any table; a
// search ranks them.
//
// The idea: the rows are in a shadow table (shadow_rows), which scans and look-ups read. A search,
// "docs MATCH 'question'", asks a store that has been brought to the state of the rows
// (documents_store), for the best chunk of each document, and reads the rows of its hits.
//
//   idxNum   bits 0..: which arguments are given, in the order of argv; the first is the question
//            kDocumentsLimitBit, kDocumentsOffsetBit: then LIMIT and OFFSET
//            kIdBit, kPathBit: without a question, the row of an id or a path
//   idxStr   the same for people (EXPLAIN QUERY PLAN): "match,k,limit,rank"
//
// Invariants:
// - xUpdate looks for conflicts before it changes anything, so SQLite may go on after one.
// - Rows of a search are in the order of their ranks. A document is one row, whatever the number of
//   its chunks that were found.
// - No exception leaves a callback.
//
// Source: https://sqlite.org/vtab.html.

#include "cli/sqlite/documents_table.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/server/mcp/json_rpc.h"
#include "cli/sqlite/documents_search.h"
#include "cli/sqlite/documents_store.h"
#include "cli/sqlite/host_statement.h"
#include "cli/sqlite/host_value.h"
#include "cli/sqlite/shadow_rows.h"

namespace recall {
namespace {

constexpr const char* kModule = "recall";
// The columns of a row. Behind them are the arguments of a search, the rank, and columns of a hit.
constexpr int kColumnsOfRow = 4;
constexpr std::array<const char*, 4> kArguments = {"match", "k", "filter", "options"};
constexpr int kArgumentCount = kArguments.size();
constexpr int kRankColumn = kColumnsOfRow + kArgumentCount;

struct HitColumn {
  const char* declaration;
  std::string_view place;  // in a hit (answer_table.h)
};
constexpr HitColumn kColumnsOfHit[] = {{"score REAL", "score"},
                                       {"snippet TEXT", "snippet.text"},
                                       {"heading TEXT", "chunk.heading"},
                                       {"passage TEXT", "chunk.text"},
                                       {"start_line INTEGER", "chunk.start_line"},
                                       {"end_line INTEGER", "chunk.end_line"},
                                       {"json TEXT", ""}};

constexpr int kDocumentsLimitBit = 1 << 8;
constexpr int kDocumentsOffsetBit = 1 << 9;
constexpr int kIdBit = 1 << 10;
constexpr int kPathBit = 1 << 11;

// What the planner is told: a search costs as much as reading many rows.
constexpr double kCostOfSearch = 10'000;
constexpr double kCostOfScan = 1'000'000;

std::string Declaration(const std::string& table) {
  std::string sql = "CREATE TABLE x(path TEXT, title TEXT, text TEXT, meta TEXT, " +
                    QuotedName(table) + " HIDDEN, k HIDDEN, filter HIDDEN, options HIDDEN, " +
                    "rank INTEGER HIDDEN";
  for (const HitColumn& column : kColumnsOfHit)
    sql += std::string(", ") + column.declaration + " HIDDEN";
  return sql + ")";
}

struct DocumentsTable : sqlite3_vtab {
  DocumentsTable(sqlite3* host, const std::string& schema, const std::string& table,
                 const std::string& embedding)
      : sqlite3_vtab{}, connection(host), rows(host, schema, table) {
    const char* const file = sqlite3_db_filename(host, schema.c_str());
    const bool writable = sqlite3_db_readonly(host, schema.c_str()) == 0;
    store =
        std::make_unique<DocumentsStore>(host, file == nullptr ? "" : file, writable, embedding);
  }

  sqlite3* const connection;
  ShadowRows rows;
  std::unique_ptr<DocumentsStore> store;
};

struct DocumentsCursor : sqlite3_vtab_cursor {
  DocumentsCursor() : sqlite3_vtab_cursor{} {}
  ~DocumentsCursor() { ForgetArguments(); }
  DocumentsCursor(const DocumentsCursor&) = delete;
  DocumentsCursor& operator=(const DocumentsCursor&) = delete;

  void ForgetArguments() {
    for (sqlite3_value* value : arguments) sqlite3_value_free(value);
    arguments.assign(kArgumentCount, nullptr);
  }

  HostStatement row;                     // at the present row
  std::optional<DocumentSearch> search;  // of a question
  bool ended = true;
  std::vector<sqlite3_value*> arguments = std::vector<sqlite3_value*>(kArgumentCount, nullptr);
};

// Runs a callback of a table. Errors and exceptions become result codes.
template <typename Run>
int TableCallback(sqlite3_vtab* table, const Run& run) noexcept {
  return RunCallback([&] {
    const Status status = run();
    return status.ok() ? SQLITE_OK : ReportError(table, kModule, status);
  });
}

// ---- Making and dropping

// The embedding that "CREATE VIRTUAL TABLE docs USING recall(embedding = hash)" names. The file may
// have come from others, so other settings, which could name files, are not taken from it.
Result<std::string> EmbeddingOf(std::span<const char* const> arguments) {
  std::string embedding = "lsa";
  for (const char* const argument : arguments) {
    std::string text;
    for (const char* c = argument; *c != '\0'; ++c) {
      if (*c != ' ' && *c != '\n' && *c != '\t' && *c != '\'' && *c != '"') text += *c;
    }
    if (text.empty()) continue;
    if (text != "embedding=lsa" && text != "embedding=hash") {
      return Fail(Status::InvalidArgument("unknown option: " + std::string(argument),
                                          "write embedding = 'lsa' or embedding = 'hash'"));
    }
    embedding = text.substr(text.find('=') + 1);
  }
  return embedding;
}

Status Make(sqlite3* connection, std::span<const char* const> words, bool create,
            sqlite3_vtab** made) {
  const std::string schema = words[1];
  const std::string name = words[2];
  RECALL_ASSIGN(const std::string embedding, EmbeddingOf(words.subspan(3)));
  if (sqlite3_declare_vtab(connection, Declaration(name).c_str()) != SQLITE_OK) {
    return HostError(connection);
  }
  sqlite3_vtab_config(connection, SQLITE_VTAB_CONSTRAINT_SUPPORT, 1);
  auto table = std::make_unique<DocumentsTable>(connection, schema, name, embedding);
  if (create) RECALL_TRY(table->rows.Create());
  *made = table.release();
  return Status::Ok();
}

template <bool kCreate>
int MakeTable(sqlite3* connection, void*, int count, const char* const* words, sqlite3_vtab** table,
              char** message) {
  sqlite3_vtab failed = {};
  const int code = TableCallback(&failed, [&] {
    return Make(connection, {words, static_cast<size_t>(count)}, kCreate, table);
  });
  *message = failed.zErrMsg;
  return code;
}

int Disconnect(sqlite3_vtab* table) {
  delete static_cast<DocumentsTable*>(table);
  return SQLITE_OK;
}

int Destroy(sqlite3_vtab* vtab) {
  auto* const table = static_cast<DocumentsTable*>(vtab);
  const int code = TableCallback(vtab, [&] {
    table->store->RemoveFiles(table->rows);
    return table->rows.Drop();
  });
  if (code == SQLITE_OK) delete table;
  return code;
}

int Rename(sqlite3_vtab* vtab, const char* name) {
  auto* const table = static_cast<DocumentsTable*>(vtab);
  return TableCallback(vtab, [&] { return table->rows.Rename(name); });
}

int IsShadowName(const char* name) {
  return std::ranges::any_of(kShadowTables,
                             [&](const char* shadow) { return sqlite3_stricmp(name, shadow) == 0; })
             ? 1
             : 0;
}

// ---- Reading

struct DocumentsPlan {
  std::array<int, kArgumentCount> constraint_of = {-1, -1, -1, -1};
  int id = -1;
  int path = -1;
  int limit = -1;
  int offset = -1;
  bool unusable = false;  // an argument depends on a table that is read later
  bool has_others = false;
};

void ReadCondition(const sqlite3_index_info& info, int i, DocumentsPlan* plan) {
  const auto& condition = info.aConstraint[i];
  const bool usable = condition.usable != 0;
  const auto take = [&](int* known) {
    if (usable && *known < 0) *known = i;
    return usable && *known == i;
  };
  if (condition.op == SQLITE_INDEX_CONSTRAINT_LIMIT) {
    take(&plan->limit);
    return;
  }
  if (condition.op == SQLITE_INDEX_CONSTRAINT_OFFSET) {
    plan->has_others |= !take(&plan->offset);
    return;
  }
  const bool equal = condition.op == SQLITE_INDEX_CONSTRAINT_EQ;
  const int argument = condition.iColumn - kColumnsOfRow;
  const bool match = argument == 0 && condition.op == SQLITE_INDEX_CONSTRAINT_MATCH;
  if ((equal || match) && argument >= 0 && argument < kArgumentCount) {
    plan->unusable |= !usable;
    plan->has_others |= !take(&plan->constraint_of[static_cast<size_t>(argument)]);
    return;
  }
  plan->has_others = true;
  if (equal && condition.iColumn == -1) take(&plan->id);
  if (equal && condition.iColumn == 0) take(&plan->path);
}

// Tells SQLite the arguments that xFilter gets.
class ArgumentList final {
 public:
  explicit ArgumentList(sqlite3_index_info* info) : info_(info) {}

  void Take(int condition, bool omit, int bit, const char* name) {
    info_->aConstraintUsage[condition].argvIndex = ++count_;
    info_->aConstraintUsage[condition].omit = omit ? 1 : 0;
    info_->idxNum |= bit;
    Name(name);
  }
  void Name(const char* name) { names_.append(names_.empty() ? "" : ",").append(name); }
  Status Finish() {
    info_->idxStr = sqlite3_mprintf("%s", names_.c_str());
    info_->needToFreeIdxStr = 1;
    return info_->idxStr == nullptr ? Status::NotEnoughMemory() : Status::Ok();
  }

 private:
  sqlite3_index_info* const info_;
  std::string names_;
  int count_ = 0;
};

void PlanSearch(const DocumentsPlan& plan, sqlite3_index_info* info, ArgumentList* list) {
  for (size_t i = 0; i < kArguments.size(); ++i) {
    if (plan.constraint_of[i] >= 0) list->Take(plan.constraint_of[i], true, 1 << i, kArguments[i]);
  }
  const bool sorted = info->nOrderBy == 1 && info->aOrderBy[0].iColumn == kRankColumn &&
                      info->aOrderBy[0].desc == 0;
  // The LIMIT is that of the search only if nothing else filters or sorts what it finds.
  const bool counted = plan.constraint_of[1] < 0;
  if (counted && plan.limit >= 0 && !plan.has_others && (info->nOrderBy == 0 || sorted)) {
    list->Take(plan.limit, false, kDocumentsLimitBit, "limit");
    if (plan.offset >= 0) list->Take(plan.offset, false, kDocumentsOffsetBit, "offset");
  }
  if (sorted) {
    info->orderByConsumed = 1;
    list->Name("rank");
  }
  info->estimatedCost = kCostOfSearch;
  info->estimatedRows = 10;
}

void PlanRows(const DocumentsPlan& plan, sqlite3_index_info* info, ArgumentList* list) {
  info->estimatedCost = kCostOfScan;
  info->estimatedRows = 100'000;
  if (plan.id < 0 && plan.path < 0) return;
  const bool by_id = plan.id >= 0;
  list->Take(by_id ? plan.id : plan.path, false, by_id ? kIdBit : kPathBit, by_id ? "id" : "path");
  info->estimatedCost = by_id ? 10 : 20;
  info->estimatedRows = 1;
}

int BestDocumentsIndex(sqlite3_vtab* table, sqlite3_index_info* info) {
  DocumentsPlan plan;
  const int code = TableCallback(table, [&] {
    for (int i = 0; i < info->nConstraint; ++i) ReadCondition(*info, i, &plan);
    if (plan.unusable) return Status::Ok();
    ArgumentList list(info);
    if (plan.constraint_of[0] >= 0) {
      PlanSearch(plan, info, &list);
    } else {
      PlanRows(plan, info, &list);
    }
    return list.Finish();
  });
  return plan.unusable ? SQLITE_CONSTRAINT : code;
}

int OpenDocuments(sqlite3_vtab* table, sqlite3_vtab_cursor** cursor) {
  return TableCallback(table, [&] {
    *cursor = new DocumentsCursor;
    return Status::Ok();
  });
}

int CloseDocuments(sqlite3_vtab_cursor* cursor) {
  delete static_cast<DocumentsCursor*>(cursor);
  return SQLITE_OK;
}

Result<DocumentQuery> ReadQuery(const DocumentsCursor& cursor, int plan,
                                std::span<sqlite3_value*> limits) {
  DocumentQuery query;
  std::array<std::optional<std::string>, kArgumentCount> texts;
  for (size_t i = 0; i < kArguments.size(); ++i) {
    if (cursor.arguments[i] == nullptr) continue;
    RECALL_ASSIGN(texts[i], TextOfValue(cursor.arguments[i], kArguments[i]));
  }
  query.text = std::move(texts[0]);
  query.filter = std::move(texts[2]);
  query.options = texts[3].value_or("");
  RECALL_TRY(CheckSearchOptions(query.options));
  if (texts[1]) {
    query.count = sqlite3_value_int64(cursor.arguments[1]);
    if (*query.count < 1) return Fail(Status::InvalidArgument("k must be a number from 1 up"));
  } else if ((plan & kDocumentsLimitBit) != 0) {
    const int64_t offset = (plan & kDocumentsOffsetBit) != 0 ? sqlite3_value_int64(limits[1]) : 0;
    query.count = RowsWanted(sqlite3_value_int64(limits[0]), offset);
  }
  return query;
}

// Goes to the row of the next document that is found.
Status GoToNextFound(DocumentsCursor* cursor) {
  for (;;) {
    cursor->row.Reset();
    RECALL_ASSIGN(const bool found, cursor->search->Next());
    cursor->ended = !found;
    if (!found) return Status::Ok();
    RECALL_ASSIGN(const bool is_row,
                  cursor->row.Bind(1, std::string_view(cursor->search->path())).Step());
    if (is_row) return Status::Ok();
  }
}

Status FilterDocuments(DocumentsTable* table, DocumentsCursor* cursor, int plan,
                       std::span<sqlite3_value*> values) {
  cursor->row = HostStatement();
  cursor->search.reset();
  cursor->ForgetArguments();
  size_t next = 0;
  for (size_t i = 0; i < kArguments.size(); ++i) {
    if ((plan & (1 << i)) == 0) continue;
    cursor->arguments[i] = sqlite3_value_dup(values[next++]);
    if (cursor->arguments[i] == nullptr) return Status::NotEnoughMemory();
  }
  if (cursor->arguments[0] != nullptr) {
    RECALL_ASSIGN(DocumentQuery query, ReadQuery(*cursor, plan, values.subspan(next)));
    cursor->search.emplace(table->store.get(), &table->rows, std::move(query));
    RECALL_ASSIGN(cursor->row, table->rows.Select("WHERE path = ?1"));
    return GoToNextFound(cursor);
  }
  const bool one = (plan & (kIdBit | kPathBit)) != 0;
  RECALL_ASSIGN(cursor->row, table->rows.Select((plan & kIdBit) != 0 ? "WHERE id = ?1"
                                                : one                ? "WHERE path = ?1"
                                                                     : "ORDER BY id"));
  if (one) cursor->row.Bind(1, values[next]);
  RECALL_ASSIGN(const bool found, cursor->row.Step());
  cursor->ended = !found;
  return Status::Ok();
}

int FilterRowsOrHits(sqlite3_vtab_cursor* from, int plan, const char*, int count,
                     sqlite3_value** values) {
  auto* const table = static_cast<DocumentsTable*>(from->pVtab);
  return TableCallback(table, [&] {
    return FilterDocuments(table, static_cast<DocumentsCursor*>(from), plan,
                           {values, static_cast<size_t>(count)});
  });
}

int NextDocument(sqlite3_vtab_cursor* from) {
  auto* const cursor = static_cast<DocumentsCursor*>(from);
  return TableCallback(from->pVtab, [&]() -> Status {
    if (cursor->search) return GoToNextFound(cursor);
    RECALL_ASSIGN(const bool found, cursor->row.Step());
    cursor->ended = !found;
    return Status::Ok();
  });
}

int AreDocumentsAtEnd(sqlite3_vtab_cursor* cursor) {
  return static_cast<DocumentsCursor*>(cursor)->ended ? 1 : 0;
}

int DocumentColumn(sqlite3_vtab_cursor* from, sqlite3_context* context, int column) {
  const auto& cursor = *static_cast<DocumentsCursor*>(from);
  return TableCallback(from->pVtab, [&] {
    if (column < kColumnsOfRow) {
      sqlite3_result_value(context, cursor.row.Value(column + 1));
    } else if (column < kRankColumn) {
      sqlite3_value* const value = cursor.arguments[static_cast<size_t>(column - kColumnsOfRow)];
      if (value != nullptr) sqlite3_result_value(context, value);
    } else if (!cursor.search) {
      return Status::Ok();
    } else if (column == kRankColumn) {
      sqlite3_result_int64(context, cursor.search->rank());
    } else {
      cursor.search->SetColumn(context, kColumnsOfHit[column - kRankColumn - 1].place);
    }
    return Status::Ok();
  });
}

int DocumentId(sqlite3_vtab_cursor* cursor, sqlite3_int64* id) {
  *id = static_cast<DocumentsCursor*>(cursor)->row.Int(0);
  return SQLITE_OK;
}

// ---- Writing

// The values of xUpdate behind the ids.
Result<DocumentValues> ReadValues(std::span<sqlite3_value*> columns) {
  DocumentValues values;
  RECALL_ASSIGN(std::optional<std::string> path, TextOfValue(columns[0], "path"));
  RECALL_ASSIGN(values.title, TextOfValue(columns[1], "title"));
  RECALL_ASSIGN(values.text, TextOfValue(columns[2], "text"));
  RECALL_ASSIGN(values.meta, TextOfValue(columns[3], "meta"));
  if (!path || path->empty()) {
    return Fail(Status::InvalidArgument("a document needs a path", "it may be any text"));
  }
  if (*path == kPositionPath) {
    return Fail(Status::InvalidArgument("the path '" + *path + "' is Recall's own"));
  }
  values.path = std::move(*path);
  if (!values.meta) return values;
  const std::optional<Json> json = ParseJson(*values.meta);
  if (json && json->is_object()) return values;
  return Fail(Status::InvalidArgument(
      "meta must be a JSON object of at most 64 levels, 100,000 values and 4 MiB",
      "for example {\"year\": 2024}"));
}

// The other rows that must go for a row: those with its id or its path.
Result<std::vector<int64_t>> ConflictsOf(ShadowRows& rows, const DocumentValues& values,
                                         std::optional<int64_t> old_id) {
  std::vector<int64_t> conflicts;
  if (values.id && values.id != old_id) {
    RECALL_ASSIGN(const bool exists, rows.Has(*values.id));
    if (exists) conflicts.push_back(*values.id);
  }
  RECALL_ASSIGN(const std::optional<int64_t> same_path, rows.IdOf(values.path));
  if (same_path && same_path != old_id && same_path != values.id) conflicts.push_back(*same_path);
  return conflicts;
}

// Returns: SQLITE_CONSTRAINT, which SQLite treats by the clause of the statement, or SQLITE_OK.
Result<int> Write(DocumentsTable* table, std::optional<int64_t> old_id,
                  std::span<sqlite3_value*> columns, std::optional<int64_t> new_id,
                  sqlite3_int64* id) {
  ShadowRows& rows = table->rows;
  RECALL_ASSIGN(DocumentValues values, ReadValues(columns));
  values.id = new_id;
  RECALL_ASSIGN(const std::vector<int64_t> conflicts, ConflictsOf(rows, values, old_id));
  if (!conflicts.empty() && sqlite3_vtab_on_conflict(table->connection) != SQLITE_REPLACE) {
    sqlite3_free(table->zErrMsg);
    table->zErrMsg = sqlite3_mprintf("UNIQUE constraint failed: path '%s'", values.path.c_str());
    return SQLITE_CONSTRAINT;
  }
  for (const int64_t conflict : conflicts) RECALL_TRY(rows.Remove(conflict));
  if (old_id) {
    RECALL_TRY(rows.Update(*old_id, values));
  } else {
    RECALL_ASSIGN(*id, rows.Insert(values));
  }
  return SQLITE_OK;
}

std::optional<int64_t> IdOrNull(sqlite3_value* value) {
  if (sqlite3_value_type(value) == SQLITE_NULL) return std::nullopt;
  return sqlite3_value_int64(value);
}

int UpdateDocument(sqlite3_vtab* vtab, int count, sqlite3_value** values, sqlite3_int64* id) {
  auto* const table = static_cast<DocumentsTable*>(vtab);
  int code = SQLITE_OK;
  const int failed = TableCallback(vtab, [&]() -> Status {
    const std::optional<int64_t> old_id = IdOrNull(values[0]);
    if (count == 1) return table->rows.Remove(old_id.value_or(0));
    const std::span<sqlite3_value*> columns(values + 2, static_cast<size_t>(count) - 2);
    RECALL_ASSIGN(code, Write(table, old_id, columns, IdOrNull(values[1]), id));
    return Status::Ok();
  });
  return failed == SQLITE_OK ? code : failed;
}

int BeginTransaction(sqlite3_vtab*) { return SQLITE_OK; }

int EndTransaction(sqlite3_vtab* table) {
  static_cast<DocumentsTable*>(table)->rows.EndTransaction();
  return SQLITE_OK;
}

constexpr sqlite3_module MakeDocumentsModule() {
  sqlite3_module module = {};
  module.iVersion = 3;
  module.xCreate = &MakeTable<true>;
  module.xConnect = &MakeTable<false>;
  module.xBestIndex = &BestDocumentsIndex;
  module.xDisconnect = &Disconnect;
  module.xDestroy = &Destroy;
  module.xOpen = &OpenDocuments;
  module.xClose = &CloseDocuments;
  module.xFilter = &FilterRowsOrHits;
  module.xNext = &NextDocument;
  module.xEof = &AreDocumentsAtEnd;
  module.xColumn = &DocumentColumn;
  module.xRowid = &DocumentId;
  module.xUpdate = &UpdateDocument;
  module.xBegin = &BeginTransaction;
  module.xCommit = &EndTransaction;
  module.xRollback = &EndTransaction;
  module.xRename = &Rename;
  module.xShadowName = &IsShadowName;
  return module;
}

constexpr sqlite3_module kDocumentsModule = MakeDocumentsModule();

}  // namespace

Status RegisterDocumentsTable(sqlite3* connection) {
  const int code =
      sqlite3_create_module_v2(connection, kModule, &kDocumentsModule, nullptr, nullptr);
  if (code == SQLITE_OK) return Status::Ok();
  return Status::Internal(std::string("cannot register the table: ") + sqlite3_errmsg(connection));
}

}  // namespace recall
